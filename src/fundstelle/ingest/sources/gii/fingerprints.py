"""What tells one text of a law from another: its file, but for the days on which it was built.

The publisher builds some files anew every week with nothing else changed in them.
"""

import re
from hashlib import sha256
from pathlib import Path

from fundstelle.ingest.sources.files.archives import unzip_law

_BUILT = re.compile(rb'builddate="\d*"')


def fingerprint(law: bytes) -> str:
    """SHA-256 of a law's XML without its ``builddate`` attributes; 64 hex digits."""
    return sha256(_BUILT.sub(b"", law)).hexdigest()


def fingerprint_zip(packed: bytes) -> str | None:
    """That of the law in the publisher's zip; ``None`` for one that holds none."""
    entry = unzip_law("law/xml.zip", packed)
    return None if entry.problem else fingerprint(entry.data)


def fingerprint_file(path: Path) -> str | None:
    """That of a zip that is kept; ``None`` for one that holds none.

    Raises:
        OSError: it cannot be read.
    """
    return fingerprint_zip(path.read_bytes())

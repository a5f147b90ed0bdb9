"""Which program read a text: what it reads otherwise than another one is no change of the law."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import fundstelle

PACKAGE = Path(fundstelle.__file__).parent
_COMPILED = frozenset({".pyc", ".pyo"})


def hash_files(paths: Iterable[Path], salt: str = "") -> str:
    """SHA-256 of files of the package with their places in it, in the order of these."""
    digest = hashlib.sha256(salt.encode())
    for path in sorted(paths):
        if path.is_file() and path.suffix not in _COMPILED:
            data = path.read_bytes()
            digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0{len(data)}\0".encode())
            digest.update(data)
    return digest.hexdigest()


@cache
def hash_folders(*folders: str) -> str:
    """The same of all files in some folders of the package: ``ingest/text``."""
    return hash_files(path for folder in folders for path in (PACKAGE / folder).rglob("*"))

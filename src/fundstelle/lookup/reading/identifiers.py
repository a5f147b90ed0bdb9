"""Addresses of the Federal Law Gazette, which stand for a Fundstelle."""

import re

from fundstelle.law.citations import GazetteCitation

# Source: NeuRIS, "eli/bund/bgbl-1/2001/s3138" (page) and ".../2024/107" (number of the act)
_ELI = re.compile(
    r"(?:https?://\S*?/)?eli/bund/bgbl-(?P<part>[12])/(?P<year>\d{4})/(?:s|nr)?(?P<page>\d+)(?:/.*)?",
    re.IGNORECASE,
)


def read_eli(written: str) -> GazetteCitation | None:
    """The Fundstelle that a German ELI names."""
    found = _ELI.fullmatch(written)
    if found is None:
        return None
    return GazetteCitation("BGBl.", found["year"], "I" * int(found["part"]), found["page"])

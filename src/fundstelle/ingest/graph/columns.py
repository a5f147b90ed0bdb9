"""Lists of sources in two columns, which a PDF gives one after the other: laws, then sections."""

import re

from fundstelle.law.citations import FoundCitation

_LAW_ALONE = re.compile(
    r"(?=(?:[^A-ZÄÖÜ\n]*[A-ZÄÖÜ]){2})[\w.-]{2,20}(?: [A-ZÄÖÜ][\w-]{0,10})?(?=\n)"
)
_LONGEST_LINE = 40  # of a law alone, with its break


def is_of_columns(text: str, found: FoundCitation) -> bool:
    """Whether a law that stands on a line of its own may be that of other sections.

    ``IFG / InsO / § 1 Abs. 1 / §§ 97, 101``, as the sources of law stand at the end of decisions:
    which sections are of which law cannot be told. ``GG / Art. 80 / IFG / § 3``: nor whether a law
    is that of the line above it or below.
    """
    if "\n" not in found.text or text[found.start - 1 : found.start] != "\n":
        return False  # all but a few
    begins = _LAW_ALONE.match(found.text) is not None
    ends = _LAW_ALONE.match(found.text.rpartition("\n")[2] + "\n") is not None
    if not (begins or ends):
        return False
    before = text[max(0, found.start - _LONGEST_LINE) : found.start]
    above = before[:-1].rpartition("\n")[2] + "\n"
    return _LAW_ALONE.match(above) is not None

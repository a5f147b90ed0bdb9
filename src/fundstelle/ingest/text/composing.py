"""Unicode's composed form (NFC) of texts by strangers, in time that grows with their length.

Putting the marks of one letter in order takes the square of their number, in one call that nothing
ends: 800 KB of them keep a process busy for hours. No language has more than a few on a letter.

Source: Unicode Standard Annex 15, "Stream-Safe Text Format".
"""

import re
import unicodedata
from functools import cache
from itertools import groupby

MOST_MARKS = 30  # in a row, as UAX 15 has it
_PLANES = range(0x300, 0x1F000)  # where Unicode has marks
# Latin letters, digits, quotation marks and dashes: composed as they are, and none is a mark.
_MAY_CHANGE = re.compile("[^\x00-\u02ff\u2002-\u206f]")


class TooManyMarks(ValueError):
    """A letter bears more marks than any language has."""


def compose(text: str) -> str:
    """The text in NFC.

    Raises:
        TooManyMarks: it has a row of combining marks that no letter has.
    """
    if text.isascii() or _MAY_CHANGE.search(text) is None:
        return text
    if _find_runs().search(text):
        raise TooManyMarks(f"it has more than {MOST_MARKS} combining marks in a row: it is no text")
    return unicodedata.normalize("NFC", text)


@cache
def _find_runs() -> re.Pattern[str]:
    marks = (code for code in _PLANES if unicodedata.combining(chr(code)))
    rows = groupby(enumerate(marks), lambda placed: placed[1] - placed[0])
    spans = ([chr(code) for _, code in row] for _, row in rows)
    ranges = "".join(f"{span[0]}-{span[-1]}" for span in spans)
    return re.compile(f"[{ranges}]{{{MOST_MARKS + 1}}}")

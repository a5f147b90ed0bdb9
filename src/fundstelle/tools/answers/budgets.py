"""What concise answers may spend beside the law's words, in characters of JSON, and how they save.

Models read every character that they are given. A concise answer names what is shown, where it
stands, where it comes from and what to mind; ``detailed`` has all the rest.
"""

from collections.abc import Mapping, Sequence

import orjson

UNIT = 700  # a unit of text, without its words
HIT = 450  # of a search, with its snippet
ROW = 110  # of a table of contents, with its title
CITING = 700  # a decision that cites, with the sentence that does
HEADINGS = 72  # above a unit
NAME = 70  # a title beside a text

SEPARATOR = " > "
_CUT = " …"
_LEAST_HEADING = 12


def measure(row: Mapping[str, object]) -> int:
    """Characters of a row as JSON."""
    return len(orjson.dumps(row).decode())


def shorten(words: str, most: int) -> str:
    """The beginning of *words* in at most *most* characters, cut behind a word."""
    if len(words) <= most:
        return words
    end = words.rfind(" ", 0, most - len(_CUT) + 1)
    return words[: end if end > 0 else max(most - len(_CUT), 0)].rstrip(" ,;") + _CUT


def say_place(headings: Sequence[str], most: int | None = None) -> str:
    """The headings above a text, outermost first; each shortened where all are too long."""
    said = SEPARATOR.join(headings)
    if most is None or len(said) <= most:
        return said
    share = most // len(headings) - len(SEPARATOR)
    return SEPARATOR.join(shorten(each, max(share, _LEAST_HEADING)) for each in headings)

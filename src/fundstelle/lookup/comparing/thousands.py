"""Numbers as they are compared: 20 000 000, 20.000.000 and 20'000'000 are 20000000.

Not what stands behind a decimal sign, and no number that begins with 0. A comma stands between
thousands only where there are several: one alone is a decimal sign.
"""

import re
from bisect import bisect_right

_DIVIDES = " \u00a0\u2007\u2009\u202f.'‘’"
# The digit first: so a long text is searched much faster than from what may not be before it.
_NUMBER = re.compile(
    rf"[1-9][0-9]{{0,2}}+(?:([{_DIVIDES}])[0-9]{{3}}(?:\1[0-9]{{3}})*+|(?:,[0-9]{{3}}){{2,}}+)"
    r"(?![0-9]|[.'’][0-9])"
)
_DIGITS = frozenset("0123456789")
_NOT_BEFORE = _DIGITS | frozenset(".,/")
_LARGE = re.compile(r"[0-9]{4}")
_GROUP = 3  # digits
_TOLD = re.compile(r"(?<=[0-9]) ([.'‘’]) (?=[0-9]{3}(?![0-9]))")


def join_thousands(text: str) -> str:
    """The text without what divides its numbers."""
    return _NUMBER.sub(_join, text)


def join_told(words: str) -> str:
    """The same of words and signs that are told one by one: ``20 . 000 Euro``."""
    return join_thousands(_TOLD.sub(r"\1", words))


def is_large(text: str) -> bool:
    """Whether a number stands there that may be divided."""
    return _LARGE.search(text) is not None


def divides(sign: str, before: str, behind: str) -> bool:
    """Whether a sign between two words is of one number with them."""
    return sign in _DIVIDES and before.isdecimal() and behind.isdecimal() and len(behind) == _GROUP


class Undivided:
    """A text as ``join_thousands`` gives it, and the way back to the text as stored."""

    def __init__(self, stored: str) -> None:
        kept: list[str] = []
        self._before: list[int] = []  # places in ``text`` before which a sign was taken out
        end = length = 0
        for number in _NUMBER.finditer(stored):
            if _is_part(number):
                continue
            for place in range(*number.span()):
                if stored[place] not in _DIGITS:
                    kept.append(stored[end:place])
                    length += place - end
                    self._before.append(length)
                    end = place + 1
        self.text = "".join((*kept, stored[end:]))

    @property
    def is_stored(self) -> bool:
        """Whether nothing was taken out."""
        return not self._before

    def locate(self, place: int) -> int:
        """A place in ``text`` as one in the text as stored."""
        return place + bisect_right(self._before, place)


def _join(number: re.Match[str]) -> str:
    if _is_part(number):
        return number[0]
    return "".join(sign for sign in number[0] if sign in _DIGITS)


def _is_part(number: re.Match[str]) -> bool:
    """Whether it begins within another number, or behind a decimal sign."""
    start = number.start()
    return start > 0 and number.string[start - 1] in _NOT_BEFORE

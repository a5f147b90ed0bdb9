"""Labels of the list items of EU acts: which level they are, and their value.

A list is read as a whole: ``(i)``, ``(v)`` and ``(x)`` are letters or Roman numbers, and what
stands before and behind them in the list tells which.
"""

import re
from collections.abc import Iterator, Sequence

from fundstelle.citations.text.numerals import read_roman
from fundstelle.law.norms import Level

NUMBER = re.compile(r"\(?(-?\d+[a-z]?)[.)]*")  # "-1." was inserted before "1."
_LETTER = re.compile(r"\(?([a-z]{1,2})\)?")
_ROMAN = re.compile(r"\(?([ivxl]+)\)?")
_INSERTED = re.compile(r"\(?([ivxl]+)([a-h])\)?")  # "iia)" behind "ii)"
_DASHES = "-–—•·"
_FAR = 20  # labels in which the next one with letters is looked for, behind dashes

Rank = tuple[Level, str]


def read_labels(labels: Sequence[str], above: Level | None) -> list[Rank]:
    """Level and value of each item of one list; dashes, and items without a label, are counted.

    *above* is the level of the part that holds the list.
    """
    return list(_Reader(labels, above).iter_ranks())


class _Reader:
    """Goes through a list and remembers how far its letters and Roman numbers have come."""

    def __init__(self, labels: Sequence[str], above: Level | None) -> None:
        self._labels = labels
        self._above = above
        self._letter = ""  # the last so far
        self._roman = 0  # the last number behind it
        self._strokes = 0

    def iter_ranks(self) -> Iterator[Rank]:
        for place, label in enumerate(self._labels):
            yield self._read(label, place)

    def _read(self, label: str, place: int) -> Rank:
        if number := NUMBER.fullmatch(label):
            return Level.NUMMER, number[1]
        value = _read_roman(label)
        following = _find_following(self._labels, place) if value else ""
        if value and self._is_roman(_strip(label), value, following):
            self._roman = value
            return Level.NUMMER, str(value) if self._is_counted() else _strip(label)
        inserted = _INSERTED.fullmatch(label) if self._roman else None
        if inserted and _read_roman(inserted[1]) == self._roman:
            counted = f"{self._roman}{inserted[2]}"
            return Level.NUMMER, counted if self._is_counted() else _strip(label)
        if letter := _LETTER.fullmatch(label):
            self._letter, self._roman = letter[1], 0
            # "(ba)" beside "(b)" was inserted behind it; only below a letter two are a level
            is_below = len(letter[1]) == 2 and self._above is Level.BUCHSTABE
            return (Level.DOPPELBUCHSTABE if is_below else Level.BUCHSTABE), letter[1]
        if not label or label[0] in _DASHES:
            self._strokes += 1
            return Level.SPIEGELSTRICH, str(self._strokes)
        return Level.NUMMER, label.strip("().") or label

    def _is_counted(self) -> bool:
        """Below a letter ``(i)`` can be no other; elsewhere it is cited as a letter, too."""
        return self._above is Level.BUCHSTABE

    def _is_roman(self, label: str, value: int, following: str) -> bool:
        """Whether a label that may be a Roman number of that value is one, or a letter."""
        is_next_letter = _goes_on(self._letter, label)
        is_next_number = value == self._roman + 1
        if is_next_letter != is_next_number and (is_next_letter or self._roman):
            return is_next_number
        later = _read_roman(following)
        if later == value + 1 or (later > value and len(following) > 1):
            return True
        if is_next_letter or _goes_on(label, following):
            return self._roman > 0 and not _goes_on(label, following)
        if self._roman or len(label) > 1:
            return True
        return is_next_number if self._letter else self._above is Level.BUCHSTABE


def _strip(label: str) -> str:
    return label.strip("()")


def _read_roman(label: str) -> int:
    """The value of a Roman number; 0 where it is none."""
    match = _ROMAN.fullmatch(label)
    return (read_roman(match[1].upper()) or 0) if match else 0


def _find_following(labels: Sequence[str], place: int) -> str:
    """The next label with letters, of a few, that is not inserted behind the one there; or ""."""
    label = _strip(labels[place])
    for other in map(_strip, labels[place + 1 : place + 1 + _FAR]):
        is_inserted = other[:-1] == label and other[-1:] in "abcdefgh"
        if other.isalpha() and not is_inserted:
            return other
    return ""


def _goes_on(before: str, letter: str) -> bool:
    """Whether a letter is the next one: ``i`` behind ``h`` and ``hb``, ``aa`` behind ``z``."""
    if not before or not letter:
        return False
    following = chr(ord(before[0]) + 1)
    if before == "z":
        return letter == "aa"
    if len(letter) == 1:
        return letter == following
    is_doubled = before == before[0] * 2 and letter == following * 2
    return is_doubled or (letter[:-1] == before[:-1] and ord(letter[-1]) == ord(before[-1]) + 1)

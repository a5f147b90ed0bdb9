"""Annexes that are held under more than their number: ``Anlage 2 Teil 1``, ``Anlage 1a``."""

import re
from collections.abc import Sequence

from fundstelle.citations.text.numerals import format_roman, read_roman
from fundstelle.law.identifiers import number_key
from fundstelle.law.norms import Norm

_HIGHEST_ROMAN = 40
_ANCHOR = re.compile(r" zu[mr]?\b")  # "Anlage 2 zum Anhang", "Anhang 1 zu Nummer 1"
_WITHIN = re.compile(r"(?P<first>\d+[a-z]?)(?:\sbis\s(?P<last>\d+[a-z]?))?", re.IGNORECASE)
_TWO = 2


def list_parts(annexes: Sequence[Norm], number: str) -> list[Norm]:
    """Those of ``annexes`` that the one cited by ``number`` consists of, or can be.

    Letters are parts where there are several ("Anlage 1a", "Anlage 1b"); one alone is a number of
    its own.
    """
    counts = list_counts(number.casefold())
    lettered = [annex for annex in annexes if any(_is_lettered(annex, each) for each in counts)]
    return [
        annex
        for annex in annexes
        if (len(lettered) >= _TWO and annex in lettered)
        or any(_goes_on(annex, each) or _holds(annex, each) for each in counts)
    ]


def find_anchored(annexes: Sequence[Norm], number: str) -> Norm | None:
    """The only annex of that number whose designation says no more than what it belongs to."""
    counts = list_counts(number.casefold())
    parts = [annex for annex in annexes if any(_goes_on(annex, each) for each in counts)]
    is_anchor = len(parts) == 1 and any(
        _ANCHOR.match(_read_number(parts[0]), len(each)) for each in counts
    )
    return parts[0] if is_anchor else None


def list_counts(value: str) -> list[str]:
    """A number as it is written and as it is counted the other way, Roman or Arabic."""
    arabic = read_roman(value)
    return [each for each in (value, to_roman(value), str(arabic) if arabic else "") if each]


def to_roman(value: str) -> str:
    """A small Arabic number in Roman letters, not capital; "" for anything else."""
    is_small = value.isdecimal() and 0 < int(value) < _HIGHEST_ROMAN
    return format_roman(int(value)).lower() if is_small else ""


def _read_number(annex: Norm) -> str:
    return annex.label.partition(" ")[2].casefold()


def _goes_on(annex: Norm, value: str) -> bool:
    """``2 Teil 1`` goes on behind 2, ``4.1`` behind 4; ``1 bis 8`` is a range."""
    number = _read_number(annex)
    behind = number.removeprefix(value) if number.startswith(value) else ""
    if behind.startswith("."):
        return behind[1:2].isdecimal()
    return behind.startswith(" ") and not behind.startswith((" bis ", " und "))


def _is_lettered(annex: Norm, value: str) -> bool:
    number = _read_number(annex)
    is_roman = read_roman(number) is not None  # "II" is no part of "I"
    return " " not in value and not is_roman and number[:-1] == value and number[-1].isalpha()


def _holds(annex: Norm, value: str) -> bool:
    """``Anlagen 1 bis 3i, 4 und 5`` holds 2 and 4."""
    word, _, number = annex.label.partition(" ")
    if word not in {"Anlagen", "Anhänge"} or not value.isdecimal():
        return False
    key = number_key(value)
    return any(
        number_key(each["first"]) <= key <= number_key(each["last"] or each["first"])
        for each in _WITHIN.finditer(number)
    )

"""Labels of list items and headings inside a norm: which level they are, and their value."""

import re
from collections.abc import Sequence

from fundstelle.law.norms import Level

_NUMBER = re.compile(r"\(?(\d+[a-z]{0,3})[.):]*")
_DECIMAL = re.compile(r"(\d+[a-z]?(?:\.\d+[a-z]{0,2})+)[.):]*")
_BRACKETED = re.compile(r"\((\d+[a-z]*)\)")
_LOWER = re.compile(r"\(?([a-z]{1,3})[.):]*")
_UPPER = re.compile(r"\(?([A-Z]{1,2})[.):]*")
_ROMAN = re.compile(r"\(?([IVXL]+)[.):]*")
_LOWER_ROMAN = re.compile(r"\(?([ivx]+)[.):]*")
_COMPOUND = re.compile(
    r"([A-Z]{1,4}(?:\.\d+[a-z]?)+|[A-Z] \d+(?: \d+)*|\d\d(?: \d\d){1,2}\*?)[.):]*"
)
_NAMED = re.compile(
    r"(?:.*\s)?(?:(?P<nr>Nr\.?|Nummer)|(?P<section>§)|(?P<teil>Teil)|(?P<abschnitt>Abschnitt)"
    r"|(?P<kapitel>Kapitel)|(?P<spalte>Spalte)|(?P<kategorie>Kategorie)|(?P<fall>Fall))"
    r" (?P<value>[A-Z]|[IVX]+|\d+[a-z]?(?:\.\d+[a-z]?)*)[.):]*"
)
_NAMED_LEVELS = {
    "nr": Level.NUMMER,
    "section": Level.SECTION,
    "teil": Level.TEIL,
    "abschnitt": Level.ABSCHNITT,
    "kapitel": Level.KAPITEL,
    "spalte": Level.SPALTE,
    "kategorie": Level.KATEGORIE,
    "fall": Level.FALL,
}
_QUOTES = "„“\"'‚‘»« "
_LETTERS = (Level.BUCHSTABE, Level.DOPPELBUCHSTABE, Level.DREIFACHBUCHSTABE)
_ABOVE_ABSATZ = (None, Level.SECTION, Level.TEIL, Level.KAPITEL, Level.ABSCHNITT)
_BELOW = {
    Level.NUMMER: Level.BUCHSTABE,
    Level.BUCHSTABE: Level.DOPPELBUCHSTABE,
    Level.DOPPELBUCHSTABE: Level.DREIFACHBUCHSTABE,
}

TITLE = re.compile(
    r"(?P<level>Teil|Kapitel|Abschnitt) (?P<value>[A-Z]|[IVXL]+|\d+[a-z]?(?:\.\d+)*)(?=[.:\s]|$)"
)
TITLE_LEVELS = {"Teil": Level.TEIL, "Kapitel": Level.KAPITEL, "Abschnitt": Level.ABSCHNITT}

Rank = tuple[Level, str]


def read_labels(labels: Sequence[str], above: Level | None) -> list[Rank | None]:
    """Level and value of each item of one list; ``None`` for a label that numbers nothing.

    *above* is the level of the part that holds the list. A list is read as a whole, since
    ``i)`` is a letter after ``h)`` and a number before ``ii)``.
    """
    cleaned = [label.strip(_QUOTES) for label in labels]
    roman = _is_roman(cleaned)
    ranks: list[Rank | None] = []
    strokes = 0
    letters = ""  # the last letter value of the list so far
    for label in cleaned:
        if label and not any(character.isalnum() for character in label):
            strokes += label.rstrip(")") != "*"
            ranks.append((Level.SPIEGELSTRICH, str(strokes)) if label.rstrip(")") != "*" else None)
        elif roman:
            ranks.append(_read_roman(label, above))
        else:
            ranks.append(_read_label(label, above, letters))
            letters = _choose_letters(ranks[-1], letters)
    return ranks


def _is_roman(labels: Sequence[str]) -> bool:
    firsts = [label.strip("().:") for label in labels[:2]]
    return firsts in (["I", "II"], ["i", "ii"], ["I"])


def _choose_letters(rank: Rank | None, before: str) -> str:
    return rank[1] if rank is not None and rank[0] in _LETTERS else before


def _read_roman(label: str, above: Level | None) -> Rank | None:
    if match := _ROMAN.fullmatch(label):
        return Level.NUMMER, match[1]
    if match := _LOWER_ROMAN.fullmatch(label):
        return _BELOW.get(above or Level.SATZ, Level.NUMMER), match[1]
    return _read_label(label, above, "")


def _read_label(label: str, above: Level | None, last_letters: str) -> Rank | None:
    rank: Rank | None = None
    if match := _BRACKETED.fullmatch(label):
        rank = (Level.ABSATZ if above in _ABOVE_ABSATZ else Level.NUMMER), match[1]
    elif match := _NUMBER.fullmatch(label) or _DECIMAL.fullmatch(label):
        rank = Level.NUMMER, match[1]
    elif match := _LOWER.fullmatch(label):
        rank = _letter_level(match[1], last_letters), match[1]
    elif match := _COMPOUND.fullmatch(label):
        rank = Level.NUMMER, match[1].rstrip("*")
    elif match := _UPPER.fullmatch(label):
        rank = Level.BUCHSTABE, match[1]
    elif match := _NAMED.fullmatch(label):
        rank = _NAMED_LEVELS[_named_group(match)], match["value"]
    return rank


def _named_group(match: re.Match[str]) -> str:
    return next(name for name in _NAMED_LEVELS if match[name])


def _letter_level(letters: str, before: str) -> Level:
    """``aa`` is a Doppelbuchstabe, unless it goes on after ``z``; ``ab`` never is one."""
    if len(letters) > 1 and len(set(letters)) == 1 and before != "z":
        return _LETTERS[len(letters) - 1]
    return Level.BUCHSTABE

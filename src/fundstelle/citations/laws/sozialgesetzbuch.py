"""The books of the Sozialgesetzbuch under all the names they go by."""

import re
from typing import NamedTuple

_ROMANS = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV"]
_ORDINALS = [
    "Erstes",
    "Zweites",
    "Drittes",
    "Viertes",
    "Fünftes",
    "Sechstes",
    "Siebtes",
    "Achtes",
    "Neuntes",
    "Zehntes",
    "Elftes",
    "Zwölftes",
    "Dreizehntes",
    "Vierzehntes",
]
BOOKS = {
    ordinal.casefold().removesuffix("es"): roman
    for ordinal, roman in zip(_ORDINALS, _ROMANS, strict=True)
}
"""The Roman numbers by the stems of the ordinals: "elft" is XI."""


_IN_BRACKETS = re.compile(r"\s*\(\s*([IVX]{1,4})\s*\)")


def skip_book_number(text: str, pos: int, abbreviation: str) -> int:
    """Behind the number of a book that its name has said: ``Sozialgesetzbuch Zweites Buch (II)``.

    It is no part of the norm; ``pos`` where there is none, or another than the book's.
    """
    if not abbreviation.startswith("SGB ") or "(" not in text[pos : pos + 2]:
        return pos
    number = _IN_BRACKETS.match(text, pos)
    return number.end() if number is not None and abbreviation == f"SGB {number[1]}" else pos


class BookNames(NamedTuple):
    """Other abbreviations and long names of one book."""

    aliases: tuple[str, ...] = ()
    long_names: tuple[str, ...] = ()


def list_book_names(abbreviation: str) -> BookNames:
    """The names of the book ``abbreviation``; none if it is no book."""
    if not abbreviation.startswith("SGB "):
        return BookNames()
    roman = abbreviation[4:]
    if roman not in _ROMANS:
        return BookNames()
    number = _ROMANS.index(roman) + 1
    ordinal = _ORDINALS[number - 1]
    return BookNames(
        (f"SGB {number}", f"SGB 0{number}", f"SGB Buch {roman}")
        # "SGB" alone means any of them; the thirteenth number was never given to a book.
        + (() if roman == "XIII" else ("SGB",)),
        (
            f"{ordinal} Buch Sozialgesetzbuch",
            f"{ordinal} Buch des Sozialgesetzbuchs",
            f"{ordinal} Buch SGB",
            f"{ordinal} Buch des SGB",
            f"SGB {ordinal} Buch",
            f"Sozialgesetzbuch {ordinal} Buch",
            f"Sozialgesetzbuch SGB {ordinal} Buch",
            f"Sozialgesetzbuch {roman}",
            f"Sozialgesetzbuch {number}",
            f"Sozialgesetzbuch Buch {roman}",
            f"Buch {roman} Sozialgesetzbuch",
        )
        + (() if roman == "XIII" else ("Sozialgesetzbuch",)),
    )

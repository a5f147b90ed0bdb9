"""Abbreviations that damage has torn apart: ``B G B``, ``St.G.B.``, ``Vw GO``."""

import re

from fundstelle.citations.laws.name import LawName
from fundstelle.citations.laws.names import LawNames

_PIECE = r"[A-ZÄÖÜ][A-Za-zäöüß]{0,6}"
_TORN = re.compile(rf"{_PIECE}(?:(?:\.\s?|\s){_PIECE}){{1,5}}\.?(?![^\W_])")
_GAP = re.compile(r"[.\s]+")
_SHORTEST = 3  # letters


def match_torn(text: str, pos: int, names: LawNames) -> tuple[int, tuple[LawName, ...]] | None:
    """The name of a hand-kept law written with blanks or dots inside, and where it ends.

    Letter for letter, case included: what is torn may not be guessed at as well.
    """
    torn = _TORN.match(text, pos)
    if torn is None:
        return None
    pieces = [piece for piece in _GAP.split(torn[0]) if piece]
    ends = [match.end() for match in re.finditer(r"[^\W_]+", torn[0])]
    for count in range(len(pieces), 1, -1):
        written = "".join(pieces[:count])
        laws = names.find(written) if len(written) >= _SHORTEST else ()
        if any(law.by_hand and written in {law.abbreviation, *law.aliases} for law in laws):
            end = pos + ends[count - 1]
            dotted = text.startswith(".", end) and "." in torn[0][: ends[count - 1]]
            return end + dotted, laws
    return None

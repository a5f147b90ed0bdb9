"""Roman numbers and written-out ordinals."""

import re

_ROMAN = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})")
_VALUES = {"I": 1, "V": 5, "X": 10}
_ORDINALS = {
    "erst": "1",
    "zweit": "2",
    "dritt": "3",
    "viert": "4",
    "fünft": "5",
    "sechst": "6",
    "siebt": "7",
    "acht": "8",
    "neunt": "9",
    "zehnt": "10",
    "letzt": "last",
    "vorletzt": "penultimate",
    "first": "1",
    "second": "2",
    "third": "3",
    "last": "last",
}
ORDINAL_OPENINGS = frozenset(word[:2] for word in _ORDINALS)
"""By two letters: "de" and "di" begin what stands behind most citations, and no ordinal."""
ORDINAL_WORD = (
    r"(?:vorletzt|letzt|erst|zweit|dritt|viert|fünft|sechst|siebt|acht|neunt|zehnt)(?:e[nmrs]?)"
    r"|first|second|third|last"
)


def read_roman(text: str) -> int | None:
    """The value of a Roman number up to 39, ``None`` if it is none."""
    text = text.upper()
    if not text or _ROMAN.fullmatch(text) is None:
        return None
    total = 0
    for here, after in zip(text, text[1:] + " ", strict=True):
        value = _VALUES[here]
        total += -value if _VALUES.get(after, 0) > value else value
    return total


def format_roman(number: int) -> str:
    """The inverse of ``read_roman`` for 1 to 39."""
    tens, ones = divmod(number, 10)
    return "X" * tens + ("", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX")[ones]


def read_ordinal(word: str) -> str:
    """``zweiter`` -> "2", ``letzten`` -> "last"."""
    folded = word.casefold()
    return _ORDINALS.get(folded) or _ORDINALS[re.sub(r"e[nmrs]?$", "", folded)]

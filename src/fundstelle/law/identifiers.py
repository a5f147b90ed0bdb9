"""Identifiers of laws and norms: how names become ids, and how numbers sort."""

import re
import unicodedata

from fundstelle.law.lands import JURISDICTIONS
from fundstelle.memo import remember_short

_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
_NOT_ID = re.compile(r"[^a-z0-9.~]+")
_ROMANS = {
    "x" * tens + ones: str(10 * tens + value)
    for tens in range(4)
    for value, ones in enumerate(("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"))
    if tens or value
}
_EDITION = re.compile(r"^(eu/[^/:]+):[^/]+")
_ZEROS = re.compile(r"(?<![^\W_]|[.,])0+(?=\d)")
_PARTS = re.compile(r"\d+|[a-z]+")
_LONGEST = 100  # characters of a number or an abbreviation that is kept


def fold(text: str) -> str:
    """Lower case, umlauts and ß spelt out, other accents dropped: ``Änderung`` -> ``aenderung``."""
    spelt = unicodedata.normalize("NFC", text).lower().translate(_UMLAUTS)
    return "".join(c for c in unicodedata.normalize("NFKD", spelt) if not unicodedata.combining(c))


@remember_short(maxsize=8_192, longest=_LONGEST)  # laws have the same numbers
def to_id(text: str) -> str:
    """The id form of a name or number.

    ``SGB V`` -> ``sgb-v``, ``Anlage 1`` -> ``anlage-1``, ``312g`` -> ``312g``.
    """
    return _NOT_ID.sub("-", fold(text)).strip("-")


_OF_IDS = frozenset(JURISDICTIONS)
_MOST_DIGITS = 18  # of a number; no provision has nearly as many


def build_statute_id(abbreviation: str, jurisdiction: str = "de") -> str:
    """``de/`` + the canonical abbreviation in id form."""
    return f"{jurisdiction}/{to_id(abbreviation)}"


def is_id(written: str) -> bool:
    """Whether a text begins as the ids of laws, norms and decisions do: ``de/bgb/823``."""
    jurisdiction, slash, _ = written.partition("/")
    return bool(slash) and jurisdiction in _OF_IDS


def name_cited(held_id: str) -> str:
    """The id by which references name a norm or act, whichever edition's is given.

    ``eu/32016R0679/art_1`` of ``eu/32016R0679:en/art_1``; others are their own.
    """
    return _EDITION.sub(r"\1", held_id)


def build_norm_id(statute_id: str, number: str) -> str:
    """The id of a norm: its statute's id + its number (``229/5`` keeps its slash)."""
    return statute_id + "/" + "/".join(to_id(part) for part in number.split("/"))


def drop_zeros(number: str) -> str:
    """A number without zeros in front, which no law and no act prints: ``0823`` -> ``823``.

    What stands behind a point is none of them: ``26.01``.
    """
    return _ZEROS.sub("", number) if "0" in number else number


def drop_zeros_of_id(norm_id: str) -> str:
    """An id whose number is as laws print it: ``de/bgb/0823`` -> ``de/bgb/823``."""
    jurisdiction, _, rest = norm_id.partition("/")
    law, slash, number = rest.partition("/")
    return f"{jurisdiction}/{law}{slash}{drop_zeros(number)}"


@remember_short(
    maxsize=8_192, longest=_LONGEST
)  # laws have the same numbers, and a range compares hundreds
def number_key(number: str) -> tuple[tuple[int, str], ...]:
    """A key that sorts section numbers as laws do: 7 < 7a < 7b < 8 < 10 < 1.01 by its parts.

    A number that is Roman counts as the number it is: IV < IX < X.
    """
    folded = fold(number)
    if not folded[:1].isdigit():
        folded = "/".join(_ROMANS.get(part, part) for part in folded.split("/"))
    return tuple(
        (int(part[:_MOST_DIGITS]), "") if part.isdigit() else (0, part)
        for part in _PARTS.findall(folded)
    )

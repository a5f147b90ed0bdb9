"""How the publisher prints that a provision, or a part of one, is gone."""

import re

from fundstelle.law.norms import Fassung, Norm, set_back

_WORD = re.compile(
    r"(?<!\w)(?:weg?gefallen|aufgehoben|gegenstandslos|entfällt|entfallen|gestrichen|außer Kraft)"
    r"(?!\w)",
    re.IGNORECASE,
)
_DASHES = re.compile(r"[\s\-–—]+")


def find_word(printed: str) -> str:
    """`` (weggefallen)`` as it is printed there; empty where no such word is."""
    found = _WORD.search(printed)
    return f" ({found[0]})" if found else ""


def say_printed(norm: Norm, fassung: Fassung | None) -> tuple[str, str]:
    """The word that says a provision is gone, and a clause on what stands there without one."""
    if fassung is None:  # it was there before, and is no more
        return "", ""
    word = find_word(f"{set_back(norm, fassung).title or ''} {fassung.text}")
    if word or not _DASHES.fullmatch(fassung.text):
        return word, ""
    return "", "; the publisher prints a dash in the place of its text"

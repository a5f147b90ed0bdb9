"""Headings of decisions: which of them begin a part, and how deep the others are."""

import re
from collections.abc import Sequence

from fundstelle.law.decisions import PartKind

# by the letters of the heading, without blanks, in lower case
_PARTS = {
    PartKind.LEITSATZ: (
        "leitsatz|leitsätze|leitsatze|amtlicherleitsatz|amtlicheleitsätze|leitsatz(redaktionell)"
        "|leitsätze(redaktionell)|redaktionellerleitsatz|redaktionelleleitsätze|nichtamtlicher"
        "leitsatz|leitsatzdesgerichts|leitsätzedesgerichts"
    ),
    PartKind.ORIENTIERUNGSSATZ: "orientierungssatz|orientierungssätze",
    PartKind.TENOR: "tenor|entscheidungsformel|urteilsformel|beschlussformel",
    PartKind.TATBESTAND: "tatbestand",
    PartKind.ENTSCHEIDUNGSGRUENDE: "entscheidungsgründe|entscheidungsgruende|urteilsgründe",
    PartKind.GRUENDE: "gründe|gruende|beschlussgründe|ausdengründen|begründung",
    PartKind.ABWEICHENDE_MEINUNG: "abweichendemeinung|sondervotum",
    PartKind.RECHTSMITTELBELEHRUNG: (
        "rechtsmittelbelehrung|rechtsbehelfsbelehrung|belehrung|belehrungüberrechtsmittel"
        "|rechtsmittelundrechtsbehelfsbelehrung"
    ),
}
_KINDS = {word: kind for kind, words in _PARTS.items() for word in words.split("|")}
_LONGEST = 60

_ENUMERATORS = (
    ("roman", re.compile(r"(?=[IVX])(?:X{0,3}(?:IX|IV|V?I{0,3}))(?:[.)]|$|\s)")),
    ("letter", re.compile(r"[A-Z](?:[.)]|$)")),
    ("number", re.compile(r"\d{1,2}(?:[.)]|$)")),
    ("double", re.compile(r"([a-z])\1\)")),
    ("triple", re.compile(r"([a-z])\1\1\)")),
    ("small", re.compile(r"\(?[a-z]\)")),
)
_ALONE = re.compile(r"(?:[IVX]{1,5}|[A-Z]|\d{1,2}|[a-z]{1,3})[.)]|[IVX]{1,5}|[A-H]")


def find_part(text: str) -> PartKind | None:
    """The part that a line is the heading of: ``G r ü n d e :`` -> ``GRUENDE``."""
    if len(text) > _LONGEST:
        return None
    letters = "".join(text.split()).casefold().strip(":;.-–*_ ")
    return _KINDS.get(letters)


_GLUED = re.compile(
    r"(?P<heading>(?:T a t b e s t a n d|E n t s c h e i d u n g s ?g r ü n d e|G r ü n d e)\s?:?"
    r"|(?:Tatbestand|Entscheidungsgründe|Gründe):)\s+(?P<rest>[A-ZÄÖÜ„\"(\d].*)",
    re.DOTALL,
)


def split_heading(text: str) -> tuple[str, str] | None:
    """A heading and the paragraph that it is run together with; ``None`` if it begins with none."""
    found = _GLUED.fullmatch(text)
    return (found["heading"], found["rest"]) if found else None


def is_enumerator(text: str) -> bool:
    """Whether a line holds nothing but ``II.``, ``B``, ``3.``, ``aa)``."""
    return _ALONE.fullmatch(text) is not None


def find_levels(headings: Sequence[str]) -> list[int]:
    """The depth of each heading, 1 the outermost, by the kinds of numbers in their order."""
    stack: list[str] = []
    levels = []
    letter = ""  # the last one of a row A, B, C
    for heading in headings:
        kind = _classify(heading, letter)
        if kind == "letter":
            letter = heading[0]
        if kind in stack:
            del stack[stack.index(kind) + 1 :]
        else:
            stack.append(kind)
        levels.append(len(stack))
    return levels


def _classify(heading: str, letter: str) -> str:
    for kind, pattern in _ENUMERATORS:
        if pattern.match(heading):
            return "letter" if kind == "roman" and _follows(heading, letter) else kind
    return "words"


def _follows(heading: str, letter: str) -> bool:
    """Whether ``I.``, ``V.``, ``X.`` go on with a row of letters."""
    single = heading[1:2] in {".", ")", ""}
    return single and letter != "" and ord(heading[0]) == ord(letter) + 1

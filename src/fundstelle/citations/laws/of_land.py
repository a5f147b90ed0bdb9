"""Whose law it is, behind or before its name: "IFG NRW", "des Berliner IFG".

A Land has laws that are called as those of the Bund are. One rule for all that reads the name of
a law, so that a law of a Land is never taken for the one of the Bund.
"""

import re

from fundstelle.citations.drafts import LawReference
from fundstelle.citations.text.tables import read_words
from fundstelle.law.lands import LANDS, SHORT_NAMES

_DOT = r"\.?\s?"


def _join(names: tuple[str, ...] | list[str]) -> str:
    return "|".join(sorted(names, key=len, reverse=True))


def _dotted(short: str) -> str:
    """``Rh-Pf`` as it may be written: "Rh.-Pf.", "Rh. - Pf."."""
    return rf"{_DOT}-\s?".join(map(re.escape, short.split("-")))


SHORT = rf"(?:{_join([_dotted(short) for short in SHORT_NAMES])})"
_NAME = rf"(?:{_join([re.escape(land.name) for land in LANDS])})(?:e?s)?"
STYLE = r"(?:Land(?:es)?|Freistaate?s?|Freien?\s(?:und\s)?Hansestadt)"
_END = r"(?![^\W_])(?!-[^\W\d_])"
_FULL = rf"(?:{STYLE}\s)?{_NAME}"
# A letter's head or a signature: "§ 80 VwGO\nBerlin, den 3. Mai".
_NO_PLACE = r"(?!,?\s(?:den|am)\s\d|,\s\d{1,2}\.\s?(?:\d|[A-Z]))"
_NO_JOURNAL = r"(?!\s(?:19|20)\d\d\s?[,/]\s?\d)"  # "§ 16 BetrAVG BB 2001, 2425"
LAND = rf"(?:\s|-\s?|\s-\s|/){SHORT}{_END}{_NO_JOURNAL}"
"""The short name of a Land behind the name of a law: " NRW", "-SH", " - LSA"."""
# The first letters of each, so that most of what is no Land is passed with one look.
_BEGINS = _join(
    sorted(
        {
            rf"{one[0]}[.\s-]" if one[1] == "-" else one[:2]
            for one in (*SHORT_NAMES, *(land.name for land in LANDS), "Land", "Freistaat")
        }
    )
)
BEHIND = re.compile(
    rf"(?=(?:\s(?:-\s)?|-\s?|/)(?:{_BEGINS})|\s?[(\[<]|\s[fvd])"
    rf"(?:{LAND}"
    rf"|\s?[(\[<](?:(?:für|von|des)\s(?:das\s|den\s)?)?(?:{SHORT}\.?|{_FULL})[)\]>]"
    rf"|\s(?:für|von|des|der)\s(?:(?:das|den|die)\s)?{_FULL}{_END}"
    rf"|(?:\s|-\s?|\s-\s|/){_FULL}{_END}{_NO_PLACE})"
)
"""The Land behind the name of a law, in any way to write it."""

OF_BUND = re.compile(
    r"(?:\s?[(\[](?:des\s)?Bund(?:es)?[)\]]|\sdes\sBundes(?![\w-])|\sBund(?=\s*(?:\Z|[.,;)])))"
)
"""That a law is the one of the Bund, which each is that is held: "VwVfG (Bund)"."""

ENDS = re.compile(rf"(?<!\w)(?:{SHORT}|{_NAME})$")

_DECLINED = _join(
    [
        rf"(?i:{re.escape(one)}){'e[smnr]?' if one.endswith('sch') else ''}"
        for land in LANDS
        for one in land.adjectives
    ]
)
_ADJECTIVE = rf"(?:{_DECLINED}|[Ll]andesrechtliche[smnr]?)\s"
_SHORT_BEFORE = rf"{SHORT}(?:\.\s?|\s|-)"
BEFORE = re.compile(rf"(?<![\w-])(?:{_ADJECTIVE}|{_SHORT_BEFORE})(?=[A-ZÄÖÜ])")
"""The Land before the name of a law: "Hessisches ", "Nds. ", "NRW-"."""
_ENDS_BEFORE = re.compile(rf"(?<![\w-])(?:{_ADJECTIVE}|{_SHORT_BEFORE})$")
_LONGEST = 34
_LAST = frozenset({*"hesmnr", *(short[-1] for short in SHORT_NAMES)})
"""Letters by which they end: most words are none, which is seen with one look."""


_BOUND = re.compile(r"-(?!\s)|\s?[(\[<]")  # as part of the name: "EStG (Saar)", "BEG-Saar"


def is_of_bund(law: LawReference) -> bool:
    """Whether no Land can have a law of that name: the Bund alone has, or the Union."""
    return bool(law.celex) or (law.name or "").partition(" ")[0] in read_words("of_bund")


def match_behind(text: str, law: LawReference, name_end: int) -> re.Match[str] | None:
    """The Land behind a law's name, what repeats it, or its version.

    Behind a law that no Land has it is where something is so: "§ 34 BauGB Hamburg".
    """
    land = None
    for place in {name_end, law.name_end, law.end}:
        land = land or BEHIND.match(text, place)
    is_place = land is not None and is_of_bund(law) and _BOUND.match(land[0]) is None
    return None if is_place else land


def names_land(name: str) -> bool:
    """Whether the name of a law says which Land it is of."""
    behind = any(not name[found.end() :].strip(".") for found in BEHIND.finditer(name))
    return behind or BEFORE.match(name) is not None


def find_before(text: str, low: int, start: int) -> int | None:
    """Where the Land begins that stands right before ``start``; ``None`` if none does."""
    if text[start - 1 : start] not in {" ", "\n", ".", "-"}:
        return None
    if text[max(low, start - 4) : start].rstrip(" \n.-")[-1:] not in _LAST:
        return None
    match = _ENDS_BEFORE.search(text, max(low, start - _LONGEST), start)
    return match.start() if match else None

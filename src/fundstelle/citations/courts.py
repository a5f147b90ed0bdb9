"""Courts as they are named beside a decision."""

import re
from functools import cache
from typing import NamedTuple

from fundstelle.citations.tables import read_table, split_list

_KINDS = {
    "oberlandesgericht": "OLG",
    "landgericht": "LG",
    "amtsgericht": "AG",
    "landesarbeitsgericht": "LAG",
    "arbeitsgericht": "ArbG",
    "landessozialgericht": "LSG",
    "sozialgericht": "SG",
    "oberverwaltungsgericht": "OVG",
    "verwaltungsgerichtshof": "VGH",
    "verwaltungsgericht": "VG",
    "finanzgericht": "FG",
    "verfassungsgerichtshof": "VerfGH",
    "staatsgerichtshof": "StGH",
    "landesverfassungsgericht": "LVerfG",
}
_LONG = "|".join(sorted((f"{word[0].upper()}{word[1:]}" for word in _KINDS), key=len, reverse=True))
_SHORT = "OLG|LG|AG|LAG|ArbG|LSG|SG|OVG|VGH|VG|FG|VerfGH|VerfG|StGH|LVerfG|AnwGH|AGH"
_PLACE = (
    r"(?:Bad\s|Sankt\s|St\.\s)?[A-ZÄÖÜ][a-zäöüß]+(?:-[A-ZÄÖÜ][a-zäöüß]+)*"
    r"(?:\s?/\s?(?:Main|Oder|Saale)|\sam\sMain|\sa\.\s?M\.|\s\((?:Oder|Saale|Main|Westf\.)\)"
    r"|\s(?:I|II)(?![\w]))?|NRW|NW|BW|BaWü|SH|RP|MV|LSA|Nds|BB"
)
_LANDS = (
    "Hessische Niedersächsische Sächsische Thüringer Schleswig-Holsteinische Bayerische"
    " Hamburgische Brandenburgische Saarländische"
).replace(" ", "|")


class Court(NamedTuple):
    """A court named at a place."""

    name: str
    start: int
    end: int


def find_last_court(text: str, start: int, end: int) -> Court | None:
    """The court named last in ``text[start:end]``."""
    found = None
    for match in _pattern().finditer(text, start, end):
        found = match
    return None if found is None else Court(_canonicalise(found), found.start(), found.end())


def find_by_ecli(code: str) -> str | None:
    """The short name for the court code of an ECLI."""
    return _map_codes().get(code.upper())


def _canonicalise(match: re.Match[str]) -> str:
    if match["federal"]:
        return _map_names()[_fold(match["federal"])]
    kind = match["kind"] or _KINDS[match["long"].casefold()]
    if match["land"]:
        name = f"{match['land']}s {kind}" if match["land"] != "Thüringer" else f"Thüringer {kind}"
        return _map_names().get(_fold(name)) or _map_names().get(
            _fold(name.replace("s ", "r ", 1)), name
        )
    name = f"{kind} {' '.join(match['place'].split())}"
    return _map_names().get(_fold(name), name)


def _fold(name: str) -> str:
    return re.sub(r"[\s.]+", "", name).casefold()


@cache
def _map_names() -> dict[str, str]:
    names: dict[str, str] = {}
    for short, others, _code, _source in read_table("courts"):
        for name in (short, *split_list(others)):
            names[_fold(name)] = short
    return names


@cache
def _map_codes() -> dict[str, str]:
    return {row[2]: row[0] for row in read_table("courts") if row[2]}


@cache
def _pattern() -> re.Pattern[str]:
    federal = [
        name
        for short, others, _code, _source in read_table("courts")
        for name in (short, *split_list(others))
        if " " not in name or not name.split()[0].isupper()
    ]
    federal = [name for name in federal if name.split()[0] not in _SHORT.split("|")]
    federal.sort(key=len, reverse=True)
    names = "|".join(rf"{re.escape(name)}" for name in federal)
    return re.compile(
        rf"(?<![\w-])(?:(?P<federal>(?:{names})|(?i:bgh|bag|bfh|bsg|bverfg|bverwg|eugh|bpatg))(?:e?s|en)?"
        rf"(?![^\W_])"
        rf"|(?:(?P<land>{_LANDS})[nrs]?\s)?(?:(?P<kind>{_SHORT})|(?P<long>{_LONG})(?:e?s)?)"
        rf"(?(land)(?![^\W_])|\s(?:für\s(?:das\sLand\s)?|des\sLandes\s)?(?P<place>{_PLACE})(?![^\W_])))"
    )

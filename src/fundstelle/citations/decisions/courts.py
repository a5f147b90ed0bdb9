"""Courts as they are named beside a decision."""

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from fundstelle.citations.text.tables import read_table, split_list

_KINDS = {
    "Oberlandesgericht": "OLG",
    "Landgericht": "LG",
    "Amtsgericht": "AG",
    "Landesarbeitsgericht": "LAG",
    "Arbeitsgericht": "ArbG",
    "Landessozialgericht": "LSG",
    "Sozialgericht": "SG",
    "Oberverwaltungsgericht": "OVG",
    "Verwaltungsgerichtshof": "VGH",
    "Verwaltungsgericht": "VG",
    "Finanzgericht": "FG",
    "Verfassungsgerichtshof": "VerfGH",
    "Verfassungsgericht": "VerfG",
    "Staatsgerichtshof": "StGH",
    "Landesverfassungsgericht": "LVerfG",
    "Anwaltsgerichtshof": "AGH",
}
_SHORT = "OLG|LG|AG|LAG|ArbG|LSG|SG|OVG|VGH|VG|FG|VerfGH|VerfG|StGH|LVerfG|AnwGH|AGH"
# The adjective or the prefix of a Land, and the place its courts are listed under.
_ADJECTIVES = {
    "Hessisch|Hess": "Hessen",
    "Niedersächsisch|Nds": "Niedersachsen",
    "Sächsisch|Sächs": "Sachsen",
    "Thüringer|Thür": "Thüringen",
    "Schleswig-Holsteinisch|Schl-Holst|SchlH": "Schleswig-Holstein",
    "Bayerisch|Bay": "Bayern",
    "Hamburgisch|Hanseatisch|Hamb|Hmb|Hans": "Hamburg",
    "Brandenburgisch|Bbg": "Brandenburg",
    "Saarländisch|Saarl": "Saarland",
    "Pfälzisch": "Zweibrücken",
    "Bremisch": "Bremen",
}
_PLACE = (
    r"(?:(?:Bad|Sankt|St\.|Bergisch|Königs|Schwäbisch|Groß|Hann\.|Markt)\s)?"
    r"[A-ZÄÖÜ][a-zäöüß]+(?:-[A-ZÄÖÜ][a-zäöüß]+)*"
    r"(?:\s?/\s?(?:Main|M\.|Oder|O\.|Saale|Weinstraße|Wstr\.)"
    r"|\s(?:am|im|an\sder|in\sder|ob\sder|v\.\s?d\.|vor\sder|a\.\s?d\.|i\.\s?d\.|a\.|i\.)\s?"
    r"(?:Main|M\.|Oder|O\.|Havel|Weinstraße|Weinstr\.|W\.|Ruhr|Lahn|Breisgau|Br\.|Tauber|Pfalz|Donau|Inn"
    r"|Neckar|Rhein|Saale|Aller|Harz|Ilm|Höhe|H\.|Lech|Rübenberge|Oberpfalz|OPf\.|Allgäu|Taunus|Elbe)"
    r"|\s\((?:Oder|Saale|Main|Westf\.|Westfalen|Allgäu|Pfalz|Aller|Ems|Jagst|Breisgau|Deister"
    r"|Brandenburg)\)"
    r"|\s(?:II|I)(?![\w]))?|NRW|NW|BW|BaWü|SH|RP|RLP|MV|M-V|LSA|Nds|BB"
)
_OF_LAND = (
    r"(?:für\sdas\sLand\s|des\sLandes\s|für\sdas\s|de[rs]\s(?:Freien(?:\sund)?\s(?:Hanse)?[Ss]tadt\s)?"
    r"|in\s)?"
)
_MAIN = re.compile(r"(?<=Frankfurt)(?:\s(?:am|a\.)\s?M(?:ain|\.)|\s?/\s?M(?:ain|\.)|\s\(Main\))$")


class Court(NamedTuple):
    """A court named at a place."""

    name: str
    start: int
    end: int


def find_last_court(text: str, start: int, end: int, *, loose: bool = False) -> Court | None:
    """The court named last in ``text[start:end]``; ``loose`` reads it in any letters."""
    found = None
    for match in _pattern(loose=loose).finditer(text, start, end):
        found = match
    return None if found is None else Court(_canonicalise(found), found.start(), found.end())


def find_by_ecli(code: str) -> str | None:
    """The short name for the court code of an ECLI.

    Codes that are in no table are built from the kind and the first letters of the place
    (``VGSTUTT``).
    """
    code = code.upper()
    return _map_codes().get(code) or _map_built_codes().get(code)


def _canonicalise(found: re.Match[str]) -> str:
    names = _map_names()
    if found["listed"]:
        return names[_fold(found["listed"])]
    written = found["kind"]
    kind = _map_kinds()[written.casefold()] if written else ""
    if found["land"]:
        land = _map_adjectives()[_fold(found["land"]).replace("-", "")]
        name = f"{kind} {land}"
        return names.get(_fold(name), name)
    place = " ".join(found["place"].split())
    if place.islower() or place.isupper():
        place = place.title() if len(place) > len("NRW") else place.upper()
    name = f"{kind} {_MAIN.sub('', place)}"
    base = name[:-2] if name.endswith("landes") else name
    return names.get(_fold(name)) or names.get(_fold(base), base)


def _fold(name: str) -> str:
    return re.sub(r"[\s.]+", "", name).casefold()


@cache
def _map_names() -> dict[str, str]:
    """Every name by its folded form, with adjectives in each case ending."""
    names: dict[str, str] = {}
    for short, others, _code, _seat, _source in read_table("courts"):
        for name in (short, *split_list(others)):
            names[_fold(name)] = short
            stem, mark, rest = name.partition("sches ")
            if mark:
                for ending in "nrm":
                    names[_fold(f"{stem}sche{ending} {rest}")] = short
    return names


@cache
def _map_kinds() -> dict[str, str]:
    kinds = {short.casefold(): short for short in _SHORT.split("|")} | {"anwgh": "AGH"}
    for long, short in _KINDS.items():
        for ending in ("", "s", "es"):
            kinds[(long + ending).casefold()] = short
    return kinds


@cache
def _map_adjectives() -> dict[str, str]:
    lands: dict[str, str] = {}
    for words, land in _ADJECTIVES.items():
        for word in words.split("|"):
            for ending in ("", "e", "es", "er", "en", "em", "s", "n"):
                lands[_fold(word + ending).replace("-", "")] = land
    return lands


@cache
def _map_codes() -> dict[str, str]:
    return {row[2]: row[0] for row in read_table("courts") if row[2]}


@cache
def _map_built_codes() -> dict[str, str]:
    """``VGSTUTT``, ``LGFREIB``: four to seven letters of the place, where only one court fits.

    The courts of Nordrhein-Westfalen bear the letters of the number plates: ``ARBGK``, ``SGAC``.
    """
    codes: dict[str, str | None] = {}
    plates: dict[str, str] = {}
    umlauts = str.maketrans({"Ä": "AE", "Ö": "OE", "Ü": "UE", "ß": "SS", "-": None, " ": None})
    for short, _others, code, _seat, _source in read_table("courts"):
        kind, _, place = short.partition(" ")
        if not place:
            continue
        letters = re.sub(r"[^A-Z]", "", place.upper().translate(umlauts))
        for length in range(4, min(len(letters), 8) + 1):
            built = f"{kind.upper()}{letters[:length]}"
            codes[built] = short if codes.get(built, short) == short else None
        if kind == "LG" and code in {f"LG{plate}" for plate in _PLATES}:
            plates[code[2:]] = place
    for plate, place in plates.items():
        for kind in ("AG", "ArbG", "SG"):
            codes.setdefault(f"{kind.upper()}{plate}", f"{kind} {place}")
    return {code: name for code, name in codes.items() if name is not None}


_PLATES = [
    "AC",
    "AR",
    "BI",
    "BO",
    "BN",
    "DT",
    "DO",
    "DU",
    "D",
    "E",
    "HA",
    "KLE",
    "K",
    "KR",
    "MG",
    "MS",
    "PB",
    "SI",
    "W",
]


@cache
def _pattern(*, loose: bool) -> re.Pattern[str]:
    listed = sorted(
        (
            name
            for short, others, _code, _seat, _source in read_table("courts")
            for name in (short, *split_list(others))
            if not _is_built(name)
        ),
        key=len,
        reverse=True,
    )
    federal = r"(?i:bgh|bag|bfh|bsg|bverfg|bverwg|eugh|bpatg)"
    names = _join_by_letter(
        re.escape(n).replace("sches", "sche[snrm]").replace(r"\ ", r"\s") for n in listed
    )
    kind = _join_by_letter(sorted((*_KINDS, *_SHORT.split("|")), key=len, reverse=True))
    lands = _join_by_letter(
        sorted((w for words in _ADJECTIVES for w in words.split("|")), key=len, reverse=True)
    )
    return re.compile(
        rf"(?<![\w-])(?:(?P<listed>{names}|{federal})(?:e?s|en)?(?![^\W_])"
        rf"|(?:(?P<land>{lands})(?:e?[nrsm])?[.\s]*)?(?P<kind>{kind})(?:e?s|en|e)?"
        rf"(?(land)(?![^\W_])|\s{_OF_LAND}(?P<place>{_PLACE})(?![^\W_])))",
        re.IGNORECASE if loose else 0,
    )


def _join_by_letter(patterns: Iterable[str]) -> str:
    """The alternatives in their order, those of one first letter together: one look for each."""
    groups: dict[str, list[str]] = {}
    for pattern in patterns:
        groups.setdefault(pattern[0], []).append(pattern[1:])
    return "|".join(f"{letter}(?:{'|'.join(rest)})" for letter, rest in groups.items())


def _is_built(name: str) -> bool:
    """Whether the name is a kind and a place, which the pattern reads by itself."""
    kind, _, place = name.partition(" ")
    return kind in _SHORT.split("|") and re.fullmatch(_PLACE, place) is not None

"""Aktenzeichen: their shape tells the court where the Registerzeichen belongs to one court only."""

import re
from functools import cache
from typing import NamedTuple

from fundstelle.citations.numerals import read_roman
from fundstelle.citations.tables import read_table

# The running number and the year; what stands before them is read backwards from here.
CORE = re.compile(r"(?<![\w/.,])(\d{1,6}(?:-\d{1,6})?)([/.])(\d{4}|\d{2,3})(?![\d/]|\.\d)")
_CHAMBER = r"(?:(?P<senate>[IVX]{1,5}[a-z]?|\d{1,3}[a-z]?(?:/\d{1,2})?)\.?\s)"
_SOCIAL_AREAS = "AL|AS|AY|BA|BL|EG|KA|KG|KR|KS|KN|LW|P|R|RE|RA|RJ|SB|SF|SO|U|VE|VG|VH|VJ|VS|V|GS"
_INSTANCE = (
    "U|W|UF|WF|Ws|Ss|RVs|VA|Kart|VAs|O|S|T|HKO|HK O|KfH O|OH|OK|C|F|M|Ds|Ls|Cs|OWi|OWiG|KLs|Kls"
    "|Ks|Js|Ns|Qs|StVK|Sa|Ta|TaBV|SaGa|TaBVGa|Ca|BV|Ga|BVGa|K|L|A|B|N|D|E|ZB|NE|NC|KO|V|EK|IN|IE|IK|AR|AE|AS"
    "|AktG|Sch|SchH|Verg|REV|Rev|Wx|UKl|MK|R|LA|LB|LC|ME|MN|MB|OA|Bf|Bs|KN|MR|SN|BS|PKH|DB|DK|WLw"
    "|C|P|AV|VR|VE"
)
_SUFFIX_SOCIAL = re.compile(
    r"\s(?:B\s(?:ER|PKH|RG)|ER|KL|BH|RH|R|B|S|C|D|P|E|L|F|K|PKH|WA|ZV)(?![\w/])"
)
_SUFFIX_COURT = re.compile(r"\.[A-Z]{1,2}(?![\w])|(?:\s\((?:PKH|EP|AdV|EU)\))")
_SUFFIX_TAX = re.compile(
    r"\s(?:[A-Z]|AO|Kg|EW|Kfz|GE|Erb|BB|Ki|AdV|Z|H)(?:,[A-Z])*(?=\s*(?:[,;.()=-]|$|juris|EFG))"
)
_SUFFIX_EU = re.compile(r"\s?-?\s?(?:PPU|RENV|RX|DEP|REC|SA|AJ|OP|P(?:\(R\))?|R(?!\w))(?![\w/.])")


class Docket(NamedTuple):
    """An Aktenzeichen in its official spelling and the court it fixes, if any."""

    text: str
    start: int
    end: int
    court: str | None
    kind: str = ""  # "eu", "social", "dotted", "plain" or ""


def read_docket(text: str, core: re.Match[str], floor: int) -> Docket | None:
    """The Aktenzeichen whose number and year are ``core``; ``None`` if nothing before fits."""
    before = text[max(floor, core.start() - 34) : core.start()]
    for read in (_read_eu, _read_social, _read_fixed, _read_common):
        docket = read(text, before, core)
        if docket is not None:
            return docket
    return None


def shorten_year(year: str) -> str:
    """Dockets carry two digits: ``175/2022`` is ``175/22``."""
    return year[2:] if len(year) == len("2022") and year[:2] in {"19", "20"} else year


_EU = re.compile(
    r"(?<![\w-])(?:(?P<court>[CTF])\s?-\s?|(?<!\d\s)(?P<spaced>[CTF])\s?)$", re.IGNORECASE
)
_SOCIAL = re.compile(
    rf"(?<!\w)(?P<court>B|L|S)\s(?P<senate>\d{{1,3}}[a-z]?)\s(?P<area>{_SOCIAL_AREAS})\s$",
    re.IGNORECASE,
)


def _read_eu(text: str, before: str, core: re.Match[str]) -> Docket | None:
    match = _EU.search(before)
    if match is None or core[2] != "/" or len(core[3]) == len("177"):
        return None
    suffix = _SUFFIX_EU.match(text, core.end())
    letter = (match["court"] or match["spaced"]).upper()
    number = f"{letter}-{core[1]}/{shorten_year(core[3])}"
    end = core.end()
    if suffix is not None:
        number, end = f"{number} {suffix[0].strip(' -')}", suffix.end()
    court = {"C": "EuGH", "T": "EuG", "F": "EuGöD"}[letter]
    start = core.start() - len(before) + match.start()
    return Docket(number, start, end, court, "eu")


def _read_social(text: str, before: str, core: re.Match[str]) -> Docket | None:
    match = _SOCIAL.search(before)
    if match is None or core[2] != "/":
        return None
    suffix = _SUFFIX_SOCIAL.match(text, core.end())
    letter = match["court"].upper()
    number = f"{letter} {match['senate']} {match['area'].upper()} {core[1]}/{shorten_year(core[3])}"
    end = core.end()
    if suffix is not None:
        number, end = number + suffix[0].upper(), suffix.end()
    elif letter == "B":
        return None
    start = core.start() - len(before) + match.start()
    return Docket(number, start, end, "BSG" if letter == "B" else None, "social")


def _read_fixed(text: str, before: str, core: re.Match[str]) -> Docket | None:
    match = _fixed().search(before)
    if match is None:
        return None
    sign, court, senates = _map_registers()[_fold(match["sign"])]
    senate = match["senate"]
    if not _fits(senate, senates):
        return None
    separator = "." if court == "BVerwG" else "/"
    if core[2] == "." and court != "BVerwG":
        return None
    number = f"{core[1]}{separator}{shorten_year(core[3])}"
    parts = [senate.upper() if senates == "roman" else senate, sign] if senate else [sign]
    if senate and senates == "roman":
        parts[0] = re.sub(r"[^IVX]", lambda m: m[0].lower(), senate.upper())
    suffix = _SUFFIX_COURT.match(text, core.end()) if court in {"BPatG", "BGH"} else None
    end = suffix.end() if suffix else core.end()
    written = " ".join([*parts, number]) + (suffix[0] if suffix else "")
    start = core.start() - len(before) + (match.start("senate") if senate else match.start("sign"))
    return Docket(written, start, end, court)


_COMMON = re.compile(
    rf"(?<![\w.,/-])(?:(?P<front>[A-Z]|\([\dIVX]+\))\s)?{_CHAMBER}(?P<sign>{_INSTANCE})\s*$"
)


def _read_common(text: str, before: str, core: re.Match[str]) -> Docket | None:
    """Signs that many courts share; the shape tells the BFH and the BVerwG."""
    match = _COMMON.search(before)
    if match is None:
        return None
    senate, sign = match["senate"], match["sign"]
    roman = senate[0] in "IVX"
    if roman and (
        sign not in {"R", "B", "S", "K", "E", "C"} or read_roman(senate.rstrip("abc")) is None
    ):
        return None
    dotted = core[2] == "."
    kind = "dotted" if dotted and len(core[3]) == len("15") else "plain"
    court = "BFH" if roman and not dotted else None
    if kind == "dotted" and sign in {"C", "B", "A", "P", "AV", "VR", "PKH", "KSt", "D", "F"}:
        court = "BVerwG"
    if dotted and court is None and len(core[3]) == len("15"):
        court = None
    number = f"{core[1]}{core[2]}{core[3] if dotted else shorten_year(core[3])}"
    front = f"{match['front']} " if match["front"] else ""
    end, suffix = core.end(), None
    suffix = _SUFFIX_COURT.match(text, end) or (
        _SUFFIX_TAX.match(text, end) if sign in {"K", "V", "KO"} else None
    )
    if suffix is not None and not (dotted and suffix[0].startswith(".")):
        number, end = number + suffix[0], suffix.end()
    start = core.start() - len(before) + match.start()
    return Docket(f"{front}{senate} {sign} {number}", start, end, court, kind)


def _fits(senate: str | None, senates: str) -> bool:
    if senates == "none":
        return True
    if not senate:
        return False
    if senates == "roman":
        return read_roman(senate.rstrip("abcdeABCDE")) is not None
    return senate[0].isdigit()


def _fold(sign: str) -> str:
    return "".join(sign.split()).casefold()


@cache
def _map_registers() -> dict[str, tuple[str, str, str]]:
    return {_fold(row[0]): (row[0], row[1], row[2]) for row in read_table("registers")}


@cache
def _fixed() -> re.Pattern[str]:
    signs = sorted((row[0] for row in read_table("registers")), key=len, reverse=True)
    pattern = "|".join(re.escape(sign).replace(r"\ ", r"\s?") for sign in signs)
    return re.compile(rf"(?<!\w){_CHAMBER}?(?P<sign>{pattern})\s?$", re.IGNORECASE)

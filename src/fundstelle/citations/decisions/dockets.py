"""Aktenzeichen: their shape tells the court where the Registerzeichen belongs to one court only."""

import re
from functools import cache
from typing import NamedTuple

from fundstelle.citations.decisions.signs import (
    BFH_SIGNS,
    SIGN,
    SOCIAL_AREAS,
    SUFFIX_DISCIPLINE,
    SUFFIX_EU,
    SUFFIX_FEDERAL,
    SUFFIX_SOCIAL,
    find_suffix,
    fold_sign,
    map_registers,
    spell_sign,
)
from fundstelle.citations.text.numerals import read_roman
from fundstelle.citations.text.tables import read_table
from fundstelle.law.courts import EU_COURT_OF

# The running number and the year; what stands before them is read backwards from here. In Bavaria
# the year stands first: 13.30154.
CORE = re.compile(
    r"([0-9](?<![\w/.][0-9])(?<!\d,\d)\d{0,5}(?:-\d{1,6}|\s?[a-fö](?=/))?)(\s?/\s?(?=\d\d)|[/.])(\d{4,5}|\d{1,3})(?![\d/]|\.\d)"
)
_BEFORE = 40
_TYPED = 200  # characters; no court writes "7 c 26.16", people do
_CHAMBER = (
    r"(?:(?P<senate>[IVX]{1,5}[a-z]?(?=[\s.-]|ZR|ZB)|\d{1,3}[a-z]?(?:/\d{1,2}[a-z]?)?)\.?[\s-]?)"
)


class Docket(NamedTuple):
    """An Aktenzeichen in its official spelling and the court it fixes, if any."""

    text: str
    start: int
    end: int
    court: str | None
    kind: str = ""  # "eu", "social", "dotted", "plain", "named" or ""
    others: tuple[str, ...] = ()  # numbers before this one that share its register and year


def read_docket(text: str, core: re.Match[str], floor: int) -> Docket | None:
    """The Aktenzeichen whose number and year are ``core``; ``None`` if nothing before fits."""
    before = text[max(floor, core.start() - _BEFORE) : core.start()]
    last = before.rstrip()[-1:]
    if not (last.isalpha() or last in _SIGN_ENDS):
        return None
    for read in (_read_eu, _read_social, _read_fixed, _read_common):
        docket = read(text, before, core)
        if docket is not None:
            return docket
    return None


_SIGN_ENDS = frozenset(")-")
_YEARS = frozenset({len("22"), len("2022")})


def shorten_year(year: str) -> str:
    """Dockets carry two digits: ``175/2022`` is ``175/22``."""
    return year[2:] if len(year) == len("2022") and year[:2] in {"19", "20"} else year


# "13 F 11/08" and "13a F 11/08" have a chamber before the letter: no case of the Union.
_EU = re.compile(
    r"(?<![\w-])(?:(?P<court>[CTF])\s?-\s?|(?<!\d\s)(?<!\d[a-z]\s)(?P<spaced>[CTF])\s?)$",
    re.IGNORECASE,
)
_SOCIAL = re.compile(
    r"(?<!\w)(?P<court>B|L|S)\s?(?P<senate>\d{1,3}[a-z]?(?:/\d{1,2}\s?[a-z]?)?)"
    rf"\s(?P<area>{SOCIAL_AREAS})\s$",
    re.IGNORECASE,
)


def _read_eu(text: str, before: str, core: re.Match[str]) -> Docket | None:
    match = _EU.search(before)
    if match is None or core[2].strip() != "/" or len(core[3]) not in _YEARS:
        return None
    suffix = SUFFIX_EU.match(text, core.end())
    letter = (match["court"] or match["spaced"]).upper()
    number = f"{letter}-{core[1]}/{shorten_year(core[3])}"
    end = core.end()
    if suffix is not None:
        number, end = f"{number} {suffix[0].strip(' -')}", suffix.end()
    court = EU_COURT_OF[letter]
    start = core.start() - len(before) + match.start()
    return Docket(number, start, end, court, "eu")


def _read_social(text: str, before: str, core: re.Match[str]) -> Docket | None:
    match = _SOCIAL.search(before)
    if match is None or core[2].strip() != "/" or len(core[3]) not in _YEARS:
        return None
    suffix = SUFFIX_SOCIAL.match(text, core.end())
    letter = match["court"].upper()
    number = f"{letter} {match['senate']} {match['area'].upper()} {core[1]}/{shorten_year(core[3])}"
    end = core.end()
    if suffix is not None:
        number, end = number + suffix[0].upper(), suffix.end()
    elif letter == "B" and len(match["area"]) == 1:
        return None
    start = core.start() - len(before) + match.start()
    return Docket(number, start, end, "BSG" if letter == "B" else None, "social")


def _read_fixed(text: str, before: str, core: re.Match[str]) -> Docket | None:
    match = _fixed().search(before) if before.rstrip()[-2:].casefold() in _fixed_ends() else None
    if match is None:
        return None
    sign, court, senates = map_registers()[fold_sign(match["sign"])]
    senate = match["senate"] if senates != "none" else None
    if senates == "none" and match["senate"] and court == "BGH":
        return None  # 1 AK 4/16 is no case of the BGH
    if not _fits(senate, senates) or len(core[3]) not in _YEARS:
        return None
    separator = "." if court == "BVerwG" else "/"
    if core[2] == "." and court != "BVerwG":
        return None
    number = f"{core[1]}{separator}{shorten_year(core[3])}"
    front = f"{_spell_senate(senate, senates)} " if senate else ""
    found = SUFFIX_DISCIPLINE if court == "BVerwG" else SUFFIX_FEDERAL
    suffix = found.match(text, core.end())
    end = suffix.end() if suffix else core.end()
    written = f"{front}{sign} {number}{suffix[0] if suffix else ''}"
    start = core.start() - len(before) + (match.start("senate") if senate else match.start("sign"))
    return Docket(written, start, end, court)


def _spell_senate(senate: str, senates: str) -> str:
    """Roman senates in capitals, their letter small: ``VIa``."""
    if senates != "roman":
        return senate
    return re.sub(r"[^IVX]", lambda letter: letter[0].lower(), senate.upper())


_FRONT = r"(?:(?:[A-Z]|AN|Au|RN|RO|DL|PL|DB|PB|NC|\([\dIVX]+\))\s)"
_COMMON = (
    rf"(?<![\w./])(?<![\w)]-)(?<!\d,)(?P<front>{_FRONT})?"
    r"(?:(?P<senate>[IVX]{1,5}[a-z]?(?=[\s.])|(?:[IVX]{1,4}-)?\d{1,3}[a-z]?(?:[/-]\d{1,2}[a-z]?)?)\.?\s?"
    r"|(?P<class>[IVX]{1,4}-(?=Kart|Verg|VA)|(?=(?:Verg|Kart|Ws|RDG|Ss)\s)))"
    rf"(?P<sign>{SIGN})\s*$"
)
_STRICT = re.compile(_COMMON)
_LOOSE = re.compile(_COMMON, re.IGNORECASE)
_BVERWG_SIGNS = frozenset(
    [
        "C",
        "B",
        "A",
        "P",
        "AV",
        "VR",
        "PKH",
        "KSt",
        "D",
        "F",
        "PB",
        "CN",
        "BN",
        "CB",
        "NB",
        "WA",
        "ER",
    ]
)


def _read_common(text: str, before: str, core: re.Match[str]) -> Docket | None:
    """Signs that many courts share; the shape tells the BFH and the BVerwG."""
    match = _STRICT.search(before)
    if match is None and len(text) < _TYPED and text.islower():
        match = _LOOSE.search(before)
    if match is None:
        return None
    senate, sign = match["senate"] or "", spell_sign(match["sign"])
    roman = senate[:1].upper() in {"I", "V", "X"} and "-" not in senate
    if roman and (sign not in BFH_SIGNS or read_roman(senate.rstrip("abc").upper()) is None):
        return None
    dotted = core[2] == "."
    if not dotted and len(core[3]) not in _YEARS:
        return None
    if len(core[3]) == 1 and not match["front"]:
        return None
    kind = "dotted" if dotted and len(core[3]) == len("15") else "plain"
    court = "BFH" if roman and not dotted else None
    if kind == "dotted" and sign in _BVERWG_SIGNS and not match["front"]:
        court = "BVerwG"
    number = f"{core[1]}{core[2].strip()}{core[3] if dotted else shorten_year(core[3])}"
    suffix = find_suffix(text, core.end(), sign, court)
    end = suffix.end() if suffix else core.end()
    front = (match["front"] or "").upper() if match.re is _LOOSE else match["front"] or ""
    head = f"{senate.upper() if roman else senate} " if senate else match["class"]
    written = f"{front}{head}{sign} {number}{suffix[0] if suffix else ''}"
    return Docket(written, core.start() - len(before) + match.start(), end, court, kind)


def _fits(senate: str | None, senates: str) -> bool:
    if senates == "none":
        return True
    if not senate:
        return False
    if senates == "roman":
        return read_roman(senate.rstrip("abcdeABCDE").upper()) is not None
    return senate[0].isdigit()


@cache
def _fixed_ends() -> frozenset[str]:
    """The last two letters of each sign that belongs to one court; cheap to ask for."""
    signs = {row[0].casefold() for row in read_table("registers")}
    glued = {sign.replace(" ", "").replace("-", "") for sign in signs}
    return frozenset(sign[-2:] for sign in signs | glued)


@cache
def _fixed() -> re.Pattern[str]:
    signs = sorted((row[0] for row in read_table("registers")), key=len, reverse=True)
    pattern = "|".join(
        re.escape(sign).replace(r"\ ", r"\s?").replace(r"\-", r"[\s-]") for sign in signs
    )
    return re.compile(rf"(?<!\w){_CHAMBER}?(?P<sign>{pattern})\s?$", re.IGNORECASE)

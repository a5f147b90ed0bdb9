"""ECLI: what a European Case Law Identifier says of court, day and Aktenzeichen.

Source: Council conclusions 2011/C 127/01; ordinals as the German courts build them.
"""

import re
from collections.abc import Iterator
from datetime import date

from fundstelle.citations.decisions.courts import find_by_ecli
from fundstelle.citations.decisions.dockets import CORE, read_docket
from fundstelle.citations.decisions.signs import is_roman_sign, split_glued
from fundstelle.law.citations import DecisionCitation
from fundstelle.law.courts import EU_COURT_OF

ECLI = re.compile(
    r"ECLI\s?:\s?(?P<country>[A-Z]{2}):(?P<court>[A-Z0-9]{1,10}):(?P<year>\d{4}):(?P<ordinal>[\w.]{1,30})"
    r"|(?<![:\w])EU:\s?(?P<eu>[CTF]):\s?(?P<eu_year>\d{4}):\s?(?P<eu_number>\d{1,5})",
    re.IGNORECASE,
)
# Before the first colon stands ECLI or EU; the colon is the mark to look for.
_COLON = re.compile(r":(?:(?<=[Ii]:)|(?<=[Ii]\s:)|(?<=[Uu]:))")
_DAY_FIRST = re.compile(
    r"(?P<day>\d{2})(?P<month>\d{2})(?P<year>\d{2})\.?(?P<type>[UBVSG]|GB)\.?(?P<docket>.+?)"
    r"(?:\.?\d[A-Z]?)?",
    re.IGNORECASE,
)
_TYPE_FIRST = re.compile(
    r"(?P<type>[UBVSG]|GB|BA|VE)\.(?P<day>\d{2})(?P<month>\d{2})(?P<year>\d{2})\.(?P<docket>.+?)"
    r"(?:\.\d+)?",
    re.IGNORECASE,
)
_SOCIAL = re.compile(
    r"B?(?P<senate>\d{1,2})(?P<area>[A-ZÜ]{1,3}?)(?P<number>\d+?)(?P<year>\d\d)"
    r"(?P<kind>BH|KL|RH|R|B|S|C|D)\d*",
    re.IGNORECASE,
)
_CONSTITUTIONAL = re.compile(
    r"[a-z]{2}(?P<on>\d{8})[a-z]?\.(?P<senate>\d?)(?P<sign>[a-z]+)(?P<number>\d{4})(?P<year>\d\d)",
    re.IGNORECASE,
)
_LAND = re.compile(
    r"(?P<month>\d{2})(?P<day>\d{2})\.(?P<docket>.+?)(?:\.\d[\dA-Z])?", re.IGNORECASE
)


_WITH_KIND = frozenset({"BFH", "BGH", "BVERWG", "BPATG", "BAG", "BSG", "GMSOGB"})


def find_identifiers(text: str) -> Iterator[re.Match[str]]:
    """All ECLI of ``text`` from left to right."""
    floor = 0
    for colon in _COLON.finditer(text):
        for length in _LEADS:
            start = colon.start() - length
            match = ECLI.match(text, start) if start >= floor else None
            if match is not None:
                yield match
                floor = match.end()
                break


_LEADS = (len("ECLI "), len("ECLI"), len("EU"))


def decode(match: re.Match[str]) -> DecisionCitation:
    """The decision an ECLI names; parts that cannot be read stay empty."""
    if match["eu"]:
        letter = match["eu"].upper()
        written = f"ECLI:EU:{letter}:{match['eu_year']}:{match['eu_number']}"
        return DecisionCitation(EU_COURT_OF[letter], None, None, written)
    court_code, ordinal = match["court"].upper(), match["ordinal"].rstrip(".")
    written = f"ECLI:{match['country'].upper()}:{match['court']}:{match['year']}:{ordinal}"
    if match["country"].upper() == "EU":
        return DecisionCitation(EU_COURT_OF.get(court_code), None, None, written.upper())
    court = find_by_ecli(court_code)
    on, docket = _decode_ordinal(court_code, court, match["year"], ordinal)
    return DecisionCitation(court, docket, on, written)


def _decode_ordinal(
    code: str, court: str | None, year: str, ordinal: str
) -> tuple[str | None, str | None]:
    if code == "BVERFG":
        return _decode_constitutional(ordinal)
    if code == "BFH":
        match = _TYPE_FIRST.fullmatch(ordinal)
    elif code in _WITH_KIND:
        match = _DAY_FIRST.fullmatch(ordinal)
    else:
        match = _LAND.fullmatch(ordinal)
    if match is None:
        return None, None
    on = _read_day(int(year), match["month"], match["day"])
    if code == "BSG":
        return on, _decode_social(match["docket"])
    return on, _decode_docket(match["docket"], court)


def read_kind(ecli: str) -> str | None:
    """The letter for the kind of a decision of a federal court: U is Urteil, B is Beschluss."""
    match = ECLI.fullmatch(ecli)
    code = (match["court"] or "").upper() if match else ""
    if match is None or code not in _WITH_KIND:
        return None
    pattern = _TYPE_FIRST if code == "BFH" else _DAY_FIRST
    ordinal = pattern.fullmatch(match["ordinal"].rstrip("."))
    return ordinal["type"].upper() if ordinal else None


def _decode_constitutional(ordinal: str) -> tuple[str | None, str | None]:
    match = _CONSTITUTIONAL.fullmatch(ordinal)
    if match is None:
        return None, None
    on = match["on"]
    sign = match["sign"]
    written = f"{sign[:1].upper()}{sign[1:-1].lower()}{sign[-1:].upper()}"
    if sign.casefold() == "vz":
        written = "Vz"
    number = f"{written} {int(match['number'])}/{match['year']}"
    docket = f"{match['senate']} {number}" if match["senate"] else number
    return _read_day(int(on[:4]), on[4:6], on[6:]), docket


def _decode_social(docket: str) -> str | None:
    match = _SOCIAL.fullmatch(docket)
    if match is None:
        return None
    area = match["area"].upper().replace("UEG", "ÜG")
    return f"B {match['senate']} {area} {match['number']}/{match['year']} {match['kind'].upper()}"


_GLUED = re.compile(
    r"(?P<head>.*?[A-Za-z()-])\.?(?P<number>\d+)\.(?P<year>\d\d)\.?(?P<suffix>[A-Z]{0,3}\d?)",
    re.IGNORECASE,
)
_LAND_SOCIAL = re.compile(r"(?P<court>[LS])(?P<senate>\d{1,3})(?P<area>[A-ZÜ]{1,3})", re.IGNORECASE)
_HEAD = re.compile(r"(?P<senate>\d+[a-z]?)?(?P<letters>[A-Za-z.-]+)")
_ROMAN = re.compile(r"X{0,3}(?:IX|IV|V?I{0,3})[A-C]?", re.IGNORECASE)
_NAMED = re.compile(r"^(?:OVG|VGH|VG)(?=\d)", re.IGNORECASE)


def _decode_docket(glued: str, court: str | None) -> str | None:
    """``VIZR175.22`` -> ``VI ZR 175/22``."""
    match = _GLUED.fullmatch(_NAMED.sub("", glued))
    if match is None:
        return None
    kind = (court or "").split(" ")[0]
    suffix = _spell_suffix(match["suffix"].rstrip("0123456789"), court, kind)
    number = f"{match['number']}/{match['year']}{suffix}"
    social = _LAND_SOCIAL.fullmatch(match["head"])
    if social is not None and kind in {"LSG", "SG", ""}:
        area = social["area"].upper().replace("UEG", "ÜG")
        return f"{social['court'].upper()} {social['senate']} {area} {number}"
    parts = _split(match["head"], roman=kind in {"BGH", "BFH"})
    if parts is None:
        return None
    if court == "BVerwG":
        number = number.replace("/", ".", 1)
    written = f"{' '.join(part for part in parts if part)} {number}"
    core = CORE.search(written)
    docket = read_docket(written, core, 0) if core else None
    return docket.text if docket and docket.court == court and docket.start == 0 else written


_SOCIAL_SUFFIXES = {"BER": "B ER", "BPKH": "B PKH", "BRG": "B RG", "NZBER": "NZB ER"}


def _spell_suffix(letters: str, court: str | None, kind: str) -> str:
    """The letters behind the year, as the court writes them."""
    letters = letters.upper()
    if not letters:
        return ""
    if kind in {"LSG", "SG"}:
        return f" {_SOCIAL_SUFFIXES.get(letters, letters)}"
    if kind == "FG":
        return f" {','.join(letters)}" if letters not in {"AO", "KG", "EW"} else f" {letters}"
    if kind in {"OVG", "VGH", "VG"}:
        return f".{letters}"
    if court == "BVerwG":
        return f" {letters}"
    return f" ({letters})" if kind in {"BAG", "BFH", "BGH", "BPatG", "OLG", "KG"} else ""


def _split(head: str, *, roman: bool) -> tuple[str, str] | None:
    """Senate and sign of a glued docket: ``XIR`` is XI R, ``ANWZ.BRFG`` is AnwZ (Brfg)."""
    match = _HEAD.fullmatch(head)
    if match is None:
        return None
    senate, letters = match["senate"] or "", re.sub(r"[.-]", "", match["letters"])
    if not senate and roman:
        for cut in range(min(_LONGEST_SENATE, len(letters) - 1), 0, -1):
            head, sign = letters[:cut], letters[cut:]
            if _ROMAN.fullmatch(head) and is_roman_sign(sign):
                return _spell_senate(head), split_glued(sign)
    return senate, split_glued(letters)


_LONGEST_SENATE = 6


def _spell_senate(senate: str) -> str:
    """Roman, its letter small: ``VIa``."""
    return re.sub(r"[A-H]$", lambda letter: letter[0].lower(), senate.upper())


def _read_day(year: int, month: str, day: str) -> str | None:
    try:
        return date(year, int(month), int(day)).isoformat()
    except ValueError:
        return None

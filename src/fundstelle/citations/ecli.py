"""ECLI: what a European Case Law Identifier says of court, day and Aktenzeichen.

Source: Council conclusions 2011/C 127/01; ordinals as the German courts build them.
"""

import re
from datetime import date

from fundstelle.citations.courts import find_by_ecli
from fundstelle.citations.dockets import CORE, read_docket
from fundstelle.law.citations import DecisionCitation

ECLI = re.compile(
    r"ECLI\s?:\s?(?P<country>[A-Z]{2}):(?P<court>[A-Z0-9]{1,10}):(?P<year>\d{4}):(?P<ordinal>[\w.]{1,30})"
    r"|(?<![:\w])EU:(?P<eu>[CTF]):(?P<eu_year>\d{4}):(?P<eu_number>\d{1,5})",
    re.IGNORECASE,
)
_EU_COURTS = {"C": "EuGH", "T": "EuG", "F": "EuGöD"}
_DAY_FIRST = re.compile(
    r"(?P<day>\d{2})(?P<month>\d{2})(?P<year>\d{2})\.?(?P<type>[UBVS])\.?(?P<docket>.+?)(?:\.\d+[A-Z]?)?",
    re.IGNORECASE,
)
_TYPE_FIRST = re.compile(
    r"(?P<type>[UBVS])\.(?P<day>\d{2})(?P<month>\d{2})(?P<year>\d{2})\.(?P<docket>.+?)(?:\.\d+)?",
    re.IGNORECASE,
)
_SOCIAL = re.compile(
    r"B?(?P<senate>\d{1,2})(?P<area>[A-Z]{1,3}?)(?P<number>\d+?)(?P<year>\d\d)(?P<kind>R|B|S|C|BH|KL)\d*",
    re.IGNORECASE,
)
_CONSTITUTIONAL = re.compile(
    r"[a-z]{2}(?P<on>\d{8})[a-z]?\.(?P<senate>\d?)(?P<sign>[a-z]+)(?P<number>\d{4})(?P<year>\d\d)",
    re.IGNORECASE,
)
_LAND = re.compile(
    r"(?P<month>\d{2})(?P<day>\d{2})\.(?P<docket>.+?)(?:\.\d{2}[A-Z]?)?", re.IGNORECASE
)


def decode(match: re.Match[str]) -> DecisionCitation:
    """The decision an ECLI names; parts that cannot be read stay empty."""
    if match["eu"]:
        letter = match["eu"].upper()
        written = f"ECLI:EU:{letter}:{match['eu_year']}:{match['eu_number']}"
        return DecisionCitation(_EU_COURTS[letter], None, None, written)
    court_code, ordinal = match["court"].upper(), match["ordinal"].rstrip(".")
    written = f"ECLI:{match['country'].upper()}:{match['court']}:{match['year']}:{ordinal}"
    if match["country"].upper() == "EU":
        return DecisionCitation(_EU_COURTS.get(court_code), None, None, written.upper())
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
    elif code in {"BGH", "BVERWG", "BPATG", "BAG", "BSG", "GMSOGB"}:
        match = _DAY_FIRST.fullmatch(ordinal)
    else:
        match = _LAND.fullmatch(ordinal)
    if match is None:
        return None, None
    on = _read_day(int(year), match["month"], match["day"])
    if code == "BSG":
        return on, _decode_social(match["docket"])
    return on, _decode_docket(match["docket"], court)


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
    return (
        f"B {match['senate']} {match['area'].upper()} {match['number']}/{match['year']}"
        f" {match['kind'].upper()}"
    )


def _decode_docket(glued: str, court: str | None) -> str | None:
    """``VIZR175.22`` -> ``VI ZR 175/22``."""
    body, dot, year = glued.partition(".")
    social = re.fullmatch(r"([LS])(\d+)([A-Z]{1,2})(\d+)", body)
    if social is not None:
        return f"{social[1]} {social[2]} {social[3]} {social[4]}/{year}"
    match = _split(re.sub(r"^(?:OVG|VGH|VG)(?=\d)", "", body))
    if match is None or not dot:
        return None
    separator = "." if court in {"BVerwG", "OVG Berlin-Brandenburg"} else "/"
    spaced = " ".join(part for part in match if part)
    year = re.match(r"\d{2,4}", year)[0] if re.match(r"\d{2,4}", year) else year  # type: ignore[index]
    written = f"{spaced}{separator}{year}"
    core = CORE.search(written)
    docket = read_docket(written, core, 0) if core else None
    return docket.text if docket and docket.court == court and docket.start == 0 else written


def _split(body: str) -> tuple[str, str, str] | None:
    """Senate, sign and number of a glued docket: ``XIR13`` is XI R 13."""
    match = re.fullmatch(r"(\d+[a-z]?)?([A-Za-z-]+)(\d+)", body)
    if match is None:
        return None
    senate, letters, number = match[1] or "", match[2], match[3]
    if not senate:
        roman = re.match(r"X{0,3}(?:IX|IV|V?I{0,3})[a-z]?(?=[A-Z])", letters)
        if roman is not None and roman[0]:
            senate, letters = roman[0], letters[roman.end() :]
    letters = re.sub(r"(?i)^WPAT$", "W (pat)", letters)
    return senate, letters, number


def _read_day(year: int, month: str, day: str) -> str | None:
    try:
        return date(year, int(month), int(day)).isoformat()
    except ValueError:
        return None

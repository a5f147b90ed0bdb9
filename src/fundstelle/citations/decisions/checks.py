"""What cannot be true of a cited decision: days, senates, years, an ECLI that says otherwise.

Every finding is a note in words; nothing is corrected silently.
"""

import re
from functools import cache

from fundstelle.citations.text.numerals import read_roman
from fundstelle.citations.text.tables import read_table
from fundstelle.law.citations import DecisionCitation
from fundstelle.law.courts import EU_COURTS

LATEST_YEAR = 2030  # no court has written a later one
_SIGN = re.compile(
    r"(?:(?P<senate>[IVX]+[a-z]?|\d{1,3}[a-z]?) )?(?P<sign>\D+?) \d+[/.](?P<year>\d\d)(?!\d)"
)
_SOCIAL = re.compile(r"B (?P<senate>\d{1,3})[a-z]? ")
_HIGHEST = {"BFH": 11, "BSG": 14}
_YEAR_FIRST = re.compile(
    r"(?P<front>(?:AN|Au|RN|RO|[BMW]) )?\d{1,3}[a-z]? [A-Z]\D* (?P<year>\d\d)\.\d{1,5}"
)
_BAVARIAN = frozenset(
    [
        *("VGH Bayern", "VG Ansbach", "VG Augsburg", "VG Bayreuth", "VG München"),
        *("VG Regensburg", "VG Würzburg"),
    ]
)
_TURN = 50  # dockets carry two digits of the year: 51 is 1951


def check_decision(target: DecisionCitation) -> list[str]:
    """What is impossible in the Aktenzeichen and the day of ``target``."""
    notes = []
    docket = target.docket or ""
    senate = _check_senate(target.court, docket)
    if senate:
        notes.append(senate)
    on = target.issued_on
    if on and int(on[:4]) > LATEST_YEAR:
        notes.append(f"{on} lies in the future")
    years = _list_years(target.court, docket)
    if on and years and min(years) > int(on[:4]):
        notes.append(f"{docket} was registered after {on}")
    return notes


def _list_years(court: str | None, docket: str) -> list[int]:
    """The year of the Aktenzeichen; both of its numbers where either may be it.

    Bavaria's administrative courts write the year first: ``11 ZB 06.41``. Without a court and a
    sign of theirs in front nothing says so.
    """
    match = None if court in EU_COURTS | {"EGMR"} else _SIGN.search(docket)
    behind = [_read_year(match["year"])] if match is not None else []
    bavarian = _YEAR_FIRST.fullmatch(docket)
    if bavarian is None or (court and court not in _BAVARIAN):
        return behind
    is_sure = court or bavarian["front"]
    return [_read_year(bavarian["year"]), *(() if is_sure else behind)]


def _read_year(digits: str) -> int:
    return int(digits) + (1900 if int(digits) >= _TURN else 2000)


def check_ecli(target: DecisionCitation, decoded: DecisionCitation) -> list[str]:
    """Where the ECLI beside a citation names another court, day or Aktenzeichen."""
    pairs = (
        ("court", target.court, decoded.court),
        ("day", target.issued_on, decoded.issued_on),
        ("Aktenzeichen", target.docket, decoded.docket),
    )
    notes = [
        f"the ECLI names another {name}: {read}, not {written}"
        for name, written, read in pairs
        if written and read and _fold(written) != _fold(read)
    ]
    ecli = (decoded.ecli or "").split(":")
    if len(ecli) > _YEAR and target.issued_on and not decoded.issued_on:
        year = ecli[_YEAR]
        if year != target.issued_on[:4]:
            notes.append(f"the ECLI names another year: {year}, not {target.issued_on[:4]}")
    return notes


_YEAR = 3


def _check_senate(court: str | None, docket: str) -> str | None:
    if court == "BSG":
        match = _SOCIAL.match(docket)
        highest = _HIGHEST["BSG"]
    else:
        match = _SIGN.fullmatch(docket.split(" (", maxsplit=1)[0]) or _SIGN.match(docket)
        sign = match["sign"] if match else ""
        highest = _HIGHEST["BFH"] if court == "BFH" else _map_highest().get((court, sign), 0)
    if match is None or not match["senate"] or not highest:
        return None
    written = match["senate"].rstrip("abcde")
    number = read_roman(written) if written.isalpha() else int(written)
    if number is None or 0 < number <= highest:
        return None
    return f"the {court} has no senate {match['senate']} for {docket}"


def _fold(written: str) -> str:
    return re.sub(r"[\s.()/,-]", "", written).casefold()


@cache
def _map_highest() -> dict[tuple[str | None, str], int]:
    return {(row[1], row[0]): int(row[3]) for row in read_table("registers") if row[3]}

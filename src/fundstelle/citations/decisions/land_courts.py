"""Aktenzeichen of the constitutional courts of the Länder: ``Vf. 7-VII-20``, ``VfGBbg 9/15``."""

import re
from collections.abc import Iterator

from fundstelle.citations.decisions.courts import Court
from fundstelle.citations.decisions.dockets import Docket, shorten_year

_SPECIAL = re.compile(
    r"(?<!\w)(?:Vf\.\s?(?P<vf>\d{1,4}-[IVX]{1,4}[a-z]?-\d{2})(?!\d)|P\.\s?St\.\s?(?P<st>\d{2,4})(?![\d/]))"
    r"(?P<urgent>\s(?:\((?:HS|HS-e|e\.\s?A\.|eA)\)|e\.\s?[AV]\.))?"
)
_COURTS = re.compile(r"(?:VerfGH|VerfG|StGH|LVerfG)(?!\w)")
_SIGN = re.compile(
    r"(?<!\w)(?P<sign>VfGBbg|VerfGH|HVerfG|LVerfG|StGH|VfGH|LVG|VGH\s[A-Z]|Lv|St|[BEF])\s$"
)
_ALONE = re.compile(r"(?:-|,|:|Az\.|^|\d{4}|\()\s*$")
_SUFFIX = re.compile(r"(?:\.[A-Z]{1,3}(?:-\d)?)+(?!\w)|\s(?:EA|e\.\s?A\.)(?!\w)")
_LONGEST_SIGN = 8


def find_land_dockets(text: str) -> Iterator[Docket]:
    """Aktenzeichen whose number is no number and year, in Bavaria, Saxony and Hesse."""
    for match in _SPECIAL.finditer(text) if "Vf." in text or "St." in text else ():
        urgent = match["urgent"] or ""
        if match["vf"]:
            yield Docket(f"Vf. {match['vf']}{urgent}", match.start(), match.end(), None, "named")
        else:
            docket = f"P.St. {match['st']}{urgent}"
            yield Docket(docket, match.start(), match.end(), "StGH Hessen", "named")


def read_land_docket(text: str, core: re.Match[str], named: Court, gap: str) -> Docket | None:
    """A number and year beside the court; the sign before it belongs to it."""
    if not _COURTS.match(named.name):
        return None
    suffix = _SUFFIX.match(text, core.end())
    end = suffix.end() if suffix else core.end()
    number = f"{core[1]}/{shorten_year(core[3])}{suffix[0] if suffix else ''}"
    sign = _SIGN.search(text, max(0, core.start() - _LONGEST_SIGN), core.start())
    if sign is not None:
        docket = f"{' '.join(sign['sign'].split())} {number}"
        return Docket(docket, sign.start(), end, named.name, "named")
    if _ALONE.search(gap):
        return Docket(number, core.start(), end, named.name, "named")
    return None

"""Gazettes and papers of parliament: ``BGBl. I 2021 S. 2154``, ``BT-Drs. 17/1``."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fundstelle.citations.dates import DATE, read_date
from fundstelle.law.citations import GazetteCitation, MaterialCitation

_FEDERAL = re.compile(
    r"(?<!\w)(?P<name>R?GBl|BGBl)\.?\s?(?:(?P<year>(?:18|19|20)\d\d),?\s)?(?:Teil\s)?"
    r"(?:(?P<part>I{1,3})(?!\w),?\s?)?(?:(?P<late>(?:18|19|20)\d\d)(?=,|\s(?:S\.?|Nr\.?)\s?\d),?\s?)?"
    r"(?P<kind>S\.?|Nr\.?)?\s?(?P<page>\d{1,5})(?![\d/]|\.\d)"
)
_UNION = re.compile(
    r"(?<!\w)(?:ABl|AblEU|AblEG|Abl)\.?\s?(?:(?:der\s)?(?:EU|EG|EWG|EGKS)\.?,?\s)?(?:Nr\.?\s)?"
    r"(?:(?P<year>(?:19|20)\d\d),?\s?)?(?:Nr\.?\s?)?(?P<series>[LC])\s?(?:Nr\.?\s)?(?P<number>\d{1,4})"
    r"(?:/\d{1,2}(?:\d\d)?)?(?:\s?(?:vom|v\.)\s[\d. ]{6,12})?(?:,?\s?S\.\s?(?P<page>\d{1,4}))?"
)
_MATERIAL = re.compile(
    r"(?<!\w)B(?P<house>[TR])-?\s?(?:Drucks(?:ache)?n?|Drs|Dr)\.?\s?(?:Nr\.\s?)?(?P<number>\d{1,4}/\d{1,6})"
)
_DATE_BEFORE = re.compile(rf"({DATE})\s*[-(<\[,]?\s*$")
_REACH = 30


class Printed(NamedTuple):
    """A printed place and where it stands."""

    target: GazetteCitation | MaterialCitation
    start: int
    end: int


def find_printed(text: str) -> Iterator[Printed]:
    """All gazettes and papers of parliament in ``text``."""
    for match in _FEDERAL.finditer(text) if "GBl" in text else ():
        name = "RGBl." if match["name"] == "RGBl" else "BGBl."
        if match["name"] == "GBl":
            continue
        year = match["year"] or match["late"] or _find_year(text, match.start())
        kind = match["kind"] or ""
        page = f"Nr. {match['page']}" if kind.startswith("N") else match["page"]
        yield Printed(GazetteCitation(name, year, match["part"], page), match.start(), match.end())
    for match in _UNION.finditer(text) if "Abl" in text or "ABl" in text else ():
        part = f"{match['series']} {match['number']}"
        target = GazetteCitation("ABl.", match["year"], part, match["page"])
        yield Printed(target, match.start(), match.end())
    for match in _MATERIAL.finditer(text) if "Dr" in text else ():
        kind = f"B{match['house']}-Drs."
        yield Printed(MaterialCitation(kind, match["number"]), match.start(), match.end())


def _find_year(text: str, start: int) -> str | None:
    """The year of the date right before: ``vom 31. 10. 2006 (BGBl I 2407)``."""
    match = _DATE_BEFORE.search(text, max(0, start - _REACH), start)
    on = read_date(match[1]) if match else None
    return on[:4] if on else None

"""Gazettes and papers of parliament: ``BGBl. I 2021 S. 2154``, ``BT-Drs. 17/1``."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fundstelle.citations.text.clean import find_all
from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.citations import GazetteCitation, MaterialCitation

# A plain letter first, and what may not stand before it behind: the search skips at C speed.
_FEDERAL = re.compile(
    r"(?P<name>(?<!\w)[RB]GBl)\.?\s?(?:(?P<year>(?:18|19|20)\d\d),?\s)?(?:Teil\s)?"
    r"(?:(?P<part>I{1,3})(?!\w),?\s?)?(?:(?P<late>(?:18|19|20)\d\d)(?=,|\s(?:S\.?|Nr\.?)\s?\d),?\s?)?"
    r"(?P<kind>S\.?|Nr\.?)?\s?(?P<page>\d{1,5})(?![\d/]|\.\d)"
)
_IN_UNION = (
    r"\s?(?:der\s)?(?:(?:EU|EG|EWG|EGKS)\.?)?,?\s?(?:Nr\.?\s?)?"
    r"(?:(?P<year>(?:19|20)\d\d),?\s?)?(?:Nr\.?\s?)?(?P<series>[LC])\s?(?:Nr\.?\s?)?"
    r"(?:(?P<number>\d{1,4})(?:\s?/\s?(?P<slash>\d{1,4})(?!\d))?|,?\s?(?P<act>20[2-9]\d/\d{1,5}))"
    rf"(?:,?\s?\(?(?:(?:vom|v\.)\s?)?(?P<on>{DATE})\)?)?(?:,?\s?[Sp]\.?\s?(?P<page>\d{{1,4}}))?"
)
_UNION = re.compile(rf"A(?<!\wA)[Bb]l\.?{_IN_UNION}")
_JOURNAL = re.compile(rf"(?:A[Bb]l|OJ|O\.J)\.?{_IN_UNION}")
_MATERIAL = re.compile(
    r"B(?<!\wB)(?:(?P<house>[TR])[- ]?(?:Drucks(?:achen?)?|Drs|Dr)"
    r"|undes(?P<long>tag|rat)s-?[Dd]rucksachen?)\.?\s?"
    r"(?:Nr\.\s?)?(?P<number>\d{1,4}/\d{1,6})"
)
_MORE_MATERIAL = re.compile(r"\s*(?:,|;|und|sowie)\s*(?P<number>\d{1,2}/\d{1,6})(?![\d/]|\.\d)")
_DATE_BEFORE = re.compile(rf"({DATE})\s*[-(<\[,]?\s*$")
_REACH = 30


class Printed(NamedTuple):
    """A printed place and where it stands."""

    target: GazetteCitation | MaterialCitation
    start: int
    end: int


def find_printed(text: str) -> Iterator[Printed]:
    """All gazettes and papers of parliament in ``text``."""
    for match in _iter_federal(text):
        name = "RGBl." if match["name"] == "RGBl" else "BGBl."
        year = match["year"] or match["late"] or _find_year(text, match.start())
        kind = match["kind"] or ""
        page = f"Nr. {match['page']}" if kind.startswith("N") else match["page"]
        yield Printed(GazetteCitation(name, year, match["part"], page), match.start(), match.end())
    for match in _UNION.finditer(text) if "Abl" in text or "ABl" in text else ():
        yield Printed(_build_union(match), match.start(), match.end())
    for match in _MATERIAL.finditer(text) if "Dr" in text or "drucks" in text else ():
        house = match["house"] or match["long"][0].upper()
        start, more = match.start(), match
        while more is not None:
            yield Printed(MaterialCitation(f"B{house}-Drs.", more["number"]), start, more.end())
            following = _MORE_MATERIAL.match(text, more.end()) if house == "T" else None
            if following is None:
                break
            start, more = following.start("number"), following


def match_union(text: str, pos: int) -> re.Match[str] | None:
    """A place of the Official Journal at ``pos``, also as English has it: ``OJ L 1, p. 2``."""
    return _JOURNAL.match(text, pos)


def _iter_federal(text: str) -> Iterator[re.Match[str]]:
    for mark in find_all(text, "GBl"):
        match = _FEDERAL.match(text, mark - 1) if mark else None
        if match is not None:
            yield match


def _build_union(match: re.Match[str]) -> GazetteCitation:
    """Behind the stroke stands the page, or the year where a page follows."""
    on = read_date(match["on"]) if match["on"] else None
    year, page, slash = match["year"] or (on[:4] if on else None), match["page"], match["slash"]
    if match["act"]:
        return GazetteCitation("ABl.", match["act"][:4], match["series"], match["act"])
    if slash and len(slash) == len("2004") and slash[:2] in {"19", "20"}:
        year = year or slash
    elif slash and page and len(slash) == len("04"):
        year = year or f"{'19' if int(slash) > _TURN else '20'}{slash}"
    elif slash:
        page = page or slash
    return GazetteCitation("ABl.", year, f"{match['series']} {match['number']}", page)


_TURN = 50


def _find_year(text: str, start: int) -> str | None:
    """The year of the date right before: ``vom 31. 10. 2006 (BGBl I 2407)``."""
    match = _DATE_BEFORE.search(text, max(0, start - _REACH), start)
    on = read_date(match[1]) if match else None
    return on[:4] if on else None

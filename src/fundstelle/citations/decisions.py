"""Decisions: what stands around an Aktenzeichen or a page makes one citation."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from fundstelle.citations.courts import Court, find_last_court
from fundstelle.citations.dates import DATE, read_date
from fundstelle.citations.dockets import CORE, Docket, read_docket, shorten_year
from fundstelle.citations.ecli import ECLI, decode
from fundstelle.citations.gazettes import find_printed
from fundstelle.citations.reporters import Page, find_pages
from fundstelle.law.citations import DecisionCitation, ReporterCitation, Target

_REACH = 130
_SHORT = 200  # characters; "Eugh C 807 21" is how people type, not how courts write
_MAY_BE_ECLI = re.compile(r"(?:[Ll][Ii]|U)\s?:")
_DATE = re.compile(DATE)
_DATE_AFTER = re.compile(rf"\s*,?\s*(?:v\.|vom)\s+({DATE})")
_ECLI_AFTER = re.compile(r"[\s,;\[(<-]{0,5}(?=ECLI|EU:)", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:,|und|u\.|/|sowie)\s*-?\s*")
_EU_BLANK = re.compile(
    r"(?i:eugh|eug)[\s,]+(?P<letter>[CcTt])[\s-](?P<number>\d{1,4})\s(?P<year>\d\d)(?!\d)"
)
_CASE_NUMBER = re.compile(r"(?<!\d)6(?P<year>\d{4})(?P<kind>[CTF])[JOCVN](?P<number>\d{4})(?!\d)")
_APPLICATION = re.compile(r"(?<![\w/.])(\d{3,5})/(\d{2})(?![\d/])")
_STRASBOURG = re.compile(
    r"(?<!\w)(?:EGMR|ECtHR|Europäische[rn]?\s+Gerichtshofs?\s+für\s+Menschenrechte)"
)
_MARGINS = re.compile(
    r"(?:\s*,?\s*(?:§§?\s*\d+(?:\s*(?:,|und|-|ff\.)\s*\d+)*|Rn\.?\s*\d+|Z\.\s*\d+))+"
)
_PAGE_COURT = re.compile(
    r"\s*,?\s*(?:-?(?:Urteile?|Beschl(?:uss|üsse)|Urt\.|Beschl\.)\s*)?(?:in\s+|,\s*)?(?:=\s*)?"
)
_NAMED_ONLY = re.compile(
    r"(?P<sign>(?:VfGBbg|VfGH|VerfGH|Vf\.|StGH|LVG|LVerfG|P\.St\.|GR)\s*)?"
    r"(?P<number>\d{1,4}(?:-[IVX]+-|/)\d{2})(?![\d/])"
)


class Place(NamedTuple):
    """Targets of one place in the clean text."""

    start: int
    end: int
    targets: tuple[Target, ...]


def find_decisions(text: str) -> list[Place]:
    """Decisions, pages and printed papers in ``text``, sorted; places do not overlap."""
    found = list(_find_identified(text))
    found += _find_applications(text)
    dockets = _DocketReader(text, [place.start for place in found]).read()
    found += dockets
    pages = list(find_pages(text))
    taken = sorted((*((p.start, p.end) for p in found),))
    found += _bind_pages(text, pages, taken)
    found += [Place(p.start, p.end, (p.target,)) for p in find_printed(text)]
    return _drop_overlaps(found)


def _find_identified(text: str) -> Iterator[Place]:
    for match in ECLI.finditer(text) if _MAY_BE_ECLI.search(text) else ():
        yield Place(match.start(), match.end(), (decode(match),))
    for match in _CASE_NUMBER.finditer(text):
        number = f"{match['kind']}-{int(match['number'])}/{match['year'][2:]}"
        court = {"C": "EuGH", "T": "EuG", "F": "EuGöD"}[match["kind"]]
        yield Place(match.start(), match.end(), (DecisionCitation(court, number),))


def _find_applications(text: str) -> Iterator[Place]:
    """Applications to the EGMR with the paragraphs of the judgment."""
    if not any(word in text for word in ("EGMR", "ECtHR", "Menschenrechte")):
        return
    for match in _STRASBOURG.finditer(text):
        number = _APPLICATION.search(text, match.end(), match.end() + _REACH)
        if number is None:
            continue
        date = _DATE.search(text, match.end(), number.start())
        margins = _MARGINS.match(text, number.end())
        end = margins.end() if margins else number.end()
        on = read_date(date[0]) if date else None
        target = DecisionCitation("EGMR", f"{number[1]}/{number[2]}", on)
        yield Place(match.start(), end, (target,))


class _DocketReader:
    """Reads all dockets of a text from left to right; a joined case shares court and date."""

    def __init__(self, text: str, taken: list[int]) -> None:
        self.text = text
        self.taken = set(taken)
        self.floor = 0
        self.court: str | None = None
        self.date: str | None = None
        self.joined = False

    def read(self) -> list[Place]:
        places = []
        for match in _EU_BLANK.finditer(self.text) if len(self.text) < _SHORT else ():
            number = f"{match['letter'].upper()}-{match['number']}/{match['year']}"
            court = "EuGH" if number[0] == "C" else "EuG"
            places.append(Place(match.start(), match.end(), (DecisionCitation(court, number),)))
        for core in CORE.finditer(self.text):
            if core.start() >= self.floor:
                place = self._read_one(core)
                if place is not None:
                    self._share_ecli(places, place, joined=self.joined)
                    places.append(place)
        return places

    @staticmethod
    def _share_ecli(places: list[Place], place: Place, *, joined: bool) -> None:
        """Joined cases have one ECLI, printed behind the last."""
        target = place.targets[0]
        assert isinstance(target, DecisionCitation)
        if not joined or target.ecli is None:
            return
        for index in range(len(places) - 1, -1, -1):
            other = places[index].targets[0]
            assert isinstance(other, DecisionCitation)
            same = (other.court, other.issued_on) == (target.court, target.issued_on)
            if other.ecli is not None or not same:
                return
            shared = replace(other, ecli=target.ecli)
            places[index] = places[index]._replace(targets=(shared,))

    def _read_one(self, core: re.Match[str]) -> Place | None:
        text = self.text
        docket = read_docket(text, core, self.floor) or self._read_named_only(core)
        if docket is None:
            return None
        joined = _JOINED.fullmatch(text, self.floor, docket.start) if self.floor else None
        self.joined = joined is not None
        low = self._find_low(docket.start)
        named = find_last_court(text, low, docket.start)
        court = self._choose_court(docket, named, joined=joined is not None)
        if court is None and docket.kind == "plain" and not _is_plausible(docket.text):
            return None
        end = docket.end
        date, start, end = self._find_date(docket, named, low, end, joined=joined is not None)
        ecli, end = self._find_ecli(end)
        if ecli is not None:
            court = court or ecli.court
        self.floor, self.court, self.date = end, court, date
        written = _spell(docket, court)
        target = DecisionCitation(court, written, date, ecli.ecli if ecli else None)
        return Place(min(start, docket.start), end, (target,))

    def _find_low(self, start: int) -> int:
        """How far back the parts of one citation may lie: never beyond a semicolon."""
        low = max(self.floor, start - _REACH)
        return max(low, self.text.rfind(";", low, start) + 1)

    def _choose_court(self, docket: Docket, named: Court | None, *, joined: bool) -> str | None:
        if docket.court is not None and docket.kind not in {"dotted", "plain"}:
            return docket.court
        if named is not None and self._is_near(named, docket):
            if docket.court == "BVerwG" and named.name[:3] in {"BGH", "BFH", "BAG", "BSG"}:
                return docket.court
            return named.name
        if joined and self.court and docket.court is None:
            return self.court
        before = self.text[max(0, docket.start - len("OVG ")) : docket.start].split()
        return None if before and before[-1] in {"OVG", "VGH", "VG"} else docket.court

    def _is_near(self, named: Court, docket: Docket) -> bool:
        gap = self.text[named.end : docket.start]
        return len(gap) < 90 and not re.search(r"\.\s[A-ZÄÖÜ][a-zäöü]{3,}\s[a-zäöü]", gap)

    def _find_date(
        self, docket: Docket, named: Court | None, low: int, end: int, *, joined: bool
    ) -> tuple[str | None, int, int]:
        text = self.text
        start = named.start if named is not None and self._is_near(named, docket) else docket.start
        dates = list(_DATE.finditer(text, low, docket.start))
        if dates and docket.start - dates[-1].end() < 60:
            return read_date(dates[-1][0]), min(start, dates[-1].start()), end
        after = _DATE_AFTER.match(text, end)
        if after is not None:
            return read_date(after[1]), start, after.end()
        return (self.date if joined else None), start, end

    def _find_ecli(self, end: int) -> tuple[DecisionCitation | None, int]:
        lead = _ECLI_AFTER.match(self.text, end)
        match = ECLI.match(self.text, lead.end()) if lead else None
        if match is None:
            return None, end
        closing = self.text[match.end() : match.end() + 1] in {"]", ")"}
        return decode(match), match.end() + closing

    def _read_named_only(self, core: re.Match[str]) -> Docket | None:
        """``11/98`` beside a constitutional court of a Land, ``26/62`` beside the EuGH."""
        text = self.text
        low = self._find_low(core.start())
        named = find_last_court(text, low, core.start())
        if named is None or core[2] != "/" or len(core[3]) != len("62"):
            return None
        gap = text[named.end : core.start()]
        number = f"{core[1]}/{shorten_year(core[3])}"
        if named.name == "EuGH" and re.search(r"(?:Rs\.?|Rechtssache)\s*$", gap):
            return Docket(number, core.start(), core.end(), "EuGH", "eu")
        if re.match(r"(?:VerfGH|VerfG|StGH|LVerfG)(?!\w)", named.name) and re.search(
            r"(?:-|,|Az\.|^)\s*(?:VerfGH|VfGBbg|StGH|VfGH|LVG|LVerfG)?\s*$", gap
        ):
            return Docket(number, core.start(), core.end(), named.name, "named")
        return None


def _spell(docket: Docket, court: str | None) -> str:
    """The BVerwG writes a dot, also where a slash was typed."""
    if court == "BVerwG" and "/" in docket.text:
        return docket.text.replace("/", ".")
    return docket.text


def _is_plausible(written: str) -> bool:
    """Without a court only the full shape is taken: a senate, a sign, a number, a year."""
    return (
        re.fullmatch(r"(?:[A-Z] )?\d{1,3} [A-Z][A-Za-z]{0,4} \d{1,5}(?:-\d+)?[/.]\d\d.*", written)
        is not None
    )


def _bind_pages(text: str, pages: list[Page], taken: list[tuple[int, int]]) -> list[Place]:
    """Pages with the court named right before them, unless an Aktenzeichen stands there."""
    places = []
    last: tuple[int, str | None] = (-1, None)
    for page in sorted(pages, key=lambda page: page.start):
        court, start = None, page.start
        if last[0] >= 0 and re.fullmatch(r"\s*[,;]\s*", text[last[0] : page.start]):
            court = last[1]
        elif not any(end <= page.start and page.start - end < 12 for _, end in taken):
            named = find_last_court(text, max(0, page.start - 60), page.start)
            if named is not None and _PAGE_COURT.fullmatch(text, named.end, page.start):
                court, start = named.name, named.start
        last = (page.end, court)
        target = ReporterCitation(page.reporter, page.volume, page.page, court)
        places.append(Place(start, page.end, (target,)))
    return places


def _drop_overlaps(places: list[Place]) -> list[Place]:
    places.sort(key=lambda place: (place.start, -place.end))
    kept: list[Place] = []
    end = -1
    for place in places:
        if place.start >= end:
            kept.append(place)
            end = place.end
    return kept

"""Aktenzeichen with what stands around them: court, day, ECLI make one citation."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from fundstelle.citations.decisions.bound_days import is_bound
from fundstelle.citations.decisions.checks import check_decision, check_ecli
from fundstelle.citations.decisions.courts import Court, find_last_court
from fundstelle.citations.decisions.dockets import CORE, Docket, read_docket, shorten_year
from fundstelle.citations.decisions.ecli import ECLI, decode
from fundstelle.citations.decisions.eu_cases import find_typed
from fundstelle.citations.decisions.land_courts import find_land_dockets, read_land_docket
from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.law.citations import DecisionCitation, Target

_REACH = 130
_FARTHEST_DAY = 60  # characters between a day and its Aktenzeichen
_SHORT = 200  # characters; "Eugh C 807 21" is how people type, not how courts write
_DATE = re.compile(DATE)
_TYPES = (
    r"(?:Urteil|Urt\.|Beschluss|Beschluß|Beschl\.|Entscheidung|Verfügung|Gerichtsbescheid"
    r"|[Jj]udgment|[Oo]rder|[Dd]ecision)"
)
_ANOTHER = re.compile(r"\d\)?,?\s(?:und|sowie)\s(?:\w+\s)?vom\s")
_DATE_AFTER = re.compile(
    rf"\s*(?:,?\s*|-\s*(?={_TYPES}))(?:(?:{_TYPES}\s+)?(?:v\.|vom|of)\s*|{_TYPES}\s+|\((?=[\d.]+\)))({DATE})\)?"
)
_NEXT_CASE = re.compile(r"\s*[-,:]?\s*(?:Az\.?:?\s*)?[\w() ]{1,24}\d/\d\d")
_FILLER = re.compile(rf"(?:[\s;,-]|{_TYPES}|v\.|vom|Az\.?:?|{DATE})*", re.IGNORECASE)
_ECLI_AFTER = re.compile(r"[\s,;\[(<-]{0,5}(?=ECLI|EU:)", re.IGNORECASE)
_JOINED = re.compile(r"\s*(?:,|und|u\.|/|sowie|and|&|bis|-|<)\s*-?\s*")
_MORE = re.compile(
    r"\s*(?:,|und|u\.|sowie|and|&)\s*(?P<numbers>(?:\d{1,5},\s?)*)(?P<number>\d{1,5}/\d\d)"
    r"(?![\d/]|\.\d)(?!\s+S\.)"
)
_LIST_ENDS = (",", "und", "u.", ", ", "und ", "u. ", ",\n", "und\n", "u.\n")
_SHARED_YEAR = re.compile(r"(?:\d{1,5}\s?(?:,|und|u\.)\s?)+$")
_DIGITS = re.compile(r"\d+")
_OLD_SENATE = re.compile(r"(?<![\w.])([IVX]{1,4}) $")  # until 1970: "VI 133/60 U"
_OLD_KIND = re.compile(r"\s[USD](?=\s*(?:[-,;.()]|$))")
# What bears numbers of the same shape.
_GOODS = re.compile(
    r"(?:Rechnung|Bestell|Angebot|Auftrag|Liefer|Kunden|Projekt|Artikel|Modell|Version|Tel|Fax|Typ|Serie|Bus"
    r"|Teil|Bauteil|Block|Position|Pos|Los|Haus|Raum|Zimmer|Kurs|Gleis|Flug|Zug|Konto|Formular|Charge|Los|Seite|Heft|Ausgabe)[a-zäöüß]*\.?"
    r"(?:\s?-?(?:Nr|Nummer)\.?)?:?\s*$"
)
_GOODS_REACH = 32
_LONGEST_LIST = 60
_DATED = re.compile(r"\d{4}\s*[-,(]\s*$")
_FIRST_CASES, _LETTERED = 53, 89  # years of the EuGH's cases without a letter
_NAME_BETWEEN = re.compile(r",\s*[A-ZÄÖÜ][^,;()\d]{1,50},\s*(?=EU:|ECLI:EU)")
_EU_CASE = re.compile(r"(?:Rs\.?|Rechtssachen?|Case)\s*$")


class Place(NamedTuple):
    """Targets of one place in the clean text; ``notes`` in words."""

    start: int
    end: int
    targets: tuple[Target, ...]
    notes: tuple[str, ...] = ()
    core: int = 0  # where the Aktenzeichen begins


def find_cases(text: str) -> list[Place]:
    """Every Aktenzeichen of ``text`` from left to right."""
    return _CaseReader(text).read()


class _CaseReader:
    """A joined case shares court, day and ECLI with the one before."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.floor = 0
        self.court: str | None = None
        self.date: str | None = None
        self.joined = False
        self.notes: list[str] = []

    def read(self) -> list[Place]:
        places = [Place(start, end, (target,)) for start, end, target in find_typed(self.text)]
        for docket in self._iter_dockets():
            place = self._read_one(docket)
            if place is not None:
                self._share_ecli(places, place, joined=self.joined)
                places.append(place)
                places += self._read_more(docket, place)
        return places

    def _iter_dockets(self) -> Iterator[Docket]:
        special = list(find_land_dockets(self.text))
        for core in CORE.finditer(self.text):
            while special and special[0].start < core.start():
                yield special.pop(0)
            if core.start() >= self.floor:
                docket = (
                    read_docket(self.text, core, self.floor)
                    or self._read_shared(core)
                    or self._read_named_only(core)
                )
                if docket is not None:
                    yield docket
        yield from special

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

    def _read_more(self, docket: Docket, place: Place) -> Iterator[Place]:
        """``2 BvR 2347/15, 651/16``: further numbers of the same register."""
        target = place.targets[0]
        assert isinstance(target, DecisionCitation)
        if docket.court is None or docket.kind in {"social", "plain", "dotted"}:
            return
        head = re.match(r"\D*?(?:\d{1,2}[a-z]? \D+? |(?=\d))", docket.text)
        while (match := _MORE.match(self.text, self.floor)) is not None and head is not None:
            self.floor = match.end()
            year = match["number"].partition("/")[2]
            numbers = [f"{number}/{year}" for number in _DIGITS.findall(match["numbers"])]
            more = tuple(
                replace(target, docket=f"{head[0]}{number}", ecli=None)
                for number in (*numbers, match["number"])
            )
            yield Place(match.start("numbers"), match.end(), more)

    def _read_shared(self, core: re.Match[str]) -> Docket | None:
        """``2 BvR 236, 237, 422/08``: numbers that share register and year."""
        low = max(self.floor, core.start() - _LONGEST_LIST)
        if not self.text.endswith(_LIST_ENDS, low, core.start()):
            return None
        numbers = _SHARED_YEAR.search(self.text, low, core.start())
        if numbers is None:
            return None
        short = self.text[low : numbers.start()] + self.text[core.start() : core.end()]
        last = CORE.search(short, numbers.start() - low)
        docket = read_docket(short, last, 0) if last else None
        if docket is None or docket.court is None or docket.kind == "dotted":
            return None
        others = tuple(_DIGITS.findall(numbers[0]))
        return docket._replace(start=docket.start + low, end=core.end(), others=others)

    def _read_one(self, docket: Docket) -> Place | None:
        text = self.text
        joined = _JOINED.fullmatch(text, self.floor, docket.start) if self.floor else None
        self.joined = joined is not None
        self.notes = []
        low = self._find_low(docket.start)
        named = self._find_court(low, docket)
        court = self._choose_court(docket, named, joined=joined is not None)
        if court is None and docket.kind == "plain" and not _is_plausible(docket.text):
            return None
        if named is None and _GOODS.search(text, max(0, docket.start - _GOODS_REACH), docket.start):
            return None
        end = docket.end
        date, start, end = self._find_date(docket, named, low, end, joined=joined is not None)
        ecli, end = self._find_ecli(end, named=docket.kind == "eu")
        if ecli is not None:
            court = court or ecli.court
        self.floor, self.court, self.date = end, court, date
        written = _spell(docket, court)
        target = DecisionCitation(court, written, date, ecli.ecli if ecli else None)
        others = tuple(_replace_number(target, other) for other in docket.others)
        self.notes += check_decision(target)
        self.notes += check_ecli(target, ecli) if ecli else ()
        start = min(start, docket.start)
        return Place(start, end, (*others, target), tuple(self.notes), docket.start)

    def _find_court(self, low: int, docket: Docket) -> Court | None:
        named = find_last_court(self.text, low, docket.start)
        is_short = named is None and len(self.text) < _SHORT
        if is_short and (self.text.islower() or self.text.isupper()):
            named = find_last_court(self.text, low, docket.start, loose=True)
        return named

    def _find_low(self, start: int) -> int:
        """How far back the parts of one citation may lie: never beyond a semicolon.

        Unless nothing but a court, a day and semicolons stand there.
        """
        low = max(self.floor, start - _REACH)
        stop = self.text.rfind(";", low, start) + 1
        if stop and self.floor == 0 and len(self.text) < _SHORT:
            named = find_last_court(self.text, low, start)
            if named is not None and _FILLER.fullmatch(self.text, named.end, start):
                return low
        return max(low, stop)

    def _choose_court(self, docket: Docket, named: Court | None, *, joined: bool) -> str | None:
        if docket.court is not None and docket.kind not in {"dotted", "plain", "named"}:
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
        start = docket.start
        if named is not None and self._is_near(named, docket):
            # "BFH/NV 2012, 75, und vom …": the court of another decision lends its name, no more
            lent = _ANOTHER.search(text, named.end, docket.start) is not None
            start = start if lent else named.start
        dates = list(_DATE.finditer(text, low, docket.start))
        court = (named.start, named.end) if named is not None else None
        near = bool(dates) and docket.start - dates[-1].end() < _FARTHEST_DAY
        if near and is_bound(text, dates[-1].span(), docket.start, court):
            return self._read_date(dates[-1][0]), min(start, dates[-1].start()), end
        after = _DATE_AFTER.match(text, end)
        if after is not None and _NEXT_CASE.match(text, after.end()) is None:
            return self._read_date(after[1]), start, after.end()
        return (self.date if joined else None), start, end

    def _read_date(self, written: str) -> str | None:
        on = read_date(written)
        if on is None:
            self.notes.append(f"{written} is no day of the calendar")
        return on

    def _find_ecli(self, end: int, *, named: bool) -> tuple[DecisionCitation | None, int]:
        """The ECLI right behind, at the EuGH also behind the name of the case."""
        lead = _ECLI_AFTER.match(self.text, end)
        if lead is None and named:
            lead = _NAME_BETWEEN.match(self.text, end)
        match = ECLI.match(self.text, lead.end()) if lead else None
        if match is None:
            return None, end
        closing = self.text[match.end() : match.end() + 1] in {"]", ")"}
        return decode(match), match.end() + closing

    def _read_named_only(self, core: re.Match[str]) -> Docket | None:
        """``11/98`` beside a constitutional court of a Land, ``26/62`` beside the EuGH."""
        text = self.text
        low = self._find_low(core.start())
        fits = core[2].strip() == "/" and len(core[3]) == len("62")
        named = find_last_court(text, low, core.start()) if fits else None
        if named is None:
            return None
        gap = text[named.end : core.start()]
        number = f"{core[1]}/{shorten_year(core[3])}"
        senate = _OLD_SENATE.search(text, max(low, core.start() - len("VIII ")), core.start())
        if named.name in {"BFH", "RG"} and senate is not None:
            kind = _OLD_KIND.match(text, core.end())
            end = kind.end() if kind else core.end()
            number += kind[0] if kind else ""
            return Docket(f"{senate[1]} {number}", senate.start(1), end, named.name, "named")
        if named.name == "GmS-OGB":
            return Docket(f"GmS-OGB {number}", core.start(), core.end(), named.name, "named")
        old = _DATED.search(gap) is not None and _FIRST_CASES <= int(core[3]) < _LETTERED
        if named.name == "EuGH" and (old or _EU_CASE.search(gap)):
            return Docket(number, core.start(), core.end(), "EuGH", "eu")
        if named.name in {"BAG", "BSG"} and text.endswith("GS ", 0, core.start()):
            bracket = re.compile(r"\s\([A-Z]\)").match(text, core.end())
            number += bracket[0] if bracket else ""
            end = bracket.end() if bracket else core.end()
            return Docket(f"GS {number}", core.start() - len("GS "), end, named.name, "named")
        return read_land_docket(text, core, named, gap)


def _spell(docket: Docket, court: str | None) -> str:
    """The BVerwG writes a dot, also where a slash was typed."""
    if court == "BVerwG" and "/" in docket.text:
        return docket.text.replace("/", ".")
    return docket.text


def _replace_number(target: DecisionCitation, number: str) -> DecisionCitation:
    """The same register and year with another number."""
    return replace(target, docket=re.sub(r"\d+(?=[/.]\d\d)", number, target.docket or "", count=1))


def _is_plausible(written: str) -> bool:
    """Without a court only the full shape is taken: a senate, a sign, a number, a year."""
    return (
        re.fullmatch(r"(?:[A-Z] )?\d{1,3} [A-Z][A-Za-z]{0,4} \d{1,5}(?:-\d+)?[/.]\d\d.*", written)
        is not None
    )

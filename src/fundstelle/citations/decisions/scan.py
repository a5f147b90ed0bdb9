"""Decisions: what stands around an Aktenzeichen or a page makes one citation."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from fundstelle.citations.decisions.cases import Place, find_cases
from fundstelle.citations.decisions.checks import check_decision, check_ecli
from fundstelle.citations.decisions.courts import find_last_court
from fundstelle.citations.decisions.ecli import decode, find_identifiers
from fundstelle.citations.decisions.reporters import Page, find_pages
from fundstelle.citations.decisions.strasbourg import find_applications
from fundstelle.citations.gazettes import find_printed
from fundstelle.law.citations import DecisionCitation, ReporterCitation
from fundstelle.law.courts import EU_COURT_OF

_CASE_NUMBER = re.compile(r"6(?<!\d6)(?P<year>\d{4})(?P<kind>[CTF])[JOCVN](?P<number>\d{4})(?!\d)")
_PAGE_COURT = re.compile(
    r"\s*,?\s*(?:-?(?:Urteile?|Beschl(?:uss|üsse)|Urt\.|Beschl\.)\s*)?(?:in\s+|,\s*)?(?:=\s*)?"
)
_FARTHEST = 6
_BESIDE = re.compile(rf"[\s,;()\[\]-]{{1,{_FARTHEST}}}")
# What every form has one of: a colon, the word of a gazette or register, two numbers side by side.
# Most texts are told by the words, which is cheaper than one pattern of all.
_SIGNS: tuple[str, ...] = (
    ":",
    "Nr",
    "St",
    "Rs",
    "rs",
    "Bl.",
    "Bbl",
    "bbl",
    "Abl",
    "abl",
    "ABl",
    "aBl",
    "BBl",
    "bBl",
)
_SIGNS += ("Dr", "druck", "Vf", "Gutachten")
_COURT_OF_THE_UNION = "eug"
_NUMBERS = re.compile(
    r"[\dCTFctf](?:(?<=\d)(?:\s?[a-zö]?\s?[./,-]\s?\S{0,4}\d"
    r"|(?:,\s?|\s)(?:S\.?\s?|Nr\.\s?)?[IAB-]{0,6}\d|\d{4})|(?<!\d)\s?-?\d)"
)
_SHORT = 200  # characters; a longer text nearly always holds one
_OLD_NUMBERING = 1989  # before, the cases of the EuGH bear no letter


def find_decisions(text: str) -> list[Place]:
    """Decisions, pages and printed papers in ``text``, sorted; places do not overlap."""
    if len(text) < _SHORT and not _may_hold_any(text):
        return []
    identified = list(_find_identified(text)) if ":" in text or "6" in text else []
    cases = find_cases(text)
    found = _merge(text, identified, cases) if identified and cases else [*identified, *cases]
    found += [Place(a.start, a.end, (a.target,)) for a in find_applications(text)]
    pages = list(find_pages(text))
    if pages:
        found = _add_pages(text, found, pages)
    found += [Place(p.start, p.end, (p.target,)) for p in find_printed(text)]
    return _drop_overlaps(found) if found else []


def _may_hold_any(text: str) -> bool:
    for sign in _SIGNS:
        if sign in text:
            return True
    return _NUMBERS.search(text) is not None or _COURT_OF_THE_UNION in text.casefold()


def find_gazettes(text: str) -> list[Place]:
    """The printed papers alone, of a text that cites no decision."""
    return _drop_overlaps([Place(p.start, p.end, (p.target,)) for p in find_printed(text)])


def _add_pages(text: str, found: list[Place], pages: list[Page]) -> list[Place]:
    """The places of ``found`` and those of ``pages``."""
    pages.sort(key=lambda page: page.start)
    starts = [page.start for page in pages]
    found = [_give_way(place, pages, starts) for place in found]
    return [*found, *_bind_pages(text, pages, sorted(place.end for place in found))]


def _give_way(place: Place, pages: list[Page], starts: list[int]) -> Place:
    """A page between a court and its Aktenzeichen is a citation too: ``EuGH GRUR 2012, 156``."""
    between = pages[bisect_right(starts, place.start) : bisect_left(starts, place.core)]
    if any(page.end <= place.core for page in between):
        return place._replace(start=place.core)
    return place


def _find_identified(text: str) -> Iterator[Place]:
    for match in find_identifiers(text):
        target = decode(match)
        yield Place(match.start(), match.end(), (target,), tuple(check_decision(target)))
    for match in _CASE_NUMBER.finditer(text) if "6" in text else ():
        year = int(match["year"])
        letter = f"{match['kind']}-" if year >= _OLD_NUMBERING else ""
        number = f"{letter}{int(match['number'])}/{match['year'][2:]}"
        court = EU_COURT_OF[match["kind"]]
        yield Place(match.start(), match.end(), (DecisionCitation(court, number),))


def _merge(text: str, identified: list[Place], cases: list[Place]) -> list[Place]:
    """An ECLI right before the Aktenzeichen it names is one citation with it."""
    ending: dict[int, list[Place]] = {}
    for place in identified:
        ending.setdefault(place.end, []).append(place)
    found, merged = [], set()
    for case in cases:
        near = (ending.get(case.start - gap, ()) for gap in range(_FARTHEST, 0, -1))
        for place in chain.from_iterable(near):
            one = _merge_two(text, place, case)
            if one is not None:
                found.append(one)
                merged.add(place)
                break
        else:
            found.append(case)
    return [*(place for place in identified if place not in merged), *found]


def _merge_two(text: str, place: Place, case: Place) -> Place | None:
    decoded, target = place.targets[0], case.targets[0]
    assert isinstance(decoded, DecisionCitation)
    assert isinstance(target, DecisionCitation)
    same = decoded.docket is None or not check_ecli(target, decoded)
    named = target.ecli is None and decoded.court == target.court
    if not (same and named and _BESIDE.fullmatch(text, place.end, case.start)):
        return None
    on = target.issued_on or decoded.issued_on
    both = replace(target, ecli=decoded.ecli, issued_on=on)
    return Place(place.start, case.end, (both,), case.notes)


def _bind_pages(text: str, pages: list[Page], ends: list[int]) -> list[Place]:
    """Pages with the court named right before them, unless an Aktenzeichen stands there."""
    places = []
    last: tuple[int, str | None] = (-1, None)
    for page in pages:
        court, start = None, page.start
        if last[0] >= 0 and re.fullmatch(r"\s*[,;]\s*", text[last[0] : page.start]):
            court = last[1]
        elif bisect_right(ends, page.start - 12) == bisect_right(ends, page.start):
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

"""Does a quoted wording stand in the cited unit, and if not, where does it stand?"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

from fundstelle.law.norms import Fassung, Norm, NormKind
from fundstelle.lookup.answers import Hit
from fundstelle.lookup.library import Library
from fundstelle.lookup.units import find_deepest, format_steps, get_steps, insert_path
from fundstelle.lookup.wording import (
    ENOUGH,
    Difference,
    Match,
    Wording,
    compose,
    find_cut_words,
    split_quote,
)
from fundstelle.search.index import SearchRequest

STATUSES = ("verbatim", "normalised", "partial", "not_found", "no_text")
MOST_ELSEWHERE = 3

_NEIGHBOURS = 3  # provisions on either side
_CANDIDATES = 40  # provisions the index may name
_QUERY_WORDS = 10
_WORDS = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class Finding:
    """A place where the quote stands word for word (or normalised), and a day it held."""

    citation: str
    norm_id: str
    as_of: date


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """Offsets point into the stored text of the cited norm; ``segment`` is the path below it."""

    status: str
    matched_text: str | None = None
    start: int | None = None
    end: int | None = None
    segment: str | None = None
    differences: tuple[Difference, ...] = ()
    elsewhere: tuple[Finding, ...] = ()


def check_quote(library: Library, quote: str, hit: Hit | None, on: date) -> QuoteCheck:
    """Compare a quote with the cited unit; ``hit`` is ``None`` where the citation was a miss."""
    parts = split_quote(quote)
    if not parts:
        return QuoteCheck("not_found" if hit else "no_text")
    if hit is None:
        return QuoteCheck("no_text", elsewhere=_find_elsewhere(library, parts, None, on))
    unit = Wording(hit.fassung.text[hit.start : hit.end])
    match = unit.find(parts)
    if match is not None:
        return _report(hit, match)
    elsewhere = _find_elsewhere(library, parts, hit, on)
    near = unit.compare(parts)
    if near is None:
        return QuoteCheck("not_found", elsewhere=elsewhere)
    if near.share < ENOUGH:
        return QuoteCheck("not_found", elsewhere=elsewhere)
    start, end = hit.start + near.start, hit.start + near.end
    return QuoteCheck(
        "partial",
        hit.fassung.text[start:end],
        start,
        end,
        _name_segment(hit.fassung, start, end),
        near.differences,
        elsewhere,
    )


def _report(hit: Hit, match: Match) -> QuoteCheck:
    start, end = hit.start + match.start, hit.start + match.end
    text = hit.fassung.text
    return QuoteCheck(
        "verbatim" if match.verbatim else "normalised",
        text[start:end],
        start,
        end,
        _name_segment(hit.fassung, start, end),
        tuple(find_cut_words(text, start, end)),
    )


def _name_segment(fassung: Fassung, start: int, end: int) -> str:
    unit = find_deepest(fassung.segments, start, end)
    return format_steps(get_steps(fassung.segments, unit))


def _find_elsewhere(
    library: Library, parts: list[str], hit: Hit | None, on: date
) -> tuple[Finding, ...]:
    """The same section, its other versions, its neighbours, its law, then everything held."""
    findings: list[Finding] = []
    seen: set[str] = set()
    telling = list_telling_words(parts)
    for norm, fassung, day in _iter_places(library, parts, hit, on):
        if not all(word in fassung.text for word in telling):
            continue  # cheap, and right for nearly every candidate
        match = Wording(fassung.text).find(parts)
        if match is None:
            continue
        law = library.store.statutes[norm.statute_id].abbreviation
        path = _name_segment(fassung, match.start, match.end)
        citation = insert_path(norm.citation, path, law)
        if citation not in seen:
            seen.add(citation)
            findings.append(Finding(citation, norm.norm_id, day))
        if len(findings) == MOST_ELSEWHERE:
            break
    return tuple(findings)


def _iter_places(
    library: Library, parts: list[str], hit: Hit | None, on: date
) -> Iterator[tuple[Norm, Fassung, date]]:
    looked_at: set[str] = set()
    if hit is not None:
        looked_at.add(hit.norm.norm_id)
        if not hit.is_whole:
            yield hit.norm, hit.fassung, on
        yield from _iter_versions(library, hit)
        yield from _iter_texts(library, _list_neighbours(library, hit.norm), on, looked_at)
        filters = {"statute_id": (hit.statute.statute_id,)}
        yield from _iter_texts(library, _search(library, parts, filters), on, looked_at)
    yield from _iter_texts(library, _search(library, parts, {}), on, looked_at)


def _iter_texts(
    library: Library, norms: Iterable[Norm], on: date, looked_at: set[str]
) -> Iterator[tuple[Norm, Fassung, date]]:
    for norm in norms:
        if norm.norm_id in looked_at:
            continue
        looked_at.add(norm.norm_id)
        fassung = library.store.find_fassung(norm.norm_id, on)
        if fassung is not None:
            yield norm, fassung, on


def _iter_versions(library: Library, hit: Hit) -> Iterator[tuple[Norm, Fassung, date]]:
    for head in library.store.list_fassungen(hit.norm.norm_id):
        if head.text_sha256 == hit.fassung.text_sha256:
            continue
        day = (
            head.in_force_until - timedelta(days=1)
            if head.in_force_until
            else (head.in_force_from or head.stand)
        )
        fassung = library.store.find_fassung(hit.norm.norm_id, day)
        if fassung is not None:
            yield hit.norm, fassung, day


def _list_neighbours(library: Library, norm: Norm) -> list[Norm]:
    reach = _NEIGHBOURS + 2  # headings lie between
    first, last = norm.position - reach, norm.position + reach
    provisions = library.store.list_provisions(norm.statute_id, max(first, 0), last)
    return sorted(provisions, key=lambda other: abs(other.position - norm.position))


def _search(
    library: Library, parts: list[str], filters: Mapping[str, tuple[str, ...]]
) -> list[Norm]:
    """What the index names for the quote's longest words; they are the most telling."""
    telling = list_telling_words(parts)
    if not telling:
        return []
    request = SearchRequest(" ".join(telling), limit=_CANDIDATES, filters=filters)
    found = library.index.search(request)
    norms = library.store.get_norms_by_ordinal([hit.ordinal for hit in found.hits])
    return [norm for norm in norms if norm.kind is not NormKind.HEADING]


def list_telling_words(parts: list[str]) -> list[str]:
    """The longest words of a quote; those at its ends only if there are no others."""
    found = [_WORDS.findall(compose(part)) for part in parts]
    inside = dict.fromkeys(word for words in found for word in words[1:-1])
    words = inside or dict.fromkeys(word for words in found for word in words)
    return sorted(words, key=lambda word: (-len(word), word))[:_QUERY_WORDS]

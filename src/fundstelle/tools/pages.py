"""Which hits a page of a search has: what is cited first, what is ranked behind it, none twice."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from fundstelle.law.decisions import Decision
from fundstelle.law.norms import Norm
from fundstelle.lookup.library import Library
from fundstelle.search.index import SearchHit, SearchRequest
from fundstelle.search.words.terms import translate
from fundstelle.tools.answers.confidence import Lead
from fundstelle.tools.answers.hits import HitRows
from fundstelle.tools.inputs.references import Cited, find_cited_norms
from fundstelle.tools.inputs.scope import FACETS, Scope, admits, read_facets, to_number

_BLOCK = 10  # hits within which decisions that nobody can cite come behind the others
CITED_SCORE = 1_000.0  # above every score of an index, the same on every page


@dataclass(frozen=True, slots=True)
class Page:
    """Hits of one page, how many there are in all, counts, and the stages that ran."""

    hits: Sequence[SearchHit]
    total: int
    facets: Mapping[str, Mapping[str, int]]
    stages: Sequence[str]
    lead: Lead | None = None
    meant: Sequence[str] = ()  # words of the law for everyday words
    read_as: Mapping[str, str] = field(default_factory=dict)  # for words that stand nowhere
    is_cited: bool = False  # the first hit is what the query cites
    is_missed: bool = False  # what the query cites is not there
    is_about_law: bool = False  # the query cites a norm, or names a law that is held


NOTHING = Page((), 0, {}, ())


class Pages:
    """The pages of one library's searches.

    Args:
        library: in which is searched.
        rows: knows which hits nobody can cite.
    """

    def __init__(self, library: Library, rows: HitRows) -> None:
        self._library = library
        self._rows = rows

    def find(self, arguments: Mapping[str, Any], scope: Scope, on: date) -> Page:
        """The page that is asked for; warnings on what is cited go into ``scope``."""
        cited = self._read_query(arguments, scope, on)
        scope.warnings += cited.warnings
        request = SearchRequest(
            query=arguments["query"],
            rephrasings=tuple(filter(str.strip, arguments["rephrasings"])),
            limit=arguments["top_k"],
            offset=arguments["offset"],
            filters=scope.filters,
            ancestors=scope.ancestors,
            ordinals=scope.ordinals,
            day_from=scope.day_from,
            day_to=scope.day_to,
            as_of=to_number(on),  # today, too: of some norms the newest text is one to come
            facets=arguments["response_format"] == "detailed",
            prefer=() if "statute_id" in scope.filters else cited.laws,
        )
        is_about_law = bool(cited.held or cited.laws or "statute_id" in scope.filters)
        first = self._find_cited(cited, scope)
        if first:
            found = self._find_behind(first, request)
            # of what is cited the part named is not there, or another provision
            missed = bool(cited.warnings)
            return replace(found, is_cited=True, is_missed=missed, is_about_law=True)
        found = self._find_ranked(request)
        missed = bool(cited.warnings) and not cited.held
        return replace(found, is_missed=missed, is_about_law=is_about_law)

    def _find_ranked(self, request: SearchRequest) -> Page:
        """The hits, and how far the first is in front, for which two are looked at."""
        block = _widen(request)
        found = self._library.index.search(block)
        texts = (request.query, *request.rephrasings)
        lead = Lead.measure(found, is_fused=len(texts) > 1 or any(map(translate, texts)))
        hits = self._cut(found.hits, request.offset - block.offset, request.limit)
        meant, read_as = found.meant, found.read_as
        return Page(hits, found.total, found.facets, found.stages, lead, meant, read_as)

    def _cut(self, hits: Sequence[SearchHit], start: int, count: int) -> list[SearchHit]:
        """``count`` hits from ``start`` on, of hits that begin with a block.

        What is placed anew stays in its block of ten, wherever a page begins and ends.
        """
        placed = [
            hit
            for first in range(0, min(len(hits), start + count), _BLOCK)
            for hit in self._rows.place_unnamed(hits[first : first + _BLOCK])
        ]
        return placed[start : start + count]

    def _read_query(self, arguments: Mapping[str, Any], scope: Scope, on: date) -> Cited:
        laws = scope.filters.get("statute_id", ())
        law = self._library.store.statutes[laws[0]].abbreviation if len(laws) == 1 else None
        return find_cited_norms(self._library, arguments["query"], on, law, arguments["language"])

    def _find_cited(self, cited: Cited, scope: Scope) -> list[int]:
        """Ordinals of what the query cites, in its order, inside the filters."""
        ordinals = []
        for held in cited.held:
            ordinal = self._find_ordinal(held)
            if ordinal is not None and admits(scope, held, ordinal, self._library):
                ordinals.append(ordinal)
        return list(dict.fromkeys(ordinals))

    def _find_ordinal(self, held: Norm | Decision) -> int | None:
        if isinstance(held, Norm):
            return self._library.store.find_ordinal(held.norm_id)
        number = self._library.decisions.find_ordinal(held.decision_id)
        return None if number is None else self._library.decisions.base + number

    def _find_behind(self, cited: Sequence[int], request: SearchRequest) -> Page:
        """The cited norms first, the ranked ones behind them, none twice."""
        search = self._library.index.search
        limit = request.limit
        end = request.offset + limit
        found = search(replace(request, limit=_round_up(end), offset=0))
        ranked = [hit for hit in found.hits if hit.ordinal not in cited]
        unseen = set(cited) - {hit.ordinal for hit in found.hits} - found.by_meaning
        if unseen:  # they may match the words too, only farther down
            count = len(unseen)
            among = replace(request, ordinals=sorted(unseen), ancestors=None, limit=count, offset=0)
            farther = search(replace(among, facets=False, ranked=False))
            unseen -= {hit.ordinal for hit in farther.hits}
        first = [SearchHit(o, CITED_SCORE - at, "citation") for at, o in enumerate(cited)]
        hits = self._cut([*first, *ranked], end - limit, limit)
        facets = self._add_to(found.facets, unseen) if request.facets else found.facets
        return Page(hits, found.total + len(unseen), facets, found.stages)

    def _add_to(
        self, facets: Mapping[str, Mapping[str, int]], ordinals: Iterable[int]
    ) -> Mapping[str, Mapping[str, int]]:
        """The facets with texts that the index did not find by the words of the query."""
        counts = {name: Counter(facets.get(name, {})) for name in FACETS}
        for ordinal in ordinals:
            for name, value in read_facets(self._library, ordinal).items():
                counts[name][value] += 1
        return {name: dict(values.most_common()) for name, values in counts.items()}


def _widen(request: SearchRequest) -> SearchRequest:
    """Whole blocks of hits around a page; ten at least, so that two can be compared."""
    start = request.offset - request.offset % _BLOCK
    return replace(request, offset=start, limit=_round_up(request.offset + request.limit) - start)


def _round_up(count: int) -> int:
    return -(-count // _BLOCK) * _BLOCK

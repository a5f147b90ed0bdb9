"""Pages anybody may read: what this server holds, a search, norms and decisions.

Addresses are permanent: ``/n/de/bgb/823``, ``/d/ECLI:DE:BGH:2020:…``; Absätze and Randnummern are
anchors in them. An admin may keep them for people who are signed in.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from functools import wraps
from typing import Any

import orjson
from starlette.responses import Response
from starlette.routing import Route

from fundstelle.corpus.decisions import CitingDecision, CitingRequest
from fundstelle.law.norms import Fassung, Norm, Statute, set_back
from fundstelle.lookup.addresses import decision_path, norm_path
from fundstelle.lookup.days import find_days, find_floor
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import build_source_url, say_when_seen
from fundstelle.lookup.texts import speaks_for
from fundstelle.lookup.unchanged import find_named_change
from fundstelle.lookup.validity import find_validity, list_currency_notes
from fundstelle.portal import feeds
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import Handler, Visit
from fundstelle.portal.gate.gate import Kind
from fundstelle.portal.holdings import describe_sources
from fundstelle.portal.misses import find_miss, is_bare
from fundstelle.portal.reading import Link, is_cut, read_decision, read_norm
from fundstelle.portal.times import (
    compare_contents,
    compare_texts,
    list_texts,
    read_as_of,
    read_days,
)
from fundstelle.tools import search
from fundstelle.tools.answers.norms import FRESH_DAYS
from fundstelle.tools.spec import CallContext

_HITS = 10
_CITING = 12
_LONGEST_QUERY = 1_000
_MOST_PAGES = 50
_MOST_NORMS = 10_000
_CACHE = "public, max-age=300"
_NOTHING: Mapping[str, Any] = {"hits": (), "total": 0, "warnings": (), "confidence": "medium"}


def build_routes(pages: Pages) -> list[Route]:
    """The public pages."""
    routes: tuple[tuple[str, Handler, Kind], ...] = (
        ("/", show_start, Kind.READ),
        ("/search", open_corpus(show_search, searches=True), Kind.SEARCH),
        ("/changes.atom", open_corpus(feeds.show_changes), Kind.READ),
        ("/n/{statute_id:path}/changes.atom", open_corpus(feeds.show_changes_of_law), Kind.READ),
        ("/n/{norm_id:path}", open_corpus(show_norm), Kind.READ),
        ("/d/{decision_id:path}", open_corpus(show_decision), Kind.READ),
    )
    return [pages.route(path, handler, Needs.NOBODY, kind=kind) for path, handler, kind in routes]


def open_corpus(
    handler: Callable[[Visit, Library], Response], *, searches: bool = False
) -> Handler:
    """Give the live corpus to a page, if the page may be read and there is a corpus."""

    @wraps(handler)
    def answer(visit: Visit) -> Response:
        if visit.user is None and not visit.services.policies.read().public_pages:
            return visit.require_sign_in()
        services = visit.services
        with (services.searchable if searches else services.library)() as library:
            return visit.redirect("/") if library is None else handler(visit, library)

    return answer


def _render(visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """A page that caches may keep, unless it shows who is signed in."""
    cache = "no-store" if visit.user else _CACHE
    response = visit.render(template, status=status, cache=cache, **context)
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


def _missing(visit: Visit, library: Library, written: str) -> Response:
    """404, and why: as assistants are told it, if the address can be read as a reference."""
    miss = find_miss(library, written, _today())
    if miss is None:
        return _render(visit, "problem.html", 404, title="problem.missing", code=404)
    return _render(visit, "missing_text.html", 404, miss=miss)


def show_start(visit: Visit) -> Response:
    """What this server is and holds; the search, where it is public or somebody is signed in."""
    with visit.services.library() as library:
        manifest = library.store.manifest if library else None
        acts = sum(state.items for state in library.list_states("eu")) if library else 0
    may_read = visit.user is not None or visit.services.policies.read().public_pages
    return _render(
        visit,
        "start.html",
        manifest=manifest,
        acts=acts,
        may_read=may_read and manifest is not None,
        sources=describe_sources(manifest, _today()) if manifest else [],
        is_new=not visit.services.people.has_anybody(),
        url=f"{visit.services.settings.base_url}/mcp",
    )


def show_search(visit: Visit, library: Library) -> Response:
    """A page of hits, by the very search that assistants use."""
    query = visit.request.query_params.get("q", "").strip()[:_LONGEST_QUERY]
    page, on = _read_page(visit), read_as_of(visit)
    answer = _search(library, query, page, on) if len(query) > 1 else _NOTHING
    miss = find_miss(library, query, on or _today())
    bare = miss is not None and is_bare(library, query)
    if miss is not None and miss.status == "law_unknown" and not bare:
        miss = None  # a word that is no law's name
    if bare and not any(hit["match"] == "citation" for hit in answer["hits"]):
        answer = _NOTHING  # hits of the law's name alone answer nothing
    total = answer["total"]
    return _render(
        visit,
        "search.html",
        query=query,
        miss=miss,
        hits=answer["hits"],
        total=total,
        warnings=answer["warnings"],
        is_unsure=answer["confidence"] == "low" and page == 1 and miss is None,
        page=page,
        pages=min(_MOST_PAGES, -(-total // _HITS)),
        on=on,
        norm_path=norm_path,
        decision_path=decision_path,
    )


def _read_page(visit: Visit) -> int:
    text = visit.request.query_params.get("page", "1")
    page = int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 1
    return min(max(page, 1), _MOST_PAGES)


def _search(library: Library, query: str, page: int, on: date | None) -> Mapping[str, Any]:
    tool = search.build_tool(library, _today)
    page_of = {"top_k": _HITS, "offset": (page - 1) * _HITS, "response_format": "detailed"}
    arguments = {"query": query, **page_of, "as_of": on.isoformat() if on else None}
    answer: dict[str, Any] = orjson.loads(
        tool.call(arguments, CallContext("", "")).structured or b""
    )
    return answer


def _today() -> date:
    return datetime.now(UTC).date()


def show_norm(visit: Visit, library: Library) -> Response:
    """A norm with what cites it beside, or the contents of a law.

    ``as_of`` gives the text of that day, with ``compare_to`` beside that of another.
    """
    norm_id = visit.request.path_params["norm_id"]
    statute = library.store.statutes.get(norm_id)
    if statute is not None:
        return _show_law(visit, library, statute)
    norm = library.store.find_norm(norm_id)
    if norm is None:
        return _missing(visit, library, norm_id)
    newest, on = library.store.find_fassung(norm_id), read_as_of(visit)
    fassung = _find_text(library, norm_id, on)
    is_older = fassung != newest
    if norm.norm_id != norm_id:
        return visit.redirect(norm_path(norm.norm_id, on))
    statute = library.store.statutes[norm.statute_id]
    days = read_days(visit)
    if days is not None:
        return _show_synopsis(visit, library, statute, norm, days)
    links = [
        Link(one.start, one.end, norm_path(one.cited_id))
        for one in ([] if is_older else library.store.list_references_from(norm_id))
        if one.cited_id and one.cited_id != norm_id
    ]
    before, after = _find_around(library, norm)
    citing, count = library.decisions.list_citing(CitingRequest(norm_id, limit=_CITING))
    return _render(
        visit,
        "norm.html",
        norm=set_back(norm, fassung),
        statute=statute,
        fassung=fassung,
        texts=list_texts(library, statute, norm),
        on=on,
        is_older=is_older,
        resting=_rest_on_notes(library, statute, fassung, on) if fassung and on else None,
        days=find_days(library, statute, fassung) if fassung else None,
        validity=find_validity(library, statute, fassung) if fassung else None,
        age_days=_measure_age(fassung) if fassung else 0,
        is_stale=fassung is not None and not is_older and _is_stale(library, statute, fassung),
        blocks=read_norm(fassung, links) if fassung else [],
        is_cut=is_cut(fassung.text) if fassung else False,
        before=before,
        after=after,
        citing=_link(citing),
        citing_count=count,
        source_url=build_source_url(statute, norm),
        norm_path=norm_path,
    )


def _measure_age(seen: Fassung | Statute) -> int:
    """Days since the last look at a text."""
    return (_today() - seen.stand).days


def _is_stale(library: Library, statute: Statute, seen: Fassung | Statute) -> bool:
    """Whether assistants are warned that later changes may be missing."""
    has_left = say_when_seen(library.store.manifest, statute) is not None
    return has_left or _measure_age(seen) > FRESH_DAYS


def _find_text(library: Library, norm_id: str, day: date | None) -> Fassung | None:
    """The newest text, or that of a day that the corpus can speak for."""
    fassung = library.store.find_fassung(norm_id, day)
    norm = library.store.find_norm(norm_id)
    if day is None or norm is None:
        return fassung
    statute = library.store.statutes[norm.statute_id]
    return fassung if speaks_for(library, statute, fassung, day) else None


def _rest_on_notes(
    library: Library, statute: Statute, fassung: Fassung, day: date
) -> tuple[date, date] | None:
    """The first look at the law and the last change it names, where the day rests on these."""
    first = find_floor(library, statute)
    named = find_named_change(statute, fassung, first, day)
    return None if named is None else (first, named)


def _link(citing: Sequence[CitingDecision]) -> list[tuple[str, str]]:
    """Address and citation of each decision."""
    return [(decision_path(one.decision.decision_id), one.decision.citation) for one in citing]


def _find_around(library: Library, norm: Norm) -> tuple[Norm | None, Norm | None]:
    """The provisions before and behind a norm."""
    reach = 4  # headings may stand between
    around = library.store.list_provisions(
        norm.statute_id, norm.position - reach, norm.position + reach
    )
    before = [one for one in around if one.position < norm.position]
    after = [one for one in around if one.position > norm.position]
    return (before[-1] if before else None), (after[0] if after else None)


def _show_law(visit: Visit, library: Library, statute: Statute) -> Response:
    days, on = read_days(visit), read_as_of(visit)
    if days is not None:
        found = compare_contents(library, statute, days)
        return _render(
            visit,
            "law_changes.html",
            statute=statute,
            found=found,
            first=days[0],
            last=days[1],
            most=_MOST_NORMS,
            norm_path=norm_path,
        )
    is_older = on is not None and find_floor(library, statute) <= on < statute.stand
    store = library.store
    norms: Sequence[Norm] = store.list_norms(statute.statute_id)
    if is_older and on is not None:
        norms = store.list_norms_on(statute.statute_id, on)
    return _render(
        visit,
        "law.html",
        statute=statute,
        norms=norms[:_MOST_NORMS],
        is_cut=len(norms) > _MOST_NORMS,
        notes=list_currency_notes(statute),
        age_days=_measure_age(statute),
        is_stale=_is_stale(library, statute, statute),
        on=on if is_older else None,
        is_unknown=on is not None and on < find_floor(library, statute),
        first=None,
        last=None,
        norm_path=norm_path,
    )


def _show_synopsis(
    visit: Visit, library: Library, statute: Statute, norm: Norm, days: tuple[date, date]
) -> Response:
    return _render(
        visit,
        "synopsis.html",
        norm=norm,
        statute=statute,
        synopsis=compare_texts(library, statute, norm, days),
        first=days[0],
        last=days[1],
        norm_path=norm_path,
    )


def show_decision(visit: Visit, library: Library) -> Response:
    """A decision with its Randnummern, and the decisions that cite it."""
    decision_id = visit.request.path_params["decision_id"]
    decision = library.decisions.find(decision_id)
    text = library.decisions.find_text(decision.decision_id) if decision else None
    if decision is None or text is None:
        return _missing(visit, library, decision_id)
    links = []
    for one in library.decisions.list_citations(decision.decision_id):
        if one.cited_id is None or one.cited_id == decision.decision_id:
            continue
        is_decision = one.kind == "decision"
        path = decision_path(one.cited_id) if is_decision else norm_path(one.cited_id)
        links.append(Link(one.start, one.end, path))
    citing, count = library.decisions.list_citing(
        CitingRequest(decision.decision_id, limit=_CITING)
    )
    return _render(
        visit,
        "decision.html",
        decision=decision,
        title=decision.citation,
        blocks=read_decision(text, links),
        is_cut=is_cut(text.text),
        citing=_link(citing),
        citing_count=count,
    )

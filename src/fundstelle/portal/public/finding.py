"""From what somebody writes to the text that is meant, or to hits and why there is no text."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

import orjson
from starlette.responses import Response

from fundstelle.errors import InvalidInput
from fundstelle.law.decisions import UNKNOWN_COURT
from fundstelle.lookup.addresses import decision_path, find_page, norm_path
from fundstelle.lookup.answers import DecisionHit, Hit, LawHit, Miss, Outcome
from fundstelle.lookup.decisions.texts import find_by_id
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.texts import LookupRequest, read_norm
from fundstelle.lookup.whole import warn_of_law
from fundstelle.portal.frame.query import Unreadable, check_page, read_choice, read_page, read_text
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.misses import find_miss, is_bare
from fundstelle.portal.public.marking import Piece, mark_words
from fundstelle.portal.public.opening import render, today
from fundstelle.portal.times import read_as_of
from fundstelle.tools import search
from fundstelle.tools.spec import CallContext

HITS = 10
KINDS = ("statute", "regulation", "directive", "decision")
_SHORTEST_QUERY = 2
_LONGEST_QUERY = 1_000
_LONGEST_FILTER = 100
_LONGEST_CITATION = 300  # of what leads to a text at once
_MOST_PAGES = 50
_NOTHING: Mapping[str, Any] = {"hits": (), "total": 0, "warnings": (), "confidence": "medium"}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for: words, inside which law and kind, on which day, which page of it."""

    query: str
    law: str
    kind: str
    on: date | None
    page: int

    @property
    def is_filtered(self) -> bool:
        """Whether not everything is looked through."""
        return bool(self.law or self.kind)

    def write_address(self, **others: Any) -> str:
        """The address of this search, with some of it otherwise; the first page unless named."""
        named = {"q": self.query, "law": self.law, "kind": self.kind, "as_of": self.on, "list": ""}
        kept = {name: value for name, value in {**named, **others}.items() if value}
        return f"/search?{urlencode(kept)}"


@dataclass(frozen=True, slots=True)
class Meant:
    """The page of the one text that a query means, if it means one and that page says all of it.

    ``notes`` are what the page would not say: how what is held differs from what is written.
    """

    path: str | None
    notes: Sequence[str]


_NOT_ONE = Meant(None, ())


@dataclass(frozen=True, slots=True)
class ShownHit:
    """A hit as a page shows it: the row as assistants are given it, its page, its words marked."""

    row: Mapping[str, Any]
    path: str
    day: date | None  # of a decision
    title: Sequence[Piece]
    snippet: Sequence[Piece]


def show_search(visit: Visit, library: Library) -> Response:
    """A page of hits, by the very search that assistants use.

    What is a citation or the name of a law, and nothing else, leads to its text at once; ``list``
    asks for hits all the same.
    """
    asked = _read(visit)
    is_listed = bool(read_choice(visit, "list", ("1",))) or asked.page > 1
    meant = find_meant(library, asked.query, asked.on) if asked.page == 1 else _NOT_ONE
    if meant.path is not None and not is_listed and not asked.is_filtered:
        return visit.redirect(meant.path)
    return _show_hits(visit, library, asked, meant.notes, is_listed=is_listed)


def find_meant(library: Library, written: str, on: date | None) -> Meant:
    """The one law, provision or decision that is meant, on the day that is cited, else ``on``."""
    if not 1 < len(written) <= _LONGEST_CITATION:
        return _NOT_ONE
    found = resolve(library, written, on or today())
    outcome = found.outcomes[0]
    if found.total != 1 or found.warnings or isinstance(outcome, Miss):
        return Meant(None, found.doubts)
    day = found.get_day(outcome)
    shown = None if on is None and day == today() else day
    notes = (*found.doubts, *_list_unshown(library, outcome, day))
    if notes:
        return Meant(None, notes)
    if isinstance(outcome, LawHit):
        return Meant(norm_path(outcome.statute.statute_id, shown), ())
    path, mark, anchor = find_page(outcome).partition("#")
    if shown is not None and path.startswith("/n/"):
        path = norm_path(outcome.held_id, shown)
    return Meant(path + mark + anchor, ())


def _list_unshown(library: Library, hit: Hit | LawHit, day: date) -> Sequence[str]:
    """What is said of the unit that is cited and not of the whole, which its page shows."""
    whole: Outcome | None
    if isinstance(hit, LawHit):
        whole = LawHit(hit.statute, warn_of_law(library, hit.statute, day))
    elif isinstance(hit, DecisionHit):
        whole = find_by_id(library, hit.held_id)
    else:
        whole = read_norm(LookupRequest(library, hit.citation, day), hit.statute, hit.norm)
    shown = () if whole is None or isinstance(whole, Miss) else whole.warnings
    return [warning for warning in hit.warnings if warning not in shown]


def _read(visit: Visit) -> Asked:
    query = read_text(visit, "q", _LONGEST_QUERY).strip()
    if 0 < len(query) < _SHORTEST_QUERY:
        raise Unreadable("q", "too_short", least=_SHORTEST_QUERY)
    return Asked(
        query=query,
        law=read_text(visit, "law", _LONGEST_FILTER).strip(),
        kind=read_choice(visit, "kind", KINDS),
        on=read_as_of(visit),
        page=read_page(visit),
    )


def _show_hits(
    visit: Visit, library: Library, asked: Asked, notes: Sequence[str], *, is_listed: bool
) -> Response:
    query = asked.query
    answer, wrong_law = _search(library, asked) if query else (_NOTHING, False)
    miss = find_miss(library, query, asked.on or today())
    bare = miss is not None and is_bare(library, query)
    if miss is not None and miss.status == "law_unknown" and not bare:
        miss = None  # a word that is no law's name
    if bare and not any(hit["match"] == "citation" for hit in answer["hits"]):
        answer = _NOTHING  # hits of the law's name alone answer nothing
    total = answer["total"]
    pages = min(_MOST_PAGES, -(-total // HITS))
    check_page(asked.page, pages)
    return render(
        visit,
        "search.html",
        query=query,
        asked=asked,
        kept={"list": "1" if is_listed else ""},
        kinds=KINDS,
        unknown=UNKNOWN_COURT,
        wrong_law=wrong_law,
        miss=miss,
        hits=[show_hit(hit, asked) for hit in answer["hits"]],
        laws=_list_laws(answer["hits"]),
        total=total,
        warnings=[*notes, *answer["warnings"]],
        confidence=answer["confidence"] if asked.page == 1 and miss is None else "",
        page=asked.page,
        pages=pages,
        on=asked.on,
    )


def _search(library: Library, asked: Asked) -> tuple[Mapping[str, Any], bool]:
    """The answer of the tool, and whether the law of the filter is none."""
    tool = search.build_tool(library, today)
    arguments = {
        "query": asked.query,
        "top_k": HITS,
        "offset": (min(asked.page, _MOST_PAGES) - 1) * HITS,
        "response_format": "detailed",
        "law_abbreviation": asked.law or None,
        "document_kind": asked.kind or None,
        "as_of": asked.on.isoformat() if asked.on else None,
    }
    try:
        called = tool.call(arguments, CallContext("", ""))
    except InvalidInput:
        if not asked.is_filtered:
            raise
        return _NOTHING, bool(asked.law)
    answer: dict[str, Any] = orjson.loads(called.structured or b"")
    return answer, False


def show_hit(hit: Mapping[str, Any], asked: Asked) -> ShownHit:
    """A hit in detail, with the page that it leads to."""
    held = hit["norm_id"]
    is_decision = "court" in hit  # an act of the Union is of that kind, too
    path = decision_path(held) if is_decision else norm_path(held, asked.on)
    if "randnummer" in hit:
        path += f"#rn-{hit['randnummer']}"
    day = hit.get("decision_date")
    return ShownHit(
        hit,
        path,
        date.fromisoformat(day) if day else None,
        mark_words(hit.get("title", ""), asked.query),
        mark_words(hit["snippet"], asked.query),
    )


def _list_laws(hits: Sequence[Mapping[str, Any]]) -> list[str]:
    """The laws of a page of hits, each once, in their order."""
    named = (hit["law"]["abbreviation"] for hit in hits if "law" in hit)
    return list(dict.fromkeys(named))

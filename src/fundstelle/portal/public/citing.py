"""The decisions that cite a norm or a decision, each with the sentence that does: all of them."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import quote, urlencode

from starlette.responses import Response

from fundstelle.corpus.decisions import Citing, CitingDecision, CitingRequest
from fundstelle.law.decisions import UNKNOWN_COURT, Decision
from fundstelle.lookup.addresses import decision_path, name_passage, norm_path
from fundstelle.lookup.library import Library
from fundstelle.portal.frame.query import Unreadable, check_page, read_page, read_text
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.notices import tell_warnings
from fundstelle.portal.public.opening import render, show_missing, today
from fundstelle.tools.answers.applied import warn_of_age

_BESIDE = 4  # on the page of what is cited
_A_PAGE = 20
_MOST_PAGES = 500
_MOST_COUNTED = 20_000  # decisions whose courts and years are counted for the filters
_LONGEST_COURT = 200  # characters of its name
_YEAR = re.compile("[0-9]{4}")
_MOST_SENTENCE = 420  # characters that are shown of one


@dataclass(frozen=True, slots=True)
class ShownCiting:
    """A decision that cites: its page, at the passage that does, and the sentence around it."""

    decision: Decision
    path: str
    before: str
    cited: str
    after: str
    passage: str | None
    count: int


def describe_citing(visit: Visit, library: Library, cited_id: str, path: str) -> Mapping[str, Any]:
    """What a page says of the decisions that cite its text."""
    found, total = library.decisions.list_citing(CitingRequest(cited_id, limit=_BESIDE))
    return {
        "citing": [_show(library, one) for one in found],
        "citing_count": total,
        "citing_notices": list(
            tell_warnings(visit, warn_of_age(library, cited_id, found, today()))
        ),
        "citing_path": path,
    }


def show_of_norm(visit: Visit, library: Library) -> Response:
    """All decisions that cite a norm or a law."""
    norm_id = visit.request.path_params["norm_id"]
    statute = library.store.statutes.get(norm_id)
    if statute is not None:
        return _show_list(visit, library, norm_id, statute.abbreviation, norm_path(norm_id))
    norm = library.store.find_norm(norm_id)
    if norm is None:
        return show_missing(visit, library, norm_id)
    return _show_list(visit, library, norm.norm_id, norm.citation, norm_path(norm.norm_id))


def show_of_decision(visit: Visit, library: Library) -> Response:
    """All decisions that cite a decision."""
    decision = library.decisions.find(visit.request.path_params["decision_id"])
    if decision is None:
        return show_missing(visit, library, visit.request.path_params["decision_id"])
    held = decision.decision_id
    return _show_list(visit, library, held, decision.citation, decision_path(held))


def _show_list(visit: Visit, library: Library, cited_id: str, name: str, path: str) -> Response:
    court, year, page = (
        read_text(visit, "court", _LONGEST_COURT),
        _read_year(visit),
        read_page(visit),
    )
    courts, years, of_all = _count(library, cited_id)
    found, total = library.decisions.list_citing(
        CitingRequest(
            cited_id,
            court=court or None,
            day_from=date(int(year), 1, 1) if year else None,
            day_to=date(int(year), 12, 31) if year else None,
            limit=_A_PAGE,
            offset=(min(page, _MOST_PAGES) - 1) * _A_PAGE,
        )
    )
    pages = min(_MOST_PAGES, -(-total // _A_PAGE))
    check_page(page, pages)
    # a filter that nothing passes is one to choose, too: it is what is asked for
    courts.update({court: 0} if court else {})
    years.update({year: 0} if year else {})
    kept = urlencode({key: value for key, value in (("court", court), ("year", year)) if value})
    return render(
        visit,
        "citing_list.html",
        name=name,
        path=path,
        rows=[_show(library, one) for one in found],
        notices=list(tell_warnings(visit, warn_of_age(library, cited_id, found, today()))),
        total=total,
        of_all=of_all,
        courts=courts.most_common(),
        years=sorted(years.items(), reverse=True),
        court=court,
        year=year,
        page=page,
        pages=pages,
        address=f"{path}/decisions?{kept}{'&' if kept else ''}page=",
        unknown=UNKNOWN_COURT,
    )


def _read_year(visit: Visit) -> str:
    """The year of the decisions, in four digits; empty if none is named.

    Raises:
        Unreadable: it is none.
    """
    year = read_text(visit, "year")
    if year and not (_YEAR.fullmatch(year) and int(year)):
        raise Unreadable("year", "year")
    return year


def _count(library: Library, cited_id: str) -> tuple[Counter[str], Counter[str], int]:
    """The courts and years of all that cite it, and how many those are."""
    ordinals = library.decisions.list_citing_ordinals(cited_id)
    held = library.decisions.get_by_ordinal(ordinals[:_MOST_COUNTED])
    courts = Counter(one.court for one in held)
    years = Counter(str(one.issued_on.year) for one in held if one.issued_on)
    return courts, years, len(ordinals)


def _show(library: Library, one: CitingDecision) -> ShownCiting:
    decision, first = one.decision, one.first
    path = decision_path(decision.decision_id)
    if first.passage:
        path += f"#{quote(name_passage(first.passage))}"
    text = library.decisions.find_text(decision.decision_id)
    pieces = _cut(text.text, first) if text is not None else ("", first.cited_text, "")
    return ShownCiting(decision, path, *pieces, first.passage, one.count)


def _cut(text: str, citing: Citing) -> tuple[str, str, str]:
    """The sentence that cites: before the citation, the citation, behind it."""
    start, end = citing.sentence
    before, after = text[start : citing.start], text[citing.end : end]
    room = max(0, _MOST_SENTENCE - (citing.end - citing.start)) // 2
    if len(before) > room:
        before = "… " + before[-room:].partition(" ")[2]
    if len(after) > room:
        after = after[:room].rpartition(" ")[0] + " …"
    return _join(before), _join(text[citing.start : citing.end]), _join(after)


def _join(words: str) -> str:
    """On one line, a blank at an end kept."""
    joined = " ".join(words.split())
    head = " " if words[:1].isspace() and joined else ""
    tail = " " if words[-1:].isspace() and joined else ""
    return head + joined + tail

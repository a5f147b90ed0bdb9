"""The corpus, lent to a page; the page as caches may keep it; and the page of what is not there."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import wraps
from typing import Any

from starlette.responses import Response

from fundstelle.law.norms import NormKind
from fundstelle.lookup.library import Library
from fundstelle.portal.frame.visits import Handler, Visit
from fundstelle.portal.misses import find_miss

_NUMBER = re.compile(r"\d{1,6}[a-z]?")
_CACHE = "public, max-age=300"


def open_corpus(
    handler: Callable[[Visit, Library], Response], *, searches: bool = False
) -> Handler:
    """Give the live corpus to a page, if the page may be read and there is a corpus."""

    @wraps(handler)
    def answer(visit: Visit) -> Response:
        if not visit.may_read:
            return visit.require_sign_in()
        services = visit.services
        with (services.searchable if searches else services.library)() as library:
            return visit.redirect("/") if library is None else handler(visit, library)

    return answer


def render(visit: Visit, template: str, status: int = 200, **context: Any) -> Response:
    """A page that caches may keep, unless it shows who is signed in."""
    cache = "no-store" if visit.user else _CACHE
    response = visit.render(template, status=status, cache=cache, today=today(), **context)
    response.headers["Vary"] = "Accept-Language, Cookie"
    return response


def show_missing(visit: Visit, library: Library, written: str) -> Response:
    """404, and why: as assistants are told it, if the address can be read as a reference."""
    miss = find_miss(library, _write_citation(library, written), today())
    if miss is None:
        return render(visit, "problem.html", 404, title="problem.missing", code=404)
    return render(visit, "missing_text.html", 404, miss=miss)


def _write_citation(library: Library, written: str) -> str:
    """An address as lawyers write it: ``de/bgb/823a`` -> ``§ 823a BGB``; else as it is."""
    statute_id, _, number = written.rpartition("/")
    statute = library.store.statutes.get(statute_id)
    if statute is None or not _NUMBER.fullmatch(number):
        return written
    first, _ = library.store.find_ends(statute_id)
    is_section = first is not None and first.kind is NormKind.SECTION
    return f"{'§' if is_section else 'Art.'} {number} {statute.abbreviation}"


def today() -> date:
    """The day whose law is meant where none is named."""
    return datetime.now(UTC).date()

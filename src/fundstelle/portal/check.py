"""The page that checks a draft: each citation with its verdict, each quotation with its text.

What is sent is read, answered and forgotten: it is in no address, no log and no store.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.responses import Response
from starlette.routing import Route

from fundstelle.lookup.library import Library
from fundstelle.lookup.verdicts.check import JudgedPlace, check_draft
from fundstelle.lookup.verdicts.quoted import is_negation, shorten_omitted
from fundstelle.portal.frame.forms import FormLimits
from fundstelle.portal.frame.pages import Needs, Pages
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.gate.gate import Kind
from fundstelle.portal.public.opening import open_corpus

LONGEST = 20_000  # characters of a draft
_ROOM = 200  # for blanks at its ends
# A letter may take six characters on the wire, and a German text escapes one sign in ten.
_LIMITS = FormLimits(size_bytes=128 * 1024, field_chars=LONGEST + _ROOM, escapes=16_000)
_MOST_DIFFERENCES = 5
_MOST_NAMED = 10  # places that were not read, or not compared
_EXCERPT = 60


@dataclass(frozen=True, slots=True)
class _Row:
    judged: JudgedPlace
    line: int


def build_routes(pages: Pages) -> list[Route]:
    """The form, and what comes of it."""
    nobody = Needs.NOBODY
    return [
        pages.route("/check", open_corpus(show_form), nobody, kind=Kind.READ),
        pages.route(
            "/check",
            open_corpus(check, searches=True),
            nobody,
            ("POST",),
            kind=Kind.CHECK,
            limits=_LIMITS,
        ),
    ]


def show_form(visit: Visit, _library: Library) -> Response:
    """An empty form."""
    return visit.render("check.html", draft="", rows=None, longest=LONGEST, too_long=0)


def check(visit: Visit, library: Library) -> Response:
    """The verdicts on the draft that was sent."""
    draft = visit.form.get("draft", "").replace("\r\n", "\n").strip()
    if len(draft) > LONGEST:  # cut, it might end within a citation
        return visit.render(
            "check.html",
            status=413,
            draft=draft,
            rows=None,
            longest=LONGEST,
            too_long=len(draft),
        )
    found = check_draft(library, draft, datetime.now(UTC).date())
    rows = _list_rows(draft, found.judged)
    return visit.render(
        "check.html",
        draft=draft,
        rows=rows,
        bad=sum(row.judged.verdict.is_bad for row in rows),
        total=found.total,
        cut_in=None if found.next_start is None else draft.count("\n", 0, found.next_start) + 1,
        unread=_name_places(draft, found.unread),
        unread_count=len(found.unread),
        unowned=_name_places(draft, found.unowned),
        unowned_count=len(found.unowned),
        longest=LONGEST,
        too_long=0,
        most_differences=_MOST_DIFFERENCES,
        shorten_omitted=shorten_omitted,
        is_negation=is_negation,
    )


def _name_places(draft: str, places: Sequence[int]) -> list[tuple[int, str]]:
    """The first of them with their lines."""
    return [
        (draft.count("\n", 0, at) + 1, draft[at : at + _EXCERPT].partition("\n")[0])
        for at in places[:_MOST_NAMED]
    ]


def _list_rows(draft: str, judged: tuple[JudgedPlace, ...]) -> list[_Row]:
    rows = []
    line, seen = 1, 0
    for each in judged:
        line += draft.count("\n", seen, each.start)
        seen = each.start
        rows.append(_Row(each, line))
    return rows

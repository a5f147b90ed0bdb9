"""The contents of a law or of one of its parts, no longer than a page can be."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.responses import Response

from fundstelle.law.norms import Norm, NormKind, Statute
from fundstelle.lookup.addresses import norm_path
from fundstelle.lookup.dating.days import find_floor, find_stand_of_law
from fundstelle.lookup.library import Library
from fundstelle.lookup.validity.notes import list_currency_notes
from fundstelle.portal.frame.query import check_page, read_choice, read_page
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.notices import list_notices_of_changes, list_notices_of_law
from fundstelle.portal.public.laws import list_changes
from fundstelle.portal.public.opening import render, today
from fundstelle.portal.times import (
    compare_contents,
    find_to_come,
    is_of_other_texts,
    read_as_of,
    read_days,
)

_MOST_NORMS = 10_000
_MOST_ROWS = 160  # of contents that are shown without being asked for
_CHANGES = 5
_A_PAGE = 200  # provisions of a law without headings
_ENTIRE = "entire"
_DEEPEST = 20  # headings above a provision; no law has nearly as many


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the contents; ``within`` are the first and last provision of what is folded."""

    norm: Norm
    depth: int
    within: tuple[Norm, Norm] | None = None


@dataclass(frozen=True, slots=True)
class Contents:
    """The lines of one page, and which page of how many; ``is_folded``: parts show no provision."""

    rows: Sequence[Row]
    recitals: Sequence[Norm]
    page: int
    pages: int
    is_folded: bool
    is_cut: bool


def show_law(visit: Visit, library: Library, statute: Statute) -> Response:
    """The contents of a law on a day, or what changed in it between two."""
    days = read_days(visit)
    if days is not None:
        found = compare_contents(library, statute, days)
        return render(
            visit,
            "law_changes.html",
            statute=statute,
            found=found,
            notices=list_notices_of_changes(visit, library, statute, found, days),
            first=days[0],
            last=days[1],
            most=_MOST_NORMS,
            norm_path=norm_path,
        )
    on = read_as_of(visit)
    is_unknown = on is not None and on < find_floor(library, statute)
    return render(
        visit,
        "law.html",
        **describe_contents(visit, library, statute, None),
        notes=list_currency_notes(statute),
        stand=find_stand_of_law(statute)[0],
        notices=list_notices_of_law(visit, library, statute, on, today()),
        to_come=find_to_come(library, statute, today()) if on is None else None,
        is_unknown=is_unknown,
        changes=list_changes(library, _CHANGES, statute.statute_id),
        first=None,
        last=None,
    )


def describe_contents(
    visit: Visit, library: Library, statute: Statute, heading: Norm | None
) -> Mapping[str, Any]:
    """What the contents of a law, or of what stands below a heading, need."""
    on = read_as_of(visit)
    day = on or today()
    is_older = is_of_other_texts(library, statute, day)
    store = library.store
    norms: Sequence[Norm] = store.list_norms(statute.statute_id)
    if is_older:
        norms = store.list_norms_on(statute.statute_id, day)
    entire = bool(read_choice(visit, "contents", (_ENTIRE,)))
    page = read_page(visit)
    below = norms if heading is None else list_below(norms, heading)
    contents = build_contents(below, page, entire=entire)
    check_page(page, contents.pages)
    return {
        "statute": statute,
        "contents": contents,
        "own_path": norm_path(heading.norm_id if heading else statute.statute_id),
        # what is to come is handed on, too: of no day in particular the pages show today's
        "on": on if is_older or day > today() else None,
        "norm_path": norm_path,
    }


def list_below(norms: Sequence[Norm], heading: Norm) -> Sequence[Norm]:
    """What stands below a heading, in the order of the law."""
    place = next((at for at, one in enumerate(norms) if one.norm_id == heading.norm_id), None)
    if place is None:
        return ()
    after = norms[place + 1 :]
    end = next((at for at, one in enumerate(after) if one.level <= heading.level), len(after))
    return after[:end]


def walk_up(norm: Norm | None, find: Callable[[str], Norm | None]) -> list[Norm]:
    """A norm and what it stands below, from the outermost inwards."""
    trail: list[Norm] = []
    while norm is not None and len(trail) < _DEEPEST:
        trail.append(norm)
        norm = find(norm.parent_id) if norm.parent_id else None
    return trail[::-1]


def build_contents(norms: Sequence[Norm], page: int, *, entire: bool) -> Contents:
    """As much of the contents as a page can be.

    Of a long law the deepest headings are left out until it fits, each of the others with the
    provisions that it holds; where there are no headings, the provisions come in pages.
    """
    recitals = [one for one in norms if one.kind is NormKind.RECITAL]
    shown = [one for one in norms if one.kind is not NormKind.RECITAL]
    top = min((one.level for one in shown), default=1)
    if entire or len(shown) <= _MOST_ROWS:
        rows = [Row(one, one.level - top) for one in shown[:_MOST_NORMS]]
        return Contents(rows, recitals, 1, 1, is_folded=False, is_cut=len(shown) > _MOST_NORMS)
    deepest = max(one.level for one in shown)
    while deepest > top and sum(one.level <= deepest for one in shown) > _MOST_ROWS:
        deepest -= 1
    rows = list(_fold(shown, deepest, top))
    pages = -(-len(rows) // _A_PAGE)
    page = min(page, pages)
    chosen = rows[(page - 1) * _A_PAGE : page * _A_PAGE]
    is_folded = len(rows) < len(shown)
    return Contents(chosen, recitals, page, pages, is_folded=is_folded, is_cut=False)


def _fold(norms: Sequence[Norm], deepest: int, top: int) -> list[Row]:
    rows: list[Row] = []
    held: list[Norm] = []
    for one in norms:
        if one.level <= deepest:
            _close(rows, held)
            held = []
            rows.append(Row(one, one.level - top))
        elif one.kind is not NormKind.HEADING:
            held.append(one)
    _close(rows, held)
    return rows


def _close(rows: list[Row], held: Sequence[Norm]) -> None:
    if rows and held:
        rows[-1] = Row(rows[-1].norm, rows[-1].depth, (held[0], held[-1]))


def list_beside(library: Library, norm: Norm) -> list[Norm]:
    """The provisions around a norm, below the same heading."""
    reach = 9
    around = library.store.list_provisions(
        norm.statute_id, norm.position - reach, norm.position + reach
    )
    return [one for one in around if one.parent_id == norm.parent_id]

"""The page of a provision: its text, what is known of it, and the ways on.

``as_of`` gives the text of that day, without it that of today is meant; with ``compare_to`` it
stands beside that of another; ``part`` is a part of a long text.
"""

from collections.abc import Mapping
from datetime import date
from functools import partial
from typing import Any

from starlette.responses import Response

from fundstelle.law.identifiers import drop_zeros_of_id
from fundstelle.law.norms import Fassung, Norm, NormKind, Statute, set_back
from fundstelle.lookup.addresses import norm_path
from fundstelle.lookup.dating.days import find_days, find_stand, find_stand_of_law
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import build_source_url
from fundstelle.lookup.validity.notes import find_validity
from fundstelle.portal.frame.addresses import write_own
from fundstelle.portal.frame.query import read_text
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.notices import Notice, list_notices_of_text, list_notices_of_texts
from fundstelle.portal.public.choosing import Choice, choose_text
from fundstelle.portal.public.citing import describe_citing
from fundstelle.portal.public.law import describe_contents, list_beside, show_law, walk_up
from fundstelle.portal.public.opening import render, show_missing, today
from fundstelle.portal.public.parts import ShownText, show_part
from fundstelle.portal.public.references import link_references
from fundstelle.portal.public.units import name_units, outline
from fundstelle.portal.reading import is_cut, read_norm
from fundstelle.portal.times import compare_texts, list_texts, read_as_of, read_days

_MENTIONS = 15  # references from other provisions that are looked at for a page


_NO_TEXT = ShownText((), {})


def show_norm(visit: Visit, library: Library) -> Response:
    """A provision with what cites it, or the contents of a law."""
    norm_id = visit.request.path_params["norm_id"]
    statute = library.store.statutes.get(norm_id)
    if statute is not None:
        return show_law(visit, library, statute)
    norm = library.store.find_norm(norm_id) or library.store.find_norm(drop_zeros_of_id(norm_id))
    if norm is None:
        return show_missing(visit, library, norm_id)
    on, days = read_as_of(visit), read_days(visit)
    if norm.norm_id != norm_id:
        query = visit.request.scope["query_string"]
        return visit.redirect(write_own(norm_path(norm.norm_id), query))
    statute = library.store.statutes[norm.statute_id]
    if days is not None:
        return _show_synopsis(visit, library, statute, norm, days)
    choice = choose_text(library, statute, norm, on, today())
    return _show_text(visit, library, statute, norm, choice)


def _show_text(
    visit: Visit, library: Library, statute: Statute, norm: Norm, choice: Choice
) -> Response:
    on = read_as_of(visit)
    fassung, is_older = choice.fassung, choice.is_older
    before, after = _find_around(library, norm)
    shown = set_back(norm, fassung)
    below: Mapping[str, Any] = {"contents": None}
    if norm.kind is NormKind.HEADING:
        below = describe_contents(visit, library, statute, norm)
    return render(
        visit,
        "norm.html",
        **{
            **below,
            "norm": shown,
            "statute": statute,
            "fassung": fassung,
            "trail": _find_trail(library, norm, shown),
            "beside": list_beside(library, norm),
            "texts": list_texts(library, statute, norm),
            "on": on,
            "notices": list_notices_of_text(visit, library, shown, fassung, on, today()),
            "text_status": choice.status,
            "is_older": is_older,
            "to_come": choice.to_come,
            "stand": find_stand(statute, fassung.stand)
            if fassung
            else find_stand_of_law(statute)[0],
            "days": find_days(library, statute, fassung) if fassung else None,
            "validity": find_validity(library, statute, fassung) if fassung else None,
            "text": _read_text(visit, library, norm, fassung, is_newest=choice.is_newest)
            if fassung
            else _NO_TEXT,
            "is_cut": fassung is not None and is_cut(fassung.text),
            "openings": outline(fassung) if fassung else [],
            "mentions": list_mentions(library, norm),
            "first": None,
            "last": None,
            "before": before,
            "after": after,
            "source_url": build_source_url(statute, norm),
            "address": visit.services.settings.base_url + norm_path(norm.norm_id, on),
            "norm_path": norm_path,
            **describe_citing(visit, library, norm.norm_id, f"{norm_path(norm.norm_id)}/decisions"),
        },
    )


def _read_text(
    visit: Visit, library: Library, norm: Norm, fassung: Fassung, *, is_newest: bool
) -> ShownText:
    statute = library.store.statutes[norm.statute_id]
    references = library.store.list_references_from(norm.norm_id) if is_newest else []
    blocks = read_norm(fassung, link_references(references, fassung.text, norm.norm_id))
    asked = read_text(visit, "part")
    name = partial(name_units, norm, statute, fassung.segments)
    return show_part(asked, blocks, name, statute.language)


def _find_trail(library: Library, norm: Norm, shown: Norm) -> list[tuple[str, str]]:
    """The headings above a norm: words and page. An earlier text may have stood below others."""
    held = walk_up(norm, library.store.find_norm)[:-1]
    if shown.hierarchy == norm.hierarchy and len(held) == len(norm.hierarchy):
        return list(zip(norm.hierarchy, (norm_path(one.norm_id) for one in held), strict=True))
    return [(words, "") for words in shown.hierarchy]


def list_mentions(library: Library, norm: Norm) -> tuple[list[Norm], int]:
    """The first other provisions that refer to a norm, and how many references there are."""
    found, total = library.store.list_references_to(norm.norm_id, _MENTIONS, 0)
    ids = dict.fromkeys(one.citing_id for one in found if one.citing_id != norm.norm_id)
    named = (library.store.find_norm(one) for one in ids)
    return [one for one in named if one is not None], total


def _find_around(library: Library, norm: Norm) -> tuple[Norm | None, Norm | None]:
    """The provisions before and behind a norm."""
    reach = 4  # headings may stand between
    around = library.store.list_provisions(
        norm.statute_id, norm.position - reach, norm.position + reach
    )
    before = [one for one in around if one.position < norm.position]
    after = [one for one in around if one.position > norm.position]
    return (before[-1] if before else None), (after[0] if after else None)


def _show_synopsis(
    visit: Visit, library: Library, statute: Statute, norm: Norm, days: tuple[date, date]
) -> Response:
    synopsis = compare_texts(library, statute, norm, days)
    notices: list[Notice] = []
    if synopsis is not None:
        notices = list_notices_of_texts(visit, library, norm, days, synopsis.texts)
    return render(
        visit,
        "synopsis.html",
        norm=norm,
        statute=statute,
        synopsis=synopsis,
        notices=notices,
        first=days[0],
        last=days[1],
        norm_path=norm_path,
    )

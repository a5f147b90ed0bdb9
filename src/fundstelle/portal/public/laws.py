"""The laws that are held: from A to Z, by their fields, and what changed in them last."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache

from starlette.responses import Response

from fundstelle.law.identifiers import fold
from fundstelle.law.norms import Statute
from fundstelle.lookup.addresses import norm_path
from fundstelle.lookup.dating.changed_laws import list_newest_changes
from fundstelle.lookup.library import Library
from fundstelle.portal.frame.query import Unreadable, check_page, read_page, read_text
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.public.opening import render, today
from fundstelle.tools.resources import read_domains

OTHER = "0-9"  # for abbreviations that begin with no letter
_A_PAGE = 200
_MOST_PAGES = 1_000
_CHANGES = 12
_LONGEST_NAME = 200
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Change:
    """What changed in a law on one day, and the page that shows it; ``kind`` names its text."""

    statute: Statute
    day: date
    kind: str
    count: int
    path: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field of law and the laws of it that are held, each with what of it matters there."""

    name: str
    laws: Sequence[tuple[Statute, str]]


def show_laws(visit: Visit, library: Library) -> Response:
    """The laws of a letter, those whose names hold some words, or the fields and newest changes."""
    name = read_text(visit, "name", _LONGEST_NAME).strip()
    words = fold(name).split()
    letters = (*_LETTERS, OTHER)
    letter = read_text(visit, "letter").upper()
    if letter and letter not in letters:
        raise Unreadable("letter", "choice", choices=", ".join(letters))
    page = read_page(visit)
    order = _order_laws(library)
    chosen = [
        law
        for first, names, law in order.rows
        if (words or (letter and not name))  # what is no word is in no name
        and (first == letter or not letter)
        and all(word in names for word in words)
    ]
    pages = min(_MOST_PAGES, -(-len(chosen) // _A_PAGE))
    check_page(page, pages)
    is_list = bool(name or letter)
    return render(
        visit,
        "laws.html",
        letters=[(one, order.counts.get(one, 0)) for one in letters],
        letter=letter,
        name=name,
        is_list=is_list,
        laws=chosen[(page - 1) * _A_PAGE : page * _A_PAGE],
        total=len(chosen) if is_list else len(order.rows),
        page=page,
        pages=pages,
        fields=[] if is_list else list_fields(library, visit.language),
        changes=[] if is_list else list_changes(library, _CHANGES),
        norm_path=norm_path,
    )


def list_changes(library: Library, most: int, statute_id: str | None = None) -> list[Change]:
    """The newest changes that were seen, of all laws or of one, newest first."""
    return [
        _describe(one.statute, one.day, one.is_exact, one.is_new, len(one.ordinals))
        for one in list_newest_changes(library, today(), most, statute_id)
    ]


def _describe(
    statute: Statute,
    day: date,
    is_exact: bool,
    is_new: bool,
    count: int,
) -> Change:
    kind = "in_force" if is_exact else "new" if is_new else "seen"
    if not is_exact and not statute.has_looks:
        kind = "version"
    path = norm_path(statute.statute_id, None if is_new else day)
    if not is_new:
        path += f"&compare_to={(day - timedelta(days=1)).isoformat()}"
    return Change(statute, day, kind, count, path)


def list_fields(library: Library, language: str) -> list[Field]:
    """The fields of law (``legal://rechtsrahmen``) with those of their laws that are held."""
    statutes = library.store.statutes
    order = _order_laws(library)
    fields = []
    for one in read_domains():
        ids = (
            f"eu/{law['celex']}" if "celex" in law else order.by_name.get(fold(law["law"]), "")
            for law in one["laws"]
        )
        held = [
            (statutes[found], str(law.get("scope", "")))
            for found, law in zip(ids, one["laws"], strict=True)
            if found in statutes
        ]
        if held:
            fields.append(Field(str(one["domain" if language == "de" else "domain_en"]), held))
    return fields


@dataclass(frozen=True, slots=True)
class _Order:
    """The laws of a build by abbreviation, with their letters and folded names, worked out once."""

    rows: Sequence[tuple[str, str, Statute]]  # letter, folded names, law
    by_name: Mapping[str, str]  # ids of those that are listed, by folded abbreviation
    counts: Mapping[str, int]  # by letter


def _order_laws(library: Library) -> _Order:
    statutes = library.store.statutes
    return _order(library.store.manifest.release, _Same(statutes.values()))


class _Same:
    """Laws that are not compared: the release beside them says whether they are the same."""

    def __init__(self, statutes: Iterable[Statute]) -> None:
        self.statutes = statutes

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same)

    def __hash__(self) -> int:
        return 0


@lru_cache(maxsize=2)  # a new build, and the one before it
def _order(_release: str, laws: _Same) -> _Order:
    ordered = sorted(laws.statutes, key=lambda one: (fold(one.abbreviation), one.statute_id))
    rows = [(_find_letter(one), _fold_names(one), one) for one in ordered]
    names = {
        fold(name): one.statute_id
        for one in ordered
        if one.listed
        for name in (*one.abbreviations_juris, one.abbreviation)
    }
    return _Order(rows, names, Counter(letter for letter, _, _ in rows))


def _find_letter(statute: Statute) -> str:
    first = fold(statute.abbreviation)[:1].upper()
    return first if first and first in _LETTERS else OTHER


def _fold_names(statute: Statute) -> str:
    names = (
        statute.abbreviation,
        statute.abbreviation_official or "",
        *statute.abbreviations_juris,
        statute.short_title or "",
        statute.title,
    )
    return fold(" ".join(names))

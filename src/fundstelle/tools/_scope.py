"""The filters of a search, turned into what the index and the store can compare."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from fundstelle.errors import InvalidArgument
from fundstelle.law.identifiers import fold
from fundstelle.law.norms import Norm, Statute
from fundstelle.lookup.library import Library
from fundstelle.tools._arguments import wrong_filter
from fundstelle.tools._references import Missing, find_laws, find_norm

_MOST_CITING = 5_000
_OF_STATUTES = ("source_type", "jurisdiction", "document_kind")
_NONE_YET = {
    "court": "No court decisions are in the corpus yet; court matches nothing.",
    "decision_type": "No court decisions are in the corpus yet; decision_type matches nothing.",
}


@dataclass(slots=True)
class Scope:
    """Where a search may look. ``is_empty``: nothing can match, the warnings say why."""

    filters: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ancestors: list[int] | None = None
    ordinals: list[int] | None = None
    day_from: int | None = None
    day_to: int | None = None
    is_empty: bool = False
    warnings: list[str] = field(default_factory=list)

    def exclude_all(self, warning: str) -> None:
        """Nothing can match, because of this."""
        self.is_empty = True
        self.warnings.append(warning)


def build_scope(arguments: Mapping[str, Any], library: Library, on: date) -> Scope:
    """Read the filters.

    Raises:
        InvalidFilter: a filter names a law or norm that does not exist.
        InvalidArgument: the days are in the wrong order.
    """
    scope = Scope()
    for name in _OF_STATUTES:
        if arguments[name] is not None:
            _limit_to(scope, name, arguments[name], library)
    for name, warning in _NONE_YET.items():
        if arguments[name] is not None:
            scope.exclude_all(warning)
    if arguments["law_abbreviation"] is not None:
        statutes = _find_statutes(arguments["law_abbreviation"], library, on)
        scope.filters["statute_id"] = tuple(statute.statute_id for statute in statutes)
    if arguments["chapter"] is not None:
        _limit_to_chapter(scope, arguments["chapter"], library)
    if arguments["cited_norm"] is not None:
        _limit_to_citing(scope, arguments["cited_norm"], library, on)
    _limit_days(scope, arguments["date_from"], arguments["date_to"])
    _mind_day(scope, arguments["as_of"], library)
    if arguments["language"] == "en":
        scope.warnings.append("No English texts are in the corpus; German ones are shown.")
    return scope


def _limit_to(scope: Scope, name: str, value: str, library: Library) -> None:
    scope.filters[name] = (value,)
    if not any(getattr(statute, name) == value for statute in library.store.statutes.values()):
        scope.exclude_all(f"Nothing with {name} {value} is in the corpus.")


def _find_statutes(written: str, library: Library, on: date) -> list[Statute]:
    found = find_laws(library, written, on)
    if isinstance(found, Missing):
        raise wrong_filter("law_abbreviation", written, found.names, "BGB")
    return found


def _limit_to_chapter(scope: Scope, chapter: str, library: Library) -> None:
    scope.ancestors = library.store.find_headings(fold(chapter))
    if not scope.ancestors:
        scope.exclude_all(f"No heading contains {chapter[:60]!r}; legal_get_toc shows headings.")


def _limit_to_citing(scope: Scope, cited: str, library: Library, on: date) -> None:
    target = find_norm(library, cited, on)
    if isinstance(target, Missing):
        raise wrong_filter("cited_norm", cited, target.names, "§ 280 BGB")
    cited_id = target.norm_id if isinstance(target, Norm) else target.statute_id
    references, total = library.store.list_references_to(cited_id, _MOST_CITING, 0)
    if total > len(references):
        scope.warnings.append(
            f"cited_norm: only the first {len(references):,} of {total:,} references were used."
        )
    citing = dict.fromkeys(reference.citing_id for reference in references)
    ordinals = (library.store.find_ordinal(norm_id) for norm_id in citing)
    scope.ordinals = [ordinal for ordinal in ordinals if ordinal is not None]
    if not scope.ordinals:
        scope.exclude_all(f"No norm of the corpus cites {cited[:60]!r}.")


def _limit_days(scope: Scope, first: date | None, last: date | None) -> None:
    if first is not None and last is not None and first > last:
        raise InvalidArgument(
            "date_from must not be after date_to", field="date_from", example="2020-01-01"
        )
    scope.day_from = to_number(first) if first else None
    scope.day_to = to_number(last) if last else None


def to_number(day: date) -> int:
    """A day as the index holds it: YYYYMMDD."""
    return day.year * 10_000 + day.month * 100 + day.day


def _mind_day(scope: Scope, as_of: date | None, library: Library) -> None:
    """A day before the archive begins finds nothing, rather than today's law under its date."""
    floor = library.store.manifest.archive_floor
    if as_of is not None and as_of < floor:
        scope.exclude_all(
            f"The corpus cannot speak for {as_of}: it begins on {floor} (archive_floor)."
        )


def admits(scope: Scope, norm: Norm, ordinal: int, library: Library) -> bool:
    """Whether a norm that the query cites passes the filters."""
    statute = library.store.statutes[norm.statute_id]
    if any(getattr(statute, name) not in wanted for name, wanted in scope.filters.items()):
        return False
    if scope.ordinals is not None and ordinal not in scope.ordinals:
        return False
    if scope.ancestors is not None and not _stands_below(norm, scope.ancestors, library):
        return False
    return _is_between(scope, norm, library)


def _stands_below(norm: Norm, ancestors: list[int], library: Library) -> bool:
    parent_id = norm.parent_id
    while parent_id is not None:
        if library.store.find_ordinal(parent_id) in ancestors:
            return True
        parent = library.store.find_norm(parent_id)
        parent_id = parent.parent_id if parent else None
    return False


def _is_between(scope: Scope, norm: Norm, library: Library) -> bool:
    if scope.day_from is None and scope.day_to is None:
        return True
    fassung = library.store.find_fassung(norm.norm_id)
    if fassung is None:
        return False
    day = to_number(fassung.in_force_from or fassung.stand)
    return (scope.day_from or 0) <= day <= (scope.day_to or 99_999_999)

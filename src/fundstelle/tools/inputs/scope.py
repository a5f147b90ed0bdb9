"""The filters of a search, turned into what the index and the store can compare."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from fundstelle.errors import InvalidArgument
from fundstelle.law.decisions import Decision
from fundstelle.law.identifiers import fold
from fundstelle.law.norms import Norm, NormKind, Statute
from fundstelle.lookup.answers import LawHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.withheld import KEY_REACHES_NONE
from fundstelle.tools.inputs.arguments import wrong_filter
from fundstelle.tools.inputs.cited import find_cited
from fundstelle.tools.inputs.named_versions import ask_version
from fundstelle.tools.inputs.references import Missing, find_laws

_MOST_CITING = 5_000
_MOST_HEADINGS = 4_000  # one letter stands in 14,000, each of which costs in every ranking
_OF_DOCUMENTS = ("source_type", "jurisdiction", "document_kind")
_OF_DECISIONS = ("court", "decision_type")
_NONE_YET = "No court decisions are in the corpus yet; {} matches nothing."


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
    for name in _OF_DOCUMENTS:
        if arguments[name] is not None:
            _limit_to(scope, name, arguments[name], library)
    for name in _OF_DECISIONS:
        if arguments[name] is not None:
            _limit_to_decisions(scope, name, arguments[name], library)
    if arguments["law_abbreviation"] is not None:
        statutes = _find_statutes(arguments["law_abbreviation"], library, on, arguments["language"])
        scope.filters["statute_id"] = tuple(statute.statute_id for statute in statutes)
        scope.warnings += _warn_of_version(arguments["law_abbreviation"], library, on)
    if arguments["chapter"] is not None:
        _limit_to_chapter(scope, arguments["chapter"], library)
    if arguments["cited_norm"] is not None:
        _limit_to_citing(scope, arguments["cited_norm"], library, on)
    _limit_days(scope, arguments["date_from"], arguments["date_to"])
    _mind_day(scope, arguments["as_of"], library)
    if arguments["language"] == "en" and not holds_english(library):
        scope.warnings.append("No English texts are in the corpus; German ones are shown.")
    return scope


def holds_english(library: Library) -> bool:
    """Whether any law is held in English."""
    return any(statute.language == "en" for statute in library.store.statutes.values())


def _limit_to(scope: Scope, name: str, value: str, library: Library) -> None:
    scope.filters[name] = (value,)
    if any(getattr(statute, name) == value for statute in library.store.statutes.values()):
        return
    decisions = library.withheld or library.decisions
    held = set(decisions.count_by_source())
    values = {
        "source_type": held,
        "jurisdiction": set(decisions.count_by_jurisdiction()),
        "document_kind": {"decision"} if held else set(),
    }
    if value not in values[name]:
        scope.exclude_all(f"Nothing with {name} {value} is in the corpus.")
    elif library.withheld is not None:
        scope.exclude_all(KEY_REACHES_NONE)


def _limit_to_decisions(scope: Scope, name: str, value: str, library: Library) -> None:
    scope.filters[name] = (value,)
    if library.withheld is not None:
        scope.exclude_all(KEY_REACHES_NONE)
    elif not library.decisions.count():
        scope.exclude_all(_NONE_YET.format(name))
    elif name == "court" and value not in library.decisions.count_by_court():
        scope.exclude_all(f"No decisions of {value} are in the corpus.")


def _find_statutes(written: str, library: Library, on: date, language: str) -> list[Statute]:
    found = find_laws(library, written, on, language)
    if isinstance(found, Missing):
        raise wrong_filter("law_abbreviation", written, found.names, "BGB")
    return found


def _warn_of_version(written: str, library: Library, on: date) -> list[str]:
    """That a filter names a day of the law, which does not set the day of the texts."""
    named = ask_version(library, written, on)
    day = named.on if isinstance(named, LawHit) else None
    if day is None or day == on:
        return []
    warning = (
        f"law_abbreviation: {written!r} is the law of {day}, and the texts are those of {on}; ask"
        f" with as_of {day} for those of that day."
    )
    return [warning]


def _limit_to_chapter(scope: Scope, chapter: str, library: Library) -> None:
    found = library.store.find_headings(fold(chapter))
    if len(found) > _MOST_HEADINGS and "statute_id" in scope.filters:
        below = _list_headings(scope.filters["statute_id"], library)
        found = [ordinal for ordinal in found if ordinal in below]
    if len(found) > _MOST_HEADINGS:
        scope.warnings.append(
            f"chapter: {len(found):,} headings contain {chapter[:60]!r}, and only the first"
            f" {_MOST_HEADINGS:,} were used; write more of the heading, or name the law."
        )
    scope.ancestors = found[:_MOST_HEADINGS]
    if not scope.ancestors:
        scope.exclude_all(f"No heading contains {chapter[:60]!r}; legal_get_toc shows headings.")


def _list_headings(statute_ids: Sequence[str], library: Library) -> set[int]:
    """The ordinals of the headings of some laws, which count on from their first norm."""
    ordinals: set[int] = set()
    for statute_id in statute_ids:
        headings = library.store.list_norms(statute_id, NormKind.HEADING)
        first = library.store.find_ordinal(headings[0].norm_id) if headings else None
        if first is not None:
            begin = first - headings[0].position
            ordinals.update(begin + heading.position for heading in headings)
    return ordinals


def _limit_to_citing(scope: Scope, written: str, library: Library, on: date) -> None:
    cited = find_cited(library, written, on)
    scope.warnings += cited.warnings
    if not cited.ids:  # withheld, as the warnings say
        scope.is_empty = True
        return
    base, room, total = library.decisions.base, _MOST_CITING, 0
    ordinals: dict[int, None] = {}
    for cited_id in cited.ids:
        references, held = library.store.list_references_to(cited_id, room, 0)
        room, total = room - len(references), total + held
        found = (library.store.find_ordinal(reference.citing_id) for reference in references)
        ordinals.update((ordinal, None) for ordinal in found if ordinal is not None)
        decisions = library.decisions.list_citing_ordinals(cited_id)
        ordinals.update((base + number, None) for number in decisions)
    if total > _MOST_CITING:
        scope.warnings.append(
            f"cited_norm: only the first {_MOST_CITING:,} of {total:,} references were used."
        )
    scope.ordinals = list(ordinals)
    if not scope.ordinals:
        scope.exclude_all(
            f"Nothing in the corpus cites {written[:60]!r}."
            if library.withheld is None
            else f"No provision in the corpus cites {written[:60]!r}. {KEY_REACHES_NONE}"
        )


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


def admits(scope: Scope, held: Norm | Decision, ordinal: int, library: Library) -> bool:
    """Whether a norm or decision that the query cites passes the filters."""
    if not all(_get_value(library, held, name) in wanted for name, wanted in scope.filters.items()):
        return False
    if scope.ordinals is not None and ordinal not in scope.ordinals:
        return False
    if scope.ancestors is not None and not _stands_below(held, scope.ancestors, library):
        return False
    return _is_between(scope, held, library)


def _get_value(library: Library, held: Norm | Decision, name: str) -> str | None:
    """What the index holds of a norm or decision under the name of a filter."""
    if isinstance(held, Decision) and name == "document_kind":
        return "decision"
    named = held if isinstance(held, Decision) else library.store.statutes[held.statute_id]
    value: str | None = getattr(named, name, None)
    return value


FACETS = ("source_type", "court", "year")


def read_facets(library: Library, ordinal: int) -> dict[str, str]:
    """The values of one text under the facets of the index."""
    base = library.decisions.base
    held: Norm | Decision
    if ordinal < base:
        held = library.store.get_norms_by_ordinal([ordinal])[0]
        source_type, court = library.store.statutes[held.statute_id].source_type, ""
    else:
        held = library.decisions.get_by_ordinal([ordinal - base])[0]
        source_type, court = held.source_type, held.court
    day = _find_day(held, library)
    values = {"source_type": source_type, "court": court, "year": str(day.year) if day else ""}
    return {name: value for name, value in values.items() if value}


def _stands_below(held: Norm | Decision, ancestors: list[int], library: Library) -> bool:
    parent_id = None if isinstance(held, Decision) else held.parent_id
    while parent_id is not None:
        ordinal = library.store.find_ordinal(parent_id)
        if ordinal is not None:
            at = bisect_left(ancestors, ordinal)  # there may be thousands, in ascending order
            if ancestors[at : at + 1] == [ordinal]:
                return True
        parent = library.store.find_norm(parent_id)
        parent_id = parent.parent_id if parent else None
    return False


def _is_between(scope: Scope, held: Norm | Decision, library: Library) -> bool:
    if scope.day_from is None and scope.day_to is None:
        return True
    day = _find_day(held, library)
    if day is None:
        return False
    return (scope.day_from or 0) <= to_number(day) <= (scope.day_to or 99_999_999)


def _find_day(held: Norm | Decision, library: Library) -> date | None:
    """The day of a decision; the first known day of the newest text of a norm."""
    if isinstance(held, Decision):
        return held.issued_on
    fassung = library.store.find_fassung(held.norm_id)
    return None if fassung is None else fassung.filter_day

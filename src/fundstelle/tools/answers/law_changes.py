"""What changed in a law between two days, as ``legal_get_toc`` shows it."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, NotRequired, TypedDict

from fundstelle.law.norms import Norm, NormStatus, Statute
from fundstelle.lookup.answers import Evidence, Means, Miss, NextCall
from fundstelle.lookup.context.law_changes import KINDS, LawComparison, NormChange
from fundstelle.lookup.dating.days import find_stand_of_law
from fundstelle.lookup.library import Library
from fundstelle.tools.answers.budgets import ROW, measure, shorten
from fundstelle.tools.answers.schema import Values

_LEAST_TITLE = 24


class ShownRow(TypedDict):
    """A row of a table of contents, or of what changed in it."""

    norm_id: Annotated[str, "Id."]
    citation: Annotated[str, "Citation, or the label of a heading."]
    title: NotRequired[Annotated[str, "Title; the beginning of a long one in concise."]]
    level: NotRequired[Annotated[int, "1 = directly below the law; not with compare_to."]]
    path: NotRequired[Annotated[str, "Labels from the law down to here, in detailed."]]
    children_count: NotRequired[
        Annotated[int, "Rows directly below; in concise where depth leaves them out."]
    ]
    status: NotRequired[Annotated[NormStatus, "Status; in_force is left out in concise."]]
    change: NotRequired[Annotated[str, "With compare_to: what became of it.", Values(KINDS)]]
    was: NotRequired[Annotated[str, "Of what is renumbered: its designation before."]]
    was_norm_id: NotRequired[Annotated[str, "The id of that, in detailed."]]
    seen: NotRequired[Annotated[date, "Look that first showed it so: no day of coming into force."]]
    not_seen_before: NotRequired[Annotated[date, "Last look that did not, in detailed."]]
    valid_from: NotRequired[Annotated[date, "First day in force, where something says so."]]
    version_date: NotRequired[Annotated[date, "Day of that version, where no look is known."]]


def describe_change(change: NormChange, *, detailed: bool) -> ShownRow:
    """One provision that is another, or none, on the later day."""
    norm, days = change.norm, change.days
    row: ShownRow = {"norm_id": norm.norm_id, "citation": norm.citation, "change": change.kind}
    if change.was is not None:
        row["was"] = change.was.label
        if detailed:
            row["was_norm_id"] = change.was.norm_id
    if days.valid_from is not None:
        row["valid_from"] = days.valid_from
    elif days.first_seen is not None:
        row["seen"] = days.first_seen
        if detailed and days.not_seen_before is not None:
            row["not_seen_before"] = days.not_seen_before
    elif change.held_from is not None:
        row["version_date"] = change.held_from
    if norm.title:
        row["title"] = norm.title if detailed else _fit(row, norm)
    return row


def _fit(row: ShownRow, norm: Norm) -> str:
    """The title of a row in what is left of its budget; its beginning is there in any case."""
    title = norm.title or ""
    return shorten(title, max(ROW - measure({**row, "title": ""}), _LEAST_TITLE))


def find_gap(
    library: Library, statute: Statute, written: str, days: tuple[date, date]
) -> Miss | None:
    """The miss where nobody looked at the law between two days."""
    first, last = days
    stand, _ = find_stand_of_law(statute)
    if first == last or first < stand:
        return None
    name = statute.abbreviation
    return Miss(
        written,
        "outside_coverage",
        f"The corpus cannot say what changed in {name} between {first.isoformat()} and"
        f" {last.isoformat()}: its newest text is that of {stand.isoformat()}.",
        f"Compare days up to {stand.isoformat()}, or consult the publisher:"
        f" {statute.source_url or statute.publisher_id}",
        Evidence(archive_floor=statute.first_look or library.store.manifest.archive_floor),
        hint=NextCall(Means.CONTENTS, statute.statute_id, stand),
    )


def warn_of_comparison(
    found: LawComparison, shown: Sequence[NormChange], statute: Statute, days: tuple[date, date]
) -> list[str]:
    """What to mind of a comparison: days between two looks, and that nothing was found."""
    first, last = (day.isoformat() for day in days)
    warnings = []
    if not shown:
        warnings.append(
            f"No provision of {statute.abbreviation} asked for is another on {last} than on"
            f" {first}, as far as it was seen."
        )
    if found.perhaps_before:
        warnings.append(
            f"{first} lies between two texts that are known: {found.perhaps_before} of the changes"
            " may have come before that day."
        )
    if found.perhaps_more:
        warnings.append(
            f"{last} lies between two texts that are known: {found.perhaps_more} provisions were"
            " different after it and may have been so on that day."
        )
    return warnings


def count_kinds(shown: Sequence[NormChange]) -> Mapping[str, int]:
    """How many there are of each kind."""
    counts = {kind: sum(change.kind == kind for change in shown) for kind in KINDS}
    return {kind: count for kind, count in counts.items() if count}

"""What sets the texts of today apart from those that decisions applied on their day."""

from collections.abc import Iterator, Sequence
from datetime import date

from fundstelle.corpus.decisions import CitingDecision
from fundstelle.law.decisions import Decision
from fundstelle.lookup.decisions.applied import Applied, Standing, find_standing
from fundstelle.lookup.library import Library

_NAMED = 8


def warn_of_age(
    library: Library, cited_id: str, found: Sequence[CitingDecision], today: date
) -> Iterator[str]:
    """What sets the text of today of a norm or law apart from the one that decisions applied."""
    standing = find_standing(library, cited_id, today) if found else None
    if standing is None:
        return
    if standing.repealed:
        yield f"{standing.citation} is repealed today."
    days = [one.decision.issued_on for one in found if one.decision.issued_on is not None]
    for applied in Applied:
        of_kind = [day for day in days if standing.read(day) is applied]
        if of_kind and (said := _say_of_decisions(standing, applied, of_kind)) is not None:
            yield said


def _say_of_decisions(standing: Standing, applied: Applied, days: Sequence[date]) -> str | None:
    """A sentence on the decisions of these days, which are shown; all of them have one answer."""
    name, count = standing.citation, len(days)
    named = ", ".join(day.isoformat() for day in sorted(set(days)))
    match applied:
        case Applied.OTHER_LAW if standing.law_since is not None:
            return (
                f"{standing.law} is a law of {standing.law_since.isoformat()}; older decisions"
                f" shown here ({count}) cite an earlier law of that name."
            )
        case Applied.OLDER:
            return (
                f"{name} read differently on the days of decisions shown here ({count}) than today;"
                f" as_of the day of the decision gives the text of that day: {named}."
            )
        case Applied.BETWEEN:
            return (
                f"{name} changed between two days on which its text is known; which text applied on"
                f" the days of decisions shown here ({count}) is not known here: {named}."
            )
        case Applied.NONE:
            return (
                f"No text of {name} in force is held for the days of decisions shown here"
                f" ({count}): {named}."
            )
        case Applied.NOT_HELD:
            return (
                f"The text of {name} is known from {standing.floor.isoformat()} on; that of the"
                f" days of older decisions shown here ({count}) is not held and may have been"
                " another."
            )
        case _:
            return None


def warn_of_cited(
    library: Library, cited_ids: Sequence[str], decision: Decision, today: date
) -> Iterator[str]:
    """What sets the texts of today of cited norms apart from those that a decision applied."""
    found = (find_standing(library, cited_id, today) for cited_id in dict.fromkeys(cited_ids))
    standings = [standing for standing in found if standing is not None]
    repealed = [one.citation for one in standings if one.repealed]
    if repealed:
        yield f"Repealed today, so not the text that the court applied: {_name(repealed)}."
    day = decision.issued_on
    if day is None:
        return
    on = day.isoformat()
    by_kind: dict[Applied, list[Standing]] = {}
    for standing in standings:
        by_kind.setdefault(standing.read(day), []).append(standing)
    other_law = [one.law for one in by_kind.get(Applied.OTHER_LAW, ())]
    if other_law:
        yield (
            f"Enacted only after this decision of {on}, which cites an earlier law of that name:"
            f" {_name(other_law)}."
        )
    older = [one.citation for one in by_kind.get(Applied.OLDER, ())]
    if older:
        yield f"Changed since this decision (as_of {on} gives the text of its day): {_name(older)}."
    outside = by_kind.get(Applied.NOT_HELD, ())
    changed = [one.citation for one in outside if one.has_changed]
    if changed:
        yield f"Changed since this decision, and the text of {on} is not held: {_name(changed)}."
    between = [one.citation for one in by_kind.get(Applied.BETWEEN, ())]
    if between:
        yield (
            f"Which text of these applied on {on}, between two days on which it is known, is not"
            f" known here: {_name(between)}."
        )
    without = [one.citation for one in by_kind.get(Applied.NONE, ())]
    if without:
        yield f"No text in force on {on} is held of these: {_name(without)}."
    unknown = [one.floor for one in outside if not one.has_changed]
    if unknown:
        yield (
            f"The links lead to texts known from {max(unknown).isoformat()} on; those of {on}"
            " are not held and may differ."
        )


def _name(names: Sequence[str]) -> str:
    different = list(dict.fromkeys(names))
    more = ", …" if len(different) > _NAMED else ""
    return ", ".join(different[:_NAMED]) + more

"""Before which day an act of the Union is not in force, and from which one it applies."""

from datetime import date

from fundstelle.law.application import Application
from fundstelle.law.norms import DatePrecision, Statute


def find_entry(statute: Statute) -> date | None:
    """The day before which nothing of an act was in force; ``None`` where it is not known."""
    return statute.in_force_from if statute.date_precision.is_in_force else None


def is_before_entry(statute: Statute, on: date) -> bool:
    """Whether nothing of an act was in force on that day: the day of its entry is known."""
    begins = find_entry(statute)
    return begins is not None and on < begins


def say_entry(statute: Statute) -> str:
    """What the day of entry into force rests on."""
    begins = statute.in_force_from
    assert begins is not None
    journal = statute.published_on
    if statute.date_precision is DatePrecision.TREATY:
        rests = "as Article 297 TFEU has it, since the act names no day"
    else:
        rests = "by its own words"
    printed = f"; the Official Journal is of {journal.isoformat()}" if journal else ""
    return f"{statute.abbreviation} came into force on {begins.isoformat()} {rests}{printed}."


def warn_of_application(statute: Statute, on: date) -> tuple[str, ...]:
    """A sentence where the act, or a part of it, applies only from a day after ``on``."""
    said = _find_said(statute, on)
    if said is None or on >= said.latest:
        return ()
    law, place = statute.abbreviation, f"Art. {said.number.removeprefix('art_')}"
    if said.general is None or on >= said.general:
        day = said.latest.isoformat()
        return (f"Some of {law} applies from later days only, the last {day} ({place} {law}).",)
    others = ", some of it from other days" if said.is_divided else ""
    return (f"{law} applies from {said.general.isoformat()} on{others} ({place} {law}).",)


def _find_said(statute: Statute, on: date) -> Application | None:
    """What the text of that day says of it."""
    then = [one for one in statute.applications if one.since is None or one.since <= on]
    return (then or statute.applications or (None,))[-1 if then else 0]

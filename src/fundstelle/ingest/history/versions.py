"""One statute through several snapshots: which fassung held over which days."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from fundstelle.ingest.history.acts import list_acts
from fundstelle.ingest.history.commencing import Records, commence
from fundstelle.ingest.history.identity import History, rename
from fundstelle.ingest.history.last_change import find_last_change
from fundstelle.ingest.history.noted import find_noted_day
from fundstelle.ingest.records import ParsedStatute
from fundstelle.law.norms import (
    DatePrecision,
    Enactment,
    Fassung,
    Headings,
    Norm,
    NormKind,
    NormStatus,
    Statute,
)


@dataclass(frozen=True, slots=True)
class State:
    """A statute as one look showed it; ``last_seen`` is the last look that found it so."""

    parsed: ParsedStatute
    last_seen: date

    @property
    def day(self) -> date:
        """The look that showed it first."""
        return self.parsed.statute.stand


def merge(
    states: Iterable[State], *, first_seen: bool, listed: bool, records: Records | None = None
) -> tuple[Statute, list[History]] | None:
    """A statute as its newest look has it, each norm with all its fassungen, oldest first.

    ``states`` are oldest first, and only one at a time is held; without any there is no statute.
    ``first_seen``: the oldest of them is where the law appeared. ``records`` is what parliament
    says of acts.
    """
    later = iter(states)
    oldest = next(later, None)
    if oldest is None:
        return None
    histories: Sequence[History] = [
        (norm, (_date(fassung, oldest.day) if first_seen else fassung,))
        for norm, fassung in oldest.parsed.norms
    ]
    histories = _confirm(histories, oldest)
    statute = replace(
        oldest.parsed.statute,
        stand=oldest.last_seen,
        first_look=oldest.day,
        last_change=None if first_seen else find_last_change(oldest.parsed.statute),
    )
    return resume(statute, histories, later, listed=listed, records=records)


def resume(  # noqa: PLR0913 what is known of a statute
    statute: Statute,
    histories: Sequence[History],
    states: Iterable[State],
    *,
    listed: bool,
    confirmed: date | None = None,
    records: Records | None = None,
) -> tuple[Statute, list[History]]:
    """As ``merge``, going on from what an earlier build holds; ``states`` may be empty.

    ``confirmed`` is the last look that found the law as the earlier build has it.
    """
    if confirmed is not None:
        histories = _confirm(histories, State(ParsedStatute(statute, ()), confirmed))
        statute = replace(statute, stand=confirmed)
    for state in states:
        looks = statute.stand, state.day
        acts = list_acts(state.parsed.statute) - list_acts(statute)
        statute = replace(
            state.parsed.statute,
            stand=state.last_seen,
            first_look=statute.first_look,
            last_change=statute.last_change,
        )
        came = _Step(*looks, tuple(sorted(acts)))
        histories = _confirm(_step(histories, state.parsed, came), state)
    numbered = [
        (replace(norm, position=position), fassungen)
        for position, (norm, fassungen) in enumerate(commence(histories, records))
    ]
    return replace(statute, listed=listed), numbered


def _confirm(histories: Sequence[History], state: State) -> Sequence[History]:
    """The texts that a look showed and later ones found unchanged."""
    if state.last_seen == state.day:
        return histories
    return [
        (norm, fassungen)
        if fassungen[-1].in_force_until is not None
        else (norm, (*fassungen[:-1], replace(fassungen[-1], stand=state.last_seen)))
        for norm, fassungen in histories
    ]


@dataclass(frozen=True, slots=True)
class _Step:
    """From one look to the next: the acts that the notes have named since."""

    without: date
    day: date
    acts: tuple[str, ...]


def _step(before: Sequence[History], state: ParsedStatute, step: _Step) -> list[History]:
    """The histories after one more snapshot; norms that are gone stay where they stood."""
    before = rename(before, state.norms)
    known = {norm.norm_id: (norm, fassungen) for norm, fassungen in before}
    present = {norm.norm_id for norm, _ in state.norms}
    after: list[History] = [
        (norm, _extend(known.get(norm.norm_id), norm, fassung, step))
        for norm, fassung in state.norms
    ]
    return _insert_gone(after, before, present, step.day)


def _extend(
    before: History | None, norm: Norm, fassung: Fassung, step: _Step
) -> tuple[Fassung, ...]:
    """The fassungen with one more, if its words, its heading or its status are new."""
    if before is None:
        return (_begin(fassung, step),)
    old, known = before
    last = known[-1]
    unchanged = (last.text_sha256, last.status, old.title) == (
        fassung.text_sha256,
        fassung.status,
        norm.title,
    )
    if unchanged and last.in_force_until is None:
        kept = replace(
            fassung,
            in_force_from=last.in_force_from,
            date_precision=last.date_precision,
            enactment=last.enactment,
        )
        return (*known[:-1], kept)
    new = _begin(fassung, step)
    ended = replace(
        _end(last, new.in_force_from or step.day), headings=Headings(old.title, old.hierarchy)
    )
    return (*known[:-1], ended, new)


def _begin(fassung: Fassung, step: _Step) -> Fassung:
    """In force since the day that its notes name and the looks bear out, else as first seen."""
    if step.acts:
        enactment = Enactment(step.acts, step.without, step.day)
        fassung = replace(fassung, enactment=enactment)
    noted = find_noted_day(fassung.notes, step.without, step.day)
    if noted is None:
        return _date(fassung, step.day)
    return replace(fassung, in_force_from=noted, date_precision=DatePrecision.EXACT)


def _date(fassung: Fassung, day: date) -> Fassung:
    """In force since the day of the snapshot, unless the publisher says since when."""
    if fassung.in_force_from is not None:
        return fassung
    return replace(fassung, in_force_from=day, date_precision=DatePrecision.FIRST_SEEN)


def _end(fassung: Fassung, day: date) -> Fassung:
    return fassung if fassung.in_force_until else replace(fassung, in_force_until=day)


def _insert_gone(
    after: Sequence[History], before: Sequence[History], present: set[str], day: date
) -> list[History]:
    gone = _keep_gone(before, present)
    followers: dict[str | None, list[History]] = {}
    anchor: str | None = None
    held = present | {norm.norm_id for norm in gone}
    for norm, fassungen in before:
        if norm.norm_id in present:
            anchor = norm.norm_id
        elif norm in gone:
            parent_id = norm.parent_id if norm.parent_id in held else None
            ended = replace(norm, status=NormStatus.REPEALED, parent_id=parent_id)
            kept = (ended, (*fassungen[:-1], _end(fassungen[-1], day)))
            followers.setdefault(anchor, []).append(kept)
    result = list(followers.get(None, ()))
    for norm, fassungen in after:
        result.append((norm, fassungen))
        result.extend(followers.get(norm.norm_id, ()))
    return result


def _keep_gone(before: Sequence[History], present: set[str]) -> dict[Norm, None]:
    """Norms no longer there, with the headings that still have something of theirs below."""
    gone = {norm.norm_id: norm for norm, _ in before if norm.norm_id not in present}
    kept = {norm_id for norm_id, norm in gone.items() if norm.kind is not NormKind.HEADING}
    for norm_id in tuple(kept):
        kept.update(_ancestors(norm_id, gone))
    return {norm: None for norm_id, norm in gone.items() if norm_id in kept}


def _ancestors(norm_id: str, norms: dict[str, Norm]) -> Iterable[str]:
    parent_id = norms[norm_id].parent_id
    while parent_id is not None and parent_id in norms:
        yield parent_id
        parent_id = norms[parent_id].parent_id

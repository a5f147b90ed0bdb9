"""Which records are of one decision: those that were read, and those of the live build.

What is held takes part as if it had been read, too, so that updates in turn give what a build from
nothing gives. A document that its publisher corrected is what it is now: under whatever id it was
held, it is no longer held there.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from heapq import merge
from itertools import groupby
from operator import attrgetter
from typing import BinaryIO, NamedTuple

from fundstelle.corpus.ingestion import WholeStore
from fundstelle.ingest.history.carry import Carried, Held, list_kept, read_carried
from fundstelle.ingest.records import ParsedDecision
from fundstelle.ingest.sources.decision_text.merge import (
    Number,
    find_number,
    group_records,
    merge_records,
    update_record,
)
from fundstelle.ingest.spools import DecisionSpool, Group, Record, read_decision
from fundstelle.law.decisions import Decision


class HeldRecord(NamedTuple):
    """A decision of the live build."""

    number: int
    outdated: frozenset[Number] = frozenset()  # of its sources: read anew as another decision's
    is_whole: bool = False  # all of its sources are known to stay


class Wanted(NamedTuple):
    """What there is of one decision."""

    decision_id: str
    new: tuple[Record, ...]
    held: tuple[HeldRecord, ...] = ()

    @property
    def same(self) -> int | None:
        """The number that it has in the live build, if it is surely what it is there."""
        one = self.held[0] if not self.new and len(self.held) == 1 else None
        return one.number if one is not None and one.is_whole else None


class _Linked(NamedTuple):
    """A decision of the live build that may be one of those that were read."""

    number: int
    decision_id: str
    read: Mapping[Number, Record]  # of its sources those that were read anew


@dataclass(slots=True)
class _Links:
    """What becomes of the decisions of the live build, by their numbers there."""

    by_group: dict[int, list[_Linked]] = field(default_factory=dict)
    apart: set[int] = field(default_factory=set)  # linked to a group, or gone
    outdated: dict[int, frozenset[Number]] = field(default_factory=dict)  # of the others
    lessened: set[int] | None = None  # that lose a source, of these; ``None``: not looked at


def iter_wanted(
    spool: DecisionSpool, held: Held | None = None, carried: Carried | None = None
) -> Iterator[Wanted]:
    """Every decision once, by its id; of a record the memory needed is a few numbers."""
    links = _Links()
    if held is not None and carried is not None and not spool.is_empty:
        links = _find_links(spool, held, carried)
    made = _iter_made(spool, links, held.store if held is not None else None, carried)
    rest = _iter_rest(held, links) if held is not None else iter(())
    by_id = attrgetter("decision_id")
    for decision_id, found in groupby(merge(sorted(made, key=by_id), rest, key=by_id), by_id):
        rows = list(found)  # of one, unless two records that nothing unites have one id
        new = tuple(record for row in rows for record in row.new)
        yield Wanted(decision_id, new, tuple(one for row in rows for one in row.held))


def join_same(wanted: Iterable[Wanted]) -> Iterator[Wanted | range]:
    """Those in a row that are as in the live build, by their numbers there."""
    numbers = range(0)
    for one in wanted:
        number = one.same
        if number is not None and number == numbers.stop and numbers:
            numbers = range(numbers.start, number + 1)
            continue
        if numbers:
            yield numbers
        numbers = range(0) if number is None else range(number, number + 1)
        if number is None:
            yield one
    if numbers:
        yield numbers


def read_wanted(
    file: BinaryIO, live: WholeStore | None, carried: Carried | None, wanted: Wanted
) -> ParsedDecision | None:
    """The decision; ``None`` if no source has it any more."""
    old = []
    if live is not None and carried is not None:
        read = (read_carried(live, one.number, carried, one.outdated) for one in wanted.held)
        old = [one for one in read if one is not None]
    if wanted.new:
        return update_record(read_decision(file, wanted.new), old)
    return merge_records(old) if old else None


def _find_links(spool: DecisionSpool, held: Held, carried: Carried) -> _Links:
    links = _Links()
    links.lessened = set()
    found: list[tuple[int, _Linked]] = []
    shared = _find_shared(spool, held)
    for number, decision in enumerate(held.store.decisions.iter_all()):
        kept = list_kept(decision, carried)
        numbers = [one for source in kept if (one := find_number(source))]
        read = {
            one: record
            for one in numbers
            if (record := spool.find_record(one))
            and (one not in shared or _has_same_id(spool.read_head(record), decision))
        }
        if len(read) == len(kept):  # nothing of it is left that was not read anew
            links.apart.add(number)
            continue
        if len(kept) < len(decision.sources):
            links.lessened.add(number)
        group = spool.find_group(decision)
        if group is not None:
            found.append((group, _Linked(number, decision.decision_id, read)))
            links.apart.add(number)
        elif read:
            links.outdated[number] = frozenset(read)
    for group, linked in found:  # groups were joined meanwhile
        links.by_group.setdefault(spool.get_root(group), []).append(linked)
    return links


def _find_shared(spool: DecisionSpool, held: Held) -> set[Number]:
    """What was read anew of which the live build has several decisions under one number."""
    once, shared = set[Number](), set[Number]()
    for decision in held.store.decisions.iter_all():
        numbers = {one for source in decision.sources if (one := find_number(source))}
        for number in numbers:
            if spool.find_record(number):
                (shared if number in once else once).add(number)
    return shared


def _has_same_id(one: Decision, other: Decision) -> bool:
    return one.decision_id.casefold() == other.decision_id.casefold()


def _iter_rest(held: Held, links: _Links) -> Iterator[Wanted]:
    for number, decision_id in enumerate(held.store.decisions.iter_ids()):
        if number not in links.apart:
            outdated = links.outdated.get(number, frozenset())
            is_whole = links.lessened is not None and number not in links.lessened and not outdated
            yield Wanted(decision_id, (), (HeldRecord(number, outdated, is_whole),))


def _iter_made(
    spool: DecisionSpool, links: _Links, live: WholeStore | None, carried: Carried | None
) -> Iterator[Wanted]:
    with spool.path.open("rb") as file:
        for group in spool.iter_groups():
            linked = links.by_group.get(group.number, ())
            if len(group.records) == 1 and all(_is_same(group, one) for one in linked):
                old = tuple(HeldRecord(one.number) for one in linked)
                yield Wanted(group.decision_id, group.records, old)
                continue
            heads = [spool.read_head(record) for record in group.records]
            heads += [_read_held_head(live, one) for one in linked] if live is not None else []
            for members in group_records(heads):
                count = len(group.records)
                own = tuple(group.records[member] for member in members if member < count)
                beside = [linked[member - count] for member in members if member >= count]
                old = tuple(HeldRecord(one.number, _list_outdated(one, own)) for one in beside)
                wanted = Wanted("", own, old)
                parsed = read_wanted(file, live, carried, wanted)
                if parsed is not None:
                    yield wanted._replace(decision_id=parsed.decision.decision_id)


def _is_same(group: Group, linked: _Linked) -> bool:
    """Whether a held decision is surely the one that was read, and no other has its sources."""
    is_own = all(record in group.records for record in linked.read.values())
    return linked.decision_id == group.decision_id and is_own


def _list_outdated(linked: _Linked, own: tuple[Record, ...]) -> frozenset[Number]:
    return frozenset(number for number, record in linked.read.items() if record not in own)


def _read_held_head(live: WholeStore, linked: _Linked) -> Decision:
    """What it calls itself; an ECLI may come of the document that was read anew without it."""
    (decision,) = live.decisions.get_by_ordinal([linked.number])
    return replace(decision, ecli=None) if linked.read else decision

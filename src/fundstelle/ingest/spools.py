"""What was read of collections, kept on disk until it is stored: memory is that of one document.

Documents that share a key form a group, in the order they came.
"""

import pickle
from collections.abc import Iterator, Sequence
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO, NamedTuple

from fundstelle.ingest.records import ParsedAct, ParsedDecision
from fundstelle.ingest.sources.decision_text.merge import (
    Number,
    find_number,
    identify,
    merge_records,
)
from fundstelle.law.decisions import Decision, docket_key


class ActSpool:
    """Texts of statutes, those of one statute together."""

    def __init__(self, path: Path) -> None:
        self._file: BinaryIO = path.open("x+b")
        self._places: dict[str, list[int]] = {}

    def add(self, act: ParsedAct) -> None:
        """Keep one text."""
        place = self._file.seek(0, SEEK_END)
        self._places.setdefault(act.statute.statute_id, []).append(place)
        pickle.dump(act, self._file, pickle.HIGHEST_PROTOCOL)

    def drop(self, statute_id: str) -> None:
        """Let go of the texts of a statute."""
        del self._places[statute_id]

    def iter_statutes(self) -> Iterator[list[ParsedAct]]:
        """The statutes by id: what was read of each, the newest text last."""
        for _, places in sorted(self._places.items()):
            stands = [(self._read(place).statute.stand, -place) for place in places]
            # of equals the one that was read first is last: it counts
            yield [self._read(-place) for _, place in sorted(stands)]

    def _read(self, place: int) -> ParsedAct:
        self._file.seek(place)
        act: ParsedAct = pickle.load(self._file)  # noqa: S301 our own file
        return act

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


class Record(NamedTuple):
    """One record of a decision: where it lies, and the number of the collection it came in."""

    place: int
    collection: int


class Group(NamedTuple):
    """Records of which any two may be of one decision, in the order they came."""

    number: int
    decision_id: str  # what the first record calls itself
    records: tuple[Record, ...]


class DecisionSpool:
    """Records of decisions, those that may be of one decision together."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO = path.open("x+b")
        self._groups: list[list[Record]] = []
        self._ids: list[str] = []  # by group: what its first record calls itself
        self._joined: list[int] = []  # by group: the earlier one that it was joined to, or itself
        self._group_of: dict[str, int] = {}
        self._numbers: dict[Number, Record] = {}

    @property
    def is_empty(self) -> bool:
        """Whether no record was kept."""
        return not self._groups

    def add(self, decision: Decision, data: bytes, collection: int) -> bool:
        """Keep one record; ``data`` is its ``ParsedDecision`` as bytes.

        Whether it was kept: what a publisher has corrected counts as the newer collection has it,
        whose number is the lower one.
        """
        numbers = [number for one in decision.sources if (number := find_number(one))]
        before = [self._numbers[one].collection for one in numbers if one in self._numbers]
        if before and len(before) == len(decision.sources) and max(before) < collection:
            return False
        group = self.find_group(decision)
        if group is None:
            group = len(self._groups)
            self._groups.append([])
            self._ids.append(decision.decision_id)
            self._joined.append(group)
        self._group_of.update(dict.fromkeys(_list_keys(decision), group))
        record = Record(self._file.seek(0, SEEK_END), collection)
        for number in numbers:
            self._numbers.setdefault(number, record)
        self._groups[group].append(record)
        self._file.write(data)
        return True

    def find_group(self, decision: Decision) -> int | None:
        """The group that a record leads to; where it leads to several, they become one."""
        keys = _list_keys(decision)
        found = sorted(
            {self.get_root(self._group_of[key]) for key in keys if key in self._group_of}
        )
        if not found:
            return None
        first, *rest = found
        for group in rest:
            self._joined[group] = first
            self._groups[first] += self._groups[group]
            self._groups[group] = []
        return first

    def get_root(self, group: int) -> int:
        """The group that has the records of a group by now."""
        while self._joined[group] != group:
            group = self._joined[group] = self._joined[self._joined[group]]
        return group

    def find_record(self, number: Number) -> Record | None:
        """The first record of a document by what its publisher calls it."""
        return self._numbers.get(number)

    def iter_groups(self) -> Iterator[Group]:
        """The groups, each with its records."""
        self._file.flush()
        for number, records in enumerate(self._groups):
            if records:
                yield Group(number, self._ids[number], tuple(sorted(records)))

    def read_head(self, record: Record) -> Decision:
        """A decision without its words."""
        return _load(self._file, record.place).decision

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def read_decision(file: BinaryIO, records: Sequence[Record]) -> ParsedDecision:
    """One decision; of what a publisher gave several times the newest collection's record."""
    found = [(_load(file, record.place), record.collection) for record in records]
    first: dict[frozenset[tuple[str, ...]], int] = {}
    for parsed, collection in found:
        first.setdefault(_list_publishers(parsed), collection)
    kept = [one for one in found if one[1] == first[_list_publishers(one[0])]]
    # of a lower number is the newer collection
    return merge_records([parsed for parsed, _ in kept], [number for _, number in kept])


def _load(file: BinaryIO, place: int) -> ParsedDecision:
    file.seek(place)
    parsed: ParsedDecision = pickle.load(file)  # noqa: S301 our own file
    return parsed


def _list_publishers(parsed: ParsedDecision) -> frozenset[tuple[str, ...]]:
    return frozenset(map(identify, parsed.decision.sources))


def _list_keys(decision: Decision) -> list[str]:
    """What another publisher's record of the same decision has too."""
    day = decision.issued_on.isoformat() if decision.issued_on else ""
    rest = f"{decision.court}|{day}|{decision.decision_type.value}"
    keys = [f"{docket_key(docket)}|{rest}" for docket in decision.dockets] if day else []
    names = [name.casefold() for name in (decision.ecli, decision.decision_id) if name]
    return [*names, *keys]

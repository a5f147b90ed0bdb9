"""What was read of collections, kept on disk until it is stored: memory is that of one document.

Documents that share a key form a group, in the order they came.
"""

import pickle
from collections.abc import Iterator, Sequence
from io import SEEK_END
from pathlib import Path
from typing import BinaryIO, NamedTuple

from fundstelle.ingest.records import ParsedAct, ParsedDecision
from fundstelle.ingest.sources.decision_text.merge import group_records, merge_records
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


class SpooledDecision(NamedTuple):
    """The records of one decision."""

    decision_id: str
    records: tuple[Record, ...]


class DecisionSpool:
    """Records of decisions, those that may be of one decision together."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: BinaryIO = path.open("x+b")
        self._groups: list[list[Record]] = []
        self._ids: list[str] = []  # by group: what its first record calls itself
        self._group_of: dict[str, int] = {}

    def add(self, decision: Decision, data: bytes, collection: int) -> None:
        """Keep one record; ``data`` is its ``ParsedDecision`` as bytes."""
        keys = _list_keys(decision)
        group = next((self._group_of[key] for key in keys if key in self._group_of), None)
        if group is None:
            group = len(self._groups)
            self._groups.append([])
            self._ids.append(decision.decision_id)
        self._group_of.update(dict.fromkeys(keys, group))
        self._groups[group].append(Record(self._file.seek(0, SEEK_END), collection))
        self._file.write(data)

    def list_decisions(self) -> list[SpooledDecision]:
        """The decisions by id, each with its records; they can be read by ``read_decision``.

        Of records that share a key no more are held at once than are of one decision.
        """
        self._file.flush()
        found = []
        for number, group in enumerate(self._groups):
            if len(group) == 1:
                found.append((self._ids[number], number, 0, tuple(group)))
                continue
            heads = (_load(self._file, record.place).decision for record in group)
            for part, members in enumerate(group_records(heads)):
                own = tuple(group[member] for member in members)
                decision = read_decision(self._file, own).decision
                found.append((decision.decision_id, number, part, own))
        return [SpooledDecision(one[0], one[3]) for one in sorted(found)]

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()


def read_decision(file: BinaryIO, records: Sequence[Record]) -> ParsedDecision:
    """One decision; of what a publisher gave several times the newest collection's record."""
    found = [(_load(file, record.place), record.collection) for record in records]
    first: dict[frozenset[str], int] = {}
    for parsed, collection in found:
        first.setdefault(_list_publishers(parsed), collection)
    return merge_records(
        [parsed for parsed, number in found if number == first[_list_publishers(parsed)]]
    )


def _load(file: BinaryIO, place: int) -> ParsedDecision:
    file.seek(place)
    parsed: ParsedDecision = pickle.load(file)  # noqa: S301 our own file
    return parsed


def _list_publishers(parsed: ParsedDecision) -> frozenset[str]:
    return frozenset(source.source_type for source in parsed.decision.sources)


def _list_keys(decision: Decision) -> list[str]:
    """What another publisher's record of the same decision has too."""
    day = decision.issued_on.isoformat() if decision.issued_on else ""
    rest = f"{decision.court}|{day}|{decision.decision_type.value}"
    keys = [f"{docket_key(docket)}|{rest}" for docket in decision.dockets] if day else []
    names = [name.casefold() for name in (decision.ecli, decision.decision_id) if name]
    return [*names, *keys]

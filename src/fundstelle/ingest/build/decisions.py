"""From records of decisions to rows: put together and encoded in worker processes, by their ids."""

from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import BinaryIO, NamedTuple

from fundstelle.corpus.decision_rows import EncodedDecision, encode_decision
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.build.pool import split
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.history.carry import Carried, Held, read_carried
from fundstelle.ingest.reading import Spread
from fundstelle.ingest.records import ParsedDecision
from fundstelle.ingest.sources.decision_text.merge import update_record
from fundstelle.ingest.spools import Record, read_decision

_BATCH = 40

_live: dict[Path, WholeStore] = {}


class Wanted(NamedTuple):
    """What there is of one decision: the records that were read, and its number in the live build.

    Each of ``new`` is a decision by itself; two have one id where nothing else unites them.
    """

    new: tuple[tuple[Record, ...], ...]
    held: int | None


def iter_encoded(harvest: Harvest, held: Held | None, spread: Spread) -> Iterator[EncodedDecision]:
    """The decisions by id: new ones, those taken over, and of one in both what either has."""
    carried = held.describe_carried(harvest.withdrawn) if held is not None else None
    batches = split(_iter_wanted(harvest, held), lambda _: 1, _BATCH)
    jobs = ((harvest.decisions.path, carried, batch) for batch in batches)
    for encoded in spread(encode_decisions, jobs):
        yield from encoded


def _iter_wanted(harvest: Harvest, held: Held | None) -> Iterator[Wanted]:
    new = ((one.decision_id, one.records, -1) for one in harvest.decisions.list_decisions())
    old: Iterator[tuple[str, tuple[Record, ...], int]] = iter(())
    if held is not None:
        ids = held.store.decisions.iter_ids()
        old = ((decision_id, (), number) for number, decision_id in enumerate(ids))
    # by id and not by what comes behind: of one id the new ones stay in their order
    for _, found in groupby(merge(new, old, key=itemgetter(0)), key=itemgetter(0)):
        rows = list(found)
        records = tuple(records for _, records, _ in rows if records)
        yield Wanted(records, rows[-1][2] if rows[-1][2] >= 0 else None)


def encode_decisions(
    spool: Path, carried: Carried | None, batch: Sequence[Wanted]
) -> list[EncodedDecision]:
    """The rows of some decisions; one that no source has any more has none.

    Raises:
        CorpusError: the live build is damaged.
    """
    encoded = []
    with spool.open("rb") as file:
        for wanted in batch:
            parsed = _read(file, carried, wanted)
            if parsed is not None:
                encoded.append(encode_decision(parsed.decision, parsed.text))
    return encoded


def _read(file: BinaryIO, carried: Carried | None, wanted: Wanted) -> ParsedDecision | None:
    records = [read_decision(file, one) for one in wanted.new]
    if carried is not None and wanted.held is not None and len(records) < 2:
        kept = read_carried(_open_live(carried.database), wanted.held, carried)
        records += [kept] if kept is not None else []
    if not records:
        return None
    new, *old = records
    return update_record(new, old[0]) if old else new


def _open_live(database: Path) -> WholeStore:
    if database not in _live:
        _live[database] = open_whole(database)
    return _live[database]

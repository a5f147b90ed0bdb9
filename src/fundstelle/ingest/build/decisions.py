"""From records of decisions to rows: put together and encoded in worker processes, by their ids."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from fundstelle.corpus.decision_rows import EncodedDecision, encode_decision
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.build.pool import split
from fundstelle.ingest.build.uniting import Wanted, iter_wanted, read_wanted
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.history.carry import Carried, Held
from fundstelle.ingest.reading import Spread

_BATCH = 40

_live: dict[Path, WholeStore] = {}


def iter_encoded(harvest: Harvest, held: Held | None, spread: Spread) -> Iterator[EncodedDecision]:
    """The decisions by id: new ones, those taken over, and of one in both what either has."""
    carried = held.describe_carried(harvest.withdrawn) if held is not None else None
    wanted = iter_wanted(harvest.decisions, held, carried)
    batches = split(wanted, lambda _: 1, _BATCH)
    jobs = ((harvest.decisions.path, carried, batch) for batch in batches)
    for encoded in spread(encode_decisions, jobs):
        yield from encoded


def encode_decisions(
    spool: Path, carried: Carried | None, batch: Sequence[Wanted]
) -> list[EncodedDecision]:
    """The rows of some decisions; one that no source has any more has none.

    Raises:
        CorpusError: the live build is damaged.
    """
    encoded = []
    live = _open_live(carried.database) if carried is not None else None
    with spool.open("rb") as file:
        for wanted in batch:
            parsed = read_wanted(file, live, carried, wanted)
            if parsed is not None:
                encoded.append(encode_decision(parsed.decision, parsed.text))
    return encoded


def _open_live(database: Path) -> WholeStore:
    if database not in _live:
        _live[database] = open_whole(database)
    return _live[database]

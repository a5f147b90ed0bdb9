"""From records of decisions to rows: put together and encoded in worker processes, by their ids."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

from fundstelle.corpus.decision_rows import EncodedDecision, encode_decision
from fundstelle.corpus.ingestion import CorpusWriter, WholeStore
from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.build.pool import split
from fundstelle.ingest.build.uniting import Wanted, iter_wanted, join_same, read_wanted
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.history.carry import Carried, Held
from fundstelle.ingest.reading import Spread

Stored = EncodedDecision | range
"""The rows of one, or the numbers of some in the live build, in a row, whose rows stay."""

_BATCH = 40

_live: dict[Path, WholeStore] = {}


def iter_stored(
    harvest: Harvest, held: Held | None, spread: Spread, *, takes_rows: bool
) -> Iterator[Stored]:
    """The decisions by id: new ones, those taken over, and of one in both what either has.

    ``takes_rows``: one of the live build, of which nothing is new or gone, is told by its number
    there; the same program would make the same rows of it.
    """
    carried = held.describe_carried(harvest.withdrawn) if held is not None else None
    wanted = iter_wanted(harvest.decisions, held, carried)
    given = join_same(wanted) if takes_rows else wanted
    batches = split(given, lambda _: 1, _BATCH)
    jobs = ((harvest.decisions.path, carried, batch) for batch in batches)
    for stored in spread(encode_decisions, jobs):
        yield from stored


def store(
    writer: CorpusWriter,
    stored: Iterable[Stored],
    live: Path | None,
    advance: Callable[[int], None],
) -> None:
    """Store them; ``live`` is the database that numbers are of."""
    with ExitStack() as stack:
        take = stack.enter_context(writer.taking_decisions(live)) if live is not None else None
        for one in stored:
            if isinstance(one, EncodedDecision):
                writer.add_decision(one)
                advance(1)
            else:
                assert take is not None  # else nobody would give numbers
                take(one)
                advance(len(one))


def encode_decisions(
    spool: Path, carried: Carried | None, batch: Sequence[Wanted | range]
) -> list[Stored]:
    """The rows of some decisions; one that no source has any more has none.

    Raises:
        CorpusError: the live build is damaged.
    """
    stored: list[Stored] = []
    live = _open_live(carried.database) if carried is not None else None
    with spool.open("rb") as file:
        for wanted in batch:
            if isinstance(wanted, range):
                stored.append(wanted)
                continue
            parsed = read_wanted(file, live, carried, wanted)
            if parsed is not None:
                stored.append(encode_decision(parsed.decision, parsed.text))
    return stored


def _open_live(database: Path) -> WholeStore:
    if database not in _live:
        _live[database] = open_whole(database)
    return _live[database]

"""Laws of which an update brings nothing but a look: their rows go on as they are stored."""

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from fundstelle.corpus.ingestion import CorpusWriter, TakeStatute, WholeStore
from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.history.plan import PlannedStatute
from fundstelle.law.norms import Statute


@dataclass(slots=True)
class Unchanged:
    """Laws that wait for their turn, in the order of their ids."""

    _store: WholeStore | None = None
    _take: TakeStatute | None = None
    _waiting: deque[PlannedStatute] = field(default_factory=deque)
    _ids: frozenset[str] = frozenset()

    def has(self, statute_id: str) -> bool:
        """Whether the law is one of them."""
        return statute_id in self._ids

    def take_before(self, statute_id: str | None) -> Iterator[PlannedStatute]:
        """Those whose ids come before that one; ``None`` = all that are left."""
        while self._waiting and (statute_id is None or self._waiting[0].statute_id < statute_id):
            yield self._waiting.popleft()

    def store(self, planned: PlannedStatute) -> None:
        """Store one of them."""
        assert self._store is not None  # else none waits
        assert self._take is not None
        held = self._store.statutes[planned.statute_id]
        span = self._store.find_span(planned.statute_id)
        assert span is not None  # of every statute
        confirmed = planned.confirmed if planned.confirmed != held.stand else None
        statute = replace(held, listed=planned.listed, stand=planned.confirmed or held.stand)
        self._take(span[1:], statute, confirmed)


@contextmanager
def find_unchanged_laws(
    before: Path | None, planned: Sequence[PlannedStatute], writer: CorpusWriter
) -> Iterator[Unchanged]:
    """The laws that are stored in the database ``before`` as a new build would store them.

    There are none where it is not known that the same program stored them (``before`` is ``None``).
    """
    if before is None:
        yield Unchanged()
        return
    with closing(open_whole(before)) as store, writer.taking(before) as take:
        unlike = store.find_unlike_new()
        held = [
            one
            for one in planned
            if one.carried_id not in unlike
            and is_kept(one, store.statutes.get(one.carried_id or ""))
        ]
        yield Unchanged(store, take, deque(held), frozenset(one.statute_id for one in held))


def is_kept(planned: PlannedStatute, held: Statute | None) -> bool:
    """Whether nothing but the look is new of a statute of the live build."""
    if held is None or planned.versions:
        return False
    return (planned.statute_id, planned.abbreviation) == (held.statute_id, held.abbreviation)

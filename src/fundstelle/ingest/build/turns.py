"""Two streams of statutes, stored in one order."""

from collections.abc import Iterator

from fundstelle.ingest.records import ParsedAct


class InTurn:
    """Acts that wait for their place: statutes are stored in the order of their ids."""

    def __init__(self, acts: Iterator[ParsedAct]) -> None:
        self._acts = acts
        self._next = next(acts, None)

    def take_before(self, statute_id: str | None) -> Iterator[ParsedAct]:
        """Those whose ids come before that one; ``None`` = all that are left."""
        while self._next is not None:
            if statute_id is not None and self._next.statute.statute_id >= statute_id:
                return
            yield self._next
            self._next = next(self._acts, None)

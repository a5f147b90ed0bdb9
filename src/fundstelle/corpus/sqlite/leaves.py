"""Holds what is read against the leaf that was hashed when it was written (docs/proof.md).

The hash of a text says that its words are the right ones, and nothing of the days, the Stand and
the status that are stored beside them. The leaf covers these, too: whatever an answer says of a
text in force, repealed or to come is compared with it before it is said.
"""

from collections.abc import Sequence
from functools import cached_property

from fundstelle.corpus.proof.leaf import describe_decision, dump_leaf
from fundstelle.corpus.proof.tree import hash_leaf
from fundstelle.corpus.rows import Row
from fundstelle.corpus.sqlite import queries, tree
from fundstelle.corpus.sqlite.connection import Connections
from fundstelle.errors import DamagedBuild
from fundstelle.law.decisions import Decision
from fundstelle.law.norms import Statute

_REMEMBERED = 16_384  # about 1 MB; then started over


class Leaves:
    """The leaves of one build. Threads may share it.

    Remembered are hashes of the values that fitted, not names: what is read otherwise the next time
    is held against its leaf again. Knows the connections and no store (see ``Fassungen``).

    Args:
        connections: to the build.
        laws: its statutes, by their numbers.
    """

    def __init__(self, connections: Connections, laws: Sequence[Statute]) -> None:
        self._connections = connections
        self._laws = laws
        self._fitting: set[int] = set()

    @cached_property
    def are_kept(self) -> bool:
        """Whether there are any: builds of before have none, and are read as they are."""
        return tree.read_root(self._connections.get()) is not None

    def hold_fassung(self, norm: Row, fassung: int, title: str | None, head: Row) -> None:
        """See that a fassung is what was written.

        Args:
            norm: of ``NORM_COLUMNS``.
            fassung: its key.
            title: that headed it.
            head: from_day, until_day, precision, text_sha256, stand, status.

        Raises:
            DamagedBuild: something of it is another.
        """
        names = norm[1], norm[8], title
        key = hash((fassung, norm[2], names, head))
        if key in self._fitting or not self.are_kept:
            return
        starts, ends, precision, digest, stand, status = head
        try:
            before = self._find_stand(fassung - 1) if fassung % queries.VERSIONS else None
            days = (starts, ends, precision, before, stand, status)
            law = tree.describe_law(self._laws[norm[2]])
            leaf = tree.describe_fassung(names, digest, days, law)
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            raise _deny(norm[1]) from error
        self._compare(fassung, leaf, norm[1])
        self._remember(key)

    def hold_all(self, norm: Row, rows: Sequence[Row]) -> None:
        """See that these are all fassungen of a norm, and what was written.

        Args:
            norm: of ``NORM_COLUMNS``.
            rows: of ``TITLED_HEADS``.

        Raises:
            DamagedBuild: one is another, or lacks.
        """
        key = hash((norm[:9], tuple(rows)))
        if key in self._fitting or not self.are_kept:
            return
        for place, (fassung, *head, former, former_title) in enumerate(rows, 1):
            # as ``Fassungen.find_headings`` says it
            of_norm = norm[7] if place == len(rows) or head[1] is None else None
            title = of_norm if former is None else former_title
            self.hold_fassung(norm, fassung, title, tuple(head))
        connection = self._connections.get()
        (count,) = connection.execute(queries.COUNT_LEAVES, queries.versions(norm[0])).fetchone()
        if count != len(rows):
            raise _deny(norm[1])
        self._remember(key)

    def knows(self, *values: object) -> bool:
        """Whether just these fitted before."""
        return hash(values) in self._fitting

    def remember(self, *values: object) -> None:
        """Let ``knows`` say so of them."""
        self._remember(hash(values))

    def hold_decision(self, number: int, header: str, decision: Decision, digest: bytes) -> None:
        """See that what a decision is called and the hash of its text are what was written.

        ``knows`` then says so of its number and header, and of its number and that hash.

        Raises:
            DamagedBuild: something of it is another.
        """
        if self.are_kept:
            leaf = dump_leaf(describe_decision(decision, digest.hex()))
            self._compare(-1 - number, leaf, decision.decision_id)
        self.remember(number, header)
        self.remember(number, digest)

    def _find_stand(self, fassung: int) -> str | None:
        row = self._connections.get().execute(queries.STAND, (fassung,)).fetchone()
        return None if row is None else row[0]

    def _compare(self, subject: int, leaf: bytes, of: str) -> None:
        if tree.read_hash(self._connections.get(), subject) != hash_leaf(leaf):
            raise _deny(of)

    def _remember(self, key: int) -> None:
        if len(self._fitting) >= _REMEMBERED:
            self._fitting.clear()
        self._fitting.add(key)


def _deny(of: str) -> DamagedBuild:
    return DamagedBuild(f"what is stored of {of} is not what was written of it")

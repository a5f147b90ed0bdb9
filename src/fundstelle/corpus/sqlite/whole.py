"""A build that is read from end to end: by the next one, which goes on from it, and by checks."""

from collections.abc import Iterator

from fundstelle.corpus.ingestion import DatedText, Designation, Edge, Root
from fundstelle.corpus.sqlite import audit, designations, heirs, tree
from fundstelle.corpus.sqlite.connection import translated
from fundstelle.corpus.sqlite.histories import iter_ended, read_histories, read_stored
from fundstelle.corpus.sqlite.reader import SqliteCorpusStore
from fundstelle.corpus.sqlite.whole_decisions import SqliteWholeDecisions
from fundstelle.corpus.stored import StoredTexts
from fundstelle.law.norms import Fassung, Norm


class SqliteBuild(SqliteCorpusStore):
    """The store of one file with everything that it holds (``ingestion.WholeStore``)."""

    @property
    def decisions(self) -> SqliteWholeDecisions:
        """The decisions of the same build; made anew, so that neither keeps the other alive."""
        return SqliteWholeDecisions(self)

    def list_histories(self, statute_id: str) -> list[tuple[Norm, tuple[Fassung, ...]]]:
        """Every norm of a statute in document order, with its fassungen, oldest first."""
        return read_histories(self, statute_id)

    def list_stored(self, statute_id: str) -> list[tuple[Norm, StoredTexts]] | None:
        """The same with the texts as they are stored, where none of their days may change."""
        return read_stored(self, statute_id)

    def find_unlike_new(self) -> set[str]:
        """Statutes of which a new build may hold other rows, though nothing is new of them."""
        numbers = designations.find_unlike_new(self.connection)
        return {one for number, one in enumerate(self.statutes) if number in numbers}

    def find_span(self, statute_id: str) -> tuple[int, int, int] | None:
        """A statute's number, and the ordinals of its first and last norm."""
        return designations.find_span(self.connection, statute_id)

    def list_designations(self, statute_id: str) -> list[Designation]:
        """Every norm of a statute in document order, as it is stored."""
        return designations.list_all(self.connection, statute_id)

    def list_hashes(self, first: int, last: int) -> dict[int, bytes]:
        """SHA-256 of the newest text of each norm with the ordinals ``[first, last]``."""
        return designations.list_hashes(self.connection, first, last)

    def list_parts(self, first: int, last: int) -> dict[int, bytes]:
        """SHA-256 of the newest text of each of them, of where its parts lie, and of its status."""
        return designations.list_parts(self.connection, first, last)

    def list_texts(self, first: int, last: int) -> dict[int, str]:
        """The newest text of each norm with the ordinals ``[first, last]``."""
        return designations.list_texts(self.connection, first, last)

    def list_edges(self, first: int, last: int) -> list[Edge]:
        """The references out of the norms with the ordinals ``[first, last]``, in their order."""
        return designations.list_edges(self.connection, first, last)

    def iter_former(self) -> Iterator[tuple[int, Fassung]]:
        """Every fassung that ended, with the ordinal of its norm, by ordinal and oldest first."""
        return iter_ended(self)

    def iter_ended(self) -> Iterator[DatedText]:
        """Texts of provisions that no other one followed, with the day on which they went."""
        return heirs.iter_ended(self.connection)

    def iter_begun(self) -> Iterator[DatedText]:
        """Texts of provisions before which there was none, with the day on which they came."""
        return heirs.iter_begun(self.connection)

    def count_rows(self) -> dict[str, int]:
        """What a manifest counts, by its field."""
        return audit.count(self)

    def hash_content(self, *, anew: bool = True) -> str:
        """SHA-256 over everything the build holds, in order; 64 hex digits.

        ``anew``: decisions are read for it, whose own hash is kept beside them.
        """
        return audit.hash_content(self, anew=anew)

    def find_root(self) -> Root | None:
        """The root as it was stored; ``None`` where the build has no tree."""
        return tree.read_root(self.connection)

    def compute_root(self) -> Root | None:
        """The root of the texts, worked out anew; ``None`` where the stored tree is another."""
        with translated(self.path):
            return tree.compute_root(self.connection)

    def check(self) -> list[str]:
        """What the store and the stored hashes say is wrong; empty if nothing is."""
        return audit.check(self)

"""What the decisions of a build cite: found in their words, or taken over where that is the same.

A decision is read anew where it, what its reading asked for, or a name in its words is another than
in the build before.
"""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from fundstelle.corpus.ingestion import CorpusWriter
from fundstelle.ingest.build import workers
from fundstelle.ingest.build.pool import Pool
from fundstelle.ingest.graph.asked import OF_DECISIONS, READ_ANEW, AskedWriter, read_asked
from fundstelle.ingest.graph.concordance import Concordance, NamedPlace
from fundstelle.ingest.graph.places import FILE as PLACES
from fundstelle.ingest.graph.places import read_places, writing_places
from fundstelle.ingest.graph.taken import Compared
from fundstelle.ingest.graph.taken_citings import TakenCitings
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.sources.files.patience import MOST_S
from fundstelle.sharing import share

_BATCH = 20
_BATCH_WORDS = 200
_Read = tuple[Sequence[NamedPlace], "array[int]"]
"""What one decision says of pages, and what its reading asked."""


def share_kept(read: Path, database: Path) -> None:
    """Keep beside a database what was kept beside ``read``, whose decisions cite the same."""
    for name in (OF_DECISIONS, PLACES):
        if read.with_name(name).is_file():
            share(read.with_name(name), database.with_name(name))


def cite_the_same(database: Path, before: Path, laws: Compared, pool: Pool) -> bool:
    """Whether decisions cite the same where the laws have the norms that they had in ``before``.

    Which part of a norm a bare number means, the words of the norm may tell. What they ask for has
    to be the same, too: it goes on with the file, and the next update goes by it.
    """
    kept = read_asked(before, OF_DECISIONS)
    if kept is None:
        return False
    numbers = sorted(kept.find_asking(laws.changed - {READ_ANEW}))
    asking = [(number, kept.get(number)) for number in numbers]
    jobs = ((database, before, asking[at : at + _BATCH]) for at in range(0, len(asking), _BATCH))
    try:
        return all(list(pool.map(workers.cite_the_same, jobs)))
    finally:
        pool.rest()  # they hold all decisions, and their empty file, whose place another takes


@dataclass(frozen=True, slots=True)
class DecisionsCiting:
    """The decisions of a database; ``before`` is the database of a build by the same program."""

    database: Path
    pool: Pool
    progress: Progress
    before: Path | None = None

    def cite(self, writer: CorpusWriter, total: int, laws: Compared | None) -> None:
        """Store what all of them cite; whose page a page is shows when all of them are read.

        Args:
            writer: of the database.
            total: how many there are.
            laws: what became of the laws of the build before; ``None`` if that is not known.
        """
        self.progress.start("citations", total, "decisions")
        taken = self._compare(total, laws)
        concordance, asked = Concordance(), AskedWriter()
        with writing_places(self.database) as keep:
            for places, keys in self._iter_read(writer, total, taken):
                keep(places)
                concordance.add(places)
                asked.add(keys)
        asked.write(self.database, OF_DECISIONS)
        concordance.write(writer)

    def _compare(self, total: int, laws: Compared | None) -> TakenCitings | None:
        if self.before is None or laws is None:
            return None
        comparing = self.pool.submit(workers.compare_decisions, self.database, self.before, laws)
        taken = self.pool.result(comparing)
        if taken is not None and laws.norms.names:
            batches = (range(total)[at : at + _BATCH_WORDS] for at in range(0, total, _BATCH_WORDS))
            jobs = ((self.database, laws.norms.names, one) for one in batches)
            for renamed in self.pool.map(workers.find_renamed, jobs):
                taken.leave(renamed)
        return taken

    def _iter_read(
        self, writer: CorpusWriter, total: int, taken: TakenCitings | None
    ) -> Iterator[_Read]:
        """Of each decision in the order of their numbers, what was stored or is stored now."""
        if self.before is None or taken is None:
            yield from self._iter_found(writer, range(total))
            return
        writer.take_citings(self.before, taken.describe())
        new = (number for number, was in enumerate(taken.numbers) if was < 0)
        found = self._iter_found(writer, list(new))
        held = self._iter_taken(self.before, taken)
        for was in taken.numbers:
            yield next(found if was < 0 else held)

    def _iter_taken(self, before: Path, taken: TakenCitings) -> Iterator[_Read]:
        asked, kept = read_asked(before, OF_DECISIONS), taken.list_kept()
        assert asked is not None  # else nothing would be taken over
        places = read_places(before, kept, taken.decisions)
        for (was, _), named in zip(kept, places, strict=True):
            yield named, asked.get(was)
            self.progress.advance(1)

    def _iter_found(self, writer: CorpusWriter, numbers: Sequence[int]) -> Iterator[_Read]:
        jobs = ((self.database, numbers[at : at + _BATCH]) for at in range(0, len(numbers), _BATCH))
        for found, endless in self.pool.map(workers.find_citings, jobs):
            for citings in found:
                writer.add_citings(citings.rows)
                writer.add_ranged(citings.ranged)
                yield citings.places, citings.asked
                self.progress.advance(1)
            tell_endless(self.progress, endless)


def tell_endless(progress: Progress, endless: Sequence[str]) -> None:
    """Say of which documents nothing is kept, since reading them came to no end."""
    for document_id in endless:
        progress.note(
            f"what {document_id} cites took more than {MOST_S:.0f} s to find: it is kept without"
        )

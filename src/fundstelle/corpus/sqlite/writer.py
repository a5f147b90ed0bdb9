"""Writes one new build."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from fundstelle.corpus.decision_rows import CORE_NAME, PAGE_NAME, PRINTED_NAME, EncodedDecision
from fundstelle.corpus.ingestion import (
    Edge,
    HeirRow,
    Renumbered,
    TakeDecisions,
    TakeStatute,
)
from fundstelle.corpus.missing import MissingLaw
from fundstelle.corpus.rows import EncodedNorm, EncodedStatute, Row, encode_header, encode_statute
from fundstelle.corpus.sqlite import citers, heirs, summary, taken_citings, tree
from fundstelle.corpus.sqlite.connection import (
    DECIDED,
    attached,
    create,
    find_decisions,
    seal,
    share_decisions,
    translated,
)
from fundstelle.corpus.sqlite.queries import EDGES, VERSIONS
from fundstelle.corpus.sqlite.taken_decisions import TakenDecisions
from fundstelle.corpus.sqlite.taken_statutes import ADD_NORM, TakenStatutes
from fundstelle.errors import CorpusError
from fundstelle.law.norms import Fassung, Norm, Statute


@dataclass(slots=True)
class _NormRows:
    """The rows of one statute's norms, by table."""

    norms: list[Row] = field(default_factory=list)
    headings: list[Row] = field(default_factory=list)
    fassungen: list[Row] = field(default_factory=list)
    former: list[Row] = field(default_factory=list)
    enactments: list[Row] = field(default_factory=list)


class SqliteCorpusWriter:
    """Fills a new build. Statutes come in the order of their ids; readers may watch meanwhile."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._places: dict[tuple[str | None, str], int] = {}
        self._ordinal = 0
        self._statute = 0
        self._edge = -1, 0  # whose references come, and how many there are
        self._decision = 0
        self._is_shared = False  # the file of decisions is another build's
        self._has_laws_indexed = False
        self._is_complete = False
        self._citing = -1, 0  # whose rows come, and how many there are
        with translated(path):
            self._db = create(path)

    def add_statute(
        self, statute: Statute, norms: Iterable[tuple[Norm, Sequence[Fassung]]]
    ) -> None:
        """Store one statute with its norms in document order."""
        self.add_encoded(encode_statute(statute, norms))

    def add_encoded(self, statute: EncodedStatute) -> None:
        """Store what ``rows.encode_statute`` made, perhaps in another process."""
        first = self._ordinal
        rows = _NormRows()
        with translated(self._path):
            for norm in statute.norms:
                self._add_norm(norm, rows)
            for insert, values in (
                (ADD_NORM, rows.norms),
                ("INSERT INTO headings VALUES (?, ?)", rows.headings),
                ("INSERT INTO fassungen VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", rows.fassungen),
                ("INSERT INTO former_headings VALUES (?, ?, ?)", rows.former),
                ("INSERT INTO enactments VALUES (?, ?, ?, ?, ?)", rows.enactments),
            ):
                self._db.executemany(insert, values)
            self._add_header(statute.statute_id, first, statute.header)

    @contextmanager
    def taking(self, database: Path) -> Iterator[TakeStatute]:
        """To store statutes of another build, those of ``find_unlike_new`` left out."""
        with translated(self._path), attached(self._db, database) as held:
            taken = TakenStatutes(self._db, held)

            def take(span: tuple[int, int], statute: Statute, confirmed: date | None) -> None:
                first = self._ordinal
                for norm, parent_id, hierarchy in taken.iter_norms(span):
                    norm_id, *head, status, publisher_id, key, range_key = norm
                    place = self._find_place((parent_id, hierarchy))
                    row = (self._ordinal, norm_id, self._statute, *head, place)
                    taken.add_norm((*row, status, publisher_id, key, range_key))
                    self._ordinal += 1
                taken.add_texts(span, first, confirmed)
                self._add_header(statute.statute_id, first, encode_header(statute))

            yield take

    def _add_header(self, statute_id: str, first: int, header: str) -> None:
        self._db.execute(
            "INSERT INTO statutes VALUES (?, ?, ?, ?, ?)",
            (self._statute, statute_id, first, self._ordinal - 1, header),
        )
        self._statute += 1

    def _find_place(self, written: tuple[str | None, str]) -> int:
        place = self._places.get(written)
        if place is None:
            place = self._places[written] = len(self._places)
            self._db.execute("INSERT INTO places VALUES (?, ?, ?)", (place, *written))
        return place

    def _add_norm(self, norm: EncodedNorm, rows: "_NormRows") -> None:
        ordinal = self._ordinal
        place = self._find_place(norm.place)
        norm_id, kind, number, number_end, label, title, citation, level, *rest = norm.row
        status, publisher_id, key, range_key = rest
        if len(norm.fassungen) > VERSIONS:  # the next norm's rows would begin among them
            raise CorpusError(
                f"{norm_id} has {len(norm.fassungen)} texts and a build holds {VERSIONS} of a norm:"
                " give fewer snapshots, or begin anew with --fresh"
            )
        rows.norms.append(
            (
                *(ordinal, norm_id, self._statute, kind, number, number_end, label, title),
                *(citation, level, place, status, publisher_id, key, range_key),
            )
        )
        if norm.folded is not None:
            rows.headings.append((ordinal, norm.folded))
        low = ordinal * VERSIONS
        rows.fassungen += ((low + v, *row) for v, row in enumerate(norm.fassungen))
        rows.former += ((low + v, *headings) for v, *headings in norm.former)
        rows.enactments += ((low + v, *enactment) for v, *enactment in norm.enactments)
        self._ordinal += 1

    def add_missing(self, laws: Iterable[MissingLaw]) -> None:
        """Store what the publisher lists and the source does not have."""
        with translated(self._path):
            self._db.executemany(
                "INSERT INTO missing VALUES (?, ?)", ((law.slug, law.title) for law in laws)
            )

    def add_edges(self, edges: Iterable[Edge]) -> None:
        """Store references between norms; those of one norm together, in order of the text."""
        with translated(self._path):
            self._db.executemany(
                "INSERT INTO edges VALUES (?, ?, ?, ?, ?, ?)",
                ((self._number_edge(citing), *rest) for citing, *rest in edges),
            )

    def _number_edge(self, citing: int) -> int:
        before, count = self._edge
        count = count if citing == before else 0
        self._edge = citing, count + 1
        return citing * EDGES + count

    def add_decision(self, decision: EncodedDecision) -> None:
        """Store one decision; they come in the order of their ids."""
        number = self._decision
        names = [(name, number, 0) for name in decision.names]
        names += [(docket, number, 1) for docket in decision.dockets]
        names += [(core, number, CORE_NAME) for core in decision.cores]
        names.append((decision.printed, number, PRINTED_NAME))
        with translated(self._path):
            self._db.execute(
                "INSERT INTO decisions VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (number, *decision.row)
            )
            self._db.execute(
                "INSERT INTO decision_texts VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (number, *decision.text),
            )
            self._db.executemany("INSERT INTO decision_names VALUES (?, ?, ?)", names)
        self._decision += 1

    @contextmanager
    def taking_decisions(self, database: Path) -> Iterator[TakeDecisions]:
        """To store decisions of another build as they are there."""
        with translated(self._path), attached(self._db, find_decisions(database)) as held:
            taken = TakenDecisions(self._db, held)

            def take(numbers: range) -> None:
                taken.store(numbers, self._decision)
                self._decision += len(numbers)

            yield take
            taken.close()

    def share_decisions(self, database: Path) -> int:
        """Hold all decisions of another build and what they cite as its file; how many."""
        with translated(self._path):
            share_decisions(self._db, self._path, database)
            self._is_shared = True
            (count,) = self._db.execute("SELECT count(*) FROM decisions").fetchone()
        return int(count)

    def add_citings(self, citings: Iterable[Row]) -> None:
        """Store what decisions cite, those of one decision together, in order of the text.

        A row is the citing decision's number and the columns of ``citings`` from ``kind`` on.
        """
        with translated(self._path):
            self._db.executemany(
                "INSERT INTO citings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                ((self._number_citing(citing), *rest) for citing, *rest in citings),
            )

    def _number_citing(self, citing: int) -> int:
        if citing != self._citing[0]:
            self._citing = citing, 0
        number, count = self._citing
        self._citing = number, count + 1
        return number * EDGES + count

    def take_citings(self, database: Path, numbers: Renumbered) -> None:
        """Store what some decisions of another build cite as it was found there."""
        with (
            translated(self._path),
            attached(self._db, find_decisions(database)) as held,
        ):
            taken_citings.take(self._db, held, numbers)

    def add_ranged(self, citings: Iterable[tuple[int, int]]) -> None:
        """Say of rows, as in ``add_place``, that what they cite only lies within a range."""
        with translated(self._path):
            self._db.executemany(
                "INSERT INTO ranged VALUES (?)", ((one * EDGES + row,) for one, row in citings)
            )

    def add_place(self, key: str, decision: int | None, citing: tuple[int, int] | None) -> None:
        """Store whose page a page is: a decision held, a row that names it, or both.

        A row is the citing decision's number and its place among the rows added for it.
        """
        with translated(self._path):
            if decision is not None:
                self._add_name(key, decision)
            if citing is not None:
                self._add_name(key, -1 - (citing[0] * EDGES + citing[1]))

    def _add_name(self, key: str, number: int) -> None:
        self._db.execute("INSERT INTO decision_names VALUES (?, ?, ?)", (key, number, PAGE_NAME))

    def resolve_citings(self, citings: Iterable[tuple[int, int]], decision: int) -> None:
        """Say of rows, as in ``add_place``, which decision they cite; none cites itself."""
        with translated(self._path):
            self._db.executemany(
                "UPDATE citings SET cited_decision = ? WHERE citing = ?",
                ((decision, one * EDGES + row) for one, row in citings if one != decision),
            )

    def add_heirs(self, rows: Iterable[HeirRow]) -> None:
        """Store which provision took the place of which."""
        with translated(self._path):
            heirs.add(self._db, rows)

    def commit(self) -> None:
        """Let readers see what was added so far."""
        with translated(self._path):
            self._db.commit()

    def index_laws(self) -> None:
        """Make norms findable by id, number and heading; after the last statute."""
        with translated(self._path):
            self._db.executescript(
                """
                CREATE UNIQUE INDEX norms_by_id ON norms (norm_id);
                CREATE INDEX norms_by_number ON norms (statute, sort_key)
                    WHERE sort_key IS NOT NULL;
                CREATE INDEX norms_by_range ON norms (statute, sort_key, range_key)
                    WHERE range_key IS NOT NULL;
                CREATE INDEX fassungen_by_day ON fassungen (from_day, until_day, precision)
                    WHERE from_day IS NOT NULL OR until_day IS NOT NULL;
                """
            )
            self._db.commit()
        self._places.clear()
        self._has_laws_indexed = True

    def index(self) -> None:
        """The same for decisions, after the last of all; and for norms, if it is not done."""
        if not self._has_laws_indexed:
            self.index_laws()
        if not self._is_shared:
            with translated(self._path):
                self._db.execute(
                    f"CREATE INDEX {DECIDED}.decisions_by_name ON decision_names (name, is_docket)"
                )
                self._db.commit()

    def complete(self) -> None:
        """Index the references and make the tree, after the last of all; readers may watch on."""
        with translated(self._path):
            self._db.execute("CREATE INDEX edges_by_cited ON edges (cited) WHERE cited IS NOT NULL")
            if not self._is_shared:
                self._complete_decisions()
            tree.fill(self._db)
            self._db.execute("ANALYZE main")
            self._db.commit()
        self._is_complete = True

    def _complete_decisions(self) -> None:
        self._db.executescript(
            f"""
            CREATE INDEX {DECIDED}.citings_by_cited ON citings (cited) WHERE cited IS NOT NULL;
            CREATE INDEX {DECIDED}.citings_by_decision ON citings (cited_decision)
                WHERE cited_decision IS NOT NULL;
            """
        )
        citers.fill(self._db)
        citers.index(self._db)
        tree.keep_decisions(self._db)
        summary.write(self._db)
        self._db.execute(f"ANALYZE {DECIDED}")

    def finish(self) -> None:
        """Complete it, if it is not, and flush to disk."""
        if not self._is_complete:
            self.complete()
        with translated(self._path):
            seal(self._db, is_shared=self._is_shared)

    def close(self) -> None:
        """Give up; what was written is of no use."""
        self._db.close()

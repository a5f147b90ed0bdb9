"""The decisions of a build that is read from end to end (``corpus.ingestion.WholeDecisions``)."""

from collections.abc import Container, Iterable, Iterator
from hashlib import sha256

from fundstelle.corpus.decision_rows import decode_decision, decode_text
from fundstelle.corpus.decisions import CitedKind
from fundstelle.corpus.ingestion import CitedNorm, MarkedDecision
from fundstelle.corpus.rows import Row
from fundstelle.corpus.sqlite.decisions import CITINGS, TEXT_COLUMNS, SqliteDecisions
from fundstelle.corpus.sqlite.queries import EDGES
from fundstelle.law.decisions import Decision, DecisionText, docket_key

_TEXTS = (
    f"SELECT decision, decision_id, header, {TEXT_COLUMNS} FROM decisions"  # noqa: S608
    " JOIN decision_texts USING (decision) WHERE decision BETWEEN ? AND ? ORDER BY 1"
)
# Laws as a whole have numbers below 0.
_CITED_NORMS = (
    f"SELECT citing / {EDGES}, CASE WHEN kind = 'norm' AND cited >= 0 THEN cited END,"  # noqa: S608
    " start_at, end_at, sentence_start, sentence_end FROM citings"
    " WHERE citing BETWEEN ? AND ? ORDER BY citing"
)
_MARKS = (
    "SELECT header, text_sha256, parts, passages"
    " FROM decisions JOIN decision_texts USING (decision) ORDER BY decision"
)
_DAYS = (
    "SELECT CAST(REPLACE(COALESCE(day, '0'), '-', '') AS INTEGER) FROM decisions ORDER BY decision"
)
_ALL_OF_THEM = (
    "SELECT header, text_sha256, parts FROM decisions JOIN decision_texts USING (decision)"
    " ORDER BY decision"
)
_WORDS = (
    "SELECT decision, text FROM decision_texts WHERE decision BETWEEN ? AND ? ORDER BY decision"
)
_CITED = "SELECT DISTINCT cited FROM citings WHERE cited IS NOT NULL"
_CITING = f"SELECT DISTINCT citing / {EDGES} FROM citings WHERE cited = ?"  # noqa: S608 constants
# Whose page it is, all decisions tell together.
_NAMING = (
    f"SELECT DISTINCT citing / {EDGES} FROM citings WHERE cited_decision = ?"  # noqa: S608 constants
    f" AND kind <> '{CitedKind.REPORTER.value}'"
)


class SqliteWholeDecisions(SqliteDecisions):
    """Goes through all of them."""

    def iter_ids(self) -> Iterator[str]:
        """Every decision's id in the order of the numbers."""
        rows = self._store.connection.execute("SELECT decision_id FROM decisions ORDER BY decision")
        return (decision_id for (decision_id,) in rows)

    def iter_all(self) -> Iterator[Decision]:
        """Every decision in the order of the numbers."""
        rows = self._store.connection.execute("SELECT header FROM decisions ORDER BY decision")
        return (decode_decision(header) for (header,) in rows)

    def iter_texts(self, first: int, last: int) -> Iterator[tuple[int, Decision, DecisionText]]:
        """The decisions with the numbers ``[first, last]`` and their words."""
        rows = self._store.connection.execute(_TEXTS, (first, last))
        for number, decision_id, header, *text in rows:
            yield number, decode_decision(header), decode_text(decision_id, tuple(text))

    def iter_cited_norms(self, first: int, last: int) -> Iterator[CitedNorm]:
        """Every citation in the decisions ``[first, last]``, in the order of their texts."""
        between = first * EDGES, last * EDGES + EDGES - 1
        rows = self._store.connection.execute(_CITED_NORMS, between)
        for citing, ordinal, at, behind, start, end in rows:
            yield CitedNorm(citing, ordinal, at, behind, (start, end))

    def iter_marked(self) -> Iterator[MarkedDecision]:
        """Every decision in the order of the numbers, which is that of their ids."""
        for header, digest, parts, passages in self._store.connection.execute(_MARKS):
            one = decode_decision(header)
            yield MarkedDecision(
                one.decision_id,
                tuple(dict.fromkeys(filter(None, (one.decision_id, one.ecli)))),
                tuple(map(docket_key, one.dockets)),
                one.court,
                one.issued_on.isoformat() if one.issued_on else None,
                sha256(b"".join((digest, sha256(parts).digest(), passages))).digest(),
            )

    def list_days(self) -> list[int]:
        """The day of every decision, YYYYMMDD, 0 = unknown, in the order of the numbers."""
        return [day for (day,) in self._store.connection.execute(_DAYS)]

    def iter_hashes(self) -> Iterator[bytes]:
        """SHA-256 of what every decision is and says, in the order of the numbers."""
        for header, digest, parts in self._store.connection.execute(_ALL_OF_THEM):
            yield sha256(b"".join((digest, sha256(header.encode()).digest(), parts))).digest()

    def list_words(self, first: int, last: int) -> dict[int, str]:
        """The text of each decision with the numbers ``[first, last]``."""
        return dict(self._store.connection.execute(_WORDS, (first, last)).fetchall())

    def list_cited(self, number: int) -> tuple[list[Row], list[tuple[int, int]]]:
        """What a decision cites as a writer takes it: citings, and those that are ranged."""
        connection = self._store.connection
        between = number * EDGES, number * EDGES + EDGES - 1
        rows = connection.execute(
            f"{CITINGS} WHERE citing BETWEEN ? AND ? ORDER BY citing", between
        )
        cited = [
            (number, kind, norm, None if kind == CitedKind.REPORTER else decision, *rest)
            for _, kind, norm, decision, *rest in rows
        ]
        ranged = connection.execute(
            "SELECT citing FROM ranged WHERE citing BETWEEN ? AND ? ORDER BY citing", between
        )
        return cited, [(number, citing - between[0]) for (citing,) in ranged]

    def find_citing_others(self, norms: Container[int], gone: Iterable[int]) -> set[int]:
        """The numbers of decisions that cite what is none of ``norms``, or what is ``gone``."""
        connection = self._store.connection
        cited = connection.execute(_CITED).fetchall()
        found = set[int]()
        for one in (one for (one,) in cited if one not in norms):
            found |= {number for (number,) in connection.execute(_CITING, (one,))}
        for one in gone:
            found |= {number for (number,) in connection.execute(_NAMING, (one,))}
        return found

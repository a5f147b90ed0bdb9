"""What decisions cite goes from one build into the next as it was found, by the numbers there."""

from collections.abc import Sequence

from fundstelle.corpus.decisions import CitedKind
from fundstelle.corpus.ingestion import Renumbered
from fundstelle.corpus.sqlite.connection import DECIDED, Connection
from fundstelle.corpus.sqlite.queries import EDGES

_TABLES = ("kept", "decisions", "norms")
_OF_KEPT = f"BETWEEN k.was * {EDGES} AND k.was * {EDGES} + {EDGES - 1}"
_CITINGS = (
    f"INSERT INTO {DECIDED}.citings SELECT k.now * {EDGES} + c.citing % {EDGES}, c.kind, n.now,"  # noqa: S608
    " CASE WHEN c.kind <> ? THEN d.now END, c.cited_path, c.cited_text, c.start_at, c.end_at,"
    " c.passage, c.sentence_start, c.sentence_end, c.inferred"
    f" FROM temp.moved_kept k CROSS JOIN {{held}}.citings c ON c.citing {_OF_KEPT}"
    " LEFT JOIN temp.moved_norms n ON n.was = c.cited"
    " LEFT JOIN temp.moved_decisions d ON d.was = c.cited_decision ORDER BY k.was, c.citing"
)
_RANGED = (
    f"INSERT INTO {DECIDED}.ranged SELECT k.now * {EDGES} + c.citing % {EDGES}"  # noqa: S608
    f" FROM temp.moved_kept k CROSS JOIN {{held}}.ranged c ON c.citing {_OF_KEPT}"
    " ORDER BY k.was, c.citing"
)


def take(database: Connection, held: str, numbers: Renumbered) -> None:
    """Store it; ``held`` is what the decisions of the other build are attached as.

    Whose page a page is, all decisions of a build tell together: it is not taken over.
    """
    pairs: tuple[Sequence[tuple[int, int]], ...] = (
        numbers.kept,
        numbers.decisions,
        numbers.norms,
    )
    for table, rows in zip(_TABLES, pairs, strict=True):
        database.execute(f"CREATE TEMP TABLE moved_{table} (was INTEGER PRIMARY KEY, now INTEGER)")
        database.executemany(f"INSERT INTO temp.moved_{table} VALUES (?, ?)", rows)  # noqa: S608
    database.execute(_CITINGS.format(held=held), (CitedKind.REPORTER.value,))
    database.execute(_RANGED.format(held=held))
    for table in _TABLES:
        database.execute(f"DROP TABLE temp.moved_{table}")

"""Decisions go from one build into the next as they are stored there, by the numbers they get."""

from fundstelle.corpus.decision_rows import PAGE_NAME
from fundstelle.corpus.sqlite.connection import DECIDED, Connection

_TABLES = {
    "decisions": "decision_id, court, court_level, day, type, jurisdiction, header",
    "decision_texts": ("text, text_sha256, parts, passages, headings, source_chars, kept_chars"),
}
_ROWS = (
    f"INSERT INTO {DECIDED}.{{table}} SELECT decision + ?, {{columns}} FROM {{held}}.{{table}}"  # noqa: S608
    " WHERE decision BETWEEN ? AND ? ORDER BY decision"
)
# Whose page a page is, all decisions of a build tell together. Those of a decision lie together.
_KEEP_NAMES = (
    "CREATE TEMP TABLE taken_names AS SELECT decision AS was, name, is_docket"  # noqa: S608
    f" FROM {{held}}.decision_names WHERE is_docket <> {PAGE_NAME} ORDER BY rowid"
)
_NAMES = (
    f"INSERT INTO {DECIDED}.decision_names SELECT name, was + ?, is_docket FROM temp.taken_names"  # noqa: S608
    " WHERE was BETWEEN ? AND ? ORDER BY rowid"
)


class TakenDecisions:
    """Stores decisions of a build that is attached as ``held``."""

    def __init__(self, database: Connection, held: str) -> None:
        self._database = database
        self._held = held
        database.execute(_KEEP_NAMES.format(held=held))
        database.execute("CREATE INDEX temp.taken_names_by_decision ON taken_names (was)")

    def store(self, numbers: range, first: int) -> None:
        """Store those with these numbers there; ``first`` is the number of the first one here."""
        given = (first - numbers.start, numbers.start, numbers.stop - 1)
        for table, columns in _TABLES.items():
            statement = _ROWS.format(table=table, columns=columns, held=self._held)
            self._database.execute(statement, given)
        self._database.execute(_NAMES, given)

    def close(self) -> None:
        """Forget what was kept for it."""
        self._database.execute("DROP TABLE temp.taken_names")

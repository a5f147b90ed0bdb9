"""Citing decisions in the orders that pages come in, worked out once when a build is made.

A page is a range of places, whatever comes before it; a filter walks one index and nothing else.
"""

from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from fundstelle.corpus.decisions import CitedKind, CitingOrder, CitingRequest
from fundstelle.corpus.rows import Row
from fundstelle.corpus.sqlite.citer_places import iter_citers
from fundstelle.corpus.sqlite.connection import DECIDED, Connection
from fundstelle.law.citations import drop_silent

# Of whichever file it is in, which ``sqlite_master`` would not say.
HAS_CITERS = "SELECT count(*) FROM pragma_table_info('citers')"

HAS_RANGED = "SELECT count(*) FROM pragma_table_info('ranged')"
_NAMED = "="  # before the path of a unit: without those that cite it within a range alone
_ROWS = (
    "SELECT citing, kind, cited, cited_decision, cited_path, sentence_start,"
    " r.citing IS NOT NULL FROM citings LEFT JOIN ranged r USING (citing)"
    " WHERE cited IS NOT NULL OR cited_decision IS NOT NULL ORDER BY citing"
)
_UNIT = "SELECT unit, total FROM cited_units WHERE cited IS ? AND cited_decision IS ? AND path = ?"
_PLACES = {
    CitingOrder.NEWEST: "newest",
    CitingOrder.RELEVANCE: "relevance",
}
_COLUMNS = "decision, first, times"
_FILTERS = ("court = ?", "type = ?", "jurisdiction = ?", "day >= ?", "day <= ?")


_UnitKey = tuple[int | None, int | None, str]  # as the columns of cited_units


def fill(database: Connection) -> None:
    """Work the tables out from ``citings`` and ``decisions`` of a build that is being made."""
    database.execute("CREATE TEMP TABLE named (unit INTEGER, citing INTEGER, within INTEGER)")
    units: dict[_UnitKey, int] = {}
    rows = database.execute(_ROWS)
    database.executemany(
        "INSERT INTO named VALUES (?, ?, ?)",
        (
            (units.setdefault(key, len(units)), citing, within)
            for key, citing, within in _iter_units(rows)
        ),
    )
    _add_named(database, units)
    totals = array("i", bytes(4 * len(units)))
    database.executemany(
        "INSERT INTO citers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        _count(iter_citers(database), totals),
    )
    database.executemany(
        "INSERT INTO cited_units VALUES (?, ?, ?, ?, ?)",
        ((unit, *key, totals[unit]) for key, unit in units.items()),
    )
    database.execute("DROP TABLE named")


def _count(citers: Iterator[Row], totals: "array[int]") -> Iterator[Row]:
    """The rows as they come; of how many decisions each unit is cited is added up meanwhile."""
    for row in citers:
        totals[row[0]] += 1
        yield row


def index(database: Connection) -> None:
    """Make the tables findable, when all is in them."""
    database.execute(
        f"CREATE INDEX {DECIDED}.units_by_cited ON cited_units (cited, cited_decision, path)"
    )
    database.execute(
        f"CREATE UNIQUE INDEX {DECIDED}.citers_by_relevance"
        " ON citers (unit, relevance, court, type, jurisdiction, day)"
    )


def _add_named(database: Connection, units: dict[_UnitKey, int]) -> None:
    """A unit of its own for those that name one which others cite within a range alone."""
    ranged = {unit for (unit,) in database.execute("SELECT DISTINCT unit FROM named WHERE within")}
    keys = [(key, unit) for key, unit in units.items() if unit in ranged]
    database.execute("CREATE TEMP TABLE twins (unit INTEGER PRIMARY KEY, twin INTEGER)")
    for (cited, decision, path), unit in keys:
        twin = units.setdefault((cited, decision, _NAMED + path), len(units))
        database.execute("INSERT INTO twins VALUES (?, ?)", (unit, twin))
    database.execute(
        "INSERT INTO named SELECT twin, citing, 0 FROM named JOIN twins USING (unit)"
        " WHERE NOT within"
    )
    database.execute("DROP TABLE twins")


def _iter_units(rows: Iterator[Row]) -> Iterator[tuple[_UnitKey, int, int]]:
    """Each row of ``citings`` under all units it belongs to."""
    before: Row = (-2, "", None, None, "", 0, 0)
    for row in rows:
        citing, kind, cited, decision, path, sentence, within = row
        if cited is not None:
            for above in _list_above(path):
                yield (cited, None, above), citing, within
        # "…, BGHZ 150, 99" behind the docket is the same citation once more.
        repeats = kind == CitedKind.REPORTER and (citing - 1, decision, sentence) == (
            before[0],
            before[3],
            before[5],
        )
        if decision is not None and not repeats:
            yield (None, decision, ""), citing, 0
        before = row


@lru_cache(maxsize=1 << 16)
def _list_above(path: str) -> tuple[str, ...]:
    """Every unit that a part of a norm lies in, itself the last: the same few again and again."""
    steps = path.lower().split("/") if path else []
    return tuple("/".join(steps[:depth]) for depth in range(len(steps) + 1))


@dataclass(frozen=True, slots=True)
class Unit:
    """A cited unit of a build and how many decisions cite it."""

    number: int
    total: int


def find_unit(
    connection: Connection, cited: int | None, decision: int | None, path: str, *, named: bool
) -> Unit | None:
    """The unit that answers for a path; ``None`` if two do, since courts leave steps out.

    One that nobody cites has the number -1. ``named``: only for those that name it.
    """
    paths = dict.fromkeys((path.lower(), drop_silent(path).lower()))
    units = []
    for one in paths:
        for key in (_NAMED + one, one) if named else (one,):
            row = connection.execute(_UNIT, (cited, decision, key)).fetchone()
            if row is not None:
                units.append(Unit(*row))
                break
    if len(units) > 1:
        return None
    return units[0] if units else Unit(-1, 0)


def read_page(
    connection: Connection, unit: Unit, request: CitingRequest
) -> tuple[list[tuple[int, int, int]], int]:
    """Decision, first row and number of rows of each on the page; and how many there are in all."""
    values = (
        request.court,
        request.decision_type,
        request.jurisdiction,
        request.day_from.isoformat() if request.day_from else None,
        request.day_to.isoformat() if request.day_to else None,
    )
    place = _PLACES[request.order]
    wanted = [(term, value) for term, value in zip(_FILTERS, values, strict=True) if value]
    if not wanted:
        rows = connection.execute(
            f"SELECT {_COLUMNS} FROM citers WHERE unit = ? AND {place} >= ? AND {place} < ?"  # noqa: S608
            f" ORDER BY {place}",
            (unit.number, request.offset, request.offset + request.limit),
        )
        return rows.fetchall(), unit.total
    where = " AND ".join(["unit = ?", *(term for term, _ in wanted)])
    given = (unit.number, *(value for _, value in wanted))
    (total,) = connection.execute(
        f"SELECT count(*) FROM citers WHERE {where}",  # noqa: S608 constants
        given,
    ).fetchone()
    # The inner walk touches the index alone; only the page is looked up.
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM citers WHERE unit = ? AND newest IN ("  # noqa: S608
        f"SELECT newest FROM citers WHERE {where} ORDER BY {place} LIMIT ? OFFSET ?)"
        f" ORDER BY {place}",
        (unit.number, *given, request.limit, request.offset),
    )
    return rows.fetchall(), total

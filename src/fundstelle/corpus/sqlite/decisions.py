"""The decisions of a build in SQLite: the port ``corpus.decisions.DecisionStore``."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain

from fundstelle.corpus.decision_rows import (
    CORE_NAME,
    DOCKET_NAME,
    OWN_NAME,
    PAGE_NAME,
    PRINTED_NAME,
    decode_decision,
    decode_text,
    list_names,
    place_key,
)
from fundstelle.corpus.decisions import (
    CitedKind,
    Citing,
    CitingDecision,
    CitingOrder,
    CitingRequest,
    NamedPage,
)
from fundstelle.corpus.rows import Row
from fundstelle.corpus.sqlite import citers, tree
from fundstelle.corpus.sqlite.queries import EDGES
from fundstelle.corpus.sqlite.reader import SqliteCorpusStore
from fundstelle.corpus.store import Inclusion
from fundstelle.errors import DamagedBuild
from fundstelle.law.citations import ReporterCitation, drop_silent
from fundstelle.law.decisions import (
    EU_DECISIONS,
    GERMAN_DECISIONS,
    Decision,
    DecisionText,
    docket_key,
    print_key,
)

_HEADER = "SELECT header FROM decisions WHERE decision = ?"
CITINGS = (
    "SELECT citing, kind, cited, cited_decision, cited_path, cited_text, start_at, end_at,"
    " passage, sentence_start, sentence_end, inferred FROM citings "
)
TEXT_COLUMNS = "text, text_sha256, parts, passages, headings, source_chars, kept_chars"
_TEXT = f"SELECT {TEXT_COLUMNS} FROM decision_texts WHERE decision = ?"  # noqa: S608 constants
_DIGEST = "SELECT text_sha256 FROM decision_texts WHERE decision = ?"
_NUMBER = "SELECT decision FROM decision_names WHERE name = ? AND NOT is_docket"
_PAGES = "SELECT decision FROM decision_names WHERE name = ? AND is_docket = ? ORDER BY decision"
# "…, BGHZ 150, 99" behind the docket is the same citation once more.
_NO_PARALLEL = (
    "NOT (c.kind = 'reporter' AND EXISTS (SELECT 1 FROM citings p"
    " WHERE p.citing = c.citing - 1 AND p.cited_decision = c.cited_decision"
    " AND p.sentence_start = c.sentence_start))"
)
# The first that names it; of those that do not, the first.
_FIRST = "coalesce(min(CASE WHEN r.citing IS NULL THEN c.citing END), min(c.citing))"
_BELOW = "c.cited_path || '/' LIKE ? || '/%'"
_ORDERS = {
    CitingOrder.NEWEST: "d.day IS NULL, d.day DESC, d.decision",
    CitingOrder.RELEVANCE: "d.court_level, count(*) DESC, d.day IS NULL, d.day DESC, d.decision",
}


class SqliteDecisions:
    """Reads the decisions of the build that ``store`` reads."""

    def __init__(self, store: SqliteCorpusStore) -> None:
        self._store = store

    @cached_property
    def base(self) -> int:
        """The ordinal of the first decision in the search index."""
        return self._store.count_norms()

    def count(self) -> int:
        """How many decisions there are."""
        return self._count

    @cached_property
    def _count(self) -> int:
        (count,) = self._store.connection.execute("SELECT count(*) FROM decisions").fetchone()
        return int(count)

    def find(self, decision_id: str) -> Decision | None:
        """A decision by its id or any of its ECLIs, without regard to case."""
        ordinal = self.find_ordinal(decision_id)
        return None if ordinal is None else self._read(ordinal)

    def find_ordinal(self, decision_id: str) -> int | None:
        """Its number among the decisions.

        Raises:
            DamagedBuild: the decision with that number is called otherwise.
        """
        name = decision_id.casefold()
        row = self._store.connection.execute(_NUMBER, (name,)).fetchone()
        if row is None:
            return None
        number: int = row[0]
        leaves = self._store.leaves
        if leaves is not None and not leaves.knows(name, number):
            self._hold_name(name, OWN_NAME, self._read(number))
            leaves.remember(name, number)
        return number

    def get_by_ordinal(self, ordinals: Sequence[int]) -> list[Decision]:
        """The decisions with these numbers, in the order asked; unknown numbers are left out."""
        found = map(self._read, ordinals)
        return [decision for decision in found if decision is not None]

    def list_by_docket(self, docket: str) -> list[Decision]:
        """Every decision under an Aktenzeichen, however it is spelt, newest first."""
        return self._list_named(docket_key(docket), DOCKET_NAME)

    def list_by_core(self, docket: str) -> list[Decision]:
        """Every decision whose Aktenzeichen is this one with something behind its year."""
        return self._list_named(docket_key(docket), CORE_NAME)

    def list_printed(self, citation: str) -> list[Decision]:
        """Every decision that answers cite just so."""
        return self._list_named(print_key(citation), PRINTED_NAME)

    def _list_named(self, name: str, kind: int) -> list[Decision]:
        rows = self._store.connection.execute(
            "SELECT decision, header FROM decision_names JOIN decisions USING (decision)"
            " WHERE name = ? AND is_docket = ? ORDER BY day DESC, decision",
            (name, kind),
        ).fetchall()
        found = [self._hold(*row) for row in rows]
        for decision in found:
            self._hold_name(name, kind, decision)
        return found

    def find_page(self, page: ReporterCitation) -> NamedPage | None:
        """Whose page it is, where all that cite it beside a docket say the same."""
        rows = self._store.connection.execute(_PAGES, (place_key(page), PAGE_NAME)).fetchall()
        numbers = [number for (number,) in rows]
        if not numbers:
            return None
        held = [self._name(number) for number in numbers if number >= 0]
        named = [self._get_citing(-1 - number) for number in numbers if number < 0]
        return NamedPage(held[0] if held else None, named[0] if named else None)

    def find_text(self, decision_id: str) -> DecisionText | None:
        """The words of a decision."""
        ordinal = self.find_ordinal(decision_id)
        if ordinal is None:
            return None
        connection = self._store.connection
        row = connection.execute(_TEXT, (ordinal,)).fetchone()
        if row is None:
            return None
        leaves, name = self._store.leaves, self._name(ordinal)
        if leaves is not None and not leaves.knows(ordinal, name, row[1]):
            head = connection.execute(_HEADER, (ordinal,)).fetchone()
            if head is None:
                raise DamagedBuild(f"what is stored of {name} is gone in part")
            self._hold_name(name.casefold(), OWN_NAME, self._hold(ordinal, head[0], row[1]))
            leaves.remember(ordinal, name, row[1])
        try:
            return decode_text(name, row)
        except (ValueError, TypeError, LookupError, AttributeError) as error:  # of its parts
            raise DamagedBuild(f"what is stored of {name} cannot be read") from error

    def find_inclusion(self, decision_id: str) -> Inclusion | None:
        """The proof of its words; ``None`` where the build has no tree."""
        number = self.find_ordinal(decision_id)
        connection = self._store.connection
        return None if number is None else tree.find_inclusion(connection, -1 - number)

    def list_citations(self, decision_id: str) -> list[Citing]:
        """What a decision cites, in the order of its text."""
        ordinal = self.find_ordinal(decision_id)
        if ordinal is None:
            return []
        low = ordinal * EDGES
        rows = self._store.connection.execute(
            CITINGS + "WHERE citing BETWEEN ? AND ? ORDER BY citing", (low, low + EDGES - 1)
        ).fetchall()
        return [self._decode(row) for row in rows]

    def list_citing(self, request: CitingRequest) -> tuple[list[CitingDecision], int]:
        """Decisions that cite a norm, a law or a decision, and how many there are in all."""
        page = self._find_page(request)
        if page is None:
            return self._count_citing(request)
        rows, total = page
        return [self._describe(*row) for row in rows], total

    def _find_page(self, request: CitingRequest) -> tuple[list[tuple[int, int, int]], int] | None:
        """From the tables that were worked out; ``None`` where they do not say."""
        if not self._has_citers:
            return None
        decision = self.find_ordinal(request.cited_id)
        cited = None if decision is not None else self._store.find_cited(request.cited_id)
        if decision is None and cited is None:
            return [], 0
        connection = self._store.connection
        unit = citers.find_unit(connection, cited, decision, request.path, named=request.named)
        return None if unit is None else citers.read_page(connection, unit, request)

    @cached_property
    def _has_citers(self) -> bool:
        """Builds of before count anew for each page."""
        (found,) = self._store.connection.execute(citers.HAS_CITERS).fetchone()
        return bool(found)

    @cached_property
    def _ranged(self) -> str:
        """Builds of before do not know what only lies within a range."""
        (found,) = self._store.connection.execute(citers.HAS_RANGED).fetchone()
        return "ranged" if found else "(SELECT NULL AS citing WHERE 0)"

    def _describe(self, decision: int, first: int, count: int) -> CitingDecision:
        found = self._read(decision)
        assert found is not None, "what cites is held"
        return CitingDecision(found, self._get_citing(first), count)

    def _count_citing(self, request: CitingRequest) -> tuple[list[CitingDecision], int]:
        """As ``list_citing``, by reading every citation of what is cited."""
        where, values = self._select(request)
        if where is None:
            return [], 0
        body = (
            f"FROM citings c JOIN decisions d ON d.decision = c.citing / {EDGES}"
            f" LEFT JOIN {self._ranged} r ON r.citing = c.citing WHERE {where}"
        )
        connection = self._store.connection
        (total,) = connection.execute(
            f"SELECT count(DISTINCT d.decision) {body}",
            values,
        ).fetchone()
        rows = connection.execute(
            f"SELECT d.decision, d.header, {_FIRST}, count(*) {body} GROUP BY d.decision"
            f" ORDER BY min(r.citing IS NOT NULL), {_ORDERS[request.order]} LIMIT ? OFFSET ?",
            (*values, request.limit, request.offset),
        ).fetchall()
        found = []
        for decision, header, first, count in rows:
            held = self._hold(decision, header)
            found.append(CitingDecision(held, self._get_citing(first), count))
        return found, total

    def list_citing_ordinals(self, cited_id: str) -> list[int]:
        """The numbers of all decisions that cite it."""
        where, values = self._select(CitingRequest(cited_id))
        if where is None:
            return []
        rows = self._store.connection.execute(
            f"SELECT DISTINCT c.citing / {EDGES} FROM citings c WHERE {where} ORDER BY 1",  # noqa: S608
            values,
        )
        return [ordinal for (ordinal,) in rows]

    def count_by_court(self) -> Mapping[str, Mapping[int, int]]:
        """Decisions held for each court and year (0 = no date)."""
        return self._courts

    @cached_property
    def _courts(self) -> dict[str, dict[int, int]]:
        counts: dict[str, dict[int, int]] = {}
        for court, year, count in self._store.connection.execute(
            "SELECT court, coalesce(substr(day, 1, 4), '0'), count(*) FROM decisions"
            " GROUP BY 1, 2 ORDER BY 1, 2"
        ):
            counts.setdefault(court, {})[int(year)] = count
        return counts

    def count_by_source(self) -> Mapping[str, int]:
        """Decisions held for each value of the filter ``source_type``."""
        counts: Counter[str] = Counter()
        for jurisdiction, count in self.count_by_jurisdiction().items():
            counts[EU_DECISIONS if jurisdiction == "eu" else GERMAN_DECISIONS] += count
        return dict(counts)

    def count_by_jurisdiction(self) -> Mapping[str, int]:
        """Decisions held for each value of the filter ``jurisdiction``."""
        return dict(
            self._store.connection.execute(
                "SELECT jurisdiction, count(*) FROM decisions GROUP BY 1 ORDER BY 1"
            )
        )

    def count_by_type(self) -> Mapping[str, int]:
        """Decisions held for each value of the filter ``decision_type``."""
        return dict(
            self._store.connection.execute(
                "SELECT type, count(*) FROM decisions GROUP BY 1 ORDER BY 1"
            )
        )

    def _select(self, request: CitingRequest) -> tuple[str | None, tuple[object, ...]]:
        """The condition of a request; ``None`` where the build does not know what is cited."""
        decision = self.find_ordinal(request.cited_id)
        cited = None if decision is not None else self._store.find_cited(request.cited_id)
        if decision is None and cited is None:
            return None, ()
        column, number = ("cited", cited) if decision is None else ("cited_decision", decision)
        terms: list[tuple[str, object]] = [(f"c.{column} = ?", number)]
        if decision is not None:
            terms.append((_NO_PARALLEL, ()))
        if request.named:
            terms.append(("r.citing IS NULL", ()))
        if request.path:
            # Courts leave the Satz before a number out; a path is asked for with and without it.
            terms.append((f"({_BELOW} OR {_BELOW})", (request.path, drop_silent(request.path))))
        wanted = (
            ("d.court = ?", request.court),
            ("d.type = ?", request.decision_type),
            ("d.jurisdiction = ?", request.jurisdiction),
            ("d.day >= ?", request.day_from.isoformat() if request.day_from else None),
            ("d.day <= ?", request.day_to.isoformat() if request.day_to else None),
        )
        terms += [(term, value) for term, value in wanted if value is not None]
        values = [value if isinstance(value, tuple) else (value,) for _, value in terms]
        return " AND ".join(term for term, _ in terms), tuple(chain.from_iterable(values))

    def _read(self, ordinal: int) -> Decision | None:
        row = self._store.connection.execute(_HEADER, (ordinal,)).fetchone()
        return self._hold(ordinal, row[0]) if row else None

    def _hold(self, number: int, header: str, digest: bytes | None = None) -> Decision:
        """The decision of a header, held against its leaf; ``digest``: that of the text to give.

        Raises:
            DamagedBuild: it is not what was written.
        """
        decision = decode_decision(header)
        leaves = self._store.leaves
        if leaves is None or leaves.knows(number, header if digest is None else digest):
            return decision
        if digest is None:
            row = self._store.connection.execute(_DIGEST, (number,)).fetchone()
            digest = row[0] if row else b""  # which fits no leaf
        leaves.hold_decision(number, header, decision, digest)
        return decision

    def _hold_name(self, name: str, kind: int, decision: Decision | None) -> None:
        """See that a decision has the name that it was found by."""
        if decision is None or name not in list_names(decision)[kind]:
            raise DamagedBuild("the index of the decisions leads to another one than is asked for")

    def _name(self, ordinal: int) -> str:
        row = self._store.connection.execute(
            "SELECT decision_id FROM decisions WHERE decision = ?", (ordinal,)
        ).fetchone()
        return str(row[0])

    def _get_citing(self, citing: int) -> Citing:
        row = self._store.connection.execute(CITINGS + "WHERE citing = ?", (citing,)).fetchone()
        select = f"SELECT 1 FROM {self._ranged} WHERE citing = ?"  # noqa: S608 constants
        ranged = self._store.connection.execute(select, (citing,)).fetchone() is not None
        return replace(self._decode(row), ranged=ranged)

    def _decode(self, row: Row) -> Citing:
        citing, kind, cited, cited_decision, path, text, start, end, passage, *rest = row
        sentence_start, sentence_end, inferred = rest
        if cited_decision is not None:
            cited_id: str | None = self._name(cited_decision)
        else:
            cited_id = self._store.get_cited_id(cited)
        return Citing(
            self._name(citing // EDGES),
            CitedKind(kind),
            cited_id,
            path,
            text,
            start,
            end,
            passage,
            (sentence_start, sentence_end),
            bool(inferred),
        )

"""Status, days, Stand, names, indexes of a build: what a changed bit of them leads to is an error.

A text has a hash of its own; what is stored beside it is held against its leaf of the tree.
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

import pytest

from fundstelle.corpus.decision_rows import encode_decision
from fundstelle.corpus.sqlite import SqliteCorpusStore, SqliteCorpusWriter, SqliteDecisions
from fundstelle.corpus.sqlite.connection import find_decisions
from fundstelle.errors import CorpusError, DamagedBuild
from fundstelle.law.norms import DatePrecision, Fassung, Headings, Norm, NormStatus
from tests.integration.builds.damaging import flip_bit
from tests.unit.corpus.decision_values import make_decision, make_text
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

LAST_DAY, CHANGED = date(2024, 1, 1), date(2023, 1, 1)
DAYS = (date(2022, 6, 1), date(2023, 6, 1), date(2026, 6, 1), None)
IDS = [f"de/musterg/{number}" for number in ("1", "2", "3", "4", "6", "9")]
DECISIONS = sorted(
    (
        make_decision("LG Musterstadt", "2 O 3/20", date(2020, 5, 2)),
        make_decision("LG Musterstadt", "2 O 4/20", date(2020, 6, 3)),
        make_decision("OLG Musterstadt", "VI ZR 1/21", date(2023, 1, 9)),
    ),
    key=lambda decision: decision.decision_id,
)


def write(path: Path) -> Path:
    """One law: changed, in force, gone, several at once; and three decisions."""
    norms: list[tuple[Norm, list[Fassung]]] = []
    for place, number in enumerate(("1", "2", "3", "4-7", "9")):
        norm = replace(make_norm(number, place), number_end="7" if "-" in number else None)
        norm = replace(norm, title=f"Titel {number}", label=f"§§ {number}" if "-" in number else "")
        norms.append((norm, [make_fassung(norm.norm_id, f"Text {number}")]))
    norm, (old,) = norms[0]
    new = replace(
        make_fassung(norm.norm_id, "Neuer Text"),
        in_force_from=CHANGED,
        date_precision=DatePrecision.EXACT,
    )
    ended = replace(old, in_force_until=CHANGED, headings=Headings("Früherer Titel", ()))
    norms[0] = (norm, [ended, new])
    norm, (only,) = norms[2]
    norms[2] = (norm, [replace(only, in_force_until=LAST_DAY)])
    norm, (only,) = norms[4]
    norms[4] = (norm, [replace(only, status=NormStatus.REPEALED)])
    writer = SqliteCorpusWriter(path)
    writer.add_statute(STATUTE, norms)
    for decision in DECISIONS:
        writer.add_decision(encode_decision(decision, make_text(decision, "Eins.", "Zwei.")))
    writer.index()
    writer.finish()
    return path


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "corpus.sqlite")


def read(path: Path) -> Iterator[object]:
    """What answers rest on, each with what was asked; of damage that it is damage."""
    with closing(SqliteCorpusStore(path)) as store:
        decisions = SqliteDecisions(store)
        asks: list[Callable[[], object]] = []
        for norm_id in IDS:
            asks += [partial(_name, store, norm_id, on) for on in DAYS]
            asks.append(partial(store.list_fassungen, norm_id))
        asks += [partial(store.list_excerpts, range(5), on) for on in DAYS if on is not None]
        for decision in DECISIONS:
            [docket] = decision.dockets
            asks += [
                partial(decisions.find, decision.decision_id),
                partial(decisions.find_text, decision.decision_id),
                partial(decisions.list_by_docket, docket),
                partial(decisions.list_by_docket, docket.replace("/", "/1")),
                partial(decisions.list_printed, decision.citation),
            ]
        asks.append(partial(decisions.get_by_ordinal, range(3)))
        for ask in asks:
            try:
                yield ask()
            except DamagedBuild:
                yield DamagedBuild


def _name(store: SqliteCorpusStore, norm_id: str, on: date | None) -> object:
    norm, fassung = store.find_norm(norm_id), store.find_fassung(norm_id, on)
    return norm and (norm.norm_id, norm.citation, norm.title), fassung


def change(path: Path, statement: str, value: object = None) -> None:
    with closing(sqlite3.connect(path)) as database:
        database.execute(statement, () if value is None else (value,))
        database.commit()


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("status", 1),
        ("status", 2),
        ("status", 99),
        ("status", ""),
        ("from_day", "2020-01-01"),
        ("until_day", "2021-01-01"),
        ("until_day", "2x21-01-01"),
        ("precision", 1),
        ("precision", 99),
        ("stand", "2019-01-01"),
        ("stand", "2019"),
    ],
)
@pytest.mark.parametrize("fassung", [0, 1, 256, 512, 768])
def test_a_fassung_that_is_another_is_not_given_and_denies_nothing(
    path: Path, column: str, value: object, fassung: int
) -> None:
    before = list(read(path))
    change(path, f"UPDATE fassungen SET {column} = ? WHERE fassung = {fassung}", value)
    after = list(read(path))
    assert DamagedBuild in after
    assert all(new in (old, DamagedBuild) for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE norms SET citation = '§ 8 MusterG' WHERE ordinal = 1",
        "UPDATE norms SET title = 'Anders' WHERE ordinal = 1",
        "UPDATE former_headings SET title = 'Anders'",
        "DELETE FROM fassungen WHERE fassung = 1",
        "DELETE FROM fassungen WHERE fassung = 512",
        "UPDATE leaves SET leaf = leaf + 1 WHERE subject = 256",
        "UPDATE tree SET hashes = zeroblob(length(hashes)) WHERE node = 0",
        "UPDATE norms SET kind = 99 WHERE ordinal = 1",
        "UPDATE norms SET place = 99 WHERE ordinal = 1",
    ],
)
def test_what_stands_around_it_is_held_against_the_leaf_too(path: Path, statement: str) -> None:
    before = list(read(path))
    change(path, statement)
    after = list(read(path))
    assert DamagedBuild in after
    assert all(new in (old, DamagedBuild) for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE decisions SET header = replace(header, 'VI ZR 1/21', 'VI ZR 2/21')",
        "UPDATE decisions SET header = replace(header, '2020-05-02', '2021-05-02')",
        "UPDATE decisions SET header = replace(header, '2020-05-02', '2021-0x-02')",
        "UPDATE decisions SET header = substr(header, 2)",
        "UPDATE decision_names SET decision = 2 - decision",
        "UPDATE decision_names SET name = replace(name, '2o3.20', '2o3.120')",
    ],
)
def test_a_decision_is_the_one_that_was_asked_for(path: Path, statement: str) -> None:
    before = list(read(path))
    change(find_decisions(path), statement)
    after = list(read(path))
    assert DamagedBuild in after
    assert all(new in (old, [], DamagedBuild) for old, new in zip(before, after, strict=True))


@pytest.mark.parametrize("name", [norm_id.encode() for norm_id in IDS[:3]])
def test_an_index_with_a_changed_bit_denies_nothing_and_leads_to_nothing_else(
    path: Path, name: bytes
) -> None:
    before, whole = list(read(path)), path.read_bytes()
    places = [at for at in range(len(whole)) if whole.startswith(name, at)]
    assert len(places) > 1  # the row, and the index
    seen = 0
    for place in places:
        for bit in range(8):
            path.write_bytes(whole)
            flip_bit(path, place + len(name) - 1, bit)
            try:
                after = list(read(path))
            except CorpusError:  # it cannot be opened
                continue
            assert all(new in (old, DamagedBuild) for old, new in zip(before, after, strict=True))
            seen += DamagedBuild in after
    assert seen


def test_a_build_of_before_the_tree_goes_on(path: Path) -> None:
    before = list(read(path))
    with closing(sqlite3.connect(path)) as database:
        database.executescript("DROP TABLE leaves; DROP TABLE tree")
    assert list(read(path)) == before


def test_what_fitted_once_is_not_believed_when_it_is_read_otherwise(path: Path) -> None:
    with closing(SqliteCorpusStore(path, immutable=True)) as store:
        assert store.find_fassung("de/musterg/2", DAYS[1]) is not None
        assert store.list_fassungen("de/musterg/2")
    with closing(SqliteCorpusStore(path)) as store:
        leaves = store.leaves
        assert leaves is not None
        [head] = store.list_fassungen("de/musterg/2")
        assert head.status is NormStatus.IN_FORCE
        norm = store.connection.execute("SELECT * FROM norms WHERE ordinal = 1").fetchone()
        with pytest.raises(DamagedBuild):
            leaves.hold_fassung(norm, 256, norm[7], (None, None, 0, b"", "2024-01-01", 1))

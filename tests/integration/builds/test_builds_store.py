"""The store port over a real SQLite file."""

import errno
import sqlite3
import threading
from contextlib import closing
from dataclasses import astuple, replace
from datetime import date
from pathlib import Path

import pytest

from fundstelle.corpus.sqlite import SqliteCorpusStore, SqliteCorpusWriter, read_histories
from fundstelle.corpus.sqlite.audit import hash_content
from fundstelle.corpus.store import Reference
from fundstelle.errors import CorpusError
from fundstelle.law.norms import (
    DatePrecision,
    Fassung,
    Headings,
    Norm,
    NormKind,
    NormStatus,
    set_back,
)
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

CHANGED = date(2024, 6, 1)
FORMER = Headings("Früherer Titel", ("Buch 0 Früheres",))
NUMBERS = ["1", "2", "2a", "3-range", "5", "10"]
HEADING = replace(
    make_norm("buch-1"), kind=NormKind.HEADING, label="Buch 1", title="Übergänge", citation="Buch 1"
)
REFERENCES = [
    Reference("de/musterg/1", "de/musterg/2a", "abs=1/satz=2", "§ 2a Abs. 1 Satz 2", 0, 18),
    Reference("de/musterg/1", None, "", "§ 9 FremdG", 20, 30),
    Reference("de/musterg/1", "de/musterg", "", "MusterG", 35, 42),
    Reference("de/musterg/2", "de/musterg/2a", "", "§ 2a", 4, 8),
]


def build_norms() -> list[tuple[Norm, list[Fassung]]]:
    norms: list[tuple[Norm, list[Fassung]]] = [(HEADING, [make_fassung(HEADING.norm_id, "")])]
    for place, number in enumerate(NUMBERS, start=1):
        norm = replace(
            make_norm(number.replace("-range", "-4"), place),
            parent_id=HEADING.norm_id,
            hierarchy=("Buch 1 Übergänge",),
            number_end="4" if number.endswith("-range") else None,
        )
        norms.append((norm, [make_fassung(norm.norm_id, f"Text {number}")]))
    norm, (old,) = norms[1]
    new = replace(
        make_fassung(norm.norm_id, "Neuer Text 1"),
        in_force_from=CHANGED,
        date_precision=DatePrecision.FIRST_SEEN,
    )
    ended = replace(old, in_force_until=CHANGED, headings=FORMER)
    norms[1] = (norm, [ended, new])
    return norms


@pytest.fixture
def store(tmp_path: Path) -> SqliteCorpusStore:
    path = tmp_path / "corpus.sqlite"
    writer = SqliteCorpusWriter(path)
    writer.add_statute(STATUTE, build_norms())
    other = replace(STATUTE, statute_id="de/zweitg", abbreviation="ZweitG")
    only = make_norm("1", statute_id="de/zweitg")
    writer.add_statute(other, [(only, [make_fassung(only.norm_id, "Anderes Gesetz")])])
    writer.index()
    ordinals = {norm.norm_id: ordinal for ordinal, (norm, _) in enumerate(build_norms())}
    ordinals[STATUTE.statute_id] = -1
    writer.add_edges(
        (ordinals[r.citing_id], ordinals.get(r.cited_id or ""), *astuple(r)[2:]) for r in REFERENCES
    )
    writer.finish()
    assert {file.name for file in tmp_path.iterdir()} == {"corpus.sqlite", "decisions.sqlite"}
    return SqliteCorpusStore(path)


def test_every_norm_is_read_as_it_was_written(store: SqliteCorpusStore) -> None:
    assert store.list_norms("de/musterg") == [norm for norm, _ in build_norms()]
    assert list(store.statutes) == ["de/musterg", "de/zweitg"]


def test_ids_are_listed_by_their_beginning_and_up_to_a_number(store: SqliteCorpusStore) -> None:
    ids = [norm.norm_id for norm, _ in build_norms()]
    assert store.list_ids("de/musterg", "de/musterg/", 100) == ids
    assert store.list_ids("de/musterg", ids[-1], 100) == ids[-1:]
    assert store.list_ids("de/musterg", "de/musterg/", 2) == ids[:2]
    assert store.list_ids("de/musterg", "de/musterg/%", 100) == []
    assert store.list_ids("de/zweitg", "de/musterg/", 100) == []
    assert store.list_ids("de/neverg", "", 100) == []


def test_ordinals_run_over_all_statutes_without_gaps(store: SqliteCorpusStore) -> None:
    read = list(store.iter_norms())
    assert [ordinal for ordinal, _, _ in read] == list(range(8))
    assert [store.find_ordinal(norm.norm_id) for _, norm, _ in read] == list(range(8))
    assert [n.norm_id for n in store.get_norms_by_ordinal([7, 99, 0])] == [
        "de/zweitg/1",
        "de/musterg/buch-1",
    ]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("de/musterg/3", "de/musterg/3-4"),
        ("de/musterg/4", "de/musterg/3-4"),  # §§ 3 und 4
        ("de/musterg/3a", "de/musterg/3-4"),
        ("de/musterg/2b", None),
        ("de/musterg/4a", None),
        ("de/musterg/3/1", None),
        ("de/musterg/anlage-4", None),
        ("de/nirgends/4", None),
        ("", None),
    ],
)
def test_an_id_inside_a_range_gives_the_range_norm(
    store: SqliteCorpusStore, asked: str, found: str | None
) -> None:
    norm = store.find_norm(asked)
    assert (norm.norm_id if norm else None) == found


@pytest.mark.parametrize(
    ("number", "before", "after"),
    [
        ("2b", "2a", "3-4"),
        ("4a", "3-4", "5"),
        ("9", "5", "10"),
        ("0", None, "1"),
        ("11", "10", None),
    ],
)
def test_neighbours_follow_the_law_s_own_numbering(
    store: SqliteCorpusStore, number: str, before: str | None, after: str | None
) -> None:
    found = store.find_neighbours("de/musterg", number)
    assert tuple(norm.number if norm else None for norm in found) == (before, after)


# In document order; art-1 and art-2 stand beside § 1 and § 2, and there is no § 9 beside Artikel 9.
SIDE_BY_SIDE = ["art-1", "1", "2", "2a", "art-2", "3", "9"]
NESTED = ["1", "2/1", "2/2", "3", "10/1"]


def make_numbered(tmp_path: Path, numbers: list[str], articles: set[str]) -> SqliteCorpusStore:
    writer = SqliteCorpusWriter(tmp_path / "numbered.sqlite")
    norms = [make_norm(number, place) for place, number in enumerate(numbers)]
    norms = [replace(n, kind=NormKind.ARTICLE) if n.number in articles else n for n in norms]
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "")]) for norm in norms])
    writer.index()
    writer.finish()
    return SqliteCorpusStore(tmp_path / "numbered.sqlite")


def read_numbers(norms: tuple[Norm | None, Norm | None]) -> tuple[str | None, ...]:
    return tuple(norm.number if norm else None for norm in norms)


@pytest.mark.parametrize(
    ("number", "kind", "expected"),
    [
        ("0", None, (None, "1")),  # not art-2, which any other order puts before § 1
        ("2b", NormKind.SECTION, ("2a", "3")),
        ("4", NormKind.SECTION, ("3", None)),
        ("4", NormKind.ARTICLE, ("art-2", "9")),
        ("art-1", None, (None, "art-2")),
        ("art-10", NormKind.SECTION, ("9", None)),
    ],
)
def test_articles_beside_sections_have_an_order_of_their_own(
    tmp_path: Path, number: str, kind: NormKind | None, expected: tuple[str | None, ...]
) -> None:
    store = make_numbered(tmp_path, SIDE_BY_SIDE, {"art-1", "art-2", "9"})
    assert read_numbers(store.find_neighbours("de/musterg", number, kind)) == expected
    assert read_numbers(store.find_ends("de/musterg")) == ("1", "3")
    assert read_numbers(store.find_ends("de/musterg", NormKind.ARTICLE)) == ("art-1", "9")


@pytest.mark.parametrize("kind", [None, NormKind.SECTION, NormKind.ARTICLE])
def test_sections_below_articles_stand_in_the_order_of_the_articles(
    tmp_path: Path, kind: NormKind | None
) -> None:
    store = make_numbered(tmp_path, NESTED, {"1", "3"})
    assert read_numbers(store.find_neighbours("de/musterg", "2/9", kind)) == ("2/2", "3")
    assert read_numbers(store.find_neighbours("de/musterg", "4", kind)) == ("3", "10/1")
    assert read_numbers(store.find_ends("de/musterg", kind)) == ("1", "10/1")


def test_the_ends_are_sections_and_not_headings(store: SqliteCorpusStore) -> None:
    first, last = store.find_ends("de/musterg")
    assert first is not None
    assert last is not None
    assert (first.number, last.number) == ("1", "10")
    assert store.find_ends("de/nirgends") == (None, None)


@pytest.mark.parametrize(
    ("on", "text"),
    [
        (None, "Neuer Text 1"),
        (CHANGED, "Neuer Text 1"),
        (date(2024, 5, 31), "Text 1"),
        (date(1900, 1, 1), "Text 1"),
    ],
)
def test_a_day_selects_the_fassung_in_force(
    store: SqliteCorpusStore, on: date | None, text: str
) -> None:
    fassung = store.find_fassung("de/musterg/1", on)
    assert fassung is not None
    assert fassung.text == text


@pytest.mark.parametrize(
    ("on", "text"), [(date(2024, 5, 31), "Text 1"), (date(2024, 6, 1), "Neuer Text 1")]
)
def test_excerpts_are_those_of_the_day_in_the_order_asked(
    store: SqliteCorpusStore, on: date, text: str
) -> None:
    second, heading, first = store.list_excerpts([2, 0, 1, 999], on)

    assert (first.norm.norm_id, first.text) == ("de/musterg/1", text)
    assert (second.norm.number, second.text) == ("2", "Text 2")
    assert (heading.norm.label, heading.text) == ("Buch 1", "")
    norm = store.find_norm("de/musterg/1")
    assert norm is not None
    assert first.norm == (
        norm if on == CHANGED else set_back(norm, store.find_fassung(norm.norm_id, on))
    )
    assert store.list_excerpts([], on) == []


def test_what_stood_above_an_earlier_text_is_not_what_stands_above_it_now(
    store: SqliteCorpusStore,
) -> None:
    before = store.find_fassung("de/musterg/1", date(2024, 5, 31))
    now = store.find_fassung("de/musterg/1", CHANGED)
    assert before is not None
    assert now is not None
    assert (before.headings, now.headings) == (FORMER, None)
    (_, (first, second)) = read_histories(store, "de/musterg")[1]
    assert (first.headings, second.headings) == (FORMER, None)


def test_norms_of_a_day_have_their_title_and_status_of_that_day(store: SqliteCorpusStore) -> None:
    then = store.list_norms_on("de/musterg", date(2024, 5, 31))
    now = store.list_norms_on("de/musterg", CHANGED)
    assert now == store.list_norms("de/musterg")
    assert (then[1].title, then[1].hierarchy) == (FORMER.title, FORMER.hierarchy)
    assert then[2:] == now[2:]


def test_a_norm_has_no_text_in_force_before_it_begins_and_after_it_ends(tmp_path: Path) -> None:
    norm = make_norm("1")
    begun, ended = date(2024, 1, 1), date(2025, 1, 1)
    fassung = replace(
        make_fassung(norm.norm_id, "Text"),
        in_force_from=begun,
        in_force_until=ended,
        date_precision=DatePrecision.EXACT,
    )
    writer = SqliteCorpusWriter(tmp_path / "corpus.sqlite")
    writer.add_statute(STATUTE, [(norm, [fassung])])
    writer.index()
    writer.finish()
    store = SqliteCorpusStore(tmp_path / "corpus.sqlite")
    days = (date(2023, 12, 31), begun, date(2024, 12, 31), ended)
    statuses = [store.list_norms_on(norm.statute_id, day)[0].status for day in days]
    future, held, gone = NormStatus.FUTURE, NormStatus.IN_FORCE, NormStatus.REPEALED
    assert statuses == [future, held, held, gone]
    assert [store.list_excerpts([0], day)[0].norm.status for day in days] == statuses
    store.close()


def test_builds_that_did_not_keep_earlier_headings_say_that_they_do_not_know_them(
    tmp_path: Path,
) -> None:
    path = tmp_path / "corpus.sqlite"
    writer = SqliteCorpusWriter(path)
    writer.add_statute(STATUTE, build_norms())
    writer.index()
    writer.finish()
    with closing(sqlite3.connect(path)) as database:
        for table in ("former_headings", "leaves", "tree"):  # the tree came after the headings
            database.execute(f"DROP TABLE {table}")
    store = SqliteCorpusStore(path)
    before = store.find_fassung("de/musterg/1", date(2024, 5, 31))
    assert before is not None
    assert before.headings == Headings(None)
    (_, (first, second)) = read_histories(store, "de/musterg")[1]
    assert (first.headings, second.headings) == (Headings(None), None)
    hash_content(store)
    store.close()


def test_versions_are_listed_oldest_first(store: SqliteCorpusStore) -> None:
    heads = store.list_fassungen("de/musterg/1")
    assert [(h.in_force_from, h.in_force_until) for h in heads] == [
        (None, CHANGED),
        (CHANGED, None),
    ]
    assert store.list_fassungen("de/musterg/999") == []


def test_provisions_are_listed_by_position_without_headings(store: SqliteCorpusStore) -> None:
    assert [n.number for n in store.list_provisions("de/musterg", 0, 2)] == ["1", "2"]
    # A range never reaches into the next statute.
    assert [n.number for n in store.list_provisions("de/musterg", 6, 99)] == ["10"]


def test_references_are_found_from_both_ends(store: SqliteCorpusStore) -> None:
    assert store.list_references_from("de/musterg/1") == REFERENCES[:3]
    assert store.list_references_to("de/musterg/2a", 1, 1) == ([REFERENCES[3]], 2)
    assert store.list_references_to("de/musterg", 10, 0) == ([REFERENCES[2]], 1)
    assert store.list_references_to("de/musterg/10", 10, 0) == ([], 0)
    assert store.list_references_to("de/nirgends", 10, 0) == ([], 0)


def test_headings_are_found_by_folded_words(store: SqliteCorpusStore) -> None:
    assert store.find_headings("uebergaeng") == [0]
    assert store.find_headings("text") == []


def test_threads_read_the_same_store_at_once(store: SqliteCorpusStore) -> None:
    seen: list[str | None] = []

    def read() -> None:
        fassung = store.find_fassung("de/musterg/2")
        seen.append(fassung.text if fassung else None)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == ["Text 2"] * 4


def test_a_damaged_file_is_a_corpus_error(tmp_path: Path) -> None:
    (tmp_path / "corpus.sqlite").write_bytes(b"not a database" * 100)
    with pytest.raises(CorpusError, match="corpus verify"):
        SqliteCorpusStore(tmp_path / "corpus.sqlite")


def test_a_full_disk_is_reported_as_such(tmp_path: Path) -> None:
    writer = SqliteCorpusWriter(tmp_path / "corpus.sqlite")
    writer._db.execute("PRAGMA max_page_count = 30")
    norm = make_norm("1")
    with pytest.raises(OSError, match="No space left") as caught:
        writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "x" * 200_000)])])
    writer.close()
    assert caught.value.errno == errno.ENOSPC


def test_the_outline_of_a_law_is_that_of_its_provisions(store: SqliteCorpusStore) -> None:
    outline = store.list_outline("de/musterg")
    provisions = store.list_provisions("de/musterg", 0, 1_000)

    assert [(one.position, one.kind, one.number) for one in outline] == [
        (norm.position, norm.kind, norm.number) for norm in provisions
    ]
    assert store.get_norms_by_ordinal([one.ordinal for one in outline]) == provisions
    assert len({one.place for one in outline}) == 1
    assert store.list_outline("de/musterg") is outline
    assert store.list_outline("de/keing") == ()


def test_a_text_that_is_asked_for_again_is_not_read_again(store: SqliteCorpusStore) -> None:
    first = store.find_fassung("de/musterg/1", CHANGED)
    assert first is not None
    assert store.find_fassung("de/musterg/1", CHANGED) is first
    other = store.find_fassung("de/musterg/1", date(2024, 1, 1))
    assert other is not None
    assert other.text != first.text

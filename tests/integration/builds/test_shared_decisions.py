"""The decisions of a build lie in a file of their own, which the next build may share."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from fundstelle import sharing
from fundstelle.corpus.decisions import CitingRequest
from fundstelle.corpus.sqlite import SqliteBuild, SqliteCorpusWriter
from fundstelle.corpus.sqlite.connection import find_decisions
from tests.integration.citing.citing_store import CITED, build_store
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

KEPT = {"summary", "leaf_hashes"}


@pytest.fixture
def first(tmp_path: Path) -> Iterator[SqliteBuild]:
    (tmp_path / "first").mkdir()
    build_store(tmp_path / "first" / "corpus.sqlite", 200)
    with closing(SqliteBuild(tmp_path / "first" / "corpus.sqlite")) as store:
        yield store


def go_on(before: SqliteBuild, folder: Path, text: str, *, cited: bool = True) -> SqliteBuild:
    """A build with another text of the law, and the decisions of the one before."""
    folder.mkdir()
    writer = SqliteCorpusWriter(folder / "corpus.sqlite")
    norm = make_norm("1")
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, text)])])
    writer.index_laws()
    if cited:
        assert writer.share_decisions(before.path) == before.decisions.count()
    else:
        with writer.taking_decisions(before.path) as take:
            take(range(before.decisions.count()))
    writer.index()
    writer.finish()
    return SqliteBuild(folder / "corpus.sqlite")


def read_pages(store: SqliteBuild) -> object:
    return [
        store.decisions.list_citing(CitingRequest(CITED, path=path, limit=500))
        for path in ("", "abs=1", "abs=10")
    ]


def test_the_next_build_has_the_same_file_and_leaves_it_as_it_is(
    first: SqliteBuild, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sharing, "LEAST_BYTES", 0)
    before = find_decisions(first.path).read_bytes(), first.hash_content(), read_pages(first)
    with closing(go_on(first, tmp_path / "second", "Neuer Text")) as second:
        assert find_decisions(second.path).samefile(find_decisions(first.path))
        assert {one.name for one in second.path.parent.iterdir()} == {
            "corpus.sqlite",
            "decisions.sqlite",
        }
        assert read_pages(second) == read_pages(first)
        assert second.check() == []
        assert second.compute_root() == second.find_root() != first.find_root()
        assert second.hash_content() == second.hash_content(anew=False) != before[1]
    assert before == (
        find_decisions(first.path).read_bytes(),
        first.hash_content(),
        read_pages(first),
    )


def test_a_build_that_shares_is_the_one_that_holds_its_own(
    first: SqliteBuild, tmp_path: Path
) -> None:
    with closing(go_on(first, tmp_path / "second", "Text")) as second:
        assert second.count_rows() == first.count_rows()
        assert second.hash_content() == first.hash_content()
        assert second.find_root() == first.find_root()


def test_decisions_without_what_they_cite_are_copied(first: SqliteBuild, tmp_path: Path) -> None:
    with closing(go_on(first, tmp_path / "second", "Text", cited=False)) as second:
        assert not find_decisions(second.path).samefile(find_decisions(first.path))
        assert second.count_rows() == {**first.count_rows(), "citings": 0}
        assert list(second.decisions.iter_all()) == list(first.decisions.iter_all())
        assert second.find_root() == first.find_root()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE summary SET citings = citings + 1",
        "UPDATE summary SET characters = characters - 1",
        "UPDATE summary SET sha256 = x'00'",
        "UPDATE citings SET cited_text = '§ 2 MusterG' WHERE citing = 0",
        "DELETE FROM ranged; UPDATE decisions SET court = 'BAG' WHERE decision = 7",
    ],
)
def test_what_is_kept_beside_decisions_is_worked_out_by_a_check(
    first: SqliteBuild, change: str
) -> None:
    before = first.hash_content()
    alter(first, change)
    with closing(SqliteBuild(first.path)) as changed:
        assert changed.hash_content() != before


def test_hashes_of_leaves_that_are_not_those_of_the_texts_are_found(first: SqliteBuild) -> None:
    alter(first, "UPDATE leaf_hashes SET hashes = zeroblob(length(hashes)) WHERE block = 1")
    with closing(SqliteBuild(first.path)) as changed:
        assert changed.compute_root() is None


def alter(store: SqliteBuild, change: str) -> None:
    with closing(sqlite3.connect(find_decisions(store.path))) as database:
        database.executescript(change)


def test_a_build_of_before_has_all_in_one_file(first: SqliteBuild) -> None:
    counts, pages, root = first.count_rows(), read_pages(first), first.find_root()
    put_together(first.path)
    with closing(SqliteBuild(first.path)) as old:
        assert old.count_rows() == counts
        assert read_pages(old) == pages
        assert old.check() == []
        assert old.compute_root() == root
        assert old.hash_content() == old.hash_content(anew=False)


def put_together(path: Path) -> None:
    """As builds were made before decisions had a file of their own."""
    decisions = find_decisions(path)
    with closing(sqlite3.connect(path)) as database:
        database.execute("ATTACH DATABASE ? AS decided", (str(decisions),))
        made = database.execute("SELECT type, name, sql FROM decided.sqlite_master").fetchall()
        for kind, name, sql in made:
            if sql and name not in KEPT and not name.startswith("sqlite_"):
                database.execute(sql)
                if kind == "table":
                    database.execute(f"INSERT INTO main.{name} SELECT * FROM decided.{name}")
        database.commit()
    decisions.unlink()

"""An index that has the decisions of another one finds what one made whole finds."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SearchDocument, SearchIndex, SearchRequest
from tests.integration.search.test_search_index import BLANK, number

THINGS = ["Drache", "Höhle", "Hort", "Gold", "Eimer", "Ritter", "Burg", "Furt", "Wächter", "Kessel"]
QUERIES = ("Drache", "Hort Gold", "Drachenhöhle", "Kessel der Burg", "gibt es nicht")


def make_norms(count: int, first: int = 0) -> list[SearchDocument]:
    return [
        replace(
            BLANK,
            norm_id=f"de/g/{place}",
            heading=f"{THINGS[place % 10]} und {THINGS[place // 3 % 10]}",
            text=f"Der {THINGS[place * 7 % 10]} ist {place % 4 * 'alt '} am {THINGS[place % 7]}.",
            statute_id=f"de/g{place % 3}",
            law=f"Gesetz {place % 3}",
        )
        for place in range(first, first + count)
    ]


def make_decisions(count: int) -> list[SearchDocument]:
    return [
        replace(
            BLANK,
            norm_id=f"bgh/{place}",
            citation=f"BGH {place} ZR 1/20",
            text=f"Wer {THINGS[place % 10]} und {THINGS[place * 3 % 10]} hat, trägt {place}.",
            statute_id="",
            document_kind="decision",
            court="BGH" if place % 2 else "LG Burgdorf",
            day=20200101 + place,
        )
        for place in range(count)
    ]


def ask(index: SearchIndex, total: int) -> list[object]:
    narrowing: Sequence[dict[str, object]] = (
        {},
        {"filters": {"court": ("BGH",)}},
        {"filters": {"document_kind": ("statute",)}},
        {"ordinals": range(0, total, 3)},
        {"ordinals": (0, total - 1)},
        {"day_from": 20200105},
        {"facets": True, "rephrasings": ("Ritter Furt",)},
    )
    found = (
        index.search(SearchRequest(query, limit=50, **more))  # type: ignore[arg-type]
        for query, more in product(QUERIES, narrowing)
    )
    return [repr(result) for result in found]


def read_first(documents: Sequence[SearchDocument], norms: int) -> Iterator[SearchDocument]:
    """All norms and the first decision; behind that nobody may read."""
    yield from documents[: norms + 1]
    pytest.fail("a decision was read")


@pytest.mark.parametrize(
    "norms",
    [make_norms(40), make_norms(31), make_norms(50, first=5), make_norms(1)],
    ids=["same", "fewer", "more and others", "one"],
)
def test_decisions_of_another_index_are_found_as_if_they_were_written_anew(
    tmp_path: Path, norms: list[SearchDocument]
) -> None:
    before, taken, anew = (tmp_path / name for name in ("before", "taken", "anew"))
    for folder in (before, taken, anew):
        folder.mkdir()
    engine, decisions = TantivyEngine(), make_decisions(30)
    engine.build(number([*make_norms(40), *decisions]), before)
    documents = list(number([*norms, *decisions]))
    engine.build(read_first(documents, len(norms)), taken, before)
    engine.build(documents, anew)
    one, other = engine.open(taken), engine.open(anew)
    assert ask(one, len(documents)) == ask(other, len(documents))
    one.close()
    other.close()
    again = tmp_path / "again"
    again.mkdir()
    engine.build(documents, again, taken)  # from what was itself taken
    last = engine.open(again)
    assert ask(last, len(documents)) == ask(engine.open(anew), len(documents))
    last.close()
    names = {path.name for path in before.glob("*.*") if path.name[0] != "."}
    assert len(names & {path.name for path in again.glob("*.*")} - {"meta.json"}) >= 6


def test_an_index_without_decisions_gives_none_and_takes_none(tmp_path: Path) -> None:
    before, taken = tmp_path / "before", tmp_path / "taken"
    before.mkdir()
    taken.mkdir()
    engine, norms = TantivyEngine(), make_norms(40)
    engine.build(number(norms), before)
    engine.build(number([*norms, *make_decisions(3)]), taken, before)
    index = engine.open(taken)
    assert index.search(SearchRequest("Drache", filters={"court": ("BGH",)})).total == 0
    assert index.search(SearchRequest("Höhle", filters={"court": ("BGH",)})).total == 1
    index.close()


def test_what_an_index_of_another_engine_learnt_is_not_taken(tmp_path: Path) -> None:
    """Its sentences are no files of this one: where the setting changes, so does the engine."""
    other, folder = tmp_path / "other", tmp_path / "own"
    (other / "sentences").mkdir(parents=True)
    (other / "sentences" / "counts.json").write_text("{}", encoding="utf-8")
    folder.mkdir()
    engine = TantivyEngine()
    engine.build(number([*make_norms(5), *make_decisions(2)]), folder, other)
    assert "as it was learnt before" not in engine.learn([], folder, other)
    assert not (folder / "sentences").exists()
    index = engine.open(folder)
    assert index.search(SearchRequest("Drache")).total
    index.close()

"""An index that has parts of another one finds what one made whole finds."""

from collections.abc import Container, Sequence
from dataclasses import replace
from itertools import groupby, product
from operator import itemgetter
from pathlib import Path

import pytest

from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import HeldPart, SearchDocument, SearchIndex, SearchRequest
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


def put(
    norms: Sequence[SearchDocument],
    decisions: Sequence[tuple[int, SearchDocument]],
    held: Container[int] = (),
) -> list[SearchDocument | HeldPart]:
    """Norms and decisions with their ordinals, by part; of those ``held`` no documents."""
    documents: list[SearchDocument | HeldPart] = list(number([*norms]))
    for part, of_part in groupby(sorted(decisions, key=itemgetter(0)), key=itemgetter(0)):
        numbered = [
            replace(one, ordinal=len(norms) + decisions.index((part, one)), part=part)
            for _, one in of_part
        ]
        if part in held:
            documents.append(HeldPart(part, [one.ordinal for one in numbered]))
        else:
            documents += numbered
    return documents


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
    engine, decisions = TantivyEngine(), [(0, one) for one in make_decisions(30)]
    engine.build(put(make_norms(40), decisions), before)
    assert engine.list_parts(before) == {0}
    engine.build(put(norms, decisions, held={0}), taken, before)
    engine.build(put(norms, decisions), anew)
    one, other = engine.open(taken), engine.open(anew)
    total = len(norms) + len(decisions)
    assert ask(one, total) == ask(other, total)
    one.close()
    other.close()
    again = tmp_path / "again"
    again.mkdir()
    engine.build(put(norms, decisions, held={0}), again, taken)  # from what was itself taken
    last = engine.open(again)
    assert ask(last, total) == ask(engine.open(anew), total)
    last.close()
    names = {path.name for path in before.glob("*.*") if path.name[0] != "."}
    assert len(names & {path.name for path in again.glob("*.*")} - {"meta.json"}) >= 6


def part_of(place: int) -> int:
    """Neighbours lie in different parts."""
    return (20201, 20202, 20190, 7)[place % 4]


@pytest.mark.parametrize(
    ("norms", "places"),
    [
        (make_norms(40), [*range(41)]),  # one more, at the end
        (make_norms(31), [0, *range(2, 40)]),  # one less in the midst, and fewer norms
        # of one part nothing, of the others the first ones gone and many more
        (
            make_norms(50, first=5),
            [place for place in range(60) if (place < 40 if place % 4 == 0 else place > 12)],
        ),
        (make_norms(1), [*range(3, 40, 4)]),  # one part alone is left
    ],
    ids=["more", "less", "others", "few"],
)
def test_parts_that_are_the_same_are_found_as_if_they_were_written_anew(
    tmp_path: Path, norms: list[SearchDocument], places: list[int]
) -> None:
    before, taken, anew, whole = (tmp_path / one for one in ("before", "taken", "anew", "whole"))
    for folder in (before, taken, anew, whole):
        folder.mkdir()
    engine, known = TantivyEngine(), make_decisions(60)
    was = [(part_of(place), known[place]) for place in range(40)]
    now = [(part_of(place), known[place]) for place in places]
    engine.build(put(make_norms(40), was), before)
    held = {
        part
        for part in engine.list_parts(before)
        if [one for one in was if one[0] == part] == [one for one in now if one[0] == part]
    }
    engine.build(put(norms, now, held), taken, before)
    engine.build(put(norms, now), anew)
    engine.build(put(norms, [(0, one) for _, one in now]), whole)
    indexes = [engine.open(folder) for folder in (taken, anew, whole)]
    total = len(norms) + len(now)
    answers = [ask(index, total) for index in indexes]
    assert answers[0] == answers[1] == answers[2]  # in parts, taken or not, or in one
    for index in indexes:
        index.close()
    shared = {path.name for path in before.glob("*.idx")} & {
        path.name for path in taken.glob("*.idx")
    }
    assert len(shared) == len(held) > 0


def test_equal_hits_of_all_parts_come_in_the_order_of_ordinals_on_every_page(
    tmp_path: Path,
) -> None:
    alike = [
        replace(one, text="Der Drache schläft.", citation="", day=20200101)
        for one in make_decisions(30)
    ]
    engine = TantivyEngine()
    engine.build(
        put(make_norms(4), [(part_of(place), one) for place, one in enumerate(alike)]), tmp_path
    )
    index = engine.open(tmp_path)
    filters = {"court": ("BGH",)}
    found = [
        hit.ordinal
        for offset in range(0, 21, 3)
        for hit in index.search(
            SearchRequest("schläft", limit=3, offset=offset, filters=filters)
        ).hits
    ]
    assert found == [4 + place for place in range(30) if place % 2]
    index.close()


def test_an_index_without_decisions_gives_none_and_takes_none(tmp_path: Path) -> None:
    before, taken = tmp_path / "before", tmp_path / "taken"
    before.mkdir()
    taken.mkdir()
    engine, norms = TantivyEngine(), make_norms(40)
    engine.build(number(norms), before)
    assert not engine.list_parts(before)
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

"""Files of a collection are read apart where they can be, in their order, and each once."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest import reading
from fundstelle.ingest.harvest import Harvest
from fundstelle.ingest.reading import Place, spread_here, spread_reading
from fundstelle.ingest.sources.by_hand import find_collections
from fundstelle.ingest.sources.registry import COURTS
from tests.integration.corpora.building import Heard

REGISTER = json.dumps(
    [{"gericht": "VG Köln", "aktenzeichen": "13 K 1/20", "datum": "2020-02-03", "art": "Urteil"}]
)


def write(folder: Path, **files: str) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text, encoding="utf-8")
    return folder


def make_case(number: int) -> str:
    return json.dumps(
        {
            "slug": f"case-{number}",
            "court": {"name": "Bundesgerichtshof"},
            "file_number": f"VI ZR {number}/16",
            "date": "2018-04-09",
            "type": "Urteil",
            "content": f"## Tenor\n\nDie Revision {number} wird verworfen.",
        }
    )


def gather(folder: Path, spools: Path, jobs: list[tuple[Any, ...]]) -> Harvest:
    spools.mkdir()

    def spread(work: Callable[..., Any], given: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        for job in given:
            jobs.append(job)
            yield work(*job)

    with Harvest(spools, spread) as harvest:
        (collection,) = find_collections(folder.parent)
        harvest.gather(collection, Heard())
    return harvest


def list_names(places: Iterable[Place]) -> list[str]:
    return [place.name.rpartition("/")[2] for place in places]


def test_batches_hold_all_files_in_the_order_of_their_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_BATCH_FILES", 2)
    names = {f"case-{number}__json": make_case(number) for number in range(5)}
    folder = write(tmp_path / "decisions", **names)
    jobs: list[tuple[Any, ...]] = []
    harvest = gather(folder, tmp_path / "spools", jobs)
    batches = [list_names(batch) for _, _, _, batch in jobs]
    assert [len(batch) for batch in batches] == [2, 2, 1]
    assert [name for batch in batches for name in batch] == [f"case-{at}.json" for at in range(5)]
    assert len(harvest.ids["rechtsprechung"]) == 5


def test_a_register_is_read_with_what_stands_behind_it(tmp_path: Path) -> None:
    folder = write(tmp_path / "decisions", a__json=make_case(1), b__json=REGISTER)
    write(folder / "c", **{"VG Köln 13 K 1-20__txt": "Tenor\n\nDie Klage wird abgewiesen.\n"})
    jobs: list[tuple[Any, ...]] = []
    harvest = gather(folder, tmp_path / "spools", jobs)
    assert [(list_names(shared), list_names(batch)) for _, _, shared, batch in jobs] == [
        ([], ["a.json"]),
        (["b.json"], ["VG Köln 13 K 1-20.txt"]),
    ]
    assert harvest.groups["VG Köln"] == {"de/vg-koeln/13-k-1-20/2020-02-03/urteil"}


def test_a_register_of_no_use_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "_BATCH_FILES", 1)
    names = {f"case-{number}__json": make_case(number) for number in range(3)}
    folder = write(tmp_path / "decisions", a__json=REGISTER[:-1], **names)
    jobs: list[tuple[Any, ...]] = []
    harvest = gather(folder, tmp_path / "spools", jobs)
    assert [one.name for one in harvest.rejected] == ["a.json"]
    assert all(not shared for _, _, shared, _ in jobs)


def test_what_cannot_be_used_is_told_though_no_file_comes_behind_it(tmp_path: Path) -> None:
    data = REGISTER[:-1].encode()
    (raw := tmp_path / "raw").write_bytes(data)
    place = Place("a.json", 0, len(data), b"", is_shared=True)
    found = list(spread_reading(COURTS, raw, [place], spread_here))
    assert [count for count, _ in found] == [0]
    assert all(isinstance(one, Rejected) for _, read in found for one in read)


def test_a_source_whose_files_need_each_other_is_read_in_one_go(tmp_path: Path) -> None:
    folder = write(tmp_path / "decisions", a__json=make_case(1))
    (collection,) = find_collections(folder.parent)
    adapter = replace(COURTS.adapter(), is_shared=None)
    source = replace(COURTS, adapter=lambda: adapter)
    jobs: list[tuple[Any, ...]] = []
    (tmp_path / "spools").mkdir()

    def spread(work: Callable[..., Any], given: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        jobs.extend(given)
        yield work

    with Harvest(tmp_path / "spools", spread) as harvest:
        harvest.gather(replace(collection, source=source), Heard())
    assert not jobs
    assert len(harvest.ids["rechtsprechung"]) == 1

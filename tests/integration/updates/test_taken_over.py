"""An update that brings no decision takes them over as they are, with all that was read in them."""

import shutil
import sqlite3
from contextlib import closing
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.decisions import CitingRequest
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.soundness.check import Finding
from fundstelle.corpus.soundness.record import Record, identify_build, keep_record
from fundstelle.corpus.sqlite import writer
from fundstelle.corpus.sqlite.taken_decisions import TakenDecisions
from fundstelle.ingest.build import basis
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.looks import Dated
from fundstelle.ingest.sources.by_hand import find_collections, find_snapshots
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.engines.tantivy.parts import DecisionParts
from fundstelle.search.index import SearchEngine, SearchRequest
from tests.integration.builds.damaging import flip_bit
from tests.integration.corpora.building import NOW, Heard, build, unsign

READING = {"citations", "sentences"}
OLDER, NEWER = "gii-2025-01-01", "gii-2025-01-15"


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """Invented laws as on two days, the same on both, and decisions."""
    held = Path(str(files("fundstelle.ingest.sources") / "demonstration_data"))
    (folder := tmp_path / "given").mkdir()
    for day in (OLDER, NEWER):
        shutil.copytree(held / "2025-01-01", folder / day)
    shutil.copytree(held / "decisions", folder / "decisions")
    return folder


def change(given: Path, old: str, new: str) -> None:
    """Let the newer state of the laws have other words."""
    changed = 0
    for path in sorted((given / NEWER).rglob("*.xml")):
        text = path.read_text(encoding="utf-8")
        changed += text.count(old)
        path.write_text(text.replace(old, new), encoding="utf-8")
    assert changed, f"{old} is in no law"


def ingest(
    data: Path,
    given: Path,
    *names: str,
    guard: tuple[Path, ...] = (),
    engine: SearchEngine | None = None,
    adds: bool = False,
) -> Heard:
    heard = Heard()
    sources: list[Dated | Collection] = [
        *(replace(one, adds=adds) for name in names for one in find_collections(given / name)),
        *(one for name in names for one in find_snapshots(given / name)),
    ]
    build(data, sources, heard=heard, guard=guard, engine=engine)
    return heard


def read_build(data: Path) -> tuple[Manifest, dict[str, bytes]]:
    release = builds.get_live(data)
    assert release is not None
    folder = builds.get_folder(data, release)
    index = {path.name: path.read_bytes() for path in (folder / builds.INDEX).glob("*.txt")}
    assert builds.verify(data, release) == []
    return unsign(builds.read_manifest(folder)), index


def require_same(updated: Path, fresh: Path) -> None:
    (one, of_one), (other, of_other) = read_build(updated), read_build(fresh)
    assert one.release == other.release
    assert (one.citings, one.decisions, one.laws) == (other.citings, other.decisions, other.laws)
    assert of_one == of_other
    stores = builds.open_active(updated), builds.open_active(fresh)
    pages = [
        [
            (found.decision.decision_id, found.first, found.count)
            for norm in store.list_norms(statute_id)
            for found in store.decisions.list_citing(CitingRequest(norm.norm_id))[0]
        ]
        for store in stores
        for statute_id in store.statutes
    ]
    half = len(pages) // 2
    assert pages[:half] == pages[half:]
    assert any(pages)
    for store in stores:
        store.close()


def test_an_update_of_a_text_reads_no_decision_and_is_the_build_from_nothing(
    given: Path, tmp_path: Path
) -> None:
    change(given, "</P>", " Das gilt auch bei Regen.</P>")
    first = ingest(tmp_path / "data", given, OLDER, "decisions")
    assert set(first.phases) >= READING
    update = ingest(tmp_path / "data", given, NEWER)
    assert READING.isdisjoint(update.phases)
    ingest(tmp_path / "fresh", given, OLDER, NEWER, "decisions")
    require_same(tmp_path / "data", tmp_path / "fresh")


def list_files(data: Path, names: str) -> set[str]:
    """Their names, which tantivy gives by chance."""
    release = builds.get_live(data)
    assert release is not None
    index = builds.get_folder(data, release) / builds.INDEX
    return {path.name for path in index.glob(names)}


@pytest.mark.parametrize(
    ("old", "new", "same"),
    [
        ("</P>", " Das gilt auch bei Regen.</P>", True),
        ("<enbez>§ 2</enbez>", "<enbez>§ 2a</enbez>", False),  # sentences may cite another norm
    ],
)
def test_an_update_of_a_text_has_the_index_of_decisions_and_what_was_learnt(
    given: Path, tmp_path: Path, old: str, new: str, *, same: bool
) -> None:
    data, fresh, engine = tmp_path / "data", tmp_path / "fresh", TantivyEngine()
    change(given, old, new)
    ingest(data, given, OLDER, "decisions", engine=engine)
    held, learnt = list_files(data, "*.idx"), list_files(data, "sentences/*.idx")
    ingest(data, given, NEWER, engine=engine)
    assert len(held & list_files(data, "*.idx")) == 1  # the decisions'
    assert bool(learnt & list_files(data, "sentences/*.idx")) is same
    ingest(fresh, given, OLDER, NEWER, "decisions", engine=engine)
    for query in ("Regen", "Eiche gießen", "Kündigung", "Anspruch auf Ersatz", "demo"):
        found = []
        for one in (data, fresh):
            release = builds.get_live(one)
            assert release is not None
            index = engine.open(builds.get_folder(one, release) / builds.INDEX)
            found.append(repr(index.search(SearchRequest(query, limit=50, facets=True))))
            index.close()
        assert found[0] == found[1]


def test_decisions_that_are_given_again_and_are_the_same_keep_their_part_of_the_index(
    given: Path, tmp_path: Path
) -> None:
    data, engine = tmp_path / "data", TantivyEngine()
    ingest(data, given, OLDER, "decisions", engine=engine)
    held = list_files(data, "*.idx")
    first, *_ = sorted((given / "decisions").rglob("*.xml"))
    first.write_text(first.read_text(encoding="utf-8") + "\n", encoding="utf-8")  # another file
    update = ingest(data, given, NEWER, "decisions", engine=engine)
    assert set(update.phases) >= READING
    assert len(held & list_files(data, "*.idx")) == 1
    first.write_text(first.read_text(encoding="utf-8").replace("<p>", "<p>Doch ", 1))
    ingest(data, given, "decisions", engine=engine)
    assert not held & list_files(data, "*.idx")


def get_live_folder(data: Path) -> Path:
    release = builds.get_live(data)
    assert release is not None
    return builds.get_folder(data, release)


@pytest.mark.parametrize("damaged", ["{decisions}.idx", "{decisions}.term", "sentences/*.idx"])
def test_nothing_of_a_damaged_index_goes_into_the_next_build(
    given: Path, tmp_path: Path, damaged: str
) -> None:
    data, engine = tmp_path / "data", TantivyEngine()
    change(given, "</P>", " Das gilt auch bei Regen.</P>")
    ingest(data, given, OLDER, "decisions", engine=engine)
    index = get_live_folder(data) / builds.INDEX
    parts = DecisionParts.find(index)
    assert parts is not None
    segment = parts.find_segment(0).replace("-", "")
    path, *_ = sorted(index.glob(damaged.format(decisions=segment)))
    flip_bit(path, path.stat().st_size // 2, 0)
    held, learnt = list_files(data, "*.idx"), list_files(data, "sentences/*.idx")
    update = ingest(data, given, NEWER, engine=engine)
    assert any("both are made anew" in note and path.name in note for note in update.notes)
    assert READING.isdisjoint(update.phases)  # of the decisions' own file
    assert not held & list_files(data, "*.idx")
    assert not learnt & list_files(data, "sentences/*.idx")
    index = get_live_folder(data) / builds.INDEX
    with closing(engine.open(index)) as opened:
        assert opened.search(SearchRequest("Regen", limit=50)).hits
    ingest(tmp_path / "fresh", given, OLDER, NEWER, "decisions")
    assert read_build(data)[0].release == read_build(tmp_path / "fresh")[0].release


def test_of_a_build_that_a_check_found_damaged_the_index_is_made_anew(
    given: Path, tmp_path: Path
) -> None:
    """A disk that reads well at times."""
    data, engine = tmp_path / "data", TantivyEngine()
    ingest(data, given, OLDER, "decisions", engine=engine)
    parts, release = list_files(data, "*.idx"), get_live_folder(data).name
    found = Finding("index/meta.json", "its bytes are not those that were written")
    keep_record(data, release, Record(identify_build(data, release), NOW, (found,)))
    change(given, "</P>", " Das gilt auch bei Regen.</P>")
    update = ingest(data, given, NEWER, engine=engine)
    assert any("both are made anew" in note for note in update.notes)
    assert not parts & list_files(data, "*.idx")


def test_decisions_are_gone_through_where_norms_have_come_or_gone(
    given: Path, tmp_path: Path
) -> None:
    ingest(tmp_path / "data", given, OLDER, "decisions")
    change(given, "<enbez>§ 2</enbez>", "<enbez>§ 2a</enbez>")
    update = ingest(tmp_path / "data", given, NEWER)
    assert set(update.phases) >= READING
    ingest(tmp_path / "fresh", given, OLDER, NEWER, "decisions")
    require_same(tmp_path / "data", tmp_path / "fresh")


def test_another_program_takes_nothing_over(
    given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest(tmp_path / "data", given, OLDER, "decisions")
    monkeypatch.setattr(basis, "hash_program", lambda: "0" * 64)
    taken = watch_taken(monkeypatch)
    update = ingest(tmp_path / "data", given, NEWER)
    assert set(update.phases) >= READING
    assert taken == []


def test_another_guard_has_its_sentences_chosen_anew(given: Path, tmp_path: Path) -> None:
    ingest(tmp_path / "data", given, OLDER, "decisions")
    (guard := tmp_path / "guard.jsonl").write_text('{"query": "ein ganz anderer Satz"}\n')
    update = ingest(tmp_path / "data", given, NEWER, guard=(guard,))
    assert "citations" not in update.phases
    assert "sentences" in update.phases


def test_where_a_decision_comes_all_of_them_are_gone_through(given: Path, tmp_path: Path) -> None:
    (some := given / "decisions-2024").mkdir()
    first, *_ = sorted((given / "decisions").rglob("*.xml"))
    shutil.copy(first, some)
    ingest(tmp_path / "data", given, OLDER, some.name)
    update = ingest(tmp_path / "data", given, NEWER, "decisions")
    assert set(update.phases) >= READING
    ingest(tmp_path / "fresh", given, OLDER, NEWER, "decisions")
    require_same(tmp_path / "data", tmp_path / "fresh")


def dump_decisions(data: Path) -> list[str]:
    """All that is stored of decisions, their rows in the order in which they lie there."""
    with closing(sqlite3.connect(get_live_folder(data) / "decisions.sqlite")) as database:
        return list(database.iterdump())


def watch_taken(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of decisions whose rows are taken over from now on."""
    taken: list[int] = []

    class Watched(TakenDecisions):
        def store(self, numbers: range, first: int) -> None:
            taken.extend(numbers)
            super().store(numbers, first)

    monkeypatch.setattr(writer, "TakenDecisions", Watched)
    return taken


def test_the_rows_of_other_decisions_stay_where_one_comes(
    given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (more := given / "decisions-more").mkdir()
    files_of = sorted((given / "decisions").rglob("*.xml"))
    new = files_of[len(files_of) // 2]
    shutil.move(new, more)
    ingest(tmp_path / "data", given, OLDER, "decisions")
    taken = watch_taken(monkeypatch)
    ingest(tmp_path / "data", given, more.name, adds=True)
    assert taken == list(range(len(files_of) - 1))
    shutil.move(more / new.name, new)
    ingest(tmp_path / "fresh", given, OLDER, "decisions")
    assert dump_decisions(tmp_path / "data") == dump_decisions(tmp_path / "fresh")

"""A collection that is empty or cut short takes the live build's documents from nobody."""

import shutil
import zipfile
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.errors import CorpusError, SourceError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.snapshots import Snapshot
from fundstelle.ingest.sources.archives import find_collections, find_snapshots
from tests.integration.building import build
from tests.integration.laws import write_snapshot
from tests.unit.ingest.sources.decision_files import rii

DECISIONS = 10


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A law and ten decisions."""
    write_snapshot(tmp_path / "source" / "gii-2025-01-01", laws=1)
    (folder := tmp_path / "source" / "decisions").mkdir()
    for number in range(DECISIONS):
        ecli = f"ECLI:DE:BGH:2022:150322UVIZR{number}.21.0"
        text = rii(ecli=ecli, doknr=f"KORE{number}", aktenzeichen=f"VI ZR {number}/21")
        (folder / f"{number}.xml").write_text(text, encoding="utf-8")
    return tmp_path / "source"


def ingest(tmp_path: Path, source: Path, *, allow: bool = False, fresh: bool = False) -> Manifest:
    sources: list[Snapshot | Collection] = [*find_snapshots(source), *find_collections(source)]
    return build(tmp_path / "data", sources, allow_rejects=allow, fresh=fresh)


def spoil(source: Path, count: int) -> None:
    for path in sorted((source / "decisions").iterdir())[:count]:
        path.write_text("<dokument>", encoding="utf-8")


@pytest.mark.parametrize("name", ["decisions.zip", "eurlex.zip"])
def test_an_archive_without_a_document_is_refused(tmp_path: Path, source: Path, name: str) -> None:
    live = ingest(tmp_path, source)
    for path in (source / "decisions").iterdir():
        path.unlink()
    (source / "decisions").rmdir()
    with zipfile.ZipFile(source / name, "w") as packed:
        packed.writestr("README.md", "nothing else")
    with pytest.raises(SourceError, match=f"{name} holds no document"):
        ingest(tmp_path, source)
    assert builds.read_pointer(tmp_path / "data") == live.release


def test_more_than_a_tenth_of_rejected_decisions_fails_the_build(
    tmp_path: Path, source: Path
) -> None:
    live = ingest(tmp_path, source)
    spoil(source, 2)
    with pytest.raises(CorpusError, match=r"2 of 10 documents of decisions .*--allow-rejects"):
        ingest(tmp_path, source)
    assert builds.read_pointer(tmp_path / "data") == live.release
    assert ingest(tmp_path, source, allow=True).decisions == DECISIONS - 2


def test_one_rejected_decision_of_ten_is_told_and_left_out(tmp_path: Path, source: Path) -> None:
    spoil(source, 1)
    manifest = ingest(tmp_path, source)
    assert (manifest.decisions, len(manifest.rejected)) == (DECISIONS - 1, 1)


def test_less_than_half_of_the_live_decisions_takes_their_place_only_in_a_fresh_build(
    tmp_path: Path, source: Path
) -> None:
    live = ingest(tmp_path, source)
    paths = sorted((source / "decisions").iterdir())
    for path in paths[:5]:
        path.unlink()
    assert ingest(tmp_path, source).decisions == 5
    assert live.decisions == DECISIONS
    for path in paths[5:8]:
        path.unlink()
    with pytest.raises(CorpusError, match=r"2 documents .* the live build has 5: .*--fresh"):
        ingest(tmp_path, source)
    assert ingest(tmp_path, source, fresh=True).decisions == 2


def test_live_decisions_give_way_to_none_only_in_a_fresh_build(
    tmp_path: Path, source: Path
) -> None:
    live = ingest(tmp_path, source)
    spoil(source, DECISIONS)
    with pytest.raises(CorpusError, match=r"the live build has 10: .*--fresh"):
        ingest(tmp_path, source, allow=True)
    assert builds.read_pointer(tmp_path / "data") == live.release
    assert ingest(tmp_path, source, allow=True, fresh=True).decisions == 0


def test_several_collections_of_one_kind_are_counted_together(tmp_path: Path, source: Path) -> None:
    move(source, 2)
    live = ingest(tmp_path, source)
    (state,) = (one for one in live.sources if one.source_type == "rechtsprechung")
    assert (live.decisions, state.items) == (DECISIONS, DECISIONS)
    shutil.rmtree(source / "decisions")
    with pytest.raises(CorpusError, match=r"2 documents .* the live build has 10: .*--fresh"):
        ingest(tmp_path, source)


def test_while_one_of_several_collections_cannot_be_read_nothing_live_goes(
    tmp_path: Path, source: Path
) -> None:
    move(source, 6)
    ingest(tmp_path, source)
    shutil.rmtree(source / "decisions")
    (source / "decisions.zip").write_bytes(b"PK\3\4 cut short")
    text = rii(ecli="ECLI:DE:BGH:2023:150323UVIZR77.21.0", doknr="KORE77")
    (source / "decisions-more" / "77.xml").write_text(text, encoding="utf-8")
    manifest = ingest(tmp_path, source)
    assert manifest.decisions == DECISIONS + 1
    (state,) = (one for one in manifest.sources if one.source_type == "rechtsprechung")
    assert state.items == DECISIONS + 1
    assert "decisions.zip is damaged" in str(state.problem)


def move(source: Path, count: int) -> None:
    """Some decisions in a folder of their own."""
    (folder := source / "decisions-more").mkdir()
    for path in sorted((source / "decisions").iterdir())[:count]:
        path.rename(folder / path.name)

"""Whole builds of small snapshots: determinism, versions, references, the swap."""

from datetime import date
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.errors import CorpusError, SourceError
from fundstelle.ingest.sources import demonstration
from fundstelle.law.norms import DatePrecision, NormStatus
from tests.integration.corpora.building import Heard, build, unsign
from tests.integration.corpora.laws import write_law, write_snapshot
from tests.integration.corpora.stand_in import FullDiskEngine, LinesIndex

SHARED = Path(__file__).parents[4] / "shared" / "corpus"


def list_left(data_dir: Path) -> set[str]:
    return {path.name for path in (data_dir / "builds").iterdir()}


def test_the_same_input_gives_the_same_release_and_nothing_else(tmp_path: Path) -> None:
    source = write_snapshot(tmp_path / "source", laws=5)
    one, two = build(tmp_path / "a", source), build(tmp_path / "b", source)
    assert unsign(one) == unsign(two)
    data = [
        (tmp_path / name / "builds" / one.release / builds.DATABASE).read_bytes() for name in "ab"
    ]
    assert data[0] == data[1]
    assert list_left(tmp_path / "a") == {one.release}
    assert builds.verify(tmp_path / "a", one.release) == []


def test_building_again_keeps_the_build_that_is_there(tmp_path: Path) -> None:
    source = write_snapshot(tmp_path / "source")
    release = build(tmp_path / "data", source).release
    inode = (tmp_path / "data" / "builds" / release).stat().st_ino
    assert build(tmp_path / "data", source).release == release
    assert (tmp_path / "data" / "builds" / release).stat().st_ino == inode


def test_a_damaged_build_is_replaced_by_building_again(tmp_path: Path) -> None:
    source = write_snapshot(tmp_path / "source")
    release = build(tmp_path / "data", source).release
    (tmp_path / "data" / "builds" / release / builds.DATABASE).write_bytes(b"damaged")
    build(tmp_path / "data", source)
    assert builds.verify(tmp_path / "data", release) == []


def test_other_content_gives_another_release_that_is_live_at_once(tmp_path: Path) -> None:
    source = write_snapshot(tmp_path / "source")
    first = build(tmp_path / "data", source)
    write_law(source / "laws", "neug", 99, {"§ 1": "Auch erfunden."})
    second = build(tmp_path / "data", source)
    assert builds.read_pointer(tmp_path / "data") == second.release
    assert list_left(tmp_path / "data") == {first.release, second.release}
    assert (first.statutes, second.statutes) == (3, 4)


def test_the_index_counts_as_the_store_does(tmp_path: Path) -> None:
    manifest = build(tmp_path, write_snapshot(tmp_path / "source"))
    store = builds.open_active(tmp_path)
    lines = LinesIndex(builds.get_folder(tmp_path, manifest.release) / builds.INDEX).lines
    assert [line.split()[:2] for line in lines] == [
        [str(ordinal), norm.norm_id] for ordinal, norm, _ in store.iter_norms()
    ]


def test_references_are_resolved_inside_the_build(tmp_path: Path) -> None:
    build(tmp_path, write_snapshot(tmp_path / "source", laws=1))
    store = builds.open_active(tmp_path)
    [reference] = store.list_references_from("de/muster1g/2")
    assert (reference.cited_id, reference.cited_text) == ("de/muster1g/1", "§ 1")
    fassung = store.find_fassung("de/muster1g/2")
    assert fassung is not None
    assert fassung.text[reference.start : reference.end] == "§ 1"
    assert store.list_references_to("de/muster1g/1", 10, 0) == ([reference], 1)


def test_a_series_of_snapshots_gives_versions(tmp_path: Path) -> None:
    base, update = tmp_path / "s" / "gii-2024-01-01", tmp_path / "s" / "gii-2025-01-01"
    write_law(base / "laws", "ag", 1, {"§ 1": "Alt.", "§ 2": "Gleich.", "§ 3": "Fällt weg."})
    write_law(base / "laws", "bg", 2, {"§ 1": "Unverändert."})
    write_law(base / "laws", "cg", 3, {"§ 1": "Wird aufgehoben."})
    write_law(update / "laws", "ag", 1, {"§ 1": "Neu.", "§ 2": "Gleich."})
    write_law(update / "laws", "dg", 4, {"§ 1": "Ganz neu."})
    (update / "unlisted-since-2024-01-01.txt").write_text("BJNR900000003\n")
    (update / "new-since-2024-01-01.txt").write_text("BJNR900000004\n")
    manifest = build(tmp_path / "data", tmp_path / "s")
    assert (manifest.archive_floor, manifest.stand) == (date(2024, 1, 1), date(2025, 1, 1))
    store = builds.open_active(tmp_path / "data")

    heads = {
        norm_id: [(h.in_force_from, h.in_force_until) for h in store.list_fassungen(norm_id)]
        for norm_id in ("de/ag/1", "de/ag/2", "de/ag/3", "de/bg/1", "de/dg/1")
    }
    day = date(2025, 1, 1)
    assert heads == {
        "de/ag/1": [(None, day), (day, None)],
        "de/ag/2": [(None, None)],
        "de/ag/3": [(None, day)],
        "de/bg/1": [(None, None)],
        "de/dg/1": [(day, None)],
    }
    gone, new = store.find_norm("de/ag/3"), store.find_fassung("de/dg/1")
    assert gone is not None
    assert gone.status is NormStatus.REPEALED
    assert new is not None
    assert new.date_precision is DatePrecision.FIRST_SEEN
    stands = {s.abbreviation: (s.stand.year, s.listed) for s in store.statutes.values()}
    assert list(stands.values()) == [(2025, True), (2024, True), (2024, False), (2025, True)]


def test_norms_that_are_no_longer_law_are_not_searched(tmp_path: Path) -> None:
    base, update = tmp_path / "s" / "gii-2024-01-01", tmp_path / "s" / "gii-2025-01-01"
    write_law(base / "laws", "ag", 1, {"§ 1": "Bleibt.", "§ 2": "Geht."})
    write_law(base / "unlisted", "bg", 2, {"§ 1": "Nicht mehr verzeichnet."})
    write_law(update / "laws", "ag", 1, {"§ 1": "Bleibt."})
    manifest = build(tmp_path / "data", tmp_path / "s")
    folder = builds.get_folder(tmp_path / "data", manifest.release) / builds.INDEX
    shown = [line.rsplit(") ", 1)[1] for line in LinesIndex(folder).lines]
    assert [text for text in shown if text != "-"] == ["Bleibt."]


def test_only_the_laws_asked_for_are_built(tmp_path: Path) -> None:
    source = write_snapshot(tmp_path / "source", laws=4)
    manifest = build(tmp_path / "data", source, laws=("muster2g", "muster3g"))
    assert list(builds.open_active(tmp_path / "data").statutes) == ["de/muster2g", "de/muster3g"]
    assert not manifest.sources[0].complete
    with pytest.raises(SourceError, match="nirgendg"):
        build(tmp_path / "data", source, laws=("muster2g", "nirgendg"))


def test_a_full_disk_leaves_the_live_build_and_no_leftovers(tmp_path: Path) -> None:
    source = write_snapshot(tmp_path / "source")
    release = build(tmp_path / "data", source).release
    write_law(source / "laws", "neug", 99, {"§ 1": "Auch erfunden."})
    with pytest.raises(CorpusError, match=r"disk that holds .*data is full; free about 1 GB"):
        build(tmp_path / "data", source, engine=FullDiskEngine())
    assert builds.read_pointer(tmp_path / "data") == release
    assert list_left(tmp_path / "data") == {release}


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    with pytest.raises(CorpusError, match="data cannot be used"):
        build(tmp_path / "data", write_snapshot(tmp_path / "source"))


def test_the_demonstration_corpus_says_what_it_is_and_shows_everything(tmp_path: Path) -> None:
    heard = Heard()
    manifest = build(tmp_path, demonstration.open_snapshots(), heard=heard)
    assert manifest.demonstration
    assert manifest.rejected == ()
    assert manifest.sources[0].name == "Demonstrationsrecht"
    store = builds.open_active(tmp_path)
    assert all("kein geltendes Recht" in s.title for s in store.statutes.values())
    assert len(store.list_fassungen("de/demog/3")) == 2
    for norm_id in ("de/demog/8", "de/egdemog/3/1", "de/musterv/1.01", "de/demog/anlage-1"):
        assert store.find_norm(norm_id) is not None, norm_id


@pytest.mark.corpus
@pytest.mark.skipif(not SHARED.is_dir(), reason="the official archives are not beside the checkout")
def test_the_official_archive_has_its_day_and_the_updates_their_versions(tmp_path: Path) -> None:
    manifest = build(tmp_path, SHARED, laws=("bgb", "stgb", "bgbeg", "aktg"))
    assert (manifest.archive_floor, manifest.stand) == (date(2025, 3, 31), date(2026, 4, 29))
    store = builds.open_active(tmp_path)
    assert store.statutes["de/bgb"].title == "Bürgerliches Gesetzbuch"
    norm = store.find_norm("de/aktg/44")
    assert norm is not None
    assert norm.norm_id == "de/aktg/43-44"
    assert store.find_norm("de/bgb/823a") is None
    assert any(len(store.list_fassungen(n.norm_id)) > 1 for n in store.list_norms("de/bgb"))

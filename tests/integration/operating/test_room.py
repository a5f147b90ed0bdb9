"""A build leaves the disk room for accounts and the audit log, and updates delete older builds."""

import shutil
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from itertools import chain, repeat
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from fundstelle.cli import update as updating
from fundstelle.cli.pruning import KEPT
from fundstelle.cli.update import update_command
from fundstelle.corpus import builds
from fundstelle.corpus.soundness.check import Finding
from fundstelle.corpus.soundness.record import Record, identify_build, keep_record
from fundstelle.corpus.updates import Report
from fundstelle.disks import SPARE_BYTES
from fundstelle.errors import CorpusError
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.sources.by_hand import find_snapshots
from fundstelle.ingest.sources.gii.kept import KeptLooks, Look
from fundstelle.ingest.sources.registry import COURTS
from fundstelle.ingest.update import Updating
from fundstelle.settings import Settings
from tests.integration.builds.test_builds import make_build
from tests.integration.corpora.building import NOW, Heard, build
from tests.integration.corpora.laws import write_snapshot
from tests.integration.corpora.stand_in import LinesEngine
from tests.integration.updates.test_corrected_documents import Given, write_rii

SetFree = Callable[[Iterator[int]], None]


@pytest.fixture
def set_free(monkeypatch: pytest.MonkeyPatch) -> SetFree:
    """Let the disk have that many bytes free, one look after the other."""

    def set_all(free: Iterator[int]) -> None:
        monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=next(free)))

    return set_all


def measure(data: Path, release: str) -> int:
    manifest = builds.read_manifest(builds.get_folder(data, release))
    return sum(one.size for one in manifest.files or ())


def test_a_build_begins_only_where_there_is_room_for_another_like_the_live_one(
    tmp_path: Path, set_free: SetFree
) -> None:
    data = tmp_path / "data"
    first = build(data, write_snapshot(tmp_path / "gii-2025-01-01")).release
    later = write_snapshot(tmp_path / "gii-2025-01-02", laws=4)
    needed = measure(data, first) + SPARE_BYTES
    set_free(repeat(needed - 1))
    with pytest.raises(CorpusError, match=r"is not begun: .* MB free, .*'fundstelle corpus prune'"):
        build(data, later)
    assert builds.read_pointer(data) == first
    set_free(repeat(needed))
    second = build(data, later).release
    assert builds.read_pointer(data) == second != first


def test_where_there_is_nothing_to_build_no_room_is_asked_for(
    tmp_path: Path, set_free: SetFree
) -> None:
    data, laws = tmp_path / "data", write_snapshot(tmp_path / "gii-2025-01-01")
    found = Collection(COURTS, Given((write_rii("KORE1"),)), adds=True)
    first = build(data, [*find_snapshots(laws), found]).release
    set_free(repeat(SPARE_BYTES))
    assert build(data, [found], heard=(heard := Heard())).release == first
    assert heard.notes == ["the live build holds all of it already"]


@pytest.mark.parametrize("small", ["data", "builds"])
def test_room_is_asked_for_where_builds_are_written_and_where_accounts_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, small: str
) -> None:
    """The folder of the builds may be a disk of its own."""
    data = tmp_path / "data"
    first = build(data, write_snapshot(tmp_path / "gii-2025-01-01")).release
    lacking = {"data": SPARE_BYTES, "builds": measure(data, first) + SPARE_BYTES}

    def look(place: Path) -> SimpleNamespace:
        return SimpleNamespace(free=lacking[small] - 1 if place.name == small else 2**40)

    monkeypatch.setattr(shutil, "disk_usage", look)
    with pytest.raises(CorpusError, match=r"the disk has only|is not begun: the disk has"):
        build(data, write_snapshot(tmp_path / "gii-2025-01-02", laws=4))
    assert builds.read_pointer(data) == first


def test_where_a_build_lacks_room_older_ones_are_deleted_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    days = [write_snapshot(tmp_path / f"gii-2025-01-0{n}", laws=n) for n in (1, 2, 3, 4)]
    one, two, three = (build(data, day).release for day in days[:3])
    needed = measure(data, three) + SPARE_BYTES
    monkeypatch.setattr(
        shutil,
        "disk_usage",
        lambda _: SimpleNamespace(free=needed - (one in list_builds(data))),
    )
    with pytest.raises(CorpusError, match="is not begun"):
        build(data, days[3])  # by hand: it deletes nothing
    assert list_builds(data) == {one, two, three}
    options, heard = BuildOptions(now=NOW, keep=2), Heard()
    built = build_corpus(find_snapshots(days[3]), data, LinesEngine(), options, heard)
    four = built.manifest.release
    assert f"deleted {one}: the disk had no room for another build" in heard.notes
    assert list_builds(data) == {two, three, four}


def test_a_build_that_takes_more_than_was_thought_ends_before_the_disk_is_full(
    tmp_path: Path, set_free: SetFree
) -> None:
    data = tmp_path / "data"
    first = build(data, write_snapshot(tmp_path / "gii-2025-01-01")).release
    later = write_snapshot(tmp_path / "gii-2025-01-02", laws=4)
    set_free(chain(repeat(2**40, 6), repeat(SPARE_BYTES - 1)))
    with pytest.raises(CorpusError, match="was given up: the disk has only 268 MB free"):
        build(data, later)
    assert builds.read_pointer(data) == first
    assert [one.name for one in (data / "builds").iterdir()] == [first]


def test_what_a_look_keeps_leaves_room(tmp_path: Path, set_free: SetFree) -> None:
    kept = KeptLooks(tmp_path / "looks", "https://example.org/")
    source = write_snapshot(tmp_path / "gii", laws=1)
    archive = Path(shutil.make_archive(str(tmp_path / "law"), "zip", source))
    look = Look(date(2025, 1, 1), b"<items/>", [("musterg", archive)], [])
    set_free(repeat(SPARE_BYTES))
    with pytest.raises(OSError, match="no room"):
        kept.keep(look)
    assert kept.list_days() == []
    set_free(repeat(SPARE_BYTES + archive.stat().st_size))
    assert kept.keep(look) == (["musterg"], [])


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """``fundstelle update`` that makes a build live, or none; what it says."""
    data = tmp_path / "data"

    def run_update(release: str, *arguments: str) -> str:
        def update(given: Updating, _: object) -> Report:
            assert given.options.keep == (int(arguments[1]) if arguments else KEPT)
            builds.activate(data, release)
            return Report(datetime(2025, 2, 1, tzinfo=UTC), release, ())

        monkeypatch.setattr(updating, "update", update)
        settings = Settings.from_env({"FUNDSTELLE_DATA": str(data)})
        done = CliRunner().invoke(update_command, arguments, obj=settings)
        assert done.exit_code == 0, done.output
        return done.output

    return run_update


def list_builds(data: Path) -> set[str]:
    return {one.release for one in builds.list_builds(data)}


def test_an_update_deletes_older_builds_once_a_new_one_is_live_and_says_so(
    tmp_path: Path, run: Callable[..., str]
) -> None:
    data = tmp_path / "data"
    one, two, three, four, five = (make_build(data, f"Text {age}", age) for age in (5, 4, 3, 2, 1))
    builds.activate(data, four)
    assert "deleted" not in run(four)  # nothing new
    told = run(five)
    assert f"deleted {one}" in told
    assert f"deleted {two}" in told
    assert list_builds(data) == {three, four, five}
    six = make_build(data, "Text 0")
    run(six, "--keep", "2")
    assert list_builds(data) == {five, six}


def test_an_update_after_a_rollback_leaves_the_build_that_was_gone_back_to(
    tmp_path: Path, run: Callable[..., str]
) -> None:
    data = tmp_path / "data"
    good, bad, worse = (make_build(data, f"Text {age}", age) for age in (4, 3, 2))
    builds.activate(data, good)
    made = make_build(data, "Text 1", 1)
    assert f"deleted {bad}" in run(made)
    assert list_builds(data) == {good, worse, made}
    run(again := make_build(data, "Text 0"), "--keep", "2")
    assert list_builds(data) == {made, again}


def test_an_update_leaves_the_build_that_stands_in_for_a_damaged_one(
    tmp_path: Path, run: Callable[..., str]
) -> None:
    data = tmp_path / "data"
    sound, *damaged, last = (make_build(data, f"Text {age}", age) for age in (5, 4, 3, 2))
    for release in (*damaged, last):
        found = (Finding(builds.DATABASE, "its bytes are not those that were written"),)
        record = Record(identify_build(data, release), datetime(2025, 2, 1, tzinfo=UTC), found)
        keep_record(data, release, record)
    builds.activate(data, damaged[-1])
    run(last, "--keep", "2")
    assert list_builds(data) == {sound, damaged[-1], last}


def test_where_no_build_can_be_deleted_the_update_says_so_and_is_done(
    tmp_path: Path, run: Callable[..., str]
) -> None:
    data = tmp_path / "data"
    releases = [make_build(data, f"Text {age}", age) for age in (4, 3, 2, 1)]
    builds.activate(data, releases[0])
    with builds.lock(data):
        assert "older builds were not deleted: another" in run(releases[-1])
    assert list_builds(data) == set(releases)

"""Every kind of damage to every file of a build is found, named, and gets around to no answer."""

import os
import shutil
import tempfile
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fundstelle.bootstrap.library import find_served, open_library
from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.cli import cli
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import FILE_NAME
from fundstelle.corpus.soundness import choose
from fundstelle.corpus.soundness.background import EVERY, CompleteCheck
from fundstelle.corpus.soundness.check import Finding, check_completely, check_quickly
from fundstelle.corpus.soundness.inventory import CHECKSUM
from fundstelle.corpus.soundness.record import (
    FOLDER,
    Record,
    find_record,
    identify_build,
    keep_record,
)
from fundstelle.corpus.soundness.watch import BuildWatch
from fundstelle.errors import CorpusError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.sources import demonstration
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from tests.integration.builds.damaging import close, copy_data, flip_bit, get_live
from tests.integration.builds.test_builds import make_build
from tests.integration.corpora.building import build
from tests.unit.tools.calling import call

# By what they are; tantivy names the parts of an index by chance.
FILES = (
    *("corpus.sqlite", "decisions.sqlite", "manifest.json", CHECKSUM),
    *("index/meta.json", "index/.managed.json", "index/priors.f32"),
    *("index/*.term", "index/*.idx", "index/*.fast", "index/*.store", "index/*.fieldnorm"),
    *("index/ranker/card.json", "index/forward/laws.npy", "index/forward/row_terms.npy"),
    *("index/sentences/meta.json", "index/sentences/*.idx", "index/sentences/cited.npy"),
    *("index/sentences/contexts/counts.npy",),
)


def truncate(path: Path) -> None:
    os.truncate(path, path.stat().st_size - 1)


def lengthen(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"\0")


def empty(path: Path) -> None:
    os.truncate(path, 0)


def flip_first(path: Path) -> None:
    flip_bit(path, 0, 0)


def flip_last(path: Path) -> None:
    flip_bit(path, path.stat().st_size - 1, 7)


def link_away(path: Path) -> None:
    copy = path.read_bytes()
    path.unlink()
    path.symlink_to(Path(tempfile.mkdtemp()) / "kept")
    path.write_bytes(copy)


def make_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: tuple[Callable[[Path], None], ...] = (
    *(truncate, lengthen, empty, Path.unlink, flip_first, flip_last, link_away, make_folder),
)


@pytest.fixture(scope="session")
def sound(demonstration_data: Path) -> Path:
    """The folder of a small build."""
    release = builds.read_pointer(demonstration_data)
    assert release is not None
    return builds.get_folder(demonstration_data, release)


def find(folder: Path, pattern: str) -> Path:
    """One of that kind: norms and decisions each have a segment."""
    path, *_ = sorted(folder.glob(pattern))
    return path


def test_a_build_is_sound_as_it_was_made(demonstration_data: Path, sound: Path) -> None:
    assert check_quickly(sound) == check_completely(sound) == []
    assert builds.verify(demonstration_data, sound.name) == []
    manifest = builds.read_manifest(sound)
    assert manifest.files is not None
    kept = {state.name for state in manifest.files}
    held = {path.relative_to(sound).as_posix() for path in sound.rglob("*") if path.is_file()}
    own = {"manifest.json", CHECKSUM}
    assert held - kept - own == {one for one in held if one.endswith(".lock")}


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda one: one.__name__)
@pytest.mark.parametrize("pattern", FILES)
def test_a_check_names_the_damaged_file(
    sound: Path, tmp_path: Path, pattern: str, damage: Callable[[Path], None]
) -> None:
    folder = tmp_path / sound.name
    shutil.copytree(sound, folder)
    path = find(folder, pattern)
    damage(path)
    name = path.relative_to(folder).as_posix()
    named = [finding.file for finding in check_completely(folder)]
    if name == CHECKSUM:  # which of the two was changed cannot be told
        name = (
            "manifest.json"
            if damage in {truncate, lengthen, empty, flip_first, flip_last}
            else name
        )
    assert name in named
    if damage not in {flip_first, flip_last}:
        assert name in [finding.file for finding in check_quickly(folder)]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_flipped_bit_is_found(sound: Path, tmp_path: Path, data: st.DataObject) -> None:
    files = sorted(path for path in sound.rglob("*") if path.is_file() and path.stat().st_size)
    source = data.draw(st.sampled_from(files))
    offset = data.draw(st.integers(0, source.stat().st_size - 1))
    folder = tmp_path / sound.name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(sound, folder)
    flip_bit(folder / source.relative_to(sound), offset, data.draw(st.integers(0, 7)))
    assert check_completely(folder) != []


def test_a_foreign_file_and_two_swapped_ones_are_found(sound: Path, tmp_path: Path) -> None:
    folder = tmp_path / sound.name
    shutil.copytree(sound, folder)
    (folder / "index" / "more.idx").write_bytes(b"more")
    one, other = folder / "index/forward/laws.npy", folder / "index/forward/sizes.npy"
    assert one.stat().st_size == other.stat().st_size
    one.rename(kept := folder.with_name("kept"))
    other.rename(one)
    kept.rename(other)
    named = {finding.file for finding in check_quickly(folder)}
    assert named == {"index/more.idx", "index/forward/laws.npy", "index/forward/sizes.npy"}


def test_the_vectors_may_grow_beside_it(sound: Path, tmp_path: Path) -> None:
    folder = tmp_path / sound.name
    shutil.copytree(sound, folder)
    (folder / "index" / "vectors").mkdir()
    (folder / "index" / "vectors" / "rows.i8").write_bytes(b"\1\2")
    (folder / "index" / ".vectors-0123").mkdir()
    assert check_completely(folder) == []


def test_a_build_without_hashes_is_not_called_sound(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    folder = builds.get_folder(tmp_path, release)
    data = (folder / "manifest.json").read_bytes()
    (folder / CHECKSUM).unlink()
    start, _, _ = data.partition(b',\n  "files"')
    (folder / "manifest.json").write_bytes(start + b"\n}\n")
    with pytest.raises(CorpusError, match="made before hashes were kept: only the store"):
        builds.verify(tmp_path, release)
    assert check_quickly(folder) == []


@pytest.mark.parametrize(("pattern", "fresh"), [("index/*.term", True), ("corpus.sqlite", False)])
def test_ingesting_the_same_again_replaces_a_damaged_folder(
    demonstration_data: Path, tmp_path: Path, pattern: str, fresh: bool
) -> None:
    data = copy_data(demonstration_data, tmp_path / "data")
    folder = get_live(data)
    library = open_library(data)  # a server that has the old files open
    flip_last(find(folder, pattern))
    assert builds.verify(data.data, folder.name) != []
    sources: list[Snapshot | Collection] = [
        *demonstration.open_snapshots(),
        demonstration.open_decisions(),
    ]
    again = build(data.data, sources, engine=TantivyEngine(), fresh=fresh)
    assert again.release == folder.name
    assert builds.verify(data.data, folder.name) == []
    assert call(library, "legal_lookup", citation="§ 3 DemoG")["found"]
    close(library)
    assert [path.name for path in folder.parent.iterdir()] == [folder.name]


def test_a_new_build_is_not_made_of_a_damaged_one(demonstration_data: Path, tmp_path: Path) -> None:
    data = copy_data(demonstration_data, tmp_path / "data")
    flip_last(get_live(data) / builds.DATABASE)
    with pytest.raises(CorpusError, match="damaged and cannot be carried over"):
        build(data.data, [demonstration.open_decisions()], engine=TantivyEngine())


def test_the_last_sound_build_is_served_and_said(tmp_path: Path) -> None:
    old, new = make_build(tmp_path, "Alt", age=9), make_build(tmp_path, "Neu")
    builds.activate(tmp_path, new)
    assert choose.choose_build(tmp_path) == choose.Choice(new, new)
    before = choose.identify(tmp_path)
    (builds.get_folder(tmp_path, new) / builds.DATABASE).unlink()
    choice = choose.choose_build(tmp_path)
    assert (choice.release, choice.live) == (old, new)
    assert choice.notice is not None
    assert new in choice.notice
    assert old in choice.notice
    assert "corpus.sqlite: it is missing" in (choice.cause or "")
    again = make_build(tmp_path, "Neu")
    assert again == new
    assert choose.identify(tmp_path) != before
    assert choose.choose_build(tmp_path) == choose.Choice(new, new)


@pytest.mark.parametrize(
    "damage",
    [
        lambda folder: (folder / FILE_NAME).unlink(),
        lambda folder: (folder / FILE_NAME).write_bytes(b"{"),
        lambda folder: (folder / FILE_NAME).write_bytes(b""),
        shutil.rmtree,
    ],
    ids=["no manifest", "no JSON", "nothing in it", "no folder"],
)
def test_a_server_starts_on_the_sound_build_where_the_live_one_cannot_say_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Callable[[Path], object]
) -> None:
    old, new = make_build(tmp_path, "Alt", age=9), make_build(tmp_path, "Neu")
    builds.activate(tmp_path, new)
    damage(tmp_path / "builds" / new)
    choice = choose.choose_build(tmp_path)
    assert (choice.release, choice.live) == (old, new)
    assert (choice.cause or "").count(FILE_NAME) >= 1
    assert len({finding.file for finding in choice.findings}) == len(choice.findings)
    started: list[tuple[object, ...]] = []
    monkeypatch.setattr("fundstelle.cli.serve.run_server", lambda *all_of: started.append(all_of))
    run = CliRunner().invoke(cli, ["serve"], env={"FUNDSTELLE_DATA": str(tmp_path)})
    assert (run.exit_code, len(started)) == (0, 1), run.output
    served = find_served(Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)}))
    assert served is not None
    assert served.release == old
    shutil.rmtree(tmp_path / "builds" / old)
    run = CliRunner().invoke(cli, ["serve"], env={"FUNDSTELLE_DATA": str(tmp_path)})
    assert (run.exit_code, len(started)) == (1, 1), run.output


def test_the_latest_stand_stands_in_and_what_was_gone_back_from_only_at_the_end(
    tmp_path: Path,
) -> None:
    made = {
        "gone back from": make_build(tmp_path, "Vier", age=2, stand=date(2025, 4, 1)),
        "live": make_build(tmp_path, "Drei", age=3, stand=date(2025, 3, 1)),
        "before": make_build(tmp_path, "Zwei", age=4, stand=date(2025, 2, 1)),
        "built again": make_build(tmp_path, "Eins", age=0, stand=date(2025, 1, 1)),
    }
    builds.activate(tmp_path, made["live"])
    for damaged, chosen in (
        ("live", "before"),
        ("before", "built again"),
        ("built again", "gone back from"),
    ):
        truncate(builds.get_folder(tmp_path, made[damaged]) / builds.DATABASE)
        assert choose.choose_build(tmp_path).release == made[chosen]


def test_nothing_is_served_if_no_build_has_all_its_bytes(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    builds.activate(tmp_path, release)
    truncate(builds.get_folder(tmp_path, release) / builds.DATABASE)
    with pytest.raises(CorpusError, match=r"damaged and there is no sound one.*fundstelle ingest"):
        choose.choose_build(tmp_path)


class Clock:
    def __init__(self) -> None:
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


def make_large_build(data_dir: Path, text: str, age: int = 0) -> str:
    """Larger than what a quick check reads."""
    return make_build(data_dir, text * 20_000, age)


def test_what_only_a_complete_check_finds_makes_every_process_fall_back(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    old, new = make_large_build(tmp_path, "Alt ", 9), make_large_build(tmp_path, "Neu ")
    builds.activate(tmp_path, new)
    path = builds.get_folder(tmp_path, new) / builds.DATABASE
    flip_bit(path, path.stat().st_size // 2, 3)
    assert choose.choose_build(tmp_path).release == new
    before = choose.identify(tmp_path)
    CompleteCheck(tmp_path, Clock()).check(new)
    assert choose.identify(tmp_path) != before
    assert choose.choose_build(tmp_path).release == old
    assert f"build {new} is damaged: corpus.sqlite" in caplog.text
    assert make_large_build(tmp_path, "Neu ") == new
    assert choose.choose_build(tmp_path) == choose.Choice(new, new)


def test_a_build_that_has_the_same_damaged_file_does_not_stand_in(tmp_path: Path) -> None:
    """Builds share the file of their decisions: what becomes of it becomes of all that have it."""
    own, sharing, live = (make_build(tmp_path, f"Text {age}", age) for age in (9, 5, 0))
    builds.activate(tmp_path, live)
    name = builds.DATABASES[1]
    places = {one: builds.get_folder(tmp_path, one) / name for one in (own, sharing, live)}
    assert len({path.read_bytes() for path in places.values()}) == 1  # none of them has decisions
    places[sharing].unlink()
    places[sharing].hardlink_to(places[live])
    found = Finding(name, "its bytes are not those that were written")
    now = datetime(2026, 1, 1, tzinfo=UTC)

    def tell(release: str, day: int, *findings: Finding) -> None:
        at = now + timedelta(days=day)
        keep_record(tmp_path, release, Record(identify_build(tmp_path, release), at, findings))

    before = choose.identify(tmp_path)
    tell(live, 1, found)
    assert choose.identify(tmp_path) != before
    assert choose.choose_build(tmp_path).release == own
    assert choose.find_damage(tmp_path, sharing) == (found,)
    assert choose.find_damage(tmp_path, own) == ()
    # it is the file that was looked at, whichever build it was looked at for, and the last look
    tell(live, 2)
    tell(sharing, 1, found)
    assert choose.choose_build(tmp_path) == choose.Choice(live, live)
    tell(sharing, 3, found)
    assert choose.choose_build(tmp_path).release == own
    tell(sharing, 4)
    assert choose.choose_build(tmp_path) == choose.Choice(live, live)
    tell(live, 5, found)
    assert choose.find_damage(tmp_path, sharing) == (found,)
    places[sharing].unlink()  # as where it is fetched anew: it is another file
    places[sharing].write_bytes(places[own].read_bytes())
    assert choose.find_damage(tmp_path, sharing) == ()


def test_a_damaged_build_without_another_is_served_with_a_warning(tmp_path: Path) -> None:
    release = make_large_build(tmp_path, "Eins ")
    builds.activate(tmp_path, release)
    path = builds.get_folder(tmp_path, release) / builds.DATABASE
    flip_bit(path, path.stat().st_size // 2, 3)
    CompleteCheck(tmp_path, Clock()).check(release)
    choice = choose.choose_build(tmp_path)
    assert (choice.release, choice.live) == (release, release)
    assert "is damaged and there is no other" in (choice.notice or "")


def test_a_build_is_read_whole_once_a_day(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    clock = Clock()
    checks = CompleteCheck(tmp_path, clock)
    checks.check(release)
    first = find_record(tmp_path, release)
    assert first is not None
    assert (first.checked_at, first.findings) == (clock.now, ())
    clock.now += EVERY - timedelta(seconds=1)
    checks.check(release)
    assert find_record(tmp_path, release) == first
    clock.now += timedelta(seconds=1)
    checks.check(release)
    again = find_record(tmp_path, release)
    assert again is not None
    assert again.checked_at == clock.now


def test_the_background_check_ends_by_itself_and_survives_a_folder_it_cannot_write(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    release = make_build(tmp_path, "Eins")
    (tmp_path / FOLDER).write_text("in the way")
    checks = CompleteCheck(tmp_path)
    checks.tick(release)
    checks.close()
    assert "the corpus build cannot be checked" in caplog.text
    assert "see that the folder exists and is writable" in caplog.text
    (tmp_path / FOLDER).unlink()
    checks = CompleteCheck(tmp_path)
    checks.tick(release)
    assert checks._thread is not None
    checks._thread.join(timeout=30)
    assert find_record(tmp_path, release) is not None


def test_a_server_has_the_build_that_it_serves_read_whole(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    builds.activate(tmp_path, release)
    checks = CompleteCheck(tmp_path)
    watch = BuildWatch(tmp_path, checks)
    watch.identify()
    assert checks._thread is None
    watch.choose()
    before = watch.identify()
    assert checks._thread is not None
    checks._thread.join(timeout=30)
    assert find_record(tmp_path, release) is not None
    assert watch.identify() == before  # nothing was found: nobody opens the build again


def test_the_server_goes_over_to_the_sound_build_and_its_answers_say_so(
    demonstration_data: Path, tmp_path: Path
) -> None:
    data = copy_data(demonstration_data, tmp_path / "data")
    other: list[Snapshot | Collection] = [
        *demonstration.open_snapshots()[:1],
        demonstration.open_decisions(),
    ]
    newest = build(data.data, other, engine=TantivyEngine(), fresh=True)
    CompleteCheck(data.data).check(newest.release)  # so that the server's own is not due
    corpus = build_live_corpus(data)
    first = corpus.poll()
    assert first is not None
    assert first.release == newest.release
    assert corpus.poll() is None
    path = get_live(data) / builds.DATABASE
    flip_bit(path, path.stat().st_size // 2, 3)
    found = Record(
        identify_build(data.data, newest.release),
        datetime.now(UTC),
        tuple(check_completely(path.parent)),
    )
    keep_record(data.data, newest.release, found)
    second = corpus.poll()
    assert second is not None
    assert second.release != newest.release
    assert corpus.poll() is None
    library = open_library(data)
    warnings = call(library, "legal_get_stats")["warnings"]
    assert any("kein geltendes Recht" in one for one in warnings)
    (notice,) = (one for one in warnings if "damaged" in one)
    assert f"The live corpus build {newest.release} is damaged" in notice
    close(library)

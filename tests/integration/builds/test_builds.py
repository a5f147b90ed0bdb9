"""Builds on disk: the pointer, the swap, verification, pruning."""

import fcntl
import os
import shutil
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from fundstelle.cli.corpus import corpus
from fundstelle.corpus import builds, publishing
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import Manifest, dump_manifest, release_hash
from fundstelle.corpus.publishing import finish, give_name, workspace
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.corpus.soundness.check import Finding
from fundstelle.corpus.soundness.choose import choose_build
from fundstelle.corpus.soundness.inventory import sum_manifest
from fundstelle.corpus.soundness.record import find_record
from fundstelle.corpus.sqlite import SqliteBuild, SqliteCorpusWriter, audit
from fundstelle.errors import CorpusError, OtherVersion
from fundstelle.settings import Settings
from tests.integration.builds.damaging import make_foreign
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_snapshot
from tests.unit.corpus.values import MANIFEST, STATUTE, make_fassung, make_norm


def make_build(data_dir: Path, text: str, age: int = 0, stand: date = MANIFEST.stand) -> str:
    """Publish a build of one norm; a greater ``age`` was built earlier."""
    with workspace(data_dir) as space:
        (folder := space / "build").mkdir()
        writer = SqliteCorpusWriter(folder / builds.DATABASE)
        norm = make_norm("1")
        writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, text)])])
        writer.index()
        writer.finish()
        store = SqliteBuild(folder / builds.DATABASE)
        built_at = datetime(2025, 1, 1, tzinfo=UTC) - timedelta(days=age)
        draft = replace(MANIFEST, built_at=built_at, stand=stand)
        digest = release_hash(draft, audit.hash_content(store))
        store.close()
        manifest = replace(draft, release=digest[:16], sha256=digest)
        give_name(data_dir, folder, finish(folder, manifest).release)
    return manifest.release


def read_text(store: WholeStore) -> str:
    fassung = store.find_fassung("de/musterg/1")
    assert fassung is not None
    return fassung.text


def test_a_pointer_that_names_nothing_is_not_taken_for_none(tmp_path: Path) -> None:
    """Else the next ingestion would begin anew, and a clearing away could take the live build."""
    release = build(tmp_path / "data", write_snapshot(tmp_path / "gii-2025-01-01")).release
    build(tmp_path / "data", write_snapshot(tmp_path / "gii-2025-01-02", laws=4))
    builds.activate(tmp_path / "data", release)
    later = write_snapshot(tmp_path / "gii-2025-01-03", laws=5)
    for pointer in ("\n", release[:-1], None):
        (tmp_path / "data" / "active").unlink()
        if pointer is not None:
            (tmp_path / "data" / "active").write_text(pointer)
        with pytest.raises(CorpusError, match=r"names no build.*corpus activate"):
            builds.prune(tmp_path / "data", keep=1)
        with pytest.raises(CorpusError, match=r"names no build.*corpus activate"):
            build(tmp_path / "data", later)
        with pytest.raises(CorpusError, match="names no build"):
            builds.open_active(tmp_path / "data")
    assert len(builds.list_builds(tmp_path / "data")) == 2
    builds.activate(tmp_path / "data", release)
    assert build(tmp_path / "data", later).archive_floor == date(2025, 1, 1)


def test_a_published_build_is_live_only_once_activated(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    assert builds.read_pointer(tmp_path) is None
    with pytest.raises(CorpusError, match="corpus activate"):
        builds.open_active(tmp_path)
    builds.activate(tmp_path, release)
    assert builds.read_pointer(tmp_path) == release
    store = builds.open_active(tmp_path)
    assert read_text(store) == "Eins"
    assert store.manifest.release == release


@pytest.mark.parametrize("content", [b"", b"../../etc", b"\xff\xfe", b"0123", b"0" * 4096])
def test_a_pointer_that_names_no_release_is_no_pointer(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "active").write_bytes(content)
    assert builds.read_pointer(tmp_path) is None


def test_what_never_ends_is_no_pointer_and_holds_nobody_up(tmp_path: Path) -> None:
    """A pipe that nobody writes into, and one that is never closed: read as a file, both wait."""
    pipe = tmp_path / "active"
    os.mkfifo(pipe)
    held = os.open(pipe, os.O_RDWR)
    found: list[object] = []
    reader = threading.Thread(
        target=lambda: found.append(builds.read_pointer(tmp_path)), daemon=True
    )
    reader.start()
    reader.join(20.0)
    os.close(held)
    assert found == [None]


@pytest.mark.parametrize("release", ["..", "", "0123456789abcdef", "x" * 16, "../0123456789abcd"])
def test_only_builds_that_are_there_can_be_activated(tmp_path: Path, release: str) -> None:
    with pytest.raises(CorpusError, match="corpus list"):
        builds.activate(tmp_path, release)


def test_the_same_content_has_the_same_release(tmp_path: Path) -> None:
    one = make_build(tmp_path / "a", "Eins")
    assert make_build(tmp_path / "b", "Eins", age=400) == one
    assert make_build(tmp_path / "c", "Zwei") != one


def test_builds_are_listed_newest_first_and_damaged_ones_left_out(tmp_path: Path) -> None:
    old = make_build(tmp_path, "Alt", age=9)
    new = make_build(tmp_path, "Neu")
    damaged = make_build(tmp_path, "Kaputt", age=3)
    (tmp_path / "builds" / damaged / "manifest.json").write_text("{")
    assert [m.release for m in builds.list_builds(tmp_path)] == [new, old]


def test_newest_is_what_has_the_latest_stand_and_not_what_was_built_last(tmp_path: Path) -> None:
    """An older state may be built, restored or carried in at any time."""
    newest = make_build(tmp_path, "Neu", age=9, stand=date(2026, 1, 1))
    older = make_build(tmp_path, "Alt", age=1, stand=date(2024, 1, 1))
    again = make_build(tmp_path, "Noch einmal", age=0, stand=date(2024, 1, 1))
    live = make_build(tmp_path, "Live", age=5, stand=date(2025, 1, 1))
    builds.activate(tmp_path, live)
    assert [m.release for m in builds.list_builds(tmp_path)] == [newest, live, again, older]
    assert builds.prune(tmp_path, keep=2) == [again, older]


def test_pruning_keeps_the_live_build_however_old(tmp_path: Path) -> None:
    releases = [make_build(tmp_path, f"Text {age}", age) for age in range(4)]
    builds.activate(tmp_path, releases[3])
    assert builds.prune(tmp_path, keep=2) == releases[1:3]
    held: list[Manifest] = builds.list_builds(tmp_path)
    assert [m.release for m in held] == [releases[0], releases[3]]


def test_pruning_keeps_what_is_served_for_a_damaged_live_build(tmp_path: Path) -> None:
    releases = [make_build(tmp_path, f"Text {age}", age) for age in range(3)]
    builds.activate(tmp_path, releases[0])
    (tmp_path / "builds" / releases[0] / "manifest.json").write_text("{")
    done = CliRunner().invoke(
        corpus, ["prune", "--keep", "1"], obj=Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)})
    )
    assert done.stdout == f"deleted {releases[2]}\n"


def test_what_is_made_live_while_others_are_deleted_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live, first, second = (make_build(tmp_path, f"Text {age}", age) for age in range(3))
    builds.activate(tmp_path, live)
    delete = shutil.rmtree

    def activate_first(path: Path, *, ignore_errors: bool) -> None:
        if (path / "manifest.json").is_file():
            builds.activate(tmp_path, second)
        delete(path, ignore_errors=ignore_errors)

    monkeypatch.setattr(shutil, "rmtree", activate_first)
    assert builds.prune(tmp_path, keep=1) == [first]
    assert builds.read_pointer(tmp_path) == second
    assert {one.release for one in builds.list_builds(tmp_path)} == {live, second}


def test_the_pointer_and_the_name_of_a_build_change_one_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the pointer and the deletion nobody can make that build live."""
    live, old = (make_build(tmp_path, f"Text {age}", age) for age in range(2))
    moved: list[bool] = []

    def watch(move: Callable[[Path, Path], Path]) -> Callable[[Path, Path], Path]:
        def watched(path: Path, target: Path) -> Path:
            with (tmp_path / "activate.lock").open("a") as file:
                try:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except BlockingIOError:
                    moved.append(True)
                else:
                    moved.append(False)
            return move(path, target)

        return watched

    monkeypatch.setattr(Path, "replace", watch(Path.replace))
    monkeypatch.setattr(Path, "rename", watch(Path.rename))
    builds.activate(tmp_path, live)
    assert builds.prune(tmp_path, keep=1) == [old]
    assert moved == [True, True]


def test_what_cannot_be_deleted_is_not_told_as_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    releases = [make_build(tmp_path, f"Text {age}", age) for age in range(2)]
    builds.activate(tmp_path, releases[0])
    monkeypatch.setattr("fundstelle.corpus.builds.shutil.rmtree", lambda *_, **__: None)
    with pytest.raises(CorpusError, match="its files are still there"):
        builds.prune(tmp_path, keep=1)


def test_nothing_is_pruned_while_the_live_build_is_not_there(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Text")
    (tmp_path / "active").write_text(f"{'f' * 16}\n")
    with pytest.raises(CorpusError, match="is not in"):
        builds.prune(tmp_path, keep=1)
    assert [m.release for m in builds.list_builds(tmp_path)] == [release]


def test_verification_finds_a_changed_byte(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Der Text, wie er verkündet ist.")
    assert builds.verify(tmp_path, release) == []
    path = tmp_path / "builds" / release / builds.DATABASE
    data = path.read_bytes()
    assert data.count("verkündet".encode()) == 1
    path.write_bytes(data.replace("verkündet".encode(), "verfälscht".encode()[:10]))
    assert builds.verify(tmp_path, release) == [
        Finding(builds.DATABASE, "its bytes are not those that were written"),
        Finding(builds.DATABASE, "the text of norm 0 was changed"),
    ]


def test_verification_finds_a_changed_header(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    path = tmp_path / "builds" / release / builds.DATABASE
    path.write_bytes(path.read_bytes().replace(b"Muster-BGBl. I 2020", b"Muster-BGBl. I 2021"))
    assert builds.verify(tmp_path, release) == [
        Finding(builds.DATABASE, "its bytes are not those that were written"),
        Finding(builds.DATABASE, "the content is not the one the release is named after"),
    ]


def test_verification_finds_a_manifest_written_anew_under_an_old_name(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    folder = tmp_path / "builds" / release
    with closing(builds.open_build(tmp_path, release)) as store:
        content = store.hash_content()
    later = replace(builds.read_manifest(folder), stand=date(2031, 1, 1))
    data = dump_manifest(replace(later, sha256=release_hash(later, content)))
    (folder / "manifest.json").write_bytes(data)
    (folder / "manifest.sha256").write_bytes(sum_manifest(data))
    assert builds.verify(tmp_path, release) == [
        Finding(builds.DATABASE, f"{release} is the name of another release")
    ]


def test_verification_finds_a_build_in_the_folder_of_another(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    other = "0123456789abcdef"
    shutil.copytree(tmp_path / "builds" / release, tmp_path / "builds" / other)
    assert builds.verify(tmp_path, other) == [
        Finding("manifest.json", f"it is that of release {release}")
    ]


def test_verification_survives_a_truncated_file(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins " * 5000)
    path = tmp_path / "builds" / release / builds.DATABASE
    path.write_bytes(path.read_bytes()[:6000])
    assert builds.verify(tmp_path, release)


def test_leftovers_of_dead_ingestions_are_removed(tmp_path: Path) -> None:
    leftover = tmp_path / "builds" / ".tmp-1-dead" / "build"
    leftover.mkdir(parents=True)
    (leftover / "corpus.sqlite").write_bytes(b"half")
    (tmp_path / ".active-1-dead").write_text("x")
    release = make_build(tmp_path, "Eins")
    assert [path.name for path in (tmp_path / "builds").iterdir()] == [release]
    assert not list(tmp_path.glob(".active-*"))


@pytest.mark.parametrize("dies", [False, True])
def test_a_build_of_the_same_name_is_lost_at_no_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, dies: bool
) -> None:
    """On a file system that exchanges no two folders in one step, as on NFS."""
    monkeypatch.setattr(publishing, "exchange", lambda *_: False)
    release = make_build(tmp_path, "Eins")
    place = tmp_path / "builds" / release
    rename = Path.rename

    def die(path: Path, target: Path) -> Path:
        if path.name.startswith(".tmp-") or path.parent.name.startswith(".tmp-"):
            raise SystemExit
        return rename(path, target)

    if dies:
        monkeypatch.setattr(Path, "rename", die)
        with pytest.raises(SystemExit):
            make_build(tmp_path, "Eins")
        monkeypatch.setattr(Path, "rename", rename)
        assert not place.exists()
    assert make_build(tmp_path, "Zwei") != release
    assert builds.verify(tmp_path, release) == []
    assert make_build(tmp_path, "Eins") == release
    assert builds.verify(tmp_path, release) == []
    assert not [*place.parent.glob(".*")]


def test_a_second_ingestion_is_told_to_wait(tmp_path: Path) -> None:
    with (
        builds.lock(tmp_path),
        pytest.raises(CorpusError, match="another 'fundstelle ingest' is at work"),
        builds.lock(tmp_path),
    ):
        pass
    with builds.lock(tmp_path):
        pass


def test_readers_see_one_build_or_the_other_while_builds_are_swapped(tmp_path: Path) -> None:
    texts = {make_build(tmp_path, text): text for text in ("Eins", "Zwei")}
    one, two = texts
    builds.activate(tmp_path, one)
    held = builds.open_active(tmp_path)
    failures: list[str] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            store = builds.open_active(tmp_path)
            if read_text(store) != texts[store.manifest.release]:
                failures.append(store.manifest.release)
            store.close()

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for turn in range(100):
        builds.activate(tmp_path, (two, one)[turn % 2])
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert read_text(held) == "Eins"


def test_an_open_build_can_be_read_after_it_was_pruned(tmp_path: Path) -> None:
    one, two = make_build(tmp_path, "Eins", age=1), make_build(tmp_path, "Zwei")
    store = builds.open_build(tmp_path, one)
    builds.activate(tmp_path, two)
    assert builds.prune(tmp_path, keep=1) == [one]
    assert read_text(store) == "Eins"


def test_a_build_of_another_version_is_not_made_live(tmp_path: Path) -> None:
    foreign, live = make_build(tmp_path, "Eins", 1), make_build(tmp_path, "Zwei")
    builds.activate(tmp_path, live)
    make_foreign(tmp_path, foreign)
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)})
    refused = CliRunner().invoke(corpus, ["activate", foreign], obj=settings)
    assert refused.exit_code == 1
    assert f"made by another version of Fundstelle (schema 1, not {SCHEMA_VERSION})" in str(
        refused.exception
    )
    with pytest.raises(CorpusError, match="cannot be made live"):
        builds.activate(tmp_path, foreign)
    assert builds.read_pointer(tmp_path) == live
    listed = CliRunner().invoke(corpus, ["list"], obj=settings).stdout.splitlines()
    assert [line.endswith("of another version") for line in listed] == [False, True]


def test_a_build_whose_manifest_is_damaged_is_named(tmp_path: Path) -> None:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)})
    release = make_build(tmp_path, "Eins", 1)
    builds.activate(tmp_path, release)
    path = builds.get_folder(tmp_path, release) / "manifest.json"
    for damage in (lambda: path.write_text("{"), path.unlink, lambda: shutil.rmtree(path.parent)):
        damage()
        result = CliRunner().invoke(corpus, ["list"], obj=settings)
        assert result.exit_code == 1
        assert f"the live build {release} is damaged" in result.stderr
        assert "no builds" not in result.stderr


def test_a_sound_build_stands_in_for_a_live_one_of_another_version(tmp_path: Path) -> None:
    """So it is after an upgrade that is taken back, or a data folder that was carried here."""
    other, live = make_build(tmp_path, "Eins", 1), make_build(tmp_path, "Zwei")
    builds.activate(tmp_path, live)
    make_foreign(tmp_path, live)
    choice = choose_build(tmp_path)
    assert (choice.release, choice.live) == (other, live)
    assert f"build {live} is of another version of Fundstelle" in (choice.notice or "")
    assert "(schema 1, not" in (choice.cause or "")
    make_foreign(tmp_path, other)
    with pytest.raises(OtherVersion, match=r"no sound one of this version.*fundstelle ingest"):
        choose_build(tmp_path)


def test_a_build_of_another_version_is_not_noted_as_damaged(tmp_path: Path) -> None:
    """The version that made it may be put back, and would not serve it."""
    release = make_build(tmp_path, "Eins")
    builds.activate(tmp_path, release)
    make_foreign(tmp_path, release)
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)})
    done = CliRunner().invoke(corpus, ["verify"], obj=settings)
    assert "cannot be opened here: it was made by another version" in str(done.exception)
    assert find_record(tmp_path, release) is None
    (builds.get_folder(tmp_path, release) / builds.DATABASE).write_bytes(b"")
    assert [one.file for one in builds.verify(tmp_path, release)] == [builds.DATABASE]


def test_a_build_of_another_schema_is_refused_with_the_next_step(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    builds.activate(tmp_path, release)
    make_foreign(tmp_path, release)
    with pytest.raises(CorpusError, match=r"another version of Fundstelle .*fundstelle ingest"):
        builds.open_active(tmp_path)

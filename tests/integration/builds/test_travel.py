"""A build goes through a folder: whole, unchanged, once, and not at all if a byte is wrong."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from datetime import date
from errno import ENOSPC
from hashlib import sha256
from itertools import count
from pathlib import Path

import numpy as np
import orjson
import pytest
from click.testing import CliRunner

from fundstelle.cli.build import _follow, _Puller
from fundstelle.cli.build import build as command
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import dump_manifest, release_hash
from fundstelle.corpus.proof.signing import open_key, show_key
from fundstelle.corpus.soundness.background import CompleteCheck
from fundstelle.corpus.soundness.check import check_quickly
from fundstelle.corpus.soundness.choose import find_damage as find_damage_of_build
from fundstelle.corpus.soundness.inventory import (
    COUNTING,
    VECTORS,
    sum_manifest,
    take_inventory,
)
from fundstelle.corpus.travel import pull as pulling
from fundstelle.corpus.travel.folder import FolderTarget
from fundstelle.corpus.travel.follow import Following, Step
from fundstelle.corpus.travel.pull import Pins, pull
from fundstelle.corpus.travel.push import push
from fundstelle.corpus.travel.target import (
    LIVE,
    NEXT,
    name_object,
    read_release,
    read_shipment,
)
from fundstelle.errors import CorpusError
from fundstelle.search.meaning.vector_sums import check_vectors
from fundstelle.search.meaning.vector_writer import VectorWriter
from fundstelle.search.meaning.vectors import HASH_BYTES, ORDINALS, ROWS, Card, Vectors
from fundstelle.settings import Settings
from tests.integration.builds.damaging import flip_bit
from tests.integration.builds.shipping import (
    CHUNK,
    WatchedTarget,
    cut_small,
    make_build,
    read_files,
)

ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    cut_small(monkeypatch)


@pytest.fixture
def origin(tmp_path: Path) -> Path:
    """The data folder of the machine that builds, with one build."""
    make_build(tmp_path / "origin" / "data")
    return tmp_path / "origin" / "data"


@pytest.fixture
def release(origin: Path) -> str:
    found = builds.read_pointer(origin)
    assert found is not None
    return found


@pytest.fixture
def target(tmp_path: Path, origin: Path, release: str) -> WatchedTarget:
    """A target at which that build lies."""
    made = WatchedTarget(tmp_path / "target")
    push(origin, release, made)
    return made


def list_objects(folder: Path) -> list[Path]:
    return sorted((folder / "objects").iterdir())


def sign_again(folder: Path) -> None:
    """Let a build's manifest say what its files are now."""
    manifest = builds.read_manifest(folder)
    data = dump_manifest(replace(manifest, files=take_inventory(folder)))
    (folder / "manifest.json").write_bytes(data)
    (folder / "manifest.sha256").write_bytes(sum_manifest(data))


def is_clean(data: Path) -> bool:
    return not [*data.glob("builds/.*"), *data.glob("builds/*/.*")]


def test_a_build_arrives_byte_for_byte_and_is_live_only_once_activated(
    tmp_path: Path, origin: Path, target: WatchedTarget, release: str
) -> None:
    data = tmp_path / "replica"
    freight = pull(data, release, target)

    assert freight is not None
    assert freight.moved == read_shipment(target, release).size
    assert read_files(data / "builds" / release) == read_files(origin / "builds" / release)
    assert builds.read_pointer(data) is None
    assert builds.verify(data, release) == []
    assert pull(data, release, target) is None
    assert is_clean(data)


def test_what_lies_at_the_target_is_not_sent_again(
    tmp_path: Path, origin: Path, target: WatchedTarget, release: str
) -> None:
    objects = {name for name in target.written if name.startswith("objects/")}
    target.written.clear()
    freight = push(origin, release, target)

    assert objects
    assert freight.moved == 0
    assert not objects & set(target.written)
    assert read_release(FolderTarget(tmp_path / "target"), NEXT) == release
    assert read_release(target, LIVE) is None


def test_vectors_that_grow_while_they_are_sent_arrive_as_they_were_at_one_moment(
    tmp_path: Path, origin: Path, release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # hundreds of batches
    made = WatchedTarget(tmp_path / "target")
    folder = origin / "builds" / release / VECTORS
    with VectorWriter.open(folder, Card("model", 4, 10_000)) as writer:

        def add(_: int) -> None:
            first = len(writer.done)
            ordinals = range(first, first + 64)
            rows = np.ones((64, 4), np.float32)
            writer.add(ordinals, [bytes(HASH_BYTES)] * 64, rows)

        add(0)
        push(origin, release, made, advance=add)
        assert len(writer.done) > 64 * 10
    arrived = tmp_path / "replica" / "builds" / release / VECTORS
    assert pull(tmp_path / "replica", release, made, check_vectors=find_damage) is not None
    vectors = Vectors.open(arrived)
    assert vectors is not None
    assert 0 < len(vectors) <= len(vectors.read_hashes())


def test_vectors_that_are_started_anew_meanwhile_are_those_of_one_model(
    tmp_path: Path, origin: Path, release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "fsync", lambda _: None)  # hundreds of batches
    made = WatchedTarget(tmp_path / "target")
    folder = origin / "builds" / release / VECTORS
    models = count(1)

    def start_anew(_: int) -> None:
        number = next(models)
        with VectorWriter.open(folder, Card(f"model {number}", number, number)) as writer:
            rows = np.ones((number, number), np.float32)
            writer.add(range(number), [bytes(HASH_BYTES)] * number, rows)

    start_anew(0)
    push(origin, release, made, advance=start_anew)
    assert pull(tmp_path / "replica", release, made, check_vectors=find_damage) is not None
    vectors = Vectors.open(tmp_path / "replica" / "builds" / release / VECTORS)
    assert vectors is not None
    assert vectors.model == f"model {len(vectors)}"


def test_damaged_vectors_of_a_build_that_is_here_are_fetched_anew(
    tmp_path: Path, origin: Path, release: str
) -> None:
    made, replica = WatchedTarget(tmp_path / "target"), tmp_path / "replica"
    with VectorWriter.open(origin / "builds" / release / VECTORS, Card("model", 4, 64)) as writer:
        writer.add(range(64), [bytes(HASH_BYTES)] * 64, np.ones((64, 4), np.float32))
    push(origin, release, made)
    assert pull(replica, release, made, check_vectors=find_damage) is not None
    assert pull(replica, release, made, check_vectors=find_damage) is None
    vectors = replica / "builds" / release / VECTORS
    rows = bytearray((vectors / ROWS).read_bytes())
    rows[9] ^= 1
    (vectors / ROWS).write_bytes(rows)
    assert find_damage(vectors)
    assert pull(replica, release, made, check_vectors=find_damage) is not None
    assert find_damage(vectors) == []


def test_what_makes_rows_count_is_what_the_writer_writes_last() -> None:
    assert COUNTING == ORDINALS


def find_damage(folder: Path) -> list[str]:
    return check_vectors(folder)[0]


def test_nobody_sees_a_release_of_which_a_chunk_is_missing(
    tmp_path: Path, origin: Path, release: str
) -> None:
    class Breaking(WatchedTarget):
        def write(self, name: str, data: bytes) -> None:
            if len(self.written) == 5:
                raise CorpusError("the line is cut")
            super().write(name, data)

    broken = Breaking(tmp_path / "target")
    with pytest.raises(CorpusError, match="the line is cut"):
        push(origin, release, broken)
    target = WatchedTarget(tmp_path / "target")
    with pytest.raises(CorpusError, match="there is no release"):
        pull(tmp_path / "replica", release, target)

    push(origin, release, target)
    assert not set(broken.written) & set(target.written)
    assert pull(tmp_path / "replica", release, target) is not None


def test_a_transfer_that_broke_off_goes_on_where_it_was(
    tmp_path: Path, target: WatchedTarget, release: str
) -> None:
    def break_off(_name: str) -> None:
        if broken.read_names.total() == 12:
            raise CorpusError("the line is cut")

    data = tmp_path / "replica"
    broken = WatchedTarget(tmp_path / "target", break_off)
    with pytest.raises(CorpusError, match="the line is cut"):
        pull(data, release, broken)
    assert builds.list_builds(data) == []

    again = WatchedTarget(tmp_path / "target")
    freight = pull(data, release, again)
    assert freight is not None
    assert freight.held > 0
    assert freight.moved == read_shipment(target, release).size - freight.held
    twice = broken.read_names.keys() & again.read_names.keys()
    assert len(twice) <= 4, "the record, the manifest, and the chunk that was cut"
    assert builds.verify(data, release) == []
    assert is_clean(data)


@pytest.mark.parametrize("chunks", [1, 7, 20])
def test_a_killed_transfer_harms_nothing(
    tmp_path: Path, target: WatchedTarget, origin: Path, release: str, chunks: int
) -> None:
    data = tmp_path / "replica"
    pull(data, release, target)
    builds.activate(data, release)
    new = make_build(origin, laws=9).release
    push(origin, new, target)
    command = [
        sys.executable,
        "-m",
        "tests.integration.builds.shipping",
        target.address,
        str(data),
        new,
    ]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for _ in range(chunks):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert builds.read_pointer(data) == release
    assert builds.verify(data, release) == []

    pull(data, new, target)
    assert builds.verify(data, new) == []
    assert is_clean(data)


def test_a_file_that_another_build_here_has_is_not_fetched(
    tmp_path: Path, origin: Path, target: WatchedTarget, release: str
) -> None:
    data = tmp_path / "replica"
    pull(data, release, target)
    (data / "builds" / release / builds.DATABASE).write_bytes(b"damaged")
    target.read_names.clear()
    pull(data, release, target)

    wanted = [
        chunk
        for file in read_shipment(target, release).files
        if file.name.startswith(("manifest", builds.DATABASE))
        for chunk in file.chunks
    ]
    assert set(target.read_names) - {f"releases/{release}.json"} == {
        f"objects/{chunk}" for chunk in wanted
    }
    assert read_files(data / "builds" / release) == read_files(origin / "builds" / release)


def test_a_wrong_byte_anywhere_is_refused_by_name_and_sent_anew(
    tmp_path: Path, origin: Path, target: WatchedTarget, release: str
) -> None:
    for path in list_objects(tmp_path / "target"):
        data = tmp_path / f"replica-{path.name}"
        right = path.read_bytes()
        path.write_bytes(right[:-1] + bytes([right[-1] ^ 1]))
        with pytest.raises(CorpusError, match=f"objects/{path.name}.*damaged.*--anew"):
            pull(data, release, target)
        assert builds.list_builds(data) == []
        push(origin, release, target, anew=True)
        assert path.read_bytes() == right


@pytest.mark.parametrize("spoil", [Path.unlink, lambda path: path.write_bytes(b"")])
def test_an_object_that_is_gone_or_empty_is_named(
    tmp_path: Path,
    origin: Path,
    target: WatchedTarget,
    release: str,
    spoil: Callable[[Path], object],
) -> None:
    path = list_objects(tmp_path / "target")[3]
    spoil(path)
    with pytest.raises(CorpusError, match=f"objects/{path.name}"):
        pull(tmp_path / "replica", release, target)
    push(origin, release, target)
    assert pull(tmp_path / "replica", release, target) is not None


def test_an_object_larger_than_it_may_be_is_not_read_whole(
    tmp_path: Path, target: WatchedTarget, release: str
) -> None:
    path = list_objects(tmp_path / "target")[0]
    with path.open("r+b") as file:
        file.truncate(2**40)  # a hole: no disk is filled by it
    with pytest.raises(CorpusError, match="larger than"):
        pull(tmp_path / "replica", release, target)


def test_texts_changed_with_all_their_hashes_do_not_have_the_root(
    tmp_path: Path, origin: Path, release: str
) -> None:
    """Who can write the target can compute hashes; the key that signs the root he has not."""
    folder = origin / "builds" / release
    with sqlite3.connect(folder / builds.DATABASE) as database:
        database.execute("UPDATE statutes SET header = replace(header, 'erfunden', 'geltend')")
    database.close()
    sign_again(folder)
    target = FolderTarget(tmp_path / "target")
    push(origin, release, target)

    with pytest.raises(CorpusError, match="is not what it should be"):
        pull(tmp_path / "replica", release, target)
    assert is_clean(tmp_path / "replica")
    assert builds.list_builds(tmp_path / "replica") == []


def test_a_pinned_key_refuses_what_another_signed(
    tmp_path: Path, origin: Path, target: WatchedTarget, release: str
) -> None:
    key = show_key(open_key(origin).public_key())
    other = show_key(open_key(tmp_path / "elsewhere").public_key())
    root = builds.read_manifest(origin / "builds" / release).root

    for pins, most in ((Pins(key=other), 1), (Pins(root="0" * 64), 3)):
        target.read_names.clear()
        with pytest.raises(CorpusError, match="pinned"):
            pull(tmp_path / "replica", release, target, pins=pins)
        assert target.read_names.total() <= most  # nothing but the record, then the manifest
    with pytest.raises(CorpusError, match="no public key"):
        pull(tmp_path / "replica", release, target, pins=Pins(key="no"))
    assert pull(tmp_path / "replica", release, target, pins=Pins(key, root)) is not None


def test_a_pinned_key_refuses_files_that_its_owner_did_not_send(
    tmp_path: Path, origin: Path, release: str
) -> None:
    """The root speaks for the texts; an index that hides some of them would have the same root."""
    key = show_key(open_key(origin).public_key())
    target = FolderTarget(tmp_path / "target")
    folder = origin / "builds" / release
    shutil.rmtree(folder / builds.INDEX)
    sign_again(folder)
    (origin / "release.key").unlink()
    push(origin, release, target)

    with pytest.raises(CorpusError, match=r"files of release .* are not signed"):
        pull(tmp_path / "replica", release, target, pins=Pins(key=key))


@pytest.mark.parametrize("bent", ["manifest", "vectors"])
def test_a_pinned_key_refuses_a_file_put_together_of_other_parts(
    tmp_path: Path, origin: Path, release: str, bent: str
) -> None:
    """Signed are the hashes of whole files; what their parts are the target says alone."""
    key = show_key(open_key(origin).public_key())
    folder = origin / "builds" / release
    (folder / "index" / "vectors").mkdir()
    (folder / "index" / "vectors" / "rows.f16").write_bytes(b"true")
    target = FolderTarget(tmp_path / "target")
    push(origin, release, target)
    with closing(builds.open_build(origin, release)) as store:
        content = store.hash_content()
    later = replace(builds.read_manifest(folder), stand=date(2031, 1, 1))
    data = dump_manifest(replace(later, sha256=release_hash(later, content)))
    others = {"manifest.json": data, "manifest.sha256": sum_manifest(data)}
    if bent == "vectors":
        others = {"index/vectors/rows.f16": b"other"}
    path = tmp_path / "target" / "releases" / f"{release}.json"
    record = orjson.loads(path.read_bytes())
    for file in record["files"]:
        if (other := others.get(file["name"])) is not None:
            chunks = [other[at : at + CHUNK] for at in range(0, len(other), CHUNK)]
            file |= {"size": len(other), "chunks": [sha256(one).hexdigest() for one in chunks]}
            for one in chunks:
                target.write(name_object(sha256(one).hexdigest()), one)
    path.write_bytes(orjson.dumps(record))

    with pytest.raises(CorpusError, match=r"not the (?:one|file) that was sent"):
        pull(tmp_path / "replica", release, target, pins=Pins(key=key))
    assert builds.list_builds(tmp_path / "replica") == []


def test_a_record_that_names_other_files_than_the_manifest_is_refused(
    tmp_path: Path, target: WatchedTarget, release: str
) -> None:
    path = tmp_path / "target" / "releases" / f"{release}.json"
    record = orjson.loads(path.read_bytes())
    record["files"] = [one for one in record["files"] if not one["name"].startswith("index/")]
    path.write_bytes(orjson.dumps(record))

    with pytest.raises(CorpusError, match="names other files"):
        pull(tmp_path / "replica", release, target)


def test_a_link_in_the_way_is_not_followed(
    tmp_path: Path, target: WatchedTarget, release: str
) -> None:
    data, elsewhere = tmp_path / "replica", tmp_path / "elsewhere"
    (staging := data / "builds" / f".pull-{release}").mkdir(parents=True)
    elsewhere.write_bytes(b"kept")
    (staging / builds.DATABASE).symlink_to(elsewhere)
    pull(data, release, target)

    assert elsewhere.read_bytes() == b"kept"
    assert not (data / "builds" / release / builds.DATABASE).is_symlink()


def test_a_disk_without_room_is_said_before_anything_is_fetched(
    tmp_path: Path, target: WatchedTarget, release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage(tmp_path)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1_000_000))
    with pytest.raises(CorpusError, match=r"lacks \d+ MB"):
        pull(tmp_path / "replica", release, target)
    assert target.read_names.total() <= 3


def test_a_disk_that_fills_up_loses_nothing(
    tmp_path: Path, target: WatchedTarget, release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill(*_: object) -> None:
        raise OSError(ENOSPC, "No space left on device")

    data = tmp_path / "replica"
    with monkeypatch.context() as patch:
        patch.setattr(pulling, "_write", fill)
        with pytest.raises(CorpusError, match="is full"):
            pull(data, release, target)
    assert builds.list_builds(data) == []
    assert pull(data, release, target) is not None


def test_two_at_once_do_not_write_into_each_other(
    tmp_path: Path, target: WatchedTarget, release: str
) -> None:
    with builds.lock(tmp_path / "replica"), pytest.raises(CorpusError, match="at work"):
        pull(tmp_path / "replica", release, target)


def test_a_damaged_build_is_neither_sent_nor_kept_by_who_fetches_it_again(
    tmp_path: Path, origin: Path, target: WatchedTarget, release: str
) -> None:
    data = tmp_path / "replica"
    pull(data, release, target)
    for folder in (data, origin):
        path = folder / "builds" / release / builds.DATABASE
        with path.open("r+b") as file:
            file.truncate(path.stat().st_size - 4096)
    assert pull(data, release, target) is not None
    assert builds.verify(data, release) == []
    with pytest.raises(CorpusError, match="is not sent"):
        push(origin, release, FolderTarget(tmp_path / "other"))


def damage(data: Path, release: str) -> None:
    """One bit of a file that a quick check does not read."""
    path = data / "builds" / release / builds.DATABASE
    assert path.stat().st_size > 65_536
    flip_bit(path, path.stat().st_size // 2, 0)
    assert check_quickly(path.parent) == []


def test_a_bit_that_turned_in_a_build_that_is_here_is_fetched_anew(
    tmp_path: Path, target: WatchedTarget, release: str
) -> None:
    data = tmp_path / "replica"
    pull(data, release, target)
    damage(data, release)
    freight = pull(data, release, target)
    assert freight is not None
    assert 0 < freight.moved < freight.held  # one chunk, and the manifest
    assert builds.verify(data, release) == []
    assert pull(data, release, target) is None


@pytest.mark.parametrize("is_live", [True, False])
def test_a_replica_fetches_anew_what_a_check_found_damaged(
    tmp_path: Path, origin: Path, target: WatchedTarget, release: str, *, is_live: bool
) -> None:
    data = tmp_path / "replica"
    push(origin, release, target, live=is_live)
    following = Following(data, target, lambda name: pull(data, name, target), lambda: 0.0)
    following.look()
    damage(data, release)
    assert following.look() == Step()  # no look reads large files
    CompleteCheck(data).check(release)
    assert following.look() == Step(ready=release)
    assert following.look() == Step()
    assert builds.verify(data, release) == []
    assert find_damage_of_build(data, release) == ()


def test_what_was_mended_by_hand_is_not_fetched_and_counts_as_sound_again(
    tmp_path: Path, target: WatchedTarget, release: str
) -> None:
    data = tmp_path / "replica"
    pull(data, release, target)
    damage(data, release)
    CompleteCheck(data).check(release)
    assert find_damage_of_build(data, release)
    damage(data, release)  # the same bit back
    assert pull(data, release, target) is None
    assert find_damage_of_build(data, release) == ()


def test_replicas_have_the_next_release_ready_and_go_over_when_it_is_live(
    tmp_path: Path, origin: Path, target: WatchedTarget, release: str
) -> None:
    replicas = [tmp_path / name for name in ("one", "two", "three")]
    followings = [
        Following(data, target, lambda name, data=data: pull(data, name, target), lambda: 0.0)  # type: ignore[misc]
        for data in replicas
    ]
    assert [one.look() for one in followings] == [Step(ready=release)] * 3
    assert [one.look() for one in followings] == [Step()] * 3
    push(origin, release, target, live=True)
    assert [one.look() for one in followings] == [Step(live=release)] * 3

    new = make_build(origin, laws=4).release
    push(origin, new, target)
    assert [one.look() for one in followings] == [Step(ready=new)] * 3
    assert {builds.read_pointer(data) for data in replicas} == {release}
    push(origin, new, target, live=True)
    assert [one.look() for one in followings] == [Step(live=new)] * 3
    push(origin, release, target, live=True)  # and back again: it is still here
    assert [one.look() for one in followings] == [Step(live=release)] * 3
    assert [one.look() for one in followings] == [Step()] * 3


class Ended(Exception):
    """Nobody follows any longer."""


def follow(data: Path, target: FolderTarget, keep: int, *acts: Callable[[], object]) -> None:
    """As ``build pull --follow``: a look, then what happens meanwhile, and so on."""
    left = iter(acts)

    def wait(_seconds: float) -> None:
        act = next(left, None)
        if act is None:
            raise Ended
        act()

    puller = _Puller(data, target, Pins())
    with pytest.raises(Ended):
        _follow(puller, 1, keep, wait)


def list_held(data: Path) -> set[str]:
    return {one.release for one in builds.list_builds(data)}


def test_a_replica_to_which_nothing_but_the_next_comes_keeps_no_more_than_it_should(
    tmp_path: Path, origin: Path, target: WatchedTarget, release: str
) -> None:
    push(origin, release, target, live=True)
    data, made = tmp_path / "replica", list[str]()

    def send() -> None:
        made.append(make_build(origin, laws=4 + len(made)).release)
        push(origin, made[-1], target)

    follow(data, FolderTarget(tmp_path / "target"), 2, send, send, send, send)
    assert list_held(data) == {release, made[-1]}
    push(origin, made[-1], target, live=True)
    follow(data, FolderTarget(tmp_path / "target"), 3, send, send, send)
    assert list_held(data) == {release, made[3], made[-1]}, "live, before it, and next"
    assert builds.read_pointer(data) == made[3]


def test_what_is_next_stays_though_it_is_older_than_what_is_there(
    tmp_path: Path, origin: Path, target: WatchedTarget, release: str
) -> None:
    """Else it would be fetched and deleted by turns."""
    data, made = tmp_path / "replica", [make_build(origin, laws=n).release for n in (4, 5)]
    for one in (release, *made):
        push(origin, one, target, live=True)
        pull(data, one, target)
    builds.activate(data, made[-1])
    oldest = [one.release for one in builds.list_builds(data) if one.release != made[-1]][-1]
    push(origin, oldest, target)
    follow(data, FolderTarget(tmp_path / "target"), 2, lambda: None)
    assert list_held(data) == {made[-1], oldest}


def test_older_builds_go_after_the_ingestion_that_kept_them_and_before_room_is_lacking_again(
    tmp_path: Path, origin: Path, target: WatchedTarget, release: str
) -> None:
    data = tmp_path / "replica"
    more = [make_build(origin, laws=n).release for n in (4, 5, 6)]
    for one in (release, *more):
        push(origin, one, target, live=True)
        pull(data, one, target)
    builds.activate(data, more[-1])
    with ExitStack() as at_work:
        at_work.enter_context(builds.lock(data))
        follow(
            data, FolderTarget(tmp_path / "target"), 2, lambda: None, at_work.close, lambda: None
        )
    assert len(list_held(data)) == 2

    class Full(FolderTarget):
        def read(self, name: str, most: int) -> bytes | None:
            if name.startswith("releases/"):
                raise CorpusError("the disk has no room")
            return super().read(name, most)

    for one in (release, *more):
        pull(data, one, target)
    new = make_build(origin, laws=7).release
    push(origin, new, target)
    assert len(list_held(data)) == 4
    follow(data, Full(tmp_path / "target"), 2)
    assert len(list_held(data)) == 2


def test_what_fails_is_tried_again_ever_more_rarely_and_another_release_at_once(
    tmp_path: Path, origin: Path, target: WatchedTarget
) -> None:
    now, tried = [0.0], list[str]()

    def fail(name: str) -> None:
        tried.append(name)
        raise CorpusError("no")

    following = Following(tmp_path / "replica", target, fail, lambda: now[0])
    for second in range(64):
        now[0] = float(second)
        with suppress(CorpusError):
            following.look()
    assert len(tried) == 6  # 0, 2, 6, 14, 30, 62
    new = make_build(origin, laws=4).release
    push(origin, new, target)
    with pytest.raises(CorpusError):
        following.look()
    assert tried[-1] == new


def test_the_command_sends_fetches_and_says_what_it_did(
    tmp_path: Path, origin: Path, release: str
) -> None:
    def run(data: Path, *arguments: str) -> str:
        settings = Settings.from_env({"FUNDSTELLE_DATA": str(data)})
        done = CliRunner().invoke(command, arguments, obj=settings)
        if isinstance(done.exception, CorpusError):
            raise done.exception
        assert done.exit_code == 0, done.output
        return done.output

    place, replica = str(tmp_path / "target"), tmp_path / "replica"
    with pytest.raises(CorpusError, match="nothing is live"):
        run(replica, "pull", place)
    assert "can be fetched" in run(origin, "push", place)
    assert f"{release} is here" in run(replica, "pull", place, release)
    assert builds.read_pointer(replica) is None
    assert "is to be live" in run(origin, "push", place, "--live")
    assert f"{release} is live" in run(replica, "pull", place)
    assert builds.read_pointer(replica) == release
    with pytest.raises(CorpusError, match="is no target"):
        run(replica, "pull", "ftp://example.org/x")

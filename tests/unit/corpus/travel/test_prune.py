"""A target is freed of old releases, and what is kept is whole at any moment."""

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.travel.folder import FolderTarget
from fundstelle.corpus.travel.prune import GRACE_S, Freed, prune
from fundstelle.corpus.travel.shipment import SentFile, Shipment
from fundstelle.corpus.travel.target import (
    LIVE,
    NEXT,
    Target,
    name_object,
    name_record,
    read_shipment,
    write_release,
    write_shipment,
)
from fundstelle.errors import CorpusError

NOW = 2_000_000_000.0
STEP = 4
A, B, C, D = ("a" * 16, "b" * 16, "c" * 16, "d" * 16)


class Place(FolderTarget):
    """A folder whose files are as old as they are said to be."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.folder = folder
        self.deletions: float = float("inf")  # that succeed

    def delete(self, name: str) -> None:
        self.deletions -= 1
        if self.deletions < 0:
            raise CorpusError("the line is cut")
        super().delete(name)

    def age(self, name: str, seconds: float) -> None:
        os.utime(self.folder / name, (NOW - seconds,) * 2, follow_symlinks=False)

    def list_all(self) -> set[str]:
        files = (path for path in self.folder.rglob("*") if not path.is_dir())
        return {path.relative_to(self.folder).as_posix() for path in files}


def send(target: Target, release: str, parts: Iterable[str]) -> None:
    """A release of one file for each part."""
    files = []
    for name in ("manifest.json", "manifest.sha256", *parts):
        data = f"{name if name in parts else release}".encode()
        cut = [data[at : at + STEP] for at in range(0, len(data), STEP)]
        chunks = tuple(sha256(one).hexdigest() for one in cut)
        for chunk, one in zip(chunks, cut, strict=True):
            target.write(name_object(chunk), one)
        files.append(SentFile(name, len(data), sha256(data).hexdigest(), chunks))
    write_shipment(target, Shipment(release, tuple(files), STEP))


def list_chunks(target: Target, release: str) -> set[str]:
    return {
        name_object(one) for file in read_shipment(target, release).files for one in file.chunks
    }


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """Four releases, one after the other, that share some; ``A`` is the oldest."""
    made = Place(tmp_path / "target")
    for release, own in ((A, "first"), (B, "second"), (C, "third"), (D, "fourth")):
        send(made, release, ["shared", own])
    for name in made.list_all():
        made.age(name, 10 * GRACE_S)
    for days, release in enumerate((D, C, B, A)):
        made.age(name_record(release), days * GRACE_S)
    return made


def is_whole(place: Place, release: str) -> bool:
    return list_chunks(place, release) <= place.list_all()


def list_left(place: Place) -> set[str]:
    return {one for one in (A, B, C, D) if name_record(one) in place.list_all()}


def run(tmp_path: Path, place: Place, keep: int, now: float = NOW) -> tuple[Freed, list[str]]:
    gone = list[str]()
    return prune(tmp_path / "data", place, keep, now, gone.append), gone


@pytest.mark.parametrize(
    ("keep", "pointers", "left"),
    [
        (1, {}, {D}),
        (2, {}, {D, C}),
        (1, {LIVE: A}, {D, A}),
        (1, {LIVE: A, NEXT: B}, {D, A, B}),
        (2, {LIVE: D, NEXT: D}, {D, C}),
        (9, {}, {A, B, C, D}),
    ],
)
def test_what_is_live_next_or_came_last_stays_whole_and_nothing_else(
    tmp_path: Path, place: Place, keep: int, pointers: dict[str, str], left: set[str]
) -> None:
    for pointer, release in pointers.items():
        write_release(place, pointer, release)
    before = place.list_all()
    sizes = {name: (place.folder / name).stat().st_size for name in before}
    freed, gone = run(tmp_path, place, keep)
    assert list_left(place) == left
    assert set(gone) == {A, B, C, D} - left
    wanted = set().union(*(list_chunks(place, one) for one in left))
    assert {one for one in place.list_all() if one.startswith("objects/")} == wanted
    away = {one for one in before - place.list_all() if one.startswith("objects/")}
    assert freed == Freed(len(away), sum(sizes[one] for one in away))
    assert run(tmp_path, place, keep) == (Freed(), [])


def test_whenever_it_is_ended_what_has_a_record_is_whole_and_the_next_run_goes_on(
    tmp_path: Path, place: Place
) -> None:
    write_release(place, LIVE, B)
    ended = 0
    while True:
        place.deletions = 1
        try:
            run(tmp_path, place, 1)
        except CorpusError:
            ended += 1
            assert all(is_whole(place, one) for one in list_left(place))
            assert {D, B} <= list_left(place)
        else:
            break
    assert ended > 3
    assert list_left(place) == {D, B}
    wanted = list_chunks(place, D) | list_chunks(place, B)
    assert {one for one in place.list_all() if one.startswith("objects/")} == wanted


def test_chunks_that_came_today_may_belong_to_a_push_that_is_under_way(
    tmp_path: Path, place: Place
) -> None:
    new, left = (name_object(sha256(one).hexdigest()) for one in (b"new", b"left"))
    killed = f"objects/.{'e' * 64}-12-0123abcd"
    for name in (new, left, killed):
        place.write(name, b"1234")
        place.age(name, GRACE_S)
    place.age(new, GRACE_S - 1)
    assert run(tmp_path, place, 9) == (Freed(2, 8), [])
    assert new in place.list_all()
    assert not {left, killed} & place.list_all()


@pytest.mark.parametrize("spoilt", [D, B])
@pytest.mark.parametrize("how", [b"{}", b"", None])
def test_nothing_is_deleted_where_a_record_that_is_kept_cannot_be_read(
    tmp_path: Path, place: Place, spoilt: str, how: bytes | None
) -> None:
    write_release(place, LIVE, B)
    record = place.folder / name_record(spoilt)
    if how is None and spoilt == D:
        record.unlink()
        record.symlink_to(tmp_path / "nowhere")
    elif how is None:
        record.unlink()
    else:
        record.write_bytes(how)
    if record.is_symlink() or record.exists():
        place.age(name_record(spoilt), 0 if spoilt == D else 2 * GRACE_S)
    before = place.list_all()
    with pytest.raises(CorpusError, match=spoilt):
        run(tmp_path, place, 1)
    assert place.list_all() == before


@pytest.mark.parametrize("pointer", [LIVE, NEXT])
def test_nothing_is_deleted_where_it_is_not_known_what_is_served(
    tmp_path: Path, place: Place, pointer: str
) -> None:
    (place.folder / pointer).write_bytes(b"\xff")
    before = place.list_all()
    with pytest.raises(CorpusError, match="names no release"):
        run(tmp_path, place, 1)
    assert place.list_all() == before


def test_a_folder_at_which_no_release_lies_is_no_target(tmp_path: Path, place: Place) -> None:
    with pytest.raises(CorpusError, match="no release lies"):
        run(tmp_path, Place(tmp_path / "other"), 1)
    for release in (A, B, C, D):
        (place.folder / name_record(release)).unlink()
    before = place.list_all()
    with pytest.raises(CorpusError, match="no release lies"):
        run(tmp_path, place, 1)
    assert place.list_all() == before


def test_what_is_not_of_a_release_stays(tmp_path: Path, place: Place) -> None:
    others = {"objects/notes.txt", "objects/" + "E" * 64, "releases/notes.json", "notes"}
    for name in others:
        place.write(name, b"mine")
        place.age(name, 10 * GRACE_S)
    (place.folder / "objects" / ("f" * 64)).mkdir()
    run(tmp_path, place, 1)
    assert others <= place.list_all()


def test_links_lead_nowhere(tmp_path: Path, place: Place) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"mine")
    link = place.folder / "objects" / ("e" * 64)
    link.symlink_to(outside)
    place.age(f"objects/{link.name}", GRACE_S)
    run(tmp_path, place, 1)
    assert outside.read_bytes() == b"mine"
    assert not link.is_symlink()


@pytest.mark.parametrize("folder", ["objects", "releases"])
def test_a_folder_that_is_a_link_is_refused_before_anything_is_deleted(
    tmp_path: Path, place: Place, folder: str
) -> None:
    (place.folder / folder).rename(tmp_path / "elsewhere")
    (place.folder / folder).symlink_to(tmp_path / "elsewhere")
    before = {path.name for path in tmp_path.rglob("*")}
    with pytest.raises(CorpusError, match="is a link"):
        run(tmp_path, place, 1)
    assert {path.name for path in tmp_path.rglob("*")} - {"data", "build.lock"} == before


def test_a_release_that_is_made_live_meanwhile_stays(tmp_path: Path, place: Place) -> None:
    def go_back(_: str) -> None:
        write_release(place, LIVE, B)

    prune(tmp_path / "data", place, 1, NOW, go_back)
    assert list_left(place) == {D, B}
    assert is_whole(place, B)


def test_two_do_not_prune_at_once(tmp_path: Path, place: Place) -> None:
    with (
        builds.lock(tmp_path / "data", "build", shared=True),
        builds.lock(tmp_path / "data", "build", shared=True),
        pytest.raises(CorpusError, match="another 'fundstelle build' is at work"),
    ):
        run(tmp_path, place, 1)
    assert list_left(place) == {A, B, C, D}

"""Backups: made while others write, read back, restored; damaged and forged ones refused."""

import hashlib
import io
import os
import re
import struct
import tarfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
import pytest
import zstandard
from sqlalchemy import make_url

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database import dump
from fundstelle.accounts.database.dump import check_dump
from fundstelle.accounts.database.store import DATABASE, PEPPER, AccountsStore
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.oauth.signing_keys import SigningKeys
from fundstelle.accounts.pepper import create_pepper
from fundstelle.backup import archive as archiving
from fundstelle.backup import verify as verifying
from fundstelle.backup.archive import reading
from fundstelle.backup.contents import (
    DUMP,
    MANIFEST,
    MOST_FILES,
    MOST_MANIFEST_BYTES,
    File,
    Manifest,
)
from fundstelle.backup.create import create
from fundstelle.backup.restore import restore
from fundstelle.backup.verify import verify
from fundstelle.corpus import builds
from fundstelle.corpus.soundness.inventory import CHECKSUM, sum_manifest
from fundstelle.errors import AccountsError, AccountsUnavailable, BackupError, FundstelleError
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_snapshot
from tests.integration.services.databases import PostgresDatabase, PostgresServer, SqliteDatabase

BACKUPS = 20
WRITERS = 2


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    store = SqliteDatabase().open(folder)
    AuditLog(store).begin()
    SigningKeys(store).publish()
    store.close()
    return folder


def back_up(data: Path, target: Path) -> None:
    assert create(data, target, has_file=True, with_build=False).problems == ()


@pytest.fixture
def archive(data: Path, tmp_path: Path) -> Path:
    back_up(data, tmp_path / "archive")
    return tmp_path / "archive"


def keep_writing(data: Path, stop: threading.Event) -> list[str]:
    """As a busy server does: keys, and lines of the audit log; who waits in vain asks again."""
    store = SqliteDatabase().open(data)
    keys, log = ApiKeys(store), AuditLog(store)
    plains: list[str] = []
    while not stop.is_set():
        with suppress(AccountsUnavailable):
            plain, record = keys.create(f"key {len(plains)}")
            log.record("key_created", "system", record.id)
            plains.append(plain)
    keys.close()
    return plains


def test_backups_under_writes_verify_and_restore(data: Path, tmp_path: Path) -> None:
    first = SqliteDatabase().open(data)
    before, _ = ApiKeys(first).create("before")
    first.close()
    stop = threading.Event()
    with ThreadPoolExecutor(WRITERS) as pool:
        writers = [pool.submit(keep_writing, data, stop) for _ in range(WRITERS)]
        try:
            for number in range(BACKUPS):
                back_up(data, tmp_path / f"{number}.tar.zst")
        finally:
            stop.set()
        written = sum(len(one.result()) for one in writers)
    assert written > BACKUPS  # it was written meanwhile
    for number in range(BACKUPS):
        assert verify(tmp_path / f"{number}.tar.zst").problems == ()
    restored = tmp_path / "restored"
    assert restore(tmp_path / f"{BACKUPS - 1}.tar.zst", restored).problems == ()
    store = AccountsStore.open(restored)
    keys = ApiKeys(store, later=lambda _delay, _task: None)
    assert keys.authenticate(before) is not None
    assert SigningKeys(store).list()
    log = AuditLog(store)
    assert log.verify().problems == ()
    log.record("restored", "system")
    assert log.verify().problems == ()
    keys.close()


def test_what_updates_have_seen_is_in_the_backup(data: Path, tmp_path: Path) -> None:
    seen = {
        "gii/observed-days.txt": b"2030-01-02\n",
        "gii/toc/gii-toc-2030-01-02.xml.zst": b"contents",
        "gii/_demog_2/2030-01-02.zip": b"law",
    }
    for name, content in seen.items():
        path = data / "looks" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (data / "looks/gii/_demog_2/2030-01-03.zip.part").write_bytes(b"under way")
    back_up(data, tmp_path / "archive")
    restore(tmp_path / "archive", tmp_path / "restored")
    looks = tmp_path / "restored" / "looks"
    found = {p.relative_to(looks).as_posix(): p for p in looks.rglob("*") if p.is_file()}
    assert {name: path.read_bytes() for name, path in found.items()} == seen


def test_a_folder_of_what_updates_have_seen_that_cannot_be_read_is_no_empty_one(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = data / "looks" / "gii" / "testg"
    kept.mkdir(parents=True)
    (kept / "2030-01-01.zip").write_bytes(b"a law")
    scan = os.scandir

    def refuse(path: Any = ".") -> Any:
        if path == str(kept):
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", refuse)
    target = tmp_path / "backup.tar"
    with pytest.raises(BackupError, match="testg"):
        create(data, target, has_file=True, with_build=False)
    assert not target.exists()


def test_what_updates_have_seen_may_lie_on_another_disk(data: Path, tmp_path: Path) -> None:
    (elsewhere := tmp_path / "disk" / "testg").mkdir(parents=True)
    (elsewhere / "2030-01-01.zip").write_bytes(b"a law")
    (data / "looks").mkdir(exist_ok=True)
    (data / "looks" / "gii").symlink_to(tmp_path / "disk")
    back_up(data, tmp_path / "archive")
    restore(tmp_path / "archive", tmp_path / "restored")
    assert (tmp_path / "restored/looks/gii/testg/2030-01-01.zip").read_bytes() == b"a law"


def test_of_an_update_that_runs_meanwhile_the_lists_are_not_newer_than_the_rest(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lists that speak of texts that are not there would keep them from ever being kept again."""
    folder = data / "looks/gii"
    (folder / "a").mkdir(parents=True)
    (folder / "a/2030-01-02.zip").write_bytes(b"law")
    (folder / "observed-days.txt").write_bytes(b"2030-01-02\n")
    (folder / "compared.json").write_bytes(b"{}")
    listed: list[Path] = []
    walk = os.walk

    def update(path: Path, **rest: Any) -> Any:
        """Just when the files are listed, a look comes to its end."""
        found = list(walk(path, **rest))
        listed.extend(Path(parent, name) for parent, _, names in found for name in names)
        if listed.count(folder / "a/2030-01-02.zip") == 2:  # the lists were read before
            (folder / "a/2030-01-03.zip").write_bytes(b"changed")
            (folder / "observed-days.txt").write_bytes(b"2030-01-02\n2030-01-03\n")
            (folder / "compared.json").write_bytes(b'{"a": "changed"}')
        return iter(found)

    with monkeypatch.context() as patched:
        patched.setattr(os, "walk", update)
        back_up(data, tmp_path / "archive")
    assert (folder / "a/2030-01-03.zip").exists()
    restore(tmp_path / "archive", tmp_path / "restored")
    looks = tmp_path / "restored/looks/gii"
    assert folder / "a/2030-01-02.zip" in listed
    assert (looks / "compared.json").read_bytes() == b"{}"
    assert (looks / "observed-days.txt").read_bytes() == b"2030-01-02\n"


def test_only_the_owner_can_read_a_backup_and_what_was_restored(
    archive: Path, tmp_path: Path
) -> None:
    assert archive.stat().st_mode & 0o777 == 0o600
    restored = tmp_path / "restored"
    restored.mkdir(mode=0o755)
    restore(archive, restored)
    assert restored.stat().st_mode & 0o777 == 0o700
    modes = {path.name: path.stat().st_mode & 0o777 for path in restored.rglob("*")}
    assert set(modes.values()) == {0o600}
    assert {DATABASE, PEPPER, "audit-head.json"} <= modes.keys()
    assert (restored / PEPPER).read_bytes() == (archive.parent / "data" / PEPPER).read_bytes()


def test_a_file_that_is_there_is_not_replaced_and_no_draft_is_left(
    data: Path, archive: Path
) -> None:
    before = archive.read_bytes()
    with pytest.raises(BackupError, match="is there already"):
        back_up(data, archive)
    with pytest.raises(BackupError, match="No such file or directory"):
        back_up(data, archive.parent / "missing" / "archive")
    (archive.parent / "link").symlink_to(archive.parent / "elsewhere")
    with pytest.raises(BackupError, match="is there already"):
        back_up(data, archive.parent / "link")
    with pytest.raises(BackupError, match="no live build"):
        create(data, archive.parent / "other", has_file=True, with_build=True)
    assert archive.read_bytes() == before
    assert sorted(path.name for path in archive.parent.iterdir()) == ["archive", "data", "link"]


def test_a_folder_without_accounts_is_not_backed_up_and_stays_empty(tmp_path: Path) -> None:
    with pytest.raises(BackupError, match="no accounts"):
        back_up(tmp_path / "nothing", tmp_path / "archive")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_empty_is_left_as_it_is(archive: Path, tmp_path: Path) -> None:
    occupied = tmp_path / "occupied"
    occupied.mkdir()
    (occupied / "something").write_text("kept", encoding="utf-8")
    with pytest.raises(BackupError, match="not empty"):
        restore(archive, occupied)
    assert [path.name for path in occupied.iterdir()] == ["something"]


def test_a_folder_that_holds_what_the_backup_does_is_restored_already(
    archive: Path, tmp_path: Path
) -> None:
    """As a restoration leaves it that was killed in its last step; nobody has used it."""
    restored = tmp_path / "restored"
    expected = restore(archive, restored)
    (restored / ".restore-left").mkdir()
    before = {path: path.read_bytes() for path in restored.rglob("*") if path.is_file()}
    for _ in range(2):
        assert restore(archive, restored) == expected
    assert {p: p.read_bytes() for p in restored.rglob("*") if p.is_file()} == before
    assert not (restored / ".restore-left").exists()


CHANGES: dict[str, Callable[[Path], object]] = {
    "a key": lambda data: ApiKeys(SqliteDatabase().open(data)).create("new"),
    "a file": lambda data: (data / "notes").write_bytes(b"mine"),
    "a lock": lambda data: (data / "ingest.lock").touch(),
    "a head": lambda data: (data / "audit-head.json").write_bytes(b"{}"),
    "a missing head": lambda data: (data / "audit-head.json").unlink(),
    "no pepper": lambda data: (data / PEPPER).unlink(),
    "a pepper": lambda data: (data / PEPPER).write_bytes(bytes(32)),
    "a link": lambda data: swap_for_link(data / PEPPER),
}


def swap_for_link(path: Path) -> None:
    path.rename(path.parent.parent / "elsewhere")
    path.symlink_to("../elsewhere")


@pytest.mark.parametrize("change", CHANGES)
def test_a_folder_that_was_used_since_is_left_as_it_is(
    archive: Path, tmp_path: Path, change: str
) -> None:
    restored = tmp_path / "restored"
    restore(archive, restored)
    CHANGES[change](restored)
    before = {path: path.read_bytes() for path in restored.rglob("*") if path.is_file()}
    with pytest.raises(BackupError, match="is not empty"):
        restore(archive, restored)
    assert {p: p.read_bytes() for p in restored.rglob("*") if p.is_file()} == before


def test_every_flipped_byte_and_every_cut_is_named(archive: Path, tmp_path: Path) -> None:
    whole = archive.read_bytes()
    damaged = tmp_path / "damaged"
    places = {*range(64), *range(len(whole) - 64, len(whole)), *range(0, len(whole), 97)}
    for place in places:
        flipped = bytearray(whole)
        flipped[place] ^= 0x10
        damaged.write_bytes(flipped)
        with pytest.raises(BackupError, match="damaged"):
            verify(damaged)
    for length in (0, 1, 39, 40, 41, len(whole) // 2, len(whole) - 40, len(whole) - 1):
        damaged.write_bytes(whole[:length])
        with pytest.raises(BackupError, match="damaged"):
            verify(damaged)
    damaged.write_bytes(whole + b"more")
    with pytest.raises(BackupError, match="damaged"):
        restore(damaged, tmp_path / "restored")
    assert list((tmp_path / "restored").iterdir()) == []


@pytest.mark.parametrize("size", [5_000, 2**33])
def test_a_file_that_is_shorter_than_its_header_says_is_damage(tmp_path: Path, size: int) -> None:
    """Though the hash at the end fits."""
    header = tarfile.TarInfo("pepper")
    header.size = size
    packed = zstandard.ZstdCompressor().compress(header.tobuf(tarfile.GNU_FORMAT) + b"x" * 1_000)
    end = struct.pack("<II32s", 0x184D2A50, 32, hashlib.sha256(packed).digest())
    (path := tmp_path / "short").write_bytes(packed + end)
    with pytest.raises(BackupError, match="damaged"):
        verify(path)
    with pytest.raises(BackupError, match="damaged"):
        restore(path, tmp_path / "restored")


def members(archive: Path) -> Iterator[tuple[tarfile.TarInfo, bytes]]:
    stream = zstandard.ZstdDecompressor().stream_reader(archive.open("rb"), closefd=True)
    with stream, tarfile.open(fileobj=stream, mode="r|") as tar:
        for entry in tar:
            content = tar.extractfile(entry)
            assert content is not None
            yield entry, content.read()


def forge(target: Path, entries: list[tuple[tarfile.TarInfo, bytes]]) -> None:
    """An archive whose hash at the end fits, as somebody makes it who has read how."""
    plain = io.BytesIO()
    with tarfile.open(fileobj=plain, mode="w") as tar:
        for entry, content in entries:
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content))
    seal(target, plain.getvalue())


def seal(target: Path, plain: bytes) -> None:
    frame = zstandard.ZstdCompressor(write_checksum=True).compress(plain)
    end = (0x184D2A50).to_bytes(4, "little") + (32).to_bytes(4, "little")
    target.write_bytes(frame + end + hashlib.sha256(frame).digest())


def link(kind: bytes) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(PEPPER)
    entry.type, entry.linkname = kind, "/etc/hostname"
    return entry


@pytest.mark.parametrize(
    "entry",
    [
        tarfile.TarInfo("../outside"),
        tarfile.TarInfo("/tmp/outside"),
        tarfile.TarInfo("builds/0123456789abcdef/../../outside"),
        tarfile.TarInfo("builds/0123456789abcdef/.."),
        tarfile.TarInfo("builds/0123456789abcdef"),
        tarfile.TarInfo("accounts.sqlite\n"),
        tarfile.TarInfo("accounts.sqlite-wal"),
        tarfile.TarInfo(PEPPER),  # a second one
        link(tarfile.SYMTYPE),
        link(tarfile.LNKTYPE),
        link(tarfile.FIFOTYPE),
        link(tarfile.CHRTYPE),
        link(tarfile.DIRTYPE),
    ],
    ids=lambda entry: repr(entry.name) + entry.type.decode(),
)
def test_what_no_backup_holds_is_refused(
    archive: Path, tmp_path: Path, entry: tarfile.TarInfo
) -> None:
    forged = tmp_path / "forged"
    kept = [one for one in members(archive) if one[0].name != PEPPER or entry.isreg()]
    forge(forged, [kept[0], (entry, b""), *kept[1:]])
    with pytest.raises(BackupError, match="which no backup of ours does"):
        verify(forged)
    with pytest.raises(BackupError, match="which no backup of ours does"):
        restore(forged, tmp_path / "restored")
    assert not (tmp_path / "outside").exists()
    assert list((tmp_path / "restored").iterdir()) == []


@pytest.mark.parametrize(
    "kind", [tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK, tarfile.XHDTYPE, tarfile.XGLTYPE]
)
def test_a_name_as_long_as_a_book_is_refused_before_it_is_read(tmp_path: Path, kind: bytes) -> None:
    entry = tarfile.TarInfo(PEPPER)
    entry.type = kind
    forge(tmp_path / "forged", [(entry, b"a" * 100_000)])
    with pytest.raises(BackupError, match="a name or attribute"):
        verify(tmp_path / "forged")


def make_holes(**fields: str) -> tarfile.TarInfo:
    entry = tarfile.TarInfo(PEPPER)
    entry.pax_headers = {f"GNU.sparse.{name}": said for name, said in fields.items()}
    return entry


def test_what_would_unfold_to_more_than_stands_there_is_refused(tmp_path: Path) -> None:
    forge(tmp_path / "forged", [(make_holes(map="0,1", size="60000000"), b"a")])
    with pytest.raises(BackupError, match="forged is no backup of ours: it has a file with holes"):
        verify(tmp_path / "forged")


def make_cut_map() -> bytes:
    """A file of holes whose map goes on in a block that is not there."""
    entry = tarfile.TarInfo(PEPPER)
    entry.type = tarfile.GNUTYPE_SPARSE
    header = bytearray(entry.tobuf(tarfile.GNU_FORMAT))
    header[482], header[148:156] = 1, b" " * 8
    header[148:155] = b"%06o\0" % sum(header)
    return bytes(header)


def make_chain() -> bytes:
    entry = tarfile.TarInfo(PEPPER)
    entry.type = tarfile.XHDTYPE
    return entry.tobuf(tarfile.GNU_FORMAT) * 3_000


@pytest.mark.parametrize("plain", [make_cut_map(), make_chain()], ids=["map", "chain"])
def test_a_header_that_goes_on_and_on_is_refused(tmp_path: Path, plain: bytes) -> None:
    seal(tmp_path / "forged", plain)
    with pytest.raises(BackupError, match="is no backup of ours"):
        verify(tmp_path / "forged")


def test_what_is_kept_in_memory_has_one_bound_for_all_of_it(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(data, write_snapshot(tmp_path / "gii"))
    archive = tmp_path / "archive"
    create(data, archive, has_file=True, with_build=True)
    held = {MANIFEST, CHECKSUM, "active"}
    sizes = [one.size for one in reading(archive) if one.name.rpartition("/")[2] in held]
    assert len(sizes) == 4
    monkeypatch.setattr(verifying, "MOST_MANIFEST_BYTES", sum(sizes))
    verify(archive)
    monkeypatch.setattr(verifying, "MOST_MANIFEST_BYTES", sum(sizes) - 1)
    with pytest.raises(BackupError, match="too large"):
        verify(archive)


def test_a_backup_of_nothing_but_names_is_read_no_further_than_any_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"looks/gii/law/{number}.zip" for number in range(50)]
    forge(tmp_path / "forged", [(tarfile.TarInfo(name), b"") for name in names])
    monkeypatch.setattr(archiving, "MOST_FILES", 40)
    read = reading(tmp_path / "forged")
    assert [next(read).name for _ in range(40)] == names[:40]
    with pytest.raises(BackupError, match="holds more files than any backup of ours"):
        next(read)


def test_no_manifest_that_is_read_names_as_many_files_as_are_read() -> None:
    names = [f"looks/gii/{number:04}/2030-01-02.zip" for number in range(1_000)]
    entries = {name: File(0, "0" * 64) for name in names}
    size = len(Manifest("", "", "", "", None, entries).dump())
    assert size * MOST_FILES / 1_000 > MOST_MANIFEST_BYTES


def test_what_is_larger_than_the_disk_is_refused_before_it_is_written(tmp_path: Path) -> None:
    entry = tarfile.TarInfo(DATABASE)
    entry.size = 1 << 60
    frame = zstandard.ZstdCompressor().compress(entry.tobuf(tarfile.GNU_FORMAT) + bytes(10_240))
    seal = (0x184D2A50).to_bytes(4, "little") + (32).to_bytes(4, "little")
    (tmp_path / "forged").write_bytes(frame + seal + hashlib.sha256(frame).digest())
    with pytest.raises(BackupError, match="than the disk of"):
        restore(tmp_path / "forged", tmp_path / "restored")
    assert list((tmp_path / "restored").iterdir()) == []


@pytest.mark.parametrize("said", ['"\\u001b]0;title\\u0007"', "5", '["x"]'])
def test_a_manifest_that_says_what_no_backup_does_is_refused(
    archive: Path, tmp_path: Path, said: str
) -> None:
    whole = {entry.name: content for entry, content in members(archive)}
    other = b'"created": ' + said.encode()
    whole[MANIFEST] = re.sub(rb'"created": "[^"]*"', lambda _: other, whole[MANIFEST])
    forge(tmp_path / "forged", [(tarfile.TarInfo(k), v) for k, v in whole.items()])
    with pytest.raises(BackupError, match="cannot be read"):
        verify(tmp_path / "forged")


def test_a_damaged_build_is_backed_up_and_named(data: Path, tmp_path: Path) -> None:
    release = build(data, write_snapshot(tmp_path / "gii")).release
    report = create(data, tmp_path / "sound", has_file=True, with_build=True)
    assert report.problems == ()
    store = data / "builds" / release / builds.DATABASE
    content = store.read_bytes()
    store.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    report = create(data, tmp_path / "damaged", has_file=True, with_build=True)
    assert report.problems == verify(tmp_path / "damaged").problems
    assert "corpus.sqlite is not as it was made" in " ".join(report.problems)
    assert restore(tmp_path / "damaged", tmp_path / "restored").problems == report.problems


def rewrite(archive: Path, target: Path, **said: object) -> Callable[..., None]:
    """Forge a backup of other files, whose manifest and whose hash at the end fit them."""
    whole = {entry.name: content for entry, content in members(archive)}
    manifest = orjson.loads(whole.pop(MANIFEST))

    def write(changed: dict[str, bytes | None]) -> None:
        contents = {name: one for name, one in {**whole, **changed}.items() if one is not None}
        files = {
            name: {"size": len(one), "sha256": hashlib.sha256(one).hexdigest()}
            for name, one in contents.items()
        }
        contents[MANIFEST] = orjson.dumps({**manifest, **said, "files": files})
        forge(target, [(tarfile.TarInfo(k), v) for k, v in contents.items()])

    return write


def test_a_build_is_compared_with_all_that_it_says_of_itself(data: Path, tmp_path: Path) -> None:
    release = build(data, write_snapshot(tmp_path / "gii")).release
    create(data, tmp_path / "sound", has_file=True, with_build=True)
    write = rewrite(tmp_path / "sound", tmp_path / "forged")
    folder = f"builds/{release}/"
    text = (data / folder / builds.DATABASE).read_bytes()
    own = orjson.loads((data / folder / MANIFEST).read_bytes())
    changed = text[:-1] + bytes([text[-1] ^ 1])
    hashes = [
        {**one, "sha256": hashlib.sha256(changed).hexdigest()}
        if one["name"] == builds.DATABASE
        else one
        for one in own["files"]
    ]
    fitting = {f"{folder}{builds.DATABASE}": changed}
    fitting |= {f"{folder}{MANIFEST}": orjson.dumps({**own, "files": hashes})}
    other = orjson.dumps({**own, "release": "0" * 16})
    cases: dict[str, dict[str, bytes | None]] = {
        "manifest.json does not fit manifest.sha256": dict(fitting),
        "manifest.sha256 is missing": {**fitting, f"{folder}{CHECKSUM}": None},
        "is of another release": {
            f"{folder}{MANIFEST}": other,
            f"{folder}{CHECKSUM}": sum_manifest(other),
        },
        "made before hashes were kept": {
            f"{folder}{MANIFEST}": orjson.dumps({**own, "files": None}),
            f"{folder}{CHECKSUM}": None,
        },
        "index/more.bin does not belong to it": {f"{folder}index/more.bin": b"more"},
        "is damaged or of another version": {f"{folder}{MANIFEST}": None},
    }
    for named, contents in cases.items():
        write(contents)
        problems = verify(tmp_path / "forged").problems
        assert named in " ".join(problems)
        restored = tmp_path / named.split()[-1]
        assert restore(tmp_path / "forged", restored).problems == problems
    write(
        {f"{folder}index/vectors/rows.i8": b"grown since", f"{folder}index/.tantivy-meta.lock": b""}
    )
    assert verify(tmp_path / "forged").problems == ()


@pytest.mark.parametrize(
    ("match", "said", "changed"),
    [
        ("is not of its build", {}, {"builds/0123456789abcdef/corpus.sqlite": b"unread"}),
        ("does not name the build", {}, {"active": b"0123456789abcdef\n"}),
        ("does not name the build", {"release": "0123456789abcdef"}, {}),
        ("which accounts.sqlite contradicts", {"accounts": "postgresql"}, {}),
        ("which accounts.sqlite contradicts", {}, {DATABASE: None}),
    ],
)
def test_what_nothing_would_look_at_is_refused(
    archive: Path,
    tmp_path: Path,
    match: str,
    said: dict[str, object],
    changed: dict[str, bytes | None],
) -> None:
    rewrite(archive, tmp_path / "forged", **said)(changed)
    with pytest.raises(BackupError, match=match):
        verify(tmp_path / "forged")
    with pytest.raises(BackupError, match=match):
        restore(tmp_path / "forged", tmp_path / "restored")
    assert list((tmp_path / "restored").iterdir()) == []


def test_what_does_not_fit_together_is_refused(archive: Path, tmp_path: Path) -> None:
    create_pepper(tmp_path / "other")
    other = (tmp_path / "other").read_bytes()
    whole = {entry.name: content for entry, content in members(archive)}
    changed = {
        "is not what the manifest says": {**whole, PEPPER: other},
        "has no manifest.json": {k: v for k, v in whole.items() if k != MANIFEST},
        "accounts.sqlite is not what": {k: v for k, v in whole.items() if k != DATABASE},
        "cannot be read": {**whole, MANIFEST: b"{"},
        "has format 2": {
            **whole,
            MANIFEST: whole[MANIFEST].replace(b'"format": 1', b'"format": 2'),
        },
    }
    for match, contents in changed.items():
        forge(tmp_path / "forged", [(tarfile.TarInfo(k), v) for k, v in contents.items()])
        with pytest.raises(BackupError, match=match):
            verify(tmp_path / "forged")


def test_a_pepper_of_another_database_is_found(data: Path, tmp_path: Path) -> None:
    (data / PEPPER).unlink()
    create_pepper(data / PEPPER)
    with pytest.raises(BackupError, match="not the pepper of this database"):
        back_up(data, tmp_path / "archive")
    assert not (tmp_path / "archive").exists()


def test_a_log_that_was_tampered_with_is_backed_up_and_named(data: Path, tmp_path: Path) -> None:
    (data / "audit-head.json").unlink()
    store = SqliteDatabase().open(data)
    AuditLog(store).record("something", "system")
    with store.write() as connection:
        connection.exec_driver_sql("UPDATE audit SET event = 'other' WHERE number = 1")
    store.close()
    report = create(data, tmp_path / "archive", has_file=True, with_build=False)
    assert any("line 1 was changed" in problem for problem in report.problems)
    assert verify(tmp_path / "archive").problems == report.problems


def test_accounts_elsewhere_are_not_in_it_and_that_is_said(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    data = tmp_path / "data"
    store = postgres.create().open(data)
    AuditLog(store).begin()
    store.close()
    report = create(data, tmp_path / "archive", has_file=False, with_build=False)
    assert report.manifest.accounts == "postgresql"
    names = set(report.manifest.files)
    assert PEPPER in names
    assert DATABASE not in names
    assert any(name.startswith("audit-head-") for name in names)
    assert restore(tmp_path / "archive", tmp_path / "restored").problems == ()
    assert (tmp_path / "restored" / PEPPER).read_bytes() == store.pepper


@pytest.fixture
def served(tmp_path: Path, postgres: PostgresServer) -> tuple[Path, PostgresDatabase, str]:
    """A folder whose accounts are in PostgreSQL, and a key of theirs."""
    database = postgres.create()
    store = database.open(tmp_path / "data")
    AuditLog(store).begin()
    SigningKeys(store).publish()
    keys = ApiKeys(store)
    plain, _ = keys.create("before")
    keys.close()
    store.close()
    return tmp_path / "data", database, plain


def test_accounts_in_postgresql_come_back_on_an_empty_machine_in_one_step(
    served: tuple[Path, PostgresDatabase, str], tmp_path: Path
) -> None:
    data, database, plain = served
    archive, restored = tmp_path / "archive", tmp_path / "restored"
    report = create(data, archive, has_file=False, with_build=False, dumped=database.url)
    assert report.problems == verify(archive).problems == ()
    assert DUMP in report.manifest.files
    missing = database.renamed(f"{database.name}_again")  # nobody has made it
    assert restore(archive, restored, missing.url).problems == ()
    assert not (restored / DUMP).exists()
    store = missing.open(restored)
    keys = ApiKeys(store)
    assert keys.authenticate(plain) is not None
    assert AuditLog(store).verify().problems == ()
    keys.close()
    store.close()
    assert {path.name for path in restored.iterdir()} >= {PEPPER}


def test_what_acts_in_a_database_of_postgresql_is_told_when_it_is_restored(
    served: tuple[Path, PostgresDatabase, str], tmp_path: Path, postgres: PostgresServer
) -> None:
    """It takes each revocation back, and no line of the audit log is wrong."""
    data, database, _ = served
    store = database.open(data)
    with store.write() as connection:
        for statement in (
            "CREATE SCHEMA other",
            (
                "CREATE FUNCTION other.keep() RETURNS trigger LANGUAGE plpgsql"
                " AS 'BEGIN NEW.revoked := NULL; RETURN NEW; END'"
            ),
            (
                "CREATE TRIGGER keeps BEFORE UPDATE ON api_keys"
                " FOR EACH ROW EXECUTE FUNCTION other.keep()"
            ),
            "CREATE VIEW other.seen AS SELECT email FROM users",
            "CREATE RULE silent AS ON INSERT TO links DO INSTEAD NOTHING",
            "CREATE POLICY few ON users USING (false)",
            "CREATE EXTENSION pg_trgm",
        ):
            connection.exec_driver_sql(statement)
    store.close()
    create(data, tmp_path / "archive", has_file=False, with_build=False, dumped=database.url)
    report = restore(tmp_path / "archive", tmp_path / "restored", postgres.create_empty().url)
    told = [problem.partition(",")[0] for problem in report.problems]
    assert told == [
        f"the accounts database holds the {one}"
        for one in ("function 'keep'", "policy 'few'", "rule 'silent'", "trigger 'keeps'",
                    "view 'seen'")
    ]  # fmt: skip


def test_what_acts_in_a_database_in_a_file_is_told_before_it_is_restored(tmp_path: Path) -> None:
    data = tmp_path / "data"
    store = SqliteDatabase().open(data)
    AuditLog(store).begin()
    with store.write() as connection:
        connection.exec_driver_sql(
            "CREATE TRIGGER keeps AFTER UPDATE ON api_keys WHEN NEW.revoked IS NOT NULL"
            " BEGIN UPDATE api_keys SET revoked = NULL WHERE id = NEW.id; END"
        )
    store.close()
    archive = tmp_path / "archive"
    report = create(data, archive, has_file=True, with_build=False)
    assert [problem.partition(",")[0] for problem in report.problems] == [
        "the accounts database holds the trigger 'keeps'"
    ]
    assert verify(archive).problems == report.problems
    assert restore(archive, tmp_path / "restored").problems == report.problems


def list_rows(database: PostgresDatabase, data: Path) -> list[bytes]:
    """A dump's lines without the words that are others each time."""
    lines = database.dump(data).splitlines()
    return [line for line in lines if not line.startswith((rb"\restrict", rb"\unrestrict"))]


def test_a_database_that_holds_something_is_not_written_into(
    served: tuple[Path, PostgresDatabase, str], tmp_path: Path
) -> None:
    data, database, _ = served
    create(data, tmp_path / "archive", has_file=False, with_build=False, dumped=database.url)
    before = list_rows(database, data)
    with pytest.raises(AccountsError, match="holds tables"):
        restore(tmp_path / "archive", tmp_path / "restored", database.url)
    assert list((tmp_path / "restored").iterdir()) == []
    assert list_rows(database, data) == before


def test_a_dump_wants_to_know_where_to(
    served: tuple[Path, PostgresDatabase, str], tmp_path: Path
) -> None:
    data, database, _ = served
    create(data, tmp_path / "archive", has_file=False, with_build=False, dumped=database.url)
    with pytest.raises(BackupError, match="set FUNDSTELLE_DATABASE_URL"):
        restore(tmp_path / "archive", tmp_path / "restored")
    assert list((tmp_path / "restored").iterdir()) == []


def test_another_servers_database_is_not_taken_for_this_folders(
    served: tuple[Path, PostgresDatabase, str], tmp_path: Path, postgres: PostgresServer
) -> None:
    data, _, _ = served
    other = postgres.create()
    other.open(tmp_path / "other").close()
    with pytest.raises(BackupError, match="is not the pepper of the database"):
        create(data, tmp_path / "archive", has_file=False, with_build=False, dumped=other.url)
    assert not (tmp_path / "archive").exists()


def test_a_dump_that_cannot_be_made_leaves_nothing_and_no_password(
    served: tuple[Path, PostgresDatabase, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, database, _ = served
    monkeypatch.setattr(dump, "_LOCK_MS", "none")  # it is no number: pg_dump refuses it
    with pytest.raises(AccountsError, match="pg_dump failed") as caught:
        create(data, tmp_path / "archive", has_file=False, with_build=False, dumped=database.url)
    assert str(make_url(str(database.url)).password) not in str(caught.value)
    assert {path.name for path in tmp_path.iterdir()} == {"data"}


def test_a_dump_with_a_flaw_that_the_hashes_do_not_tell_is_found(tmp_path: Path) -> None:
    (tmp_path / "flawed").write_bytes(b"PGDMP" + bytes(100))
    (problem,) = check_dump(tmp_path / "flawed")
    assert "pg_restore" in problem


def test_a_disk_that_is_full_is_a_sentence(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(FundstelleError, match="No space left on device"):
        back_up(data, tmp_path / "archive")
    assert [path.name for path in tmp_path.iterdir()] == ["data"]

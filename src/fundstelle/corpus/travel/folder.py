"""A target that is a folder: a mounted disk, or what ``rsync`` or a web server carries on."""

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fundstelle.corpus.publishing import write_durably
from fundstelle.corpus.travel.target import Held
from fundstelle.disks import sync_folder
from fundstelle.errors import CorpusError


class FolderTarget:
    """Files below a folder, each put there whole.

    Args:
        folder: made when something is written.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.address = str(folder)

    def read(self, name: str, most: int) -> bytes | None:
        """As ``Target.read``; waits for no pipe that stands in a file's place."""
        with self._explained(name):
            try:
                descriptor = os.open(
                    self._folder / name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC
                )
            except FileNotFoundError:
                return None
            with os.fdopen(descriptor, "rb") as file:
                is_file = stat.S_ISREG(os.fstat(descriptor).st_mode)
                data = file.read(most + 1) if is_file else b""
        if not is_file or len(data) > most:
            raise CorpusError(
                f"{name} of {self.address} is no file, or larger than the {most:,} bytes that it"
                " may have; delete it and push again"
            )
        return data

    def measure(self, name: str) -> int | None:
        """As ``Target.measure``."""
        with self._explained(name):
            try:
                found = (self._folder / name).stat()
            except FileNotFoundError:
                return None
        return found.st_size if stat.S_ISREG(found.st_mode) else None

    def write(self, name: str, data: bytes) -> None:
        """As ``Target.write``; on disk when it returns."""
        path = self._folder / name
        fresh = path.with_name(f".{path.name}-{os.getpid()}-{secrets.token_hex(4)}")
        with self._explained(name):
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                write_durably(fresh, data)
                fresh.replace(path)
            except OSError:
                with suppress(OSError):  # a full disk takes the name and not the bytes
                    fresh.unlink()
                raise
            sync_folder(path.parent)

    def iter_held(self, folder: str) -> Iterator[Held]:
        """As ``Target.iter_held``; a link is listed as such, and never followed."""
        with self._explained(folder), self._opened(folder) as place:
            if place is None:
                return
            with os.scandir(place) as entries:
                for entry in entries:
                    with suppress(FileNotFoundError):
                        found = entry.stat(follow_symlinks=False)
                        if not stat.S_ISDIR(found.st_mode):
                            yield Held(f"{folder}/{entry.name}", found.st_size, found.st_mtime)

    def delete(self, name: str) -> None:
        """As ``Target.delete``; of a link goes the link."""
        folder, _, file = name.rpartition("/")
        with self._explained(name), self._opened(folder) as place:
            if place is not None:
                with suppress(FileNotFoundError):
                    os.unlink(file, dir_fd=place)
                os.fsync(place)

    @contextmanager
    def _opened(self, folder: str) -> Iterator[int | None]:
        """A folder of the target, ``None`` if there is none.

        Raises:
            CorpusError: it is a link: what is deleted below it may be another's.
        """
        path = self._folder / folder
        if path.is_symlink():
            raise CorpusError(
                f"{path} is a link, which is not followed; nothing below it is deleted"
            )
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            place = os.open(path, flags)
        except FileNotFoundError:
            place = None
        try:
            yield place
        finally:
            if place is not None:
                os.close(place)

    @contextmanager
    def _explained(self, name: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise CorpusError(
                f"{name} of {self.address} cannot be used ({error.strerror or error}); see that the"
                " folder is there, has room, and may be used by this user, then run the command"
                " again: it goes on where it was"
            ) from error

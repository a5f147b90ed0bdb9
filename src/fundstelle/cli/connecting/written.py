"""A configuration file on this machine: where it is, and what was there kept beside it."""

import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from fundstelle.cli.connecting.edits import (
    NotEdited,
    add_entry,
    find_entry,
    is_empty,
    is_same,
    remove_entry,
)
from fundstelle.clients.files import ConfigFile, Entry, Place

PRIVATE = 0o600

_MOST_BYTES = 8 * 2**20
_SUFFIX = ".before-fundstelle"


def find_path(place: Place, system: str, environ: Mapping[str, str], home: Path) -> Path:
    """Where the file is.

    Args:
        place: on each system.
        system: ``sys.platform``.
        environ: may name the folder of Windows programs.
        home: of the person.
    """
    known = {"darwin": place.macos, "win32": place.windows}
    text = known.get(system, place.linux)
    if text.startswith("~/"):
        return home / text[2:]
    if text.startswith("%APPDATA%/"):
        appdata = environ.get("APPDATA") or str(home / "AppData" / "Roaming")
        return Path(appdata) / text.removeprefix("%APPDATA%/")
    return Path.cwd() / text


class Written:
    """A client's file.

    Args:
        file: what it is.
        path: where it is; a link is followed, so that what it leads to is changed.
    """

    def __init__(self, file: ConfigFile, path: Path) -> None:
        self._file = file
        self._path = path.resolve()
        self._backup = self._path.with_name(self._path.name + _SUFFIX)

    @property
    def path(self) -> Path:
        """The file itself."""
        return self._path

    @property
    def backup(self) -> Path:
        """What was there before is kept here."""
        return self._backup

    def add(self, entry: Entry, *, private: bool) -> bool:
        """Put the entry in; whether there was anything to do.

        Args:
            entry: to put in.
            private: a key is in it, so that nobody else may read the file.

        Raises:
            NotEdited: it cannot be, or another entry has our name.
        """
        text = self._read()
        held = find_entry(self._file, text or "")
        if is_same(held, entry):
            if private and self._mode() & ~PRIVATE:  # put in by hand, or opened to others since
                self._change_mode()
            return False
        if held is not None:
            raise NotEdited(
                "another entry of our name is in it; take that out first (--undo), or keep it"
            )
        edited = add_entry(self._file, text or "", entry, self._lists(entry))
        mode = PRIVATE if private else self._mode()
        if text is not None:
            self._write(self._backup, text, PRIVATE)
        self._write(self._path, edited, mode)
        return True

    def undo(self) -> bool:
        """Take our entry out; whether there was one.

        Where it is still as ``add`` left it, the file is what it was, to the byte; one that was
        made for the entry alone is deleted. Of one that somebody has changed since, all else stays,
        and what was there before is kept beside it still.

        Raises:
            NotEdited: it cannot be taken out without losing anything else.
        """
        text = self._read()
        held = None if text is None else find_entry(self._file, text)
        if text is None or held is None:
            return False
        before = self._read(self._backup)
        if before is not None and self._would_become(before, held, text):
            self._write(self._path, before, self._mode())
            self._backup.unlink(missing_ok=True)
            return True
        edited = remove_entry(self._file, text, self._lists(held))
        if before is None and is_empty(self._file, edited):
            self._path.unlink()
        else:
            self._write(self._path, edited, self._mode())
        return True

    def _would_become(self, before: str, entry: Entry, text: str) -> bool:
        """Whether ``add`` makes just this of what was there before: then nobody has changed it."""
        try:
            return add_entry(self._file, before, entry, self._lists(entry)) == text
        except NotEdited:
            return False

    def _lists(self, entry: Entry) -> Mapping[str, Entry]:
        """What goes with the entry: the questions of one that asks for the key."""
        return self._file.lists if "headers" in entry else {}

    def _read(self, path: Path | None = None) -> str | None:
        path = path or self._path
        try:
            if path.stat().st_size > _MOST_BYTES:
                raise NotEdited("it is too large for a configuration; change it by hand")
            return path.read_bytes().decode("utf-8")
        except FileNotFoundError:
            return None
        except UnicodeDecodeError:
            raise NotEdited("it is not UTF-8, so it is left alone; change it by hand") from None
        except OSError as error:
            raise NotEdited(f"it cannot be read ({error.strerror})") from None

    def _mode(self) -> int:
        try:
            return self._path.stat().st_mode & 0o777
        except FileNotFoundError:
            return 0o644

    def _change_mode(self) -> None:
        try:
            self._path.chmod(PRIVATE)
        except OSError as error:
            reason = f"the key in it cannot be kept from others ({error.strerror})"
            raise NotEdited(reason) from None

    def _write(self, path: Path, text: str, mode: int) -> None:
        """Whole or not at all; never readable by others for a moment."""
        beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(os.open(beside, flags, PRIVATE), "wb") as file:  # noqa: PTH123 by descriptor
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            beside.chmod(mode)
            beside.replace(path)
        except OSError as error:
            beside.unlink(missing_ok=True)
            raise NotEdited(f"it cannot be written ({error.strerror})") from None

"""Looks at the official site that are kept: every text on the first look that showed it.

A folder in the form that ``history.looks`` reads, with the publisher's own files in it::

    observed-days.txt             the looks, a day a line; written last, so a look is kept whole
    toc/gii-toc-<day>.xml.zst     its table of contents
    unread/<day>.txt              what was listed that day and could not be had
    <slug>/<day>.zip              a law that was new or other than at the look before
    kept-files.sha256             all of these, with their hashes (``gii.kept_list``)

A file that differs from the one before in the day of its building alone is not kept. From this
folder a build is made again, should the live one be lost.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import Any

import orjson
import zstandard

from fundstelle.disks import require_spare
from fundstelle.errors import SourceError
from fundstelle.ingest.history.looks import LOOKS
from fundstelle.ingest.sources.files.cache import check_name
from fundstelle.ingest.sources.files.download import write_whole
from fundstelle.ingest.sources.gii.fingerprints import fingerprint_zip
from fundstelle.ingest.sources.gii.kept_list import (
    LIST,
    TABLE,
    KeptList,
    read_day,
    read_if_there,
    read_iso,
)

_COMPARED = "compared.json"
TABLES, UNREAD = "toc", "unread"
RESERVED = frozenset({TABLES, UNREAD})  # folders beside those of the laws
_ASIDE = "aside-"


@dataclass(frozen=True, slots=True)
class Look:
    """What one look showed; of ``held`` the files lie where they were fetched to."""

    day: date
    contents: bytes
    held: Sequence[tuple[str, Path]]  # slug and the publisher's zip
    unread: Sequence[str]


@dataclass(frozen=True, slots=True)
class Compared:
    """What the last look found out about a law."""

    fetched: str  # hash of the fetched file that the newest kept one equals
    name: str  # of the newest kept one
    fingerprint: str = ""  # of the law in it; "" where an earlier version did not note it


@dataclass(frozen=True, slots=True)
class KeptLooks:
    """The looks at one site, in a folder that need not be there yet."""

    folder: Path
    url: str

    def list_days(self) -> list[date]:
        """The looks, oldest first.

        Raises:
            SourceError: the list of them is damaged.
        """
        path = self.folder / LOOKS
        if not path.exists():
            return []
        try:
            return sorted({date.fromisoformat(line) for line in path.read_text().split()})
        except (OSError, ValueError) as error:
            raise SourceError(f"{path} cannot be read as days, one a line ({error})") from None

    def keep(self, look: Look) -> tuple[list[str], list[str]]:
        """Write down a look.

        Given back are the slugs of what was new or other than before, and of files that were
        damaged here since they came: these are noted as not read.

        Raises:
            SourceError: a slug is no name of a folder.
            OSError: the disk has no room, or takes nothing.
        """
        looks = set(self.list_days())
        listed, compared = self.read_list(), self.read_compared()
        new: list[str] = []
        damaged: list[str] = []
        for slug, fetched in look.held:
            data = fetched.read_bytes()
            digest = sha256(data).hexdigest()
            folder = self.folder / check_name(slug)
            known = compared.get(slug, Compared("", ""))
            newest = self._find_kept(folder, looks, listed)
            # What was noted of an older file holds no more: the note is written behind the days,
            # and a look may have ended between the two.
            is_as_before = known.fetched == digest and newest == folder / known.name
            is_as_before = is_as_before and _is_there(folder / known.name)
            if is_as_before and known.fingerprint:
                continue
            found = fingerprint_zip(data)
            if found is None:
                damaged.append(slug)
                continue
            kept = newest
            if kept is None or _fingerprint_kept(kept, listed) != found:
                kept = folder / f"{look.day.isoformat()}.zip"
                require_spare(folder, len(data))
                _write(kept, data)
                new.append(slug)
            compared[slug] = Compared(digest, kept.name, found)
        self._write_day(look, [*look.unread, *damaged])
        listed.go_on({*looks, look.day}, look.day, self._iter_dated())
        _write(self.folder / LIST, listed.dump())
        days = "".join(f"{day.isoformat()}\n" for day in sorted({*looks, look.day}))
        _write(self.folder / LOOKS, days.encode())
        _write(self.folder / _COMPARED, orjson.dumps(compared))  # behind what it speaks of
        return new, damaged

    def read_unread(self, day: date) -> list[str]:
        """What was listed on the day of a look and could not be had; slugs."""
        path = self._name_unread(day)
        return path.read_text(errors="replace").split() if path.exists() else []

    def _name_unread(self, day: date) -> Path:
        return self.folder / UNREAD / f"{day.isoformat()}.txt"

    def _write_day(self, look: Look, unread: Sequence[str]) -> None:
        if unread:
            names = "".join(f"{slug}\n" for slug in unread)
            _write(self._name_unread(look.day), names.encode())
        packed = zstandard.ZstdCompressor().compress(look.contents)
        _write(self.folder / TABLES / f"{TABLE}{look.day.isoformat()}.xml.zst", packed)

    def forget_unfinished(self, built: date) -> None:
        """Take away what a look wrote that did not come to its end.

        One with its table, which is written behind the laws, may have, if it is of the day
        ``built`` or before: the live build may hold it.

        Raises:
            SourceError: the list of looks lacks more than that: nothing is taken away.
        """
        looks = self.list_days()
        unfinished = [(day, path) for path, day in self._iter_dated() if day not in looks]
        if not unfinished:
            return
        days = sorted({day for day, _ in unfinished})
        has_table = any(path.parent.name == TABLES for _, path in unfinished)
        may_be_built = has_table and days[0] <= built
        if len(days) > 1 or days[0] <= max(looks, default=date.min) or may_be_built:
            raise SourceError(
                f"{self.folder / LOOKS} lacks {len(days)} days of which files are kept, from"
                f" {days[0].isoformat()} to {days[-1].isoformat()}: put it back from a backup, or"
                " add these days, one a line"
            )
        (self.folder / _COMPARED).unlink(missing_ok=True)  # it may speak of what goes now
        for _, path in unfinished:
            path.unlink()

    def _iter_dated(self) -> Iterator[tuple[Path, date]]:
        """The files that looks have written, each with the day of its look."""
        for path in list_inside(self.folder):
            if (day := read_day(path.name)) is not None:
                yield path, day

    def set_aside(self, after: date) -> list[date]:
        """Give the files of looks after a day other names, so that they count no more.

        For looks that a wrong clock dated into the future; given back are their days.
        """
        looks = self.list_days()
        later = [day for day in looks if day > after]
        if later:
            (self.folder / _COMPARED).unlink(missing_ok=True)  # it may speak of what goes now
            for path in [path for path, day in self._iter_dated() if day > after]:
                path.rename(path.with_name(_ASIDE + path.name))
            days = "".join(f"{day.isoformat()}\n" for day in looks if day <= after)
            _write(self.folder / LOOKS, days.encode())  # last: what was begun is ended next time
        return later

    def distrust(self, slugs: Iterable[str]) -> None:
        """Let the next look compare the kept files of some laws, which were of no use, anew."""
        compared = self.read_compared()
        for slug in slugs:
            compared.pop(slug, None)
        _write(self.folder / _COMPARED, orjson.dumps(compared))

    def find_versions(self, slug: str) -> list[Path]:
        """The files of one law, oldest first."""
        folder = self.folder / check_name(slug)
        kept = (path for path in _list_folder(folder) if path.suffix == ".zip")
        return [path for path in kept if _read_day(path) is not None]

    @staticmethod
    def _find_kept(folder: Path, looks: set[date], listed: KeptList) -> Path | None:
        """The newest file of a law that a look has kept; it may be gone since."""
        paths = {
            *_list_folder(folder),
            *(folder / name for name in listed.hashes.get(folder.name, ())),
        }
        held = (path for path in paths if path.suffix == ".zip")
        return max((path for path in held if _read_day(path) in looks), default=None)

    def read_list(self) -> KeptList:
        """What looks have kept.

        Raises:
            SourceError: the list of it is damaged.
        """
        return KeptList.read(self.folder)

    def read_compared(self) -> dict[str, Compared]:
        """By slug; without what is not there or cannot be read, which is compared anew."""
        try:
            found: Mapping[str, Any] = orjson.loads((self.folder / _COMPARED).read_bytes())
            pairs = found.items()
        except (OSError, ValueError, AttributeError):
            return {}
        return {slug: one for slug, fields in pairs if (one := _read_compared(fields)) is not None}


def _read_compared(fields: Any) -> Compared | None:
    """What one version or another has written; of the oldest the file may have gone."""
    if isinstance(fields, list) and len(fields) > 1:
        return Compared(str(fields[0]), str(fields[1]))
    written = fields if isinstance(fields, dict) else {}
    found = (written.get(name) for name in ("fetched", "name", "fingerprint"))
    values = [value for value in found if isinstance(value, str)]
    return Compared(*values) if len(values) == 3 else None


def _list_folder(folder: Path) -> list[Path]:
    """What lies in a folder, by name; nothing of one that is not there.

    Raises:
        OSError: it cannot be read: what it holds is not to be taken for nothing.
    """
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def list_inside(folder: Path) -> Iterator[Path]:
    """What lies in the folders of a folder, as ``_list_folder`` has it."""
    for one in _list_folder(folder):
        yield from _list_folder(one)


def _is_there(path: Path) -> bool:
    """Whether a file is there and holds anything; one that cannot be asked for is an error."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    return S_ISREG(found.st_mode) and found.st_size > 0


def _read_day(path: Path) -> date | None:
    return read_iso(path.stem)


def _fingerprint_kept(path: Path, listed: KeptList) -> str | None:
    """That of the law in a kept file; ``None`` where the file is gone, or is another."""
    data = read_if_there(path)
    if data is None or listed.find_problem(path, data):
        return None
    return fingerprint_zip(data)


def _write(path: Path, data: bytes) -> None:
    """Nobody else has what is kept, and each file is spoken of by the next."""
    write_whole(path, data, durable=True)

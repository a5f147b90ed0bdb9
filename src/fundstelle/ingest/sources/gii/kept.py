"""Looks at the official site that are kept: every text on the first look that showed it.

A folder in the form that ``history.looks`` reads, with the publisher's own files in it::

    observed-days.txt             the looks, a day a line; written last, so a look is kept whole
    toc/gii-toc-<day>.xml.zst     its table of contents
    unread/<day>.txt              what was listed that day and could not be had
    <slug>/<day>.zip              a law that was new or other than at the look before

A file that differs from the one before in ``builddate`` alone is not kept: the publisher builds
some anew every week. From this folder a build is made again, should the live one be lost.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from hashlib import sha256
from pathlib import Path
from stat import S_ISREG
from typing import Any

import orjson
import zstandard

from fundstelle.errors import SourceError
from fundstelle.ingest.history.looks import LOOKS
from fundstelle.ingest.history.snapshots import MAX_FILE_BYTES, SourceEntry
from fundstelle.ingest.sources.files.archives import unzip_law
from fundstelle.ingest.sources.files.cache import check_name
from fundstelle.ingest.sources.files.download import write_whole

_BUILT = re.compile(rb'builddate="\d*"')
# slug: hash of the fetched file that the newest kept one equals, and the name of that one
_COMPARED = "compared.json"
_NAME = "gesetze-im-internet.de"
_TABLES, _UNREAD = "toc", "unread"
_TABLE = "gii-toc-"
RESERVED = frozenset({_TABLES, _UNREAD})  # folders beside those of the laws


@dataclass(frozen=True, slots=True)
class Look:
    """What one look showed; of ``held`` the files lie where they were fetched to."""

    day: date
    contents: bytes
    held: Sequence[tuple[str, Path]]  # slug and the publisher's zip
    unread: Sequence[str]


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

    def keep(self, look: Look) -> list[str]:
        """Write down a look; given back are the slugs of what was new or other than before.

        Raises:
            SourceError: a slug is no name of a folder.
        """
        looks = set(self.list_days())
        compared = self._read_compared()
        new = []
        for slug, fetched in look.held:
            data = fetched.read_bytes()
            digest = sha256(data).hexdigest()
            folder = self.folder / check_name(slug)
            known, name = compared.get(slug, ("", ""))
            if known == digest and _is_there(folder / name):
                continue
            kept = self._find_kept(folder, looks)
            if kept is None or _strip(data) != _strip(kept.read_bytes()):
                kept = folder / f"{look.day.isoformat()}.zip"
                _write(kept, data)
                new.append(slug)
            compared[slug] = digest, kept.name
        packed = zstandard.ZstdCompressor().compress(look.contents)
        _write(self.folder / _TABLES / f"{_TABLE}{look.day.isoformat()}.xml.zst", packed)
        if look.unread:
            unread = "".join(f"{slug}\n" for slug in look.unread)
            _write(self.folder / _UNREAD / f"{look.day.isoformat()}.txt", unread.encode())
        days = "".join(f"{day.isoformat()}\n" for day in sorted({*looks, look.day}))
        _write(self.folder / LOOKS, days.encode())
        _write(self.folder / _COMPARED, orjson.dumps(compared))  # behind what it speaks of
        return new

    def forget_unfinished(self, built: date) -> None:
        """Take away what a look wrote that did not come to its end.

        One of the day ``built`` or before did: the live build has it.

        Raises:
            SourceError: the list of looks lacks more than that: nothing is taken away.
        """
        looks = self.list_days()
        unfinished = [(day, path) for path, day in self._iter_dated() if day not in looks]
        if not unfinished:
            return
        days = sorted({day for day, _ in unfinished})
        if len(days) > 1 or days[0] <= max(looks, default=date.min) or days[0] <= built:
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
        for path in _list_inside(self.folder):
            name = path.name.partition(".")[0].removeprefix(_TABLE)
            if (day := _read_iso(name)) is not None:
                yield path, day

    def open(self, after: date | None = None) -> "KeptFiles":
        """The files of all looks, or of those after a day."""
        return KeptFiles(self, after)

    def find_versions(self, slug: str) -> list[Path]:
        """The files of one law, oldest first."""
        folder = self.folder / check_name(slug)
        return [path for path in _list_folder(folder) if path.suffix == ".zip"]

    @staticmethod
    def _find_kept(folder: Path, looks: set[date]) -> Path | None:
        """The newest file of a law that a look has kept."""
        held = (path for path in _list_folder(folder) if path.suffix == ".zip")
        return max((path for path in held if _read_day(path) in looks), default=None)

    def _read_compared(self) -> dict[str, tuple[str, str]]:
        try:
            found: dict[str, Any] = orjson.loads((self.folder / _COMPARED).read_bytes())
            pairs = found.items()
        except (OSError, ValueError, AttributeError):
            return {}  # then all are compared word by word
        # of an earlier version there is no name: the file may have gone
        return {slug: (one[0], one[1]) for slug, one in pairs if isinstance(one, list)}


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """The files of kept looks, as an archive of versions has them."""

    looks: KeptLooks
    after: date | None = None
    name: str = _NAME

    @property
    def url(self) -> str:
        """The site's address."""
        return self.looks.url

    @property
    def retrieved_at(self) -> datetime:
        """When the newest look was made."""
        return datetime.fromtimestamp((self.looks.folder / LOOKS).stat().st_mtime, UTC)

    def entries(self) -> Iterator[SourceEntry]:
        """The days, and for each its table, what could not be had, and the laws that were new."""
        days = [day for day in self.looks.list_days() if self.after is None or day > self.after]
        yield SourceEntry(LOOKS, "".join(f"{day.isoformat()}\n" for day in days).encode())
        wanted = {day.isoformat() for day in days}
        for day in sorted(wanted):
            yield self._read_table(day)
            unread = self.looks.folder / _UNREAD / f"{day}.txt"
            if unread.exists():
                yield SourceEntry(f"{_UNREAD}/{day}.txt", unread.read_bytes())
        for path in _list_inside(self.looks.folder):
            if path.suffix == ".zip" and path.stem in wanted:
                yield _read_law(path)

    def _read_table(self, day: str) -> SourceEntry:
        path = self.looks.folder / _TABLES / f"{_TABLE}{day}.xml.zst"
        name = f"{_TABLES}/{_TABLE}{day}.xml"
        try:
            packed = zstandard.ZstdDecompressor()
            return SourceEntry(name, packed.decompress(path.read_bytes(), MAX_FILE_BYTES))
        except (OSError, zstandard.ZstdError) as error:
            return SourceEntry(name, b"", problem=f"it cannot be read ({error})")


def _list_folder(folder: Path) -> list[Path]:
    """What lies in a folder, by name; nothing of one that is not there.

    Raises:
        OSError: it cannot be read: what it holds is not to be taken for nothing.
    """
    try:
        return sorted(folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return []


def _list_inside(folder: Path) -> Iterator[Path]:
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


def _read_law(path: Path) -> SourceEntry:
    entry = unzip_law(f"{path.parent.name}/xml.zip", path.read_bytes())
    number = Path(entry.name).stem
    name = f"{path.parent.name}/{number}/{path.stem}.xml"
    return SourceEntry(name, entry.data, problem=entry.problem)


def _strip(packed: bytes) -> bytes:
    """The law in a file of the publisher without the day on which it was built."""
    return _BUILT.sub(b"", unzip_law("law/xml.zip", packed).data)


def _read_day(path: Path) -> date | None:
    return _read_iso(path.stem)


def _read_iso(written: str) -> date | None:
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None


def _write(path: Path, data: bytes) -> None:
    """Nobody else has what is kept, and each file is spoken of by the next."""
    write_whole(path, data, durable=True)

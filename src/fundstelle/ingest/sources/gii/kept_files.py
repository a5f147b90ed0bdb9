"""Kept looks as a build reads them: what each showed, and what the build lacks of earlier ones.

A law that a look found as it was at the look before is confirmed by it, without its file. That is
true of a build only where the build has the text which that look found. Where it has another, for
whatever reason (an earlier build was made live, a file could not be used, a text came from
elsewhere), the first look that could read the law gives its newest file once more.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import groupby
from pathlib import Path, PurePosixPath

import zstandard

from fundstelle.errors import SourceError
from fundstelle.ingest.history.contents import read_slugs
from fundstelle.ingest.history.looks import LOOKS
from fundstelle.ingest.history.snapshots import MAX_FILE_BYTES, SourceEntry
from fundstelle.ingest.sources.files.archives import unzip_law
from fundstelle.ingest.sources.gii.fingerprints import fingerprint_file
from fundstelle.ingest.sources.gii.kept import TABLES, UNREAD, Compared, KeptLooks, list_inside
from fundstelle.ingest.sources.gii.kept_list import TABLE, KeptList, read_if_there, read_iso

_NAME = "gesetze-im-internet.de"


@dataclass(frozen=True, slots=True)
class HeldLaw:
    """What a build has of a law: its document number, and which text."""

    number: str
    fingerprint: str


@dataclass(frozen=True, slots=True)
class KeptFiles:
    """The files of kept looks, as an archive of versions has them.

    Of all looks, or of those ``after`` a day; ``held`` is what the build before them has, by slug.
    """

    looks: KeptLooks
    after: date | None = None
    held: Mapping[str, HeldLaw] | None = None
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
        """For each day its table, what could not be had and the laws to be read; last the days.

        Raises:
            SourceError: of no look the table of contents can be read.
        """
        days, unusable = [], []
        kept = _Versions(self.looks, self.held)
        for day in self.looks.list_days():
            if self.after is not None and day <= self.after:
                continue
            table = self._read_table(day, kept.listed)
            yield table
            if table.problem:  # what it could have read is not known: it confirms nothing
                unusable.append(day)
                continue
            days.append(day)
            if unread := self._read_unread(day):
                yield SourceEntry(f"{UNREAD}/{day.isoformat()}.txt", unread)
            yield from kept.iter_of(day, _Table.read(table, unread))
        if unusable and not days:
            raise SourceError(
                f"the look of {unusable[-1].isoformat()} is of no use without its table of"
                f" contents ({table.problem}); the next look goes on without it"
            )
        yield SourceEntry(LOOKS, "".join(f"{day.isoformat()}\n" for day in days).encode())

    def list_other(self) -> list[str]:
        """The slugs of laws of which the build has another text than the newest look found."""
        days = self.looks.list_days()
        if not days:
            return []
        table = _Table.read(
            self._read_table(days[-1], self.looks.read_list()), self._read_unread(days[-1])
        )
        return [slug for slug, _ in _Versions(self.looks, self.held).iter_other(days[-1], table)]

    def _read_table(self, day: date, listed: KeptList) -> SourceEntry:
        """That of a look; without the note of what the look could not read it is of no use."""
        path = self.looks.folder / TABLES / f"{TABLE}{day.isoformat()}.xml.zst"
        name = f"{TABLES}/{TABLE}{day.isoformat()}.xml"
        note = self._name_unread(day)
        lost = listed.find_problem(note, read_if_there(note)) if listed.has(note) else None
        if lost:
            return SourceEntry(name, b"", problem=f"{UNREAD}/{note.name}: {lost}")
        try:
            packed = zstandard.ZstdDecompressor()
            return SourceEntry(name, packed.decompress(path.read_bytes(), MAX_FILE_BYTES))
        except (OSError, zstandard.ZstdError) as error:
            return SourceEntry(name, b"", problem=f"it cannot be read ({error})")

    def _read_unread(self, day: date) -> bytes:
        return read_if_there(self._name_unread(day)) or b""

    def _name_unread(self, day: date) -> Path:
        return self.looks.folder / UNREAD / f"{day.isoformat()}.txt"


@dataclass(frozen=True, slots=True)
class _Table:
    """What a look found listed, and what of that it could read; slugs."""

    listed: frozenset[str]
    readable: frozenset[str]

    @classmethod
    def read(cls, table: SourceEntry, unread: bytes) -> "_Table":
        listed = frozenset(read_slugs(table.data))
        return cls(listed, listed - set(unread.decode().split()))


@dataclass(slots=True)
class _Versions:
    """The kept files by law, and which text a build has by the looks that were gone through."""

    looks: KeptLooks
    held: Mapping[str, HeldLaw] | None
    listed: KeptList = field(init=False)
    _files: dict[str, list[tuple[date, Path]]] = field(init=False)  # oldest first
    _gone: set[Path] = field(init=False)  # what a look has kept, and is not there any more
    _compared: dict[str, Compared] = field(init=False)
    _given: dict[str, str | None] = field(init=False)  # fingerprints, by slug
    _places: dict[str, str] = field(init=False)  # by number, the slug it has a law from

    def __post_init__(self) -> None:
        self.listed = self.looks.read_list()
        there = {path for path in list_inside(self.looks.folder) if path.suffix == ".zip"}
        folder, days = self.looks.folder, frozenset(self.looks.list_days())
        listed = {path for path in self.listed.iter_paths(folder) if read_iso(path.stem) in days}
        self._gone = {path for path in listed if path.suffix == ".zip"} - there
        self._files = {
            slug: sorted((day, path) for path in paths if (day := read_iso(path.stem)) is not None)
            for slug, paths in groupby(
                sorted(there | self._gone), key=lambda path: path.parent.name
            )
        }
        self._compared = self.looks.read_compared()
        held = self.held or {}
        self._given = {slug: law.fingerprint for slug, law in held.items()}
        self._places = {law.number: slug for slug, law in held.items()}

    def iter_of(self, day: date, table: _Table) -> Iterator[SourceEntry]:
        """The laws that the look of a day gives."""
        own = [
            (slug, path)
            for slug, versions in sorted(self._files.items())
            for kept, path in versions
            if kept == day
        ]
        for slug, path in own:
            yield self._give(slug, path, day)
        if self.held is not None:
            for slug, path in list(self.iter_other(day, table)):
                yield self._give(slug, path, day)

    def iter_other(self, until: date, table: _Table) -> Iterator[tuple[str, Path]]:
        """Laws that a look could read, and their newest files, whose text the build has not.

        A law that the build has from another address that is listed is not read from this one, too.
        """
        for slug, versions in sorted(self._files.items()):
            path = _find_newest(versions, until)
            if path is None or slug not in table.readable:
                continue
            if (found := self._find_fingerprint(path)) == self._given.get(slug, ""):
                continue
            is_read = slug in self._given or found is None
            if is_read or self._places.get(_read_number(path)) not in table.listed:
                yield slug, path

    def _give(self, slug: str, path: Path, day: date) -> SourceEntry:
        entry = self._read_law(path, day)
        number = PurePosixPath(entry.name).parts[1]
        before = self._places.get(number, slug)
        if before != slug:  # the law has come to this address
            self._given.pop(before, None)
        self._places[number] = slug
        self._given[slug] = self._find_fingerprint(path)
        return entry

    def _read_law(self, path: Path, day: date) -> SourceEntry:
        data = read_if_there(path)
        entry = unzip_law(f"{path.parent.name}/xml.zip", data or b"")
        problem = self.listed.find_problem(path, data) or entry.problem
        number = PurePosixPath(entry.name).stem
        name = f"{path.parent.name}/{number}/{day.isoformat()}.xml"
        return SourceEntry(name, entry.data, problem=problem)

    def _find_fingerprint(self, path: Path) -> str | None:
        if path in self._gone:
            return None
        known = self._compared.get(path.parent.name)
        if known is not None and known.name == path.name and known.fingerprint:
            return known.fingerprint
        return fingerprint_file(path)


def _find_newest(versions: Sequence[tuple[date, Path]], until: date) -> Path | None:
    return next((path for day, path in reversed(versions) if day <= until), None)


def _read_number(path: Path) -> str:
    return PurePosixPath(unzip_law("law/xml.zip", path.read_bytes()).name).stem

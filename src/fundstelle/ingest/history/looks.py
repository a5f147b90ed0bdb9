"""Looks at the publisher over years: every version of every law, and what a look confirmed.

An archive of versions holds ``<slug>/<document number>/<day>.xml``, each on the first day on which
it was seen so; ``observed-days.txt`` says on which days somebody looked, and
``toc/gii-toc-<day>.xml`` what the publisher listed. Every look becomes a snapshot that names only
what was new: a law that it does not name was as at the look before, as long as it was listed.
``unread/<day>.txt`` names the slugs that were listed on a look and could not be had.
"""

import hashlib
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import BinaryIO

import zstandard

from fundstelle.corpus.manifest import Rejected
from fundstelle.disks import read_small
from fundstelle.errors import SourceError
from fundstelle.ingest.history.contents import is_table_of_contents, read_slugs, read_titles
from fundstelle.ingest.history.snapshots import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_TOTAL_BYTES,
    Files,
    Snapshot,
    SourceEntry,
    SpooledFile,
    SpooledSnapshot,
    escape_name,
    read_build_day,
)

MAX_LOOKS = 10_000  # one a day for 27 years
LOOKS = "observed-days.txt"

_VERSION = re.compile(r"(?P<slug>[^/]+)/(?P<number>[^/]+)/(?P<day>\d{4}-\d{2}-\d{2})\.xml")
_TABLE = re.compile(r"toc/gii-toc-(?P<day>\d{4}-\d{2}-\d{2})\.xml")
_UNREAD = re.compile(r"unread/(?P<day>\d{4}-\d{2}-\d{2})\.txt")
_CONFIRMED = re.compile(r"confirmed-(?P<day>\d{4}-\d{2}-\d{2})\.txt")
_QUICK = 1  # of zstandard's levels: a spool is read once
_CLOCKS_DIFFER = timedelta(days=1)
_MOST_BYTES = 16 << 20  # of a list of document numbers


@dataclass(frozen=True, slots=True)
class LawHistory:
    """An archive of versions, by law.

    ``goes_on``: it holds later looks alone, at which nothing need be new. ``partial``: not all
    that was listed was asked for.
    """

    files: Files
    goes_on: bool = False
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A look that found the text of some laws as it was; ``numbers`` are their document numbers."""

    name: str
    url: str
    day: date
    numbers: frozenset[str]
    retrieved_at: datetime


Dated = Snapshot | LawHistory | Confirmation  # what tells of the laws of some day


@dataclass(slots=True)
class _Reading:
    """What is gathered while an archive of versions is read."""

    files: dict[date, list[SpooledFile]] = field(default_factory=dict)
    tables: dict[date, tuple[frozenset[str], dict[str, str]]] = field(default_factory=dict)
    unread: dict[date, frozenset[str]] = field(default_factory=dict)
    unusable: dict[date, set[str]] = field(default_factory=dict)
    rejected: list[Rejected] = field(default_factory=list)
    days: tuple[date, ...] = ()
    size: int = 0
    count: int = 0


def is_demonstration(source: Dated) -> bool:
    """Whether it holds invented law."""
    return not isinstance(source, LawHistory | Confirmation) and source.demonstration


def read_confirmation(path: Path, url: str) -> Confirmation | None:
    """What ``confirmed-<day>.txt`` confirms; ``None`` for a file of another name.

    Raises:
        SourceError: it is no list of document numbers.
    """
    named = _CONFIRMED.fullmatch(path.name)
    if named is None:
        return None
    day = _parse_day(named["day"])
    try:
        numbers = frozenset(read_small(path, _MOST_BYTES).decode("ascii").split())
        changed = datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"{path.name} cannot be read as document numbers ({error})") from None
    if day is None or not numbers:
        raise SourceError(f"{path.name} names no day or no law; fetch it again, or take it away")
    return Confirmation(path.name, url, day, numbers, changed)


def confirm(confirmation: Confirmation, spool: Path) -> SpooledSnapshot:
    """A look without a file; ``spool`` is a file that need not hold anything.

    Raises:
        SourceError: its day is still to come.
    """
    _require_past(confirmation.day, confirmation.name)
    spool.touch()
    listed = hashlib.sha256(" ".join(sorted(confirmation.numbers)).encode()).hexdigest()
    return SpooledSnapshot(
        name=confirmation.name,
        url=confirmation.url,
        day=confirmation.day,
        retrieved_at=confirmation.retrieved_at,
        spool=spool,
        files=(),
        rejected=(),
        contents=None,
        removed=frozenset(),
        added=frozenset(),
        sha256=listed,
        partial=True,
        demonstration=False,
        confirmed=confirmation.numbers,
    )


def spool_history(
    history: LawHistory, path: Path, laws: Collection[str], advance: Callable[[int], None]
) -> list[SpooledSnapshot]:
    """Copy an archive's versions (of all laws, or of ``laws``) into the new file ``path``.

    A snapshot a look, oldest first, from the first one on that showed anything.

    Raises:
        SourceError: the archive cannot be read, is far too large, or does not say who looked when.
    """
    reading = _Reading()
    packer = zstandard.ZstdCompressor(level=_QUICK)
    with path.open("xb") as target:
        for entry in history.files.entries():
            _take(entry, reading, laws, target, packer)
            advance(1)
    name = history.files.name
    if not reading.days:
        raise SourceError(f"{name} holds no {LOOKS}: nothing says on which days somebody looked")
    if not reading.files and not history.goes_on:
        raise SourceError(f"{name} holds no version (<slug>/<number>/<day>.xml) of the laws wanted")
    _require_past(reading.days[-1], name)
    _drop_unlooked(reading)
    return _make_snapshots(history, path, reading, partial=bool(laws) or history.partial)


def _take(
    entry: SourceEntry,
    reading: _Reading,
    laws: Collection[str],
    target: BinaryIO,
    packer: zstandard.ZstdCompressor,
) -> None:
    name = escape_name(entry.name)
    version, table = _VERSION.fullmatch(name), _TABLE.fullmatch(name)
    unread = _UNREAD.fullmatch(name)
    day = _parse_day((version or table or unread or {"day": ""})["day"])
    if name == LOOKS:
        reading.days = _read_days(entry)
    elif table is not None:
        if entry.problem or day is None or not is_table_of_contents(entry.data):
            reason = entry.problem or "it is cut short or names no law"
            reading.rejected.append(Rejected(name, reason))
        else:
            reading.tables[day] = frozenset(read_slugs(entry.data)), dict(read_titles(entry.data))
    elif unread is not None and day is not None:
        reading.unread[day] = frozenset(entry.data.decode("utf-8", "replace").split())
    elif version is None or day is None:
        if PurePosixPath(name).suffix == ".xml":
            reading.rejected.append(Rejected(name, "its name is not <slug>/<number>/<day>.xml"))
    elif not laws or version["slug"] in laws:
        problem = entry.problem or _find_problem(entry)
        if problem:
            reading.rejected.append(Rejected(name, problem))
            reading.unusable.setdefault(day, set()).add(version["slug"])
            return
        reading.size += len(entry.data)
        reading.count += 1
        if reading.size > MAX_TOTAL_BYTES or reading.count > MAX_FILES:
            raise SourceError(
                f"the versions unpack to more than {MAX_TOTAL_BYTES >> 30} GB or {MAX_FILES:,}"
                " files; give them in two archives"
            )
        packed = packer.compress(entry.data)
        digest = hashlib.sha256(entry.data).hexdigest()
        place, length = target.tell(), len(entry.data)
        target.write(packed)
        file = SpooledFile(
            *(name, version["slug"]),
            listed=True,
            offset=place,
            length=length,
            sha256=digest,
            packed=len(packed),
            built=read_build_day(entry.data),
        )
        reading.files.setdefault(day, []).append(file)


def _find_problem(entry: SourceEntry) -> str | None:
    if ".." in PurePosixPath(entry.name).parts:
        return "its name points outside the archive"
    if len(entry.data) > MAX_FILE_BYTES:
        return f"it has more than {MAX_FILE_BYTES >> 20} MB"
    return None


def _read_days(entry: SourceEntry) -> tuple[date, ...]:
    if entry.problem:
        raise SourceError(f"{LOOKS} cannot be read ({entry.problem})")
    written = entry.data.decode("ascii", "replace").split()
    days = {_parse_day(each) for each in written[: MAX_LOOKS + 1]}
    if not days or None in days or len(written) > MAX_LOOKS:
        raise SourceError(f"{LOOKS} is no list of at most {MAX_LOOKS:,} days, one a line")
    return tuple(sorted(day for day in days if day is not None))


def _drop_unlooked(reading: _Reading) -> None:
    """A version of a day on which nobody looked: which looks showed it is not known."""
    looks = set(reading.days)
    for day in [day for day in reading.files if day not in looks]:
        reason = f"nobody looked on {day.isoformat()} ({LOOKS})"
        reading.rejected += [Rejected(file.name, reason) for file in reading.files.pop(day)]


def _make_snapshots(
    history: LawHistory, spool: Path, reading: _Reading, *, partial: bool
) -> list[SpooledSnapshot]:
    files = history.files
    if not reading.files and not history.goes_on:
        raise SourceError(f"{files.name} holds no version of a day in its {LOOKS}")
    begins = reading.days[0] if history.goes_on else min(reading.files)
    looks = [day for day in reading.days if day >= begins]
    tables = _assign(reading.tables, looks)
    rejected = tuple(reading.rejected)
    made = []
    for number, day in enumerate(looks):
        shown = tuple(sorted(reading.files.get(day, ()), key=lambda file: file.name))
        contents, titles = tables.get(day, (None, {}))
        made.append(
            SpooledSnapshot(
                name=f"{files.name} {day.isoformat()}",
                url=files.url,
                day=day,
                retrieved_at=files.retrieved_at,
                spool=spool,
                files=shown,
                rejected=rejected if not number else (),
                contents=contents,
                removed=frozenset(),
                added=frozenset(),
                sha256=_hash(shown),
                partial=partial,
                demonstration=False,
                titles=titles,
                lists=_hash(sorted(contents or ())),
                changes_only=True,
                unread=reading.unread.get(day, frozenset()),
                listed_then=day in reading.tables,
                unusable=frozenset(reading.unusable.get(day, ())),
            )
        )
    return made


def _assign(
    tables: dict[date, tuple[frozenset[str], dict[str, str]]], looks: Sequence[date]
) -> dict[date, tuple[frozenset[str], dict[str, str]]]:
    """Each table at the first look on its day or after it, the newest of several."""
    assigned = {}
    for day in sorted(tables):
        look = next((look for look in looks if look >= day), None)
        if look is not None:
            assigned[look] = tables[day]
    return assigned


def _hash(parts: Iterable[SpooledFile | str]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        said = part if isinstance(part, str) else f"{part.name}\0{part.sha256}"
        digest.update(f"{said}\n".encode())
    return digest.hexdigest()


def _require_past(day: date, name: str) -> None:
    if day > datetime.now(UTC).date() + _CLOCKS_DIFFER:
        raise SourceError(f"{name} speaks of a look on {day.isoformat()}, a day still to come")


def _parse_day(written: str) -> date | None:
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None

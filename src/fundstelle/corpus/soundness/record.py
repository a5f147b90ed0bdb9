"""What complete checks have found, kept in the data folder for every process and the next start.

```text
<data>/checks/<release>.json   when the build was read whole, and what was wrong with it
<data>/checks/lock             held by the one process that reads
```
"""

from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

import orjson

from fundstelle.corpus.manifest import FILE_NAME
from fundstelle.corpus.soundness.check import Finding
from fundstelle.disks import give_to_owner, read_small

FOLDER = "checks"
_MOST_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class Record:
    """The last complete check of a build."""

    build: str  # which build of that name it was, as ``identify_build`` says
    checked_at: datetime
    findings: tuple[Finding, ...]
    doubted: bool = False  # whether it was made because a request had met damage


def identify_build(data_dir: Path, release: str) -> str:
    """What tells a build from another of the same name; "" if there is none."""
    try:
        found = (data_dir / "builds" / release / FILE_NAME).stat()
    except OSError:
        return ""
    return f"{found.st_ino}-{found.st_mtime_ns}"


def find_record(data_dir: Path, release: str) -> Record | None:
    """The last complete check of the build that bears this name now."""
    try:
        fields = orjson.loads(read_small(data_dir / FOLDER / f"{release}.json", _MOST_BYTES))
        record = Record(
            str(fields["build"]),
            datetime.fromisoformat(fields["checked_at"]),
            tuple(Finding(str(one["file"]), str(one["problem"])) for one in fields["findings"]),
            bool(fields.get("doubted")),
        )
    except (OSError, ValueError, TypeError, KeyError):
        return None
    return record if record.build == identify_build(data_dir, release) else None


def find_recorded(data_dir: Path, release: str) -> tuple[Finding, ...]:
    """What complete checks have found of the files of a build; of each file once.

    Builds may share a file: what a check of another one has found of it holds here, too, unless
    this one was checked later.
    """
    own = find_record(data_dir, release)
    found = {one.file: one for one in own.findings} if own is not None else {}
    for path in sorted((data_dir / FOLDER).glob("*.json")):
        other = find_record(data_dir, path.stem) if path.stem != release else None
        if other is None or (own is not None and own.checked_at >= other.checked_at):
            continue
        for one in other.findings:
            if _is_shared(data_dir / "builds" / path.stem, data_dir / "builds" / release, one.file):
                found.setdefault(one.file, one)
    return tuple(found.values())


def _is_shared(folder: Path, other: Path, name: str) -> bool:
    """Whether two builds have the same file under a name, and not only one that is like it."""
    try:
        return (folder / name).samefile(other / name)
    except OSError:
        return False


def keep_record(data_dir: Path, release: str, record: Record) -> None:
    """Keep what a check has found, in one step; records of builds that are gone go too.

    Raises:
        OSError: the folder cannot be written.
    """
    folder = data_dir / FOLDER
    folder.mkdir(exist_ok=True)
    give_to_owner(folder, data_dir)
    fresh = folder / f".{release}.new"
    fresh.write_bytes(orjson.dumps(asdict(record)))
    give_to_owner(fresh, data_dir)
    fresh.replace(folder / f"{release}.json")
    for other in (*folder.glob("*.json"), *folder.glob(".*.new")):
        if not (data_dir / "builds" / other.stem.removeprefix(".")).is_dir():
            with suppress(OSError):
                other.unlink()

"""The list of what looks have kept, with hashes, so that what is gone is missed.

Without it a file that was removed would read as a law that did not change. It is written in the
form of ``sha256sum``, behind the files of a look and before its day; an earlier version wrote none,
and what it kept is listed at the next look.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from pathlib import Path, PurePosixPath

from fundstelle.errors import SourceError

LIST = "kept-files.sha256"
TABLE = "gii-toc-"  # begins the name of a table of contents

_LINE = re.compile(r"(?P<hash>[0-9a-f]{64})  (?P<folder>[^/\s]+)/(?P<name>[^/\s]+)")


@dataclass(frozen=True, slots=True)
class KeptList:
    """By folder and name the hashes of the files that looks have kept."""

    hashes: dict[str, dict[str, str]]

    @classmethod
    def read(cls, folder: Path) -> "KeptList":
        """That of a folder of looks; empty where an earlier version wrote none.

        Raises:
            SourceError: it is damaged: what is gone cannot be told.
        """
        path = folder / LIST
        found = cls({})
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except FileNotFoundError:
            return found
        except (OSError, ValueError) as error:
            raise SourceError(f"{path} cannot be read as a list of hashes ({error})") from None
        for line in lines:
            parts = _LINE.fullmatch(line)
            if parts is None or ".." in {parts["folder"], parts["name"]}:
                raise SourceError(
                    f"{path} is damaged: put it back from a backup, or take it away, and what is"
                    " gone from the folder will not be missed"
                )
            found.hashes.setdefault(parts["folder"], {})[parts["name"]] = parts["hash"]
        return found

    def dump(self) -> bytes:
        """As it is written."""
        lines = [
            f"{digest}  {folder}/{name}\n"
            for folder, files in sorted(self.hashes.items())
            for name, digest in sorted(files.items())
        ]
        return "".join(lines).encode()

    def go_on(self, looks: Iterable[date], today: date, files: Iterable[tuple[Path, date]]) -> None:
        """Take in what lies there of the looks, and drop what is of no look.

        What is listed and gone stays listed. Of ``today`` all is listed anew: a look of that day
        may have begun before, and what it wrote was taken away.
        """
        days = frozenset(looks)
        before = days - {today}
        for listed in self.hashes.values():
            for name in [name for name in listed if read_day(name) not in before]:
                del listed[name]
        for path, day in files:
            listed = self.hashes.setdefault(path.parent.name, {})
            if day in days and (path.name not in listed or day == today):
                listed[path.name] = sha256(path.read_bytes()).hexdigest()

    def has(self, path: Path) -> bool:
        """Whether a look has kept the file."""
        return path.name in self.hashes.get(path.parent.name, {})

    def iter_paths(self, folder: Path) -> Iterator[Path]:
        """All that looks have kept."""
        for name, files in self.hashes.items():
            yield from (folder / name / file for file in files)

    def find_problem(self, path: Path, data: bytes | None) -> str | None:
        """Why a file is not what a look has kept; ``None`` if it is, or is not listed."""
        if data is None:
            return "a look has kept it, and it is not there any more"
        digest = self.hashes.get(path.parent.name, {}).get(path.name)
        if digest is None or sha256(data).hexdigest() == digest:
            return None
        return "it is not the file any more that a look has kept"


def read_day(name: str) -> date | None:
    """The day of the look that wrote a file of this name."""
    return read_iso(PurePosixPath(name).name.partition(".")[0].removeprefix(TABLE))


def read_iso(written: str) -> date | None:
    """The day that a name is; ``None`` for another name."""
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None


def read_if_there(path: Path) -> bytes | None:
    """What a file holds; ``None`` for one that is not there.

    Raises:
        OSError: it cannot be read: what it holds is not to be taken for nothing.
    """
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None

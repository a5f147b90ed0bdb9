"""The note of what a publisher still owes: texts that were listed and could not be had.

Once their day has gone by nobody lists them as changed again, so the note lies beside the looks,
where every backup has it, and not in the cache, which anybody may empty.
"""

from dataclasses import dataclass
from pathlib import Path

from fundstelle.ingest.sources.files.download import write_whole

NOTE = "owed.json"


@dataclass(frozen=True, slots=True)
class OwedNote:
    """Where the note of a source lies, and where versions of before have left it."""

    path: Path
    former: Path

    @classmethod
    def of(cls, kept: Path | None, cache: Path) -> "OwedNote":
        """That of a source, by its folders."""
        return cls((kept or cache) / NOTE, cache / NOTE)

    def read(self) -> bytes:
        """What was noted; nothing if nothing was.

        Raises:
            OSError: it is there and cannot be read: what it names would never be asked for again.
        """
        for path in (self.path, self.former):
            try:
                return path.read_bytes()
            except FileNotFoundError:
                continue
        return b""

    def write(self, data: bytes) -> None:
        """Note it, also where the power fails a moment later; one of before is read no more."""
        write_whole(self.path, data, durable=True)
        if self.former != self.path:
            self.former.unlink(missing_ok=True)

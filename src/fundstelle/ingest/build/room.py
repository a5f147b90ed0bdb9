"""Room on the disk for a build: it ends before it takes what accounts and the audit log need."""

from contextlib import suppress
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.disks import SPARE_BYTES, measure_free
from fundstelle.errors import CorpusError
from fundstelle.ingest.progress import Progress

_ADVICE = (
    "make room ('fundstelle corpus prune' deletes older builds), or move the data folder to a"
    " larger disk and set FUNDSTELLE_DATA to it; the live build is as it was"
)


def require_room(data_dir: Path) -> None:
    """See that another build like the live one has room, and all else goes on beside it.

    What the new one will share with the live one counts, too: that shows only while it is made.

    Raises:
        CorpusError: it has not.
    """
    needed = SPARE_BYTES
    with suppress(CorpusError):  # it cannot be read: whoever goes on from it says so
        if release := builds.get_live(data_dir):
            live = builds.read_manifest(builds.get_folder(data_dir, release))
            needed += sum(one.size for one in live.files or ())
    free = measure_free(data_dir)
    if free < needed:
        raise CorpusError(
            f"a build is not begun: the disk has {_megabytes(free)} free, and another build beside"
            f" the live one needs {_megabytes(needed)}; {_ADVICE}"
        )


class Watched:
    """Tells of a build under way, and ends it where it takes more than there is room for.

    A build may be larger than the one before, and what is read for it lies beside it until it is
    done.
    """

    def __init__(self, progress: Progress, data_dir: Path) -> None:
        self._progress, self._data_dir = progress, data_dir

    def start(self, phase: str, total: int, unit: str) -> None:
        """A phase begins."""
        self._require_spare()
        self._progress.start(phase, total, unit)

    def advance(self, count: int) -> None:
        """So many more are done."""
        self._require_spare()
        self._progress.advance(count)

    def note(self, line: str) -> None:
        """Something a person should read."""
        self._progress.note(line)

    def _require_spare(self) -> None:
        if (free := measure_free(self._data_dir)) < SPARE_BYTES:
            raise CorpusError(
                f"the build was given up: the disk has only {_megabytes(free)} free, which are left"
                f" to accounts and the audit log; {_ADVICE}"
            )


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"

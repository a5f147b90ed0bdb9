"""Room on the disk for a build: it ends before it takes what accounts and the audit log need."""

from contextlib import suppress
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.soundness.choose import choose_build
from fundstelle.disks import SPARE_BYTES, measure_free
from fundstelle.errors import CorpusError
from fundstelle.ingest.build.publication import settle
from fundstelle.ingest.progress import Progress
from fundstelle.search.index import SearchEngine

_ADVICE = (
    "make room ('fundstelle corpus prune' deletes older builds), or move the data folder to a"
    " larger disk and set FUNDSTELLE_DATA to it; the live build is as it was"
)


def make_room(data_dir: Path, keep: int | None, engine: SearchEngine, progress: Progress) -> None:
    """See that another build like the live one has room, and all else goes on beside it.

    Where it has not, older builds are deleted until ``keep`` are left, the live one among them and
    one that is served in its place beside; ``None``: none is. What the new one will share with the
    live one counts, too: that shows only while it is made.

    Raises:
        CorpusError: it still has none.
    """
    problem = _find_lack(data_dir)
    if problem is not None and keep is not None:
        try:
            for gone in builds.delete_older(data_dir, keep, choose_build(data_dir).release):
                progress.note(f"deleted {gone}: the disk had no room for another build")
        except CorpusError as error:
            progress.note(f"older builds were not deleted: {error}")
        for told in settle(data_dir, engine):  # what a search cluster keeps of builds
            progress.note(told)
        problem = _find_lack(data_dir)
    if problem is not None:
        raise CorpusError(f"a build is not begun: {problem}; {_ADVICE}")


def _find_lack(data_dir: Path) -> str | None:
    """What room is lacking for another build; ``None`` if it is there."""
    size = 0
    with suppress(CorpusError):  # it cannot be read: whoever goes on from it says so
        if release := builds.get_live(data_dir):
            live = builds.read_manifest(builds.get_folder(data_dir, release))
            size = sum(one.size for one in live.files or ())
    free = measure_free(data_dir / "builds")
    if free < size + SPARE_BYTES:
        return (
            f"the disk has {_megabytes(free)} free, and another build beside the live one needs"
            f" {_megabytes(size + SPARE_BYTES)}"
        )
    free = measure_free(data_dir)
    if free < SPARE_BYTES:
        return (
            f"the disk has {_megabytes(free)} free, and accounts and the audit log need"
            f" {_megabytes(SPARE_BYTES)}"
        )
    return None


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
        # the folder of the builds may be a disk of its own
        places = (self._data_dir, self._data_dir / "builds")
        if (free := min(map(measure_free, places))) < SPARE_BYTES:
            raise CorpusError(
                f"the build was given up: the disk has only {_megabytes(free)} free, which are left"
                f" to accounts and the audit log; {_ADVICE}"
            )


def _megabytes(count: int) -> str:
    return f"{count / 1e6:,.0f} MB"

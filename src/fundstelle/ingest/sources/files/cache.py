"""What was fetched from a publisher stays in a folder, whole, with what is known of it.

So a second run asks only what has changed, and an interrupted one goes on where it stopped.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from hashlib import file_digest, sha256
from pathlib import Path

import orjson

from fundstelle.disks import require_spare
from fundstelle.errors import FundstelleError, SourceError
from fundstelle.ingest.days import find_day
from fundstelle.ingest.history.snapshots import SourceEntry
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.sources.files.download import Fetched, NotThere, write_whole
from fundstelle.ingest.sources.files.failures import tell_unforeseen

_FRESH = timedelta(hours=12)  # what was confirmed so recently, that day, is not asked again
_GIVE_UP = 5  # failures in a row
_STATE = "state.json"
_NAME = re.compile(r"\w[\w().,+~= -]*(?<![. ])")  # the site has "_appro_ndv_3", too
_LONGEST_NAME = 200  # bytes; file systems take 255, and ".part" is added
_SHOWN = 80
_LONGEST_PROBLEM = 500  # characters; builds keep it, and workers read it with them
_DEVICES = frozenset(
    {"CON", "PRN", "AUX", "NUL", *(f"{port}{n}" for port in ("COM", "LPT") for n in range(10))}
)
_NEVER = "0001-01-01T00:00:00+00:00"


class WrongName(SourceError):
    """What a publisher lists is not the name of a document: nobody is asked for it."""

    code = "source_wrong_name"


class DayOver(SourceError):
    """It is the next day by now: what comes would be taken for seen on the day before."""

    code = "source_day_over"


class NotUsable(SourceError):
    """What came is such a file, and nothing can be made of it; the publisher is there."""

    code = "source_not_usable"


class WrongContent(SourceError):
    """What came is not what such a file holds: the page of a proxy, say."""

    code = "source_wrong_content"


@dataclass(frozen=True, slots=True)
class State:
    """What is known of a cached file."""

    etag: str | None = None
    last_modified: str | None = None
    checked_at: str = _NEVER
    mark: str = ""  # the publisher's own stamp of the edition, where its contents give one
    url: str = ""  # whence it came; states of before do not say
    sha256: str = ""  # of the file; likewise

    @classmethod
    def load(cls, data: bytes) -> "State":
        """What was written of a file.

        Raises:
            ValueError, TypeError, OverflowError: it is not what this class has written.
        """
        state = cls(**orjson.loads(data))
        for written in (state.etag or "", state.last_modified or "", state.mark, state.url):
            if not written.isprintable():
                raise ValueError("a header's value has signs that none has")
        find_day(datetime.fromisoformat(state.checked_at))
        return state

    @property
    def validators(self) -> dict[str, str]:
        """The headers' values that the site gave, for asking whether they still hold."""
        pairs = (("etag", self.etag), ("last_modified", self.last_modified))
        return {name: value for name, value in pairs if value}

    def is_fresh(self, moment: datetime) -> bool:
        """Whether it was confirmed not long before ``moment``, and on the same day.

        Of another day it would be taken for seen on one on which nobody asked.
        """
        checked = datetime.fromisoformat(self.checked_at).astimezone(UTC)
        same_day = find_day(checked) == find_day(moment)
        return same_day and timedelta() <= moment - checked < _FRESH


@dataclass(frozen=True, slots=True)
class CachedFile:
    """One file of a publisher, alone in its folder but for its state; ``url`` is its address."""

    path: Path
    url: str = ""

    def read_state(self) -> State:
        """What the cache knows of it.

        Nothing if the file or its state is not what was written, or came from another address:
        what one site gave says nothing of another.
        """
        try:
            if not self.path.is_file():
                return State()
            state = State.load((self.path.parent / _STATE).read_bytes())
            is_other = bool(state.url and self.url and state.url != self.url)
            is_whole = not state.sha256 or state.sha256 == _hash(self.path)
        except (OSError, ValueError, TypeError, AttributeError, OverflowError):
            return State()
        return state if is_whole and not is_other else State()

    def forget(self) -> None:
        """Let go of what the publisher no longer has."""
        (self.path.parent / _STATE).unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)

    def refresh(
        self,
        ask: Callable[[Mapping[str, str]], Fetched],
        require: Callable[[bytes, str], None],
        moment: datetime,
        mark: str = "",
    ) -> datetime | None:
        """Keep what ``ask`` fetches, given the validators of what is held already.

        ``require`` is given content and content type, and raises a ``SourceError`` for what is not
        such a file. Given back is when it was answered, by the publisher's clock.

        Raises:
            OSError: it cannot be kept, or would leave the disk no room for anything else: how much
                there is to be fetched, is the publisher's word alone.
        """
        state = self.read_state()
        fetched = ask(state.validators)
        if fetched.data is not None:
            require(fetched.data, fetched.content_type)
            require_spare(self.path.parent, len(fetched.data))
            # Without its state a file is not taken for whole, so the old one goes first.
            (self.path.parent / _STATE).unlink(missing_ok=True)
            write_whole(self.path, fetched.data)
            digest = sha256(fetched.data).hexdigest()
            state = State(fetched.etag, fetched.last_modified, sha256=digest)
        state = replace(state, checked_at=moment.isoformat(), mark=mark, url=self.url)
        is_new = fetched.data is not None
        _write_state(self.path.parent / _STATE, orjson.dumps(state), is_new=is_new)
        return fetched.answered_at


def _write_state(path: Path, data: bytes, *, is_new: bool) -> None:
    """The state of a file that is as it was is written over the old one: a look has six thousand.

    File systems flush a file that takes another's place. One that was cut short is no JSON, and the
    file is fetched anew.
    """
    if is_new:
        write_whole(path, data)
        return
    with path.open("r+b") as file:
        file.write(data)
        file.truncate()


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class Wanted:
    """One thing to fetch, and the name that a failure of it goes by."""

    key: str
    entry: str


def fetch_each(
    wanted: Sequence[Wanted],
    fetch_one: Callable[[str], None],
    publisher: str,
    unit: str,
    progress: Progress,
) -> tuple[list[str], list[SourceEntry]]:
    """The keys that could be fetched, and an entry with its problem for each that could not.

    Raises:
        SourceError: so many failed in a row that the publisher is not reachable.
    """
    progress.start(f"fetch from {publisher}", len(wanted), unit)
    held: list[str] = []
    missing: list[SourceEntry] = []
    in_a_row = 0
    for one in wanted:
        error = _fetch(one, fetch_one)
        if error is not None:
            problem = str(error)[:_LONGEST_PROBLEM]
            missing.append(SourceEntry(one.entry, b"", problem=problem))
            in_a_row = (
                0 if isinstance(error, NotThere | WrongName | NotUsable | DayOver) else in_a_row + 1
            )
            if in_a_row >= _GIVE_UP:
                raise SourceError(
                    f"{publisher} failed {in_a_row} times in a row, last: {error}; run the"
                    " command again later, it goes on where it stopped"
                ) from error
        else:
            held.append(one.key)
            in_a_row = 0
        progress.advance(1)
    return held, missing


def _fetch(one: Wanted, fetch_one: Callable[[str], None]) -> SourceError | None:
    """Why it could not be had. A publisher's file may fail us in any way: it stops no other."""
    try:
        fetch_one(one.key)
    except SourceError as error:
        return error
    except (FundstelleError, OSError, MemoryError):  # of this machine, not of the file
        raise
    except Exception as error:  # noqa: BLE001
        return SourceError(tell_unforeseen(error, one.entry))
    return None


def get_folder(cache: Path, name: str) -> Path:
    """The folder of that name in the cache.

    Raises:
        WrongName: the name would lead out of it, or is none that every file system takes.
    """
    return cache / check_name(name)


def check_name(name: str) -> str:
    """A name out of an address or a publisher's list, if it can be a file's in the cache.

    It is one part of a path on any system: letters, digits and a few signs, no separator of
    either kind, nothing hidden, no device (``NUL``, ``COM1``), not too long.

    Raises:
        WrongName: it is not.
    """
    stem = name.partition(".")[0].strip().upper()
    if not _NAME.fullmatch(name) or len(name.encode()) > _LONGEST_NAME or stem in _DEVICES:
        shown = repr(name[:_SHOWN])
        raise WrongName(f"{shown} is not the name of a document")
    return name

"""What the Bundestag's record has changed since the last good look, and what is kept of it.

```text
looks/dip/vorgaenge/<id>/<changed>.json  each state of a Vorgang with a promulgation, as it came
looks/dip/acts.json                      what their newest states say: what a build reads
looks/dip/state.json                     up to when the record was read, and what was built last
```
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from fundstelle.corpus.updates import LOOKS
from fundstelle.disks import require_spare
from fundstelle.errors import SourceError
from fundstelle.ingest.history.commencing import FILE, FOLDER, dump_records
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.sources.dip.service import Parliament, Service
from fundstelle.ingest.sources.dip.vorgang import is_promulgated, read_promulgations
from fundstelle.ingest.sources.files.download import Downloader, write_whole

_OVERLAP = timedelta(days=2)  # what the service lists late
_CLOCKS_DIFFER = timedelta(days=1)
_BEFORE = timedelta(days=730)  # acts come into force years after they were promulgated
_NUMBER = re.compile(r"\d{1,12}")
_NOT_IN_NAMES = re.compile(r"[^0-9TZ+]")


@dataclass(frozen=True, slots=True)
class Read:
    """What a look at the record brought: Vorgänge listed, and of them kept anew."""

    asked: int
    new: int


@dataclass(frozen=True, slots=True)
class _State:
    address: str = ""
    since: str = ""  # the newest change that was read
    built: str = ""  # SHA-256 of the acts that the last build was given


@dataclass(frozen=True, slots=True)
class Record:
    """What is kept of parliament's record in a data folder."""

    data: Path

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return self.data / LOOKS / FOLDER

    def follow(
        self,
        parliament: Parliament,
        client: Downloader,
        floor: date,
        moment: datetime,
        progress: Progress,
    ) -> Read:
        """Read what has changed; ``floor`` is the first look at federal law.

        Nothing that is kept changes before the whole list has come.

        Raises:
            SourceError: it has not.
        """
        state = self._read_state()
        if state.address != parliament.address:
            state = replace(state, address=parliament.address, since="")
        begins = datetime.combine(floor - _BEFORE, datetime.min.time(), UTC)
        since = _read_moment(state.since)
        if since is not None and since > moment + _CLOCKS_DIFFER:  # of a day still to come
            since, state = None, replace(state, since="")
        since = begins if since is None else since - _OVERLAP
        progress.start(f"fetch from {parliament.address}", 0, "Vorgänge")
        service = Service.open(parliament, self.data / "cache" / FOLDER, client)
        came: dict[str, Mapping[str, Any]] = {}
        newest, asked = state.since, 0
        for document in service.iter_changed(since, moment):
            asked += 1
            number, changed = str(document.get("id")), document.get("aktualisiert")
            if not _NUMBER.fullmatch(number) or _read_moment(changed) is None:
                raise SourceError(f"{parliament.address} lists a Vorgang without id or day")
            assert isinstance(changed, str)
            # what a Vorgang says of a day still to come must not hide what changes until then
            if _is_later(changed, newest) and not _is_later(changed, moment.isoformat()):
                newest = changed
            is_kept = (self.folder / "vorgaenge" / number).is_dir()
            is_newest = number not in came or _is_later(changed, came[number]["aktualisiert"])
            if is_newest and (is_kept or is_promulgated(document)):
                came[number] = document
            progress.advance(1)
        new = sum(self._keep(number, document) for number, document in sorted(came.items()))
        write_whole(self.folder / FILE, dump_records(read_promulgations(self._iter_newest())))
        self._write_state(replace(state, since=newest))
        return Read(asked, new)

    def is_waiting(self) -> bool:
        """Whether it says something else than what the last build was given."""
        return self._hash() != self._read_state().built and (self.folder / FILE).is_file()

    def mark_built(self) -> None:
        """The build that was made just now knows all of it."""
        if (self.folder / FILE).is_file():
            self._write_state(replace(self._read_state(), built=self._hash()))

    def _hash(self) -> str:
        file = self.folder / FILE
        return sha256(file.read_bytes()).hexdigest() if file.is_file() else ""

    def _keep(self, number: str, document: Mapping[str, Any]) -> bool:
        """Keep a state of a Vorgang; whether it is new."""
        name = _NOT_IN_NAMES.sub("", document["aktualisiert"])
        path = self.folder / "vorgaenge" / number / f"{name}.json"
        data = orjson.dumps(document, option=orjson.OPT_SORT_KEYS)
        for left in path.parent.glob("*.part"):  # by a run that was killed within another state
            left.unlink()
        if path.is_file() and path.read_bytes() == data:
            return False
        require_spare(path.parent, len(data))
        write_whole(path, data, durable=True)
        return True

    def _iter_newest(self) -> Iterator[Mapping[str, Any]]:
        """The newest state of each Vorgang; one that cannot be read says nothing."""
        for folder in sorted((self.folder / "vorgaenge").glob("*")):
            newest: dict[str, Any] = {}
            for path in sorted(folder.glob("*.json")):
                try:
                    state = orjson.loads(path.read_bytes())
                except ValueError:
                    continue
                if _is_later(state["aktualisiert"], newest.get("aktualisiert", "")):
                    newest = state
            if newest:
                yield newest

    def _read_state(self) -> _State:
        try:
            return _State(**orjson.loads((self.folder / "state.json").read_bytes()))
        except (OSError, ValueError, TypeError):
            return _State()

    def _write_state(self, state: _State) -> None:
        write_whole(self.folder / "state.json", orjson.dumps(asdict(state)))


def _is_later(one: str, other: str) -> bool:
    first, second = _read_moment(one), _read_moment(other)
    return first is not None and (second is None or first > second)


def _read_moment(written: object) -> datetime | None:
    try:
        read = datetime.fromisoformat(written) if isinstance(written, str) else None
    except ValueError:
        return None
    return read.replace(tzinfo=UTC) if read is not None and read.tzinfo is None else read

"""Fetching documents of the federal legal information system, one by one or by its archives."""

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from functools import partial
from io import BytesIO
from pathlib import Path

import orjson

from fundstelle.corpus.manifest import OwedDocument
from fundstelle.errors import SourceError
from fundstelle.ingest.history.snapshots import MAX_FILE_BYTES, SourceEntry
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.files.archives import ArchiveSnapshot
from fundstelle.ingest.sources.files.cache import (
    CachedFile,
    Wanted,
    WrongContent,
    fetch_each,
    get_folder,
)
from fundstelle.ingest.sources.files.download import Downloader, NotThere
from fundstelle.ingest.sources.files.failures import tell_failure
from fundstelle.ingest.sources.files.limits import (
    MAX_INNER_DIRECTORY_BYTES,
    ZIP_DAMAGE,
    check_directory,
    check_member,
)
from fundstelle.ingest.sources.files.patience import limited
from fundstelle.ingest.sources.neuris.documents import WITHDRAWN, read_decision
from fundstelle.ingest.sources.neuris.expression import parse_document, read_expression
from fundstelle.ingest.sources.neuris.service import (
    CASE_LAW,
    LEGISLATION,
    Listed,
    Owed,
    Service,
    get_work,
    list_archives,
    list_decisions,
    list_expressions,
)

_MOST_DOCUMENT = 64 * 2**20
_MOST_ARCHIVE = 2**30  # what is more is asked for one by one
_MOST_MEMBERS = 1_000
_MOST_UNPACKED = 256 * 2**20
# of one tag each, however many begin and do not end: these are read without a limit of time
_BEGINS = re.compile(rb"<[\w.]*:?inkraft\b[^<>]*?\bdate=[\"'](\d{4}-\d\d-\d\d)[\"']")
_WORK = re.compile(
    rb"<[\w.]*:?FRBRuri\b[^<>]*?\bvalue=[\"']/?(eli/bund/[a-z0-9-]+/\d{4}/[a-z0-9-]+)"
)


@dataclass(frozen=True, slots=True)
class ServiceFiles:
    """What was fetched, with what the service says it no longer has."""

    service: Service
    held: tuple[Listed, ...]
    retrieved_at: datetime
    missing: tuple[SourceEntry, ...] = ()
    withdrawn: tuple[str, ...] = ()
    archives: tuple[Path, ...] = ()
    owed: Owed | None = None  # what is, once a build holds these
    name: str = "rechtsinformationen.bund.de"

    @property
    def url(self) -> str:
        """The service's address."""
        return self.service.address + "/"

    def entries(self) -> Iterator[SourceEntry]:
        """The files of every document, and a problem for each that could not be had."""
        yield from self.missing
        for path in self.archives:
            yield from ArchiveSnapshot(path, self.url, (".xml",)).entries()
        for one in self.held:
            data = _find_file(self.service, one).path.read_bytes()
            if one.name.startswith("eli/"):
                yield from _unzip(one.name, data)
            else:
                yield SourceEntry(name_entry(one), data)
        if self.withdrawn:
            yield SourceEntry(f"neuris/{WITHDRAWN}", orjson.dumps(sorted(self.withdrawn)))

    def settle(self) -> None:
        """A build holds them: what came is no longer owed."""
        if self.owed is not None:
            self.owed.write(self.service.note)

    def list_owed(self) -> tuple[OwedDocument, ...]:
        """What is still owed then."""
        return self.owed.list_documents() if self.owed is not None else ()


@dataclass(slots=True)
class Fetching:
    """A run under way: what came, and what did not."""

    service: Service
    moment: datetime
    progress: Progress
    held: list[Listed] = field(default_factory=list)
    missing: list[SourceEntry] = field(default_factory=list)

    def take(self, wanted: Sequence[Listed], unit: str) -> set[str]:
        """Fetch these; the names of those that came.

        Raises:
            SourceError: so many failed in a row that the service is not reachable.
        """
        listed = {one.name: one for one in wanted}
        came, missing = fetch_each(
            [Wanted(name, name_entry(one)) for name, one in listed.items()],
            lambda name: self._fetch(listed[name]),
            self.service.address,
            unit,
            self.progress,
        )
        self.held += (listed[name] for name in came)
        self.missing += missing
        return set(came)

    def finish(self, withdrawn: Sequence[str] = (), archives: Sequence[Path] = ()) -> ServiceFiles:
        """What is handed to the build."""
        return ServiceFiles(
            self.service,
            tuple(self.held),
            self.moment,
            tuple(self.missing),
            tuple(withdrawn),
            tuple(archives),
        )

    def _fetch(self, one: Listed) -> None:
        if not one.address:
            raise NotThere(f"{self.service.address} names no file of {one.name}")
        url = self.service.resolve(one.address)
        file = CachedFile(_find_file(self.service, one).path, url)
        if file.read_state().is_fresh(self.moment):
            return
        ask = partial(self.service.client.fetch, url, _MOST_DOCUMENT)
        require = _require_expression if one.name.startswith("eli/") else _require_decision
        try:
            file.refresh(ask, partial(require, url, one.name), self.moment)
        except NotThere:
            file.forget()
            raise


def forget(service: Service, names: Sequence[str]) -> None:
    """Let go of what changed, so that it is asked for however fresh the cache is."""
    for name in names:
        state = _find_file(service, Listed(name, "")).path.parent / "state.json"
        state.unlink(missing_ok=True)


def fetch(
    order: Order, client: Downloader, progress: Progress, now: datetime | None = None
) -> ServiceFiles | None:
    """All laws and decisions, or with a day those that have changed since.

    Raises:
        SourceError: the service cannot be reached.
    """
    moment = now or datetime.now(UTC)
    if order.since is not None:
        from fundstelle.ingest.sources.neuris.changelog import gather  # noqa: PLC0415 -- mutual

        return gather(order, (), client, progress, moment).files
    service = Service.open(order, client)
    return fetch_all(Fetching(service, moment, progress))


def fetch_all(fetching: Fetching) -> ServiceFiles:
    """Everything that the service has: by its archives, else document by document.

    Raises:
        SourceError: the service cannot be reached.
    """
    service = fetching.service
    try:
        packed = list_archives(service)
    except SourceError as error:
        fetching.progress.note(f"{service.address} names no archives: {error}")
        packed = {}
    archives = []
    lists = {LEGISLATION: list_expressions, CASE_LAW: list_decisions}
    for kind, list_all in lists.items():
        path = _fetch_archive(fetching, kind, packed[kind]) if kind in packed else None
        if path is not None:
            archives.append(path)
        else:
            fetching.take(list_all(service), kind)
    return note_owed(fetching.finish(archives=archives))


def _fetch_archive(fetching: Fetching, kind: str, url: str) -> Path | None:
    """The archive of a kind; ``None`` if it cannot be used, which is said."""
    service = fetching.service
    file = CachedFile(service.cache / "archives" / kind / "all.zip", url)
    try:
        if not file.read_state().is_fresh(fetching.moment):
            ask = partial(service.client.fetch, url, _MOST_ARCHIVE)
            file.refresh(ask, partial(_require_zip, url), fetching.moment)
    except SourceError as error:
        fetching.progress.note(f"{error}; its documents are asked for one by one")
        return None
    return file.path


def note_owed(files: ServiceFiles) -> ServiceFiles:
    """Write down what the next update asks for again: what failed, and texts still to come.

    What was owed before stays so until a build holds these files: none may come about today.
    """
    note, today = files.service.note, files.retrieved_at.date()
    failed = {_read_entry(entry.name) for entry in files.missing}
    coming: dict[str, date] = {}
    for entry in files.entries():
        first, work = _BEGINS.search(entry.data), _WORK.search(entry.data)
        if first is None or work is None:
            continue
        try:
            day = date.fromisoformat(first[1].decode())
        except ValueError:
            continue
        name = work[1].decode()
        if day > today and day < coming.get(name, date.max):
            coming[name] = day
    read = {get_work(one.name) for one in files.held}
    before = files.service.read_owed()
    kept = {work: day for work, day in before.coming.items() if work not in read}
    owed = Owed(frozenset(failed), {**kept, **coming})
    owed.join(before).write(note)
    return replace(files, owed=owed)


def name_entry(one: Listed) -> str:
    """The file of a document, or the folder of its files."""
    if one.name.startswith("eli/"):
        return f"neuris/{one.name}"
    return f"neuris/{CASE_LAW}/{one.name}.xml"


def _read_entry(name: str) -> str:
    plain = name.removeprefix("neuris/")
    return plain.removeprefix(f"{CASE_LAW}/").removesuffix(".xml")


def _find_file(service: Service, one: Listed) -> CachedFile:
    folder = get_folder(service.cache, one.name.replace("/", "_"))
    kind = "expression.zip" if one.name.startswith("eli/") else "decision.xml"
    return CachedFile(folder / kind)


def _require_zip(url: str, data: bytes, content_type: str) -> None:
    if not zipfile.is_zipfile(BytesIO(data)):
        raise WrongContent(f"{url} is no whole zip file ({content_type})")


def _require_expression(url: str, eli: str, data: bytes, content_type: str) -> None:
    """See that it is the archive of that expression."""
    problem = "it holds no norm"
    for entry in _unzip(eli, data):
        if entry.problem:
            raise WrongContent(f"{url}: {entry.problem} ({content_type})")
        file = SourceFile(entry.name, "", entry.data)
        try:
            with limited():
                document = parse_document(file)
                if document.tag != "act":
                    continue
                if read_expression(file, document).eli == eli:
                    return
                problem = "it is another text"
        except Exception as error:  # noqa: BLE001 a parser may fail on a stranger's file in any way
            problem = tell_failure(error)
    raise WrongContent(f"{url} is not the text {eli}: {problem} ({content_type})")


def _require_decision(url: str, number: str, data: bytes, content_type: str) -> None:
    """See that it is the decision of that number."""
    try:
        with limited():
            parsed = read_decision(SourceFile(f"{number}.xml", "", data))
    except Exception as error:
        reason = tell_failure(error)
        raise WrongContent(f"{url} cannot be read: {reason} ({content_type})") from error
    if number not in {source.publisher_id for source in parsed.decision.sources}:
        raise WrongContent(f"{url} is another decision than {number}")


def _unzip(eli: str, data: bytes) -> Iterator[SourceEntry]:
    """The XML files of an expression; each at most one byte longer than a file may be."""
    folder, size = f"neuris/{eli}", 0
    try:
        check_directory(packed_file := BytesIO(data), "it", MAX_INNER_DIRECTORY_BYTES)
        with zipfile.ZipFile(packed_file) as packed:
            members = [one for one in packed.infolist() if one.filename.endswith(".xml")]
            if len(members) > _MOST_MEMBERS:
                yield SourceEntry(folder, b"", problem="its zip file holds too many files")
                return
            for member in members:
                check_member(member, "it")
                with packed.open(member) as file:
                    content = file.read(MAX_FILE_BYTES + 1)
                size += len(content)
                if size > _MOST_UNPACKED:
                    yield SourceEntry(folder, b"", problem="it unpacks to more than any law has")
                    return
                yield SourceEntry(f"{folder}/{member.filename.rpartition('/')[2]}", content)
    except ZIP_DAMAGE as error:
        yield SourceEntry(folder, b"", problem=f"its zip file is damaged ({error})")
    except SourceError as error:
        yield SourceEntry(folder, b"", problem=f"its zip file is refused: {error}")

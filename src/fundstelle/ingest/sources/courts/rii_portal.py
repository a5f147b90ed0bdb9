"""The federal portal "Rechtsprechung im Internet": its table of contents, one zip a decision.

A decision whose ``modified`` is still that of the file held is not asked for at all.
"""

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from functools import partial
from io import BytesIO
from pathlib import Path

from fundstelle.corpus.manifest import OwedDocument
from fundstelle.errors import SourceError
from fundstelle.ingest.history.snapshots import MAX_FILE_BYTES, SourceEntry
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.adapter import Followed, HeldEdition, Order
from fundstelle.ingest.sources.courts import rii
from fundstelle.ingest.sources.courts.rii_contents import (
    Item,
    Owed,
    read_contents,
    require_contents,
)
from fundstelle.ingest.sources.files.cache import (
    CachedFile,
    Wanted,
    WrongContent,
    fetch_each,
    get_folder,
)
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.files.failures import tell_failure
from fundstelle.ingest.sources.files.limits import (
    MAX_INNER_DIRECTORY_BYTES,
    ZIP_DAMAGE,
    check_directory,
    check_member,
)
from fundstelle.ingest.sources.files.owed import OwedNote
from fundstelle.ingest.sources.files.patience import limited

_MOST_CONTENTS = 128 * 2**20
_MOST_DECISION = 32 * 2**20
_MOST_FOLLOWED = 5_000  # the portal publishes some hundred a week
_LONGEST_NUMBER = 40
_PATH = "jportal/docs/bsjrs"


@dataclass(frozen=True, slots=True)
class Portal:
    """Where the portal is and where its files are kept."""

    cache: Path
    base_url: str
    note: OwedNote
    lacking: frozenset[str] = frozenset()  # numbers that the live build is owed

    @classmethod
    def open(cls, order: Order) -> "Portal":
        """The portal that an order names."""
        note = OwedNote.of(order.kept, order.cache)
        return cls(order.cache, order.address, note, frozenset(one.name for one in order.owed))

    def read_owed(self) -> Owed:
        """What was noted, and what the live build lacks: what came may be in another one alone."""
        owed = Owed.read(self.note)
        return replace(owed, missing=owed.missing | self.lacking)


@dataclass(frozen=True, slots=True)
class PortalFiles:
    """The decisions fetched from the portal, on one day."""

    portal: Portal
    numbers: tuple[str, ...]
    retrieved_at: datetime
    missing: tuple[SourceEntry, ...] = ()
    owed: Owed | None = None  # what is, once a build holds these
    name: str = "rechtsprechung-im-internet.de"

    @property
    def url(self) -> str:
        """The portal's address."""
        return self.portal.base_url + "/"

    def entries(self) -> Iterator[SourceEntry]:
        """Every decision out of its zip file, and a problem for each that could not be had."""
        yield from self.missing
        for number in self.numbers:
            data = (self.portal.cache / number / "decision.zip").read_bytes()
            try:
                yield SourceEntry(_name(number), _unzip(number, data))
            except SourceError as error:
                yield SourceEntry(_name(number), b"", problem=f"its zip file {error}")

    def settle(self) -> None:
        """A build holds them: what came is no longer owed."""
        if self.owed is not None:
            self.owed.write(self.portal.note)

    def list_owed(self) -> tuple[OwedDocument, ...]:
        """What is still owed then."""
        return self.owed.list_documents() if self.owed is not None else ()


def fetch(
    order: Order, client: Downloader, progress: Progress, now: datetime | None = None
) -> PortalFiles:
    """The decisions of the day given or later, or all.

    Decisions are often published months after their day, so the same day may be asked for
    again and again: what has come or changed meanwhile is fetched, the rest is held. What cannot
    be had is asked for by the next update.

    Raises:
        SourceError: the portal cannot be reached, or names no such decision.
    """
    portal, since = Portal.open(order), order.since
    moment = now or datetime.now(UTC)
    items = _fetch_contents(portal, client, moment)
    earliest = since or date.min
    chosen = [item for item in items if (item.issued_on or date.min) >= earliest]
    if not chosen:
        raise SourceError(f"{portal.base_url} names no decision since {since}")
    files = _fetch_all(portal, client, progress, chosen, moment)
    missing = frozenset(one.number for one in chosen).difference(files.numbers)
    before = portal.read_owed().missing
    Owed(before | missing, len(items)).write(portal.note)
    return replace(files, owed=Owed(before.difference(files.numbers) | missing, len(items)))


def follow(
    order: Order,
    _held: Sequence[HeldEdition],
    client: Downloader,
    progress: Progress,
    now: datetime | None = None,
) -> Followed:
    """The decisions that the portal says it has changed on the day given or later.

    With them those that could not be had before, until they can, or are no longer listed.

    Raises:
        SourceError: the portal cannot be reached, names so many that somebody should ask for them
            by hand, or has lost most of what it listed the last time.
    """
    portal, since = Portal.open(order), (order.since or date.min).isoformat()
    moment = now or datetime.now(UTC)
    owed = portal.read_owed()
    listed = _fetch_contents(portal, client, moment)
    owed.require_most(portal.base_url, len(listed))
    chosen = [one for one in listed if one.modified >= since or one.number in owed.missing]
    if len(chosen) > _MOST_FOLLOWED:
        raise SourceError(
            f"{portal.base_url} names {len(chosen):,} decisions as changed since {since}, more than"
            f" {_MOST_FOLLOWED:,}; fetch them with 'fundstelle ingest --decisions'"
        )
    if not chosen:
        Owed(listed=len(listed)).write(portal.note)
        return Followed(None, 0, 0)
    files = _fetch_all(portal, client, progress, chosen, moment)
    missing = frozenset(one.number for one in chosen).difference(files.numbers)
    problems = tuple(f"{entry.name}: {entry.problem}" for entry in files.missing)
    settled = Owed(missing, len(listed))
    if not files.numbers:
        settled.write(portal.note)
        return Followed(None, len(chosen), 0, problems)
    # what came is owed until a build holds it: none may come about today
    replace(settled, missing=owed.missing | missing).write(portal.note)
    return Followed(replace(files, owed=settled), len(chosen), len(files.numbers), problems)


def _fetch_all(
    portal: Portal,
    client: Downloader,
    progress: Progress,
    chosen: Sequence[Item],
    moment: datetime,
) -> PortalFiles:
    items = {item.number: item for item in chosen}
    held, missing = fetch_each(
        [Wanted(number, _name(number)) for number in items],
        lambda number: _fetch_decision(portal, client, items[number], moment),
        portal.base_url,
        "decisions",
        progress,
    )
    return PortalFiles(portal, tuple(held), moment, tuple(missing))


def _fetch_contents(portal: Portal, client: Downloader, moment: datetime) -> Sequence[Item]:
    url = f"{portal.base_url}/rii-toc.xml"
    file = CachedFile(portal.cache / "contents" / "rii-toc.xml", url)
    ask = partial(client.fetch, url, _MOST_CONTENTS)
    file.refresh(ask, partial(require_contents, url), moment)
    return list(read_contents(file.path.read_bytes()))


def _fetch_decision(portal: Portal, client: Downloader, item: Item, moment: datetime) -> None:
    url = f"{portal.base_url}/{_PATH}/jb-{item.number}.zip"
    file = CachedFile(get_folder(portal.cache, item.number) / "decision.zip", url)
    state = file.read_state()
    known = bool(item.modified and state.mark)
    if state.mark == item.modified if known else state.is_fresh(moment):
        return
    ask = partial(client.fetch, url, _MOST_DECISION)
    file.refresh(ask, partial(_require_decision, url, item.number), moment, item.modified)


def _require_decision(url: str, number: str, data: bytes, content_type: str) -> None:
    """See that it is the decision; one without a text is told of when it is read."""
    try:
        file = SourceFile(_name(number), "rii", _unzip(number, data))
        with limited():
            held = rii.read_number(file)
    except SourceError as error:
        raise WrongContent(f"{url} {error} ({content_type})") from error
    except Exception as error:  # a parser may fail on a stranger's file in any way
        raise WrongContent(f"{url} cannot be read: {tell_failure(error)}") from error
    if held != number:
        raise WrongContent(f"{url} holds the decision {held[:_LONGEST_NUMBER]!r}")


def _unzip(number: str, data: bytes) -> bytes:
    """The one XML file of a decision; at most one byte more than a file may have."""
    try:
        check_directory(packed_file := BytesIO(data), "it", MAX_INNER_DIRECTORY_BYTES)
        with zipfile.ZipFile(packed_file) as packed:
            for member in packed.infolist():
                if member.filename.endswith(".xml"):
                    check_member(member, "it")
                    with packed.open(member) as file:
                        return file.read(MAX_FILE_BYTES + 1)
    except ZIP_DAMAGE as error:
        raise SourceError(f"is no whole zip file: {error}") from error
    raise SourceError(f"holds no decision {number}")


def _name(number: str) -> str:
    return f"rii/{number}.xml"

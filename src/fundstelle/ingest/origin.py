"""Where the corpus comes from: named, carried in by hand, the official site, or the demonstration.

```text
1  what was asked for        folder, archive, one law, or URL of an archive
2  carried in by hand        corpus/ or ../shared/corpus beside the checkout
3  the official site         the most used laws, or all
4  the demonstration corpus  invented law, if nothing else can be reached and no official law is
                             held
```
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from fundstelle.corpus.updates import LOOKS
from fundstelle.errors import SourceError
from fundstelle.ingest.authenticity import Proof
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.looks import Dated, LawHistory
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.sources import demonstration
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.by_hand import (
    find_collections,
    find_history,
    find_snapshots,
    has_history,
)
from fundstelle.ingest.sources.files.archives import SUFFIXES, ArchiveSnapshot
from fundstelle.ingest.sources.files.cache import check_name
from fundstelle.ingest.sources.files.download import Downloader, write_whole
from fundstelle.ingest.sources.gii.official_site import STARTER
from fundstelle.ingest.sources.registry import EU_LAW, FEDERAL_LAW, CollectionSource

BESIDE = ("corpus", "../shared/corpus")  # and the folder "history" beside it

_MOST_ARCHIVE = 512 * 2**20


@dataclass(frozen=True, slots=True)
class Origin:
    """What was asked for, and where to look."""

    source: str | None  # path or URL; None = look for one
    laws: tuple[str, ...]  # slugs; empty = what the source holds, or the starter set of the site
    everything: bool  # from the official site: all laws
    roots: tuple[Path, ...]  # folders beside which archives may have been put
    cache: Path
    site_url: str = FEDERAL_LAW.url.rstrip("/")
    proof: Proof = field(default_factory=Proof)  # of ``source``
    history: tuple[Path, ...] = ()  # versions of laws and looks, named beside the source
    may_invent: bool = True  # the demonstration may stand in: there is no official law to replace
    obstacle: str | None = None  # why nothing may be begun from the official site


@dataclass(frozen=True, slots=True)
class Additions:
    """Documents to fetch from official services and to add to the live build."""

    celex: tuple[str, ...]
    sources: tuple[CollectionSource, ...]  # all that they have, or what is of ``since`` or later
    since: date | None
    data: Path  # folder of the corpus
    addresses: Mapping[str, str]  # of services elsewhere than at the source's own, by source_type

    @property
    def is_empty(self) -> bool:
        """Nothing was asked for."""
        return not (self.celex or self.sources)

    def list_orders(self) -> Iterator[tuple[CollectionSource, Order]]:
        """What to fetch of each source."""
        if self.celex and EU_LAW not in self.sources:
            yield EU_LAW, self._order(EU_LAW, self.celex, None)
        for source in self.sources:
            yield source, self._order(source, self.celex if source is EU_LAW else None, self.since)

    def _order(
        self, source: CollectionSource, names: tuple[str, ...] | None, since: date | None
    ) -> Order:
        address = self.addresses.get(source.source_type, source.url.rstrip("/"))
        cache, kept = self.data / "cache" / source.cache, self.data / LOOKS / source.cache
        return Order(cache, address, names, since, kept)


def fetch_additions(wanted: Additions, client: Downloader, progress: Progress) -> list[Collection]:
    """What was asked for.

    Raises:
        SourceError: a source has no service, or it cannot be reached; run again, it goes on where
            it stopped.
    """
    found: list[Collection] = []
    for source, order in wanted.list_orders():
        fetch = source.adapter().fetch
        if fetch is None:
            raise SourceError(f"{source.name} cannot be fetched: give its files with --source")
        files = fetch(order, client, progress)
        if files is not None:
            is_look = order.since is None and order.names is None
            looked_on = files.retrieved_at.date() if is_look else None
            found.append(Collection(source, files, adds=True, looked_on=looked_on))
    return found


def find(origin: Origin, client: Downloader, progress: Progress) -> list[Dated | Collection]:
    """The snapshots and collections to build from, in the order above.

    Raises:
        SourceError: what was asked for cannot be used; nothing else is put in its place.
    """
    named = [each for path in origin.history for each in _find_history(path)]
    if origin.source:
        found = _open_named(origin.source, origin.cache, origin.proof, client, progress)
        return [*found, *named]
    carried = None if origin.everything else _find_carried(origin.roots)
    if carried:
        folder, found = carried
        progress.note(f"source: {folder}")
        beside = named or _find_beside(folder.parent / "history")
        for one in beside:
            progress.note(f"history: {_name(one)}")
        return [*found, *beside]
    if origin.obstacle:  # before it is asked: a service is started again and again
        raise SourceError(origin.obstacle)
    laws = None if origin.everything else origin.laws or STARTER
    try:
        return [_fetch(origin, client, progress, laws), *named]
    except SourceError as error:
        if origin.everything or origin.laws:
            raise
        if not origin.may_invent:
            raise SourceError(
                f"the official site cannot be used, and what is held stays as it was: {error}"
            ) from error
        progress.note(f"the official site cannot be used: {error}")
        progress.note(demonstration.NOTICE)
        return [*demonstration.open_all()]


def _fetch(
    origin: Origin, client: Downloader, progress: Progress, laws: Sequence[str] | None
) -> Snapshot:
    names = None if laws is None else tuple(laws)
    order = Order(origin.cache / FEDERAL_LAW.cache, origin.site_url, names)
    return FEDERAL_LAW.adapter().fetch(order, client, progress)


def _open_named(
    source: str, cache: Path, proof: Proof, client: Downloader, progress: Progress
) -> list[Dated | Collection]:
    if "://" not in source:
        proof.check_file(Path(source))
        if demonstration.is_in(Path(source)):  # what is invented is said to be, however it is named
            return [*demonstration.open_all()]
        return _find_all(Path(source))
    try:
        name = unquote(PurePosixPath(urlsplit(source).path).name)
    except ValueError:
        raise SourceError(f"{source!r} is no address") from None
    if not name.endswith(SUFFIXES):
        raise SourceError(f"{source} is not the address of an archive ({', '.join(SUFFIXES)})")
    check_name(name)
    progress.start(f"fetch {name}", 0, "files")
    folder = hashlib.sha256(source.encode()).hexdigest()[:16]
    path = cache / "downloads" / folder / name
    fetched = client.fetch(source, _MOST_ARCHIVE)
    proof.check(fetched.data or b"", name)
    write_whole(path, fetched.data or b"")
    return [*find_collections(path)] or [ArchiveSnapshot(path, source)]


def _find_all(path: Path) -> list[Dated | Collection]:
    """Snapshots of federal law, its history, and collections of documents.

    Raises:
        SourceError: there is nothing of the kind.
    """
    history = find_history(path) if has_history(path) else []
    if history and path.is_file():
        return [*history]
    return [*find_snapshots(path), *history, *find_collections(path)]


def _find_carried(roots: Sequence[Path]) -> tuple[Path, list[Dated | Collection]] | None:
    for root in roots:
        for place in BESIDE:
            folder = root / place
            try:
                if folder.is_dir():
                    return folder, _find_all(folder)
            except SourceError:
                continue  # a folder of that name that holds something else
    return None


def _find_beside(folder: Path) -> list[Dated | Collection]:
    return _find_history(folder) if folder.is_dir() and has_history(folder) else []


def _find_history(path: Path) -> list[Dated | Collection]:
    """Earlier versions of laws, and of acts beside them."""
    return [*find_history(path), *find_collections(path)]


def _name(one: Dated | Collection) -> str:
    return one.files.name if isinstance(one, Collection | LawHistory) else one.name

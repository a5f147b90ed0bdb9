"""Where the corpus comes from: named, carried in by hand, the official site, or the demonstration.

```text
1  what was asked for        folder, archive, one law, or URL of an archive
2  carried in by hand        corpus/ or ../shared/corpus beside the checkout
3  the official site         the most used laws, or all
4  the demonstration corpus  invented law, if nothing else can be reached
```
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

from fundstelle.errors import SourceError
from fundstelle.ingest.authenticity import Proof
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.sources import demonstration
from fundstelle.ingest.sources.courts import rii_portal
from fundstelle.ingest.sources.eu import cellar, cellar_lists
from fundstelle.ingest.sources.files.archives import (
    SUFFIXES,
    ArchiveSnapshot,
    find_collections,
    find_snapshots,
)
from fundstelle.ingest.sources.files.cache import check_name
from fundstelle.ingest.sources.files.download import Downloader, write_whole
from fundstelle.ingest.sources.gii import official_site

BESIDE = ("corpus", "../shared/corpus")

_MOST_ARCHIVE = 512 * 2**20


@dataclass(frozen=True, slots=True)
class Origin:
    """What was asked for, and where to look."""

    source: str | None  # path or URL; None = look for one
    laws: tuple[str, ...]  # slugs; empty = what the source holds, or the starter set of the site
    everything: bool  # from the official site: all laws
    roots: tuple[Path, ...]  # folders beside which archives may have been put
    cache: Path
    site_url: str = official_site.BASE_URL
    proof: Proof = field(default_factory=Proof)  # of ``source``


@dataclass(frozen=True, slots=True)
class Additions:
    """Documents to fetch from official services and to add to the live build."""

    celex: tuple[str, ...]
    acts: bool  # regulations and directives dated ``since`` or later
    decisions: bool  # federal decisions dated ``since`` or later
    since: date | None
    cache: Path
    portal_url: str = rii_portal.BASE_URL
    cellar_url: str = cellar.BASE_URL

    @property
    def is_empty(self) -> bool:
        """Nothing was asked for."""
        return not (self.celex or self.acts or self.decisions)


def fetch_additions(wanted: Additions, client: Downloader, progress: Progress) -> list[Collection]:
    """What was asked for.

    Raises:
        SourceError: a service cannot be reached; run again, it goes on where it stopped.
    """
    found: list[Collection] = []
    numbers = list(wanted.celex)
    if wanted.acts and wanted.since is not None:
        numbers += cellar_lists.list_acts(wanted.cellar_url, client, wanted.since)
    if numbers:
        repository = cellar.Cellar(wanted.cache / "cellar", wanted.cellar_url)
        found.append(cellar.fetch(repository, client, progress, numbers))
    if wanted.decisions:
        portal = rii_portal.Portal(wanted.cache / "rii", wanted.portal_url)
        found.append(rii_portal.fetch(portal, client, progress, wanted.since))
    return found


def find(origin: Origin, client: Downloader, progress: Progress) -> list[Snapshot | Collection]:
    """The snapshots and collections to build from, in the order above.

    Raises:
        SourceError: what was asked for cannot be used; nothing else is put in its place.
    """
    if origin.source:
        return _open_named(origin.source, origin.cache, origin.proof, client, progress)
    carried = None if origin.everything else _find_carried(origin.roots)
    if carried:
        progress.note(f"source: {carried[0]}")
        return carried[1]
    laws = None if origin.everything else origin.laws or official_site.STARTER
    try:
        return [_fetch(origin, client, progress, laws)]
    except SourceError as error:
        if origin.everything or origin.laws:
            raise
        progress.note(f"the official site cannot be used: {error}")
        progress.note(demonstration.NOTICE)
        return [*demonstration.open_snapshots(), demonstration.open_decisions()]


def _fetch(
    origin: Origin, client: Downloader, progress: Progress, laws: Sequence[str] | None
) -> Snapshot:
    site = official_site.Site(origin.cache / "gii", origin.site_url)
    return official_site.fetch(site, client, progress, laws)


def _open_named(
    source: str, cache: Path, proof: Proof, client: Downloader, progress: Progress
) -> list[Snapshot | Collection]:
    if "://" not in source:
        proof.check_file(Path(source))
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
    return [*find_collections(path)] or [ArchiveSnapshot(path, url=source)]


def _find_all(path: Path) -> list[Snapshot | Collection]:
    """Snapshots of federal law, decisions and EU acts.

    Raises:
        SourceError: there is nothing of the kind.
    """
    return [*find_snapshots(path), *find_collections(path)]


def _find_carried(roots: Sequence[Path]) -> tuple[Path, list[Snapshot | Collection]] | None:
    for root in roots:
        for place in BESIDE:
            folder = root / place
            try:
                if folder.is_dir():
                    return folder, _find_all(folder)
            except SourceError:
                continue  # a folder of that name that holds something else
    return None

"""The official site "Gesetze im Internet": its table of contents and one ``xml.zip`` a law.

What was fetched stays in a cache folder with its ETag and date, so that a second run asks only
what has changed and an interrupted one goes on where it stopped.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from types import MappingProxyType
from urllib.parse import quote

from fundstelle.errors import SourceError
from fundstelle.ingest.days import find_day
from fundstelle.ingest.history.contents import is_table_of_contents, read_slugs
from fundstelle.ingest.history.looks import LOOKS
from fundstelle.ingest.history.snapshots import SourceEntry
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.files.archives import unzip_law
from fundstelle.ingest.sources.files.cache import (
    CachedFile,
    DayOver,
    NotUsable,
    Wanted,
    WrongContent,
    WrongName,
    fetch_each,
    get_folder,
)
from fundstelle.ingest.sources.files.download import Downloader, write_whole
from fundstelle.ingest.sources.files.failures import tell_failure
from fundstelle.ingest.sources.files.patience import limited
from fundstelle.ingest.sources.gii.doubts import NO_LAWS, Doubts, HeldLaws, require_own_name
from fundstelle.ingest.sources.gii.fingerprints import fingerprint
from fundstelle.ingest.sources.gii.kept import RESERVED, KeptLooks, Look
from fundstelle.ingest.sources.gii.parse import parse_statute, read_header

# The laws a legal practice asks for most: the codes, company, labour, social, tax, public law.
STARTER = tuple(
    """
    gg bgb bgbeg stgb zpo stpo hgb gmbhg aktg inso gvg famfg vwvfg vwgo vwzg_2005 bverfgg
    sgb_1 sgb_2 sgb_3 sgb_4 sgb_5 sgb_6 sgb_7 sgb_8 sgb_9_2018 sgb_10 sgb_11 sgb_12 sgg
    estg ao_1977 ustg_1980 kstg_1977 gewstg erbstg_1974 grestg_1983 fgo
    bdsg_2018 ttdsg tkg_2021 ddg uwg_2004 gwb urhg markeng patg geschgehg
    arbgg kschg betrvg tzbfg burlg arbzg muschg_2018 milog agg entgfg
    aufenthg_2004 asylvfg_1992 stvg stvo_2013 bbaug baunvo bimschg gewo
    vvg_2008 woeigg prodhaftg umwg_1995 kredwg wphg gwg_2017 rvg gkg_2004 owig_1968 brao
    """.split()  # noqa: SIM905 one word a law reads better
)

_MOST_LAW = 32 * 2**20
_MOST_CONTENTS = 16 * 2**20
_CLOCKS_DIFFER = timedelta(days=1)
_SLUG = re.compile(r"[\w-]{1,150}", re.ASCII)
_SHOWN = 80
_FEW_FAILED = 9  # single files may be of no use for a while
_FEW_LEFT = 1  # of a small selection
_MOST_LEFT = 0.3  # of the laws that are listed; the publisher takes single ones away


_LATE = "the day was over before they were asked for; the next look asks for them"

Clock = Callable[[], datetime]


def _read_clock() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class _Today:
    """The day of a look, at the publisher, and what tells that it is over.

    ``ahead`` is by how much the publisher's clock is ahead of this machine's.
    """

    day: date
    clock: Clock
    ahead: timedelta

    @classmethod
    def begin(cls, answered_at: datetime | None, clock: Clock, now: datetime) -> "_Today":
        """From what the publisher answered first, which may not say when."""
        ahead = timedelta() if answered_at is None else answered_at - now
        return cls(find_day(now + ahead), clock, ahead)

    def read(self) -> datetime:
        """The time at the publisher."""
        return self.clock() + self.ahead

    def require(self, answered_at: datetime | None) -> None:
        """See that it is still that day when something was answered, or by now.

        Raises:
            DayOver: it is not.
        """
        if find_day(answered_at or self.read()) != self.day:
            raise DayOver(_LATE)


@dataclass(frozen=True, slots=True)
class Site:
    """Where the site is and where its files are kept."""

    cache: Path
    base_url: str


@dataclass(frozen=True, slots=True)
class SiteSnapshot:
    """The laws fetched from the site, on one day."""

    site: Site
    slugs: tuple[str, ...]
    day: date
    retrieved_at: datetime
    partial: bool
    name: str = "gesetze-im-internet.de"
    demonstration: bool = False
    missing: tuple[SourceEntry, ...] = ()

    @property
    def url(self) -> str:
        """The site's address."""
        return self.site.base_url + "/"

    def entries(self) -> Iterator[SourceEntry]:
        """The table of contents, then every law out of its zip file."""
        yield SourceEntry("gii-toc.xml", (self.site.cache / "gii-toc.xml").read_bytes())
        yield from self.missing
        for slug in self.slugs:
            data = (self.site.cache / slug / "xml.zip").read_bytes()
            yield unzip_law(f"laws/{slug}/xml.zip", data)


@dataclass(frozen=True, slots=True)
class LastLook:
    """What is known before a look: the looks kept, and the laws that are listed."""

    kept: KeptLooks
    listed: Mapping[str, str]  # slug: document number
    built: date  # the day of the newest look that is in the live build
    held: HeldLaws = NO_LAWS  # of the live build


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of laws before their files are asked for."""

    listed: Mapping[str, str]  # slugs, by document number
    held: HeldLaws


_NOTHING = _Known(MappingProxyType({}), NO_LAWS)


@dataclass(frozen=True, slots=True)
class TakenLook:
    """What came of a look."""

    day: date
    asked: int
    new: tuple[str, ...]  # slugs of what was new or other than before
    problems: tuple[str, ...]  # of laws that could not be had


def fetch(
    order: Order, client: Downloader, progress: Progress, clock: Clock = _read_clock
) -> SiteSnapshot:
    """Fetch the laws of these names (slugs), or all that the table of contents has.

    Raises:
        SourceError: the site cannot be reached, or a law is asked for that it does not name; or
            this machine's clock is days off.
    """
    site, laws = Site(order.cache, order.address), order.names
    moment = clock()
    named, answered_at = _fetch_contents(site, client)
    _require_clock(site, answered_at, moment)
    today = _Today.begin(answered_at, clock, moment)
    slugs = named if laws is None else [slug for slug in laws if slug in set(named)]
    if not slugs:
        raise SourceError(
            f"{site.base_url} lists no law {', '.join(laws or ())}; laws are named as in their"
            " address there, such as bgb or sgb_5"
        )
    held, missing = _fetch_laws(site, client, slugs, progress, today)
    return SiteSnapshot(
        site, tuple(held), today.day, moment, laws is not None, missing=tuple(missing)
    )


def look(
    order: Order, client: Downloader, progress: Progress, last: LastLook, clock: Clock
) -> TakenLook:
    """Ask for every law of these names, or for all that are listed, and keep what is new.

    It is of the day that it is at the publisher, once; what was not asked for before that day was
    over, was not seen on it.

    Raises:
        SourceError: the site cannot be reached, or lists far fewer laws than at the last look; or
            this machine's clock is days off, and all that was seen would be of another day.
    """
    site = Site(order.cache, order.address)
    now = clock()
    named, answered_at = _fetch_contents(site, client)
    _require_clock(site, answered_at, now)
    today = _Today.begin(answered_at, clock, now)
    if today.day <= max([last.built, *last.kept.list_days()]) <= find_day(now):
        return TakenLook(today.day, 0, (), ())  # this machine is ahead by some hours
    _require_most(site, frozenset(named), frozenset(last.listed))
    slugs = named if order.names is None else [slug for slug in order.names if slug in set(named)]
    aside = _set_aside(last.kept, answered_at, now)
    last.kept.forget_unfinished(last.built)
    listed = {number: slug for slug, number in last.listed.items() if slug in set(named)}
    known = _Known(listed, last.held)
    held, missing = _fetch_laws(site, client, slugs, progress, today, known)
    _require_read(site, len(slugs), [one for one in missing if one.problem != _LATE])
    read = frozenset(held)  # what is no slug has no line in the note, and is told all the same
    unread = tuple(slug for slug in slugs if slug not in read and _SLUG.fullmatch(slug))
    contents = (site.cache / "gii-toc.xml").read_bytes()
    places = [(slug, site.cache / slug / "xml.zip") for slug in held]
    new, damaged = last.kept.keep(Look(today.day, contents, places, unread))
    for slug in damaged:
        CachedFile(site.cache / slug / "xml.zip").forget()
    problems = (
        *aside,
        *_tell_missing(missing),
        *(f"{slug}: its file was damaged here; the next look fetches it anew" for slug in damaged),
    )
    return TakenLook(today.day, len(slugs), tuple(new), problems)


def _tell_missing(missing: Sequence[SourceEntry]) -> list[str]:
    """What is said of laws that could not be had; of those that midnight left out the number."""
    late = [entry for entry in missing if entry.problem == _LATE]
    told = [f"{entry.name}: {entry.problem}" for entry in missing if entry.problem != _LATE]
    return [*told, *([f"{len(late)} laws: {_LATE}"] if late else [])]


def _set_aside(kept: KeptLooks, answered_at: datetime | None, now: datetime) -> list[str]:
    """Take looks of days still to come away, by the publisher's clock; what is said of each.

    Raises:
        SourceError: there are some, and only this machine's clock says so.
    """
    latest = find_day(now) + _CLOCKS_DIFFER
    later = [day for day in kept.list_days() if day > latest]
    if later and answered_at is None:
        raise SourceError(
            f"{kept.folder} has looks up to {later[-1].isoformat()}, a day still to come, and the"
            " site does not say what day it is: set this machine's clock; if it is right, take the"
            f" files of these days away, and their lines out of {kept.folder / LOOKS}"
        )
    return [
        f"the look of {day.isoformat()}, a day still to come, was set aside: this machine's clock"
        " was wrong"
        for day in kept.set_aside(latest)
    ]


def _require_clock(site: Site, answered_at: datetime | None, now: datetime) -> None:
    if answered_at is not None and abs(answered_at - now) > _CLOCKS_DIFFER:
        raise SourceError(
            f"{site.base_url} answers on {answered_at.date().isoformat()}, and this machine's clock"
            f" says {now.date().isoformat()}: set it, then run the command again"
        )


def _require_most(site: Site, named: frozenset[str], listed: frozenset[str]) -> None:
    left = len(listed - named)
    if left > max(len(listed) * _MOST_LEFT, _FEW_LEFT) or not listed & named:
        raise SourceError(
            f"{site.base_url}/gii-toc.xml no longer lists {left} of {len(listed)} laws; nothing was"
            " changed: see whether the site is whole, and run the command again later"
        )


def _require_read(site: Site, asked: int, failed: Sequence[SourceEntry]) -> None:
    """See that enough of the laws were seen for it to be a look of that day.

    Raises:
        SourceError: none was, or of many far fewer than are listed.
    """
    if len(failed) == asked or len(failed) > max(asked * _MOST_LEFT, _FEW_FAILED):
        raise SourceError(
            f"{site.base_url} lists {asked} laws, and {len(failed)} of them could not be had; the"
            f" first: {failed[0].name}: {failed[0].problem}. Nothing was changed: run the command"
            " again later"
        )


def _fetch_laws(  # noqa: PLR0913, PLR0917 what is asked of whom, when, and what is known of it
    site: Site,
    client: Downloader,
    slugs: Sequence[str],
    progress: Progress,
    today: "_Today",
    known: _Known = _NOTHING,
) -> tuple[list[str], list[SourceEntry]]:
    return fetch_each(
        [Wanted(slug, f"laws/{quote(slug, safe='')}/xml.zip") for slug in slugs],
        lambda slug: _fetch_law(site, client, slug, today, known),
        site.base_url,
        "laws",
        progress,
    )


def _fetch_contents(site: Site, client: Downloader) -> tuple[list[str], datetime | None]:
    """The slugs that are listed, and when the site says that it answered."""
    url = f"{site.base_url}/gii-toc.xml"
    fetched = client.fetch(url, _MOST_CONTENTS)
    contents = fetched.data or b""
    if not is_table_of_contents(contents):
        raise SourceError(
            f"{url} is not a table of contents, or was cut short; is a proxy answering in its"
            " place? Run the command again later"
        )
    write_whole(site.cache / "gii-toc.xml", contents)
    return sorted(set(read_slugs(contents))), fetched.answered_at


def _fetch_law(site: Site, client: Downloader, slug: str, today: "_Today", known: _Known) -> None:
    if not _SLUG.fullmatch(slug) or slug in RESERVED:
        raise WrongName(f"{slug[:_SHOWN]!a} is not the name of a law")
    url = f"{site.base_url}/{quote(slug)}/xml.zip"
    file = CachedFile(get_folder(site.cache, slug) / "xml.zip", url)
    moment = today.read()
    if find_day(moment) == today.day and file.read_state().is_fresh(moment):
        return
    today.require(None)
    doubts = Doubts(file.path.parent)
    require = partial(_require_law, url, slug, known, doubts, today.day)
    answered_at = file.refresh(partial(client.fetch, url, _MOST_LAW), require, moment)
    today.require(answered_at)
    doubts.forget()


def _require_law(  # noqa: PLR0913, PLR0917 what is asked of a file, and the file
    url: str,
    slug: str,
    known: _Known,
    doubts: Doubts,
    day: date,
    data: bytes,
    content_type: str,
) -> None:
    """See that it is a law that a build can read, whole, and not the one of another address.

    A file that is kept counts as seen at every look that finds it unchanged.
    """
    entry = unzip_law("law/xml.zip", data)
    if entry.problem:
        raise WrongContent(f"{url} is not a zip file with a law in it ({content_type})")
    file = SourceFile(entry.name, slug, entry.data)
    try:
        with limited():
            header = read_header(file)
            parsed = parse_statute(file, "de/law", "law", date.min)
    except Exception as error:  # a parser may fail on a stranger's file in any way
        raise NotUsable(f"{url} holds no law that can be read: {tell_failure(error)}") from error
    number = header.publisher_id
    if not number:
        raise NotUsable(f"{url} holds a law without a document number")
    owner = known.listed.get(number, slug)
    if owner != slug:
        raise NotUsable(f"{url} holds the law of {owner} ({number})")
    require_own_name(url, header, known.held)
    held = known.held.find(number)
    if held is not None:
        doubts.require_most(url, parsed, fingerprint(entry.data), held, day)

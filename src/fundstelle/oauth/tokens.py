"""The token endpoint: codes and refresh tokens become access tokens (RFC 6749 §4.1.3, §6)."""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import UTC, datetime
from typing import Any

from fundstelle.accounts.oauth.authorizations import Authorizations
from fundstelle.accounts.oauth.clients import DOCUMENT, Client, Clients
from fundstelle.accounts.oauth.grants import Grants
from fundstelle.accounts.oauth.refresh_tokens import Refreshed, RefreshTokens, Refusal
from fundstelle.oauth import pkce
from fundstelle.oauth.access_tokens import AccessTokens
from fundstelle.oauth.authorize import find_resource
from fundstelle.oauth.documents import GRANT_TYPES, SCOPE, SCOPES
from fundstelle.oauth.errors import OAuthError, invalid_grant, invalid_request

Together = Callable[[], AbstractContextManager[Callable[..., None]]]
"""One transaction for what its block changes; gives what takes ``event, actor, object, **details``
of a line that is written with it."""


class Tokens:
    """Gives tokens to clients that have shown who they are."""

    def __init__(  # noqa: PLR0913 the stores that an exchange touches, each named
        self,
        *,
        resources: Sequence[str],
        codes: Authorizations,
        refresh_tokens: RefreshTokens,
        access_tokens: AccessTokens,
        grants: Grants,
        clients: Clients,
        together: Together,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._resources = resources
        self._codes = codes
        self._refresh_tokens = refresh_tokens
        self._access_tokens = access_tokens
        self._grants = grants
        self._clients = clients
        self._together = together
        self._clock = clock

    def answer(self, client: Client, form: Mapping[str, str]) -> dict[str, Any]:
        """The token response.

        Raises:
            OAuthError: with a code of RFC 6749 §5.2 or RFC 8707 §2.
        """
        grant_type = require(form, "grant_type")
        if grant_type not in GRANT_TYPES:
            raise OAuthError("unsupported_grant_type", f"known are {', '.join(GRANT_TYPES)}")
        if grant_type not in client.document.get("grant_types", GRANT_TYPES):
            raise OAuthError("unauthorized_client", "the client did not register for this grant")
        if find_resource(form.get("resource"), self._resources) is None:
            raise OAuthError("invalid_target", "the resource is not of this server")
        if grant_type == "authorization_code":
            return self._redeem(client, form)
        return self._refresh(client, form)

    def _redeem(self, client: Client, form: Mapping[str, str]) -> dict[str, Any]:
        code = require(form, "code")
        verifier = require(form, "code_verifier")
        found = self._codes.find_code(code)
        if found is None:
            raise invalid_grant("the code is not known")
        if found.used is not None:
            self._end_by_reuse(found.grant_id, "code_reuse")
        if found.client_id != client.id:
            raise invalid_grant("the code is another client's")
        if found.expires <= datetime.fromtimestamp(self._clock(), UTC):
            raise invalid_grant("the code has expired")
        if form.get("redirect_uri", found.redirect_uri) != found.redirect_uri:
            raise invalid_grant("redirect_uri is not the one of the request")
        if not pkce.is_proof(verifier, found.challenge):
            raise invalid_grant("code_verifier does not fit")
        if find_resource(form.get("resource", found.resource), self._resources) != found.resource:
            raise OAuthError("invalid_target", "the code is for another resource")
        if not self._codes.redeem(code, found.grant_id):
            self._end_by_reuse(found.grant_id, "code_reuse")
        refresh = self._refresh_tokens.create(found.grant_id) if client.may_refresh else None
        self._note_use(client)
        resource = found.resource
        return self._answer(
            client, found.grant_id, found.user_id, found.scope, refresh, resource=resource
        )

    def _refresh(self, client: Client, form: Mapping[str, str]) -> dict[str, Any]:
        token = require(form, "refresh_token")
        if not set(form.get("scope", "").split()) <= set(SCOPES):
            raise OAuthError("invalid_scope", f"the scope is {SCOPE}")
        with self._together() as note:
            outcome = self._refresh_tokens.rotate(token, client.id)
            if not isinstance(outcome, Refreshed) and outcome[0] is Refusal.REUSED:
                note("refresh_reused", outcome[1], outcome[1])
                self._grants.read_again()
        if isinstance(outcome, Refreshed):
            self._note_use(client)
            # Who names none goes on with the one that the person has allowed (RFC 8707 §2.2).
            asked = form.get("resource", outcome.resource)
            resource = find_resource(asked, self._resources) or self._resources[0]
            return self._answer(
                client,
                outcome.grant_id,
                outcome.user_id,
                outcome.scope,
                outcome.token,
                resource=resource,
            )
        if outcome[0] is Refusal.CROWDED:
            text = "too many refreshes: a token lasts a quarter of an hour"
            raise OAuthError("slow_down", text, 429, retry_after_s=30)
        raise invalid_grant("the refresh token is not good (any more)")

    def _end_by_reuse(self, grant_id: str, reason: str) -> None:
        with self._together() as note:
            if self._grants.revoke(grant_id, reason):  # else it has ended, and the log says why
                note("code_reused", grant_id, grant_id)
        raise invalid_grant("the code has been used")

    def _note_use(self, client: Client) -> None:
        if client.kind != DOCUMENT:
            self._clients.note_use(client.id)

    def _answer(  # noqa: PLR0913 what a token says
        self,
        client: Client,
        grant_id: str,
        user_id: str,
        scope: str,
        refresh: str | None,
        *,
        resource: str,
    ) -> dict[str, Any]:
        answer = {
            # Refreshing is between client and token endpoint; the resource knows one scope.
            "access_token": self._access_tokens.sign(
                grant_id, user_id, client.id, SCOPE, resource=resource
            ),
            "token_type": "Bearer",
            "expires_in": self._access_tokens.life_s,
            "scope": scope,
        }
        return answer if refresh is None else {**answer, "refresh_token": refresh}


def require(form: Mapping[str, str], name: str) -> str:
    """A parameter that must be there.

    Raises:
        OAuthError: it is not.
    """
    value = form.get(name)
    if not value:
        raise invalid_request(f"{name} is missing")
    return value

"""Token revocation, for public clients too (RFC 7009). A token takes its whole grant with it."""

from collections.abc import Mapping

from fundstelle.accounts.oauth.clients import Client
from fundstelle.accounts.oauth.grants import Grants
from fundstelle.accounts.oauth.refresh_tokens import RefreshTokens
from fundstelle.oauth.access_tokens import AccessTokens
from fundstelle.oauth.errors import invalid_grant
from fundstelle.oauth.tokens import Together, require


class Revocation:
    """Ends grants that clients give back."""

    def __init__(
        self,
        grants: Grants,
        refresh_tokens: RefreshTokens,
        access_tokens: AccessTokens,
        together: Together,
    ) -> None:
        self._grants = grants
        self._refresh_tokens = refresh_tokens
        self._access_tokens = access_tokens
        self._together = together

    def revoke(self, client: Client, form: Mapping[str, str]) -> None:
        """End the grant of a token; one that is not known is as good as ended (§2.2).

        Raises:
            OAuthError: the token is missing, or another client's.
        """
        found = self._find(require(form, "token"))
        if found is None:
            return
        grant_id, client_id = found
        if client_id != client.id:
            raise invalid_grant("the token is another client's")
        with self._together() as note:
            if self._grants.revoke(grant_id, "client"):
                note("grant_revoked", grant_id, grant_id, reason="client")

    def _find(self, token: str) -> tuple[str, str] | None:
        """Grant and client; the hint is not needed to tell one kind from the other."""
        if token.count(".") == 2:
            verified = self._access_tokens.verify(token)
            return None if verified is None else (verified.grant_id, verified.client_id)
        return self._refresh_tokens.find_grant(token)

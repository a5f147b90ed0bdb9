"""Who presents a credential: an API key, or a token of our own authorization server."""

from typing import Protocol

from fundstelle.accounts.api_keys import ApiKeys, Principal
from fundstelle.accounts.key_format import PREFIX


class TokenVerifier(Protocol):
    """Knows the tokens of the authorization server."""

    def verify(self, token: str) -> Principal | None:
        """Whose token it is; ``None`` if it is not one of ours, has ended or was revoked."""

    def close(self) -> None:
        """Write what is still to be written."""


class Credentials:
    """Both kinds of credentials; both end in one kind of principal.

    Args:
        keys: the API keys.
        tokens: the authorization server.
    """

    def __init__(self, keys: ApiKeys, tokens: TokenVerifier) -> None:
        self._keys = keys
        self._tokens = tokens

    def authenticate(self, presented: str) -> Principal | None:
        """The principal, or ``None``.

        Raises:
            AccountsError: the database is needed, and cannot be used.
        """
        if presented.startswith(PREFIX):
            return self._keys.authenticate(presented)
        return self._tokens.verify(presented)

    def close(self) -> None:
        """Write what is still to be written."""
        self._tokens.close()
        self._keys.close()

"""Who presents a credential: an API key, or a token of our own authorization server.

A known key is found in memory. Whatever needs the database is asked in threads of their own, so
that a database which does not answer never holds up the event loop.
"""

import asyncio
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Literal, Protocol

from fundstelle.accounts.keys.api_keys import ApiKeys, Principal, Recall
from fundstelle.accounts.keys.format import PREFIX
from fundstelle.errors import AccountsError, AccountsUnavailable

THREADS = 4
MOST_WAITING = 1_000  # credentials that wait to be checked; beyond it the client comes back


class TokenVerifier(Protocol):
    """Knows the tokens of the authorization server."""

    def keep_fresh(self) -> None:
        """Read what has changed of the tokens that are known."""

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
        self._pool = ThreadPoolExecutor(THREADS, "credentials")
        self._refresher = ThreadPoolExecutor(1, "credentials-refresh")
        self._refreshing: Future[None] | None = None
        self._waiting = 0

    def recall(self, presented: str) -> Principal | Literal[Recall.ASK] | None:
        """The principal as far as memory tells, ``None`` for what is surely no credential."""
        if presented.startswith(PREFIX):
            return self._keys.recall(presented)
        # A grant may end at any moment; what has not the form of a token (RFC 7515 §3.1) is none.
        return Recall.ASK if presented.count(".") == 2 else None

    async def ask(self, presented: str) -> Principal | None:
        """The principal, or ``None``, as the database says.

        Raises:
            AccountsUnavailable: the database is needed and does not answer, or too many wait.
            AccountsError: the database is needed, and cannot be used.
        """
        if self._waiting >= MOST_WAITING:
            raise AccountsUnavailable("too many credentials wait to be checked")
        self._waiting += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, self.authenticate, presented)
        finally:
            self._waiting -= 1

    def keep_fresh(self, _now: float) -> None:
        """Read what has changed, in the background; to be called every second or so."""
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = self._refresher.submit(self._refresh)

    def authenticate(self, presented: str) -> Principal | None:
        """The same, in the calling thread."""
        if presented.startswith(PREFIX):
            return self._keys.authenticate(presented)
        return self._tokens.verify(presented)

    def close(self) -> None:
        """Write what is still to be written."""
        self._pool.shutdown(wait=False, cancel_futures=True)
        self._refresher.shutdown(wait=True, cancel_futures=True)
        self._tokens.close()
        self._keys.close()

    def _refresh(self) -> None:
        # The store has said it, and who needs the database is told.
        with suppress(AccountsError):
            self._keys.keep_fresh()
            self._tokens.keep_fresh()

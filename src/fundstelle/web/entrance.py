"""Who asks: a request's credential to its principal, or the refusal of one that is none."""

from typing import Literal, Protocol

from fundstelle.accounts.keys.api_keys import Principal, Recall
from fundstelle.oauth.documents import CHATGPT_PATH, RESOURCE_PATH
from fundstelle.web.bearer import Refusal, build_challenges, read_credential
from fundstelle.web.messages import Scope

_ELSEWHERE = Refusal(403, "this key may not be used from this network", b"")


class Authenticator(Protocol):
    """Tells who presents a credential."""

    def recall(self, presented: str) -> Principal | Literal[Recall.ASK] | None:
        """The principal or ``None``, from memory; ``ASK`` if memory cannot tell."""

    async def ask(self, presented: str) -> Principal | None:
        """The principal or ``None``; ``AccountsError`` if that cannot be told."""

    def keep_fresh(self, now: float, /) -> None:
        """Called about once a second: bring memory up to date, without waiting."""

    def close(self) -> None:
        """Write what is still to be written."""


class Entrance:
    """Lets in whoever presents a credential, from where it may be used.

    Args:
        authenticator: who presents it.
        described: where documents of the resources stand (RFC 9728), without their paths;
            ``None`` = there are none.
    """

    def __init__(self, authenticator: Authenticator, described: str | None) -> None:
        self._authenticator = authenticator
        self._challenges = {
            path: build_challenges(described + path if described else None)
            for path in (RESOURCE_PATH, CHATGPT_PATH)
        }

    async def identify(self, scope: Scope, headers: dict[bytes, bytes]) -> Principal | Refusal:
        """The principal of a request; elsewhere than at a resource it is challenged for the first.

        Raises:
            AccountsError: that cannot be told now.
        """
        challenges = self._challenges.get(scope["path"]) or self._challenges[RESOURCE_PATH]
        credential = read_credential(headers, scope["query_string"], challenges)
        if isinstance(credential, Refusal):
            return credential
        principal = self._authenticator.recall(credential)
        if principal is Recall.ASK:
            principal = await self._authenticator.ask(credential)
        if principal is None:
            return challenges.invalid
        return principal if principal.reach.allows_from(get_address(scope)) else _ELSEWHERE


def list_headers(refusal: Refusal) -> list[tuple[bytes, bytes]]:
    """What is sent with a refusal: the challenge, if another credential would do."""
    return [(b"www-authenticate", refusal.challenge)] if refusal.challenge else []


def get_address(scope: Scope) -> str:
    """Where a request comes from, as far as proxies that are trusted say; empty for no address."""
    client = scope.get("client")
    return client[0] if client else ""

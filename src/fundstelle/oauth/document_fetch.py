"""Fetching the JSON documents that strangers name: few at once, small, and from public hosts."""

from dataclasses import dataclass
from functools import partial

from fundstelle.accounts.limits.places import Full, Places
from fundstelle.net.client import PUBLIC, GuardedClient, NoAnswer

TIMEOUT_S = 3.0
MOST_AT_ONCE = 8
MOST_OF_SENDER = 2
"""Fetches at once for which one sender's requests are the cause.

One that has given up on a name counts until the system has, too: its thread cannot be stopped.
"""


@dataclass(frozen=True, slots=True)
class Sort:
    """What is fetched: how long it may be, and what it may call itself."""

    most_bytes: int
    content_types: frozenset[str]


METADATA = Sort(5 * 1024, frozenset({"application/json"}))
"""Of a client, as its specification bounds it."""
KEY_SET = Sort(64 * 1024, frozenset({"application/json", "application/jwk-set+json"}))
"""Of RSA keys with their certificates, three fill 5 KB; the second type is RFC 7517, 8.5."""


class NoPlace(NoAnswer):
    """As many fetches are under way as there may be, or as one sender may be the cause of."""

    code = "no_place"


class DocumentFetch:
    """Fetches documents.

    Args:
        client: asks the hosts.
    """

    def __init__(self, client: GuardedClient | None = None) -> None:
        self._client = client or GuardedClient(TIMEOUT_S, METADATA.most_bytes)
        self._places = Places(MOST_AT_ONCE, MOST_OF_SENDER)

    def fetch(self, url: str, sender: str, sort: Sort = METADATA) -> tuple[bytes, str]:
        """The body, and the value of ``Cache-Control``.

        Args:
            url: of the document.
            sender: the network of whoever makes us fetch it.
            sort: what it is to be.

        Raises:
            NoPlace: too many are under way; the host was not asked.
            NoAnswer: for any other reason.
        """
        try:
            self._places.enter(sender)
        except Full:
            raise NoPlace("too many fetches at once") from None
        answer = self._client.ask(
            url,
            PUBLIC,
            headers={"Accept": ", ".join(sorted(sort.content_types))},
            most_bytes=sort.most_bytes,
            when_over=partial(self._places.leave, sender),
        )
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if answer.status != 200 or kind not in sort.content_types:
            raise NoAnswer(f"status {answer.status}, content type {kind}")
        return answer.body, answer.headers.get("cache-control", "")

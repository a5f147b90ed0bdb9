"""Fetching the JSON documents that strangers name: few at once, small, and from public hosts."""

from functools import partial

from fundstelle.accounts.limits.places import Full, Places
from fundstelle.net.client import PUBLIC, GuardedClient, NoAnswer

TIMEOUT_S = 3.0
MOST_BYTES = 5 * 1024
MOST_AT_ONCE = 8
MOST_OF_SENDER = 2
"""Fetches at once for which one sender's requests are the cause.

One that has given up on a name counts until the system has, too: its thread cannot be stopped.
"""


class DocumentFetch:
    """Fetches documents.

    Args:
        client: asks the hosts.
    """

    def __init__(self, client: GuardedClient | None = None) -> None:
        self._client = client or GuardedClient(TIMEOUT_S, MOST_BYTES)
        self._places = Places(MOST_AT_ONCE, MOST_OF_SENDER)

    def fetch(self, url: str, sender: str) -> tuple[bytes, str]:
        """The body, and the value of ``Cache-Control``.

        Args:
            url: of the document.
            sender: the network of whoever makes us fetch it.

        Raises:
            NoAnswer: for any reason.
        """
        try:
            self._places.enter(sender)
        except Full:
            raise NoAnswer("too many fetches at once") from None
        answer = self._client.ask(
            url,
            PUBLIC,
            headers={"Accept": "application/json"},
            when_over=partial(self._places.leave, sender),
        )
        kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
        if answer.status != 200 or kind != "application/json":
            raise NoAnswer(f"status {answer.status}, content type {kind}")
        return answer.body, answer.headers.get("cache-control", "")

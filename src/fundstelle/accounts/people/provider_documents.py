"""What an identity provider says: JSON, short, and only from where it may be."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

import orjson

from fundstelle.errors import SourceError
from fundstelle.net.client import CONFIGURED, LOOPBACK, PUBLIC, GuardedClient, NoAnswer, Reach

_TIMEOUT_S = 10.0
_MOST_BYTES = 512 * 1024


class ProviderDocuments:
    """Documents of one provider.

    Its issuer is the operator's word and may stand inside the firm. Addresses of other hosts come
    from a document, so they must be public. Plain http is for an issuer on this machine alone.

    Args:
        issuer: exactly as the provider calls itself.
        client: asks it.
    """

    def __init__(self, issuer: str, client: GuardedClient | None = None) -> None:
        self._client = client or GuardedClient(_TIMEOUT_S, _MOST_BYTES)
        self._issuer = urlsplit(issuer)
        self._host = self._issuer.hostname or ""

    def get(self, address: str) -> dict[str, Any]:
        """The document at an address.

        Raises:
            SourceError: it cannot be had.
        """
        return self._ask(address, None, {})

    def post(
        self, address: str, form: Mapping[str, str], headers: Mapping[str, str]
    ) -> dict[str, Any]:
        """The answer to a form; an error of the provider's is an answer too.

        Raises:
            SourceError: there is none.
        """
        headers = {"Content-Type": "application/x-www-form-urlencoded", **headers}
        return self._ask(address, urlencode(form).encode(), headers)

    def check(self, address: object) -> None:
        """Refuse an address that must not be asked.

        Raises:
            SourceError: it is not https, names a user, or leads into a network that is not public.
        """
        text = address if isinstance(address, str) else ""
        try:
            self._client.check(text, self._find_reach(text))
        except (NoAnswer, ValueError) as error:
            raise self.problem(f"names an address that must not be asked ({error})") from None

    def problem(self, text: str) -> SourceError:
        """An error that names the provider and says what to look at."""
        return SourceError(f"the identity provider at {self._host} {text}; check its settings")

    def _find_reach(self, address: str) -> Reach:
        parts = urlsplit(address)
        if parts.scheme == "http" == self._issuer.scheme:
            return LOOPBACK
        return CONFIGURED if parts.hostname == self._host else PUBLIC

    def _ask(self, address: str, body: bytes | None, headers: Mapping[str, str]) -> dict[str, Any]:
        try:
            answer = self._client.ask(
                address,
                self._find_reach(address),
                headers={"Accept": "application/json", **headers},
                body=body,
            )
            if answer.status != 200 and body is None:
                raise self.problem(f"answered {answer.status}")
            read = orjson.loads(answer.body)
        except (NoAnswer, ValueError) as error:
            raise self.problem(f"does not answer as it should ({error})") from None
        if not isinstance(read, dict):
            raise self.problem("does not answer as it should")
        return read

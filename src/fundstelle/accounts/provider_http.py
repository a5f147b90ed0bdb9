"""Fetching from an identity provider: short, small, without redirects, and only where it may be."""

import socket
import time
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

import httpx
import orjson

from fundstelle.errors import SourceError

_TIMEOUT_S = 5.0
_TOTAL_S = 10.0
_MOST_BYTES = 512 * 1024


class ProviderHttp:
    """JSON from one provider.

    Its issuer is the operator's word and may stand inside the firm. Addresses of other hosts come
    from a document, so they must be public. Plain http is for an issuer on this machine alone.
    """

    def __init__(self, issuer: str) -> None:
        self._host = urlsplit(issuer).hostname or ""
        self._is_local = urlsplit(issuer).scheme == "http" and _is_loopback(self._host)

    def get(self, address: str) -> dict[str, Any]:
        """The document at an address.

        Raises:
            SourceError: it cannot be had.
        """
        return self._ask("GET", address, None, {})

    def post(
        self, address: str, form: Mapping[str, str], headers: Mapping[str, str]
    ) -> dict[str, Any]:
        """The answer to a form; an error of the provider's is an answer too.

        Raises:
            SourceError: there is none.
        """
        return self._ask("POST", address, form, headers)

    def check(self, address: object) -> None:
        """Refuse an address that must not be asked.

        Raises:
            SourceError: it is not https, names a user, or leads into a network that is not public.
        """
        parts = urlsplit(address if isinstance(address, str) else "")
        host = parts.hostname or ""
        if self._is_local and parts.scheme == "http" and _is_loopback(host):
            return
        if parts.scheme != "https" or not host or parts.username is not None or parts.fragment:
            raise self.problem("names an address that is not https")
        if host != self._host and not _is_public(host):
            raise self.problem("names a host that is not public")

    def problem(self, text: str) -> SourceError:
        """An error that names the provider and says what to look at."""
        return SourceError(f"the identity provider at {self._host} {text}; check its settings")

    def _ask(
        self, method: str, address: str, form: Mapping[str, str] | None, headers: Mapping[str, str]
    ) -> dict[str, Any]:
        self.check(address)
        until = time.monotonic() + _TOTAL_S
        body = bytearray()
        try:
            with (
                httpx.Client(timeout=_TIMEOUT_S, trust_env=not self._is_local) as client,
                client.stream(
                    method, address, data=form, headers={"Accept": "application/json", **headers}
                ) as answer,
            ):
                if answer.status_code != httpx.codes.OK and method == "GET":
                    raise self.problem(f"answered {answer.status_code}")
                for part in answer.iter_bytes():
                    body += part
                    if len(body) > _MOST_BYTES or time.monotonic() > until:
                        raise self.problem("answers too much or too slowly")
            read = orjson.loads(body)
        except (httpx.HTTPError, ValueError):
            raise self.problem("does not answer as it should") from None
        if not isinstance(read, dict):
            raise self.problem("does not answer as it should")
        return read


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _is_public(host: str) -> bool:
    """Whether every address of the name is one of the public internet."""
    try:
        found = socket.getaddrinfo(host, 443, type=socket.SOCK_STREAM)
    except OSError:
        return False
    return all(ip_address(str(entry[4][0]).partition("%")[0]).is_global for entry in found)

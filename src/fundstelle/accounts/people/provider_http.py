"""Fetching from an identity provider: short, small, without redirects, and only where it may be."""

import time
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx
import orjson

from fundstelle.accounts.public_addresses import Resolver, is_public, resolve_name
from fundstelle.errors import SourceError

_TIMEOUT_S = 5.0
_TOTAL_S = 10.0
_MOST_BYTES = 512 * 1024


class ProviderHttp:
    """JSON from one provider.

    Its issuer is the operator's word and may stand inside the firm. Addresses of other hosts come
    from a document, so they must be public: their names are resolved once, and the connection goes
    to the address that was checked (a proxy of the operator's resolves for itself). Plain http is
    for an issuer on this machine alone.

    Args:
        issuer: exactly as the provider calls itself.
        resolve: the addresses of a name.
        transport: carries requests, for tests; ``None`` = the network.
    """

    def __init__(
        self,
        issuer: str,
        resolve: Resolver = resolve_name,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._resolve = resolve
        self._transport = transport
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
        self._locate(address)

    def _locate(self, address: object) -> str | None:
        """The address to connect to; ``None`` = the host itself, which is the operator's word."""
        try:
            parts = urlsplit(address if isinstance(address, str) else "")
            host, _ = parts.hostname or "", parts.port
        except ValueError:
            raise self.problem("names an address that cannot be read") from None
        if self._is_local and parts.scheme == "http" and _is_loopback(host):
            return None
        if parts.scheme != "https" or not host or parts.username is not None or parts.fragment:
            raise self.problem("names an address that is not https")
        if host == self._host:
            return None
        try:
            found = self._resolve(host)
        except (OSError, ValueError):
            found = []
        if not found or not all(is_public(one) for one in found):
            raise self.problem("names a host that is not public")
        return found[0]

    def problem(self, text: str) -> SourceError:
        """An error that names the provider and says what to look at."""
        return SourceError(f"the identity provider at {self._host} {text}; check its settings")

    def _ask(
        self, method: str, address: str, form: Mapping[str, str] | None, headers: Mapping[str, str]
    ) -> dict[str, Any]:
        place = self._locate(address)
        url = httpx.URL(address)
        headers = {"Accept": "application/json", **headers}
        extensions = {}
        if place is not None and not _is_proxied(url.host):
            headers["Host"] = url.netloc.decode("ascii")
            extensions["sni_hostname"] = url.host
            url = url.copy_with(host=place)
        until = time.monotonic() + _TOTAL_S
        body = bytearray()
        try:
            with (
                httpx.Client(
                    timeout=_TIMEOUT_S, trust_env=not self._is_local, transport=self._transport
                ) as client,
                client.stream(
                    method, url, data=form, headers=headers, extensions=extensions
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


def _is_proxied(host: str) -> bool:
    """Whether the environment names a proxy for this host."""
    proxies = getproxies()
    return bool(proxies.get("https") or proxies.get("all")) and not proxy_bypass(host)

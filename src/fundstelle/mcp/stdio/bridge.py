"""Answers lines by asking a server: for clients that start programs and speak no HTTP."""

import logging
from collections.abc import Mapping
from urllib.parse import urlsplit

from fundstelle.errors import InvalidInput
from fundstelle.mcp.errors import INTERNAL_ERROR, ProtocolError
from fundstelle.mcp.stdio.lines import Asked, split
from fundstelle.net.client import CONFIGURED, LOOPBACK, Answer, GuardedClient, NoAnswer

KEY_VARIABLE = "FUNDSTELLE_KEY"
TIMEOUT_S = 60.0
MOST_BYTES = 16 * 2**20

_PATH = "/mcp"
_HELP: Mapping[int, str] = {
    401: f"the key in {KEY_VARIABLE} is unknown, expired or revoked; make another one on the"
    " server's page 'Keys' or with 'fundstelle keys create NAME'",
    403: "this key may not do that here",
    404: "there is nothing at this address; it ends in /mcp",
    413: "the message is larger than the server takes",
    421: "the server does not serve this host; use the address that it calls its own",
    429: "too many calls; wait a little and try again",
    503: "the server cannot answer now; try again in a few seconds",
}

_log = logging.getLogger(__name__)


def read_url(text: str) -> str:
    """The MCP address of a server; of one that has no path, ``/mcp``.

    Raises:
        InvalidInput: it is no address that can be asked.
    """
    try:
        parts = urlsplit(text.strip())
        _ = parts.port  # raises where it is no number
    except ValueError:
        parts = urlsplit("")
    if parts.scheme not in {"http", "https"} or not parts.hostname or "@" in parts.netloc:
        raise InvalidInput(
            "the address must be that of a server, such as https://recht.example.org/mcp"
        )
    if parts.query or parts.fragment:
        raise InvalidInput(
            f"the address has no query; a key stands in the environment variable {KEY_VARIABLE}"
        )
    path = parts.path.rstrip("/") or _PATH
    return f"{parts.scheme}://{parts.netloc.lower()}{path}"


class Bridge:
    """Asks one server. Blocks; safe between threads.

    ``http`` leads to this machine alone: elsewhere the key and the questions would be readable.

    Args:
        url: of ``read_url``.
        key: what to sign in with; "" = none is set.
        client: asks.
    """

    def __init__(self, url: str, key: str, client: GuardedClient | None = None) -> None:
        self._url = url
        self._key = key.strip()
        self._reach = LOOPBACK if url.startswith("http:") else CONFIGURED
        self._client = client or GuardedClient(TIMEOUT_S, MOST_BYTES)

    def ask(self, asked: Asked) -> list[bytes]:
        """The lines that answer."""
        problem = self._check_key()
        if problem:
            return self._refuse(asked, problem)
        headers = {name.decode(): value.decode() for name, value in asked.headers.items()}
        headers["Authorization"] = f"Bearer {self._key}"
        try:
            answer = self._client.ask(self._url, self._reach, headers=headers, body=asked.body)
        except NoAnswer as error:
            return self._refuse(asked, self._explain(error))
        if answer.status == 202:
            return []
        lines = split(answer.headers.get("content-type", ""), answer.body)
        return lines if lines is not None else self._refuse(asked, _describe(answer), answer.status)

    def _check_key(self) -> str:
        if not self._key:
            return (
                f"there is no key: put it into the environment variable {KEY_VARIABLE} of the"
                " program that starts this one"
            )
        if not (self._key.isascii() and self._key.isprintable()) or " " in self._key:
            return f"what {KEY_VARIABLE} holds is no key; copy it whole, without blanks"
        return ""

    def _explain(self, error: NoAnswer) -> str:
        said = str(error)
        if "CERTIFICATE" in said.upper():
            return (
                f"the certificate of {self._host} is not trusted on this machine, so nothing was"
                " sent; have it mended, or the authority that issued it installed here"
            )
        if self._reach is LOOPBACK and "may not be asked" in said:
            return (
                f"{self._host} is not this machine, so the key is sent by https alone; use https://"
            )
        return f"{self._host} does not answer; check the address, and that the server runs"

    @property
    def _host(self) -> str:
        return urlsplit(self._url).netloc

    def _refuse(self, asked: Asked, text: str, status: int | None = None) -> list[bytes]:
        _log.warning("%s: %s", self._host, text)
        data = None if status is None else {"status": status}
        return asked.refuse(ProtocolError(INTERNAL_ERROR, text, data))


def _describe(answer: Answer) -> str:
    """What a server says that does not speak the protocol just now."""
    if 300 <= answer.status < 400:
        return "the address leads elsewhere, where no key is sent; use the address that is meant"
    known = _HELP.get(answer.status)
    if known is not None:
        return known
    if answer.status >= 500:
        return f"the server failed (HTTP {answer.status}); its log says why"
    return f"what is at this address is no MCP server (HTTP {answer.status}); it ends in /mcp"

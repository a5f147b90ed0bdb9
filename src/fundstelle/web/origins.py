"""Which ``Host`` and ``Origin`` values a server answers: the guard against DNS rebinding.

Source: MCP "Streamable HTTP", security warning; WHATWG Fetch, "CORS protocol".
"""

from collections.abc import Iterable
from urllib.parse import urlsplit

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
_REMEMBERED = 256

ALLOWED_HEADERS = (
    b"Authorization, Content-Type, Accept, X-API-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, "
    b"Mcp-Session-Id, Last-Event-ID"
)
EXPOSED_HEADERS = b"WWW-Authenticate, Mcp-Session-Id, Retry-After, RateLimit, RateLimit-Policy"


class HostGuard:
    """Answers whether a ``Host`` or ``Origin`` is ours; remembers the values it has judged.

    Loopback names are always allowed, on any port; other hosts as configured, with or without port.
    """

    def __init__(self, base_url: str, hosts: Iterable[str], origins: Iterable[str]) -> None:
        base = urlsplit(base_url)
        self._hosts = {base.netloc, base.hostname or "", *hosts}
        self._origins = {base_url, *(origin.rstrip("/") for origin in origins)}
        self._judged_hosts: dict[bytes, bool] = {}
        self._judged_origins: dict[bytes, bool] = {}

    def allows_host(self, value: bytes) -> bool:
        """Whether this ``Host`` is ours."""
        judged = self._judged_hosts.get(value)
        if judged is None:
            judged = self._judge_host(value.decode("latin-1").lower())
            _remember(self._judged_hosts, value, judged)
        return judged

    def allows_origin(self, value: bytes) -> bool:
        """Whether pages of this ``Origin`` may call us."""
        judged = self._judged_origins.get(value)
        if judged is None:
            judged = self._judge_origin(value.decode("latin-1").lower())
            _remember(self._judged_origins, value, judged)
        return judged

    def _judge_host(self, host: str) -> bool:
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        return name in _LOOPBACK or host in self._hosts or name in self._hosts

    def _judge_origin(self, origin: str) -> bool:
        if origin in self._origins:
            return True
        scheme, separator, host = origin.partition("://")
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        return scheme in {"http", "https"} and bool(separator) and name in _LOOPBACK


def _remember(judged: dict[bytes, bool], value: bytes, answer: bool) -> None:
    if len(judged) >= _REMEMBERED:  # a caller sends ever new values: start over
        judged.clear()
    judged[value] = answer

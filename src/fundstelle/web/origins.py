"""Which ``Host`` and ``Origin`` values a server answers: the guard against DNS rebinding.

Source: MCP "Streamable HTTP", security warning; WHATWG Fetch, "CORS protocol".
"""

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

_LOOPBACK = frozenset({"127.0.0.1", "localhost", "[::1]"})
_REMEMBERED = 256
_LONGEST = 300  # a name has at most 253 characters (RFC 1035 §2.3.4)
_HIGHEST_PORT = 65_535

# RFC 3986 §3.2.2 without what no browser and no client sends: names in ASCII, no user, no escapes
_HOST = r"(?P<name>[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
_AUTHORITY = re.compile(_HOST)
_ORIGIN = re.compile(r"https?://" + _HOST)

ALLOWED_HEADERS = (
    b"Authorization, Content-Type, Accept, X-API-Key, MCP-Protocol-Version, Mcp-Method, Mcp-Name, "
    b"Mcp-Session-Id, Last-Event-ID, Traceparent"
)
EXPOSED_HEADERS = b"WWW-Authenticate, Mcp-Session-Id, Retry-After, RateLimit, RateLimit-Policy"


class HostGuard:
    """Answers whether a ``Host`` or ``Origin`` is ours; remembers the values it has judged.

    Loopback names are always allowed, on any port; other hosts as configured, with or without port.
    """

    def __init__(self, base_url: str, hosts: Iterable[str], origins: Iterable[str]) -> None:
        base = urlsplit(base_url)
        self._hosts = {base.netloc, _find_name(_AUTHORITY, base.netloc) or "", *hosts}
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
        name = _find_name(_AUTHORITY, host)
        return name is not None and (name in _LOOPBACK or not self._hosts.isdisjoint((host, name)))

    def _judge_origin(self, origin: str) -> bool:
        return origin in self._origins or _find_name(_ORIGIN, origin) in _LOOPBACK


def _find_name(form: re.Pattern[str], text: str) -> str | None:
    """The host's name in a well-formed value; ``None`` if it is not well-formed."""
    match = form.fullmatch(text) if len(text) <= _LONGEST else None
    if match is None or int(match["port"] or 0) > _HIGHEST_PORT:
        return None
    return match["name"]


def _remember(judged: dict[bytes, bool], value: bytes, answer: bool) -> None:
    if len(value) > _LONGEST:
        return
    if len(judged) >= _REMEMBERED:  # a caller sends ever new values: start over
        judged.clear()
    judged[value] = answer

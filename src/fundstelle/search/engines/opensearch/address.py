"""Where a cluster is and how it is asked, as one address says it."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Self
from urllib.parse import parse_qs, unquote, urlsplit

from fundstelle.errors import SettingsError

PLAIN, ENCRYPTED = "opensearch", "opensearchs"
"""The schemes; the second one is TLS, whose certificate is always checked."""

_PORT = 9200
_LONGEST_TIMEOUT_MS = 1_800  # of a search, so that a refusal is out within two seconds
_FORM = (
    "FUNDSTELLE_SEARCH must be 'embedded' or an address such as"
    " opensearchs://user:password@host:9200,host2:9200/?ca=/etc/ca.pem (options: ca, timeout_ms up"
    " to 1800, prefix, shards, replicas)"
)
_KNOWN = {"ca", "timeout_ms", "prefix", "shards", "replicas"}


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """The nodes of a cluster that may be asked, and what is agreed on its indexes."""

    hosts: tuple[tuple[str, int], ...]
    is_encrypted: bool = False
    user: str = ""
    password: str = field(default="", repr=False)
    ca: Path | None = None  # certificates that are trusted, else those of the package certifi
    timeout_s: float = 1.5  # of all round trips of one search
    prefix: str = "fundstelle"  # of the names of indexes, and of the alias of the live ones
    shards: int = 1
    replicas: int = 2  # at most; as many as there are other nodes

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``opensearch[s]://[user:password@]host[:port][,host[:port] ...][/?option=value]``.

        Raises:
            SettingsError: it does not have that form. The message repeats nothing of it.
        """
        try:
            return cls._read(text)
        except (ValueError, KeyError) as error:
            raise SettingsError([_FORM]) from error

    @classmethod
    def _read(cls, text: str) -> Self:
        parts = urlsplit(text)
        if parts.scheme not in {PLAIN, ENCRYPTED} or parts.path not in {"", "/"} or parts.fragment:
            raise ValueError(parts.scheme)
        credentials, _, netloc = parts.netloc.rpartition("@")
        user, _, password = credentials.partition(":")
        options = parse_qs(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
        if set(options) - _KNOWN or any(len(values) > 1 for values in options.values()):
            raise ValueError("options")
        given = {name: values[0] for name, values in options.items()}
        prefix = given.get("prefix", "fundstelle")
        if not (prefix.isascii() and prefix.isalnum() and prefix.islower()):
            raise ValueError("prefix")
        return cls(
            hosts=tuple(_read_host(host) for host in netloc.split(",")),
            is_encrypted=parts.scheme == ENCRYPTED,
            user=unquote(user),
            password=unquote(password),
            ca=Path(given["ca"]) if "ca" in given else None,
            timeout_s=_read_number(given.get("timeout_ms", "1500"), 50, _LONGEST_TIMEOUT_MS) / 1000,
            prefix=prefix,
            shards=_read_number(given.get("shards", "1"), 1, 64),
            replicas=_read_number(given.get("replicas", "2"), 0, 16),
        )


def _read_host(text: str) -> tuple[str, int]:
    parts = urlsplit(f"//{text}")
    if not parts.hostname or parts.path or parts.username is not None:
        raise ValueError("host")
    return parts.hostname, parts.port or _PORT


def _read_number(text: str, low: int, high: int) -> int:
    number = int(text)
    if not low <= number <= high:
        raise ValueError("number")
    return number

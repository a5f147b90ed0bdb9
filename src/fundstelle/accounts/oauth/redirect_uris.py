"""Which redirect addresses a client may register (RFC 8252 §7, RFC 9700 §2.1)."""

import re
from collections.abc import Collection, Sequence
from urllib.parse import SplitResult, urlsplit

from fundstelle.accounts.database.schema_oauth import URI_CHARS
from fundstelle.errors import InvalidArgument

MOST_REDIRECT_URIS = 10
PRIVATE_SCHEMES = ("cursor",)  # of programs that cannot open a port
LOOPBACK_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})

_CHARACTERS = re.compile(r"[A-Za-z0-9._~:/?\[\]!$&'()*+,;=%@-]+")  # RFC 3986 without "#"
# A host goes into a header of the consent page: nothing that could end a directive.
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|::1")
_NEVER = frozenset({"javascript", "data", "vbscript", "file", "blob", "about", "ftp", "ws", "wss"})


def check_redirect_uris(
    uris: Sequence[object], private_schemes: Collection[str] = PRIVATE_SCHEMES
) -> tuple[str, ...]:
    """The addresses, if every one may be registered.

    Raises:
        InvalidArgument: one may not, or there are too many.
    """
    if len(uris) > MOST_REDIRECT_URIS:
        raise InvalidArgument(
            f"at most {MOST_REDIRECT_URIS} redirect addresses", field="redirect_uris"
        )
    return tuple(_check(uri, private_schemes) for uri in uris)


def split_redirect_uri(uri: str) -> SplitResult | None:
    """The parts of an absolute address without fragment and user; ``None`` if it is none."""
    if len(uri) > URI_CHARS or not _CHARACTERS.fullmatch(uri):
        return None
    try:
        parts = urlsplit(uri)
        _ = parts.port
    except ValueError:
        return None
    # an empty port would be no source of a policy, and the browser would not go on to the client
    is_plain = "@" not in parts.netloc and not parts.netloc.endswith(":")
    return parts if parts.scheme and is_plain else None


def is_loopback(parts: SplitResult) -> bool:
    """Whether it leads to a program on the person's own computer (RFC 8252 §7.3)."""
    return parts.scheme == "http" and parts.hostname in LOOPBACK_HOSTS


def _check(uri: object, private_schemes: Collection[str]) -> str:
    parts = split_redirect_uri(uri) if isinstance(uri, str) else None
    if not isinstance(uri, str) or parts is None or not _is_allowed(parts, private_schemes):
        raise InvalidArgument(
            "a redirect address is https, or http to this computer, without user and fragment",
            field="redirect_uris",
        )
    return uri


def _is_allowed(parts: SplitResult, private_schemes: Collection[str]) -> bool:
    if parts.scheme in {"http", "https"}:
        if parts.hostname is None or not _HOST.fullmatch(parts.hostname):
            return False
        return parts.scheme == "https" or is_loopback(parts)
    rest = parts.netloc or parts.path
    return parts.scheme in private_schemes and parts.scheme not in _NEVER and bool(rest)

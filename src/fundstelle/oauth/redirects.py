"""Redirect addresses: matching what is asked with what is registered, and what pages say of them.

Exact, but for the port of a program on the person's own computer (RFC 8252 §7.3).
"""

from collections.abc import Iterable, Mapping
from urllib.parse import SplitResult, urlencode

from fundstelle.accounts.oauth.redirect_uris import is_loopback, split_redirect_uri


def is_registered(asked: str, registered: Iterable[str]) -> bool:
    """Whether a client that registered these addresses may be sent to this one."""
    parts = split_redirect_uri(asked)
    if parts is None:
        return False
    return any(asked == one or _is_same_program(parts, one) for one in registered)


def _is_same_program(asked: SplitResult, registered: str) -> bool:
    """Same loopback host, path and query; any port."""
    parts = split_redirect_uri(registered)
    if parts is None or not is_loopback(asked) or not is_loopback(parts):
        return False
    return (asked.hostname, asked.path or "/", asked.query) == (
        parts.hostname,
        parts.path or "/",
        parts.query,
    )


def leads_to_this_computer(uri: str) -> bool:
    """Whether a program on the person's own computer gets the answer, which anybody may claim."""
    parts = split_redirect_uri(uri)
    return parts is not None and (is_loopback(parts) or parts.scheme not in {"http", "https"})


def find_host(uri: str) -> str:
    """Who gets the answer: a host, or the scheme of a program (``cursor:``)."""
    parts = split_redirect_uri(uri)
    if parts is None:
        return ""
    if parts.scheme in {"http", "https"}:
        return parts.hostname or ""
    return f"{parts.scheme}:"


def build_form_target(uri: str) -> str:
    """What ``form-action`` must name for a form's answer to reach the address (CSP Level 3).

    A private scheme works only without a host; the grammar has no IPv6 addresses.
    """
    parts = split_redirect_uri(uri)
    if parts is None:
        return ""
    if parts.scheme not in {"http", "https"} or ":" in (parts.hostname or ""):
        return f"{parts.scheme}:"
    return f"{parts.scheme}://{parts.netloc}"


def extend(uri: str, parameters: Mapping[str, str | None]) -> str:
    """The address with parameters added to its query; ``None`` is left out."""
    query = urlencode({name: value for name, value in parameters.items() if value is not None})
    return f"{uri}{'&' if '?' in uri else '?'}{query}"

"""Cookies of this site: what they are called, and how they are read from a request.

A browser sends the cookies of every program on its host, and a stranger what they like. Only what
could be ours is handed on: the parser of the standard library takes a time that grows with the
square of a quoted value's length (CVE-2024-7592).
"""

import re
from collections.abc import Iterable
from itertools import islice

LANGUAGE = "language"
SESSION = "sid"
DEVICE = "device"

_MOST = 8  # of ours; a browser sends two of a name where a neighbouring site has set it, too
_HOST = "__Host-"
_OURS = re.compile(
    rb"(?:^|;)[ \t]*((?:(?:__Host-)?(?:sid|device)|language)=[\w.~-]{1,4096})[ \t]*(?=;|$)"
)


def session_cookie(*, secure: bool) -> str:
    """The name of the session's cookie; the prefix binds it to this host and to https."""
    return _HOST + SESSION if secure else SESSION


def device_cookie(*, secure: bool) -> str:
    """The name of the cookie of a known device."""
    return _HOST + DEVICE if secure else DEVICE


def keep_ours(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The headers of a request, with those cookies alone that this site may have set."""
    kept = []
    for name, value in headers:
        if name == b"cookie":
            found = (match[1] for match in _OURS.finditer(value))
            kept.append((name, b"; ".join(islice(found, _MOST))))
        else:
            kept.append((name, value))
    return kept

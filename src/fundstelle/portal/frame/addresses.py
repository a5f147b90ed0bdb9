r"""Addresses of our own pages: read from what a browser sends, never from its Host header.

A path such as ``//host/x`` or ``/\\host`` is another host's address to a browser (WHATWG URL,
"relative slash state"), and so is one that becomes it when somebody on the way decodes it.
"""

import re
from urllib.parse import quote, unquote, urlsplit

MOST_CHARS = 8_192

_PLAIN = re.compile(r"/[\x21-\x5b\x5d-\x7e]*")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\\]")
_PATH_SAFE = "/:~@!$&'()*+,;="
_QUERY_SAFE = _PATH_SAFE + "?%"


def is_own(address: str) -> bool:
    """Whether it is path and query of a page of this server, for every browser and proxy."""
    if len(address) > MOST_CHARS or not _PLAIN.fullmatch(address):
        return False
    path = re.split("[?#]", address, maxsplit=1)[0]
    for _ in range(2):  # as it is, and decoded twice
        path = unquote(path)
        if _CONTROL.search(path) or path.startswith("//"):
            return False
    return not {".", ".."} & set(path.split("/"))


def write_own(path: str, query: bytes = b"") -> str:
    """The address of a request, to come back to: ``/`` where it would lead elsewhere.

    Args:
        path: decoded, as ASGI gives it.
        query: as it was sent.
    """
    address = quote(path, safe=_PATH_SAFE)
    if query:
        address += "?" + quote(query, safe=_QUERY_SAFE)
    return address if is_own(address) else "/"


def write_next(page: str, own: str) -> str:
    """The address of a page that leads on to ``own``; without it where that is too long for one."""
    address = f"{page}?next={quote(own, safe='')}"
    return address if is_own(address) else page


def write_in_language(path: str, query: bytes, language: str) -> str:
    """The address of the same page in another language; of the query nothing is decoded."""
    kept = [part for part in query.split(b"&") if part and not part.startswith(b"lang=")]
    asked = quote(b"&".join([*kept, b"lang=" + language.encode()]), safe=_QUERY_SAFE)
    return f"{write_own(path)}?{asked}"


def read_referer(value: str, own: str) -> str:
    """The path of the page that sent a form, ``own`` if that cannot be told."""
    try:
        path = urlsplit(value).path
    except ValueError:
        return own
    return path if is_own(path) else own

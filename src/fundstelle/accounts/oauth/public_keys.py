"""Public keys that others publish (RFC 7517): of a key is read what checks signatures, no more.

A private RSA key is proved to be one when it is imported, which takes an 8192-bit key ten seconds
of the whole interpreter. So the private part of a key is never handed on, whoever sent it.
"""

from collections.abc import Mapping
from typing import Any

from joserfc.errors import JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey, import_key

MOST_KEYS = 100  # of one set that are looked at

_PUBLIC = {"RSA": ("n", "e"), "EC": ("crv", "x", "y"), "OKP": ("crv", "x")}
_ABOUT = ("kty", "kid", "use", "key_ops", "alg")
_PRIVATE = frozenset({"d", "p", "q", "dp", "dq", "qi", "oth", "k"})
# A stranger's key or token: joserfc raises what ``json`` and its own parsing do, beside its errors.
MALFORMED = (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError)

PublicKey = RSAKey | ECKey | OKPKey


def import_public_keys(published: object) -> list[PublicKey]:
    """The keys of a JWK set that can check signatures; what is none or cannot be read is left out.

    Args:
        published: the set, as it was read from JSON.
    """
    found = []
    for data in _list_keys(published):
        names = _PUBLIC.get(kind) if isinstance(kind := data.get("kty"), str) else None
        if names is None or data.get("use") == "enc":
            continue
        try:
            key = import_key({name: data[name] for name in (*_ABOUT, *names) if name in data})
        except MALFORMED:
            continue
        if isinstance(key, PublicKey):
            found.append(key)
    return found


def holds_private_key(published: object) -> bool:
    """Whether somebody has published what signs, or a shared secret."""
    return any(not _PRIVATE.isdisjoint(data) for data in _list_keys(published))


def _list_keys(published: object) -> list[Mapping[str, Any]]:
    keys = published.get("keys") if isinstance(published, dict) else None
    listed = keys[:MOST_KEYS] if isinstance(keys, list) else []
    return [data for data in listed if isinstance(data, dict)]

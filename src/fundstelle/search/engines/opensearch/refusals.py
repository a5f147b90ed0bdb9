"""Why a cluster cannot be asked as it was agreed: what is wrong, and what an operator does then."""

import ssl
from collections.abc import Iterator

Explained = tuple[str, str]
"""What is wrong, in words that anybody may read, and what to do about it."""

_EXPIRED = 10  # X509_V_ERR_CERT_HAS_EXPIRED
_NAMES = frozenset({62, 63, 64})  # X509_V_ERR_HOSTNAME_MISMATCH, ..EMAIL.., IP_ADDRESS_MISMATCH
_OF_STATUS: dict[object, Explained] = {
    401: (
        "it does not take the user and the password (status 401)",
        "see both in FUNDSTELLE_SEARCH, with '@', ':', '/' and '%' in them percent-encoded",
    ),
    403: ("status 403", "see what the user of FUNDSTELLE_SEARCH may do"),
}


def explain_status(status: object) -> Explained:
    """An answer that is none."""
    return _OF_STATUS.get(status, (f"status {status}", ""))


def explain_tls(error: BaseException) -> Explained | None:
    """A connection that did not come about for its certificate; ``None`` if that was not it."""
    found = next((each for each in _iter_causes(error) if isinstance(each, ssl.SSLError)), None)
    if found is None:
        return None
    if not isinstance(found, ssl.SSLCertVerificationError):
        return "no TLS came about", "see that FUNDSTELLE_SEARCH names a port that takes it"
    if found.verify_code == _EXPIRED:
        return "its certificate has expired", "renew it on the cluster"
    if found.verify_code in _NAMES:
        return (
            "its certificate is one of another name",
            "write the node in FUNDSTELLE_SEARCH by a name that it has, or give it another one",
        )
    return (
        "its certificate is not signed by an authority that is trusted",
        "name the file with that authority's certificate in FUNDSTELLE_SEARCH, as ca=",
    )


def _iter_causes(error: BaseException) -> Iterator[BaseException]:
    """An error and those it was made of: libraries keep them among their arguments, too."""
    waiting, seen = [error], set[int]()
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        inner = (one.__cause__, one.__context__, getattr(one, "reason", None), *one.args)
        waiting += [each for each in inner if isinstance(each, BaseException)]

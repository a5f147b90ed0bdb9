"""Codings of a body that nobody here undoes: such a body would be read as what it is not.

Source: RFC 9112 §6.1, §7 (501); RFC 9110 §8.4, §15.5.16 (415).
"""

from collections.abc import Iterable, Sequence

_TRANSFER, _CONTENT, _LENGTH = b"transfer-encoding", b"content-encoding", b"content-length"
_NAMES = frozenset((_TRANSFER, _CONTENT))


def find_unread_coding(headers: Sequence[tuple[bytes, bytes]]) -> int:
    """The status that a request is refused with whose body is coded; 0 if it is not."""
    coded = [header for header in headers if header[0] in _NAMES]
    if not coded:
        return 0
    transfer = _list_codings(value for name, value in coded if name == _TRANSFER)
    if any(coding != b"chunked" for coding in transfer):
        return 501
    if len(transfer) > 1:  # "A sender MUST NOT apply the chunked transfer coding more than once"
        return 400
    has_body = bool(transfer) or any(
        name == _LENGTH and value.strip(b"0") for name, value in headers
    )
    content = _list_codings(value for name, value in coded if name == _CONTENT)
    return 415 if has_body and any(coding != b"identity" for coding in content) else 0


def _list_codings(values: Iterable[bytes]) -> list[bytes]:
    codings = (one.strip(b" \t").lower() for value in values for one in value.split(b","))
    return [coding for coding in codings if coding]

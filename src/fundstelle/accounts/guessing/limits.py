"""What is counted against guessing, and what too many failures cost.

No limit is of an account alone where a stranger could use it up for its owner, and none is of all
senders together where few of them could use it up for the rest. A code is the exception: of its
million values none may be tried from everywhere, and who gets to try it knows the password.
"""

import ipaddress
from dataclasses import dataclass

_HOUR_S = 3_600
_DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Limit:
    """How many failures are free, and what comes after them.

    Without a ``delay_s``: at most ``free`` in ``period_s``, then nothing until that has passed.
    With it: the next attempt waits ``delay_s``, the one after it twice as long, up to ``most_s``;
    after ``period_s`` without a failure all is forgotten. With ``only_counts`` nobody waits.
    """

    name: str
    free: int
    period_s: int
    delay_s: int = 0
    most_s: int = 0
    only_counts: bool = False


# A password, by account and network; by network and site over all accounts.
PAIR = Limit("sign-in:pair", 5, _DAY_S, delay_s=15, most_s=900)
NETWORK = Limit("sign-in:network", 30, _HOUR_S)
SITE = Limit("sign-in:site", 150, _HOUR_S)
# Failures of an account from everywhere: from then on a network has one free attempt, not five.
ACCOUNT = Limit("sign-in:account", 50, _DAY_S, only_counts=True)
PAIR_WATCHED = Limit(PAIR.name, 1, PAIR.period_s, PAIR.delay_s, PAIR.most_s)
# The same from a browser in which this person has signed in before, and from an open session.
DEVICE = Limit("sign-in:device", 5, _DAY_S, delay_s=15, most_s=900)
SESSION = Limit("sign-in:session", 5, _DAY_S, delay_s=15, most_s=900)
# A code, after the password: by account, or by known device, or by session.
CODE = Limit("sign-in:code", 5, _DAY_S, delay_s=15, most_s=900)
DEVICE_CODE = Limit("sign-in:device-code", 5, _DAY_S, delay_s=15, most_s=900)
SESSION_CODE = Limit("sign-in:session-code", 5, _DAY_S, delay_s=15, most_s=900)
# Passkeys and answers of the identity provider cannot be guessed; failures fill the log.
PROOF = Limit("sign-in:proof", 10, _HOUR_S)
SIGN_UP_NETWORK = Limit("sign-up:network", 10, _HOUR_S)
SIGN_UP_SITE = Limit("sign-up:site", 30, _HOUR_S)
REGISTER_NETWORK = Limit("register:network", 10, _HOUR_S)
REGISTER_SITE = Limit("register:site", 60, _HOUR_S)


def find_network(address: str) -> str:
    """What one sender can hold: an IPv4 address, or the /64 of an IPv6 address."""
    return _widen(address, 32, 64)


def find_site(address: str) -> str:
    """What one line or rented server can hold beyond that: the /24, or the /48 of IPv6."""
    return _widen(address, 24, 48)


def _widen(address: str, bits_v4: int, bits_v6: int) -> str:
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    bits = bits_v4 if isinstance(parsed, ipaddress.IPv4Address) else bits_v6
    if bits == parsed.max_prefixlen:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, bits), strict=False))

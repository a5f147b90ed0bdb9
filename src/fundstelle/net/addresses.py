"""Which addresses are of the public internet: what a stranger names may be fetched from these only.

Written out instead of asking ``ipaddress``, whose answer depends on the version of Python and
counts some networks as global that lead elsewhere.
"""

import ipaddress
import socket
from collections.abc import Callable, Sequence

Resolver = Callable[[str], Sequence[str]]

_HTTPS = 443
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# IANA IPv4 Special-Purpose Address Registry, without looking at "globally reachable": nobody
# publishes a document from anycast relays (192.88.99.0/24) or sinks (AS112); then multicast.
_SPECIAL_V4 = (
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.31.196.0/24",
    "192.52.193.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "192.175.48.0/24",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
)
# Of IPv6 only what IANA hands out as global unicast (2000::/3). That leaves out ::/8 with mapped
# and translated addresses (::ffff:0:0/96, 64:ff9b::/96, 64:ff9b:1::/48), 100::/64, 5f00::/16,
# fc00::/7, fe80::/10, fec0::/10 and ff00::/8. Within it are special: 2001::/23 (Teredo, ORCHID,
# benchmarking), documentation, 6to4, AS112, and the network of the 6bone that was given back.
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_SPECIAL_V6 = (
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "2620:4f:8000::/48",
    "3ffe::/16",
    "3fff::/20",
)
_SPECIAL: tuple[_Network, ...] = tuple(
    ipaddress.ip_network(one) for one in (*_SPECIAL_V4, *_SPECIAL_V6)
)


def is_public(address: str) -> bool:
    """Whether an address is one of the public internet, and written as one without a zone."""
    if not is_address(address):
        return False
    ip = ipaddress.ip_address(address)
    if isinstance(ip, ipaddress.IPv6Address) and (ip.scope_id is not None or ip not in _GLOBAL_V6):
        return False
    return not any(ip.version == one.version and ip in one for one in _SPECIAL)


def is_loopback(address: str) -> bool:
    """Whether an address is of this machine."""
    return is_address(address) and ipaddress.ip_address(address).is_loopback


def is_address(text: str) -> bool:
    """Whether it is an address at all."""
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True


def resolve_name(host: str) -> Sequence[str]:
    """All addresses of a name, as the system resolves it.

    Raises:
        OSError: it has none.
        ValueError: it is no name that can be asked for.
    """
    found = socket.getaddrinfo(host, _HTTPS, type=socket.SOCK_STREAM)
    return [str(one[4][0]) for one in found]

"""Whose an address is: senders are counted by the network that one of them can hold."""

import ipaddress


def find_network(address: str, bits_v4: int = 32, bits_v6: int = 64) -> str:
    """What one sender can hold: an IPv4 address, or the /64 of an IPv6 address.

    Args:
        address: as the socket gives it; IPv4 within IPv6 is IPv4.
        bits_v4: of the network, where a wider one is meant.
        bits_v6: the same.

    Returns:
        The network; empty for what is no address (a socket in the file system): all together.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return ""
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    bits = bits_v4 if isinstance(parsed, ipaddress.IPv4Address) else bits_v6
    if bits == parsed.max_prefixlen:
        return str(parsed)
    return str(ipaddress.ip_network((parsed, bits), strict=False))


def find_site(address: str) -> str:
    """What one line or rented server can hold beyond that: the /24, or the /48 of IPv6."""
    return find_network(address, 24, 48)


def find_neighbourhood(address: str) -> str:
    """What strangers who only read are counted by: the /24, or the /56 of IPv6.

    Addresses next to each other are cheap to rent, and a /56 is what one customer is given at least
    (RFC 6177).
    """
    return find_network(address, 24, 56)

"""Where a key may be used from, for which tools and texts: less than all, if its owner says so.

A key that leaks is worth as little as it reaches: of one network alone, for lookups alone.
"""

import ipaddress
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from fundstelle.errors import InvalidArgument

MOST_NETWORKS = 20
_MOST_CHARS = 50  # of a network as it is written
_MAPPED_BITS = 96  # before an address of IPv4 in one of IPv6 (RFC 4291 §2.5.5.2)

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@dataclass(frozen=True, slots=True)
class Reach:
    """What a key may be used for.

    ``tools``: their names; ``None`` = all there are. ``networks``: empty = from anywhere.
    ``decisions``: whether court decisions are among what it is given.
    """

    tools: frozenset[str] | None = None
    networks: tuple[Network, ...] = ()
    decisions: bool = True

    @property
    def is_whole(self) -> bool:
        """Whether nothing is left out."""
        return self.tools is None and not self.networks and self.decisions

    def allows_from(self, address: str) -> bool:
        """Whether a request from an address, as the socket gives it, is within the networks.

        What is no address (a socket in the file system) is this machine's own.
        """
        if not self.networks:
            return True
        try:
            parsed = ipaddress.ip_address(address.partition("%")[0] or "127.0.0.1")
        except ValueError:
            return False
        if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is not None:
            parsed = parsed.ipv4_mapped
        return any(
            parsed.version == network.version and parsed in network for network in self.networks
        )

    def dump(self) -> dict[str, Any] | None:
        """As JSON keeps it; ``None`` for one that leaves nothing out."""
        if self.is_whole:
            return None
        tools = None if self.tools is None else sorted(self.tools)
        dumped = {"tools": tools, "networks": [str(network) for network in self.networks]}
        return dumped if self.decisions else {**dumped, "decisions": False}


EVERYTHING = Reach()


def load_reach(stored: Mapping[str, Any] | None) -> Reach:
    """The inverse of ``Reach.dump``."""
    if stored is None:
        return EVERYTHING
    tools = stored["tools"]
    networks = tuple(ipaddress.ip_network(one) for one in stored["networks"])
    tools = None if tools is None else frozenset(tools)
    return Reach(tools, networks, stored.get("decisions", True))


def read_reach(
    tools: Collection[str],
    networks: Iterable[str],
    known: Collection[str],
    *,
    decisions: bool = True,
) -> Reach:
    """What somebody has chosen: names of tools, and networks or single addresses.

    All tools that are known are no choice: then the key may use those to come, too.

    Raises:
        InvalidArgument: no tool is left, there is none of that name, or what is written is no
            network (``field`` is ``tools`` or ``networks``).
    """
    chosen = frozenset(tools)
    if not chosen or chosen - set(known):
        raise InvalidArgument(
            "choose at least one tool of those there are", field="tools", allowed_values=[*known]
        )
    read = tuple(dict.fromkeys(_read_network(one) for one in networks))
    if len(read) > MOST_NETWORKS:
        raise InvalidArgument(f"a key has at most {MOST_NETWORKS} networks", field="networks")
    return Reach(None if chosen == set(known) else chosen, read, decisions)


def _read_network(written: str) -> Network:
    """A network as requests come from it: one of IPv4 that is mapped into IPv6 is one of IPv4."""
    try:
        network = ipaddress.ip_network(written[: _MOST_CHARS + 1], strict=False)
    except ValueError:
        network = None
    if network is None or "%" in written:  # a scope is of one machine; requests come without
        raise InvalidArgument(
            "that is no network or address", field="networks", example="192.0.2.0/24"
        )
    mapped = getattr(network.network_address, "ipv4_mapped", None)
    if mapped is None or network.prefixlen < _MAPPED_BITS:
        return network
    return ipaddress.IPv4Network((mapped, network.prefixlen - _MAPPED_BITS))

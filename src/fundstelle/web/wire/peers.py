"""Whose connections they are: no network holds so many that others find no place.

Connections that have come just now give way to nobody, so whoever makes new ones fast enough could
hold all of them.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from fundstelle.net.networks import find_network, find_site

# Quarters of all connections of a process.
_NETWORK = 2
_SITE = 3


@dataclass(frozen=True, slots=True)
class Group:
    """Addresses that one sender may hold together, and their share of all connections."""

    name: str
    quarters: int


@dataclass(frozen=True, slots=True)
class Trusted:
    """Addresses behind which others stand, who must not be taken for one."""

    networks: tuple[IPv4Network | IPv6Network, ...] = ()
    is_everybody: bool = False

    @classmethod
    def read(cls, words: Iterable[str]) -> "Trusted":
        """From addresses, networks and ``*``; what is none of them is passed over."""
        networks = []
        given = list(words)
        for word in given:
            try:
                networks.append(ip_network(word))
            except ValueError:
                continue
        return cls(tuple(networks), "*" in given)

    def list_senders(self) -> list[str]:
        """All forms in which their addresses come: of IPv4 also that of a socket for both."""
        mapped = [
            f"::ffff:{one.network_address}/{96 + one.prefixlen}"
            for one in self.networks
            if isinstance(one, IPv4Network)
        ]
        return [*(["*"] if self.is_everybody else []), *map(str, self.networks), *mapped]

    def find_groups(self, address: str) -> tuple[Group, ...]:
        """The groups of an address; none of one that is trusted, of this machine, or no address."""
        try:
            parsed = ip_address(address.partition("%")[0])
        except ValueError:  # a socket in the file system
            return ()
        if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
            parsed = parsed.ipv4_mapped
        if self.is_everybody or parsed.is_loopback or any(parsed in one for one in self.networks):
            return ()
        return Group(find_network(address), _NETWORK), Group(find_site(address), _SITE)


class Peers:
    """Counts the connections of each group in one process."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    def enter(self, groups: Iterable[Group]) -> None:
        """A connection was made."""
        for group in groups:
            self._held[group.name] += 1

    def leave(self, groups: Iterable[Group]) -> None:
        """It has ended."""
        for group in groups:
            self._held[group.name] -= 1
            if self._held[group.name] <= 0:
                del self._held[group.name]

    def find_crowded(self, groups: Iterable[Group], most: int) -> Group | None:
        """The first of the groups that holds more than its share of ``most`` connections."""
        for group in groups:
            if self._held[group.name] > most * group.quarters // 4:
                return group
        return None

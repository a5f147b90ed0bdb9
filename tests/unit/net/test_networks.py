"""Who is counted as one sender."""

import pytest

from fundstelle.net.networks import find_neighbourhood, find_network, find_site


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("unix", ""),
    ],
)
def test_a_sender_is_one_however_many_addresses_they_hold(address: str, network: str) -> None:
    assert find_network(address) == network


@pytest.mark.parametrize(
    ("address", "site"),
    [
        ("192.0.2.1", "192.0.2.0/24"),
        ("::ffff:192.0.2.1", "192.0.2.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/48"),
        ("unix", ""),
    ],
)
def test_a_site_is_what_one_line_or_rented_server_can_hold(address: str, site: str) -> None:
    assert find_site(address) == site


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("192.0.2.1", "192.0.2.200", True),
        ("192.0.2.1", "192.0.3.1", False),
        ("2001:db8::1", "2001:db8:0:ff::9", True),
        ("2001:db8::1", "2001:db8:0:100::1", False),
        ("::ffff:192.0.2.1", "192.0.2.9", True),
        ("fe80::1%eth0", "fe80::2", True),
        ("", "unix", True),
    ],
)
def test_a_neighbourhood_is_what_one_sender_holds_cheaply(one: str, other: str, same: bool) -> None:
    assert (find_neighbourhood(one) == find_neighbourhood(other)) is same

"""Which addresses a fetch for strangers may go to."""

import pytest

from fundstelle.oauth.guarded_fetch import is_public


@pytest.mark.parametrize("address", ["8.8.8.8", "160.79.104.10", "2606:4700::1111"])
def test_these_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.8.8.8",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "192.0.2.1",
        "198.18.0.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::7f00:1",
        "64:ff9b::8.8.8.8",
        "2002:7f00:1::",
        "2002:0808:0808::",
        "2001:0:4136:e378:8000:63bf:3fff:fdd2",
        "fe80::1",
        "fe80::1%eth0",
        "fc00::1",
        "fd12:3456::1",
        "ff02::1",
        "2001:db8::1",
        "example.com",
        "",
    ],
)
def test_these_are_not(address: str) -> None:
    assert not is_public(address)

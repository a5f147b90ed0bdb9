import pytest

from fundstelle.web.messages import find_host, index_headers
from fundstelle.web.origins import HostGuard

GUARD = HostGuard("https://law.example.com:8443", ["inside.example"], ["https://app.example/"])
SIX = HostGuard("http://[fd00::1]:8000", [], [])


@pytest.mark.parametrize(
    "host",
    [
        *("law.example.com:8443", "LAW.example.com", "inside.example", "inside.example:1"),
        *("localhost", "localhost:65535", "127.0.0.1:8000", "[::1]", "[::1]:8000"),
    ],
)
def test_our_hosts_are_served(host: str) -> None:
    assert GUARD.allows_host(host.encode())


@pytest.mark.parametrize("host", ["[fd00::1]:8000", "[fd00::1]", "[fd00::1]:9"])
def test_an_address_of_version_6_may_be_ours(host: str) -> None:
    assert SIX.allows_host(host.encode())
    assert not GUARD.allows_host(host.encode())


@pytest.mark.parametrize(
    "host",
    [
        *("", "evil.example", "localhost.evil.example", "evil.example:8443", "localhost:"),
        *(
            "localhost:abc",
            "localhost:80:90",
            "localhost:65536",
            "localhost:99999999",
            "a@localhost",
        ),
        *("localhost:80@evil.example", "localhost/", "localhost?", "localhost#", "localhost "),
        *(" localhost", "localhost, localhost", "localhost\t", "[::1", "::1", "[::1]x", "[::1]:x"),
        *("[localhost]", "localhost:\xb2", "localhost:-1", "localhost:+1", "localhost:8_0", "0:80"),
        *("%6cocalhost", "http://localhost", "localhost\\", "127.1", "127.0.0.1.", "a" * 9_000),
    ],
)
def test_no_other_host_is(host: str) -> None:
    assert not GUARD.allows_host(host.encode("latin-1"))
    assert not GUARD.allows_host(host.encode("latin-1"))  # not even when it is remembered


@pytest.mark.parametrize(
    "origin",
    [
        *("https://law.example.com:8443", "https://app.example", "http://localhost:3000"),
        *("https://localhost", "http://127.0.0.1:1", "http://[::1]:5173", "HTTP://LOCALHOST:80"),
    ],
)
def test_our_origins_may_call(origin: str) -> None:
    assert GUARD.allows_origin(origin.encode())


@pytest.mark.parametrize(
    "origin",
    [
        *("", "null", "localhost", "http://", "https://evil.example", "https://law.example.com"),
        *(
            "http://localhost:abc",
            "http://localhost:80:90",
            "http://localhost:",
            "http://localhost/",
        ),
        *("http://a@localhost", "http://localhost@evil.example", "http://localhost:65536"),
        *("http://localhost:1@evil.example", "http://localhost.evil.example", "file://localhost"),
        *("http://[::1", "http://[::1]]", "http://[::1]:a", "http://::1", "http:///localhost"),
        *("http://localhost https://evil.example", "http://localhost, http://localhost"),
        *("http://localhost:\xb2", "http://localhost#", "http://localhost?", "ws://localhost"),
        "https://app.example:443:1",
    ],
)
def test_no_other_origin_may(origin: str) -> None:
    assert not GUARD.allows_origin(origin.encode("latin-1"))


def test_values_without_end_are_not_remembered() -> None:
    guard = HostGuard("http://localhost:8000", [], [])
    for number in range(2_000):
        guard.allows_host(b"%d.example" % number)
        guard.allows_host(b"%d." % number * 10_000)
    assert len(guard._judged_hosts) <= 256
    assert max(map(len, guard._judged_hosts)) <= 300


def test_headers_that_are_sent_twice_are_joined_in_time() -> None:
    raw = [(b"x", b"a"), (b"host", b"h"), (b"x", b"b"), (b"x", b"c")]
    assert index_headers(raw) == {b"x": b"a, b, c", b"host": b"h"}
    assert find_host(raw) == b"h"
    assert find_host([(b"host", b"a"), (b"host", b"a")]) == b""
    many = index_headers([(b"x", b"a")] * 200_000)  # took seconds when each was joined to the rest
    assert len(many[b"x"]) == 3 * 200_000 - 2

"""Heads, bodies and connections beyond what one client may send: refused while they are parsed."""

import shutil
from pathlib import Path

import orjson
import pytest

from fundstelle.web.wire.limits import PATH_BYTES, PIPELINED
from tests.adversarial.attacker import (
    Answer,
    build_head,
    call,
    cpu_s,
    exchange,
    get,
    holding,
    read_answer,
)
from tests.adversarial.conftest import Target
from tests.e2e.server import started

pytestmark = pytest.mark.e2e

MEGABYTE = 1_000_000
PROMISED_CPU_S = 0.5  # of the server, for what used to take it seconds
PING = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
FORM = "application/x-www-form-urlencoded"
CHUNKED = {"transfer_encoding": "chunked"}

HEADS = {
    "half a million headers": (b"X: a\r\n" * 500_000, 431),
    "one header of 60 MB": (b"X: " + b"a" * 60 * MEGABYTE + b"\r\n", 431),
    "a header's name of 60 MB": (b"a" * 60 * MEGABYTE + b": a\r\n", 431),
    "129 headers": (b"X: a\r\n" * 128, 431),
    "64 KB of headers in several pieces": (b"X: " + b"a" * 70_000 + b"\r\n", 431),
    "a cookie each": (b"cookie: a=b\r\n" * 50_000, 431),
}
PATHS = ("/mcp", "/sign-in", "/oauth/token", "/healthz")


def _is_alive(target: Target) -> bool:
    return call(target.port, target.key, PING).status == 200


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("name", HEADS)
def test_a_head_beyond_the_limits_is_refused_before_it_costs(
    target: Target, name: str, path: str
) -> None:
    headers, status = HEADS[name]
    before = cpu_s(target.pid)
    answer = exchange(target.port, build_head(target.port, path), headers, b"\r\n")
    assert cpu_s(target.pid) - before < PROMISED_CPU_S
    assert (answer.status, answer.headers["connection"]) == (status, "close")
    assert _is_alive(target)


@pytest.mark.parametrize("path", PATHS)
def test_a_head_within_the_limits_is_read(target: Target, path: str) -> None:
    head = build_head(target.port, path, "GET", connection="close")
    headers = b"".join(b"x-%d: %s\r\n" % (n, b"a" * 500) for n in range(120))
    assert exchange(target.port, head, headers, b"\r\n").status in {200, 401, 404, 405}


@pytest.mark.parametrize("length", [PATH_BYTES - 2, 17_000, 60 * MEGABYTE])
def test_a_long_address_is_refused(target: Target, length: int) -> None:
    assert get(target.port, "/n/" + "a" * length).status == 414
    assert get(target.port, "/n/" + "a" * length + "?q=a").status == 414
    assert _is_alive(target)


def test_a_query_may_be_longer_than_a_path(target: Target) -> None:
    assert get(target.port, "/n/" + "a" * (PATH_BYTES - 3)).status == 404
    assert get(target.port, "/n/x?state=" + "a" * 12_000).status == 404


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("query", ["a" + "&a" * 64, "%41&" * 4_000])
def test_an_address_of_countless_fields_is_refused(target: Target, path: str, query: str) -> None:
    assert get(target.port, f"{path}?{query}").status == 414
    assert get(target.port, f"{path}?a{'&a' * 63}").status != 414


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "body",
    [
        b"1\r\na\r\n" * 2_000_000,
        b"1;" + b"a" * 20 * MEGABYTE,
        b"10000000\r\n" + b"a" * 20 * MEGABYTE,
        b"0\r\n" + b"X: a\r\n" * 500_000,
        b"0\r\nX: " + b"a" * 20 * MEGABYTE,
    ],
    ids=["tiny chunks", "an extension", "a large chunk", "trailers", "a long trailer"],
)
def test_a_chunked_body_beyond_the_limits_ends_the_connection(
    target: Target, path: str, body: bytes
) -> None:
    before = cpu_s(target.pid)
    head = build_head(target.port, path, content_type=FORM, **CHUNKED)
    answer = exchange(target.port, head, b"\r\n", body)
    # the answer may come before the body does
    assert answer.status in {200, 400, 401, 403, 405, 408, 413, 431}
    assert cpu_s(target.pid) - before < 2 * PROMISED_CPU_S
    assert _is_alive(target)


@pytest.mark.parametrize("path", ["/sign-in", "/oauth/token", "/oauth/register"])
def test_a_declared_body_beyond_the_limits_is_refused_on_every_path(
    target: Target, path: str
) -> None:
    head = build_head(target.port, path, content_type=FORM, content_length=str(8 * MEGABYTE))
    assert exchange(target.port, head, b"\r\n", b"a" * 8 * MEGABYTE).status == 413


def test_a_trailer_is_no_header(target: Target) -> None:
    head = build_head(target.port, connection="close", content_type="application/json", **CHUNKED)
    trailer = f"Authorization: Bearer {target.key}\r\n".encode()
    assert exchange(target.port, head + b"\r\n0\r\n" + trailer + b"\r\n").status == 401


@pytest.mark.parametrize(
    "sent",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET http://[::1/ HTTP/1.1\r\nHost: a\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: a\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST /mcp HTTP/1.1\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n",
        b"GET / HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
    ],
)
def test_what_is_not_http_is_refused(target: Target, sent: bytes) -> None:
    assert exchange(target.port, sent).status == 400
    assert _is_alive(target)


def test_a_flood_of_pipelined_requests_ends_the_connection(target: Target) -> None:
    request = build_head(target.port, "/healthz", "GET") + b"\r\n"
    before = cpu_s(target.pid)
    flooded = exchange(target.port, request * 20_000)
    assert cpu_s(target.pid) - before < PROMISED_CPU_S
    # the answer to the first, and in what is behind it those to all that may wait
    assert flooded.body.count(b"HTTP/1.1 200") == PIPELINED
    few = build_head(target.port, "/healthz", "GET", connection="close") + b"\r\n"
    assert exchange(target.port, request * 10 + few).body.count(b"HTTP/1.1 200") == 10


@pytest.mark.parametrize(
    "surplus", [b"X", b"}\n", b"nonsense\r\n\r\n", b"GET / HTTP/1.1\r\nA\r\n\r\n"]
)
@pytest.mark.parametrize("apart", [False, True])
def test_a_call_before_surplus_bytes_has_its_answer(
    target: Target, surplus: bytes, apart: bool
) -> None:
    body = orjson.dumps(PING)
    head = build_head(
        target.port,
        authorization=f"Bearer {target.key}",
        content_type="application/json",
        content_length=str(len(body)),
    )
    sent = [head + b"\r\n" + body, surplus] if apart else [head + b"\r\n" + body + surplus]
    answer = exchange(target.port, *sent)
    assert answer.status == 200
    assert b'"result"' in answer.body
    assert answer.body.count(b"HTTP/1.1 ") <= apart  # one that was answered before is told 400
    assert _is_alive(target)


def test_beyond_the_limit_of_connections_only_the_health_is_told(target: Target) -> None:
    with holding(target.port, 32, b"POST /mcp HTTP/1.1\r\nHost"):
        refused: Answer = call(target.port, target.key, PING)
        assert refused.status == 503
        assert refused.headers["retry-after"] == "5"
        assert get(target.port, "/healthz").status == 200
        assert get(target.port, "/sign-in").status == 503
        # those that only wait cannot take the place of one that asks
        with holding(target.port, 200):
            assert get(target.port, "/healthz").status == 200
    assert _is_alive(target)


def test_a_client_that_stops_in_the_middle_leaves_nothing_behind(target: Target) -> None:
    """The log of the server holds no traceback, whichever path it was; the fixture looks."""
    for path in PATHS:
        head = build_head(target.port, path, content_type=FORM, content_length="1000")
        with holding(target.port, 4, head + b"\r\na=b"):
            pass
    assert _is_alive(target)


def test_a_slow_body_under_the_limit_is_read(target: Target) -> None:
    body = b'{"jsonrpc":"2.0","id":1,"method":"ping"}'
    head = build_head(
        target.port,
        authorization=f"Bearer {target.key}",
        content_type="application/json",
        content_length=str(len(body)),
        connection="close",
    )
    with holding(target.port, 1, head + b"\r\n") as (client,):
        for at in range(len(body)):
            client.sendall(body[at : at + 1])
        assert read_answer(client).json["result"] == {}


def test_every_worker_has_the_limits(invented_data: Path, tmp_path: Path) -> None:
    data = shutil.copytree(invented_data, tmp_path / "data")
    with started(data, "--workers", "2", max_body_bytes="2048") as server:
        for _ in range(20):  # each on a connection of its own, so that both are met
            head = build_head(server.port, "/healthz")
            assert exchange(server.port, head, b"X: a\r\n" * 200, b"\r\n").status == 431
            form = build_head(server.port, "/oauth/token", content_length="5000", content_type=FORM)
            assert exchange(server.port, form, b"\r\n", b"a" * 5_000).status == 413
        assert get(server.port, "/readyz").status == 200


@pytest.mark.parametrize("path", PATHS)
def test_a_body_of_countless_chunks_is_refused(target: Target, path: str) -> None:
    """Each is a call of the parser: 330,000 of a byte hold the loop for a fifth of a second."""
    head = build_head(target.port, path, "POST", transfer_encoding="chunked", connection="close")
    chunks = b"1\r\nx\r\n" * 330_000
    before = cpu_s(target.pid)
    for _ in range(5):  # who does not read the body may have answered already
        assert exchange(target.port, head, b"\r\n", chunks, b"0\r\n\r\n").status != 413
    assert cpu_s(target.pid) - before < 0.5
    few = b"1\r\nx\r\n" * 900
    answer = exchange(target.port, head, b"\r\n", few, b"0\r\n\r\n")
    assert b"malformed" not in answer.body
    assert answer.status not in {0, 413}


@pytest.mark.parametrize("cookie", ['a="' + "\\\\" * 15_000 + '"', "a=b;" * 15_000])
def test_hostile_cookies_are_not_read(target: Target, cookie: str) -> None:
    """Python reads a quoted one of 60 KB in nine seconds (CVE-2024-7592)."""
    before = cpu_s(target.pid)
    for path in ("/", "/nothing", "/sign-in"):
        head = build_head(target.port, path, "GET", cookie=cookie, connection="close")
        assert exchange(target.port, head, b"\r\n").status in {200, 404, 429}
    assert cpu_s(target.pid) - before < 1.0

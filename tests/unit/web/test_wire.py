"""Deadlines of a connection. Time is turned by hand; the transport is a list."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any, cast

import pytest
from uvicorn.config import Config
from uvicorn.middleware.proxy_headers import _TrustedHosts
from uvicorn.server import ServerState

from fundstelle.web.messages import Receive, Scope, Send
from fundstelle.web.waiting.unread import EXTENSION
from fundstelle.web.wire import limits as most
from fundstelle.web.wire.limits import Limits
from fundstelle.web.wire.peers import Trusted
from fundstelle.web.wire.protocol import BoundedProtocol
from fundstelle.web.wire.sweeper import find_sweeper

GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"


class Transport:
    """Keeps what was written; ``unread`` is what the client has not taken."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        self.address = address
        self.written = b""
        self.is_ended = False
        self.is_aborted = False
        self.is_half_closed = False
        self.unread = 0
        self.options: list[tuple[int, ...]] = []
        self.on_body: Callable[[], None] = lambda: None

    def write(self, data: bytes) -> None:
        self.written += data
        if data == b"ok":
            self.on_body()

    def close(self) -> None:
        self.is_ended = True

    def abort(self) -> None:
        self.is_ended = self.is_aborted = True
        self.unread = 0

    def write_eof(self) -> None:
        self.is_half_closed = True

    def is_closing(self) -> bool:
        return self.is_ended

    def get_write_buffer_size(self) -> int:
        return self.unread

    def get_extra_info(self, name: str) -> Any:
        return self if name == "socket" else None

    def getsockname(self) -> tuple[str, int]:
        return "127.0.0.1", 1

    def getpeername(self) -> tuple[str, int]:
        return self.address, 2

    def setsockopt(self, *option: int) -> None:
        self.options.append(option)

    def pause_reading(self) -> None:
        """Nothing comes by itself."""

    def resume_reading(self) -> None:
        """Nothing comes by itself."""


async def read_and_answer(scope: Scope, receive: Receive, send: Send) -> None:
    """Reads the body, then answers."""
    assert scope["type"] == "http"
    while (event := await receive()).get("more_body"):
        pass
    if event["type"] == "http.request":
        await answer(scope, receive, send)


async def answer(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Answers without a look at the body."""
    headers = [(b"content-length", b"2")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"ok"})


class Server:
    """What the connections of one process share."""

    def __init__(
        self,
        app: Callable[..., Any] = read_and_answer,
        connections: int = 100,
        trusted: tuple[str, ...] = (),
    ) -> None:
        self.config = Config(app, lifespan="off", log_config=None, ws="none")
        self.config.load()
        self.state = ServerState()
        self.limits = Limits(connections, 1_000, Trusted.read(trusted))

    def connect(self, address: str = "127.0.0.1") -> tuple[BoundedProtocol, Transport]:
        loop = asyncio.get_running_loop()
        protocol = BoundedProtocol(self.limits, self.config, self.state, {}, loop)
        transport = Transport(address)
        protocol.connection_made(cast("asyncio.Transport", transport))
        return protocol, transport

    async def wait(self, turns: int) -> None:
        for _ in range(turns):
            find_sweeper(self.state).sweep()
        for _ in range(10):
            await asyncio.sleep(0)


@pytest.mark.parametrize(
    ("sent", "turns", "status"),
    [
        (b"", most.HEAD_S, b""),
        (b"GET / HTT", most.HEAD_S, b"408"),
        (GET[:-2], most.HEAD_S, b"408"),
        (POST + b"a=b", most.BODY_S, b"408"),
        (GET, most.KEEP_ALIVE_S, b"200"),
        (GET + b"GET", most.HEAD_S, b"200"),
    ],
    ids=["nothing", "a line", "a head", "a body", "keep-alive", "a second head"],
)
def test_every_wait_for_a_client_ends(sent: bytes, turns: int, status: bytes) -> None:
    async def attack() -> None:
        server = Server()
        protocol, transport = server.connect()
        protocol.data_received(sent)
        await server.wait(0)
        await server.wait(turns)
        assert not transport.is_ended
        assert not transport.is_half_closed
        await server.wait(1)
        assert transport.is_ended or transport.is_half_closed
        assert transport.written[9:12] == status
        await server.wait(most.LINGER_S + 1)
        assert transport.is_ended

    asyncio.run(attack())


def test_a_head_that_comes_byte_by_byte_wins_no_time() -> None:
    async def attack() -> None:
        server = Server()
        protocol, transport = server.connect()
        for byte in GET[: most.HEAD_S + 1]:
            protocol.data_received(bytes([byte]))
            await server.wait(1)
        assert transport.written.startswith(b"HTTP/1.1 408 ")

    asyncio.run(attack())


def test_a_body_that_nobody_wants_wins_no_time() -> None:
    async def attack() -> None:
        server = Server(answer)
        protocol, transport = server.connect()
        protocol.data_received(POST)
        await server.wait(most.BODY_S)
        assert transport.written.startswith(b"HTTP/1.1 200 ")
        assert not transport.is_half_closed
        await server.wait(1)
        assert transport.is_half_closed
        assert transport.written.count(b"HTTP/1.1 ") == 1

    asyncio.run(attack())


def test_a_second_request_on_a_connection_has_a_time_of_its_own() -> None:
    async def ask_twice() -> None:
        server = Server()
        protocol, transport = server.connect()
        for number in range(1, 4):
            protocol.data_received(GET)
            await server.wait(0)
            await server.wait(most.KEEP_ALIVE_S)
            assert transport.written.count(b"HTTP/1.1 200 ") == number
        assert not transport.is_ended

    asyncio.run(ask_twice())


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("count", [1, 16, 17, 18, 20, 300])
def test_of_many_requests_at_once_the_first_are_answered(count: int, apart: bool) -> None:
    async def ask() -> None:
        server = Server()
        protocol, transport = server.connect()
        for sent in [GET] * count if apart else [GET * count]:
            protocol.data_received(sent)
        for _ in range(40):
            await server.wait(0)
        answered = min(count, most.PIPELINED + 1)
        assert transport.written.count(b"HTTP/1.1 200 ") == answered
        assert transport.written.count(b"HTTP/1.1 ") == answered
        is_over = count > answered
        last = transport.written.rpartition(b"HTTP/1.1 ")[2]
        assert (b"connection: close" in last) is is_over
        assert transport.written.count(b"connection: close") == is_over
        assert transport.is_half_closed is is_over  # what was sent behind may still come in
        protocol.data_received(GET * 3)
        await server.wait(most.LINGER_S + 1)
        assert transport.is_ended is is_over
        assert transport.written.count(b"HTTP/1.1 200 ") == answered + (0 if is_over else 3)

    asyncio.run(ask())


BAD = (
    b"X",
    b"}\n",
    b"nonsense\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nno header\r\n\r\n",
    b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 500 + b"\r\n",
    POST.replace(b"9", b"99999999") + b"a" * 70_000,
    POST.replace(b"Content-Length: 9", b"Transfer-Encoding: chunked") + b"zz\r\n",
)
ONE = POST + b"123456789"


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("count", [1, 2, 5])
def test_what_came_before_something_bad_is_answered(count: int, bad: bytes, apart: bool) -> None:
    async def ask() -> None:
        server = Server()
        protocol, transport = server.connect()
        for sent in [*([ONE] * count), bad] if apart else [ONE * count + bad]:
            protocol.data_received(sent)
        protocol.data_received(GET)
        for _ in range(20):
            await server.wait(0)
        assert transport.written.count(b"HTTP/1.1 200 ") == count
        assert transport.written.count(b"HTTP/1.1 ") == count
        last = transport.written.rpartition(b"HTTP/1.1 ")[2]
        assert b"connection: close" in last
        assert transport.written.count(b"connection: close") == 1
        assert transport.is_half_closed
        assert not transport.is_aborted
        await server.wait(most.LINGER_S + 1)
        assert transport.is_ended

    asyncio.run(ask())


def test_a_bad_body_behind_an_answer_that_is_not_read_takes_nothing_of_it_away() -> None:
    async def ask() -> None:
        server = Server()
        protocol, transport = server.connect()
        transport.on_body = protocol.pause_writing
        protocol.data_received(ONE + BAD[-1].removesuffix(b"zz\r\n"))
        await server.wait(0)
        assert transport.written.count(b"HTTP/1.1 200 ") == 1
        protocol.data_received(b"zz\r\n")
        await server.wait(0)
        protocol.resume_writing()
        await server.wait(0)
        assert transport.written.count(b"HTTP/1.1 ") == 1
        assert transport.is_half_closed

    asyncio.run(ask())


def test_a_head_that_never_ends_takes_no_answer_away() -> None:
    async def ask() -> None:
        let_go = asyncio.Event()

        async def wait(scope: Scope, receive: Receive, send: Send) -> None:
            await let_go.wait()
            await read_and_answer(scope, receive, send)

        server = Server(wait)
        protocol, transport = server.connect()
        protocol.data_received(ONE + b"GET / HT")
        await server.wait(most.HEAD_S + 1)
        assert not transport.written
        assert not transport.is_ended
        let_go.set()
        await server.wait(0)
        assert transport.written.count(b"HTTP/1.1 200 ") == 1
        assert transport.is_half_closed

    asyncio.run(ask())


def test_a_client_that_does_not_read_its_answer_is_left() -> None:
    async def attack() -> None:
        server = Server()
        protocol, transport = server.connect()
        transport.unread = 1_000_000
        protocol.data_received(POST + b"a")  # even while it waits for something else
        for _ in range(most.UNREAD_S + 1):
            protocol.since = find_sweeper(server.state).now
            await server.wait(1)
        assert not transport.is_aborted
        await server.wait(1)
        assert transport.is_aborted

    asyncio.run(attack())


def test_a_client_that_reads_slowly_may_go_on() -> None:
    async def read_slowly() -> None:
        server = Server(answer)
        protocol, transport = server.connect()
        transport.unread = 1_000_000
        protocol.data_received(POST)
        for _ in range(20):
            protocol.since = find_sweeper(server.state).now
            await server.wait(most.UNREAD_S)
            transport.unread -= most.UNREAD_BYTES
        assert not transport.is_aborted

    asyncio.run(read_slowly())


def test_an_answer_that_is_not_read_keeps_those_behind_it_waiting() -> None:
    async def attack() -> None:
        begun = []

        async def note(scope: Scope, receive: Receive, send: Send) -> None:
            begun.append(scope["extensions"][EXTENSION]["count"]())
            await read_and_answer(scope, receive, send)

        server = Server(note)
        protocol, transport = server.connect()
        transport.on_body = protocol.pause_writing  # as a transport does when it holds much
        transport.unread = 7
        protocol.data_received(GET + GET)
        protocol.data_received(GET)
        for number in (1, 2, 3):
            await server.wait(most.KEEP_ALIVE_S + 1)
            assert begun == [7] * number
            assert transport.written.count(b"HTTP/1.1 200 ") == number
            protocol.resume_writing()
        assert not transport.is_ended

    asyncio.run(attack())


def test_the_system_holds_little_of_what_is_not_sent_yet() -> None:
    async def connect() -> None:
        _, transport = Server().connect()
        option = (socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, most.UNSENT_BYTES)
        assert transport.options == [option]

    asyncio.run(connect())


def test_what_a_refused_client_still_sends_is_bounded() -> None:
    async def attack() -> None:
        server = Server()
        protocol, transport = server.connect()
        protocol.data_received(b"nonsense\r\n\r\n")
        assert transport.is_half_closed
        assert transport.written.startswith(b"HTTP/1.1 400 ")
        piece = b"a" * 1_048_576
        for _ in range(most.LINGER_BYTES // len(piece)):
            protocol.data_received(piece)
        assert not transport.is_aborted
        protocol.data_received(piece)
        assert transport.is_aborted
        assert transport.written.count(b"HTTP/1.1 ") == 1

    asyncio.run(attack())


def test_those_who_wait_beyond_the_limit_make_room_for_those_who_ask() -> None:
    async def attack() -> None:
        server = Server(connections=1)
        _, held = server.connect()
        idle = [server.connect()[1] for _ in range(most.RESERVE)]
        assert not any(transport.is_ended for transport in idle)
        late, answered = server.connect()
        assert [transport.is_aborted for transport in idle[:2]] == [True, False]
        late.data_received(b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n")
        await server.wait(0)
        assert b" 200 OK" in answered.written
        assert answered.is_ended
        other, refused = server.connect()
        other.data_received(GET)
        assert b" 503 Service Unavailable" in refused.written
        assert b"retry-after: 5\r\n" in refused.written
        await server.wait(most.RESERVE_S + 1)
        assert all(transport.is_ended for transport in idle)
        assert not held.is_ended

    asyncio.run(attack())


def test_those_who_rest_give_way_when_there_is_no_room_left() -> None:
    async def attack() -> None:
        server = Server(connections=3)
        silent, half, done = (server.connect() for _ in range(3))
        half[0].data_received(GET[:20])
        done[0].data_received(GET)
        await server.wait(0)
        statuses = []
        for turns in (most.RESERVE_S - 1, 1, 0, 0, 0):
            await server.wait(turns)
            protocol, transport = server.connect()
            protocol.data_received(GET)
            await server.wait(0)
            statuses.append(int(transport.written[9:12]))
        # at first all have come just now; then one after the other has rested long enough
        assert statuses == [503, 200, 200, 200, 503]
        assert silent[1].written == b""
        assert half[1].written.startswith(b"HTTP/1.1 408 ")
        assert done[1].written.count(b"HTTP/1.1 ") == 1

    asyncio.run(attack())


SLOW_POST = POST + b"a"


@pytest.mark.parametrize(
    ("app", "sent", "unread", "told"),
    [
        (read_and_answer, SLOW_POST, 0, [b"408"]),
        (answer, SLOW_POST, 0, [b"200"]),
        (answer, b"nonsense\r\n\r\n", 0, [b"400"]),
        (answer, GET, 100_000, [b"200"]),
    ],
    ids=["a body", "a body that is not wanted", "a refusal", "an answer"],
)
def test_who_lets_the_server_wait_gives_way_too(
    app: Callable[..., Any], sent: bytes, unread: int, told: list[bytes]
) -> None:
    async def attack() -> None:
        server = Server(app, connections=2)
        held = [server.connect() for _ in range(2)]
        for protocol, transport in held:
            protocol.data_received(sent)
            await server.wait(0)
            transport.unread = unread
        statuses = []
        for turns in (most.RESERVE_S - 1, most.RESERVE_S, 0, 0):
            await server.wait(turns)
            protocol, transport = server.connect()
            protocol.data_received(GET)
            await server.wait(0)
            statuses.append(int(transport.written[9:12]))
        assert statuses == [503, 200, 200, 503]
        for _, transport in held:
            assert transport.is_ended  # at once: its place is another's
            answers = transport.written.split(b"HTTP/1.1 ")[1:]
            assert [one[:3] for one in answers] == told

    asyncio.run(attack())


def test_who_is_served_gives_way_to_nobody() -> None:
    async def never(_scope: Scope, _receive: Receive, _send: Send) -> None:
        await asyncio.Event().wait()

    async def ask() -> None:
        server = Server(never, connections=2)
        working, reading = server.connect(), server.connect()
        working[0].data_received(GET)
        reading[0].data_received(GET)
        reading[1].unread = 1_000_000
        for _ in range(10):
            reading[1].unread -= most.UNREAD_BYTES
            await server.wait(1)
        protocol, transport = server.connect()
        protocol.data_received(GET)
        assert transport.written.startswith(b"HTTP/1.1 503 ")
        assert not working[1].is_ended
        assert not reading[1].is_ended

    asyncio.run(ask())


@pytest.mark.parametrize(
    "sent",
    [GET, b"POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n"],
    ids=["refused", "answered"],
)
def test_those_beyond_the_limit_stay_few_whatever_they_were_told(sent: bytes) -> None:
    async def attack() -> None:
        server = Server(answer, connections=1)
        server.connect()
        told = []
        for _ in range(2 * most.RESERVE):
            protocol, transport = server.connect()
            protocol.data_received(sent)
            await server.wait(0)
            told.append(transport)
        assert all(transport.written.count(b"HTTP/1.1 ") == 1 for transport in told)
        assert sum(not transport.is_ended for transport in told) <= most.RESERVE

    asyncio.run(attack())


async def ask(server: Server, address: str, sent: bytes = GET) -> int:
    protocol, transport = server.connect(address)
    protocol.data_received(sent)
    await server.wait(0)
    return int(transport.written[9:12])


@pytest.mark.parametrize(
    ("own", "held"),
    [
        (["192.0.2.1"], 8),
        (["2001:db8:0:1::1", "2001:db8:0:1:ffff::"], 8),
        (["192.0.2.1", "192.0.2.2"], 12),
        (["2001:db8:0:1::1", "2001:db8:0:2::1"], 12),
        (["192.0.2.1", "::ffff:192.0.2.1"], 8),
    ],
    ids=["an address", "a network", "a site", "a site of IPv6", "an address written anew"],
)
def test_no_network_holds_so_many_connections_that_others_find_no_place(
    own: list[str], held: int
) -> None:
    """However fast it makes new ones: those that came just now give way to nobody."""

    async def attack() -> None:
        server = Server(connections=16)
        for n in range(2 * 16):
            server.connect(own[n % len(own)])
        surplus = tuple(find_sweeper(server.state).surplus)
        assert 2 * 16 - len(surplus) == held
        for one in surplus:
            cast("BoundedProtocol", one).connection_lost(None)
        assert await ask(server, own[0]) == 503
        assert await ask(server, own[0], b"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n") == 200
        assert await ask(server, "203.0.113.5") == 200
        await server.wait(most.RESERVE_S)
        assert await ask(server, own[0]) == 200  # one of its own has rested long enough

    asyncio.run(attack())


def test_a_network_beyond_its_share_ends_no_connection_of_others() -> None:
    async def attack() -> None:
        server = Server(connections=16)
        _, rested = server.connect("203.0.113.5")
        await server.wait(most.RESERVE_S)
        own = [server.connect("192.0.2.1") for _ in range(8)]
        assert await ask(server, "192.0.2.1") == 503
        assert not rested.is_ended
        for protocol, _ in own[:2]:
            protocol.connection_lost(None)
        assert await ask(server, "192.0.2.1") == 200
        assert not rested.is_ended

    asyncio.run(attack())


@pytest.mark.parametrize(
    ("address", "trusted"),
    [
        ("127.0.0.1", ()),
        ("::1", ()),
        ("192.0.2.1", ("192.0.2.1",)),
        ("::ffff:192.0.2.1", ("a-proxy", "192.0.2.0/24")),
        ("192.0.2.1", ("*",)),
        ("2001:db8::1", ("2001:db8::/64",)),
    ],
)
def test_many_stand_behind_a_proxy(address: str, trusted: tuple[str, ...]) -> None:
    async def come() -> None:
        server = Server(connections=16, trusted=trusted)
        for _ in range(15):
            server.connect(address)
        assert await ask(server, address) == 200

    asyncio.run(come())


def test_what_has_ended_is_counted_no_more() -> None:
    async def come_and_go() -> None:
        server = Server(connections=16)
        for _ in range(100):
            protocol, _ = server.connect("192.0.2.1")
            protocol.connection_lost(None)
        assert await ask(server, "192.0.2.1") == 200
        assert len(find_sweeper(server.state).peers._held) == 2

    asyncio.run(come_and_go())


def test_a_limit_that_is_no_longer_reached_is_none() -> None:
    async def ask() -> None:
        server = Server(connections=1)
        first, _ = server.connect()
        second, transport = server.connect()
        first.connection_lost(None)
        second.data_received(GET)
        await server.wait(0)
        assert transport.written.startswith(b"HTTP/1.1 200 ")
        assert not transport.is_ended

    asyncio.run(ask())


def test_a_refusal_never_stands_in_the_place_of_another_answer() -> None:
    async def never(_scope: Scope, _receive: Receive, _send: Send) -> None:
        await asyncio.Event().wait()

    async def attack() -> None:
        server = Server(never)
        protocol, transport = server.connect()
        protocol.data_received(GET + b"nonsense\r\n\r\n")
        await server.wait(most.KEEP_ALIVE_S + most.LINGER_S)
        assert not transport.is_ended  # the answer may still come
        assert transport.written == b""

    asyncio.run(attack())


@pytest.mark.parametrize("size", [1, 7, 1_000, most.HEAD_BYTES, most.HEAD_BYTES + 1, 200_000])
def test_requests_are_read_however_they_are_cut(size: int) -> None:
    """A large body with another request behind it, in slices of every size."""

    async def ask() -> None:
        server = Server()
        server.limits = Limits(connections=10, body_bytes=150_000)
        protocol, transport = server.connect()
        body = b"a" * (20_000 if size < 1_000 else 149_000)
        cookie = b"cookie: " + b"b" * 3_000 + b"\r\n"
        head = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n" % len(body)
        sent = head + body + GET[:-2] + cookie * 16 + b"\r\n"
        for at in range(0, len(sent), size):
            protocol.data_received(sent[at : at + size])
        await server.wait(0)
        assert transport.written.count(b"HTTP/1.1 200 ") == 2

    asyncio.run(ask())


@pytest.mark.parametrize("size", [1, 30, 150, 1_000])
@pytest.mark.parametrize(
    ("framing", "body"),
    [(b"Content-Length: %d" % len(GET), GET), (b"Transfer-Encoding: chunked", b"1b\r\n" + GET)],
    ids=["by length", "in chunks"],
)
def test_a_wish_for_another_protocol_makes_no_request_of_a_body(
    size: int, framing: bytes, body: bytes
) -> None:
    """Java's client sends it with its first request, whatever that is."""
    seen: list[bytes] = []

    async def keep(scope: Scope, receive: Receive, send: Send) -> None:
        read, event = b"", await receive()
        while event.get("more_body"):
            read += event["body"]
            event = await receive()
        seen.append(read + event.get("body", b""))
        assert b"upgrade" not in dict(scope["headers"])
        await answer(scope, receive, send)

    async def ask() -> None:
        server = Server(keep)
        protocol, transport = server.connect()
        wish = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMA\r\n"
        end = b"" if body == GET else b"\r\n0\r\n\r\n"
        post = b"POST / HTTP/1.1\r\nHost: a\r\n" + wish + framing + b"\r\n\r\n" + body + end
        sent = post + post + GET
        for at in range(0, len(sent), size):
            protocol.data_received(sent[at : at + size])
            await server.wait(0)
        await server.wait(0)
        assert seen == [GET, GET, b""]
        assert transport.written.count(b"HTTP/1.1 200 ") == 3
        assert not transport.is_ended

    asyncio.run(ask())


def test_nobody_is_led_elsewhere() -> None:
    async def ask() -> None:
        protocol, transport = Server().connect()
        protocol.data_received(b"CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n" + GET)
        assert transport.written.startswith(b"HTTP/1.1 400 ")
        assert transport.written.count(b"HTTP/1.1 ") == 1

    asyncio.run(ask())


def test_a_proxy_is_known_in_each_form_that_its_address_comes_in() -> None:
    trusted = Trusted.read(("10.0.0.0/24", "fd00::1/128"))
    senders = _TrustedHosts(trusted.list_senders())
    for address in ("10.0.0.5", "::ffff:10.0.0.5", "fd00::1"):
        assert address in senders
        assert trusted.find_groups(address) == ()
    for address in ("10.0.1.5", "::ffff:10.0.1.5", "fd00::2"):
        assert address not in senders
    assert "192.0.2.1" in _TrustedHosts(Trusted.read(("*",)).list_senders())


CODED = (
    *((b"Transfer-Encoding: gzip, chunked", 501), (b"Transfer-Encoding: GZIP,\tchunked", 501)),
    *((b"Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked", 501),),
    *(
        (b"Transfer-Encoding: deflate, chunked", 501),
        (b"Transfer-Encoding: identity, chunked", 501),
    ),
    *((b"Transfer-Encoding: chunked;a=b", 501), (b"Transfer-Encoding: chunked, chunked", 400)),
    *((b"Content-Encoding: gzip\r\nContent-Length: 5", 415),),
    *((b"content-encoding: BR\r\ncontent-length: 5", 415),),
    *((b"Content-Encoding: identity, gzip\r\nContent-Length: 5", 415),),
    *((b"Content-Encoding: identity\r\nContent-Encoding: x\r\nContent-Length: 5", 415),),
    *((b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked", 415),),
    *(
        (
            b"Content-Encoding: gzip\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 5",
            415,
        ),
    ),
    *((b"Content-Encoding: identity\r\nContent-Length: 5", 200), (b"Content-Length: 5", 200)),
    *((b"Content-Encoding: Identity\r\nTransfer-Encoding: chunked", 200),),
    *((b"Transfer-Encoding: Chunked", 200), (b"Content-Encoding: \r\nContent-Length: 5", 200)),
    *((b"Content-Encoding: gzip\r\nContent-Length: 00", 200), (b"Content-Encoding: gzip", 200)),
)


@pytest.mark.parametrize(("headers", "status"), CODED)
def test_a_body_in_a_coding_that_nobody_undoes_is_refused(headers: bytes, status: int) -> None:
    body = b"5\r\nhello\r\n0\r\n\r\n" if b"hunked" in headers else b""
    body = b"hello" if b"ength: 5" in headers else body

    async def ask() -> None:
        server = Server()
        protocol, transport = server.connect()
        protocol.data_received(b"POST / HTTP/1.1\r\nHost: a\r\n" + headers + b"\r\n\r\n" + body)
        await server.wait(1)
        assert transport.written[9:12] == b"%d" % status, transport.written
        assert (b"accept-encoding: identity" in transport.written) == (status == 415)
        assert (b"connection: close" in transport.written) == (status != 200)

    asyncio.run(ask())

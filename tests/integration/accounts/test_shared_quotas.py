"""Quotas that several servers share, on a real Redis."""

import logging
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from urllib.parse import urlsplit

import pytest
from redis import Redis

from fundstelle.accounts.keys.cache import Principal
from fundstelle.accounts.limits.counters import Counter, Counters
from fundstelle.accounts.limits.quotas import Quotas
from fundstelle.accounts.limits.shared_store import TIMEOUT_S
from fundstelle.errors import SettingsError
from tests.integration.services.databases import frozen, start_redis_server

NOON = datetime(2026, 11, 21, 12, 0, tzinfo=UTC).timestamp()
SEAT = Principal("key_a", "a", None, "user_a", None)


def build(url: str, *, rate: int = 5, month: int = 0, recorded: int = 0) -> Quotas:
    return Quotas(
        rate,
        1_000,
        month,
        counters=Counters(url),
        count_month=lambda _seat: recorded,
        later=lambda _delay, task: task(),
        clock=lambda: NOON + 10,
    )


@pytest.fixture(autouse=True)
def empty(redis_url: str) -> None:
    with Redis.from_url(redis_url) as client:
        client.flushall()


@pytest.fixture
def silent_url() -> str:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return f"redis://127.0.0.1:{listener.getsockname()[1]}/0"


def test_servers_share_the_minute_of_a_seat(redis_url: str) -> None:
    servers = [build(redis_url), build(redis_url)]
    taken = [servers[turn % 2].take(SEAT) for turn in range(7)]
    assert [one.allowed for one in taken] == [True] * 5 + [False] * 2
    assert [one.remaining for one in taken] == [4, 3, 2, 1, 0, 0, 0]


def test_servers_share_the_month_and_go_on_from_what_is_recorded_once(redis_url: str) -> None:
    servers = [build(redis_url, rate=0, month=10, recorded=6) for _ in range(2)]
    taken = [servers[turn % 2].take(SEAT) for turn in range(5)]
    assert [one.month_remaining for one in taken] == [3, 2, 1, 0, 0]
    assert [one.allowed for one in taken] == [True] * 4 + [False]


def test_calls_that_are_refused_use_up_nothing_of_the_shared_month(redis_url: str) -> None:
    few, many = build(redis_url, rate=0, month=2), build(redis_url, rate=0, month=4)
    assert [few.take(SEAT).allowed for _ in range(9)] == [True] * 2 + [False] * 7
    assert [many.take(SEAT).allowed for _ in range(4)] == [True] * 2 + [False] * 2


@pytest.mark.parametrize("where", ["shared", "away"])
def test_a_batch_is_counted_whole_or_not_at_all(
    redis_url: str, silent_url: str, where: str
) -> None:
    servers = [build(redis_url if where == "shared" else silent_url, rate=20, month=40)] * 2
    if where == "shared":
        servers[1] = build(redis_url, rate=20, month=40)
    assert servers[0].take(SEAT, 16).allowed
    refused = [servers[turn % 2].take(SEAT, 16) for turn in range(6)]
    assert {(one.allowed, one.retry_after_s, one.remaining) for one in refused} == {
        (False, 50.0, 4)
    }
    allowance = servers[1].take(SEAT, 4)
    assert (allowance.allowed, allowance.remaining, allowance.month_remaining) == (True, 0, 20)
    servers[0].give_back(SEAT, allowance, 3)
    assert servers[1].take(SEAT, 3).allowed
    assert not servers[0].take(SEAT).allowed
    assert servers[0].take(SEAT, 21).retry_after_s is None


def test_counters_expire_by_themselves(redis_url: str) -> None:
    build(redis_url, month=10).take(SEAT)
    with Redis.from_url(redis_url) as client:
        lives = sorted(client.ttl(name) for name in client.scan_iter())
    assert len(lives) == 2
    assert 60 < lives[0] <= 120
    assert 9 * 86_400 < lives[1] <= 10 * 86_400


def test_what_is_no_number_in_the_store_counts_as_nothing(redis_url: str) -> None:
    counters = Counters(redis_url)
    counters.add("seat", 60, NOON)
    assert counters.get("seat") == 1
    with Redis.from_url(redis_url) as client:
        (name,) = client.scan_iter()
        client.set(name, "no number")
    assert counters.get("seat") == 0
    assert counters.state is not None
    assert counters.state.last_error == "UnreadableAnswer"


def test_a_server_counts_on_its_own_while_the_store_is_away_and_with_it_again_after(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with start_redis_server() as server, caplog.at_level(logging.WARNING):
        counters = Counters(server.url)
        assert counters._shared is not None
        counters._shared._later = lambda _delay, task: looks.append(task)
        looks: list[Callable[[], None]] = []
        quotas = Quotas(5, 1_000, counters=counters, clock=lambda: NOON)
        assert quotas.take(SEAT).remaining == 4
        with frozen(server.pid):  # its kernel still takes connections
            before = time.monotonic()
            taken = [quotas.take(SEAT) for _ in range(500)]
            took_s = time.monotonic() - before
        assert took_s < 100 * TIMEOUT_S  # one has waited, not five hundred
        assert [one.allowed for one in taken] == [True] * 5 + [False] * 495
        assert counters.state is not None
        assert not counters.state.reachable
        assert len(looks) == 1
        looks.pop()()
        assert counters.state.reachable
        assert quotas.take(SEAT).remaining < 4  # with what was counted there before
    assert caplog.messages == [
        "the shared quota store fails (TimeoutError); each process counts on its own",
        "the shared quota store answers again",
    ]


@pytest.fixture
def watched(redis_url: str) -> tuple[Counters, list[Callable[[], None]]]:
    counters = Counters(redis_url)
    assert counters._shared is not None
    looks: list[Callable[[], None]] = []
    counters._shared._later = lambda _delay, task: looks.append(task)
    return counters, looks


@contextmanager
def full(client: "Redis") -> Iterator[None]:
    client.config_set("maxmemory", "1")
    yield
    client.config_set("maxmemory", "0")


def test_a_full_store_is_away_for_as_long_as_it_is_full(
    redis_url: str, watched: tuple[Counters, list[Callable[[], None]]]
) -> None:
    counters, looks = watched
    assert counters._shared is not None
    ticks = [0.0]
    counters._shared._ticks = lambda: ticks[0]
    with Redis.from_url(redis_url) as client:
        with full(client):
            assert counters.add("seat", 60, NOON) == 1
            for moment in (1.0, 100.0):
                ticks[0] = moment
                looks.pop()()
                assert not counters._shared.state.reachable
            assert counters.add("seat", 60, NOON) == 2
            assert len(looks) == 1
        looks.pop()()
        assert counters._shared.state.reachable
        assert list(client.scan_iter()) == [], "what is tried leaves nothing"


def test_a_store_that_refuses_what_is_asked_is_not_well_because_it_answers(
    redis_url: str, watched: tuple[Counters, list[Callable[[], None]]]
) -> None:
    counters, looks = watched
    assert counters._shared is not None
    ticks = [0.0]
    counters._shared._ticks = lambda: ticks[0]
    counters.add("seat", 60, NOON)
    with Redis.from_url(redis_url) as client:
        (name,) = client.scan_iter()
        client.delete(name)
        client.hset(name, "a", "b")
        for moment in (0.0, 30.0, 80.0):
            ticks[0] = moment
            assert counters.add("seat", 60, NOON) > 0
            looks.pop()()
            assert not counters._shared.state.reachable
        client.delete(name)
        ticks[0] = 200.0
        looks.pop()()
        assert counters._shared.state.reachable
        assert counters.add("seat", 60, NOON) == 1


class Dripping:
    """Stands before a Redis; once it drips, each answer is zeros, a few a second, for a while."""

    MOST = 400

    def __init__(self, port: int) -> None:
        self._port = port
        self.drips = threading.Event()
        self.is_over = threading.Event()

    @contextmanager
    def serve(self) -> Iterator[str]:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            threading.Thread(target=self._accept, args=(listening,), daemon=True).start()
            yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"
            self.is_over.set()

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                store = socket.create_connection(("127.0.0.1", self._port))
                for ends in ((client, store), (store, client)):
                    threading.Thread(target=self._hand_on, args=ends, daemon=True).start()

    def _hand_on(self, source: socket.socket, target: socket.socket) -> None:
        with source, suppress(OSError):
            while data := source.recv(65_536):
                if target.getpeername()[1] != self._port and self.drips.is_set():
                    self._drip(target)
                else:
                    target.sendall(data)
            target.shutdown(socket.SHUT_RDWR)

    def _drip(self, target: socket.socket) -> None:
        target.sendall(b":")
        for _ in range(self.MOST):
            target.sendall(b"0")
            if self.is_over.wait(TIMEOUT_S / 5):
                return
        self.is_over.set()
        target.sendall(b"\r\n")


def test_a_store_whose_answers_drip_in_holds_nobody_up() -> None:
    with start_redis_server() as server:
        between = Dripping(urlsplit(server.url).port or 0)
        with between.serve() as url:
            counters = Counters(url)
            assert counters._shared is not None
            counters._shared._later = lambda _delay, task: looks.append(task)
            looks: list[Callable[[], None]] = []
            assert [counters.add("seat", 60, NOON) for _ in range(2)] == [1, 2]
            between.drips.set()
            assert counters.add("seat", 60, NOON) == 1, "counted here"
            assert not between.is_over.is_set(), "it did not wait for all of the answer"
            assert counters.state is not None
            assert counters.state.last_error == "SlowAnswer"
            assert not counters.state.reachable
            between.drips.clear()
            looks.pop()()
            assert counters.state.reachable, "found again by a connection of its own"
            assert counters.add("seat", 60, NOON) > 2


class Lying:
    """Stands before a Redis; with a ``lie`` that is the answer to whatever is asked."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.lie = b""

    @contextmanager
    def serve(self) -> Iterator[str]:
        with socket.create_server(("127.0.0.1", 0)) as listening:
            threading.Thread(target=self._accept, args=(listening,), daemon=True).start()
            yield f"redis://127.0.0.1:{listening.getsockname()[1]}/0"

    def _accept(self, listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                threading.Thread(target=self._answer, args=(client,), daemon=True).start()

    def _answer(self, client: socket.socket) -> None:
        with (
            client,
            suppress(OSError),
            socket.create_connection(("127.0.0.1", self._port)) as store,
        ):
            while data := client.recv(65_536):
                if self.lie:
                    client.sendall(self.lie)
                else:
                    store.sendall(data)
                    client.sendall(store.recv(65_536))


LIES = (
    *(b"*0", b"*-1", b"*-5", b"*1\r\n:1", b"*2\r\n:1\r\n:1", b"*2\r\n:1\r\n*0", b"*x"),
    *(b"*2\r\n:1\r\n*1\r\n:-1", b"*2\r\n:1\r\n*1\r\n+a", b"*2\r\n:2\r\n*1\r\n:1"),
    *(b"*2\r\n#t\r\n*1\r\n:1", b":5", b":-5", b":", b":inf", b":99999999999999999999"),
    *(b"+OK", b"+1", b"+\xff\xfe", b"#t", b"#x", b",1.5", b",inf", b",1x", b"(1x", b"_"),
    *(b"%1\r\n+a\r\n+b", b"~1\r\n:1", b"$abc", b"$-1", b"$0\r\n", b"HTTP/1.0 503 Away\r\n"),
)


@pytest.mark.parametrize("ask", ["take", "give_back", "add", "get", "find_end"])
def test_an_answer_to_another_question_is_a_store_that_fails(
    ask: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with start_redis_server() as server:
        between = Lying(urlsplit(server.url).port or 0)
        with between.serve() as url:
            counters = Counters(url)
            assert counters._shared is not None
            counters._shared._later = lambda _delay, task: looks.append(task)
            ticks = [0.0]
            counters._shared._ticks = lambda: ticks[0]
            looks: list[Callable[[], None]] = []
            questions: dict[str, tuple[Callable[[], object], object]] = {
                "take": (
                    lambda: counters.take([Counter("seat", 5, 60), Counter("b", 5, 60)], 6, NOON),
                    (False, [0, 0]),
                ),
                "give_back": (lambda: counters.give_back(["seat"], 1), None),
                "add": (lambda: counters.add("seat", 60, NOON, 0), 0),
                "get": (lambda: counters.get("seat"), 0),
                "find_end": (lambda: counters.find_end("seat") > NOON, True),
            }
            question, here = questions[ask]
            passed = []
            for lie in LIES:
                between.lie = lie + b"\r\n"
                answer = question()
                if counters._shared.state.reachable:  # it may be the answer to this one
                    passed.append(lie)
                else:
                    assert answer == here
                between.lie = b""
                ticks[0] += 100 if ask == "get" else 0  # words may be what is held there
                if looks:
                    looks.pop()()
                assert counters._shared.state.reachable, (lie, "found again at once")
                assert question() == here
            plausible = {"get": [b"_", b"*-1", b"$-1", b"+1"], "add": [b":5"], "find_end": [b":5"]}
            assert set(passed) <= set(plausible.get(ask, [])), passed
            between.lie = b":inf\r\n"
            question()
            looks.pop()()
            assert counters._shared.state.last_error == "UnreadableAnswer"
            assert not counters._shared.state.reachable
    assert "Traceback" not in capfd.readouterr().err


def test_a_store_that_is_away_at_the_start_is_looked_for(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with start_redis_server() as server:
        pass
    counters = Counters(server.url)
    assert counters.state is not None
    assert not counters.state.reachable
    assert counters.add("a", 60, NOON) == 1
    assert len(caplog.records) == 1
    assert counters._shared is not None
    counters._shared._later = lambda _delay, _look: None  # the tests after this one need no looks


@pytest.mark.parametrize(
    "url",
    [
        "redis://:S3CR/ET@127.0.0.1:1/zz",
        "rediss://:S3CRET@127.0.0.1:1x/0",
        "redis://127.0.0.1:99999/0",
    ],
)
def test_an_address_that_cannot_be_read_is_refused_in_words_without_its_password(url: str) -> None:
    with pytest.raises(SettingsError, match="FUNDSTELLE_QUOTA_URL is no address") as refused:
        Counters(url)
    assert "S3CR" not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__suppress_context__

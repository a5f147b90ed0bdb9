"""Eight clients that ask again and again, and what became of each of their requests."""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from typing import Any

CLIENTS = 8
MOST_REQUESTS = 400_000  # of all clients; far more than a story needs
_PATIENCE_S = 300.0
_TIMEOUT_S = 30.0
_PACE_S = 0.05  # between two rounds of a client: servers that start need the processor, too


@dataclass(frozen=True, slots=True)
class Call:
    """A request; ``Authorization`` is the key's."""

    port: int
    key: str

    def ask(self, connection: HTTPConnection, name: str, **arguments: Any) -> tuple[int, Any]:
        """Status, and the structured answer or ``None``."""
        message = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": name, "arguments": arguments},
        }
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        connection.request("POST", "/mcp", json.dumps(message), headers)
        response = connection.getresponse()
        body = response.read()
        if response.status != 200:
            return response.status, None
        return 200, json.loads(body)["result"].get("structuredContent")

    @contextmanager
    def connect(self) -> Iterator[HTTPConnection]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=_TIMEOUT_S)
        try:
            yield connection
        finally:
            connection.close()


@dataclass(slots=True)
class Tally:
    """What the clients saw; guarded by the load's condition."""

    answered: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    wrong: list[object] = field(default_factory=list)
    told: int = 0  # pages of another release that said so
    releases: Counter[str] = field(default_factory=Counter)
    longest_s: float = 0.0


class Load:
    """Clients that each look a law up, and page through the list of laws, until told to stop.

    Args:
        call: whom they ask, with which key.
        words: the word that the law has in each release: an answer with another one mixes two.
        clients: how many.
    """

    def __init__(self, call: Call, words: Mapping[str, str], clients: int = CLIENTS) -> None:
        self._clients = clients
        self.tally = Tally()
        self._call = call
        self._words = words
        self._changed = threading.Condition()
        self._over = threading.Event()

    @contextmanager
    def running(self) -> Iterator["Load"]:
        """For as long as the block lasts; nothing that went wrong in a client is lost."""
        clients = [threading.Thread(target=self._ask_on) for _ in range(self._clients)]
        for client in clients:
            client.start()
        try:
            yield self
        finally:
            self._over.set()
            for client in clients:
                client.join(_PATIENCE_S)
        assert not any(client.is_alive() for client in clients)

    def wait_for(self, answers: int, unless: Callable[[], bool] = lambda: False) -> None:
        """Until there are so many more answers; fails where none come."""
        with self._changed:
            wanted = self.tally.answered + answers
            came = self._changed.wait_for(
                lambda: self.tally.answered >= wanted or unless(), _PATIENCE_S
            )
        assert came, self.tally

    def wait_until(self, is_so: Callable[[], bool]) -> None:
        """Until it is so, looked at after every few answers."""
        deadline = time.monotonic() + _PATIENCE_S
        while not is_so():
            assert time.monotonic() < deadline, self.tally
            self.wait_for(20)

    def go_on_for(self, seconds: float) -> None:
        """So long, answers or not."""
        with self._changed:
            self._changed.wait_for(lambda: False, seconds)

    def _ask_on(self) -> None:
        call = self._call
        with call.connect() as connection:
            while not self._over.wait(_PACE_S) and self.tally.answered < MOST_REQUESTS:
                for ask in (self._look_up, self._page):
                    begun = time.monotonic()
                    outcome = self._try(ask, connection)
                    self._note(outcome, time.monotonic() - begun)

    def _try(
        self, ask: Callable[[HTTPConnection], "list[object]"], connection: HTTPConnection
    ) -> "list[object] | str":
        try:
            return ask(connection)
        except (OSError, HTTPException, _Refused) as error:
            connection.close()
            return f"{type(error).__name__} {error}"[:80]

    def _note(self, outcome: "list[object] | str", took: float) -> None:
        with self._changed:
            tally = self.tally
            tally.longest_s = max(tally.longest_s, took)
            if isinstance(outcome, str):
                tally.failures[outcome] += 1
            else:
                tally.wrong += outcome
            self._changed.notify_all()

    def _look_up(self, connection: HTTPConnection) -> "list[object]":
        answer = self._get(connection, "legal_lookup", citation="§ 1 SwapG")
        text, release = answer["norm"]["content"], answer["corpus_release"]
        return [] if self._words.get(release, "?") in text else [(release, text)]

    def _page(self, connection: HTTPConnection) -> "list[object]":
        """Two pages: of one release, or the second one says that it is of another."""
        first = self._get(connection, "legal_list_laws", limit=1)
        release = first["corpus_release"]
        second = self._get(connection, "legal_list_laws", limit=1, offset=1, corpus_release=release)
        has_changed = second["corpus_release"] != release
        is_told = any("corpus has changed" in one for one in second["warnings"])
        with self._changed:
            self.tally.told += is_told
        return [] if has_changed == is_told else [(release, second)]

    def _get(self, connection: HTTPConnection, name: str, **arguments: Any) -> Any:
        status, answer = self._call.ask(connection, name, **arguments)
        if status != 200:
            raise _Refused(status)
        with self._changed:
            self.tally.answered += 1
            self.tally.releases[answer["corpus_release"]] += 1
        return answer


class _Refused(Exception):
    """Another status than 200."""

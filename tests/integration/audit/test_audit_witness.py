"""The newest line of the audit log is told elsewhere, on loopback."""

import json
import logging
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from click.testing import CliRunner
from sqlalchemy import text

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.witness import Witness, open_witness
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.cli import cli
from fundstelle.settings import Settings
from tests.integration.services.databases import SqliteDatabase

Later = list[tuple[float, Callable[[], None]]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[AccountsStore]:
    opened = SqliteDatabase().open(tmp_path)
    yield opened
    opened.close()


def build_log(store: AccountsStore, send: Callable[[bytes], None]) -> tuple[AuditLog, Later]:
    later: Later = []
    witness = Witness(
        send, "https://law.example", lambda wait_s, task: later.append((wait_s, task))
    )
    return AuditLog(store, tell=witness.tell), later


def test_a_witness_is_told_the_newest_line_once_a_minute(store: AccountsStore) -> None:
    sent: list[bytes] = []
    log, later = build_log(store, sent.append)
    log.record("signed_in", "user_a")
    log.record("signed_out", "user_a")
    ((wait_s, task),) = later
    assert wait_s == 0
    task()
    number, newest = log.read_head()
    assert json.loads(sent[0]) == {"log": "https://law.example", "number": number, "hash": newest}
    log.record("signed_in", "user_a")
    assert 50 < later[1][0] <= 60
    assert log.verify(json.loads(sent[0])["hash"]).problems == ()


def test_a_broken_log_is_told_at_once(store: AccountsStore) -> None:
    sent: list[bytes] = []
    log, later = build_log(store, sent.append)
    log.record("signed_in", "user_a")
    later.pop()[1]()
    log.record("signed_in", "user_a")
    with store.write() as connection:
        connection.execute(text("DELETE FROM audit WHERE number = 2"))
    log.record("signed_in", "user_a")
    wait_s, task = later.pop()
    assert wait_s == 0
    task()
    assert "line 2 had been written" in json.loads(sent[-1])["found"][0]


def test_what_could_not_be_told_is_told_later_and_without_its_address(
    store: AccountsStore, caplog: pytest.LogCaptureFixture
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        send = open_witness(f"http://127.0.0.1:{closed.getsockname()[1]}/hook?key=geheim")
        log, later = build_log(store, send)
        log.record("signed_in", "user_a")
        with caplog.at_level(logging.ERROR):
            later.pop()[1]()
            later.pop()[1]()
    assert later[0][0] == 60
    assert caplog.text.count("was not told: ConnectError") == 1
    assert "geheim" not in caplog.text


def test_syslog_gets_a_datagram() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.settimeout(30)
        open_witness(f"syslog://127.0.0.1:{receiver.getsockname()[1]}")(b'{"number":7}')
        assert receiver.recv(1_000) == b'<86>fundstelle: {"number":7}'


def test_a_syslog_that_cannot_be_found_is_an_error() -> None:
    with pytest.raises(socket.gaierror):
        open_witness("syslog://no-such-host.invalid")(b"{}")


@contextmanager
def receiving(status: int) -> Iterator[tuple[str, list[bytes]]]:
    received: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["content-length"])))
            self.send_response(status)
            self.end_headers()

        def log_message(self, *_arguments: object) -> None:
            """Silent."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/hook", received
        finally:
            server.shutdown()
            thread.join()


@pytest.mark.parametrize(("status", "is_told"), [(204, True), (500, False), (302, False)])
def test_a_webhook_gets_the_line_and_must_say_that_it_has_it(
    store: AccountsStore, status: int, *, is_told: bool
) -> None:
    with receiving(status) as (url, received):
        log, later = build_log(store, open_witness(url))
        log.record("signed_in", "user_a")
        later.pop()[1]()
    assert json.loads(received[0])["number"] == 1
    assert (later == []) is is_told


@pytest.mark.parametrize(
    "command",
    [
        ("audit", "prune", "--days", "9"),
        ("audit", "accept", "2", "--reason", "known"),
        ("keys", "create", "laptop"),
    ],
)
def test_a_command_that_finds_the_log_broken_tells_it_before_it_ends(
    tmp_path: Path, store: AccountsStore, command: tuple[str, ...]
) -> None:
    """Its line is all that the next process sees of it, which tells nobody."""
    log = AuditLog(store)
    log.record("signed_in", "user_a")
    log.record("signed_in", "user_a")
    with store.write() as connection:
        connection.execute(text("DELETE FROM audit WHERE number = 2"))
    with receiving(204) as (url, received):
        environ = {"FUNDSTELLE_DATA": str(tmp_path), "FUNDSTELLE_AUDIT_WITNESS": url}
        result = CliRunner().invoke(cli, command, env=environ, obj=Settings.from_env(environ))
        assert result.exit_code == 0, result.output
        (told,) = map(json.loads, received)
    assert "line 2 had been written" in told["found"][0]
    assert told["number"] >= 3
    assert AuditLog(store).get_head() is not None

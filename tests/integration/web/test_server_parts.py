"""A server process as it is put together: what its parts need to know of each other, they do."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.accounts.audit.keeper import Keeper
from fundstelle.accounts.database.store import DATABASE
from fundstelle.accounts.guessing.throttle import Throttle
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.keys.format import new_key
from fundstelle.accounts.timetable import run_later
from fundstelle.accounts.usage import Usage
from fundstelle.backup.contents import POINTER
from fundstelle.bootstrap import accounts, application, live
from fundstelle.settings import Settings
from fundstelle.web.app import Application
from fundstelle.web.health import ACCOUNTS_AWAY, NOT_NEWEST, QUOTA_STORE_AWAY
from tests.integration.builds.damaging import copy_data
from tests.protocol.client import legacy, send

DAYS = 123
CALL = legacy("tools/call", {"name": "legal_get_stats", "arguments": {}})


@pytest.fixture
def receiver() -> Iterator[socket.socket]:
    """A syslog of somebody else's."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as bound:
        bound.bind(("127.0.0.1", 0))
        bound.settimeout(30)
        yield bound


@pytest.fixture
def kept_days(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How long each keeper that was started keeps lines; 0 for a throttle that reports by itself.

    Background work is done at once.
    """
    days: list[int] = []

    def start(keeper: Keeper) -> None:
        days.append(keeper._days)

    def run_by_itself(throttle: Throttle, later: object) -> None:
        del throttle
        assert later is run_later
        days.append(0)

    monkeypatch.setattr(Keeper, "start", start)
    monkeypatch.setattr(Throttle, "run_by_itself", run_by_itself)
    monkeypatch.setattr(accounts, "run_later", lambda _delay_s, task: task())
    return days


@pytest.fixture
def settings(demonstration_data: Path, tmp_path: Path, receiver: socket.socket) -> Settings:
    data = copy_data(demonstration_data, tmp_path / "data").data
    return Settings.from_env(
        {
            "FUNDSTELLE_DATA": str(data),
            "FUNDSTELLE_AUDIT_DAYS": str(DAYS),
            "FUNDSTELLE_AUDIT_WITNESS": f"syslog://127.0.0.1:{receiver.getsockname()[1]}",
            "FUNDSTELLE_QUOTA_URL": "redis://127.0.0.1:1/0",
        }
    )


@pytest.fixture
def app(settings: Settings, kept_days: list[int]) -> Iterator[Application]:
    """One that is ended: its threads must not speak in the log of other tests."""
    del kept_days
    app = application._create_app(settings)
    yield app
    for end in app._follower._endings:
        end()


def get_problems(app: Application) -> list[str]:
    body = send(app, method="GET", path="/readyz").json
    return list(body.get("problems", []))


def test_a_server_tells_of_all_that_it_depends_on(
    app: Application, settings: Settings, kept_days: list[int], receiver: socket.socket
) -> None:
    app.refresh()
    assert kept_days == [DAYS, 0]
    assert b'"number":0' in receiver.recv(1_000), "the witness is told where the log begins"

    store = accounts.open_accounts(settings)
    plain, _ = ApiKeys(store).create("a")
    store.close()
    known = {"authorization": f"Bearer {plain}"}
    assert send(app, CALL, known).status == 200
    assert get_problems(app) == [QUOTA_STORE_AWAY]
    surroundings = app._follower.health._surroundings
    calls, stand = surroundings.calls(), surroundings.stand()
    assert calls is not None
    assert stand is not None

    pointer = settings.data / POINTER
    live = pointer.read_text()
    pointer.write_text("f" * 16 + "\n")
    assert NOT_NEWEST in get_problems(app)
    pointer.write_text(live)

    database = settings.data / DATABASE
    database.rename(database.with_name("away"))
    assert send(app, CALL, {"authorization": f"Bearer {new_key()}"}).status == 503
    assert ACCOUNTS_AWAY in get_problems(app)
    database.with_name("away").rename(database)


def test_processes_of_one_server_count_registrations_together(
    settings: Settings, kept_days: list[int]
) -> None:
    alone = Settings.from_env({"FUNDSTELLE_DATA": str(settings.data)})
    stores = [accounts.open_accounts(alone) for _ in range(2)]
    corpus = live.build_live_corpus(alone)
    throttles = [
        application.build_services(alone, store, Usage(store), corpus).authorization._throttles
        for store in stores
    ]
    waits = [throttles[n % 2].take("register", "203.0.113.7") for n in range(11)]
    assert [wait is None for wait in waits] == [True] * 10 + [False]
    for store in stores:
        store.close()
    assert kept_days == []

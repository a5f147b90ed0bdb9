"""PostgreSQL and Redis frozen under a running server: who is known goes on, nobody is held up."""

import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fundstelle.accounts.keys.format import new_key
from tests.adversarial.attacker import Answer, build_head, call, exchange, get
from tests.e2e.server import run_fundstelle, running
from tests.integration.services.databases import (
    PostgresDatabase,
    PostgresServer,
    RedisServer,
    frozen,
    start_postgres,
    start_redis_server,
)

pytestmark = pytest.mark.e2e

CALL = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "tools/call",
    "params": {"name": "legal_get_stats", "arguments": {}},
}
UNDER_WAY = 8
_GENEROUS_S = 30.0


@dataclass(frozen=True, slots=True)
class Place:
    """A server whose accounts are in PostgreSQL and whose quotas are in Redis."""

    port: int
    key: str
    postgres: PostgresServer
    redis: RedisServer
    log: Path


@pytest.fixture(scope="module")
def place(invented_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    folder = tmp_path_factory.mktemp("frozen")
    data = folder / "data"
    shutil.copytree(invented_data, data, ignore=shutil.ignore_patterns("accounts*", "pepper"))
    with start_postgres() as postgres, start_redis_server() as redis:
        database: PostgresDatabase = postgres.create()
        settings: dict[str, Any] = {"database_url": str(database.url), "quota_url": redis.url}
        made = run_fundstelle(data, "keys", "create", "known", "--rate", "1000000", **settings)
        with running(data, burst="100000", **settings) as port:
            key = made.strip()
            assert call(port, key, CALL).status == 200
            yield Place(port, key, postgres, redis, folder / f"server-{port}.log")


def ask_for_sign_in(port: int) -> Answer:
    head = build_head(port, "/sign-in", "GET", cookie="sid=unknown", connection="close")
    return exchange(port, head, b"\r\n")


def count_complaints(place: Place) -> int:
    return place.log.read_text(encoding="utf-8").count("cannot be used")


def test_a_frozen_database_holds_up_neither_probes_nor_known_keys(place: Place) -> None:
    with ThreadPoolExecutor(2 * UNDER_WAY) as pool:
        with place.postgres.frozen():
            unknown = [pool.submit(call, place.port, new_key(), CALL) for _ in range(UNDER_WAY)]
            people = [pool.submit(ask_for_sign_in, place.port) for _ in range(UNDER_WAY)]
            answered = 0
            while not all(one.done() for one in [*unknown, *people]) or answered < 20:
                assert get(place.port, "/healthz").status == 200
                assert call(place.port, place.key, CALL).status == 200
                answered += 1
            still_away = call(place.port, new_key(), CALL)
        refused = [one.result() for one in [*unknown, *people]]
    # all this was answered while the database was frozen, beside requests that waited for it
    assert answered >= 20
    assert {(one.status, one.headers["retry-after"]) for one in [*refused, still_away]} == {
        (503, "5")
    }
    assert count_complaints(place) <= 3
    deadline = time.monotonic() + _GENEROUS_S
    while (status := call(place.port, new_key(), CALL).status) == 503:  # it is back by itself
        assert time.monotonic() < deadline
    assert status == 401
    assert ask_for_sign_in(place.port).status == 200


def test_a_frozen_store_of_quotas_costs_one_call_a_moment(place: Place) -> None:
    with frozen(place.redis.pid):
        for _ in range(50):
            assert call(place.port, place.key, CALL).status == 200
            assert get(place.port, "/healthz").status == 200
    assert place.log.read_text(encoding="utf-8").count("shared quota store fails") == 1

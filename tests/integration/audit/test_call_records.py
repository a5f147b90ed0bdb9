"""From a request to the database: what a server keeps of tool calls, and that it keeps all."""

import asyncio
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.limits.quotas import Quotas
from fundstelle.accounts.usage import Usage
from fundstelle.bootstrap.application import build_records
from fundstelle.mcp.engine import Engine
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.web.app import Application
from fundstelle.web.credentials import Credentials
from tests.integration.services.databases import Database
from tests.protocol.client import Lines, legacy
from tests.unit.tools.fakes import build_library

QUESTION = "Darf Mandant Geheim das Werkzeug behalten?"
CALLS = [
    {"name": "legal_lookup", "arguments": {"citation": "§ 1 WzLeihG"}},
    {"name": "legal_search", "arguments": {"query": QUESTION}},
    {"name": "legal_search", "arguments": {"query": QUESTION}},
]


@pytest.fixture
def store(tmp_path: Path, database: Database) -> Iterator[AccountsStore]:
    opened = database.open(tmp_path)
    yield opened
    opened.close()


class NoTokens:
    def verify(self, token: str) -> None:
        del token

    def keep_fresh(self) -> None:
        """There are none."""

    def close(self) -> None:
        """Nothing to write."""


def serve(store: AccountsStore, mode: str, plain: str) -> None:
    """One life of a server: it starts, answers the calls, and is shut down at once."""
    registry = build_registry(build_library(), today=lambda: date(2030, 1, 1), base_url="")
    engines = [Engine(registry)]
    settings = Settings.from_env({"FUNDSTELLE_AUDIT": mode})
    app = Application(
        engine_source=lambda: engines.pop() if engines else None,
        authenticator=Credentials(ApiKeys(store, later=lambda _delay, _task: None), NoTokens()),
        quota=Quotas(60, 20),
        records=build_records(settings, store, Usage(store)),
        settings=settings,
        log=Lines(),
    )
    asyncio.run(_live(app, plain))


async def _live(app: Application, plain: str) -> None:
    turns: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    said: asyncio.Queue[Any] = asyncio.Queue()
    life = asyncio.create_task(app({"type": "lifespan"}, turns.get, said.put))
    await turns.put({"type": "lifespan.startup"})
    assert (await said.get())["type"] == "lifespan.startup.complete"
    for call in CALLS:
        await _post(app, plain, orjson.dumps(legacy("tools/call", call)))
    await turns.put({"type": "lifespan.shutdown"})
    await life


async def _post(app: Application, plain: str, body: bytes) -> None:
    given = {
        "host": "127.0.0.1:8000",
        "authorization": f"Bearer {plain}",
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
    }
    headers = [(name.encode(), value.encode()) for name, value in given.items()]
    scope = {
        "type": "http", "method": "POST", "path": "/mcp", "query_string": b"", "headers": headers,
    }  # fmt: skip
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    async def keep(event: Any) -> None:
        sent.append(event)

    await app(scope, receive, keep)
    assert sent[0]["status"] == 200


@pytest.mark.parametrize(("mode", "lines"), [("calls", 3), ("events", 0), ("off", 0)])
def test_a_server_that_is_shut_down_has_written_every_call(
    tmp_path: Path, store: AccountsStore, database: Database, mode: str, lines: int
) -> None:
    plain, key = ApiKeys(store).create("a")
    serve(store, mode, plain)
    log = AuditLog(store)
    assert Usage(store).count(key.id) == len(CALLS)
    assert [line["actor"] for line in log.export()][1:] == [key.id] * lines
    assert {problem.kind for problem in log.verify().problems} == (set() if lines else {"empty"})
    assert b"Geheim" not in database.dump(tmp_path)
    assert plain[13:-4].encode() not in database.dump(tmp_path)


def test_a_line_names_the_build_and_what_was_found_and_equal_questions_look_equal(
    store: AccountsStore,
) -> None:
    plain, _ = ApiKeys(store).create("a")
    serve(store, "calls", plain)
    _, lookup, search, again = AuditLog(store).export()
    assert lookup["details"]["results"] == ["de/wzleihg/1"]
    assert {line["details"]["release"] for line in (lookup, search, again)} == {
        build_library().store.manifest.release
    }
    assert search["details"]["input"] == again["details"]["input"] != lookup["details"]["input"]
    assert len({line["request"] for line in (lookup, search, again)}) == 3

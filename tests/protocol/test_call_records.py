"""What is counted and recorded of requests, and what their answers say of the limits."""

from collections.abc import Sequence
from datetime import date
from typing import Any
from urllib.parse import quote

import orjson

from fundstelle.accounts.keys.cache import Principal
from fundstelle.accounts.limits.quotas import Quotas
from fundstelle.mcp.engine import Engine, ToolCall
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.web.app import Application
from tests.protocol.client import KnownKey, Lines, legacy, send, send_modern
from tests.unit.tools.fakes import build_library

LOOKUP: dict[str, Any] = {"name": "legal_lookup", "arguments": {"citation": "§ 1 WzLeihG"}}


class Records:
    """Keeps what it is given."""

    def __init__(self) -> None:
        self.noted: list[tuple[str, str, ToolCall]] = []

    def note(
        self, principal: Principal, request: str, release: str, calls: Sequence[ToolCall]
    ) -> None:
        assert request
        self.noted += [(principal.key_id, release, call) for call in calls]

    def close(self) -> None:
        """Nothing to write."""


def build_app(records: Records, quotas: Quotas | None = None) -> Application:
    registry = build_registry(build_library(), today=lambda: date(2030, 1, 1), base_url="")
    engines = [Engine(registry)]
    app = Application(
        engine_source=lambda: engines.pop() if engines else None,
        authenticator=KnownKey(),
        quota=quotas or Quotas(60, 20, 1_000),
        settings=Settings.from_env({}),
        records=records,
        log=Lines(),
    )
    app.refresh()
    return app


def test_a_counted_answer_says_what_is_left() -> None:
    app = build_app(Records())
    for answer in (
        send(app, legacy("tools/call", LOOKUP)),
        send_modern(app, "tools/call", **LOOKUP),
    ):
        policy = answer.headers["ratelimit-policy"]
        assert policy == '"burst";q=20;w=20, "minute";q=60;w=60, "month";q=1000'
    assert answer.headers["ratelimit"].startswith('"burst";r=18;t=2, "minute";r=58;t=')
    assert '"month";r=998;t=' in answer.headers["ratelimit"]


def test_lists_and_discovery_are_free_and_say_nothing() -> None:
    records = Records()
    app = build_app(records, Quotas(1, 1))
    for method in ("ping", "tools/list", "prompts/list", "resources/list"):
        for _ in range(3):
            answer = send(app, legacy(method))
            assert answer.status == 200
            assert "ratelimit" not in answer.headers
    assert records.noted == []


def test_a_refused_answer_says_it_too_and_is_no_call() -> None:
    records = Records()
    app = build_app(records, Quotas(60, 1))
    assert send(app, legacy("tools/call", LOOKUP)).status == 200
    refused = send(app, legacy("tools/call", LOOKUP))
    assert (refused.status, refused.headers["retry-after"]) == (429, "1")
    assert '"burst";r=0;t=1' in refused.headers["ratelimit"]
    assert len(records.noted) == 1


def test_pages_elsewhere_may_read_the_limits() -> None:
    app = build_app(Records())
    answer = send(app, legacy("tools/call", LOOKUP), {"origin": "http://127.0.0.1:8000"})
    exposed = answer.headers["access-control-expose-headers"].lower()
    assert {"ratelimit", "ratelimit-policy", "retry-after"} <= set(exposed.split(", "))


def test_a_tool_call_is_recorded_with_its_results_even_from_memory() -> None:
    records = Records()
    app = build_app(records)
    answers = [send(app, legacy("tools/call", LOOKUP)).json for _ in range(2)]
    found = answers[0]["result"]["structuredContent"]["norm"]["norm_id"]
    assert [(key, call.tool, call.result_ids) for key, _, call in records.noted] == [
        ("key_test", "legal_lookup", (found,))
    ] * 2
    assert records.noted[0][2].arguments == LOOKUP["arguments"]


def test_a_text_that_is_read_as_a_resource_is_recorded_as_a_call_is() -> None:
    records = Records()
    app = build_app(records)
    uri = "legal://norm/" + quote("§ 1 WzLeihG")
    read = send(app, legacy("resources/read", {"uri": uri})).json["result"]["contents"][0]
    found = orjson.loads(read["text"])["norm"]["norm_id"]
    send(app, legacy("resources/read", {"uri": "legal://norm/" + quote("§ 4711 WzLeihG")}))
    for free in send(app, legacy("resources/list")).json["result"]["resources"]:
        send(app, legacy("resources/read", {"uri": free["uri"]}))
    noted = [(call.tool, call.arguments, call.result_ids) for _, _, call in records.noted]
    assert noted[0] == ("resources/read", {"uri": uri}, (found,))
    assert [ids for _, _, ids in noted[1:]] == [()]


def test_what_is_no_call_of_a_tool_is_not_recorded() -> None:
    records = Records()
    app = build_app(records)
    wrong: list[dict[str, Any]] = [{"name": "no_tool"}, {"name": "legal_lookup", "arguments": []}]
    for params in wrong:
        send(app, legacy("tools/call", params))
    assert records.noted == []
    send(app, legacy("tools/call", {"name": "legal_lookup"}))  # refused by the tool itself
    assert [call.result_ids for _, _, call in records.noted] == [()]


def test_each_call_of_a_batch_is_recorded() -> None:
    records = Records()
    app = build_app(records)
    batch = [legacy("tools/call", LOOKUP), legacy("ping"), legacy("tools/call", LOOKUP)]
    answer = send(app, orjson.dumps(batch), {"mcp-protocol-version": "2025-03-26"})
    assert answer.status == 200
    assert len(records.noted) == 2
    assert '"minute";r=58' in answer.headers["ratelimit"]

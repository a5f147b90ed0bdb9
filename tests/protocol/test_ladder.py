"""The endpoint's decision ladder, from the outside in (MCP "Streamable HTTP", all revisions)."""

import base64
from typing import Any

import pytest
from mcp_types import methods as oracle

from fundstelle.accounts.limits.quotas import Quotas
from fundstelle.mcp import engine
from fundstelle.mcp.budget import Budget
from fundstelle.mcp.versions import LEGACY, SUPPORTED
from tests.protocol.client import (
    KEY,
    MODERN_META,
    Answer,
    Lines,
    build_app,
    legacy,
    send,
    send_modern,
)
from tests.protocol.requirements import proves

APP = build_app()
LOOKUP: dict[str, Any] = {"name": "legal_lookup", "arguments": {"citation": "§ 1 MusterG"}}


@pytest.mark.parametrize(
    ("headers", "method", "query", "status"),
    [
        ({"host": "evil.example"}, "POST", b"", 421),
        ({"origin": "https://evil.example"}, "POST", b"", 403),
        ({"authorization": ""}, "POST", b"", 401),
        ({"authorization": ""}, "GET", b"", 401),
        ({"authorization": "Bearer wrong"}, "POST", b"", 401),
        ({"authorization": f"Basic {KEY}"}, "POST", b"", 401),
        ({"authorization": "Bearer "}, "POST", b"", 400),
        ({"x-api-key": "another"}, "POST", b"", 400),
        ({"x-api-key": KEY}, "POST", b"", 400),
        ({"authorization": f"Basic {KEY}", "x-api-key": KEY}, "POST", b"", 400),
        ({"x-api-key": ""}, "POST", b"key=x", 400),
        ({}, "POST", b"api_key=x", 400),
        ({}, "GET", b"", 405),
        ({}, "DELETE", b"", 405),
        ({}, "PUT", b"", 405),
        ({"content-type": "text/plain"}, "POST", b"", 415),
        ({"content-type": ""}, "POST", b"", 415),
        ({"accept": "text/event-stream"}, "POST", b"", 406),
        ({"accept": "text/html"}, "POST", b"", 406),
        ({"content-length": "999999"}, "POST", b"", 413),
    ],
)
@proves("host", "origin", "challenge", "key-place", "post-only", "media-types", "body-limit")
def test_the_first_failing_step_answers(
    headers: dict[str, str], method: str, query: bytes, status: int
) -> None:
    answer = send(APP, legacy("ping"), headers, method=method, query=query)
    assert answer.status == status
    if status == 405:
        assert answer.headers["allow"] == "POST"
    if status == 401:
        challenge = answer.headers["www-authenticate"]
        assert challenge.startswith("Bearer ")
        assert 'scope="legal:read"' in challenge
        assert ("invalid_token" in challenge) == (headers["authorization"] == "Bearer wrong")


@pytest.mark.parametrize(
    "headers",
    [
        {"accept": ""},
        {"accept": "*/*"},
        {"accept": "application/json"},
        {"content-type": "application/json; charset=utf-8"},
        {"authorization": "", "x-api-key": KEY},
        {"authorization": "", "x-api-key": f"Bearer {KEY}"},
        {"origin": "http://localhost:3000"},
        {"mcp-session-id": "stale", "last-event-id": "7"},
        {"host": "localhost"},
    ],
)
@proves("media-types", "no-session", "no-header")
def test_what_real_clients_send_is_served(headers: dict[str, str]) -> None:
    answer = send(APP, legacy("ping"), headers)
    assert (answer.status, answer.json["result"]) == (200, {})


@proves("body-limit")
def test_a_body_in_pieces_is_bounded_like_a_declared_one() -> None:
    large = legacy("ping", {"x": "y" * 5_000})
    assert send(APP, large, parts=10).status == 413
    assert send(APP, legacy("ping"), parts=5).status == 200


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"", -32700),
        (b"[" * 2_000, -32700),
        (b"3", -32600),
        ({"id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": 5}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}, -32602),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, -32600),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, -32600),
        (b'{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"ping"}', -32600),
    ],
)
@proves("parse", "shape", "id")
def test_what_is_no_request_is_refused_with_its_code(body: object, code: int) -> None:
    answer = send(APP, body)
    assert (answer.status, answer.error_code) == (400, code)


@proves("notifications")
def test_notifications_and_responses_are_taken_and_not_answered() -> None:
    for body in (
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/unheard-of"},
        {"jsonrpc": "2.0", "id": 3, "result": {}},
    ):
        answer = send(APP, body)
        assert (answer.status, answer.body) == (202, b"")
    modern = {"mcp-protocol-version": "2026-07-28"}
    assert send(APP, {"jsonrpc": "2.0", "id": 3, "result": {}}, modern).error_code == -32600


@pytest.mark.parametrize(
    ("asked", "given"),
    [(v, v) for v in LEGACY] + [("2026-07-28", LEGACY[0]), ("nonsense", LEGACY[0])],
)
@pytest.mark.parametrize("header", ["", "2024-11-05", "2025-11-25"])
@proves("initialize")
def test_the_handshake_answers_every_version_whatever_the_header(
    asked: str, given: str, header: str
) -> None:
    client = {"name": "t", "version": "1"}
    params = {"protocolVersion": asked, "capabilities": {}, "clientInfo": client}
    answer = send(APP, legacy("initialize", params), {"mcp-protocol-version": header})
    assert answer.json["result"]["protocolVersion"] == given
    assert answer.json["result"]["capabilities"] == {
        "tools": {}, "resources": {}, "prompts": {}, "completions": {},
    }  # fmt: skip


@pytest.mark.parametrize(
    ("headers", "meta", "status", "code"),
    [
        ({"mcp-protocol-version": "2026-07-28"}, None, 400, -32602),
        ({"mcp-protocol-version": "1999-01-01"}, None, 400, -32022),
        ({}, MODERN_META, 400, -32020),
        ({"mcp-protocol-version": "2025-11-25"}, MODERN_META, 400, -32020),
        ({"mcp-protocol-version": "2026-07-28"}, MODERN_META, 400, -32020),
        (
            {"mcp-protocol-version": "2026-07-28", "mcp-method": "Tools/List"},
            MODERN_META,
            400,
            -32020,
        ),
        (
            {"mcp-protocol-version": "9", "mcp-method": "tools/list"},
            {**MODERN_META, "io.modelcontextprotocol/protocolVersion": "9"},
            400,
            -32022,
        ),
        (
            {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list"},
            {"io.modelcontextprotocol/protocolVersion": "2026-07-28"},
            400,
            -32602,
        ),
    ],
)
@proves("era", "versions")
def test_the_era_is_decided_by_the_body_and_checked_by_the_headers(
    headers: dict[str, str], meta: object, status: int, code: int
) -> None:
    params = {"_meta": meta} if meta else {}
    answer = send(APP, legacy("tools/list", params), headers)
    assert (answer.status, answer.error_code) == (status, code)
    if code == -32022:
        assert answer.json["error"]["data"]["supported"] == list(SUPPORTED)


@proves("header-once")
def test_a_header_sent_twice_matches_nothing() -> None:
    message = legacy("tools/list", {"_meta": MODERN_META})
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list"}
    assert send(APP, message, headers).status == 200
    twice = send(APP, message, headers, more=[("mcp-method", "tools/list")])
    assert twice.error_code == -32020


@proves("name-header")
def test_a_name_outside_ascii_comes_as_base64() -> None:
    uri = "legal://norm/de/musterg/ä"
    encoded = base64.b64encode(uri.encode()).decode()
    named = send_modern(APP, "resources/read", {"mcp-name": f"=?base64?{encoded}?="}, uri=uri)
    assert (named.status, named.error_code) == (400, -32602)  # read, and not there
    broken = send_modern(APP, "resources/read", {"mcp-name": "=?base64?%%?="}, uri=uri)
    assert broken.error_code == -32020


@pytest.mark.parametrize(
    "method", ["initialize", "ping", "logging/setLevel", "resources/subscribe", "tasks/get"]
)
@proves("removed")
def test_methods_the_modern_era_lacks_are_not_found(method: str) -> None:
    answer = send_modern(APP, method)
    assert (answer.status, answer.error_code) == (404, -32601)


@pytest.mark.parametrize("method", ["server/discover", "logging/setLevel", "no/such"])
@proves("unknown-method")
def test_methods_the_legacy_era_lacks_are_errors_with_status_200(method: str) -> None:
    answer = send(APP, legacy(method))
    assert (answer.status, answer.error_code) == (200, -32601)


@pytest.mark.parametrize(
    ("method", "params", "legacy_code", "modern_code"),
    [
        ("tools/call", {"name": "legal_ninth"}, -32602, -32602),
        ("tools/call", {"name": "legal_lookup", "arguments": [1]}, -32602, -32602),
        ("prompts/get", {"name": "nothing"}, -32602, -32602),
        ("prompts/get", {"name": "citation_resolve"}, -32602, -32602),
        ("resources/read", {"uri": "legal://nothing"}, -32002, -32602),
        ("tools/list", {"cursor": ""}, -32602, -32602),
        ("completion/complete", {"ref": {"type": "ref/prompt", "name": "x"}}, -32602, -32602),
    ],
)
@proves("unknown-tool", "unknown-resource", "unknown-prompt", "cursor")
def test_what_is_not_there_is_a_protocol_error_in_both_eras(
    method: str, params: dict[str, Any], legacy_code: int, modern_code: int
) -> None:
    old = send(APP, legacy(method, params), {"mcp-protocol-version": "2025-11-25"})
    assert (old.status, old.error_code) == (200, legacy_code)
    new = send_modern(APP, method, **params)
    assert (new.status, new.error_code) == (400, modern_code)
    if method == "resources/read":
        assert old.json["error"]["data"]["uri"] == "legal://nothing"


@proves("unknown-tool")
def test_wrong_arguments_are_results_a_model_can_act_on() -> None:
    params = {"name": "legal_lookup", "arguments": {"cite": "§ 1 MusterG"}}
    result = send(APP, legacy("tools/call", params)).json["result"]
    assert result["isError"] is True
    assert "structuredContent" not in result
    assert '"INVALID_ARGUMENT"' in result["content"][0]["text"]


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("prompts/list", {}),
    ("tools/call", LOOKUP),
    ("tools/call", {"name": "legal_get_stats", "arguments": {}}),
    ("resources/read", {"uri": "legal://filter_values"}),
    ("prompts/get", {"name": "citation_resolve", "arguments": {"citation": "§ 1 MusterG"}}),
    (
        "completion/complete",
        {
            "ref": {"type": "ref/resource", "uri": "legal://norm/{+norm_id}"},
            "argument": {"name": "norm_id", "value": "de/"},
        },
    ),
]


@pytest.mark.parametrize("version", LEGACY)
@pytest.mark.parametrize(("method", "params"), CALLS)
@proves("results", "content")
def test_every_legacy_result_has_the_shape_of_its_revision(
    method: str, params: dict[str, Any], version: str
) -> None:
    answer = send(APP, legacy(method, params), {"mcp-protocol-version": version})
    result = answer.json["result"]
    oracle.validate_server_result(method, version, result)
    assert "resultType" not in result
    if method == "tools/call" and version < "2025-06-18":
        assert {block["type"] for block in result["content"]} == {"text"}


@pytest.mark.parametrize(("method", "params"), [*CALLS, ("server/discover", {})])
@proves("results", "caching")
def test_every_modern_result_has_the_shape_of_its_revision(
    method: str, params: dict[str, Any]
) -> None:
    result = send_modern(APP, method, **params).json["result"]
    oracle.validate_server_result(method, "2026-07-28", result)
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "fundstelle"
    if "list" in method or method in {"server/discover", "resources/read"}:
        assert result["ttlMs"] >= 0
        assert result["cacheScope"] in {"public", "private"}


@proves("subscription")
def test_a_subscription_is_acknowledged_and_ends() -> None:
    answer = send_modern(APP, "subscriptions/listen", {"accept": "text/event-stream"})
    assert answer.headers["content-type"] == "text/event-stream"
    assert b"notifications/subscriptions/acknowledged" in answer.body
    assert answer.body.count(b"data: ") == 2


@pytest.mark.parametrize("version", ["", "2025-03-26"])
@proves("batch")
def test_batches_exist_in_one_revision(version: str) -> None:
    batch = [
        legacy("ping", request_id=1),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        legacy("initialize", {}, request_id=2),
        legacy("no/such", request_id=3),
        7,
    ]
    answers = send(APP, batch, {"mcp-protocol-version": version}).json
    assert [a.get("error", {}).get("code") for a in answers] == [None, -32600, -32601, -32600]


@proves("batch")
def test_batches_are_refused_elsewhere_and_when_empty_or_long() -> None:
    ping = legacy("ping")
    for version in ("2025-11-25", "2026-07-28", "1999-01-01"):
        refused = send(APP, [ping], {"mcp-protocol-version": version})
        assert (refused.status, refused.error_code) == (400, -32600), version
    assert send(APP, []).error_code == -32600
    assert send(APP, [ping] * 17).error_code == -32600
    assert send(APP, [{"jsonrpc": "2.0", "method": "notifications/cancelled"}]).status == 202


@proves("batch")
def test_a_batch_whose_answers_are_large_is_answered_in_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(engine, "MAX_BATCH_BYTES", 2_000)
    lookup = {"name": "legal_lookup", "arguments": {"citation": "§ 1 MusterG"}}
    batch: list[object] = [legacy("tools/call", lookup, request_id=number) for number in range(16)]
    batch += [7, {"jsonrpc": "2.0", "method": "notifications/initialized"}]
    batch = batch[2:]
    app = build_app()
    answers = send(app, batch).json
    given = [answer["id"] for answer in answers if "result" in answer]
    assert given
    left = answers[len(given) :]
    assert [answer["id"] for answer in left] == [*range(2 + len(given), 16), None]
    assert {answer["error"]["code"] for answer in left} == {-32600}
    assert "alone" in left[0]["error"]["message"]
    assert app._quota.left == 1_000_000 - len(given)  # type: ignore[attr-defined]  # of the fake


@proves("batch")
def test_a_batch_that_takes_long_is_answered_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others wait for the whole of it, so it has less than sixteen calls one by one."""
    app = build_app()
    worked = iter(range(1, 1_000))
    monkeypatch.setattr(Budget, "used_s", property(lambda _: next(worked) / 50))
    lookup = {"name": "legal_lookup", "arguments": {"citation": "§ 1 MusterG"}}
    batch = [legacy("tools/call", lookup, request_id=number) for number in range(16)]
    answers = send(app, batch).json
    given = [answer["id"] for answer in answers if "result" in answer]
    assert 0 < len(given) < 16
    left = answers[len(given) :]
    assert [answer["id"] for answer in left] == [*range(len(given), 16)]
    assert all("alone" in answer["error"]["message"] for answer in left)
    assert app._quota.left == 1_000_000 - len(given)  # type: ignore[attr-defined]  # of the fake


@proves("batch")
def test_a_batch_that_is_refused_is_not_counted() -> None:
    app = build_app(calls=10)
    for _ in range(3):
        refused = send(app, [legacy("tools/call", LOOKUP, request_id=n) for n in range(11)])
        assert (refused.status, refused.headers["retry-after"]) == (429, "3")
    free = [legacy("ping", request_id=n) for n in range(10, 16)]
    batch = [legacy("tools/call", LOOKUP, request_id=n) for n in range(10)] + free
    assert len(send(app, batch).json) == 16


@proves("batch")
def test_a_batch_larger_than_the_limits_is_told_what_they_allow() -> None:
    app = build_app(quotas=Quotas(10, 20))
    refused = send(app, [legacy("tools/call", LOOKUP, request_id=n) for n in range(11)])
    assert (refused.status, refused.error_code) == (400, -32600)
    assert "at most 10" in refused.json["error"]["message"]
    assert "retry-after" not in refused.headers
    answers = send(app, [legacy("tools/call", LOOKUP, request_id=n) for n in range(10)])
    assert (answers.status, len(answers.json)) == (200, 10)


@pytest.mark.parametrize(("recorded", "statuses"), [(0, {200}), (9, {200, 429}), (10, {429})])
@proves("rate")
def test_a_server_that_has_just_started_knows_the_month(recorded: int, statuses: set[int]) -> None:
    quotas = Quotas(0, 20, 10, count_month=lambda _: recorded)
    app = build_app(quotas=quotas)
    assert {send(app, legacy("tools/call", LOOKUP)).status for _ in range(3)} == statuses


@pytest.mark.parametrize("params", [{}, {"_meta": MODERN_META}])
@proves("batch")
def test_a_notification_in_a_batch_is_never_answered(params: dict[str, object]) -> None:
    silent = {"jsonrpc": "2.0", "method": "initialize", "params": params}
    assert send(APP, [silent]).status == 202
    assert len(send(APP, [silent, legacy("ping")]).json) == 1


@proves("rate")
def test_only_work_counts_against_the_rate() -> None:
    app = build_app(calls=1)
    free = [legacy("ping"), legacy("tools/list"), legacy("prompts/list")]
    free.append(legacy("resources/read", {"uri": "legal://rechtsrahmen"}))
    assert all(send(app, message).status == 200 for message in free * 3)
    assert send(app, legacy("tools/call", LOOKUP)).status == 200
    limited = send(app, legacy("tools/call", LOOKUP))
    assert (limited.status, limited.headers["retry-after"]) == (429, "3")
    assert send(app, free[0]).status == 200


@proves("cors")
def test_a_browser_is_told_what_it_may_send() -> None:
    origin = {"origin": "http://localhost:3000", "authorization": ""}
    preflight = send(APP, headers=origin, method="OPTIONS")
    assert preflight.status == 204
    assert "Mcp-Method" in preflight.headers["access-control-allow-headers"]
    answer: Answer = send(APP, legacy("ping"), {"origin": "http://localhost:3000"})
    assert answer.headers["access-control-allow-origin"] == "http://localhost:3000"
    assert "WWW-Authenticate" in answer.headers["access-control-expose-headers"]
    evil = send(APP, headers={"origin": "https://evil.example"}, method="OPTIONS")
    assert evil.status == 403


@proves("discreet-log")
def test_the_log_names_the_call_but_never_key_or_question() -> None:
    log = Lines()
    app = build_app(log=log)
    secret = "Mandant Geheim"
    params = {"name": "legal_search", "arguments": {"query": secret}}
    send(app, legacy("tools/call", params))
    send(app, legacy(secret))
    written = str(log.lines)
    assert [line["tool"] for line in log.lines] == ["legal_search", ""]
    assert log.lines[0]["key"] == "key_test"
    assert log.lines[0]["release"]
    assert secret not in written
    assert KEY not in written


@proves("operations")
def test_health_readiness_and_metrics() -> None:
    assert send(APP, method="GET", path="/healthz", headers={"authorization": ""}).status == 200
    assert send(APP, method="GET", path="/readyz").json["status"] == "ready"
    assert send(APP, method="GET", path="/metrics", headers={"authorization": ""}).status == 401
    send(APP, legacy("tools/list"))
    metrics = send(APP, method="GET", path="/metrics").body.decode()
    assert (
        'mcp_server_operation_duration_seconds_count{error_type="",gen_ai_tool_name="",http_response_status_code="200",mcp_method_name="tools/list"}'
        in metrics
    )
    assert send(APP, path="/elsewhere").status == 404

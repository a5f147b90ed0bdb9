"""What goes wrong inside, and what changes under way, seen from outside."""

import asyncio
import base64
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import orjson
import pytest
from mcp_types import methods as oracle

from fundstelle.accounts.keys.api_keys import Principal, Recall
from fundstelle.errors import AccountsError, CorpusError
from fundstelle.mcp.engine import Engine
from fundstelle.mcp.versions import LEGACY, SUPPORTED
from fundstelle.settings import Settings
from fundstelle.tools.inputs.eu_acts import list_eu_acts
from fundstelle.tools.spec import (
    CallContext,
    Registry,
    Resource,
    ResourceContents,
    Tool,
    ToolResult,
)
from fundstelle.web.app import Application
from tests.protocol.client import FewCalls, KnownKey, Lines, build_app, legacy, send, send_modern
from tests.protocol.requirements import proves

APP = build_app()
CALL: dict[str, Any] = {"name": "probe", "arguments": {}}
SECRET = "Mandant Geheim"


class KeysAway(KnownKey):
    def recall(self, presented: str) -> Principal | Literal[Recall.ASK] | None:
        del presented
        return Recall.ASK

    async def ask(self, presented: str) -> Principal | None:
        del presented
        raise AccountsError("the accounts database is away")


def build_registry(
    call: Callable[[Mapping[str, Any], CallContext], ToolResult], release: str = "one"
) -> Registry:
    schema = {"type": "object", "properties": {}}
    probe = Tool("probe", "Probe", "A probe.", schema, None, call)
    return Registry("t", "T", "0", "Ask.", (probe,), (), (), (), lambda *_: None, release)


def answer_text(*_: object) -> ToolResult:
    return ToolResult(blocks=({"type": "text", "text": "hello"},))


def serve(*registries: Registry, keys: KnownKey | None = None) -> Application:
    engines = [Engine(each) for each in registries]
    return Application(
        engine_source=lambda: engines.pop(0) if engines else None,
        authenticator=keys or KnownKey(),
        quota=FewCalls(1_000),
        settings=Settings.from_env({}),
        log=Lines(),
    )


def fail(*_: object) -> ToolResult:
    raise RuntimeError(f"{SECRET} in /srv/private/file.py")


@proves("bare-errors")
def test_a_fault_of_ours_shows_nothing_of_the_inside(caplog: pytest.LogCaptureFixture) -> None:
    app = serve(build_registry(fail))
    app.refresh()
    for answer in (send(app, legacy("tools/call", CALL)), send_modern(app, "tools/call", **CALL)):
        assert (answer.status, answer.error_code) == (200, -32603)
        assert b"Geheim" not in answer.body
        assert b"/srv" not in answer.body
        assert answer.json["error"]["data"]["id"] in caplog.text
    assert SECRET not in caplog.text


@proves("bare-errors")
def test_a_fault_beside_the_methods_is_answered_bare_too(caplog: pytest.LogCaptureFixture) -> None:
    def look_up(_uri: str) -> None:
        raise RuntimeError(f"{SECRET} in /srv/private/file.py")

    engine = Engine(build_registry(answer_text))
    engine._methods._find_resource = look_up  # type: ignore[method-assign, assignment]
    reply = engine.handle(
        {b"content-type": b"application/json"},
        orjson.dumps(legacy("resources/read", {"uri": "x://y"})),
        CallContext("r-1", "p"),
        lambda _: None,
    )
    assert (reply.status, reply.error_code) == (200, "-32603")
    assert b"Geheim" not in reply.body
    assert SECRET not in caplog.text


@proves("no-corpus")
def test_without_a_corpus_or_keys_the_client_is_told_to_come_back() -> None:
    empty = serve()
    locked = serve(build_registry(answer_text), keys=KeysAway())
    locked.refresh()
    for app in (empty, locked):
        answer = send(app, legacy("ping"))
        assert (answer.status, answer.headers["retry-after"]) == (503, "5")
    assert send(empty, method="GET", path="/readyz").status == 503
    assert send(empty, method="GET", path="/healthz").status == 200


@proves("swap")
def test_another_build_takes_over_between_two_requests() -> None:
    app = serve(build_registry(answer_text, "one"), build_registry(answer_text, "two"))
    seen = []
    for _ in range(3):
        app.refresh()
        assert send(app, legacy("tools/call", CALL)).status == 200
        seen.append(send(app, method="GET", path="/readyz").json["corpus_release"])
    assert seen == ["one", "two", "two"]


@proves("swap")
def test_a_request_under_way_is_answered_by_the_build_that_is_live_when_it_is_complete() -> None:
    app = serve(build_registry(answer_text, "one"), build_registry(answer_text, "two"))
    app.refresh()

    class Swapping(bytes):
        """A body whose arrival is the moment of the swap."""

        def __len__(self) -> int:
            app.refresh()
            return super().__len__()

    body = Swapping(b'{"jsonrpc":"2.0","id":1,"method":"ping"}')
    assert send(app, body).status == 200


@proves("swap")
def test_a_build_that_cannot_be_opened_leaves_the_old_one_serving() -> None:
    engines: list[Engine] = [Engine(build_registry(answer_text))]

    def poll() -> Engine | None:
        if engines:
            return engines.pop()
        raise CorpusError("the new build is damaged")

    app = serve()
    app._follower._engine_source = poll
    app.refresh()
    app.refresh()
    assert send(app, legacy("tools/call", CALL)).status == 200


@proves("operations")
def test_the_lifespan_opens_the_corpus_and_ends_cleanly() -> None:
    app = serve(build_registry(answer_text))
    events = [{"type": "lifespan.startup"}, {"type": "lifespan.shutdown"}]
    sent: list[Any] = []

    async def live() -> None:
        async def receive() -> Any:
            return events.pop(0)

        async def take(event: Any) -> None:
            sent.append(event["type"])

        await app({"type": "lifespan"}, receive, take)

    asyncio.run(live())
    assert sent == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
    assert send(app, method="GET", path="/readyz").status == 200


@proves("content", "results")
@pytest.mark.parametrize("version", SUPPORTED)
def test_content_that_a_revision_does_not_know_is_text(version: str) -> None:
    audio = {"type": "audio", "data": "AAAA", "mimeType": "audio/wav"}
    link = {"type": "resource_link", "uri": "legal://norm/x", "name": "x", "title": "§ 1"}
    app = serve(build_registry(lambda *_: ToolResult(blocks=(audio, link))))
    app.refresh()
    if version in LEGACY:
        answer = send(app, legacy("tools/call", CALL), {"mcp-protocol-version": version})
    else:
        answer = send_modern(app, "tools/call", **CALL)
    result = answer.json["result"]
    oracle.validate_server_result("tools/call", version, result)
    assert [block["type"] for block in result["content"]] == [
        "audio" if version >= "2025-03-26" else "text",
        "resource_link" if version >= "2025-06-18" else "text",
    ]


@proves("results", "initialize")
@pytest.mark.parametrize("version", LEGACY)
def test_handshake_and_ping_have_the_shape_of_their_revision(version: str) -> None:
    params = {
        "protocolVersion": version,
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    for method, given in (("initialize", params), ("ping", {})):
        result = send(APP, legacy(method, given)).json["result"]
        oracle.validate_server_result(method, version, result)


@proves("results")
@pytest.mark.parametrize("version", SUPPORTED)
def test_binary_contents_are_base64_in_every_revision(version: str) -> None:
    held = ResourceContents("x://y", "image/png", blob=b"\x00\xff")
    resource = Resource("x://y", "y", "Y", "Bytes.", "image/png", lambda _context: held)
    app = serve(replace(build_registry(answer_text), resources=(resource,)))
    app.refresh()
    if version in LEGACY:
        headers = {"mcp-protocol-version": version}
        answer = send(app, legacy("resources/read", {"uri": "x://y"}), headers)
    else:
        answer = send_modern(app, "resources/read", uri="x://y")
    result = answer.json["result"]
    oracle.validate_server_result("resources/read", version, result)
    assert base64.b64decode(result["contents"][0]["blob"]) == b"\x00\xff"


@proves("completion")
def test_completion_suggests_or_is_silent_and_refuses_what_it_cannot_read() -> None:
    def complete(reference: object, value: str = "") -> Any:
        argument = {"name": "citation", "value": value}
        return send(APP, legacy("completion/complete", {"ref": reference, "argument": argument}))

    for name in ("compare_de_eu", "nothing"):  # one without such an argument, one that there is not
        silent = complete({"type": "ref/prompt", "name": name}).json["result"]["completion"]
        assert silent == {"values": [], "total": 0, "hasMore": False}
    for reference in (
        {"type": "ref/resource", "uri": "legal://nothing/{x}"},
        {"type": "ref/tool", "name": "legal_lookup"},
        {"type": ["ref/prompt"], "name": "citation_resolve"},
        {"name": "citation_resolve"},
        "citation_resolve",
    ):
        assert complete(reference).error_code == -32602


@proves("completion")
def test_completion_says_whether_there_are_more_than_it_shows() -> None:
    reference = {"type": "ref/resource", "uri": "legal://eu/celex/{celex}"}
    numbers = [act["celex"] for act in list_eu_acts()]

    def complete(typed: str) -> tuple[int, dict[str, Any]]:
        argument = {"name": "celex", "value": typed}
        asked = legacy("completion/complete", {"ref": reference, "argument": argument})
        held = sum(number.startswith(typed) for number in numbers)
        completion: dict[str, Any] = send(APP, asked).json["result"]["completion"]
        return held, completion

    held, many = complete("3")
    assert held > len(many["values"]) == 100
    assert many["hasMore"] is True
    assert "total" not in many
    held, few = complete("32016R06")
    assert len(few["values"]) == few["total"] == held
    assert few["hasMore"] is False


@proves("malformed")
@pytest.mark.parametrize("wrong", [["citation"], {"citation": 1}, None, 7, True], ids=str)
@pytest.mark.parametrize("member", ["name", "value"])
def test_what_is_completed_is_named_by_a_text(member: str, wrong: object) -> None:
    argument = {"name": "citation", "value": "", member: wrong}
    reference = {"type": "ref/prompt", "name": "citation_resolve"}
    asked = legacy("completion/complete", {"ref": reference, "argument": argument})
    assert send(APP, asked).error_code == -32602


@proves("id")
@pytest.mark.parametrize("request_id", [0, -1, 2**63, "", "ä\u2028", "x" * 1_000])
def test_an_id_comes_back_as_it_was_sent(request_id: object) -> None:
    assert send(APP, legacy("ping", request_id=request_id)).json["id"] == request_id
    refused = send(APP, {"jsonrpc": "1.0", "id": request_id, "method": "ping"})
    assert refused.json["id"] == request_id


@proves("no-session")
def test_no_session_id_is_ever_given_out() -> None:
    answer = send(APP, legacy("initialize", {"protocolVersion": "2025-11-25"}))
    assert "mcp-session-id" not in answer.headers


@proves("subscription")
def test_a_subscription_is_named_by_its_request() -> None:
    answer = send_modern(APP, "subscriptions/listen")
    assert answer.body.count(b'"io.modelcontextprotocol/subscriptionId":1') == 2
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["x-accel-buffering"] == "no"


@proves("name-header")
@pytest.mark.parametrize(
    "value",
    [
        "=?base64?7aCA?=",  # a lone surrogate in UTF-8
        "=?base64?" + base64.b64encode("ü".encode("latin-1")).decode() + "?=",
        "=?base64?bGVnYWxfZ2V0X3N0YXRz",  # no end
        "=?base64??=",
        "=?base64?=",
        "legal_get_stats\xe4",
        "LEGAL_GET_STATS",
        "legal_get_stats, legal_get_stats",
    ],
)
def test_a_name_that_is_not_the_body_s_is_a_mismatch(value: str) -> None:
    params: dict[str, Any] = {"name": "legal_get_stats", "arguments": {}}
    answer = send_modern(APP, "tools/call", {"mcp-name": value}, **params)
    assert (answer.status, answer.error_code) == (400, -32020)

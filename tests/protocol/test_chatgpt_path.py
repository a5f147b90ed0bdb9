"""``/mcp/chatgpt``: two tools at an address of their own, and the same doors before them."""

from datetime import date

import orjson
import pytest

from fundstelle.mcp.engine import Engine
from fundstelle.settings import Settings
from fundstelle.tools import build_chatgpt_registry, build_registry
from fundstelle.web.app import Application
from tests.protocol.client import MODERN_META, FewCalls, KnownKey, Lines, legacy, send
from tests.unit.tools.fakes import build_library

PATH = "/mcp/chatgpt"


async def nothing(_scope: object, _receive: object, _send: object) -> None:
    raise AssertionError("the portal is not asked")


def open_app(
    calls: int = 100, log: Lines | None = None, keys: KnownKey | None = None
) -> Application:
    library = build_library()
    eight = build_registry(library, today=lambda: date(2030, 1, 1), base_url="")
    engines = [Engine(eight, aside=Engine(build_chatgpt_registry(eight, library, "")))]
    app = Application(
        engine_source=lambda: engines.pop() if engines else None,
        authenticator=keys or KnownKey(),
        quota=FewCalls(calls),
        settings=Settings.from_env({"FUNDSTELLE_MAX_BODY_BYTES": "4096"}),
        site=nothing,
        log=log or Lines(),
    )
    app.refresh()
    return app


@pytest.fixture(scope="module")
def app() -> Application:
    return open_app()


def list_names(app: Application, path: str) -> list[str]:
    answer = send(app, legacy("tools/list"), path=path)
    return [tool["name"] for tool in answer.json["result"]["tools"]]


def test_it_has_two_tools_and_the_other_keeps_eight(app: Application) -> None:
    assert list_names(app, PATH) == ["search", "fetch"]
    eight = list_names(app, "/mcp")
    assert len(eight) == 8
    assert not {"search", "fetch"} & set(eight)


def test_a_result_is_one_text_of_json_beside_the_structured_content(app: Application) -> None:
    call = {"name": "fetch", "arguments": {"id": "de/wzleihg/2"}}
    result = send(app, legacy("tools/call", call), path=PATH).json["result"]
    (block,) = result["content"]
    assert block["type"] == "text"
    assert block["text"].startswith('{"id":"de/wzleihg/2","title":')
    assert result["structuredContent"]["id"] == "de/wzleihg/2"


@pytest.mark.parametrize("tool", ["legal_lookup", "legal_search"])
def test_the_eight_are_unknown_there(app: Application, tool: str) -> None:
    call = {"name": tool, "arguments": {"citation": "§ 2 WzLeihG"}}
    assert send(app, legacy("tools/call", call), path=PATH).error_code == -32602


def test_it_lists_nothing_else_and_completes_nothing(app: Application) -> None:
    for method, name in (
        ("resources/list", "resources"),
        ("resources/templates/list", "resourceTemplates"),
        ("prompts/list", "prompts"),
    ):
        assert send(app, legacy(method), path=PATH).json["result"][name] == []


@pytest.mark.parametrize("path", ["/mcp", PATH])
def test_each_address_challenges_with_its_own_document(app: Application, path: str) -> None:
    for credential in ("", "Bearer sk-legal-wrong"):
        answer = send(app, legacy("ping"), {"authorization": credential}, path=path)
        assert answer.status == 401
        document = f"/.well-known/oauth-protected-resource{path}"
        assert f'{document}"' in answer.headers["www-authenticate"]


def test_the_same_doors_stand_before_it(app: Application) -> None:
    assert send(app, path=PATH, method="GET").status == 405
    assert send(app, b"x" * 5_000, path=PATH).status == 413
    assert send(app, legacy("ping"), {"host": "evil.example"}, path=PATH).status == 421
    assert send(app, legacy("ping"), {"origin": "https://evil.example"}, path=PATH).status == 403


def test_its_calls_count_and_are_logged() -> None:
    log = Lines()
    app = open_app(1, log)
    call = {"name": "search", "arguments": {"query": "§ 2 WzLeihG"}}
    assert send(app, legacy("tools/call", call), path=PATH).status == 200
    assert send(app, legacy("tools/call", call), path=PATH).status == 429
    assert next(line["tool"] for line in log.lines) == "search"


def test_the_modern_revision_is_spoken_there_too(app: Application) -> None:
    message = legacy("tools/list", {"_meta": MODERN_META})
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/list"}
    answer = send(app, message, headers, path=PATH)
    assert len(answer.json["result"]["tools"]) == 2


def test_a_search_that_waits_for_another_server_is_answered_apart_as_well() -> None:
    library = build_library()
    eight = build_registry(library, today=lambda: date(2030, 1, 1), base_url="")
    engine = Engine(build_chatgpt_registry(eight, library, ""), waits=True)
    asked = {
        name: engine.waits(
            orjson.dumps(legacy("tools/call", {"name": name, "arguments": arguments}))
        )
        for name, arguments in (
            ("search", {"query": "Werkzeug"}),
            ("fetch", {"id": "de/wzleihg/2"}),
        )
    }
    assert asked == {"search": True, "fetch": False}

"""Whatever is sent: never a 5xx, never an exception, never a traceback."""

from typing import Any

import orjson
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.protocol.client import MODERN_META, build_app, legacy, send
from tests.protocol.requirements import proves

APP = build_app()
TOOLS = (
    "legal_search", "legal_lookup", "legal_lookup_batch", "legal_get_context",
    "legal_find_citing_decisions", "legal_list_laws", "legal_get_toc", "legal_get_stats",
)  # fmt: skip
METHODS = (
    "initialize", "ping", "server/discover", "tools/list", "tools/call", "resources/list",
    "resources/read", "prompts/get", "completion/complete", "subscriptions/listen",
)  # fmt: skip
NAMES = (
    "name", "arguments", "uri", "cursor", "ref", "argument", "context", "_meta", "query",
    "citation", "citations", "norm_id", "as_of", "offset", "top_k", "quote", "include", "limit",
)  # fmt: skip
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=40)
    | st.sampled_from(["§ 1 MusterG", "de/musterg/1", "2030-01-01", "BGB", *TOOLS]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(NAMES), inner),
    max_leaves=12,
)
QUIET = settings(
    deadline=None, max_examples=300, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def check(body: bytes, headers: dict[str, str] | None = None) -> None:
    answer = send(APP, body, headers)
    assert answer.status < 500
    assert b"Traceback" not in answer.body
    if answer.body and answer.headers["content-type"] == "application/json":
        parsed = orjson.loads(answer.body)
        error = parsed.get("error", {}) if isinstance(parsed, dict) else {}
        assert error.get("code") != -32603, body


@proves("malformed")
@QUIET
@given(st.binary(max_size=300))
def test_any_bytes(body: bytes) -> None:
    check(body)


@proves("malformed")
@QUIET
@given(VALUES)
def test_any_json(value: Any) -> None:
    check(orjson.dumps(value))


@proves("malformed")
@QUIET
@given(st.sampled_from(METHODS), VALUES, VALUES, st.booleans())
def test_any_parameters(method: str, params: Any, request_id: Any, modern: bool) -> None:
    if modern and isinstance(params, dict):
        params = {**params, "_meta": MODERN_META}
    headers = {"mcp-protocol-version": "2026-07-28", "mcp-method": method} if modern else None
    check(orjson.dumps(legacy(method, params, request_id)), headers)


@proves("malformed")
@QUIET
@given(st.sampled_from(TOOLS), st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5))
def test_any_arguments(tool: str, arguments: dict[str, Any]) -> None:
    check(orjson.dumps(legacy("tools/call", {"name": tool, "arguments": arguments})))


@proves("malformed")
@QUIET
@given(
    st.dictionaries(
        st.sampled_from(
            ["accept", "content-type", "mcp-protocol-version", "mcp-method", "mcp-name", "origin",
             "host", "authorization", "x-api-key", "content-length"]
        ),
        st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=40),
    )
)  # fmt: skip
def test_any_headers(headers: dict[str, str]) -> None:
    check(orjson.dumps(legacy("tools/list")), headers)


@proves("malformed")
def test_escaped_lone_surrogates_are_refused() -> None:
    check(b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"\\ud800"}}')
    deep = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"legal_lookup",'
    deep += b'"arguments":{"citation":' + b"[" * 500 + b"]" * 500 + b"}}}"
    check(deep)


@proves("malformed")
def test_a_bottomless_name_is_refused() -> None:
    shallow = b"[" * 150 + b"]" * 150
    for deep, status, code in ((b"[" * 500 + b"]" * 500, 400, -32700), (shallow, 200, -32602)):
        _check_names(deep, status, code)


def _check_names(deep: bytes, status: int, code: int) -> None:
    for method in (b"tools/call", b"prompts/get", b"resources/read", b"completion/complete"):
        for member in (b"name", b"uri", b"ref"):
            params = b'{"' + member + b'":' + deep + b"}"
            body = b'{"jsonrpc":"2.0","id":1,"method":"' + method + b'","params":' + params + b"}"
            answer = send(APP, body)
            assert (answer.status, answer.error_code) == (status, code)

"""A line becomes what would be sent over HTTP, and an answer becomes lines."""

import json

import pytest

from fundstelle.mcp.headers import decode_name
from fundstelle.mcp.stdio.lines import Answered, Conversation, split
from tests.protocol.client import MODERN_META, legacy


def encode(message: object) -> bytes:
    return json.dumps(message).encode()


def test_a_modern_request_gets_the_headers_of_its_body() -> None:
    params = {"uri": "legal://law/gesetze_im_internet/BGB ä", "_meta": MODERN_META}
    headers = Conversation().read(encode(legacy("resources/read", params))).headers
    assert headers[b"mcp-protocol-version"] == b"2026-07-28"
    assert headers[b"mcp-method"] == b"resources/read"
    assert decode_name(headers[b"mcp-name"]) == params["uri"]


@pytest.mark.parametrize("name", ["a\r\nX-Evil: 1", "=?base64?YQ==?=", " a ", "a,b"])
def test_a_name_cannot_break_out_of_its_header(name: str) -> None:
    params = {"name": name, "_meta": MODERN_META}
    headers = Conversation().read(encode(legacy("tools/call", params))).headers
    assert b"\n" not in headers[b"mcp-name"]
    assert decode_name(headers[b"mcp-name"]) == name


def test_the_revision_of_the_handshake_is_remembered() -> None:
    conversation = Conversation()
    hello = conversation.read(encode(legacy("initialize")))
    assert b"mcp-protocol-version" not in conversation.read(encode(legacy("ping"))).headers
    conversation.learn(
        hello, [b'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}']
    )
    assert conversation.read(encode(legacy("ping"))).headers[b"mcp-protocol-version"] == (
        b"2025-06-18"
    )


@pytest.mark.parametrize(
    "answer",
    [
        b'{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}',
        b'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"1\\r\\nX: y"}}',
        b'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":["2025-06-18"]}}',
        b'[{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18"}}]',
    ],
)
def test_only_a_revision_is_remembered(answer: bytes) -> None:
    conversation = Conversation()
    conversation.learn(conversation.read(encode(legacy("initialize"))), [answer])
    assert b"mcp-protocol-version" not in conversation.read(encode(legacy("ping"))).headers


@pytest.mark.parametrize(
    ("line", "request_id"),
    [
        (b"nothing", None),
        (b"\xff", None),
        (b"5", None),
        (b'{"jsonrpc":"2.0","id":3}', 3),
        (b"[" * 300 + b"]" * 300, None),
    ],
)
def test_what_is_no_message_is_answered_at_once(line: bytes, request_id: int | None) -> None:
    with pytest.raises(Answered) as answered:
        Conversation().read(line)
    assert json.loads(answered.value.line)["id"] == request_id


@pytest.mark.parametrize(
    ("message", "waits"),
    [
        (legacy("ping"), True),
        ({"jsonrpc": "2.0", "method": "notifications/initialized"}, False),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, False),
        ([legacy("ping")], True),
        ([], True),
        ([{"jsonrpc": "2.0", "method": "notifications/cancelled"}], False),
    ],
)
def test_whether_somebody_waits_for_an_answer(message: object, waits: bool) -> None:
    assert Conversation().read(encode(message)).wants_answer == waits


def test_an_answer_over_several_lines_becomes_one() -> None:
    pretty = json.dumps({"jsonrpc": "2.0", "id": 1, "result": {}}, indent=2).encode()
    (line,) = split("application/json; charset=utf-8", pretty) or []
    assert b"\n" not in line
    assert json.loads(line) == json.loads(pretty)


def test_events_become_lines() -> None:
    stream = b'event: message\ndata: {"jsonrpc":"2.0","method":"a"}\n\ndata: {"jsonrpc":"2.0"}\n\n'
    assert split("text/event-stream", stream) == [
        b'{"jsonrpc":"2.0","method":"a"}',
        b'{"jsonrpc":"2.0"}',
    ]


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"5", b'{"error":"invalid_request"}'])
def test_what_is_no_answer_of_the_protocol_is_not_passed_on(body: bytes) -> None:
    assert split("application/json", body) is None

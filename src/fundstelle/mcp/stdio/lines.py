"""A line of a client as a request to the engine or a server, and the answer as lines again.

Over HTTP a request says in headers which revision it is of; on standard input only its body and
the handshake before it do, so that one ``Conversation`` remembers the handshake.
"""

import base64
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from fundstelle.mcp import headers as http
from fundstelle.mcp.era import NAMED_BY, VERSION_KEY, is_modern
from fundstelle.mcp.errors import INVALID_REQUEST, ProtocolError
from fundstelle.mcp.jsonrpc import MalformedMessage, Message, decode, is_response, read_message
from fundstelle.mcp.versions import LEGACY

_PLAIN = re.compile(r"[\x21-\x7e]+")
_ENCODED = "=?base64?"


class Answered(Exception):
    """A line that is answered without asking anybody: it cannot be read. ``line`` is the answer."""

    def __init__(self, line: bytes) -> None:
        super().__init__("the line cannot be read")
        self.line = line


@dataclass(frozen=True, slots=True)
class Asked:
    """What is to be sent.

    ``id`` is encoded JSON: ``None`` for notifications, responses and batches. ``wants_answer`` says
    whether a line must come back.
    """

    body: bytes
    headers: Mapping[bytes, bytes]
    method: str = ""
    id: bytes | None = None
    wants_answer: bool = False

    def refuse(self, error: ProtocolError) -> list[bytes]:
        """The error as the line that answers this, or none if nobody waits for one."""
        return [error.encode(self.id or b"null")] if self.wants_answer else []


@dataclass(slots=True)
class Conversation:
    """One client: what it has agreed on in ``initialize``, if it is one that does."""

    _version: bytes | None = field(default=None, init=False)

    def read(self, line: bytes) -> Asked:
        """The request in a line.

        Raises:
            Answered: it is none.
        """
        try:
            value = decode(line)
            if isinstance(value, list):
                wants = any(isinstance(item, dict) and "id" in item for item in value)
                return Asked(line, self._describe(None), "batch", None, wants or not value)
            if is_response(value):  # to a request of ours, which there is none of
                return Asked(line, self._describe(None), "response")
            message = read_message(value)
        except ProtocolError as error:
            raise Answered(error.encode(b"null")) from None
        except MalformedMessage as malformed:
            raise Answered(malformed.error.encode(malformed.request_id or b"null")) from None
        wants = message.id is not None
        return Asked(line, self._describe(message), message.method, message.id, wants)

    def learn(self, asked: Asked, answers: Sequence[bytes]) -> None:
        """Take down which revision a handshake has settled."""
        if asked.method != "initialize" or len(answers) != 1:
            return
        answer = orjson.loads(answers[0])
        result = answer.get("result") if isinstance(answer, dict) else None
        version = result.get("protocolVersion") if isinstance(result, dict) else None
        if version in LEGACY:
            self._version = version.encode()

    def _describe(self, message: Message | None) -> Mapping[bytes, bytes]:
        """The headers that the same would be sent with over HTTP."""
        headers = {
            b"content-type": b"application/json",
            b"accept": b"application/json, text/event-stream",
        }
        if message is not None and is_modern(message):
            headers |= _describe_modern(message)
        elif self._version and (message is None or message.method != "initialize"):
            headers[http.VERSION] = self._version
        return headers


def _describe_modern(message: Message) -> Mapping[bytes, bytes]:
    headers = {http.METHOD: _encode(message.method)}
    version = message.params["_meta"][VERSION_KEY]
    if isinstance(version, str):
        headers[http.VERSION] = _encode(version)
    name = message.params.get(NAMED_BY.get(message.method, ""))
    if isinstance(name, str):
        headers[http.NAME] = _encode(name)
    return headers


def _encode(text: str) -> bytes:
    """A header's value: as it is, or as base64 where it would not survive."""
    if _PLAIN.fullmatch(text) and not text.startswith(_ENCODED):
        return text.encode()
    return f"{_ENCODED}{base64.b64encode(text.encode()).decode()}?=".encode()


def refuse_long(limit_bytes: int) -> bytes:
    """The answer to a line that was not read to its end."""
    text = f"a message may be {limit_bytes} bytes long; send less, or raise the limit"
    return ProtocolError(INVALID_REQUEST, text).encode(b"null")


def split(content_type: str, body: bytes) -> list[bytes] | None:
    """The messages of an answer, each one line; ``None`` if it is no answer of the protocol."""
    if content_type.startswith("text/event-stream"):
        parts = [line[5:].strip() for line in body.splitlines() if line.startswith(b"data:")]
    else:
        parts = [body]
    try:
        values = [orjson.loads(part) for part in parts]
    except orjson.JSONDecodeError:
        return None
    if not values or not all(_is_message(value) for value in values):
        return None
    return [
        part if b"\n" not in part and b"\r" not in part else orjson.dumps(value)
        for part, value in zip(parts, values, strict=True)
    ]


def _is_message(value: Any) -> bool:
    items = value if isinstance(value, list) else [value]
    return bool(items) and all(
        isinstance(item, dict) and item.get("jsonrpc") == "2.0" for item in items
    )

"""The protocol engine: headers and a body in, a status and bytes out; nothing is remembered.

It walks the decision ladder from the media types on; Host, Origin, credentials, HTTP method and
size are settled before, at the web edge. Source: MCP 2026-07-28 "Base protocol" and "Streamable
HTTP", and the same chapters of each revision since 2024-11-05.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fundstelle.errors import CallCut
from fundstelle.mcp import headers as http
from fundstelle.mcp.budget import Budget
from fundstelle.mcp.catalogue import Catalogue, select_tools
from fundstelle.mcp.era import (
    acknowledge_subscription,
    check_modern,
    choose_legacy_version,
    is_modern,
    names_batches,
)
from fundstelle.mcp.errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    ProtocolError,
    modern_status,
)
from fundstelle.mcp.headers import Headers
from fundstelle.mcp.jsonrpc import MalformedMessage, Message, decode, is_response, read_message
from fundstelle.mcp.methods import PRIVATE_TTL_MS, PUBLIC_TTL_MS, Methods, report_unforeseen
from fundstelle.mcp.rights import has_right, require_reading, require_right
from fundstelle.mcp.versions import BATCHES, MODERN, negotiate
from fundstelle.tools.spec import CallContext, Registry

MAX_BATCH = 16
MAX_BATCH_BYTES = 2**20
MAX_BATCH_S = 0.25  # of the processor; others wait while a batch is worked out
"""Of the answers to a batch; the one that goes beyond it is the last that is given."""
EVENT_STREAM = b"text/event-stream"

Charge = Callable[[int], float | None]
"""Counts calls of the caller's: all, or none, and then it gives the seconds to wait.

Fewer than none uncounts what was counted. Raises ``ProtocolError`` if there can never be so many.
"""

_WORKED_OUT = frozenset({"tools/call", "resources/read", "prompts/get", "completion/complete"})


@dataclass(slots=True)
class ToolCall:
    """A call of a tool that there is, or a text read as a resource, for the records.

    What it was asked and what it found; of a resource ``tool`` is the method.
    """

    tool: str
    arguments: Mapping[str, Any]
    result_ids: Sequence[str] = ()  # of the norms and decisions in the result


@dataclass(slots=True)
class Reply:
    """An HTTP answer, and what log, metrics and traces may say of it."""

    status: int
    body: bytes = b""
    content_type: bytes = b"application/json"
    retry_after_s: float | None = None
    method: str = ""
    tool: str = ""
    prompt: str = ""
    version: str = ""  # of the protocol
    error_code: str = ""
    calls: Sequence[ToolCall] = ()
    meta: Any = None  # ``params._meta`` as it was sent, whatever that is


class Engine:
    """Serves one registry. Synchronous, without state, safe for any number of requests in turn.

    Args:
        registry: what is served.
        release_build: is called by ``close``: nothing of the registry is used after that.
        budget: how long a request may be worked out; given by tests alone.
        aside: serves another registry over the same build, at an address of its own.
        limited: serves keys that reach no decisions, with answers of its own that it may give
            again.
        meet_damage: called where what is read is not what was written.
        waits: whether searching waits for another server, or for a model.
    """

    def __init__(  # noqa: PLR0913 -- what it serves, and what beside it
        self,
        registry: Registry,
        release_build: Callable[[], None] | None = None,
        budget: Budget | None = None,
        aside: "Engine | None" = None,
        limited: "Engine | None" = None,
        *,
        meet_damage: Callable[[], None] = lambda: None,
        waits: bool = False,
    ) -> None:
        self.aside = aside
        self._registry = registry
        self._searching = {t.name: t.searching for t in registry.tools if waits and t.searching}
        self._apart: Engine | None = None
        self._limited = limited
        self._release_build = release_build
        self._budget = budget or Budget()
        self.release = registry.release
        self._catalogue = Catalogue(registry)
        self._meet_damage = meet_damage
        self._methods = Methods(registry, self._budget, meet_damage)
        self._modern_methods = _WORKED_OUT | {*self._catalogue.modern, "subscriptions/listen"}

    def get_limited(self) -> "Engine":
        """The engine for keys without decisions.

        Raises:
            LookupError: there is none; such a key is not to be answered from all that is held.
        """
        if self._limited is None:
            raise LookupError("this engine cannot leave decisions out")
        return self._limited

    def waits(self, body: bytes) -> bool:
        """Whether the answer may wait for another server; ``get_apart`` gives it then."""
        if not self._searching:
            return False
        try:
            value = decode(body)
        except (ProtocolError, MalformedMessage):
            return False
        return any(map(self._searches, value if isinstance(value, list) else [value]))

    def _searches(self, item: Any) -> bool:
        params = item.get("params") if isinstance(item, dict) else None
        if not isinstance(params, dict) or item.get("method") != "tools/call":
            return False
        name, arguments = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(arguments, dict):
            return False
        return any(map(arguments.get, self._searching.get(name, ())))

    def get_apart(self) -> "Engine":
        """The same for threads: it shares the build, and has answers and a budget of its own."""
        if self._apart is None:
            self._apart = Engine(self._registry, meet_damage=self._meet_damage)
        return self._apart

    def close(self) -> None:
        """Let go of the build, when the last answer has been given."""
        if self._release_build is not None:
            self._release_build()

    def handle(self, headers: Headers, body: bytes, context: CallContext, charge: Charge) -> Reply:
        """Answer one POST; never raises."""
        try:
            return self._walk(headers, body, context, charge)
        except ProtocolError as error:
            return _fail(Reply(400), error, None)
        except MalformedMessage as malformed:
            return _fail(Reply(400), malformed.error, malformed.request_id)
        except Exception as error:  # noqa: BLE001 -- the edge: before or beside what a method does
            return _fail(Reply(200), report_unforeseen(error, context.request_id), None)
        finally:
            if self._budget.is_open:
                self._budget.close()

    def must_work(self, headers: Headers, body: bytes) -> bool:
        """Whether the answer has to be worked out; the rest is at hand, or refused at once."""
        try:
            value = decode(body)
            if isinstance(value, list):
                return True
            message = read_message(value)
            if message.method != "tools/call":
                return message.method in _WORKED_OUT
            version = MODERN if is_modern(message) else choose_legacy_version(headers)
        except (ProtocolError, MalformedMessage):
            return False
        return not self._methods.holds(message.params, version)

    def _walk(self, headers: Headers, body: bytes, context: CallContext, charge: Charge) -> Reply:
        if not http.is_json(headers.get(b"content-type")):
            error = ProtocolError(INVALID_REQUEST, "Content-Type must be application/json")
            return _fail(Reply(415), error, None)
        takes_json = http.accepts(headers.get(b"accept"), b"json")
        if not takes_json and not http.accepts(headers[b"accept"], b"event-stream"):
            return _refuse_accept(None)
        value = decode(body)
        if isinstance(value, list):
            return self._answer_batch(value, headers, context, charge)
        if is_response(value):
            return _take_response(headers)
        message = read_message(value)
        if not takes_json and message.method != "subscriptions/listen":
            return _refuse_accept(message.id)
        return self._answer(message, headers, context, charge)

    def _answer(
        self, message: Message, headers: Headers, context: CallContext, charge: Charge
    ) -> Reply:
        reply = Reply(200, method=_known(message.method), meta=message.params.get("_meta"))
        request_id = message.id
        if request_id is None:  # a notification
            reply.status = 202
            return reply
        modern = is_modern(message)
        try:
            if modern:
                version = MODERN
                check_modern(message, headers, self._modern_methods)
            else:
                version = choose_legacy_version(headers)
            reply.version = version
        except ProtocolError as error:
            reply.status = modern_status(error.code)
            return _fail(reply, error, request_id)
        if self._methods.counts(message.method, message.params):
            reply.retry_after_s = charge(1)
            if reply.retry_after_s is not None:
                reply.status, reply.error_code = 429, "429"
                return reply
        if modern and message.method == "subscriptions/listen":
            reply.body = acknowledge_subscription(request_id, self._catalogue.meta)
            reply.content_type = EVENT_STREAM
            return reply
        return self._finish(message, request_id, version, context, reply)

    def _finish(
        self, message: Message, request_id: bytes, version: str, context: CallContext, reply: Reply
    ) -> Reply:
        try:
            result = self._run(message, version, context, reply)
        except ProtocolError as error:
            if version == MODERN:
                reply.status = modern_status(error.code)
            return _fail(reply, error, request_id)
        except CallCut as cut:
            stopped = ProtocolError(INTERNAL_ERROR, str(cut), {"id": context.request_id})
            return _fail(reply, stopped, request_id)
        except Exception as error:  # noqa: BLE001 -- the edge: logged whole, answered bare
            return _fail(reply, report_unforeseen(error, context.request_id), request_id)
        # joined, not added: a long result is copied once
        reply.body = b"".join((b'{"jsonrpc":"2.0","id":', request_id, b',"result":', result, b"}"))
        return reply

    def _run(self, message: Message, version: str, context: CallContext, reply: Reply) -> bytes:
        """The encoded result of a request."""
        method, params = message.method, message.params
        modern = version == MODERN
        listed = (self._catalogue.modern if modern else self._catalogue.legacy).get(method)
        if listed is not None:
            if "cursor" in params:
                raise ProtocolError(INVALID_PARAMS, "unknown cursor; each list has one page")
            if method == "tools/list" and context.tools is not None:
                mine = {n for n, tool in self._methods.tools.items() if has_right(tool, context)}
                return select_tools(listed, mine)
            return listed
        if method in _WORKED_OUT:
            members = self._work_out(message, version, context, reply)
            return self._wrap(members) if modern else b"".join((b"{", members, b"}"))
        if not modern and method == "initialize":
            return self._catalogue.handshakes[negotiate(params.get("protocolVersion"))]
        if not modern and method == "ping":
            return b"{}"
        raise ProtocolError(METHOD_NOT_FOUND, "there is no such method in this revision")

    def _work_out(
        self, message: Message, version: str, context: CallContext, reply: Reply
    ) -> bytes:
        """The members of the result of a method that is worked out per request."""
        params = message.params
        if message.method == "tools/call":
            name, arguments = params.get("name"), params.get("arguments", {})
            if isinstance(name, str) and name in self._methods.tools:
                reply.tool = name
                if isinstance(arguments, dict):
                    reply.calls = (ToolCall(name, arguments),)  # recorded even if it fails
                require_right(self._methods.tools[name], context)
            answer = self._methods.call_tool(params, version, context)
            reply.calls[0].result_ids = answer.result_ids
            reply.error_code = answer.error_code or ""
            return answer.members
        if message.method == "resources/read":
            require_reading(self._methods.find_right(params.get("uri")), context)
            if self._methods.counts(message.method, params):  # a text, not what all may list
                reply.calls = (ToolCall(message.method, {"uri": params["uri"]}),)
            members, public, ids = self._methods.read_resource(params, version, context)
            if reply.calls:
                reply.calls[0].result_ids = ids
            return _cache_members(public) + members if version == MODERN else members
        if message.method == "prompts/get":
            members = self._methods.get_prompt(params)
            reply.prompt = params["name"]  # one that there is
            return members
        # whoever may not read a text is not told what there is
        require_reading(self._methods.find_completion_right(params), context)
        return self._methods.complete(params)

    def _wrap(self, members: bytes) -> bytes:
        """A modern result."""
        meta = self._catalogue.meta
        return b"".join((b'{"resultType":"complete",', members, b',"_meta":', meta, b"}"))

    def _answer_batch(
        self, items: list[Any], headers: Headers, context: CallContext, charge: Charge
    ) -> Reply:
        if not names_batches(headers):
            raise ProtocolError(INVALID_REQUEST, f"batches exist in revision {BATCHES} only")
        if not 1 <= len(items) <= MAX_BATCH:
            raise ProtocolError(INVALID_REQUEST, f"a batch holds 1 to {MAX_BATCH} messages")
        read = [_read_item(item) for item in items]
        counted = sum(map(self._counts, read))
        # all at once: counted one by one, those before the first that is refused would be lost
        wait_s = charge(counted) if counted else None
        if wait_s is not None:
            return Reply(429, retry_after_s=wait_s, method="batch", error_code="429")
        answers = []
        calls: list[ToolCall] = []
        size = 0
        for message in read:
            if isinstance(message, Reply):
                reply = message
            elif size > MAX_BATCH_BYTES or self._budget.used_s > MAX_BATCH_S:
                reply = _send_alone(message)
            else:
                reply = self._answer(message, headers, context, _is_counted)
                counted -= self._counts(message)
            size += len(reply.body)
            calls += reply.calls
            if reply.body:
                answers.append(reply.body)
        if counted:
            charge(-counted)
        if not answers:
            return Reply(202, method="batch")
        return Reply(200, b"[" + b",".join(answers) + b"]", method="batch", calls=calls)

    def _counts(self, read: Message | Reply) -> bool:
        """Whether a message of a batch is a call that counts."""
        return (
            isinstance(read, Message)
            and read.id is not None
            and self._methods.counts(read.method, read.params)
        )


def _read_item(item: Any) -> Message | Reply:
    """A message of a batch, or what is answered where it is none or may not stand there."""
    try:
        if is_response(item):
            return Reply(202)
        message = read_message(item)
    except MalformedMessage as malformed:
        # JSON-RPC 2.0 §6: an item that cannot be read is answered with a null id
        return _fail(Reply(400), malformed.error, malformed.request_id or b"null")
    is_request = message.id is not None  # a notification is never answered
    if is_request and (message.method == "initialize" or is_modern(message)):
        error = ProtocolError(INVALID_REQUEST, "this request may not stand in a batch")
        return _fail(Reply(400), error, message.id)
    return message


def _is_counted(_calls: int) -> None:
    """A call of a batch was counted with the others."""


def _fail(reply: Reply, error: ProtocolError, request_id: bytes | None) -> Reply:
    reply.error_code = str(error.code)
    reply.body = error.encode(request_id)
    return reply


def _send_alone(message: Message) -> Reply:
    """Of a batch whose answers are large or long, one that is neither counted nor worked out."""
    if message.id is None:
        return Reply(202)
    text = "the answers to this batch are too large or take too long: send this request alone"
    return _fail(Reply(200), ProtocolError(INVALID_REQUEST, text), message.id)


def _refuse_accept(request_id: bytes | None) -> Reply:
    error = ProtocolError(INVALID_REQUEST, "Accept must allow application/json")
    return _fail(Reply(406), error, request_id)


def _take_response(headers: Headers) -> Reply:
    """A posted response: legacy clients may send one to nobody; the modern era has none."""
    if headers.get(http.VERSION) == MODERN.encode():
        raise ProtocolError(INVALID_REQUEST, "no response is expected here")
    return Reply(202)


def _cache_members(public: bool) -> bytes:
    if public:
        return b'"ttlMs":%d,"cacheScope":"public",' % PUBLIC_TTL_MS
    return b'"ttlMs":%d,"cacheScope":"private",' % PRIVATE_TTL_MS


_KNOWN = _WORKED_OUT | {
    "initialize", "ping", "server/discover", "tools/list", "resources/list",
    "resources/templates/list", "prompts/list", "subscriptions/listen",
    "notifications/initialized", "notifications/cancelled",
}  # fmt: skip


def _known(method: str) -> str:
    """The method for logs and metrics: never words of the caller's own."""
    return method if method in _KNOWN else "other"

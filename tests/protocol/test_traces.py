"""Spans of MCP requests: named and connected as the conventions say, and silent about questions."""

from collections.abc import Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Event, Thread
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind, StatusCode, format_span_id, format_trace_id

from fundstelle.web.app import Application
from fundstelle.web.tracing import CollectorExporter, Tracing
from tests.protocol.client import KEY, build_app, legacy, send, send_modern

SECRET = "Mandant Geheim"
OUTER = ("1" * 32, "2" * 16)
INNER = ("3" * 32, "4" * 16)
LOOKUP: dict[str, Any] = {"name": "legal_lookup", "arguments": {"citation": "§ 1 MusterG"}}


def write_parent(ids: tuple[str, str], flags: str = "01") -> str:
    return f"00-{ids[0]}-{ids[1]}-{flags}"


def trace(exporter: SpanExporter) -> tuple[Application, Tracing]:
    tracing = Tracing(exporter, "https://law.example")
    return build_app(tracing=tracing), tracing


class Traced:
    """A server, and the spans that it has made."""

    def __init__(self) -> None:
        self._kept = InMemorySpanExporter()
        self.app, self._tracing = trace(self._kept)

    def take(self) -> list[ReadableSpan]:
        self._tracing._provider.force_flush()
        spans = list(self._kept.get_finished_spans())
        self._kept.clear()
        return spans

    def take_one(self) -> ReadableSpan:
        (span,) = self.take()
        return span


@pytest.fixture
def traced() -> Iterator[Traced]:
    one = Traced()
    yield one
    one._tracing.close()


def get_parent(span: ReadableSpan) -> tuple[str, str] | None:
    parent = span.parent
    return (format_trace_id(parent.trace_id), format_span_id(parent.span_id)) if parent else None


def test_a_tool_call_is_a_span_as_the_conventions_have_it(traced: Traced) -> None:
    assert send_modern(traced.app, "tools/call", **LOOKUP).status == 200
    span = traced.take_one()
    assert span.name == "tools/call legal_lookup"
    assert span.kind is SpanKind.SERVER
    assert span.parent is None
    assert span.status.status_code is StatusCode.UNSET
    assert dict(span.attributes or {}) == {
        "mcp.method.name": "tools/call",
        "mcp.protocol.version": "2026-07-28",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "legal_lookup",
        "network.transport": "tcp",
        "network.protocol.name": "http",
        "network.protocol.version": "1.1",
        "server.address": "law.example",
        "server.port": 443,
    }
    assert span.start_time is not None
    assert span.end_time is not None
    assert span.start_time < span.end_time
    assert span.resource.attributes["service.name"] == "fundstelle"


def test_the_parent_is_the_messages_then_the_connections(traced: Traced) -> None:
    header = {"traceparent": write_parent(OUTER)}
    inside = {**LOOKUP, "_meta": {"traceparent": write_parent(INNER)}}
    send(traced.app, legacy("tools/call", LOOKUP), header)
    send(traced.app, legacy("tools/call", inside))
    send(traced.app, legacy("tools/call", inside), header)
    outer, inner, both = traced.take()
    assert get_parent(outer) == OUTER
    assert get_parent(inner) == get_parent(both) == INNER
    assert both.context is not None
    assert format_trace_id(both.context.trace_id) == INNER[0]
    assert not outer.links
    assert not inner.links
    (link,) = both.links
    assert (format_trace_id(link.context.trace_id), format_span_id(link.context.span_id)) == OUTER


@pytest.mark.parametrize(
    "sent",
    ["", "x" * 2_000, "00-" + "0" * 32 + "-" + "2" * 16 + "-01", SECRET, 7, None, ["a"], {}],
)
def test_what_is_no_traceparent_is_no_parent(traced: Traced, sent: object) -> None:
    meta = {"traceparent": sent} if sent != {} else "none"
    answer = send(traced.app, legacy("tools/call", {**LOOKUP, "_meta": meta}))
    plain = send(traced.app, legacy("tools/call", LOOKUP))
    assert (answer.status, answer.body) == (plain.status, plain.body)
    assert [span.parent for span in traced.take()] == [None, None]


def test_who_is_not_sampled_by_its_caller_is_not_sampled_here(traced: Traced) -> None:
    header = {"traceparent": write_parent(OUTER, flags="00")}
    assert send(traced.app, legacy("ping"), header).status == 200
    assert traced.take() == []


def test_nothing_of_what_was_asked_is_in_a_span(traced: Traced) -> None:
    told = {"tracestate": f"a={SECRET}", "baggage": f"client={SECRET}"}
    header = {"traceparent": write_parent(OUTER), **told, "user-agent": SECRET}
    meta = {"traceparent": write_parent(INNER), **told, "progressToken": SECRET}
    asked: list[tuple[str, dict[str, Any]]] = [
        ("tools/call", {"name": "legal_search", "arguments": {"query": SECRET}}),
        ("tools/call", {"name": SECRET, "arguments": {SECRET: SECRET}}),
        ("tools/call", {"name": "legal_lookup", "arguments": {"citation": SECRET, SECRET: 1}}),
        ("resources/read", {"uri": f"legal://norm/{SECRET}"}),
        ("prompts/get", {"name": SECRET, "arguments": {SECRET: SECRET}}),
        (SECRET, {}),
    ]
    for method, params in asked:
        send(traced.app, {**legacy(method, {**params, "_meta": meta}), "id": SECRET}, header)
    spans = traced.take()
    assert len(spans) == len(asked)
    told_all = " ".join(span.to_json() for span in spans)
    assert SECRET not in told_all
    assert "Mandant" not in told_all
    assert KEY not in told_all
    assert "key_test" not in told_all
    for span in spans:
        assert span.context is not None
        assert not span.context.trace_state


def test_failures_say_which_kind_they_are(traced: Traced) -> None:
    wrong = {"name": "legal_lookup", "arguments": {"citation": 7}}
    send(traced.app, legacy("tools/call", wrong))
    send(traced.app, legacy("no/such/method"))
    tool, protocol = traced.take()
    assert tool.attributes is not None
    assert tool.attributes["error.type"] == "tool_error"
    assert tool.attributes["fundstelle.error.code"] == "INVALID_ARGUMENT"
    assert protocol.attributes is not None
    assert protocol.attributes["error.type"] == "-32601"
    assert protocol.attributes["rpc.response.status_code"] == "-32601"
    assert protocol.name == protocol.attributes["mcp.method.name"] == "other"
    for span in (tool, protocol):
        assert span.status.status_code is StatusCode.ERROR
        assert span.status.description is None


class _Collector(BaseHTTPRequestHandler):
    taken: list[ExportTraceServiceRequest]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.taken.append(ExportTraceServiceRequest.FromString(body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 -- its name there
        """Say nothing."""


def send_to(collector: type[BaseHTTPRequestHandler]) -> None:
    """One span, as far as the collector takes it."""
    with HTTPServer(("127.0.0.1", 0), collector) as server:
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        url = f"http://127.0.0.1:{server.server_address[1]}/v1/traces"
        app, tracing = trace(CollectorExporter(url))
        send(app, legacy("tools/call", LOOKUP))
        tracing.close()
        server.shutdown()
        thread.join()


def test_a_collector_is_sent_the_spans(caplog: pytest.LogCaptureFixture) -> None:
    _Collector.taken = []
    send_to(_Collector)
    spans = [
        span
        for request in _Collector.taken
        for resource in request.resource_spans
        for scope in resource.scope_spans
        for span in scope.spans
    ]
    assert [span.name for span in spans] == ["tools/call legal_lookup"]
    assert not caplog.records


def test_of_what_a_collector_answers_little_is_read(caplog: pytest.LogCaptureFixture) -> None:
    taken = []

    class Endless(_Collector):
        def do_POST(self) -> None:
            super().do_POST()
            with suppress(OSError):
                for _ in range(64):
                    self.wfile.write(bytes(2**20))
                    taken.append(2**20)

    _Collector.taken = []
    send_to(Endless)
    assert len(taken) < 32  # what lies in sockets
    assert not caplog.records


def test_a_collector_that_is_elsewhere_is_said(caplog: pytest.LogCaptureFixture) -> None:
    class Elsewhere(_Collector):
        def do_POST(self) -> None:
            self.send_response(307)
            self.send_header("Location", "/v2/traces")
            self.end_headers()

    send_to(Elsewhere)
    assert [record.getMessage() for record in caplog.records] == [
        "spans cannot be sent to FUNDSTELLE_TRACES_URL"
    ]


def test_a_collector_that_does_not_answer_keeps_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    may_end, has_ended = Event(), Event()

    class Slow(SpanExporter):
        def export(self, spans: object) -> SpanExportResult:  # noqa: ARG002
            may_end.wait(10)
            has_ended.set()
            return SpanExportResult.SUCCESS

    monkeypatch.setattr("fundstelle.web.tracing._SHUTDOWN_S", 0.01)
    app, tracing = trace(Slow())
    send(app, legacy("tools/call", LOOKUP))
    tracing.close()
    assert not has_ended.is_set()
    may_end.set()


class _Away(SpanExporter):
    def export(self, spans: object) -> SpanExportResult:  # noqa: ARG002
        return SpanExportResult.FAILURE

    def shutdown(self) -> None:
        """Nothing to let go of."""


def test_a_collector_that_is_away_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    exporter = CollectorExporter("http://127.0.0.1:9/v1/traces?token=geheim")
    exporter._exporter = _Away()  # type: ignore[assignment]
    app, tracing = trace(exporter)
    for _ in range(3):
        assert send(app, legacy("tools/call", LOOKUP)).status == 200
        tracing._provider.force_flush()
    tracing.close()
    (record,) = caplog.records
    assert "FUNDSTELLE_TRACES_URL" in record.getMessage()
    assert "geheim" not in caplog.text

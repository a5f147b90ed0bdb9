"""Spans of MCP requests for the operator's collector: what was done when, never what was asked.

Sources: OpenTelemetry semantic conventions for generative AI, "Model Context Protocol" (names,
attributes, parents and links); W3C Trace Context, §3.2 (``traceparent``). Of what a client sends
for tracing its two numbers and a flag are read: ``tracestate`` and ``baggage`` are free text, which
would leave the house with the span.
"""

import logging
import os
import threading
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import requests
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter, SpanExportResult
from opentelemetry.trace import Link, SpanContext, SpanKind, Status, StatusCode
from opentelemetry.trace import get_current_span as get_span
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from fundstelle import __version__
from fundstelle.accounts.complaints import Complaints
from fundstelle.mcp.engine import Reply
from fundstelle.web.messages import Scope

_NAME = "fundstelle"
_TRACEPARENT = "traceparent"
_LONGEST = 256  # characters of a traceparent; later versions may be longer than the 55 of today
_TIMEOUT_S = 5.0
_SHUTDOWN_S = 3.0  # of the ten seconds that a worker has to end
_MOST_BYTES = 64 * 1024  # of what a collector answers, which nobody reads
# By it the operator has the SDK use a session of their own.
_OWN_SESSION = "CREDENTIAL_PROVIDER"
_TOOL_ERROR = "tool_error"  # the conventions' word for every result with isError

_propagator = TraceContextTextMapPropagator()
_log = logging.getLogger("fundstelle.web")


class Tracing:
    """Makes a span of each MCP request that was answered, and sends them in the background.

    What cannot be sent is dropped: at most 2,048 spans wait. Whether a request is sampled is for
    the environment to say (``OTEL_TRACES_SAMPLER``), as are headers for the collector
    (``OTEL_EXPORTER_OTLP_HEADERS``).

    Args:
        exporter: takes the spans.
        base_url: of this server, whose host and port stand in every span.
    """

    def __init__(self, exporter: SpanExporter, base_url: str) -> None:
        address = urlsplit(base_url)
        resource = Resource.create(
            {
                "service.name": os.environ.get("OTEL_SERVICE_NAME") or _NAME,
                "service.version": __version__,
                "process.pid": os.getpid(),
            }
        )
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer(_NAME, __version__)
        self._fixed: dict[str, str | int] = {
            "network.transport": "tcp",
            "network.protocol.name": "http",
            "server.address": address.hostname or "",
            "server.port": address.port or (443 if address.scheme == "https" else 80),
        }

    def note(
        self, scope: Scope, headers: Mapping[bytes, bytes], reply: Reply, took_ns: int
    ) -> None:
        """Take down one request that has just been answered.

        What could not be read as a message has no span: the metrics count it.
        """
        if not reply.method:
            return
        ended_ns = time.time_ns()
        outer = _read_parent(headers.get(_TRACEPARENT.encode(), b"").decode("latin-1"))
        meta = reply.meta if isinstance(reply.meta, dict) else {}
        inner = _read_parent(meta.get(_TRACEPARENT))
        link = _find_span(outer) if inner is not None else None
        span = self._tracer.start_span(
            f"{reply.method} {target}" if (target := reply.tool or reply.prompt) else reply.method,
            context=inner or outer or Context(),
            kind=SpanKind.SERVER,
            attributes={**self._fixed, **describe(reply), **_describe_protocol(scope)},
            links=[Link(link)] if link is not None else (),
            start_time=ended_ns - took_ns,
        )
        if reply.error_code:
            span.set_status(Status(StatusCode.ERROR))  # no words: they may repeat what was asked
        span.end(ended_ns)

    def close(self) -> None:
        """Send what waits, for three seconds at most.

        The SDK's own deadlines do not hold for what is being sent: a collector that takes it and
        does not answer would keep the worker.
        """
        ending = threading.Thread(target=self._provider.shutdown, name="traces", daemon=True)
        ending.start()
        ending.join(_SHUTDOWN_S)


class CollectorExporter(SpanExporter):
    """Sends spans by OTLP over HTTP; a collector that is away is said once a minute."""

    def __init__(self, url: str) -> None:
        # it would write a line a batch, with the address
        logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
        has_own = any(name.endswith(_OWN_SESSION) for name in os.environ if name[:5] == "OTEL_")
        session = None if has_own else _Session()
        self._exporter = OTLPSpanExporter(endpoint=url, timeout=_TIMEOUT_S, session=session)
        self._complaints = Complaints(_log)

    def export(self, spans: Sequence[ReadableSpan]) -> SpanExportResult:
        """Send one batch."""
        result = self._exporter.export(spans)
        if result is SpanExportResult.SUCCESS:
            self._complaints.end("the trace collector takes spans again")
        else:
            self._complaints.add("traces", "spans cannot be sent to FUNDSTELLE_TRACES_URL")
        return result

    def shutdown(self) -> None:
        """Let go of the connection."""
        self._exporter.shutdown()  # type: ignore[no-untyped-call]

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Nothing waits here."""
        return self._exporter.force_flush(timeout_millis)


class _Session(requests.Session):
    """Reads little of an answer, however much a collector sends, and takes no redirection.

    The exporter would read it whole, and hold a redirection, which it does not follow, for success.
    """

    def request(self, *args: Any, **options: Any) -> requests.Response:
        """As there.

        Raises:
            requests.TooManyRedirects: the collector is elsewhere.
        """
        answer = super().request(*args, **{**options, "stream": True})
        length = answer.headers.get("content-length", "")
        if length.isdigit() and int(length[:10]) <= _MOST_BYTES:
            answer.raw.drain_conn()  # the next batch goes by the same connection
        else:
            answer.close()
        if answer.is_redirect:
            raise requests.TooManyRedirects
        return answer


def describe(reply: Reply) -> dict[str, str]:
    """The attributes that say what was done and how it ended; all values are of closed sets."""
    found = {"mcp.method.name": reply.method}
    if reply.version:
        found["mcp.protocol.version"] = reply.version
    if reply.tool:
        found["gen_ai.operation.name"] = "execute_tool"
        found["gen_ai.tool.name"] = reply.tool
    if reply.prompt:
        found["gen_ai.prompt.name"] = reply.prompt
    if reply.error_code:
        is_protocols = reply.error_code.lstrip("-").isdigit()
        found["error.type"] = reply.error_code if is_protocols else _TOOL_ERROR
        key = "rpc.response.status_code" if is_protocols else "fundstelle.error.code"
        found[key] = reply.error_code
    return found


def _describe_protocol(scope: Scope) -> dict[str, str]:
    return {"network.protocol.version": scope.get("http_version", "1.1")}


def _read_parent(traceparent: Any) -> Context | None:
    """The span that a client says it asks from; ``None`` where that is no ``traceparent``."""
    if not isinstance(traceparent, str) or not 0 < len(traceparent) <= _LONGEST:
        return None
    context = _propagator.extract({_TRACEPARENT: traceparent}, Context())
    return context if _find_span(context) is not None else None


def _find_span(context: Context | None) -> SpanContext | None:
    span = get_span(context).get_span_context() if context is not None else None
    return span if span is not None and span.is_valid else None

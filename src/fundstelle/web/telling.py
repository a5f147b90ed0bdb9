"""What is told of an answer: a figure, a line of the log, a span, the record of its calls."""

from typing import TYPE_CHECKING

from fundstelle.accounts.keys.api_keys import Principal
from fundstelle.mcp.engine import Engine, Reply
from fundstelle.tools.spec import CallContext
from fundstelle.web import metrics
from fundstelle.web.call_records import Recorder
from fundstelle.web.messages import Asked
from fundstelle.web.request_log import RequestLog

if TYPE_CHECKING:  # an extra
    from fundstelle.web.tracing import Tracing


class Teller:
    """Tells of every answer in all places; never a key, never a question.

    Args:
        log: where the request lines go.
        records: what is kept of tool calls; without it nothing is.
        tracing: where spans of requests go; without it there are none.
    """

    def __init__(
        self, log: RequestLog, records: Recorder | None, tracing: "Tracing | None"
    ) -> None:
        self._log = log
        self._records = records
        self._tracing = tracing

    def begin(self, principal: Principal) -> CallContext:
        """A request that is about to be worked out: its id, and what its key may do."""
        return CallContext(self._log.next_id(), principal.key_id, principal.reach.tools)

    def tell(  # noqa: PLR0913, PLR0917 -- all that is known of an answer
        self,
        asked: Asked,
        principal: Principal,
        context: CallContext,
        engine: Engine,
        reply: Reply,
        seconds: float,
    ) -> None:
        """Tell of one answer, that took so many seconds."""
        metrics.observe(reply.method, reply.tool, reply.status, reply.error_code, seconds)
        self._log.write(
            {
                "request": context.request_id,
                "key": principal.key_id,
                "method": reply.method,
                "tool": reply.tool,
                "status": reply.status,
                "error": reply.error_code,
                "duration_ms": round(seconds * 1000, 3),
                "release": engine.release,
            }
        )
        if self._tracing is not None:
            self._tracing.note(asked.scope, asked.headers, reply, int(seconds * 1e9))
        if reply.calls and self._records is not None:
            self._records.note(principal, context.request_id, engine.release, reply.calls)

    def tell_refusal(self, status: int) -> None:
        """Tell of what the engine was not asked; nobody's name is known."""
        metrics.observe("", "", status, str(status), 0.0)
        self._log.write({"request": self._log.next_id(), "status": status, "error": str(status)})

"""What is kept of tool calls: how many, and a line each in the audit log."""

from collections.abc import Sequence
from typing import Protocol

from fundstelle.accounts.api_keys import Principal
from fundstelle.accounts.audit_calls import CallLog
from fundstelle.accounts.usage import Usage
from fundstelle.mcp.engine import ToolCall


class Recorder(Protocol):
    """Takes down calls; quick, in memory."""

    def note(
        self, principal: Principal, request: str, release: str, calls: Sequence[ToolCall]
    ) -> None:
        """Take down the calls of one request."""

    def flush(self) -> None:
        """Write what is still in memory."""


class CallRecords:
    """Counts calls and logs them.

    Args:
        usage: counts them.
        log: records each; ``None`` = not wanted.
    """

    def __init__(self, usage: Usage, log: CallLog | None) -> None:
        self._usage = usage
        self._log = log

    def note(
        self, principal: Principal, request: str, release: str, calls: Sequence[ToolCall]
    ) -> None:
        """Take down the calls of one request."""
        credential = principal.key_id
        for call in calls:
            self._usage.note(principal.seat or credential, credential, call.tool)
            if self._log is not None:
                self._log.note(
                    credential=credential,
                    tool=call.tool,
                    arguments=call.arguments,
                    release=release,
                    result_ids=call.result_ids,
                    request=request,
                )

    def flush(self) -> None:
        """Write what is still in memory."""
        self._usage.flush()
        if self._log is not None:
            self._log.flush()

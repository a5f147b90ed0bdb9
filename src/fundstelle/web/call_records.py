"""What is kept of tool calls: how many, and a line each in the audit log."""

from collections.abc import Sequence
from typing import Protocol

from fundstelle.accounts.audit.calls import CallLog, CallLogState
from fundstelle.accounts.keys.api_keys import Principal
from fundstelle.accounts.usage import Usage
from fundstelle.mcp.engine import ToolCall


class Recorder(Protocol):
    """Takes down calls; quick, in memory."""

    def note(
        self, principal: Principal, request: str, release: str, calls: Sequence[ToolCall]
    ) -> None:
        """Take down the calls of one request."""

    def close(self) -> None:
        """Write what is still to be written; afterwards nothing is taken down."""


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

    def get_log_state(self) -> CallLogState | None:
        """How the recording of calls stands in this process; ``None`` if none are recorded."""
        return None if self._log is None else self._log.get_state()

    def close(self) -> None:
        """Write what is still to be written; afterwards nothing is taken down."""
        self._usage.flush()
        if self._log is not None:
            self._log.close()

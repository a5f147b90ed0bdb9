"""What stands in a file of calls, and the lines of the log that it becomes."""

from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from fundstelle.accounts.audit.chain import Entry
from fundstelle.accounts.audit.events import AT_MOST, CALL, LOST, SYSTEM
from fundstelle.accounts.audit.spool import Loss

NO_RECORD = (ValueError, TypeError, OverflowError)
"""What ``read_record`` raises."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def read_record(record: bytes) -> Entry:
    """The entry that a line of a spool stands for.

    A call that was made before, all alike and within its millisecond, says which it is.

    Raises:
        NO_RECORD: it is no such line.
    """
    moment_ms, credential, tool, request, hashed, release, results, *nth = orjson.loads(record)
    if not isinstance(credential, str) or not isinstance(results, list):
        raise TypeError("a piece of a line")  # in which the members stand elsewhere
    details = {"input": hashed, "release": release, "results": results}
    if nth:
        [details["nth"]] = nth
    return Entry(to_time(moment_ms), CALL, credential, tool, request, details)


def describe_loss(loss: Loss, process: str, *, is_exact: bool = True) -> Entry:
    """The entry that says that calls were lost, at the moment of the last.

    Of those that waited in memory the last may be in the log: so many were lost at most.
    """
    begin = to_time(loss.begin_ms).isoformat(timespec="milliseconds")
    details: dict[str, Any] = {"calls": loss.calls, "since": begin, "process": process}
    if not is_exact:
        details[AT_MOST] = True
    return Entry(to_time(loss.end_ms), LOST, SYSTEM, "", "", details)


def to_time(moment_ms: int) -> datetime:
    """Exact to the millisecond, which a float is not."""
    return _EPOCH + timedelta(milliseconds=moment_ms)

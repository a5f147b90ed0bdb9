"""Old lines are removed from the beginning of the log, and the log says so.

Where the log now begins is sealed like its end. The lines that go are checked for the last time;
what was wrong with them goes into the line that says that they were removed.
"""

from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from typing import Any

from sqlalchemy import Connection

from fundstelle.accounts.audit.chain import AuditLine, Entry
from fundstelle.accounts.audit.events import REMOVED
from fundstelle.accounts.audit.head import Head
from fundstelle.accounts.audit.log import SYSTEM, AuditLog
from fundstelle.accounts.audit.reading import has_line_between
from fundstelle.accounts.audit.verification import MOST_PROBLEMS, Walk
from fundstelle.accounts.database.locks import clear
from fundstelle.accounts.database.schema_records import audit

_STEP = 5_000  # lines that one line of the log speaks of
_BATCH = 500  # lines a transaction removes
_EVER = datetime(1970, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
_SILENCE = timedelta(days=30)  # a shorter one is a holiday; a shorter leap takes a month at most


def has_old_lines(log: AuditLog, days: int) -> bool:
    """Whether ``prune`` would remove anything: where nothing is, the clock need not be doubted.

    Raises:
        AccountsError: the database cannot be used.
    """
    return has_line_between(log.store, _EVER, log.now() - timedelta(days=days))


def is_time_known(log: AuditLog) -> bool:
    """Whether the log knows of a time that lies a day to a month before what the clock says.

    After a leap of the clock it does not: all its lines are far older, or of the last moments. Nor
    does it after a long silence.

    Raises:
        AccountsError: the database cannot be used.
    """
    return has_line_between(log.store, log.now() - _SILENCE, log.now() - _DAY)


def prune(log: AuditLog, days: int) -> int:
    """Remove the lines that are older than so many days; how many those are.

    Raises:
        AccountsError: the database cannot be used; the rest is removed the next time.
    """
    log.begin()  # says what is wrong with the end before anything else happens to it
    before = log.now() - timedelta(days=days)
    removed = 0
    while _cut(log, before, days):
        removed += _delete(log)
    return removed + _delete(log)


def _cut(log: AuditLog, before: datetime, days: int) -> bool:
    """Let the log begin later by one step; whether there was anything to cut off."""
    head = log.get_head()
    lines = _read_old(log, head, before)
    if not lines or head is None:
        return False
    walk = Walk(head.first - 1, head.before)
    for line in lines:
        walk.take(line)
    details: dict[str, Any] = {
        "up_to": walk.number,
        "hash": walk.previous,
        "older_than": before.date().isoformat(),
        "days": days,
    }
    if walk.problems:
        accepted = {str(problem) for problem in log.verify().accepted}
        texts = [str(problem) for problem in walk.problems]
        if found := [text for text in texts if text not in accepted]:
            details["found"] = found[:MOST_PROBLEMS]
        if known := [text for text in texts if text in accepted]:
            details["accepted"] = known[:MOST_PROBLEMS]
    entry = Entry(log.now(), REMOVED, SYSTEM, str(walk.number), "", details)
    log.cut(head.first, Head(head.number, head.hash, walk.number + 1, walk.previous), entry)
    return True


def _read_old(log: AuditLog, head: Head | None, before: datetime) -> list[AuditLine]:
    """The oldest lines up to the first that is young enough.

    A line of a time still to come was written by a clock that ran ahead. How old it is the lines
    behind it say: it is older than they are.
    """
    if head is None:
        return []
    last = _find_last_old(log, head.first, before)
    lines = takewhile(lambda line: line.number <= last, log.read_lines(head.first))
    return list(islice(lines, _STEP))


def _find_last_old(log: AuditLog, first: int, before: datetime) -> int:
    now, last = log.now(), first - 1
    for line in log.read_lines(first):
        if line.time < before:
            last = line.number
            if last - first >= _STEP:
                break
        elif line.time <= now:
            break
    return last


def _delete(log: AuditLog) -> int:
    """Remove what lies before the beginning, in small transactions."""
    head = log.get_head()
    removed = 0
    while head is not None:
        with log.store.write() as connection:
            gone = _delete_some(connection, head.first)
        removed += gone
        if gone < _BATCH:
            break
    return removed


def _delete_some(connection: Connection, first: int) -> int:
    return clear(connection, audit, audit.c.number < first, oldest=[audit.c.number], most=_BATCH)

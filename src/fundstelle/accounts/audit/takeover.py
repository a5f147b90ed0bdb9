"""Calls that a process answered and did not live to write: its successor, or a sibling, does.

A spool whose lock is free belongs to a process that has ended. Who gets the lock writes what waits
there, each call once: what is in the log already is left out.
"""

import fcntl
import logging
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from fundstelle.accounts.audit.events import LOST as LOST_EVENT
from fundstelle.accounts.audit.events import RECOVERED, UNKNOWN
from fundstelle.accounts.audit.head import HEAD_FILE
from fundstelle.accounts.audit.log import SYSTEM, AuditLog, Entry
from fundstelle.accounts.audit.reading import has_calls
from fundstelle.accounts.audit.records import NO_RECORD, describe_loss, read_record, to_time
from fundstelle.accounts.audit.spool import (
    CALLS,
    LOCK,
    LOST,
    MOST_BYTES,
    find_fault,
    list_places,
    read_boot_id,
    read_left,
)
from fundstelle.disks import read_small
from fundstelle.errors import AccountsError

# as spool.py names them; the last part is empty where the machine does not say when it started
_PROCESS = re.compile(r"\d{1,15}-[^-]+-[^-]+-[^-]*")

_REMOVED = {
    "calls": 0,
    UNKNOWN: True,
    "folder": "was removed, or the log put back without it: calls that waited may be missing",
}

_log = logging.getLogger(__name__)


def take_over(folder: Path, log: AuditLog) -> int:
    """Write what processes that have ended left behind; how many calls that were.

    Args:
        folder: of the spools; those of processes that could not use it lie in the folder above.
        log: the log.

    Raises:
        AccountsError: the database cannot be used; what waits then waits on.
        OSError: something there cannot be read, and waits on; all else was written.
    """
    recovered = 0
    failures: list[str] = []
    for place in list_places(folder):
        if fault := find_fault(place):
            failures += [fault] if place == folder else []
            continue
        for lock in sorted(place.glob(f"*{LOCK}")):
            if not _PROCESS.fullmatch(lock.name.removesuffix(LOCK)):
                continue  # nobody's of ours
            with _locked(lock) as is_left_behind:
                if is_left_behind:
                    try:
                        recovered += _write(lock, log)
                    except OSError as error:
                        failures.append(str(error))
                    else:
                        _remove(lock)
    if failures:
        raise OSError(f"calls of processes that ended wait on: {'; '.join(failures)}")
    return recovered


def note_removed(folder: Path, log: AuditLog) -> None:
    """Say that calls may be missing where the folder is gone although calls were recorded from it.

    To be asked before the log is begun: who has only just come to a log has no head of it yet. The
    folder is made, so that of processes that start at once one says so.
    """
    if folder.exists() or not any(folder.parent.glob(f"{HEAD_FILE}*.json")):
        return
    try:
        if has_calls(log.store):
            folder.mkdir(mode=0o700)
            log.append([Entry(log.now(), LOST_EVENT, SYSTEM, "", "", _REMOVED)])
    except FileExistsError:
        return
    except (AccountsError, OSError) as error:
        _log.error("it could not be recorded that %s was removed: %s", folder, error)
        with suppress(OSError):
            folder.rmdir()  # the next start says it


@contextmanager
def _locked(path: Path) -> Iterator[bool]:
    """Whether its process has ended; for as long as the block lasts nobody else is told so."""
    try:
        descriptor = os.open(path, os.O_RDWR)
    except OSError:  # somebody else was first, or it is another user's
        yield False
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield path.exists()
    except BlockingIOError:
        yield False
    finally:
        os.close(descriptor)


def _write(lock: Path, log: AuditLog) -> int:
    process = lock.name.removesuffix(LOCK)
    recovered = unreadable = 0
    for path in sorted(lock.parent.glob(f"{process}.*{CALLS}")):  # one by one: each fits in memory
        entries, wrong = _read(path)
        recovered += log.append_missing(entries)
        unreadable += wrong
        if not wrong:
            path.unlink(missing_ok=True)
    left = read_left(lock.parent / (process + LOST))
    if left.lost is not None:
        log.append_missing([describe_loss(left.lost, process)])
    if left.remembered is not None:
        log.append_missing([describe_loss(left.remembered, process, is_exact=False)])
    log.append(_describe(process, recovered, unreadable, log))
    if recovered:
        _log.warning("%d calls of a process that had ended were recorded", recovered)
    return recovered


def _describe(process: str, recovered: int, unreadable: int, log: AuditLog) -> list[Entry]:
    """What the log has to say of the end of a process; nothing if nothing was left behind."""
    begun_ms, _, _, boot_id = process.split("-")
    said: list[Entry] = []
    details: dict[str, Any]
    if unreadable:  # cut off in the middle by the end of the machine
        since = to_time(int(begun_ms)).isoformat(timespec="milliseconds")
        details = {"calls": unreadable, "since": since, "process": process}
        said.append(Entry(log.now(), LOST_EVENT, SYSTEM, "", "", details))
    is_after_restart = boot_id != read_boot_id()
    if recovered or is_after_restart:
        details = {"calls": recovered, "process": process}
        if is_after_restart:
            details["machine"] = "ended with it: the calls of its last seconds may be missing"
        said.append(Entry(log.now(), RECOVERED, SYSTEM, "", "", details))
    return said


def _read(path: Path) -> tuple[list[Entry], int]:
    """The calls that wait in a file, and how many cannot be read."""
    entries: list[Entry] = []
    unreadable = 0
    for record in read_small(path, MOST_BYTES).split(b"\n"):
        if record:
            try:
                entries.append(read_record(record))
            except NO_RECORD:
                unreadable += 1
    return entries, unreadable


def _remove(lock: Path) -> None:
    process = lock.name.removesuffix(LOCK)
    for path in (*lock.parent.glob(f"{process}.*{CALLS}"), lock.with_name(process + LOST), lock):
        with suppress(OSError):
            path.unlink(missing_ok=True)

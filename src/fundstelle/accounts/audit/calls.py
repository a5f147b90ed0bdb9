"""Tool calls for the audit log: in a file before they are answered, written in the background.

Of what was asked only a keyed hash is kept, made before the call is put down: it tells whether two
calls asked the same, and answers "was this asked?" to who holds the pepper, but gives no question
back.
"""

import hmac
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from fundstelle.accounts.audit.log import AuditLog, Entry
from fundstelle.accounts.audit.records import NO_RECORD, describe_loss, read_record
from fundstelle.accounts.audit.spool import (
    FOLDER,
    MOST_BYTES,
    Losses,
    Spool,
    find_fault,
    list_places,
)
from fundstelle.accounts.audit.spool import LOST as LOST_FILE
from fundstelle.accounts.timetable import run_later
from fundstelle.errors import AccountsError

PERIOD_S = 1.0
CAPACITY = 20_000  # calls that wait in memory where no file can be written

_BATCH = 100  # small: a long one would keep answers waiting for the interpreter
_COMPLAINT_PERIOD_S = 60.0
_HASH_CHARS = 32  # 128 bits: enough to tell questions apart

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CallLogState:
    """How the recording of calls stands in one process."""

    waiting: int  # answered, and not in the log yet
    lost: int  # answered, and never to be in the log but by their number; since the start
    written_at: float | None  # seconds since the epoch when calls were last written
    is_endangered: bool  # calls cannot be put down as they should, or wait in memory alone


class CallLog:
    """Records the tool calls of one server process.

    Args:
        audit: the log.
        pepper: what the hash of the input is keyed with, by a key of its own derived from it.
        folder: where calls wait, in files that outlive the process; without it, or while nothing
            can be written there, they wait in memory.
        later: runs a task after some seconds, off the calling thread.
        capacity: calls kept in memory at most.
        most_bytes: what waits in files at most. Beyond both bounds calls are answered but not
            recorded; how many is recorded as soon as the log can be written again.
    """

    def __init__(  # noqa: PLR0913 -- bounds are arguments so that tests reach them
        self,
        audit: AuditLog,
        pepper: bytes,
        folder: Path | None = None,
        later: Callable[[float, Callable[[], None]], None] = run_later,
        *,
        capacity: int = CAPACITY,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self._audit = audit
        self._keyed = hmac.new(hmac.digest(pepper, b"audit-input", "sha256"), digestmod="sha256")
        self._later = later
        self._capacity = capacity
        self._most_bytes = most_bytes
        self._lock = threading.Lock()  # of all that waits
        self._writing = threading.Lock()  # of the log: one flush at a time keeps the order
        self._spool = _open_spool(folder, most_bytes)
        self._in_memory: list[bytes] = []
        self._folder = folder
        self._is_failing = False  # what came last could not be put into a file
        self._reopened_at = time.monotonic()
        self._is_gone = False  # the files were removed, and others could not be made yet
        self._gone_at: float | None = None  # when that was seen last
        self._losses = _open_losses(self._spool)
        self._moment_ms = 0
        self._told: Counter[bytes] = Counter()  # the calls of that moment
        self._waiting = 0
        self._lost = 0
        self._written_at: float | None = None
        self._is_due = False
        self._is_unsure = False  # whether the last batch is in the log: it failed half-way
        self._complained_at: float | None = None

    def hash_input(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """What is recorded of an input: equal for equal arguments, whatever their order."""
        keyed = self._keyed.copy()
        keyed.update(tool.encode() + b"\n")
        try:
            keyed.update(orjson.dumps(arguments, option=orjson.OPT_SORT_KEYS))
        except orjson.JSONEncodeError:  # nested deeper than the encoder goes; no tool takes that
            keyed.update(repr(sorted(arguments)).encode(errors="replace"))
        return keyed.hexdigest()[:_HASH_CHARS]

    def note(  # noqa: PLR0913 -- the members of a record
        self,
        *,
        credential: str,
        tool: str,
        arguments: Mapping[str, Any],
        release: str,
        result_ids: Sequence[str],
        request: str,
    ) -> None:
        """Take one call down; when this returns, the end of the process does not undo it."""
        moment_ms = int(self._audit.clock() * 1000)
        hashed = self.hash_input(tool, arguments)
        said = (moment_ms, credential, tool, request, hashed, release, result_ids)
        told = orjson.dumps(said)
        with self._lock:
            before = self._count_before(moment_ms, told)
            record = orjson.dumps((*said, before + 1)) if before else told
            self._take(record + b"\n", moment_ms)
            starts, self._is_due = not self._is_due, True
        if starts:
            self._later(PERIOD_S, self.flush)

    def _count_before(self, moment_ms: int, told: bytes) -> int:
        """How often the same was called within the millisecond, as in a batch.

        What is missing in the log is told by what its lines say: no two may say the same.
        """
        if moment_ms != self._moment_ms:
            self._moment_ms, self._told = moment_ms, Counter()
        before = self._told[told]
        self._told[told] += 1
        return before

    def _take(self, record: bytes, moment_ms: int) -> None:
        is_full = False
        if self._spool is not None:
            try:
                is_full = not self._spool.write(record)
            except OSError as error:
                self._is_failing = True
                self._complain(f"calls wait in memory alone: {error}")
            else:
                self._is_failing = False
                self._waiting += not is_full
                if not is_full:
                    return
        if is_full or len(self._in_memory) >= self._capacity:
            self._lost += 1
            self._losses.add(moment_ms)
        else:
            self._in_memory.append(record)
            self._waiting += 1
            self._losses.remember(len(self._in_memory), moment_ms)

    def flush(self) -> None:
        """Write what waits, in small transactions. After a failure it waits on."""
        with self._writing:
            with self._lock:
                self._is_due = False
                self._reopen()
            try:
                self._write_spooled()
                self._write_remembered()
                self._write_loss()
            except (AccountsError, OSError) as error:
                self._is_unsure = True
                self._complain(f"tool calls could not be recorded yet: {error}")
                with self._lock:
                    starts, self._is_due = not self._is_due, True
                if starts:
                    self._later(PERIOD_S, self.flush)

    def close(self) -> None:
        """Write what waits; what cannot be written is left for the next server."""
        self.flush()
        with self._writing, self._lock:
            if self._in_memory:
                _log.error("%d tool calls are not recorded", len(self._in_memory))
            if self._spool is not None:
                is_left = self._losses.get() is not None or bool(self._in_memory)
                self._spool.close(keeps=is_left)
            self._losses.close()

    def get_state(self) -> CallLogState:
        """How it stands now; files that were removed are made anew in a moment."""
        with self._lock:
            is_there = self._is_there()
            starts = not is_there and not self._is_due
            self._is_due = self._is_due or starts
        if starts:
            self._later(0.0, self.flush)
        is_endangered = not is_there or self._is_endangered()
        return CallLogState(self._waiting, self._lost, self._written_at, is_endangered)

    def _is_there(self) -> bool:
        if self._spool is None or not self._spool.is_open:
            return True
        return self._spool.is_there() and self._losses.is_there()

    def _is_endangered(self) -> bool:
        if self._folder is None:
            return False
        seen_at = self._gone_at
        if seen_at is not None and time.monotonic() - seen_at < _COMPLAINT_PERIOD_S:
            return True
        return self._spool is None or self._is_failing or bool(find_fault(self._folder))

    def _reopen(self) -> None:
        """Make files anew: at once where they were removed, else once a minute."""
        now, folder, old = time.monotonic(), self._folder, self._spool
        is_gone = not self._is_there()
        is_news, self._is_gone = is_gone and not self._is_gone, is_gone
        if folder is None or (old is not None and not is_gone):
            return
        if is_gone:
            self._gone_at = now
        if is_news:
            _log.error("files of %s were removed under this server", folder)
        elif now - self._reopened_at < _COMPLAINT_PERIOD_S:
            return
        self._reopened_at = now
        # Where all of the data folder is gone, it is not this process that makes another.
        spool = _open_spool(folder, self._most_bytes) if folder.parent.is_dir() else None
        if spool is not None and (old is None or self._pour(old, spool)):
            self._spool, self._is_gone = spool, False
            before, self._losses = self._losses, _open_losses(spool)
            before.close()
            if (losses := before.get()) is not None:
                self._losses.add(losses.begin_ms, 0)
                self._losses.add(losses.end_ms, losses.calls)
            self._losses.remember(len(self._in_memory), self._moment_ms)

    def _pour(self, old: Spool, spool: Spool) -> bool:
        """Put down again what waits; whether that could be done."""
        try:
            lost = old.pour_into(spool)
        except OSError as error:
            _log.error("what waits cannot be put down again: %s", error)
            spool.discard()
            return False
        self._waiting -= lost
        self._lost += lost
        if lost:
            self._losses.add(int(self._audit.clock() * 1000), lost)
        return True

    def _write_spooled(self) -> None:
        """The calls of the files; those that come meanwhile are left for the next time."""
        if self._spool is None:
            return
        with self._lock:
            rest_bytes = self._spool.waiting_bytes
        while rest_bytes > 0:
            with self._lock:
                records, size_bytes = self._spool.read()
                if not size_bytes:  # somebody has emptied the file
                    dropped_bytes = self._drop(self._spool)
                    rest_bytes = rest_bytes - dropped_bytes if dropped_bytes else 0
                    continue
            self._append(records)
            with self._lock:
                self._spool.advance(size_bytes, len(records))
                self._waiting -= len(records)
            rest_bytes -= size_bytes

    def _drop(self, spool: Spool) -> int:
        """Count what a file does not hold any more as lost; how many bytes those were."""
        calls, size_bytes = spool.drop()
        self._waiting -= calls
        self._lost += calls
        if calls:
            self._losses.add(int(self._audit.clock() * 1000), calls)
        self._complain(f"{calls} tool calls are lost: a file of {FOLDER} was emptied")
        return size_bytes

    def _write_remembered(self) -> None:
        with self._lock:
            rest = len(self._in_memory)
        while rest > 0:
            with self._lock:
                records = self._in_memory[:_BATCH]
            self._append(records)
            with self._lock:
                del self._in_memory[: len(records)]
                self._waiting -= len(records)
                self._losses.remember(len(self._in_memory), self._moment_ms)
            rest -= len(records)

    def _append(self, records: Sequence[bytes]) -> None:
        entries = [entry for entry in map(self._read, records) if entry is not None]
        if self._is_unsure:
            self._audit.append_missing(entries)
            self._written_at = time.time()
            self._is_unsure = False
            return
        for start in range(0, len(entries), _BATCH):
            self._audit.append(entries[start : start + _BATCH], may_be_lost=True)
            self._written_at = time.time()

    def _read(self, record: bytes) -> Entry | None:
        """The call, or nothing where a disk that was full kept a piece of one; it is counted."""
        try:
            return read_record(record)
        except NO_RECORD:
            with self._lock:
                self._lost += 1
                self._losses.add(int(self._audit.clock() * 1000))
            return None

    def _write_loss(self) -> None:
        with self._lock:
            loss = self._losses.get()
        if loss is None:
            return
        # The commit of an attempt before may have come through after all.
        self._audit.append_missing([describe_loss(loss, self._spool.name if self._spool else "")])
        with self._lock:
            self._losses.remove(loss)

    def _complain(self, message: str) -> None:
        """Once a minute, however often it fails."""
        now = time.monotonic()
        if self._complained_at is None or now - self._complained_at >= _COMPLAINT_PERIOD_S:
            self._complained_at = now
            _log.error("%s", message)


def _open_spool(folder: Path | None, most_bytes: int) -> Spool | None:
    """In its folder, else above it, where the next server looks as well."""
    for place in () if folder is None else list_places(folder):
        try:
            return Spool(place, most_bytes)
        except OSError as error:
            _log.error("calls cannot be put down in %s: %s", place, error)
    if folder is not None:
        _log.error("calls wait in memory alone: what waits when the server is killed is lost")
    return None


def _open_losses(spool: Spool | None) -> Losses:
    return Losses(None if spool is None else spool.folder / (spool.name + LOST_FILE))

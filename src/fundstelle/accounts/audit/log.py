"""The audit log: append-only, each line chained to the one before it.

The chain shows what was changed by whoever cannot rewrite all of it. Both its ends stand in a row
of their own, sealed with the pepper, and in a file in the data folder: who has the database but not
the pepper can neither cut the end off nor hash the whole log anew, and an older database put in its
place is found by what the server has seen. Whatever is found becomes a line of the log, which goes
on.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Protocol

import orjson
from sqlalchemy import Connection

from fundstelle.accounts.audit.chain import (
    START,
    UNREAD,
    AuditLine,
    AuditProblem,
    Entry,
    chain,
    describe,
)
from fundstelle.accounts.audit.ends import Ends, describe_ends, read_ends, write_head
from fundstelle.accounts.audit.events import ACCEPTED, SYSTEM
from fundstelle.accounts.audit.head import Head, HeadFile, Sealer, name_head_file
from fundstelle.accounts.audit.ownership import Owned, find_owned
from fundstelle.accounts.audit.reading import (
    Found,
    Wanted,
    find_missing,
    find_newest,
    iter_lines,
    iter_newest,
)
from fundstelle.accounts.audit.rows import insert_lines, list_strays
from fundstelle.accounts.audit.spool import FOLDER as SPOOLS
from fundstelle.accounts.audit.verification import Verification, verify
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.errors import AccountsError

__all__ = ["SYSTEM", "AuditLine", "AuditLog", "AuditProblem", "Entry", "Found", "Wanted"]

_BATCH = 100  # lines a transaction

_log = logging.getLogger(__name__)


class Record(Protocol):
    """Takes a line of the log."""

    def __call__(
        self,
        event: str,
        actor: str,
        object: str = "",  # noqa: A002 -- called so in the log
        **details: Any,
    ) -> None:
        """As ``AuditLog.record``."""


@dataclass(frozen=True, slots=True)
class AuditState:
    """How the log stands in one process."""

    breaks: int  # how often it was found broken since the start
    is_comparable: bool  # what this server has seen of it can be read and written


class AuditLog:
    """The log of one server.

    Args:
        store: the accounts database.
        clock: seconds since the epoch.
        is_on: without it nothing is recorded.
        tell: is told of each newest line, and of what was wrong before it; quick.
    """

    def __init__(
        self,
        store: AccountsStore,
        clock: Callable[[], float] = time.time,
        *,
        is_on: bool = True,
        tell: Callable[[Head, Sequence[AuditProblem]], None] | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self._is_on = is_on
        self._sealer = Sealer(store.pepper)
        path = store.folder / name_head_file(store.address)
        self._file = HeadFile(path, self._sealer, self._has_run)
        self._tell = tell
        self._has_begun = False
        self.breaks = 0  # how often this process found the log broken

    def begin(self) -> None:
        """Write the first line of a new log; note what was done to one that is there.

        A database that cannot be used is logged: a server starts without.
        """
        try:
            self._extend([])
        except AccountsError as error:
            _log.error("the audit log cannot be begun yet: %s", error)
        else:
            self._has_begun = True

    def get_state(self) -> AuditState:
        """How the log stands, as far as this process has seen it."""
        return AuditState(self.breaks, not self._file.trouble)

    def look(self) -> None:
        """Find out whether that is so, where no line is written for long."""
        if self._is_on:
            self._file.look()

    def record(
        self,
        event: str,
        actor: str,
        object: str = "",  # noqa: A002 -- called so in the log
        request: str = "",
        **details: Any,
    ) -> None:
        """Append one line. ``details`` hold ids and names of things, never secrets or questions.

        Raises:
            AccountsError: the database cannot be used.
        """
        self.append([Entry(self.now(), event, actor, object, request, details)])

    def now(self) -> datetime:
        """The time that a line recorded now has."""
        return datetime.fromtimestamp(self.clock(), UTC)

    def append(self, entries: Iterable[Entry], *, may_be_lost: bool = False) -> None:
        """Append lines in one transaction.

        A log that is not as the server left it goes on behind a line that says so.

        Args:
            entries: what they say.
            may_be_lost: a power cut may take them back, as ``AccountsStore.write`` has it.

        Raises:
            AccountsError: the database cannot be used.
        """
        waiting = list(entries)
        if waiting:
            self._extend(waiting, may_be_lost=may_be_lost)

    def append_missing(self, entries: Iterable[Entry]) -> int:
        """Append those that are not in the log yet; how many those were.

        A commit that was given up may be under way in the database still. It holds the end of the
        log: whoever has had that since sees what has become of it.

        Raises:
            AccountsError: the database cannot be used; what was appended by then stays.
        """
        waiting = list(entries)
        if not (waiting and self._is_on):
            return 0
        self._extend([])
        missing = find_missing(self.store, waiting)
        for start in range(0, len(missing), _BATCH):
            self.append(missing[start : start + _BATCH])
        return len(missing)

    @contextmanager
    def recording(
        self,
        event: str,
        actor: str,
        object: str = "",  # noqa: A002 -- called so in the log
        **details: Any,
    ) -> Iterator[Connection]:
        """A transaction that changes something and appends its line: both or neither.

        Raises:
            AccountsError: the database cannot be used, and nothing was changed.
        """
        self._begin_first()
        written = None
        with self.store.write() as connection:
            yield connection
            if self._is_on:
                entry = Entry(self.now(), event, actor, object, "", details)
                written = self._insert(connection, [entry])
        if written is not None:
            self._pass_on(*written)

    @contextmanager
    def together(self) -> Iterator[Record]:
        """What changes within the block and the lines that it notes: all or nothing.

        For what knows only afterwards whose id its line names; gives what takes ``record``'s
        arguments.

        Raises:
            AccountsError: the database cannot be used, and nothing was changed.
        """
        entries: list[Entry] = []

        def note(
            event: str,
            actor: str,
            object: str = "",  # noqa: A002 -- called so in the log
            **details: Any,
        ) -> None:
            entries.append(Entry(self.now(), event, actor, object, "", details))

        self._begin_first()
        written = None
        with self.store.together() as connection:
            yield note
            if self._is_on and entries:
                written = self._insert(connection, entries)
        if written is not None:
            self._pass_on(*written)

    def _begin_first(self) -> None:
        """The first line counts what there is: before a change, so that it is not counted."""
        if self._is_on and not self._has_begun:
            self.begin()

    def _extend(self, waiting: list[Entry], *, may_be_lost: bool = False) -> None:
        if not self._is_on:
            return
        with self.store.write(may_be_lost=may_be_lost) as connection:
            written = self._insert(connection, waiting)
        if written is not None:
            self._pass_on(*written)

    def _insert(
        self, connection: Connection, waiting: list[Entry]
    ) -> tuple[Head, list[AuditProblem]] | None:
        """The new head and what was wrong before it; ``None`` = there was nothing to write."""
        ends = read_ends(connection, self._sealer, self._file, locks=True)
        problems = ends.check()
        opening = describe_ends(connection, ends, problems, self.now)
        if ends.seen is None and not problems:  # else what was found must be recorded first
            self._file.begin()
        if not opening and not waiting:
            if ends.seen is None and ends.head is not None:
                self._file.write(ends.head)  # this server has not seen any line of it before
            return None
        return self._write(connection, ends, [*opening, *waiting]), problems

    def _has_run(self) -> bool:
        """Whether this server has used its database before, as far as its folder shows it."""
        return self.store.is_in_folder or (self.store.folder / SPOOLS).exists()

    def _pass_on(self, head: Head, problems: list[AuditProblem]) -> None:
        self._file.write(head)
        if self._tell is not None:
            self._tell(head, problems)
        if not problems:
            return
        told = "; ".join(map(str, problems))
        if all(problem.kind == UNREAD for problem in problems):
            _log.error("the audit log could not be compared: %s", told)
            return
        self.breaks += 1
        _log.error("the audit log was not as it was left: %s", told)

    def _write(self, connection: Connection, ends: Ends, entries: list[Entry]) -> Head:
        end = ends.find_end()
        number, previous = end.number, end.hash
        lines: list[dict[str, Any]] = []
        for number, entry in enumerate(entries, start=end.number + 1):
            lines.append(chain(entry, number, previous))
            previous = lines[-1]["hash"]
        insert_lines(connection, lines)
        head = Head(number, previous, end.first, end.before)
        write_head(connection, self._sealer, head, is_new=ends.head is None)
        return head

    def export(
        self, since: datetime | None = None, wanted: Wanted | None = None
    ) -> Iterator[dict[str, Any]]:
        """The lines, oldest first, as JSON objects; all, or those that are wanted.

        Raises:
            AccountsError: the database cannot be used.
        """
        for line in iter_lines(self.store, self._get_head().first, since):
            if wanted is None or wanted.fits(line):
                yield describe(line)

    def export_lines(
        self, since: datetime | None = None, wanted: Wanted | None = None
    ) -> Iterator[bytes]:
        """The lines as JSON, each ended by a newline."""
        for line in self.export(since, wanted):
            yield orjson.dumps(line, option=orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE)

    def latest(self) -> Iterator[AuditLine]:
        """The lines, newest first."""
        yield from iter_newest(self.store, self._get_head())

    def find_newest(self, wanted: Wanted, most: int, before: int | None = None) -> Found:
        """The newest lines that are wanted, at most so many, of those below a number.

        Raises:
            AccountsError: the database cannot be used.
        """
        return find_newest(self.store, self._get_head(), wanted, most, before)

    def find_owned(self, owner: str | None = None) -> Mapping[str, Sequence[Owned]]:
        """Whose the keys and grants are, by id; one person's, or everybody's.

        Raises:
            AccountsError: the database cannot be used.
        """
        return find_owned(self.store, owner)

    def read_head(self) -> tuple[int, str]:
        """The number and the hash of the newest line; 0 and zeros while there is none."""
        head = self._get_head()
        return head.number, head.hash

    def verify(self, remembered: str | None = None) -> Verification:
        """Read the whole log and compare it with what is kept of it elsewhere.

        Args:
            remembered: the hash of a line that was the newest once, kept outside the database.

        Raises:
            AccountsError: the database cannot be used.
        """
        found = verify(self._read_ends, self.read_lines, remembered)
        with self.store.read() as connection:
            strays = list_strays(connection, found.first)
        told = {problem.number for problem in found.problems}
        others = [stray for stray in strays if stray.number not in told]
        return replace(found, problems=(*others, *found.problems)) if others else found

    def accept(self, numbers: Iterable[int], reason: str) -> None:
        """Record that what was found at these lines is known and explained.

        Raises:
            AccountsError: nothing was found there, or the database cannot be used.
        """
        wanted = sorted(set(numbers))
        found = [problem for problem in self.verify().problems if problem.number in wanted]
        missing = sorted(set(wanted) - {problem.number for problem in found})
        if missing or not wanted:
            where = ", ".join(map(str, missing)) or "no line"
            raise AccountsError(f"nothing was found at {where}; see 'fundstelle audit verify'")
        which = ", ".join(map(str, wanted))
        texts = [problem.known_as for problem in found]
        self.record(ACCEPTED, SYSTEM, which, numbers=wanted, found=texts, reason=reason)

    def _read_ends(self) -> Ends:
        with self.store.read() as connection:
            return read_ends(connection, self._sealer, self._file)

    def get_head(self) -> Head | None:
        """Both ends, unless they are not as the server left them or there are none yet.

        Raises:
            AccountsError: the database cannot be used.
        """
        ends = self._read_ends()
        return None if ends.is_unbegun or ends.check() else ends.head

    def cut(self, first: int, head: Head, entry: Entry) -> None:
        """Let the log begin where *head* does, if it still begins with line *first*.

        Raises:
            AccountsError: the database cannot be used.
        """
        with self.store.write() as connection:
            ends = read_ends(connection, self._sealer, self._file, locks=True)
            if ends.head is None or ends.check() or ends.head.first != first:
                return
            moved = replace(ends.head, first=head.first, before=head.before)
            written = self._write(connection, replace(ends, head=moved), [entry])
        self._file.write(written)

    def _get_head(self) -> Head:
        return self._read_ends().head or Head(0, START, 1)

    def read_lines(self, first: int = 0) -> Iterator[AuditLine]:
        """The lines from a number on, oldest first, to be checked.

        Raises:
            AccountsError: the database cannot be used.
        """
        return iter_lines(self.store, first, as_written=True)

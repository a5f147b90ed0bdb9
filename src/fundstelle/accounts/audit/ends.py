"""Both ends of the log as they stand, whether they are what the server wrote, and what follows.

Looked at before every line that is added: a log that was cut off is never sealed as if it were
whole.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    bindparam,
    func,
    insert,
    literal,
    select,
    true,
    update,
)

from fundstelle.accounts.audit.chain import START, UNREAD, AuditProblem, Entry
from fundstelle.accounts.audit.events import BEGUN, BROKEN, CONTINUED, SYSTEM
from fundstelle.accounts.audit.head import Head, HeadFile, Sealer
from fundstelle.accounts.database.schema import api_keys
from fundstelle.accounts.database.schema_people import users
from fundstelle.accounts.database.schema_records import audit, audit_head
from fundstelle.accounts.database.traces import REPLACED
from fundstelle.errors import AccountsError, UnreadHead

_HIGHEST = 2**53  # no log gets there; a line beyond it was put there to block the next
_WIPED = (
    "the database is new, but this folder shows that a server has used one here: with it the log"
    " was wiped"
)
_LEAP = 1_000_000  # lines that servers may have written since what is known was the newest


def _build_query() -> Select[Any]:
    """All in one statement, so that all is of one moment; without a head its members are NULL."""
    newest = (
        select(audit.c.number, audit.c.hash)
        .where(audit.c.number < _HIGHEST)
        .order_by(audit.c.number.desc())
        .limit(1)
    )
    head = select(audit_head).where(audit_head.c.id == 1).subquery("head")
    last = newest.subquery("newest")
    line = select(audit.c.hash).where(audit.c.number == bindparam("seen")).subquery("line")
    at_head = select(audit_head.c.number).where(audit_head.c.id == 1).scalar_subquery()
    sealed = select(audit.c.hash).where(audit.c.number == at_head).subquery("sealed")
    one = select(literal(1).label("one")).subquery("one")
    return select(
        *(head.c[name] for name in ("number", "hash", "seal", "first", "before")),
        last.c.number.label("last"),
        last.c.hash.label("last_hash"),
        line.c.hash.label("seen_hash"),
        sealed.c.hash.label("sealed_hash"),
    ).select_from(
        one.outerjoin(head, true())
        .outerjoin(last, true())
        .outerjoin(line, true())
        .outerjoin(sealed, true())
    )


_ENDS = _build_query()
_LOCK = select(audit_head.c.id).where(audit_head.c.id == 1).with_for_update()


@dataclass(frozen=True, slots=True)
class Ends:
    """What database and file say, and the newest line that is there."""

    head: Head | None  # the row of the database; None = it is missing
    is_sealed: bool
    is_first_version: bool  # sealed as the first version did it
    is_unbegun: bool  # the row is as the migration made it
    is_replaced: bool  # as it made it in a folder that had a database before
    last: tuple[int, str] | None  # number and hash of the newest line
    seen: Head | None  # what the file says
    seen_hash: str | None  # the hash that the line with the number of ``seen`` has
    sealed_hash: str | None  # the hash that the line with the number of ``head`` has
    file_problem: str
    is_unread: bool  # the file is there, and what it says could not be compared

    def check(self) -> list[AuditProblem]:
        """What is wrong with them. A log that has not begun is not wrong."""
        problems = self._check_database() + self._check_file()
        if self.file_problem:
            number = self.last[0] if self.last else 0
            kind = UNREAD if self.is_unread else "file"
            problems.append(AuditProblem(kind, number, self.file_problem))
        return problems

    def _check_database(self) -> list[AuditProblem]:
        last, newest = self.last or (-1, START)
        head = self.head
        kind, at, text = "rewritten", max(last, 0), ""
        if head is None:
            text = "the row with the newest hash is missing"
        elif self.is_unbegun:
            text = "the row with the newest hash was set back to the beginning" if self.last else ""
        elif self.is_replaced and not self.last:
            kind, text = "wiped", "" if self.seen else _WIPED
        elif not self.is_sealed:
            text = "the newest hash was not sealed with this server's pepper"
        elif head.number > last:
            kind, at = "truncated", max(last, head.first - 1) + 1
            text = f"the log ends with line {last}, but line {head.number} had been written"
            if self.last is None:
                text = f"the log is empty, but line {head.number} had been written"
        elif head.number < last:
            kind, at = "inserted", head.number + 1
            text = f"line {at} was not written by this server"
        elif head.hash != newest:
            text = f"line {last} was replaced by another"
        return [AuditProblem(kind, at, text)] if text else []

    def _check_file(self) -> list[AuditProblem]:
        seen, head = self.seen, self.head
        if seen is None or head is None:
            return []
        if self.is_unbegun or self.is_replaced:
            text = f"the log is empty, but this server has seen line {seen.number}: it was wiped"
            return [AuditProblem("wiped", 0, text)]
        if seen.number > head.number:
            text = (
                f"the log ends with line {head.number}, but this server has seen line "
                f"{seen.number}: an older copy of the database was put back, its end was cut off, "
                "or the machine lost its newest lines with its power"
            )
            return [AuditProblem("rolled back", head.number + 1, text)]
        if seen.number >= head.first and seen.hash != self.seen_hash:
            text = f"line {seen.number} is not the one that this server has seen"
            return [AuditProblem("rewritten", seen.number, text)]
        return []

    def get_trusted(self) -> Head | None:
        """The newest head that the server itself has written, as far as that is known."""
        known = [self.seen] if self.seen else []
        if self.head is not None and (self.is_sealed or self.is_first_version):
            known.append(self.head)
        return max(known, key=lambda head: head.number, default=None)

    def find_vouched(self) -> int:
        """The newest line that stands in the database as the server wrote it; -1 if none does."""
        vouched = [-1]
        if self.seen is not None and self.seen.hash == self.seen_hash:
            vouched.append(self.seen.number)
        if self.head is not None and self.is_sealed and self.head.hash == self.sealed_hash:
            vouched.append(self.head.number)
        return max(vouched)

    def find_end(self) -> Head:
        """After which line the next goes. Numbers that were given once are not given again."""
        if self.head is not None and not self.check():
            return Head(-1, START) if self.is_unbegun else self.head
        last, newest = self.last or (-1, START)
        trusted = self.get_trusted()
        if trusted is not None:
            return Head(max(last, trusted.number), newest, trusted.first, trusted.before)
        begins_with_1 = self.head is not None and self.head.first == 1 and not self.is_unbegun
        return Head(last, newest, int(begins_with_1))


def read_ends(
    connection: Connection, sealer: Sealer, file: HeadFile, *, locks: bool = False
) -> Ends:
    """Read them; with *locks* nobody else adds lines until the transaction ends."""
    seen, problem, is_unread = _read_file(
        file
    )  # before the database, which is always the first to know
    if locks:
        connection.execute(_LOCK)
    row: Any = connection.execute(_ENDS, {"seen": -1 if seen is None else seen.number}).one()
    head = _read_head(row)
    seal = row.seal if isinstance(row.seal, str) else ""
    is_first_version = head is not None and sealer.fits_first_version(head, seal)
    is_sealed = is_first_version or (head is not None and sealer.fits(head, seal))
    known = [one.number for one in (head if is_sealed else None, seen) if one is not None]
    if is_sealed and not is_first_version and not problem and seen is None and file.is_missed():
        problem = (
            f"{file.path} is gone, where this server keeps the newest line that it has seen, so"
            " that an older copy of the database would not be found: it was removed, or the"
            " database was copied here without it, or has another address than before"
        )
    last = None if row.last is None else (int(row.last), _write_hash(row.last_hash))
    if known and last is not None and last[0] > max(known) + _LEAP:
        last = _find_last(connection, max(known) + _LEAP)
    return Ends(
        head=head,
        is_sealed=is_sealed,
        is_first_version=is_first_version,
        is_unbegun=head == Head(0, START, 1) and not seal,
        is_replaced=head == Head(0, START, 0) and seal == REPLACED,
        last=last,
        seen=seen,
        seen_hash=row.seen_hash,
        sealed_hash=row.sealed_hash,
        file_problem=problem,
        is_unread=is_unread,
    )


def write_head(connection: Connection, sealer: Sealer, head: Head, *, is_new: bool = False) -> None:
    """Seal new ends and put them into the database."""
    row = {
        "number": head.number,
        "hash": head.hash,
        "first": head.first,
        "before": head.before,
        "seal": sealer.seal(head),
    }
    if is_new:
        connection.execute(insert(audit_head).values(id=1, **row))
    else:
        connection.execute(update(audit_head).where(audit_head.c.id == 1).values(**row))


def describe_ends(
    connection: Connection,
    ends: Ends,
    problems: Sequence[AuditProblem],
    now: Callable[[], datetime],
) -> list[Entry]:
    """What the log has to say of itself before it goes on; mostly nothing."""
    if problems:
        trusted = ends.get_trusted()
        details: dict[str, Any] = {
            "found": [str(problem) for problem in problems],
            "vouched": ends.find_vouched(),
        }
        if all(problem.kind == UNREAD for problem in problems):
            details[UNREAD] = True  # nothing else was found
        if trusted is not None:
            details |= {"known": trusted.number, "hash": trusted.hash}
        return [Entry(now(), BROKEN, SYSTEM, str(problems[0].number), "", details)]
    if ends.is_unbegun:
        details = {
            "keys": connection.scalar(select(func.count()).select_from(api_keys)),
            "people": connection.scalar(select(func.count()).select_from(users)),
        }
        return [Entry(now(), BEGUN, SYSTEM, "", "", details)]
    if ends.is_first_version:
        return [Entry(now(), CONTINUED, SYSTEM, "", "", {})]
    return []


def _find_last(connection: Connection, highest: int) -> tuple[int, str] | None:
    """The newest line up to that number: one far beyond was put there to take the next ones."""
    query = (
        select(audit.c.number, audit.c.hash)
        .where(audit.c.number <= highest)
        .order_by(audit.c.number.desc())
        .limit(1)
    )
    row = connection.execute(query).first()
    return None if row is None else (int(row.number), _write_hash(row.hash))


def _write_hash(stored: object) -> str:
    """A hash as text: SQLite keeps any value there, and what is none fits nothing."""
    return stored if isinstance(stored, str) else repr(stored)


def _read_head(row: Any) -> Head | None:
    """The head of the database; SQLite takes any value, and what is none of ours fits no seal."""
    if row.number is None:
        return None
    numbers, hashes = (row.number, row.first), (row.hash, row.before)
    if all(isinstance(n, int) for n in numbers) and all(isinstance(h, str) for h in hashes):
        return Head(row.number, row.hash, row.first, row.before)
    return Head(-1, "", 0)


def _read_file(file: HeadFile) -> tuple[Head | None, str, bool]:
    """What it says, what is wrong with it, and whether that is that it cannot be read."""
    try:
        return file.read(), "", False
    except UnreadHead as error:
        text = (
            f"{error}: the log could not be compared with the newest line that this server has"
            " seen, so that an older copy of the database would not be found"
        )
        return None, text, True
    except AccountsError as error:
        return None, str(error), False

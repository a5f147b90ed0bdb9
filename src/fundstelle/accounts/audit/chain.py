"""Lines of the audit log, and how each is chained to the one before it.

A line's hash is SHA-256 over its canonical JSON: the members of ``AuditLine`` but for ``hash``,
sorted by name, without spaces, in UTF-8. ``previous`` is the hash of the line before, 64 zeros at
the beginning, which is line 0. An exported line holds just these members, so that anyone can check
an export.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import orjson

START = "0" * 64
UNREAD = "unread"
"""The kind of a finding that is none of the log's: it could not be compared."""

_MOVED_AT_MOST = 1_000  # so far is looked for the number that a line had


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be recorded: who did what to which object, in which request."""

    time: datetime
    event: str
    actor: str  # user, key or grant id; "system"
    object: str
    request: str
    details: Mapping[str, Any]  # texts, numbers, lists: what JSON keeps as it is


@dataclass(frozen=True, slots=True)
class AuditLine:
    """A line of the log."""

    number: int
    time: datetime
    event: str
    actor: str
    object: str
    request: str
    details: Mapping[str, Any]
    previous: str
    hash: str = ""


@dataclass(frozen=True, slots=True)
class AuditProblem:
    """What is wrong with the log, at the first line where it is seen."""

    # changed, removed, reordered, inserted, truncated, rewritten, rolled back, wiped, empty, file;
    # unread = could not be compared; broken = the server itself has found and recorded it
    kind: str
    number: int
    text: str
    mark: str = ""  # of all that was read there; another reading has another one

    def __str__(self) -> str:
        return self.text

    @property
    def known_as(self) -> str:
        """What an acceptance of this very finding keeps of it."""
        return f"{self.text} [{self.mark}]" if self.mark else self.text


def chain(entry: Entry, number: int, previous: str) -> dict[str, Any]:
    """The members of the line that follows the one with the hash *previous*."""
    time = entry.time if entry.time.tzinfo is UTC else entry.time.astimezone(UTC)
    content = {
        "number": number,
        "time": time.replace(microsecond=time.microsecond // 1000 * 1000),
        "event": _clean(entry.event, 40),
        "actor": _clean(entry.actor, 40),
        "object": _clean(entry.object, 500),
        "request": _clean(entry.request, 40),
        "details": entry.details,
        "previous": previous,
    }
    content["hash"] = _hash(content)
    return content


def hash_line(line: AuditLine) -> str | None:
    """The hash that the line must have; ``None`` if it holds what no line of ours does."""
    try:
        return _hash(_get_content(line))
    except TypeError:  # numbers or letters that JSON does not keep
        return None


def mark_place(line: AuditLine, previous: str) -> str:
    """What tells a line, as it stands behind the line with the hash *previous*, from any other."""
    content = hash_line(line) or repr(_get_content(line))
    place = f"{previous}\0{line.previous}\0{line.hash}\0{content}"
    return hashlib.sha256(place.encode(errors="backslashreplace")).hexdigest()[:16]


def describe(line: AuditLine) -> dict[str, Any]:
    """The line as it is exported."""
    content = _get_content(line)
    if hash_line(line) is None:
        content["details"] = {}  # what JSON does not keep is none of ours
    return {**content, "time": _write_time(line.time), "hash": line.hash}


def check_line(line: AuditLine, number: int, previous: str) -> AuditProblem | None:
    """Whether this is line *number*, which follows the line with the hash *previous*."""
    if line.number != number:
        return _report_gap(number, line.number - 1)
    is_intact = hash_line(line) == line.hash
    if is_intact and line.previous == previous:
        return None
    if is_intact:
        return AuditProblem(
            "rewritten",
            number,
            f"line {number} does not follow line {number - 1}: that line was replaced by another, "
            "or lines between them were removed and the rest hashed anew",
        )
    was = _find_number(line)
    if was is not None:
        return AuditProblem(
            "reordered", number, f"line {number} was written as line {was}: lines were moved"
        )
    return AuditProblem("changed", number, f"line {number} was changed")


def _report_gap(first: int, last: int) -> AuditProblem:
    if last < first:
        return AuditProblem("inserted", last + 1, f"line {last + 1} was inserted")
    which = f"line {first} was" if first == last else f"lines {first} to {last} were"
    return AuditProblem("removed", first, f"{which} removed")


def _find_number(line: AuditLine) -> int | None:
    """The number under which this line was written, if it is but its number that was changed."""
    content = _get_content(line)
    if hash_line(line) is None:
        return None
    for distance in range(1, _MOVED_AT_MOST + 1):
        for number in (line.number + distance, line.number - distance):
            if number > 0 and _hash({**content, "number": number}) == line.hash:
                return number
    return None


def _get_content(line: AuditLine) -> dict[str, Any]:
    return {
        "number": line.number,
        "time": line.time,
        "event": line.event,
        "actor": line.actor,
        "object": line.object,
        "request": line.request,
        "details": line.details,
        "previous": line.previous,
    }


def _hash(content: Mapping[str, Any]) -> str:
    written = {**content, "time": _write_time(content["time"])}
    return hashlib.sha256(orjson.dumps(written, option=orjson.OPT_SORT_KEYS)).hexdigest()


def _write_time(time: datetime) -> str:
    if time.tzinfo is not UTC:
        time = time.astimezone(UTC)
    return time.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def _clean(text: str, limit: int) -> str:
    """The text as every database keeps it: no NUL, no half of a surrogate pair, not too long."""
    if text.isascii() and text.isprintable() and len(text) <= limit:
        return text
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}").encode(errors="replace").decode()[:limit]

"""Reading the whole log to find out whether it is what the server wrote."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from fundstelle.accounts.audit.chain import (
    START,
    UNREAD,
    AuditLine,
    AuditProblem,
    check_line,
    hash_line,
    mark_place,
)
from fundstelle.accounts.audit.ends import Ends
from fundstelle.accounts.audit.events import ACCEPTED, BEGUN, BROKEN, CONTINUED, REMOVED

MOST_PROBLEMS = 20
_MOST_KEPT = 10_000  # findings of one reading; nobody accepts so many
_ATTEMPTS = 10  # to see the log while others write to it


@dataclass(frozen=True, slots=True)
class Verification:
    """What was found."""

    first: int  # number of the oldest line
    number: int  # of the newest; one less than ``first`` if there is none
    hash: str
    problems: tuple[AuditProblem, ...]  # at most ``MOST_PROBLEMS``, and those of the ends
    accepted: tuple[AuditProblem, ...]  # found as well, and accepted by somebody since
    notes: tuple[str, ...]  # what could not be checked

    @property
    def problem(self) -> AuditProblem | None:
        """The first thing that is wrong, ``None`` if nothing is."""
        return self.problems[0] if self.problems else None


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A line that says that findings are known; it speaks of what was written before it."""

    number: int
    accepted: frozenset[int]  # lines where something was found
    texts: frozenset[str]  # what was found there

    def covers(self, problem: AuditProblem) -> bool:
        """Whether this is the finding that was accepted, and not a later one at its place."""
        is_meant = problem.number in self.accepted and problem.number < self.number
        return is_meant and problem.known_as in self.texts


@dataclass(slots=True)
class Walk:
    """One reading of the lines, oldest first; it begins behind a line and its hash."""

    number: int
    previous: str
    problems: list[AuditProblem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    acceptances: list[Acceptance] = field(default_factory=list)
    foreign: list[range] = field(default_factory=list)  # lines that were there, but not ours
    has_beginning: bool = False
    hashes: set[str] = field(default_factory=set)  # the wanted ones that were seen

    def take(self, line: AuditLine, wanted: str | None = None) -> None:
        """Check one line; after a wrong one it goes on from there."""
        problem = check_line(line, self.number + 1, self.previous)
        is_intact = problem is None or hash_line(line) == line.hash
        if is_intact and line.previous == self.previous and (says := _describe_break(line)):
            kind = UNREAD if line.details.get(UNREAD) else "broken"
            problem = AuditProblem(kind, line.number, says)
        if problem is not None:
            mark = mark_place(line, self.previous)
            self._add(replace(problem, mark=mark))
            if problem.kind == "removed" and not is_intact:
                text = f"line {line.number} was changed"
                self._add(AuditProblem("changed", line.number, text, mark))
        if is_intact:
            self._note(line)
        if line.hash == wanted:
            self.hashes.add(wanted)
        self.number, self.previous = line.number, line.hash

    def find_accepted(self) -> set[AuditProblem]:
        """The findings that somebody has accepted.

        A line that accepts counts where the chain holds from it to the sealed end, but for what
        was accepted after it: else who can write to the database could write his own. One that
        stood behind all that the server had sealed when it found the log broken never counts.
        """
        accepted: set[AuditProblem] = set()
        ours = (
            one
            for one in reversed(self.acceptances)
            if not any(one.number in lines for lines in self.foreign)
        )
        for one in ours:
            if any(p.number > one.number and p not in accepted for p in self.problems):
                break
            accepted.update(filter(one.covers, self.problems))
        return accepted

    def list_open(self, accepted: set[AuditProblem]) -> list[AuditProblem]:
        """The other findings; first those that nobody has accepted, not even in vain."""
        found = [problem for problem in self.problems if problem not in accepted]
        return sorted(found, key=lambda p: any(one.covers(p) for one in self.acceptances))

    def _add(self, problem: AuditProblem) -> None:
        if len(self.problems) < _MOST_KEPT:
            self.problems.append(problem)

    def _note(self, line: AuditLine) -> None:
        details = line.details
        if line.event == CONTINUED and not self.has_beginning:
            self.notes.append(
                f"lines 1 to {line.number - 1} were written before the beginning of the log was "
                "sealed: had they been wiped and begun anew before that, it would not show"
            )
        elif line.event == BEGUN:
            self.has_beginning = True
            if any(details.values()):
                self.notes.append(
                    f"the log began when there were already {details.get('keys')} keys and "
                    f"{details.get('people')} people"
                )
        elif line.event == BROKEN:
            vouched = details.get("vouched")
            first = vouched + 1 if isinstance(vouched, int) else 0
            self.foreign.append(range(first, line.number))
        elif line.event == ACCEPTED:
            numbers, texts = details.get("numbers"), details.get("found")
            if isinstance(numbers, list) and isinstance(texts, list):
                known_as = frozenset(map(str, texts))
                self.acceptances.append(Acceptance(line.number, _keep_numbers(numbers), known_as))


def verify(
    read_ends: Callable[[], Ends],
    read_lines: Callable[[int], Iterator[AuditLine]],
    remembered: str | None = None,
) -> Verification:
    """Read the whole log, which others may be writing to.

    Args:
        read_ends: both ends as they stand now.
        read_lines: the lines from a number on.
        remembered: the hash of a line that was the newest once, kept outside the database.
    """
    for _ in range(_ATTEMPTS):
        begin = read_ends()
        first, before = (begin.head.first, begin.head.before) if begin.head else (0, START)
        if begin.is_unbegun:
            first = 0
        walk = Walk(first - 1, before)
        ends = _walk_to_the_end(walk, read_ends, read_lines, remembered)
        if ends.head is None or begin.head is None or ends.head.first == begin.head.first:
            break  # else retention has removed lines meanwhile
    return _conclude(walk, first, ends, remembered)


def _walk_to_the_end(
    walk: Walk,
    read_ends: Callable[[], Ends],
    read_lines: Callable[[int], Iterator[AuditLine]],
    wanted: str | None,
) -> Ends:
    for _ in range(_ATTEMPTS):
        before = walk.number
        for line in read_lines(walk.number + 1):
            walk.take(line, wanted)
        # Read after the lines, so others may have written between: then there are more lines.
        ends = read_ends()
        if ends.head is None or ends.head.number <= walk.number or walk.number == before:
            break
    return ends


def _conclude(walk: Walk, first: int, ends: Ends, remembered: str | None) -> Verification:
    at_ends = ends.check()
    if ends.is_unbegun and not at_ends:
        text = "the log has no beginning: it was wiped, or nothing was ever recorded here"
        at_ends.append(AuditProblem("empty", 0, text))
    if remembered not in {None, START, *walk.hashes}:
        text = (
            f"none of the lines {first} to {walk.number} has the hash that was remembered: the end "
            "of the log was removed, it was written anew, or the line is older than what is kept"
        )
        at_ends.append(AuditProblem("truncated", walk.number + 1, text))
    is_full = len(walk.problems) >= _MOST_KEPT  # what comes after the last of them is not known
    accepted = walk.find_accepted() if ends.is_sealed and not is_full else set()
    if ends.seen is None and not ends.file_problem:
        walk.notes.append("this server has kept no newest line outside the database to compare")
    return Verification(
        first=first,
        number=walk.number,
        hash=walk.previous,
        problems=(*walk.list_open(accepted)[:MOST_PROBLEMS], *at_ends),
        accepted=tuple(p for p in walk.problems if p in accepted),
        notes=tuple(walk.notes),
    )


def _keep_numbers(numbers: list[object]) -> frozenset[int]:
    return frozenset(number for number in numbers if isinstance(number, int))


def _describe_break(line: AuditLine) -> str:
    """What a line of the log itself says was wrong when it was written; mostly nothing."""
    texts = line.details.get("found", ())
    found = "; ".join(map(str, texts)) if isinstance(texts, list) else str(texts or "")
    if line.event == BROKEN:
        was = "could not be compared" if line.details.get(UNREAD) else "was broken"
        return f"line {line.number} says that the log {was} when it was written: {found}"
    if line.event == REMOVED and found:
        return f"line {line.number} says that old lines were not whole when they went: {found}"
    return ""

"""What an update tells of a source: what failed, and what was brought and is of no use."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from fundstelle.corpus.manifest import Rejected
from fundstelle.corpus.updates import Outcome
from fundstelle.errors import FundstelleError
from fundstelle.ingest.sources import registry
from fundstelle.ingest.sources.files.failures import tell_unforeseen

LOOK_FILE = re.compile(r"[^/]+/[^/]+/\d{4}-\d\d-\d\d\.xml")
"""The name of a law's file as a look keeps it."""

_CREDENTIALS = re.compile(r"//[^/\s@]*@")
_LONGEST = 500  # characters


def fail(outcome: Outcome, problem: str) -> Outcome:
    """The outcome of a source that failed."""
    return replace(outcome, problem=write_problem(problem))


def explain(error: Exception, what: str) -> str:
    """Why something failed; of this machine's own files no name is told."""
    if isinstance(error, OSError):
        return f"this machine's files cannot be used: {error.strerror or type(error).__name__}"
    if isinstance(error, FundstelleError):
        return str(error)
    return tell_unforeseen(error, what)


def write_problem(problem: str) -> str:
    """A problem as everybody may read it: no name and password in an address, no page of words."""
    return _CREDENTIALS.sub("//", problem)[:_LONGEST]


def tell_unread(outcome: Outcome, unread: Mapping[str, str]) -> Outcome:
    """The outcome of a source, of which what was fetched may not have been there for the build."""
    problem = unread.get(outcome.source_type)
    return fail(outcome, problem) if problem is not None else outcome


def tell_rejected(outcomes: Sequence[Outcome], rejected: Iterable[Rejected]) -> list[Outcome]:
    """The outcomes with what the build could not use of what was fetched."""
    laws: list[str] = []
    others: list[str] = []
    known = {problem for one in outcomes for problem in one.problems}
    for one in sorted(rejected, key=lambda one: (one.name, one.reason)):
        told = laws if LOOK_FILE.fullmatch(one.name) else others
        if (problem := write_problem(f"{one.name}: {one.reason}")) not in known:
            told.append(problem)
    federal = registry.FEDERAL_LAW.source_type
    asked = [one.source_type for one in outcomes if one.source_type != federal and one.new]
    owners = {federal: laws, **({asked[0]: others} if asked else {federal: [*laws, *others]})}
    return [
        replace(one, problems=(*one.problems, *owners.get(one.source_type, ()))) for one in outcomes
    ]

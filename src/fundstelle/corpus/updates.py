"""What the last update of a data folder came to: ``updates.json`` beside the builds.

A build says of which day each source is; this says since when one could not be brought further.
Every worker holds it, so it is small, whatever publishers answer.
"""

import errno
import logging
from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import orjson

from fundstelle.corpus.fields import build_known
from fundstelle.corpus.manifest import Manifest
from fundstelle.disks import read_small

REPORT = "updates.json"
LOOKS = "looks"  # the folder of what every look at a publisher showed; nobody else has it

_MOST_PROBLEMS = 500  # of one source that a report has; of the others the number
_LONGEST = 500  # characters of one
_MOST_BYTES = 16 * 2**20  # more than all sources with that many problems take

_log = logging.getLogger("fundstelle.corpus")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one source."""

    source_type: str
    name: str
    asked: int = 0  # documents that the publisher was asked for
    new: int = 0  # of them new, or other than before
    problems: tuple[str, ...] = ()  # of single documents, which are left as they were
    problem: str | None = None  # of the source as a whole, of which nothing was changed
    stand: date | None = None  # of its last good state
    untold: int = 0  # problems of single documents beside those in ``problems``

    def count_problems(self) -> int:
        """Of single documents."""
        return len(self.problems) + self.untold

    def shorten(self) -> "Outcome":
        """The first problems, each of them not too long, and how many more there are."""
        kept = tuple(problem[:_LONGEST] for problem in self.problems[:_MOST_PROBLEMS])
        return replace(
            self,
            problems=kept,
            problem=self.problem and self.problem[:_LONGEST],
            untold=self.count_problems() - len(kept),
        )


@dataclass(frozen=True, slots=True)
class Report:
    """One run: which release it made live, or went on from, and what became of each source."""

    begun_at: datetime
    release: str
    outcomes: tuple[Outcome, ...]

    @property
    def is_good(self) -> bool:
        """Whether every source was brought up to date, each document of it."""
        return not self.count_failures()

    def count_failures(self) -> int:
        """Sources, and documents of the others, that are as they were before."""
        return sum(1 if one.problem else one.count_problems() for one in self.outcomes)


def dump_report(report: Report) -> bytes:
    """The report as ``updates.json`` holds it: UTF-8, indented; its outcomes shortened."""
    short = replace(report, outcomes=tuple(one.shorten() for one in report.outcomes))
    return orjson.dumps(short, option=orjson.OPT_INDENT_2) + b"\n"


def read_report(data_dir: Path) -> Report | None:
    """The last run's; ``None`` where there was none, or it cannot be read."""
    try:
        written = read_small(data_dir / REPORT, _MOST_BYTES)
    except OSError as error:
        if error.errno == errno.EFBIG:
            _log.warning("%s has more than %d MB: it is not read", REPORT, _MOST_BYTES >> 20)
        return None
    with suppress(ValueError, TypeError, KeyError):
        fields = orjson.loads(written)
        begun_at = datetime.fromisoformat(fields["begun_at"])
        return Report(
            begun_at if begun_at.tzinfo else begun_at.replace(tzinfo=UTC),
            fields["release"],
            tuple(map(_read_outcome, fields["outcomes"])),
        )
    return None


def identify_report(data_dir: Path) -> Hashable:
    """Changes whenever there is another report; a small look."""
    with suppress(OSError):
        state = (data_dir / REPORT).stat()
        return state.st_mtime_ns, state.st_size
    return None


def add_report(manifest: Manifest, report: Report | None) -> Manifest:
    """What a build says of its sources, with what a later update says of their publishers."""
    if report is None or report.begun_at < manifest.built_at:
        return manifest
    told = {one.source_type: one for one in report.outcomes}
    sources = tuple(
        replace(
            state,
            problem=told[state.source_type].problem,
            last_attempt=report.begun_at if told[state.source_type].problem else None,
        )
        if state.source_type in told
        else state
        for state in manifest.sources
    )
    return replace(manifest, sources=sources)


def _read_outcome(fields: dict[str, Any]) -> Outcome:
    fields["problems"] = tuple(fields["problems"])
    fields["stand"] = date.fromisoformat(fields["stand"]) if fields["stand"] else None
    return build_known(Outcome, fields)

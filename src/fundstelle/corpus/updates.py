"""What the last update of a data folder came to: ``updates.json`` beside the builds.

A build says of which day each source is; this says since when one could not be brought further.
"""

from collections.abc import Hashable
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import orjson

from fundstelle.corpus.manifest import Manifest

REPORT = "updates.json"
LOOKS = "looks"  # the folder of what every look at a publisher showed; nobody else has it


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


@dataclass(frozen=True, slots=True)
class Report:
    """One run: which release was live at its end, and what became of each source."""

    begun_at: datetime
    release: str
    outcomes: tuple[Outcome, ...]

    @property
    def is_good(self) -> bool:
        """Whether every source was brought up to date, each document of it."""
        return not self.count_failures()

    def count_failures(self) -> int:
        """Sources, and documents of the others, that are as they were before."""
        return sum(1 if one.problem else len(one.problems) for one in self.outcomes)


def dump_report(report: Report) -> bytes:
    """The report as ``updates.json`` holds it: UTF-8, indented."""
    return orjson.dumps(report, option=orjson.OPT_INDENT_2) + b"\n"


def read_report(data_dir: Path) -> Report | None:
    """The last run's; ``None`` where there was none, or it cannot be read."""
    with suppress(OSError, ValueError, TypeError, KeyError):
        fields = orjson.loads((data_dir / REPORT).read_bytes())
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
    return Outcome(**fields)

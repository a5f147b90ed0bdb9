"""The report of the last update, as a server reads it."""

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from fundstelle.corpus.updates import (
    REPORT,
    Outcome,
    Report,
    add_report,
    dump_report,
    identify_report,
    read_report,
)
from tests.unit.corpus.values import MANIFEST

NOW = datetime(2026, 5, 4, tzinfo=UTC)
FAILED = Outcome("gii", "Gesetze im Internet", problem="it was away", stand=date(2026, 5, 3))


def test_a_report_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    report = Report(NOW, "0123456789abcdef", (FAILED, Outcome("eurlex", "EUR-Lex", 3, 1, ("a",))))
    assert (read_report(tmp_path), identify_report(tmp_path)) == (None, None)
    (tmp_path / REPORT).write_bytes(dump_report(report))
    assert read_report(tmp_path) == report
    assert identify_report(tmp_path) is not None
    assert (report.is_good, report.count_failures()) == (False, 2)


@pytest.mark.parametrize(
    "written",
    [b"", b"[]", b"{", b"[" * 5_000, b'{"begun_at": "now", "release": "", "outcomes": []}',
     b'{"begun_at": "2026-05-04T00:00:00+00:00", "release": "", "outcomes": [7]}',
     b'{"begun_at": "2026-05-04T00:00:00+00:00", "release": "", "outcomes": [{"x": 1}]}',
     b'{"begun_at": "2026-05-04T00:00:00+00:00", "release": ""}'],
)  # fmt: skip
def test_a_report_that_is_none_is_passed_over(tmp_path: Path, written: bytes) -> None:
    (tmp_path / REPORT).write_bytes(written)
    assert read_report(tmp_path) is None


def test_a_report_is_small_however_much_a_publisher_gives_to_tell(tmp_path: Path) -> None:
    """Every worker holds it. NUL takes the most of all signs, six bytes."""
    told = tuple("\0" * 600 for _ in range(700))
    outcomes = tuple(
        Outcome(f"source_{n}", "One", problems=told, problem="x" * 600) for n in range(10)
    )
    (tmp_path / REPORT).write_bytes(dump_report(Report(NOW, "", outcomes)))
    report = read_report(tmp_path)
    assert report is not None
    [first, *_] = report.outcomes
    assert (len(first.problems), first.untold, first.count_problems()) == (500, 200, 700)
    assert (max(map(len, first.problems)), len(first.problem or "")) == (500, 500)
    assert first.shorten() == first
    assert replace(report, outcomes=(replace(first, problem=None),)).count_failures() == 700


def test_a_report_of_before_has_all_its_problems(tmp_path: Path) -> None:
    report = Report(NOW, "", (Outcome("gii", "One", problems=("a", "b")),))
    written = dump_report(report).replace(b',\n      "untold": 0', b"")
    assert b"untold" not in written
    (tmp_path / REPORT).write_bytes(written)
    assert read_report(tmp_path) == report


def test_a_report_that_is_far_too_large_is_not_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    written = dump_report(Report(NOW, "", ()))
    (tmp_path / REPORT).write_bytes(written + b" " * (2**24 - len(written)))
    assert read_report(tmp_path) is not None
    (tmp_path / REPORT).write_bytes(written + b" " * (2**24 - len(written) + 1))
    assert read_report(tmp_path) is None
    assert "updates.json has more than 16 MB: it is not read" in caplog.text


def test_a_day_without_a_zone_is_of_utc(tmp_path: Path) -> None:
    (tmp_path / REPORT).write_bytes(
        b'{"begun_at": "2026-05-04T00:00:00", "release": "", "outcomes": []}'
    )
    assert read_report(tmp_path) == Report(NOW, "", ())


def test_only_what_is_newer_than_a_build_is_said_of_its_sources() -> None:
    [state, *_] = MANIFEST.sources
    outcome = replace(FAILED, source_type=state.source_type)
    later = Report(MANIFEST.built_at, "", (outcome,))
    told = add_report(MANIFEST, later)
    assert (told.sources[0].problem, told.sources[0].last_attempt) == (
        "it was away",
        MANIFEST.built_at,
    )
    assert (
        add_report(MANIFEST, replace(later, begun_at=datetime(2000, 1, 1, tzinfo=UTC))) == MANIFEST
    )
    again = replace(later, outcomes=(replace(outcome, problem=None),))
    assert add_report(told, again).sources[0].problem is None

"""What was confirmed a short while ago is not asked again, but only on the same day."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from fundstelle.ingest.sources.files.cache import CachedFile, State
from fundstelle.ingest.sources.files.download import Fetched

MORNING = datetime(2030, 3, 2, 3, tzinfo=UTC)  # four o'clock in Germany


@pytest.mark.parametrize(
    ("ago", "fresh"),
    [
        (timedelta(0), True),
        (timedelta(hours=3, minutes=59), True),
        (timedelta(hours=4, minutes=1), False),  # the evening before: of another day
        (timedelta(hours=8), False),
        (timedelta(hours=-1), False),  # by a clock that was ahead
    ],
)
def test_an_evening_says_nothing_of_the_next_day(ago: timedelta, fresh: bool) -> None:
    assert State(checked_at=(MORNING - ago).isoformat()).is_fresh(MORNING) is fresh


def test_what_is_older_than_half_a_day_is_asked_again() -> None:
    evening = MORNING.replace(hour=22)
    assert State(checked_at=(evening - timedelta(hours=11)).isoformat()).is_fresh(evening)
    assert not State(checked_at=(evening - timedelta(hours=12)).isoformat()).is_fresh(evening)


def test_days_are_those_of_one_clock_wherever_it_stands() -> None:
    elsewhere = MORNING.astimezone(timezone(timedelta(hours=-9)))
    assert State(checked_at=MORNING.isoformat()).is_fresh(elsewhere)
    assert not State(checked_at=(MORNING - timedelta(hours=5)).isoformat()).is_fresh(elsewhere)


def test_what_was_never_asked_is_not_fresh() -> None:
    assert not State().is_fresh(MORNING)


def fetch(file: CachedFile, data: bytes | None) -> dict[str, str]:
    """Refresh a file from a site that answers ``data`` (None: not modified); what it was asked."""
    asked: dict[str, str] = {}

    def ask(validators: Mapping[str, str]) -> Fetched:
        asked.update(validators)
        return Fetched(data, '"tag"', None, "application/zip")

    file.refresh(ask, lambda _data, _kind: None, MORNING)
    return asked


def test_what_is_held_is_asked_for_by_its_tag(tmp_path: Path) -> None:
    file = CachedFile(tmp_path / "law" / "xml.zip", "https://one.example/law/xml.zip")
    assert fetch(file, b"a law") == {}
    assert file.read_state().is_fresh(MORNING)
    assert fetch(file, None) == {"etag": '"tag"'}
    assert file.path.read_bytes() == b"a law"


def test_a_file_of_another_address_says_nothing_of_this_one(tmp_path: Path) -> None:
    path = tmp_path / "law" / "xml.zip"
    fetch(CachedFile(path, "https://one.example/law/xml.zip"), b"the text of a mirror")
    other = CachedFile(path, "https://two.example/law/xml.zip")
    assert other.read_state() == State()
    assert fetch(other, b"the text of the site") == {}
    assert path.read_bytes() == b"the text of the site"


@pytest.mark.parametrize("damaged", [b"", b"a lew"])
def test_a_file_that_is_not_what_was_fetched_is_asked_for_whole(
    tmp_path: Path, damaged: bytes
) -> None:
    file = CachedFile(tmp_path / "law" / "xml.zip", "https://one.example/law/xml.zip")
    fetch(file, b"a law")
    file.path.write_bytes(damaged)
    assert not file.read_state().is_fresh(MORNING)
    assert fetch(file, b"a law") == {}
    assert file.read_state().is_fresh(MORNING)

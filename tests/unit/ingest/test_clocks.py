"""A clock that is wrong dates no look, and what it once dated is not believed for ever."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from fundstelle.corpus.manifest import SnapshotState, SourceState
from fundstelle.errors import SourceError
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.history.carry import _join, _trust
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.update import Updating, _find_since, _require_clock
from tests.integration.corpora.stand_in import LinesEngine

NOW = datetime(2030, 5, 10, 12, tzinfo=UTC)
STATE = SourceState(
    name="Decisions",
    source_type="rechtsprechung",
    url="https://decisions.example/",
    stand=date(2030, 5, 2),
    items=3,
    sha256="0" * 64,
    retrieved_at=NOW - timedelta(days=3),
    complete=False,
    known_gaps=(),
    known_until=(NOW - timedelta(days=3)).date(),
)
AHEAD = replace(
    STATE,
    retrieved_at=NOW + timedelta(days=365),
    known_until=(NOW + timedelta(days=365)).date(),
)


def test_changes_are_asked_for_since_the_last_look() -> None:
    assert _find_since(STATE, NOW) == date(2030, 5, 5)


def test_where_no_look_is_noted_the_newest_document_counts_and_no_file_s_time() -> None:
    unknown = replace(STATE, known_until=None)
    assert _find_since(unknown, NOW) == date(2030, 4, 30)
    empty = replace(unknown, stand=date.min)
    assert _find_since(empty, NOW) == date.min


def test_a_look_of_a_day_to_come_is_none() -> None:
    assert _find_since(AHEAD, NOW) == date(2030, 4, 30), "since the newest that is held"


def test_the_next_look_takes_its_place() -> None:
    new = replace(STATE, retrieved_at=NOW - timedelta(minutes=1))
    assert _join(AHEAD, new, NOW).retrieved_at == new.retrieved_at
    assert _join(AHEAD, new, NOW).known_until == new.known_until
    assert _join(STATE, new, NOW).retrieved_at == new.retrieved_at
    assert _join(new, STATE, NOW).retrieved_at == new.retrieved_at, "an older file was added"


def test_a_stand_of_a_day_to_come_is_not_kept() -> None:
    """Else one misdated document would be the Stand of all for ever."""
    parts = tuple(SnapshotState("Decisions", day, "0" * 64, 1) for day in (STATE.stand, date.max))
    ahead = replace(STATE, stand=date.max, snapshots=parts)
    latest = (NOW + timedelta(days=1)).date()
    assert _trust(ahead, latest).stand == STATE.stand
    assert _trust(replace(ahead, snapshots=()), latest).stand == STATE.retrieved_at.date()
    assert _trust(STATE, latest) is STATE


@pytest.mark.parametrize("off", [timedelta(days=2), timedelta(days=-365)])
def test_what_comes_while_the_clocks_differ_is_not_taken(tmp_path: Path, off: timedelta) -> None:
    client = Downloader(pause=0)
    updating = Updating(tmp_path, {}, client, LinesEngine(), BuildOptions(), lambda: NOW)
    address = "https://decisions.example:8443"
    _require_clock(updating, address)  # it does not say what time it is
    client.told["decisions.example:8443"] = NOW + timedelta(hours=20)
    _require_clock(updating, address)
    client.told["decisions.example:8443"] = NOW + off
    with pytest.raises(SourceError, match="this machine's clock says 2030-05-10"):
        _require_clock(updating, address)

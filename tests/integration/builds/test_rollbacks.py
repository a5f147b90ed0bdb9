"""Going back to an earlier build: it stays live, whatever is at work meanwhile."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.updates import Report
from fundstelle.errors import CorpusError
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.registry import COURTS, FEDERAL_LAW
from fundstelle.ingest.update import Updating, update
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_snapshot
from tests.integration.corpora.stand_in import LinesEngine
from tests.integration.services.loopback import Service, serve
from tests.integration.sources.test_fetch_rii import Portals, write_decision
from tests.integration.updates.test_since_when import TODAY, add, begin

FIRST, SECOND, THIRD = "KORE000000001", "KORE000000002", "KORE000000003"


class Acting(Heard):
    """Does something once, when a phase of the build begins."""

    def __init__(self, phase: str, act: Callable[[], None]) -> None:
        super().__init__()
        self._phase, self._act = phase, act

    def start(self, phase: str, total: int, unit: str) -> None:
        super().start(phase, total, unit)
        if phase == self._phase:
            self._phase = ""
            self._act()


@pytest.fixture
def service() -> Iterator[Service]:
    with serve() as service:
        yield service


@pytest.fixture
def portals(service: Service) -> Portals:
    return Portals(service)


def find_live(data: Path) -> str:
    release = builds.get_live(data)
    assert release is not None
    return release


def list_names(data: Path) -> set[str]:
    return {path.name for path in (data / "builds").iterdir()}


def look(data: Path, url: str, progress: Heard) -> Report:
    """An update of decisions; federal law cannot be had."""
    updating = Updating(
        data,
        {FEDERAL_LAW.source_type: f"{url}/nowhere", COURTS.source_type: url},
        Downloader(pause=0, timeout=5, sleep=lambda _seconds: None),
        LinesEngine(),
        BuildOptions(processes=1),
        lambda: datetime.combine(TODAY, time(23, 59), UTC),
    )
    return update(updating, progress)


@pytest.mark.parametrize("phase", ["parse", "check"])
def test_a_build_that_is_made_live_while_an_update_builds_stays_live(
    service: Service, portals: Portals, tmp_path: Path, phase: str
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "source")
    before = find_live(data)
    portals.add(FIRST, write_decision(FIRST))
    add(data, service.url)
    live = find_live(data)
    portals.add(SECOND, write_decision(SECOND), modified=TODAY.isoformat())
    report = look(data, service.url, Acting(phase, lambda: builds.activate(data, before)))
    assert find_live(data) == before
    assert list_names(data) == {before, live}  # the finished one is dropped
    assert all(
        f"another build was made live meanwhile ({before}, not {live})" in (one.problem or "")
        for one in report.outcomes
    )
    builds.activate(data, live)
    look(data, service.url, Heard())
    assert find_live(data) not in {before, live}  # what came is not taken for built


@pytest.mark.parametrize("phase", ["parse", "check"])
def test_a_build_that_is_made_live_during_an_ingestion_that_goes_on_stays_live(
    tmp_path: Path, phase: str
) -> None:
    data = tmp_path / "data"
    before, live = (
        build(data, write_snapshot(tmp_path / f"gii-2025-01-0{day}", laws=day)).release
        for day in (1, 2)
    )
    later = write_snapshot(tmp_path / "gii-2025-01-03", laws=3)
    with pytest.raises(CorpusError, match=r"another build was made live meanwhile.*run the"):
        build(data, later, heard=Acting(phase, lambda: builds.activate(data, before)))
    assert find_live(data) == before
    assert list_names(data) == {before, live}
    made = build(data, later).release
    builds.activate(data, before)
    # what begins anew goes on from nothing, and the build that comes out may be live already
    build(data, later, fresh=True, heard=Acting(phase, lambda: builds.activate(data, live)))
    builds.activate(data, before)
    build(data, later, heard=Acting(phase, lambda: builds.activate(data, made)))
    assert find_live(data) == made


def count_decisions(data: Path) -> int:
    return builds.read_manifest(builds.get_folder(data, find_live(data))).decisions


def test_what_a_build_lacks_is_asked_for_again_where_it_is_made_live_again(
    service: Service, portals: Portals, tmp_path: Path
) -> None:
    """By a day of its publisher it is long held: only a build that was left behind has it."""
    data, note = tmp_path / "data", tmp_path / "data" / "looks" / "rii" / "owed.json"
    begin(data, tmp_path / "source")
    portals.add(FIRST, write_decision(FIRST), modified="2024-03-01").failures = [503] * 4
    portals.add(SECOND, write_decision(SECOND), day="20241201", modified="2024-12-10")
    add(data, service.url)
    lacking = find_live(data)
    assert look_for_decisions(data, service.url) == (1, 1)
    whole = find_live(data)
    assert count_decisions(data) == 2
    assert look_for_decisions(data, service.url) == (0, 0)

    builds.activate(data, lacking)
    assert look_for_decisions(data, service.url) == (1, 1)
    assert count_decisions(data) == 2

    builds.activate(data, lacking)  # and goes on by a selection, without a look
    portals.add(THIRD, write_decision(THIRD), day="20241202", modified="2024-12-10")
    add(data, service.url, date(2024, 12, 2))
    assert count_decisions(data) == 2
    assert look_for_decisions(data, service.url) == (1, 1)
    assert count_decisions(data) == 3

    builds.activate(data, lacking)
    note.unlink()  # as in a backup whose build is older
    assert look_for_decisions(data, service.url) == (1, 1)

    builds.activate(data, whole)
    assert look_for_decisions(data, service.url) == (0, 0)


def look_for_decisions(data: Path, url: str) -> tuple[int, int]:
    """How many an update asked for, and how many came."""
    outcomes = look(data, url, Heard()).outcomes
    courts = next(one for one in outcomes if one.source_type == COURTS.source_type)
    assert (courts.problem, courts.problems) == (None, ())
    return courts.asked, courts.new

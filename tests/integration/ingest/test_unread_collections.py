"""What was fetched or carried in and cannot be read when a build begins is told as a failure."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fundstelle.cli.ingest import ingest
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import SourceState
from fundstelle.corpus.updates import Outcome, Report
from fundstelle.errors import SourceError
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.registry import COURTS, FEDERAL_LAW, NEURIS
from fundstelle.ingest.update import Updating, update
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from tests.integration.builds.test_rollbacks import Acting, find_live
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_snapshot
from tests.integration.corpora.stand_in import LinesEngine
from tests.integration.services.loopback import Service, serve
from tests.integration.services.neuris_service import Neuris
from tests.integration.sources.test_fetch_rii import Portals, write_decision
from tests.integration.updates.test_since_when import TODAY, add, begin

FIRST, SECOND, THIRD = (f"KORE00000000{number}" for number in (1, 2, 3))
READING = "read rechtsprechung-im-internet.de"


@pytest.fixture
def service() -> Iterator[Service]:
    with serve() as service:
        yield service


def look(data: Path, url: str, progress: Heard) -> Report:
    """An update of decisions; federal law cannot be had."""
    addresses = {
        FEDERAL_LAW.source_type: f"{url}/nowhere",
        **dict.fromkeys((COURTS.source_type, NEURIS.source_type), url),
    }
    updating = Updating(
        data,
        addresses,
        Downloader(pause=0, timeout=5, sleep=lambda _seconds: None),
        LinesEngine(),
        BuildOptions(processes=1),
        lambda: datetime.combine(TODAY, time(23, 59), UTC),
    )
    return update(updating, progress)


def find_outcome(report: Report) -> Outcome:
    return next(one for one in report.outcomes if one.source_type == COURTS.source_type)


def read_state(data: Path) -> SourceState:
    """As servers have it, by the manifest and the report of the last update."""
    with closing(builds.open_active(data)) as store:
        states = store.manifest.sources
    return next(one for one in states if one.source_type == COURTS.source_type)


def empty_cache(data: Path) -> None:
    for path in (data / "cache" / COURTS.cache).glob("*/decision.zip"):
        path.unlink()


@pytest.mark.parametrize("others", [False, True])
def test_an_update_tells_of_what_it_fetched_and_could_not_read(
    service: Service, tmp_path: Path, *, others: bool
) -> None:
    data, portals = tmp_path / "data", Portals(service)
    begin(data, tmp_path / "source")
    portals.add(FIRST, write_decision(FIRST))
    add(data, service.url)
    if others:  # so that a build comes about all the same
        neuris = Neuris(service)
        neuris.decide(THIRD, "IX ZR 1/23", "Die erste Entscheidung.")
        neuris.open()
        add(data, service.url, source=NEURIS)
        neuris.decide(THIRD, "IX ZR 1/23", "Die erste Entscheidung, berichtigt.")
        neuris.open()
    live = find_live(data)
    portals.add(SECOND, write_decision(SECOND), modified=TODAY.isoformat())
    report = look(data, service.url, Acting(READING, lambda: empty_cache(data)))
    assert (find_live(data) != live) == others
    assert "no longer there" in str(find_outcome(report).problem)
    assert not report.is_good
    state = read_state(data)
    assert (state.items, state.problem) == (1, find_outcome(report).problem)
    assert state.last_attempt == report.begun_at
    assert find_outcome(look(data, service.url, Heard())).problem is None
    state = read_state(data)
    assert (state.items, state.problem) == (2, None)


def run(data: Path, source: Path) -> Result:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(data)})
    return CliRunner().invoke(ingest, ["--source", str(source)], obj=settings)


def test_an_archive_that_is_cut_short_is_no_success(tmp_path: Path) -> None:
    data, source = tmp_path / "data", tmp_path / "source"
    laws = write_snapshot(source / "gii-2025-01-01")
    live = build(data, laws, engine=TantivyEngine()).release
    (tmp_path / "whole" / "decisions").mkdir(parents=True)
    (tmp_path / "whole" / "decisions" / "1.xml").write_bytes(write_decision(FIRST))
    packed = shutil.make_archive(str(source / "decisions-2026"), "gztar", tmp_path / "whole")
    cut = Path(packed)
    cut.write_bytes(cut.read_bytes()[:-60])
    alone = run(data, cut)
    assert isinstance(alone.exception, SourceError)
    assert "decisions-2026.tar.gz is damaged or cut short" in str(alone.exception)
    assert "What is held of this stays as it was" not in str(alone.exception)  # nothing was
    assert find_live(data) == live
    with_laws = run(tmp_path / "other", source)  # the rest is built, and it is no success either
    assert isinstance(with_laws.exception, SourceError)
    assert find_live(tmp_path / "other")
    shutil.make_archive(str(source / "decisions-2026"), "gztar", tmp_path / "whole")
    assert run(data, cut).exception is None
    assert read_state(data).items == 1
    cut.write_bytes(cut.read_bytes()[:-60])
    again = run(data, cut)
    assert "What is held of this stays as it was" in str(again.exception)
    assert read_state(data).items == 1

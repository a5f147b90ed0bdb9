"""From which day on updates ask a publisher of documents for changes: none falls between looks.

An archive is as old as its newest document, whatever its file says; a selection that is added says
nothing of the rest.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time
from pathlib import Path

import orjson
import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import SourceState
from fundstelle.corpus.updates import Outcome
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.looks import Dated
from fundstelle.ingest.origin import Additions, fetch_additions
from fundstelle.ingest.sources.by_hand import find_collections, find_snapshots
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.registry import COURTS, FEDERAL_LAW, NEURIS, CollectionSource
from fundstelle.ingest.update import Updating, update
from tests.integration.corpora.building import Heard
from tests.integration.corpora.laws import write_law
from tests.integration.corpora.stand_in import LinesEngine
from tests.integration.services.loopback import Service, serve
from tests.integration.services.neuris_service import Neuris
from tests.integration.sources.test_fetch_rii import Portals, write_decision
from tests.unit.ingest.sources.neuris.law_files import LawText, write

OLD, MISSED, LATE = "KORE000000001", "KORE000000002", "KORE000000003"
TODAY = datetime.now(UTC).date()  # what is fetched by hand is of the clock's day


@pytest.fixture
def service() -> Iterator[Service]:
    with serve() as service:
        yield service


@pytest.fixture
def portals(service: Service) -> Portals:
    return Portals(service)


def begin(data: Path, source: Path) -> None:
    """A build of what lies in a folder, every file of it written just now."""
    write_law(source / "gii-2024-02-01" / "laws", "ag", 1, {"§ 1": "Erfunden."})
    ingest(data, [*find_snapshots(source), *find_collections(source)])


def ingest(data: Path, sources: list[Dated | Collection]) -> None:
    now = datetime.now(UTC)
    build_corpus(sources, data, LinesEngine(), BuildOptions(processes=1, now=now), Heard())


def add(data: Path, url: str, since: date | None = None, source: CollectionSource = COURTS) -> None:
    """As ``ingest --decisions``."""
    wanted = Additions((), (source,), since, data, {source.source_type: url})
    ingest(data, [*fetch_additions(wanted, Downloader(pause=0, timeout=5), Heard())])


def look(data: Path, url: str, day: date = TODAY, source: CollectionSource = COURTS) -> Outcome:
    """An update on that day, of which federal law cannot be had."""
    updating = Updating(
        data,
        {FEDERAL_LAW.source_type: f"{url}/nowhere", source.source_type: url},
        Downloader(pause=0, timeout=5, sleep=lambda _seconds: None),
        LinesEngine(),
        BuildOptions(processes=1),
        lambda: datetime.combine(day, time(23, 59), UTC),
    )
    outcomes = update(updating, Heard()).outcomes
    return next(one for one in outcomes if one.source_type == source.source_type)


def read_state(data: Path, source: CollectionSource = COURTS) -> SourceState:
    release = builds.get_live(data)
    assert release is not None
    states = builds.read_manifest(builds.get_folder(data, release)).sources
    return next(one for one in states if one.source_type == source.source_type)


def carry(source: Path, name: str, data: bytes) -> None:
    (source / "decisions").mkdir(parents=True, exist_ok=True)
    (source / "decisions" / name).write_bytes(data)


def test_an_archive_is_as_old_as_its_newest_document(
    service: Service, portals: Portals, tmp_path: Path
) -> None:
    carry(tmp_path / "source", f"{OLD}.xml", write_decision(OLD))  # of 10 January 2024
    begin(tmp_path / "data", tmp_path / "source")
    assert read_state(tmp_path / "data").known_until == date(2024, 1, 10)
    portals.add(MISSED, write_decision(MISSED), modified="2024-03-01")
    outcome = look(tmp_path / "data", service.url)
    assert (outcome.asked, outcome.new, outcome.problem) == (1, 1, None)
    state = read_state(tmp_path / "data")
    assert (state.items, state.known_until) == (2, TODAY)
    assert look(tmp_path / "data", service.url).asked == 0


def test_what_is_dated_by_a_slip_hides_nothing(
    service: Service, portals: Portals, tmp_path: Path
) -> None:
    carry(tmp_path / "source", f"{OLD}.xml", write_decision(OLD))
    slip = write_decision(LATE).replace(b"20240110", b"20990110")
    carry(tmp_path / "source", f"{LATE}.xml", slip)
    begin(tmp_path / "data", tmp_path / "source")
    portals.add(MISSED, write_decision(MISSED), modified="2024-03-01")
    assert look(tmp_path / "data", service.url).new == 1


def test_decisions_of_other_publishers_say_nothing_of_the_one_that_is_followed(
    service: Service, portals: Portals, tmp_path: Path
) -> None:
    carry(tmp_path / "source", f"{OLD}.xml", write_decision(OLD))
    other = {"court": "VG Köln", "file_number": "13 K 1/25", "date": "2025-03-11"}
    record = {**other, "type": "Urteil", "slug": "vg-koeln", "content": "Die Klage ist erfunden."}
    carry(tmp_path / "source", "others.jsonl", orjson.dumps(record))
    begin(tmp_path / "data", tmp_path / "source")
    state = read_state(tmp_path / "data")
    assert (state.items, state.stand) == (2, date(2025, 3, 11))
    portals.add(MISSED, write_decision(MISSED), modified="2024-03-01")
    assert look(tmp_path / "data", service.url).new == 1


def test_an_archive_of_laws_is_no_newer_than_its_files(tmp_path: Path) -> None:
    """Though it holds texts that begin later, and that are in force by now."""
    law = LawText(point=date(2024, 1, 10), begins=date(2026, 1, 1), made_on=date(2024, 1, 20))
    folder = tmp_path / "source" / "neuris-laws"
    folder.mkdir(parents=True)
    (folder / "regelungstext-1.xml").write_bytes(write(law))
    begin(tmp_path / "data", tmp_path / "source")
    state = read_state(tmp_path / "data", NEURIS)
    assert (state.stand, state.known_until) == (date(2026, 1, 1), date(2024, 1, 20))


def test_a_selection_that_is_added_hides_nothing_of_the_rest(
    service: Service, portals: Portals, tmp_path: Path
) -> None:
    carry(tmp_path / "source", f"{OLD}.xml", write_decision(OLD))
    begin(tmp_path / "data", tmp_path / "source")
    new = write_decision(LATE).replace(b"20240110", b"20241201")
    portals.add(LATE, new, day="20241201", modified="2024-12-10")
    portals.add(MISSED, write_decision(MISSED), day="20240110", modified="2024-03-01")
    add(tmp_path / "data", service.url, date(2024, 12, 1))
    state = read_state(tmp_path / "data")
    assert (state.items, state.known_until) == (2, date(2024, 1, 10))
    assert look(tmp_path / "data", service.url).new == 2
    assert read_state(tmp_path / "data").items == 3


def test_a_selection_by_itself_is_followed_from_its_newest_document(
    service: Service, portals: Portals, tmp_path: Path
) -> None:
    begin(tmp_path / "data", tmp_path / "source")
    for number, day in ((OLD, "20240110"), (LATE, "20241201")):
        data = write_decision(number).replace(b"20240110", day.encode())
        portals.add(number, data, day=day, modified="2024-12-10")
        add(tmp_path / "data", service.url, date.fromisoformat(day))
        assert read_state(tmp_path / "data").held_until == date(2024, 1, 10)


def test_all_of_it_is_a_look(service: Service, portals: Portals, tmp_path: Path) -> None:
    begin(tmp_path / "data", tmp_path / "source")
    portals.add(OLD, write_decision(OLD), modified="2024-03-01")
    add(tmp_path / "data", service.url)
    assert read_state(tmp_path / "data").known_until == TODAY
    assert look(tmp_path / "data", service.url).asked == 0


def test_laws_that_were_added_since_a_day_hide_nothing(service: Service, tmp_path: Path) -> None:
    law = LawText(made_on=date(2024, 1, 20))
    folder = tmp_path / "source" / "neuris-laws"
    folder.mkdir(parents=True)
    (folder / "regelungstext-1.xml").write_bytes(write(law))
    begin(tmp_path / "data", tmp_path / "source")
    neuris = Neuris(service)
    neuris.decide(LATE, "IX ZR 1/23", "Die erste Entscheidung.")
    neuris.open()
    add(tmp_path / "data", service.url, date(2025, 1, 1), NEURIS)
    state = read_state(tmp_path / "data", NEURIS)
    assert (state.items, state.known_until) == (2, date(2024, 1, 20))
    assert look(tmp_path / "data", service.url, source=NEURIS).asked == 1

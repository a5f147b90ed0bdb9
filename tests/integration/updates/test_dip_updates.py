"""Days of commencement from the Bundestag's record: followed, kept, joined to texts, answered."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

import jsonschema
import orjson
import pytest
from click.testing import CliRunner

from fundstelle.bootstrap.library import open_library
from fundstelle.cli.update import update_command
from fundstelle.corpus import builds
from fundstelle.corpus.updates import REPORT, Outcome, Report
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.history.commencing import FOLDER
from fundstelle.ingest.history.looks import LawHistory
from fundstelle.ingest.sources.dip.service import SOURCE_TYPE, Parliament
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.registry import FEDERAL_LAW
from fundstelle.ingest.update import Updating, update
from fundstelle.law.norms import DatePrecision
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_law
from tests.integration.corpora.past_site import Past, PastFiles, PastSite, Version, serve_past
from tests.integration.services.dip_service import Dip, _validate, make_vorgang, require_description
from tests.integration.services.loopback import Answer, serve
from tests.integration.updates.updating import begin

KEY = "a-key-of-nobody"
BEFORE, SEEN, LATER = date(2024, 7, 31), date(2024, 8, 7), date(2024, 8, 14)
DAY = "2024-08-01"
ACT = "G v. 19.7.2024 I Nr. 234"
NOTE = "(+++ § 1: IdF d. Art. 5 G v. 19.7.2024 I Nr. 234 mWv 3.8.2024 +++)"


def write_version(folder: Path, slug: str, text: str, stand: str, note: str = "") -> bytes:
    """A law of one section that changes and one that does not."""
    number = {"ag": 1, "bg": 2}[slug]
    path = write_law(folder, slug, number, {"§ 1": text, "§ 2": "Gleich."}, name=slug.upper())
    written = path.read_text(encoding="utf-8")
    stand = (
        f"<standangabe><standtyp>Stand</standtyp><standkommentar>{stand}</standkommentar>"
        "</standangabe></metadaten>"
    )
    written = written.replace("</metadaten>", stand, 1)
    footnote = f"</text><fussnoten><Content><P>{note}</P></Content></fussnoten>"
    return (written.replace("</text>", footnote, 1) if note else written).encode()


@pytest.fixture
def past(tmp_path: Path) -> Past:
    old = "Zuletzt geändert durch Art. 1 G v. 1.2.2021 I 3"
    folder, past = tmp_path / "laws", Past([BEFORE, SEEN, LATER])
    for slug, article, note in (("ag", 4, ""), ("bg", 5, NOTE)):
        new = f"Zuletzt geändert durch Art. {article} {ACT}"
        number = f"BJNR9{ ({'ag': 1, 'bg': 2}[slug]):08d}"
        past.versions[slug] = [
            Version(f"{slug}/{number}/{BEFORE}.xml", write_version(folder, slug, "Alt.", old)),
            Version(f"{slug}/{number}/{SEEN}.xml", write_version(folder, slug, "Neu.", new, note)),
        ]
    past.tables = {day: {"ag": "AG", "bg": "BG"} for day in past.days}
    return past


@pytest.fixture
def site(past: Past) -> Iterator[PastSite]:
    with serve_past(past) as site:
        yield site


@pytest.fixture
def dip() -> Iterator[Dip]:
    with serve() as service:
        yield Dip(service)


@pytest.fixture
def waits() -> list[float]:
    return []


def look(data: Path, site: PastSite, dip: Dip | None, day: date, waits: list[float]) -> Report:
    site.today = day
    updating = Updating(
        data,
        {FEDERAL_LAW.source_type: site.url},
        Downloader(pause=0, timeout=5, sleep=waits.append),
        TantivyEngine(),
        BuildOptions(processes=1),
        lambda: datetime.combine(day, time(12), UTC),
        Parliament(dip.service.url, KEY) if dip is not None else None,
    )
    heard = Heard()
    report = update(updating, heard)
    assert KEY not in (data / REPORT).read_text()
    assert not any(KEY in line for line in (*heard.notes, *heard.phases))
    return report


def get_outcome(report: Report) -> Outcome:
    (outcome,) = [one for one in report.outcomes if one.source_type == SOURCE_TYPE]
    return outcome


def read_days(data: Path, norm_id: str) -> list[tuple[str | None, DatePrecision]]:
    with closing(builds.open_active(data)) as store:
        return [
            (head.in_force_from.isoformat() if head.in_force_from else None, head.date_precision)
            for head in store.list_fassungen(norm_id)
        ]


def ask(data: Path, citation: str, as_of: str) -> dict[str, Any]:
    with closing(open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))) as library:
        registry = build_registry(library, today=lambda: LATER, base_url="")
        tool = next(one for one in registry.tools if one.name == "legal_lookup")
        arguments = {"citation": citation, "as_of": as_of, "response_format": "detailed"}
        answer = tool.call(arguments, CallContext("", ""))
    read: dict[str, Any] = orjson.loads(answer.structured or b"{}")
    return read


UNKNOWN, SEEN_FIRST = (None, DatePrecision.UNKNOWN), ("2024-08-07", DatePrecision.FIRST_SEEN)
SAID = (DAY, DatePrecision.PARLIAMENT)


def test_a_day_comes_is_changed_and_goes_with_the_record(
    site: PastSite, dip: Dip, past: Past, tmp_path: Path, waits: list[float]
) -> None:
    data = tmp_path / "data"
    begin(data, site)
    assert look(data, site, dip, SEEN, waits).is_good
    assert read_days(data, "de/ag/1") == [UNKNOWN, SEEN_FIRST]

    dip.documents = [make_vorgang(7, "2024-08-05T10:00:00+02:00", (DAY, ""))]
    report = look(data, site, dip, SEEN, waits)  # the same day: no look, but a day
    assert (get_outcome(report).asked, get_outcome(report).new) == (1, 1)
    assert read_days(data, "de/ag/1") == [UNKNOWN, SAID]
    assert read_days(data, "de/ag/2") == [UNKNOWN]
    release = report.release
    assert look(data, site, dip, SEEN, waits).release == release  # nothing is built for nothing

    whole = tmp_path / "whole"
    shutil.copytree(data / "looks" / FOLDER, whole / "looks" / FOLDER)
    build(whole, [LawHistory(PastFiles(Past(past.days[:2], past.versions, past.tables)))])
    for statute_id in ("de/ag", "de/bg"):
        with closing(builds.open_active(data)) as one, closing(builds.open_active(whole)) as other:
            assert one.list_histories(statute_id) == other.list_histories(statute_id)

    days = [("2024-08-05", ""), ("2025-01-01", "Artikel 9")]
    dip.documents = [make_vorgang(7, "2024-08-08T10:00:00+02:00", *days)]
    assert look(data, site, dip, LATER, waits).is_good
    assert read_days(data, "de/ag/1") == [UNKNOWN, SEEN_FIRST]  # article 4 is not named
    days = [("2024-08-05", "Artikel 1 bis 4"), ("2025-01-01", "Artikel 9")]
    dip.documents = [make_vorgang(7, "2024-08-09T10:00:00+02:00", *days)]
    look(data, site, dip, LATER, waits)
    assert read_days(data, "de/ag/1") == [UNKNOWN, ("2024-08-05", DatePrecision.PARLIAMENT)]
    dip.documents = [make_vorgang(7, "2024-08-10T10:00:00+02:00", verkuendung=[])]
    look(data, site, dip, LATER, waits)
    assert read_days(data, "de/ag/1") == [UNKNOWN, SEEN_FIRST]
    kept = sorted((data / "looks" / FOLDER / "vorgaenge" / "7").iterdir())
    assert len(kept) == 4  # every state that was fetched


def test_a_state_of_a_day_to_come_hides_no_later_one(
    site: PastSite, dip: Dip, tmp_path: Path, waits: list[float]
) -> None:
    data = tmp_path / "data"
    begin(data, site)
    dip.documents = [make_vorgang(1, "2062-08-01T00:00:00+02:00", ("2024-07-01", ""))]
    look(data, site, dip, SEEN, waits)
    dip.documents += [make_vorgang(7, "2024-08-10T10:00:00+02:00", (DAY, ""))]
    look(data, site, dip, LATER, waits)
    assert (data / "looks" / FOLDER / "vorgaenge" / "7").is_dir()
    state = data / "looks" / FOLDER / "state.json"
    written = orjson.loads(state.read_bytes())
    assert written["since"].startswith("2024-08-10")
    written["since"] = "2062-08-01T00:00:00+02:00"  # as versions before this one left it
    state.write_bytes(orjson.dumps(written))
    dip.documents += [make_vorgang(8, "2024-08-11T10:00:00+02:00", (DAY, ""))]
    look(data, site, dip, LATER, waits)
    assert (data / "looks" / FOLDER / "vorgaenge" / "8").is_dir()


def test_an_answer_names_parliament_and_says_where_the_publisher_says_another_day(
    site: PastSite, dip: Dip, tmp_path: Path, waits: list[float]
) -> None:
    begin(tmp_path, site)
    dip.documents = [make_vorgang(7, "2024-08-05T10:00:00+02:00", (DAY, ""))]
    look(tmp_path, site, dip, SEEN, waits)
    new = ask(tmp_path, "§ 1 AG", "2024-08-02")["norm"]
    assert new["content"] == "Neu."
    assert new["provenance"]["valid_from"] == DAY
    assert new["provenance"]["date_basis"] == "parliament"
    assert new["provenance"]["date_precision"] == "exact"
    assert "validity_notes" not in new
    old = ask(tmp_path, "§ 1 AG", "2024-07-31")["norm"]
    assert (old["content"], old["provenance"]["valid_to"]) == ("Alt.", DAY)

    disputed = ask(tmp_path, "§ 1 BG", "2024-08-10")["norm"]
    assert disputed["provenance"]["valid_from"] == "2024-08-03"
    assert disputed["provenance"]["date_basis"] == "publisher"
    [note] = disputed["validity_notes"]
    assert (note["kind"], note["source"]) == ("applicability", "Deutscher Bundestag - DIP")
    assert "1.8.2024" in note["text"]
    assert f"Art. 5 {ACT}" in note["text"]


def test_days_stay_without_a_key_and_a_failure_leaves_the_last_state(
    site: PastSite, dip: Dip, tmp_path: Path, waits: list[float]
) -> None:
    begin(tmp_path, site)
    dip.documents = [make_vorgang(7, "2024-08-05T10:00:00+02:00", (DAY, ""))]
    look(tmp_path, site, dip, SEEN, waits)
    kept = {path: path.read_bytes() for path in (tmp_path / "looks" / FOLDER).rglob("*.json")}
    dip.documents = [make_vorgang(7, "2024-08-09T10:00:00+02:00", ("2024-08-05", ""))]
    for number, (wrong, said) in enumerate(
        (
            (Answer(b"", failures=[401]), "401"),
            (Answer(b"<html>one moment, please</html>"), "no list of Vorgänge"),
            (Answer(b'{"numFound": 1, "cursor": "x", "documents": ["7"]}'), "no list"),
            (Answer(b'{"numFound": 1, "cursor": "x", "documents": [{}]}'), "without id or day"),
        )
    ):
        dip.instead = {"": wrong}
        report = look(tmp_path, site, dip, SEEN if number else LATER, waits)
        problem = get_outcome(report).problem
        assert problem is not None
        assert said in problem
        assert not report.is_good
        for path, written in kept.items():
            assert path.read_bytes() == written or path.name == "state.json"
        assert read_days(tmp_path, "de/ag/1") == [UNKNOWN, SAID]
    assert SOURCE_TYPE not in {
        one.source_type for one in look(tmp_path, site, None, LATER, waits).outcomes
    }
    assert read_days(tmp_path, "de/ag/1") == [UNKNOWN, SAID]


def test_a_list_is_read_page_by_page_and_again_only_where_it_changed(
    site: PastSite, dip: Dip, tmp_path: Path, waits: list[float]
) -> None:
    require_description()
    begin(tmp_path, site)
    other = [
        make_vorgang(number, "2024-08-05T09:00:00+02:00", verkuendung=[])
        for number in range(10, 15)
    ]
    dip.documents = [*other, make_vorgang(7, "2024-08-05T10:00:00+02:00", (DAY, ""))]
    dip.size = 2
    report = look(tmp_path, site, dip, SEEN, waits)
    assert (get_outcome(report).asked, get_outcome(report).new) == (6, 1)
    assert {path.name for path in (tmp_path / "looks" / FOLDER / "vorgaenge").iterdir()} == {"7"}
    assert all(one.headers["Authorization"] == f"ApiKey {KEY}" for one in dip.service.asked)
    assert all(KEY not in path for path in dip.service.paths)
    assert min(seconds for seconds in waits if seconds) >= 0.5
    look(tmp_path, site, dip, SEEN, waits)  # from the newest change on, less what comes late
    dip.service.asked.clear()
    assert get_outcome(look(tmp_path, site, dip, SEEN, waits)).new == 0
    assert dip.service.asked
    assert all(one.is_conditional for one in dip.service.asked)


def test_a_list_that_lacks_what_it_counts_is_not_taken_and_one_in_haste_is_waited_for(
    site: PastSite, dip: Dip, tmp_path: Path, waits: list[float]
) -> None:
    begin(tmp_path, site)
    dip.documents = [make_vorgang(7, "2024-08-05T10:00:00+02:00", (DAY, ""))]
    dip.claimed = 1
    report = look(tmp_path, site, dip, SEEN, waits)
    assert "says that there are 2" in str(get_outcome(report).problem)
    assert read_days(tmp_path, "de/ag/1") == [UNKNOWN, SEEN_FIRST]
    dip.claimed = 0
    busy = dip.page("/api/v1/vorgang?f.aktualisiert.start=2022-01-01")
    assert busy is not None
    busy.failures, busy.headers = [429, 429], {"Retry-After": "17"}
    dip.instead = {"": busy}
    assert look(tmp_path, site, dip, SEEN, waits).is_good
    assert waits.count(17) == 2
    assert read_days(tmp_path, "de/ag/1") == [UNKNOWN, SAID]


def test_a_list_that_never_ends_is_given_up_by_its_size(
    site: PastSite,
    dip: Dip,
    tmp_path: Path,
    waits: list[float],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Five thousand pages of 32 MB would fill the disk that the accounts are on."""
    begin(tmp_path, site)
    dip.documents = [make_vorgang(n, "2024-08-05T10:00:00+02:00", (DAY, "")) for n in range(40)]
    dip.size = 1
    monkeypatch.setattr("fundstelle.ingest.sources.dip.service._MOST_LIST", 9_000)
    assert "lists more than" in str(get_outcome(look(tmp_path, site, dip, SEEN, waits)).problem)
    assert 1 < len([one for one in dip.service.paths if "vorgang" in one]) < 40
    assert read_days(tmp_path, "de/ag/1") == [UNKNOWN, SEEN_FIRST]


def test_nobody_else_is_asked_where_the_service_sends_us(
    site: PastSite, dip: Dip, tmp_path: Path, waits: list[float]
) -> None:
    begin(tmp_path, site)
    with serve() as stranger:
        away = {"Location": f"{stranger.url}/api/v1/vorgang"}
        dip.instead = {"": Answer(b"", failures=[302] * 9, headers=away)}
        problem = get_outcome(look(tmp_path, site, dip, SEEN, waits)).problem
        assert "is not followed" in str(problem)
        assert not stranger.asked


def test_the_command_follows_the_record_where_a_key_is_set(
    site: PastSite, dip: Dip, tmp_path: Path
) -> None:
    begin(tmp_path, site)
    names = {
        "FUNDSTELLE_DATA": str(tmp_path),
        "FUNDSTELLE_SITE_URL": site.url,
        "FUNDSTELLE_DIP_URL": dip.service.url,
    }
    for key in ({}, {"FUNDSTELLE_DIP_KEY": KEY}):
        settings = Settings.from_env({**names, **key})
        assert KEY not in repr(settings)
        result = CliRunner().invoke(update_command, ["--pause", "0"], obj=settings)
        assert bool(dip.service.asked) == bool(key), result.output
        assert KEY not in result.output


def test_what_the_service_here_says_is_what_the_description_allows() -> None:
    require_description()
    with pytest.raises(jsonschema.ValidationError):
        _validate(b'{"numFound": 1, "documents": []}')

"""The federal legal information system, played by a loopback server: fetched, followed, answered.

What is asked for, what fails and what is taken back; and that no law or decision that another
source has is replaced by it (ADR 0028).
"""

import shutil
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from fundstelle.bootstrap.library import open_library
from fundstelle.cli.ingest import ingest
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.updates import LOOKS, Outcome
from fundstelle.errors import CorpusError, SourceError
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.origin import Additions, fetch_additions
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.by_hand import find_collections, find_snapshots
from fundstelle.ingest.sources.files import patience
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.files.patience import limited
from fundstelle.ingest.sources.neuris import portal
from fundstelle.ingest.sources.neuris.service import (
    Listed,
    Owed,
    Service,
    list_expressions,
    name_decision,
)
from fundstelle.ingest.sources.neuris.service import list_decisions as list_decisions_of
from fundstelle.ingest.sources.registry import COURTS, FEDERAL_LAW, NEURIS
from fundstelle.ingest.update import Updating, update
from fundstelle.law.decisions import Decision
from fundstelle.law.norms import Statute
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_law, write_snapshot
from tests.integration.services.loopback import Answer, pack, serve
from tests.integration.services.neuris_service import Neuris, get_zip
from tests.integration.sources.test_fetch_rii import write_decision as write_rii
from tests.unit.ingest.sources.neuris.law_files import LawText, write

DAY = date(2025, 2, 10)
OLD = LawText(last=date(2021, 6, 30), sections={"1": "Alte Moose.", "2": "Steine."})
NEW = LawText(
    point=date(2021, 5, 5),
    begins=date(2021, 7, 1),
    amended=True,
    sections={"1": "Neue Moose.", "2": "Steine."},
)
MOOS = OLD.work


@pytest.fixture
def neuris() -> Iterator[Neuris]:
    with serve() as service:
        yield Neuris(service)


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def client(waits: list[float]) -> Downloader:
    return Downloader(pause=0, timeout=5, sleep=waits.append)


def begin(data: Path, source: Path) -> None:
    """A live build of federal law alone."""
    write_snapshot(source / "gii-2025-01-01", laws=1)
    build(data, [*find_snapshots(source), *find_collections(source)])


def add(data: Path, neuris: Neuris, client: Downloader, since: date | None = None) -> Manifest:
    """As ``ingest --add neuris``."""
    neuris.open()
    addresses = {NEURIS.source_type: neuris.service.url}
    wanted = Additions((), (NEURIS,), since, data, addresses)
    heard = Heard()
    return build(data, fetch_additions(wanted, client, heard), engine=TantivyEngine(), heard=heard)


def look(data: Path, neuris: Neuris, client: Downloader, day: date = DAY) -> Outcome:
    """What an update on that day says of this source."""
    neuris.open()
    nowhere = neuris.service.url + "/nowhere"
    updating = Updating(
        data,
        {
            FEDERAL_LAW.source_type: nowhere,
            COURTS.source_type: nowhere,
            NEURIS.source_type: neuris.service.url,
        },
        client,
        TantivyEngine(),
        BuildOptions(processes=1),
        lambda: datetime.combine(day, time(12), UTC),
    )
    outcomes = update(updating, Heard()).outcomes
    return next(one for one in outcomes if one.source_type == NEURIS.source_type)


def list_laws(data: Path) -> dict[str, Statute]:
    store = builds.open_active(data)
    laws = {one.publisher_id: one for one in store.statutes.values()}
    store.close()
    return {name: one for name, one in laws.items() if one.source_type == NEURIS.source_type}


def list_decisions(data: Path) -> list[tuple[Decision, str]]:
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    decisions = library.decisions
    found = [
        (decision, text.text)
        for _, decision, text in decisions.iter_texts(0, decisions.count())  # type: ignore[attr-defined]
    ]
    library.close()
    return found


def ask(data: Path, tool: str, **arguments: object) -> dict[str, Any]:
    """What a tool answers from the live build."""
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    registry = build_registry(library, today=lambda: DAY, base_url="")
    found = next(one for one in registry.tools if one.name == tool)
    answer = found.call(arguments, CallContext("", ""))
    library.close()
    read: dict[str, Any] = orjson.loads(answer.structured or b"{}")
    return read


def test_laws_and_decisions_are_fetched_built_and_answered(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD, NEW, annex=True)
    neuris.decide("KORE700012023", "IX ZR 1/23", "Die Revision über Moose wird zurückgewiesen.")
    manifest = add(data, neuris, client)
    (state,) = [one for one in manifest.sources if one.source_type == NEURIS.source_type]
    assert (state.items, state.url) == (2, neuris.service.url + "/")
    norm = ask(data, "legal_lookup", citation="§ 1 MoosG")["norm"]
    assert (norm["content"], norm["norm_id"]) == ("Neue Moose.", "de/moosg-2019-s77/1")
    said = norm["provenance"]
    assert (said["valid_from"], said["date_basis"]) == ("2021-07-01", "publisher")
    former = ask(data, "legal_lookup", citation="§ 1 MoosG", as_of="2020-01-01")["norm"]
    assert former["content"] == "Alte Moose."
    said = former["provenance"]
    assert (said["valid_from"], said["valid_to"]) == ("2019-04-01", "2021-07-01")
    unchanged = ask(data, "legal_lookup", citation="§ 2 MoosG", as_of="2020-01-01")["norm"]
    assert unchanged["provenance"]["valid_from"] == "2019-04-01"
    assert "valid_to" not in unchanged["provenance"]
    before = ask(data, "legal_lookup", citation="§ 1 MoosG", as_of="2010-01-01")
    assert before["found"] is False
    assert norm["law"]["is_current"] is True
    annex = ask(data, "legal_lookup", citation="Anlage 1 MoosG")["norm"]
    assert annex["content"] == "Eine Anlage."
    decision = ask(data, "legal_lookup", citation="BGH, Urteil vom 4.5.2023 - IX ZR 1/23")
    assert decision["found"] is True
    hits = ask(data, "legal_search", query="Moose", source_type=NEURIS.source_type)["hits"]
    assert "de/moosg-2019-s77/1" in {hit["norm_id"] for hit in hits}


def test_days_are_said_as_the_publisher_says_them_and_none_of_a_look(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    last = LawText(
        point=date(2022, 12, 1),
        begins=date(2023, 1, 1),
        last=date(2023, 12, 31),
        amended=True,
        sections={"2": "Steine."},
    )
    neuris.publish(NEW, last)
    add(data, neuris, client)
    first = ask(data, "legal_lookup", citation="§ 1 MoosG", as_of="2022-12-31")["norm"]
    assert {k: v for k, v in first["provenance"].items() if "sha" not in k} == {
        "version_date": "2021-07-01",
        "valid_to": "2023-01-01",
        "date_basis": "publisher",
    }
    assert "warnings" not in first or not any("look" in one for one in first["warnings"])
    gone = ask(data, "legal_lookup", citation="§ 1 MoosG", as_of="2023-06-01")
    assert (gone["status"], gone["evidence"]["repealed_on"]) == ("repealed", "2023-01-01")
    ended = ask(data, "legal_lookup", citation="§ 2 MoosG", as_of="2024-06-01")
    assert (ended["status"], ended["evidence"]["repealed_on"]) == ("repealed", "2024-01-01")


def test_nothing_is_asked_of_it_that_nobody_asked_for(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD)
    with pytest.raises(StopIteration):  # no outcome of it
        look(data, neuris, client)
    assert not [path for path in neuris.service.paths if path.startswith("/v1/")]


def test_an_update_takes_what_the_changelog_names_and_nothing_else(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    other = LawText(work="eli/bund/bgbl-1/2018/s5", abbreviation="FarnG")
    neuris.publish(OLD, other)
    add(data, neuris, client)
    neuris.go_on()
    del neuris.service.asked[:]
    neuris.publish(NEW)
    outcome = look(data, neuris, client)
    assert (outcome.asked, outcome.problems, outcome.problem) == (1, (), None)
    assert get_zip(other) not in neuris.service.paths
    assert ask(data, "legal_lookup", citation="§ 1 MoosG")["norm"]["content"] == "Neue Moose."
    former = ask(data, "legal_lookup", citation="§ 1 MoosG", as_of="2020-01-01")["norm"]
    assert former["content"] == "Alte Moose."
    assert ask(data, "legal_lookup", citation="§ 1 FarnG")["found"] is True


def test_updates_in_turn_give_what_all_at_once_gives(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    for name in ("turn", "once"):
        begin(tmp_path / name, tmp_path / "gii")
    neuris.publish(OLD)
    add(tmp_path / "turn", neuris, client)
    neuris.go_on()
    neuris.publish(NEW)
    look(tmp_path / "turn", neuris, client)
    add(tmp_path / "once", neuris, client)
    histories = []
    for name in ("turn", "once"):
        store = builds.open_active(tmp_path / name)
        histories.append(
            (store.statutes["de/moosg-2019-s77"], store.list_histories("de/moosg-2019-s77"))
        )
        store.close()
    assert histories[0] == histories[1]


def test_a_text_that_was_taken_back_leaves_the_history_of_its_law(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD, NEW)
    add(data, neuris, client)
    neuris.go_on()
    neuris.take_back(NEW.eli)
    outcome = look(data, neuris, client)
    assert (outcome.problem, outcome.problems) == (None, ())
    assert list_laws(data)[MOOS].listed
    former = ask(data, "legal_lookup", citation="§ 1 MoosG", as_of="2020-01-01")["norm"]
    assert former["content"] == "Alte Moose."
    assert ask(data, "legal_lookup", citation="§ 1 MoosG")["found"] is False


def test_a_law_that_was_taken_back_is_removed_and_a_decision_is_gone(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(NEW)
    neuris.decide("KORE700012023", "IX ZR 1/23", "Die erste Entscheidung.")
    neuris.decide("KORE700022023", "IX ZR 2/23", "Die zweite Entscheidung.")
    add(data, neuris, client)
    neuris.go_on()
    neuris.take_back(NEW.eli)
    neuris.take_back("KORE700012023")
    neuris.open()
    heard = Heard()
    order = Order(data / "cache" / "neuris", neuris.service.url, since=DAY)
    files = portal.fetch(order, client, heard, datetime.combine(DAY, time(12), UTC))
    assert heard.notes == [
        f"{MOOS} was taken back by its publisher",
        "KORE700012023 was taken back by its publisher",
    ]
    assert files is not None
    build(data, [Collection(NEURIS, files, adds=True)], engine=TantivyEngine())
    assert not list_laws(data)[MOOS].listed
    found = ask(data, "legal_lookup", citation="§ 1 MoosG")
    assert "removed" in orjson.dumps(found).decode()
    assert [decision.dockets for decision, _ in list_decisions(data)] == [("IX ZR 2/23",)]


def test_what_failed_is_told_kept_as_it_was_and_asked_for_again(
    neuris: Neuris, client: Downloader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD)
    neuris.decide("KORE700012023", "IX ZR 1/23", "Die erste Entscheidung.")
    add(data, neuris, client)
    neuris.go_on()
    neuris.publish(NEW)
    neuris.decide("KORE700022023", "IX ZR 2/23", "Die zweite Entscheidung.")
    whole = neuris.service.answers[get_zip(NEW)]
    neuris.service.answers[get_zip(NEW)] = Answer(whole.body[:-30], etag='"half"')
    missing = neuris.service.answers.pop("/v1/case-law/KORE700022023.xml")
    outcome = look(data, neuris, client)
    assert len(outcome.problems) == 3
    assert "no whole zip" in outcome.problems[0] or "damaged" in outcome.problems[0]
    assert ask(data, "legal_lookup", citation="§ 1 MoosG", as_of="2020-01-01")["found"] is True
    neuris.go_on()  # no changelog names them any more
    shutil.rmtree(data / "cache")  # and a backup has none
    neuris.service.answers[get_zip(NEW)] = whole
    neuris.service.answers["/v1/case-law/KORE700022023.xml"] = missing
    with monkeypatch.context() as patched:  # they come on a day on which nothing can be built
        patched.setattr("fundstelle.ingest.update.build_corpus", fail_to_build)
        outcome = look(data, neuris, client, date(2025, 2, 11))
        assert (outcome.asked, outcome.problem) == (2, "the disk is full")
    neuris.go_on()
    outcome = look(data, neuris, client, date(2025, 2, 12))
    assert (outcome.asked, outcome.problems) == (2, ())
    assert ask(data, "legal_lookup", citation="§ 1 MoosG")["norm"]["content"] == "Neue Moose."
    assert len(list_decisions(data)) == 2
    assert look(data, neuris, client, date(2025, 2, 13)).asked == 0


def fail_to_build(*_: object) -> Manifest:
    raise CorpusError("the disk is full")


def test_a_text_to_come_is_read_on_its_day_though_nothing_changed(
    neuris: Neuris, client: Downloader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD)
    add(data, neuris, client)
    cache, kept = data / "cache" / "neuris", data / LOOKS / "neuris"
    neuris.go_on()
    neuris.publish(NEW)
    neuris.open()
    order = Order(cache, neuris.service.url, since=DAY, kept=kept)
    portal.fetch(order, client, Heard(), datetime(2021, 6, 1, tzinfo=UTC))
    assert orjson.loads((kept / "owed.json").read_bytes())["coming"] == {MOOS: "2021-07-01"}
    neuris.go_on()
    with monkeypatch.context() as patched:
        patched.setattr("fundstelle.ingest.update.build_corpus", fail_to_build)
        assert look(data, neuris, client).problem == "the disk is full"
    assert look(data, neuris, client).asked == 1
    assert ask(data, "legal_lookup", citation="§ 1 MoosG")["norm"]["content"] == "Neue Moose."
    assert look(data, neuris, client).asked == 0


def find_live(data: Path) -> str:
    release = builds.get_live(data)
    assert release is not None
    return release


def test_what_a_build_lacks_is_asked_for_again_where_it_is_made_live_again(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD)
    add(data, neuris, client)
    neuris.go_on()
    neuris.publish(NEW)
    neuris.decide("KORE700012023", "IX ZR 1/23", "Die erste Entscheidung.")
    neuris.decide("KORE700022023", "IX ZR 2/23", "Die zweite Entscheidung.")
    owed = (get_zip(NEW), "/v1/case-law/KORE700022023.xml")
    answers = {path: neuris.service.answers.pop(path) for path in owed}
    assert look(data, neuris, client).problems
    lacking = find_live(data)
    assert len(list_decisions(data)) == 1
    neuris.go_on()
    neuris.service.answers |= answers
    for _ in range(2):
        outcome = look(data, neuris, client)
        assert (outcome.asked, outcome.problem, outcome.problems) == (2, None, ())
        assert ask(data, "legal_lookup", citation="§ 1 MoosG")["norm"]["content"] == "Neue Moose."
        assert len(list_decisions(data)) == 2
        assert look(data, neuris, client).asked == 0
        builds.activate(data, lacking)


def test_a_text_to_come_is_read_again_where_a_build_of_before_its_day_is_made_live(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD)
    add(data, neuris, client)
    neuris.go_on()
    neuris.publish(NEW)
    look(data, neuris, client, date(2021, 6, 1))
    before = find_live(data)
    neuris.go_on()
    neuris.decide("KORE700012023", "IX ZR 1/23", "Die erste Entscheidung.")
    assert look(data, neuris, client, date(2021, 7, 2)).asked == 2
    assert find_live(data) != before
    neuris.go_on()
    assert look(data, neuris, client, date(2021, 7, 3)).asked == 0
    builds.activate(data, before)
    assert look(data, neuris, client, date(2021, 7, 3)).asked == 1


def empty(neuris: Neuris) -> None:
    """The newest text holds no words any more."""
    neuris.publish(replace(NEW, sections={}))


def postpone(neuris: Neuris) -> None:
    """The newest text is to begin on a day to come."""
    neuris.publish(replace(NEW, begins=date(2099, 1, 1)))


def end_before(neuris: Neuris) -> None:
    """The newest text is said to end before it begins."""
    neuris.publish(replace(NEW, last=date(2021, 5, 1)))


@pytest.mark.parametrize("spoil", [empty, postpone, end_before])
def test_a_law_of_which_only_an_older_text_comes_keeps_nothing_else_waiting(
    neuris: Neuris, client: Downloader, tmp_path: Path, spoil: Callable[[Neuris], None]
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD, NEW)
    add(data, neuris, client)
    neuris.go_on()
    neuris.publish(LawText(work="eli/bund/bgbl-1/2018/s5", abbreviation="FarnG"))
    neuris.decide("KORE700012023", "IX ZR 1/23", "Die Revision über Moose wird zurückgewiesen.")
    spoil(neuris)
    outcome = look(data, neuris, client)
    assert outcome.problem is None
    (told,) = [one for one in outcome.problems if one.startswith(f"{MOOS}: only an older text")]
    assert "what is held stays" in told
    assert ask(data, "legal_lookup", citation="§ 1 MoosG")["norm"]["content"] == "Neue Moose."
    assert ask(data, "legal_lookup", citation="§ 1 FarnG")["found"] is True
    assert len(list_decisions(data)) == 1
    again = look(data, neuris, client, DAY + timedelta(days=1))
    assert [one for one in again.problems if one.startswith(MOOS)] == [told]
    neuris.go_on()
    neuris.publish(NEW, replace(NEW, point=date(2024, 1, 1), begins=date(2024, 2, 1)))
    assert look(data, neuris, client, DAY + timedelta(days=2)).problems == ()
    manifest = builds.open_active(data).manifest
    (state,) = [one for one in manifest.sources if one.source_type == NEURIS.source_type]
    assert state.items == 3
    assert list_laws(data)[MOOS].stand == date(2024, 2, 1)


@pytest.mark.parametrize("tag", ["inkraft", "FRBRuri"])
def test_tags_that_never_end_do_not_hold_up_what_else_was_fetched(
    neuris: Neuris, client: Downloader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tag: str
) -> None:
    neuris.decide("KORE600012023", "I ZR 1/23", "Text.")
    path = "/v1/case-law/KORE600012023.xml"
    hostile = neuris.service.answers[path].body + b"<!--" + f"<{tag} ".encode() * 100_000 + b"-->"
    neuris.service.answers[path] = Answer(hostile, kind="application/xml")
    neuris.open()
    service = Service.open(Order(tmp_path, neuris.service.url), client)
    listed = name_decision("KORE600012023")
    fetching = portal.Fetching(service, datetime.combine(DAY, time(12), UTC), Heard())
    assert fetching.take([listed], "decisions") == {listed.name}
    monkeypatch.setattr(patience, "MOST_S", 15.0)
    with limited():
        assert portal.note_owed(fetching.finish()).owed == Owed()


def test_all_changed_means_that_everything_is_read_again(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    gone = LawText(work="eli/bund/bgbl-1/2018/s5", abbreviation="FarnG")
    neuris.publish(OLD, gone)
    add(data, neuris, client)
    neuris.take_back(gone.eli)
    neuris.go_on()
    neuris.publish(NEW)
    neuris.go_on()
    neuris.all_changed = True
    outcome = look(data, neuris, client)
    assert (outcome.asked, outcome.problems) == (2, ())
    assert ask(data, "legal_lookup", citation="§ 1 MoosG")["norm"]["content"] == "Neue Moose."
    laws = list_laws(data)
    assert (laws[MOOS].listed, laws[gone.work].listed) == (True, False)


def publish_many(neuris: Neuris, count: int) -> list[LawText]:
    """So many laws, and as many decisions."""
    laws = [
        LawText(work=f"eli/bund/bgbl-1/2018/s{n}", abbreviation=f"Moos{n}G") for n in range(count)
    ]
    neuris.publish(*laws)
    for n in range(count):
        neuris.decide(f"KORE70{n:03}2023", f"IX ZR {n}/23", f"Die Entscheidung Nr. {n}.")
    return laws


@pytest.mark.parametrize("left", [0, 3])
def test_a_list_that_is_being_rebuilt_takes_no_laws_away(
    neuris: Neuris, client: Downloader, tmp_path: Path, left: int
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    laws = publish_many(neuris, 5)
    add(data, neuris, client)
    live = builds.get_live(data)
    neuris.go_on()
    neuris.all_changed = True
    whole, neuris.laws = neuris.laws, {law.eli: law for law in laws[:left]}
    if left:  # one more may go
        neuris.laws.popitem()
        neuris.laws.popitem()
    outcome = look(data, neuris, client)
    assert f"takes back {5 - len(neuris.laws)} of the 5 laws" in str(outcome.problem)
    assert builds.get_live(data) == live
    neuris.laws = whole
    assert look(data, neuris, client, date(2025, 2, 11)).problem is None
    assert all(law.listed for law in list_laws(data).values())


@pytest.mark.parametrize("kind", ["laws", "decisions"])
def test_a_changelog_that_takes_everything_back_is_not_believed(
    neuris: Neuris, client: Downloader, tmp_path: Path, kind: str
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    laws = publish_many(neuris, 5)
    add(data, neuris, client)
    live = builds.get_live(data)
    neuris.go_on()
    gone = [law.eli for law in laws] if kind == "laws" else list(neuris.decisions)
    for name in gone:
        neuris.take_back(name)
    outcome = look(data, neuris, client)
    assert f"takes back 5 of the 5 {kind}" in str(outcome.problem)
    with pytest.raises(SourceError, match=f"takes back 5 of the 5 {kind}"):
        add(data, neuris, client, since=DAY)
    assert builds.get_live(data) == live
    neuris.deleted = gone[:3]
    assert look(data, neuris, client, date(2025, 2, 11)).problem is None
    held = [law for law in list_laws(data).values() if law.listed]
    assert (len(held), len(list_decisions(data))) == ((2, 5) if kind == "laws" else (5, 2))


def test_archives_are_taken_before_documents_are_asked_for_one_by_one(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD, NEW)
    names = {f"norms/{law.address}": write(law) for law in (OLD, NEW)}
    neuris.service.answers["/bulk/legislation.zip"] = Answer(pack(names))
    neuris.archives = {"Legislation": "/bulk/legislation.zip"}
    add(data, neuris, client)
    assert get_zip(OLD) not in neuris.service.paths
    assert ask(data, "legal_lookup", citation="§ 1 MoosG")["norm"]["content"] == "Neue Moose."


def test_no_other_host_is_asked_whatever_the_service_names(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD)
    neuris.archives = {"Legislation": "http://127.0.0.1:9/bulk/legislation.zip"}
    add(data, neuris, client)
    assert get_zip(OLD) in neuris.service.paths
    assert list_laws(data)


def test_no_other_host_is_asked_wherever_the_service_sends_us(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    neuris.publish(OLD)
    neuris.decide("KORE700012023", "IX ZR 1/23", "Die erste Entscheidung.")
    neuris.open()
    with serve() as stranger:
        stranger.answers[get_zip(OLD)] = neuris.service.answers[get_zip(OLD)]
        away = {"Location": stranger.url + get_zip(OLD)}
        neuris.service.answers[get_zip(OLD)] = Answer(b"", failures=[302] * 9, headers=away)
        files = portal.fetch(Order(tmp_path, neuris.service.url), client, Heard())
        assert not stranger.asked
    assert files is not None
    problems = {entry.name: entry.problem or "" for entry in files.entries()}
    assert "is not followed" in problems[f"neuris/{OLD.eli}"]
    assert problems["neuris/case-law/KORE700012023.xml"] == ""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html>", "no whole JSON"),
        (b"[]", "no object"),
        (b'{"changed": [], "deleted": []}', "allChanged"),
        (b'{"changed": {}, "deleted": [], "allChanged": false}', "no list"),
        (b'{"changed": [{}%s], "deleted": [], "allChanged": false}' % (b",{}" * 999), None),
        (b'{"changed": [{}%s], "deleted": [], "allChanged": false}' % (b",{}" * 1_000), "by no id"),
    ],
)
def test_a_changelog_that_is_none_leaves_the_last_state(
    neuris: Neuris, client: Downloader, tmp_path: Path, body: bytes, said: str | None
) -> None:
    neuris.open()
    neuris.service.answers["/v1/legislation/changelog"] = Answer(body, kind="application/json")
    order = Order(tmp_path, neuris.service.url, since=DAY)
    with nullcontext() if said is None else pytest.raises(SourceError, match=said):
        portal.fetch(order, client, Heard())


def test_a_service_that_is_too_busy_is_asked_later_and_never_in_haste(
    neuris: Neuris, client: Downloader, waits: list[float], tmp_path: Path
) -> None:
    neuris.publish(OLD)
    neuris.open()
    neuris.service.answers["/v1/legislation/changelog"].failures = [503]
    neuris.service.answers["/v1/legislation/changelog"].headers = {"Retry-After": "7"}
    order = Order(tmp_path, neuris.service.url, since=DAY)
    assert portal.fetch(order, client, Heard()) is not None
    assert 7 in waits
    paces = [seconds for seconds in waits if 0 < seconds < 1]
    assert paces
    assert min(paces) >= 60 / 600


def test_a_longer_page_than_was_asked_for_is_not_held(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    """A thousand pages of 64 MB are more names than any memory holds."""
    members = [{"item": {"documentNumber": f"KORE{n:09}"}} for n in range(301)]
    body = orjson.dumps({"member": members, "totalItems": 10**9})
    neuris.service.answers["/v1/case-law"] = Answer(body, kind="application/json")
    service = Service.open(Order(tmp_path, neuris.service.url), client)
    with pytest.raises(SourceError, match="a page of the list of case-law has too many"):
        list_decisions_of(service)
    assert len(neuris.service.asked) == 1


def test_a_list_is_held_no_further_than_any_memory_goes(
    neuris: Neuris, client: Downloader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    members = [{"item": {"documentNumber": f"KORE{n:09}", "x": "y" * 300}} for n in range(300)]
    body = orjson.dumps({"member": members, "totalItems": 10**9})
    neuris.service.answers["/v1/case-law"] = Answer(body, kind="application/json")
    service = Service.open(Order(tmp_path, neuris.service.url), client)
    monkeypatch.setattr("fundstelle.ingest.sources.neuris.service._MOST_OF_LIST", 2**20)
    with pytest.raises(SourceError, match="the list of case-law has more than 1 MB"):
        list_decisions_of(service)
    assert len(neuris.service.asked) == 2**20 // len(body) + 1


def test_an_address_that_is_longer_than_any_is_none(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    encodings = [{"contentUrl": f"/v1/legislation/{'x' * 3_000}.zip"}]
    member = {"item": {"legislationIdentifier": OLD.eli, "encoding": encodings}}
    body = orjson.dumps({"member": [member], "totalItems": 1})
    neuris.service.answers["/v1/legislation"] = Answer(body, kind="application/json")
    service = Service.open(Order(tmp_path, neuris.service.url), client)
    assert list_expressions(service) == [Listed(OLD.eli, "")]


def test_a_changelog_that_takes_more_back_than_anybody_would_is_refused(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    neuris.deleted = [f"KORE{n:09}" for n in range(20_001)]
    neuris.open()
    with pytest.raises(SourceError, match="0 laws and 20,001 decisions as changed"):
        portal.fetch(Order(tmp_path, neuris.service.url, since=DAY), client, Heard())


def test_what_is_no_known_document_is_told(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD)
    add(data, neuris, client)
    neuris.go_on()
    neuris.changed.append("eli/land/by/2020/1")
    outcome = look(data, neuris, client)
    assert [problem for problem in outcome.problems if "eli/land/by" in problem]


def test_the_command_line_adds_it_from_the_address_that_is_set(
    neuris: Neuris, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(NEW)
    neuris.open()
    names = {"FUNDSTELLE_DATA": str(data), "FUNDSTELLE_NEURIS_URL": neuris.service.url}
    arguments = ["--add", NEURIS.source_type, "--since", "2025-01-01"]
    result = CliRunner().invoke(ingest, arguments, obj=Settings.from_env(names))
    assert result.exit_code == 0, result.output
    assert list(list_laws(data)) == [MOOS]


def test_a_law_that_federal_law_has_stays_as_it_is_and_that_is_said(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data, source = tmp_path / "data", tmp_path / "gii"
    write_law(
        source / "gii-2025-01-01" / "laws", "moosg", 9, {"§ 1": "Vom alten Portal."}, name="MoosG"
    )
    begin(data, source)
    neuris.publish(OLD, NEW, LawText(work="eli/bund/bgbl-1/2018/s5", abbreviation="FarnG"))
    manifest = add(data, neuris, client)
    assert ask(data, "legal_lookup", citation="§ 1 MoosG")["norm"]["content"] == "Vom alten Portal."
    assert ask(data, "legal_lookup", citation="§ 1 FarnG")["found"] is True
    (state,) = [one for one in manifest.sources if one.source_type == NEURIS.source_type]
    assert state.items == 1
    assert state.known_gaps[-1].endswith("are given from there alone: 1")
    assert list(list_laws(data)) == ["eli/bund/bgbl-1/2018/s5"]


def test_a_law_that_federal_law_comes_to_have_is_given_from_there_from_then_on(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    begin(data, tmp_path / "gii")
    neuris.publish(OLD, NEW)
    add(data, neuris, client)
    later = tmp_path / "later" / "gii-2025-02-01"
    write_snapshot(later, laws=1, day="20250201")
    write_law(
        later / "laws", "moosg", 9, {"§ 1": "Vom alten Portal."}, name="MoosG", day="20250201"
    )
    heard = Heard()
    build(data, find_snapshots(tmp_path / "later"), engine=TantivyEngine(), heard=heard)
    assert [note for note in heard.notes if note.startswith("MoosG")]
    assert ask(data, "legal_lookup", citation="§ 1 MoosG")["norm"]["content"] == "Vom alten Portal."
    assert list_laws(data) == {}


def test_a_decision_of_both_portals_is_one_with_the_text_of_the_first(
    neuris: Neuris, client: Downloader, tmp_path: Path
) -> None:
    data, source = tmp_path / "data", tmp_path / "gii"
    (folder := source / "decisions").mkdir(parents=True)
    rii = write_rii("KORE300002023", "Der Text des alten Portals.").replace(
        b"20240110", b"20230504"
    )
    (folder / "KORE300002023.xml").write_bytes(rii)
    begin(data, source)
    neuris.decide("KORE300002023", "I ZR 023/23", "Der Text des neuen Portals, der länger ist.")
    add(data, neuris, client)
    ((decision, text),) = list_decisions(data)
    assert [one.source_type for one in decision.sources] == ["rii", NEURIS.source_type]
    assert "alten Portals" in text
    neuris.go_on()
    neuris.take_back("KORE300002023")
    look(data, neuris, client)
    ((decision, text),) = list_decisions(data)
    assert [one.source_type for one in decision.sources] == ["rii"]
    assert "alten Portals" in text

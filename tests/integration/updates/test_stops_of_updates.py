"""An update that is stopped at any write loses nothing, claims nothing, and is made good.

Each run is stopped, then run again in peace: on the same day, and on the next one, on which the
publisher shows other texts. What comes of it is what comes of runs that nobody stopped.
"""

import re
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path

import orjson
import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.updates import LOOKS, Report, read_report
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.sources.dip.service import Parliament
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.registry import FEDERAL_LAW
from fundstelle.ingest.update import Updating, update
from tests.integration.corpora.building import Heard
from tests.integration.corpora.laws import write_law
from tests.integration.corpora.past_site import Instead, Past, PastSite, Version, pack, serve_past
from tests.integration.corpora.stand_in import LinesEngine
from tests.integration.ingest.stopping import Ended, Stop, choose, count, in_this_process, stop_at
from tests.integration.services.dip_service import Dip, make_vorgang
from tests.integration.services.loopback import serve
from tests.integration.updates.updating import begin

DAYS = FIRST, SECOND, THIRD = date(2024, 7, 31), date(2024, 8, 7), date(2024, 8, 14)
STRIDE = 37
ACT = "Zuletzt geändert durch Art. 4 G v. 19.7.2024 I Nr. 234"
# Of each law its texts by the day on which the site shows them first.
TEXTS: Mapping[str, Mapping[date, str]] = {
    "ag": {FIRST: "Alt.", SECOND: "Neu.", THIRD: "Neuer."},
    "bg": {FIRST: "Bleibt."},
    "cg": {FIRST: "Wird anders.", THIRD: "Ist anders."},
    "dg": {SECOND: "Kommt hinzu."},
    "eg": {FIRST: "Fehlt einmal.", SECOND: "Sieht niemand.", THIRD: "Ist wieder da."},
}
UNREAD = "/eg/xml.zip"  # on the second day
LEFTOVER = re.compile(r"\.part$|/\.")
NOTE = f"{LOOKS}/gii/compared.json"
PAGE = re.compile(r"(?<=cache/dip/)\w+")  # named by its address


@dataclass
class Publishers:
    site: PastSite
    dip: Dip

    def look(self, data: Path, day: date) -> Report:
        """One update, on a day on which all of them say what they say on it."""
        self.site.today = day
        page = Instead(body=b"<html>one moment, please</html>")
        self.site.instead = {UNREAD: page} if day == SECOND else {}
        changed = {FIRST: "2024-07-30", SECOND: "2024-08-05", THIRD: "2024-08-12"}[day]
        begins = "2024-08-01" if day == SECOND else "2024-08-02"
        self.dip.documents = [make_vorgang(7, f"{changed}T10:00:00+02:00", (begins, ""))]
        updating = Updating(
            data,
            {FEDERAL_LAW.source_type: self.site.url},
            Downloader(pause=0, timeout=5, sleep=lambda _seconds: None),
            LinesEngine(),
            BuildOptions(processes=1),
            lambda: datetime.combine(day, time(12), UTC),
            Parliament(self.dip.service.url, "a-key-of-nobody"),
        )
        return update(updating, Heard())


@pytest.fixture(scope="module", autouse=True)
def _in_this_process() -> Iterator[None]:
    with in_this_process():
        yield


@pytest.fixture(scope="module")
def publishers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Publishers]:
    folder, past = tmp_path_factory.mktemp("laws"), Past(list(DAYS))
    for number, (slug, texts) in enumerate(TEXTS.items(), 1):
        for day, text in texts.items():
            path = write_law(folder, slug, number, {"§ 1": text, "§ 2": "Gleich."})
            stand = f"<standtyp>Stand</standtyp><standkommentar>{ACT}</standkommentar>"
            written = path.read_text(encoding="utf-8").replace(
                "</metadaten>", f"<standangabe>{stand}</standangabe></metadaten>", 1
            )
            name = f"{slug}/{path.stem}/{day.isoformat()}.xml"
            past.versions[slug].append(Version(name, written.encode()))
    for day in DAYS:
        shown = [slug for slug, texts in TEXTS.items() if min(texts) <= day]
        past.tables[day] = {slug: slug.upper() for slug in shown}
    with serve_past(past) as site, serve() as service:
        yield Publishers(site, Dip(service))


@dataclass(frozen=True)
class State:
    """What is in a data folder, as far as it is of use to anybody."""

    release: str
    looks: Mapping[str, object]  # what is in each file, but for what is no whole one
    names: frozenset[str]  # of the other files, builds aside

    def get_laws(self) -> Mapping[str, object]:
        return {name: one for name, one in self.looks.items() if "/dip/" not in name}


def read_state(data: Path) -> State:
    paths = [path for path in data.rglob("*") if path.is_file()]
    named = {path.relative_to(data).as_posix(): path for path in paths}
    others = (name for name in named if not name.startswith(("builds/", f"{LOOKS}/")))
    names = frozenset(PAGE.sub("", name) for name in others)
    looks = {name: path for name, path in named.items() if name.startswith(f"{LOOKS}/")}
    read = {
        name: orjson.loads(path.read_bytes()) if path.suffix == ".json" else path.read_bytes()
        for name, path in looks.items()
        if not LEFTOVER.search(name)
    }
    release = builds.read_pointer(data)
    assert release is not None
    assert builds.verify(data, release) == []
    return State(release, read, names)


@dataclass(frozen=True)
class Undisturbed:
    """What comes of runs that nobody stops."""

    begun: Path
    writes: int  # of the run on the second day
    second: State
    report: Report
    both: State  # on the third day, after a look on the second
    third: State  # without one
    places: tuple[str, ...]


@pytest.fixture(scope="module")
def undisturbed(publishers: Publishers, tmp_path_factory: pytest.TempPathFactory) -> Undisturbed:
    folder = tmp_path_factory.mktemp("undisturbed")
    begun, data, other = folder / "begun", folder / "data", folder / "other"
    publishers.site.today = FIRST
    begin(begun, publishers.site)
    publishers.look(begun, FIRST)
    shutil.copytree(begun, data)
    shutil.copytree(begun, other)
    places = count(data, lambda: publishers.look(data, SECOND))
    second, report = read_state(data), read_report(data)
    assert report is not None
    assert [one.problem for one in report.outcomes] == [None, None]
    publishers.look(data, THIRD)
    publishers.look(other, THIRD)
    both, third = read_state(data), read_state(other)
    assert len({second.release, both.release, third.release}) == 3
    return Undisturbed(begun, len(places), second, report, both, third, tuple(places))


@pytest.fixture
def check(
    publishers: Publishers, undisturbed: Undisturbed, tmp_path: Path
) -> Callable[[int, Stop], None]:
    def check_one(at: int, stop: Stop) -> None:
        data, next_day = tmp_path / "data", tmp_path / "next-day"
        for path in (data, next_day):
            shutil.rmtree(path, ignore_errors=True)
        shutil.copytree(undisturbed.begun, data)
        ended = stop_at(data, at, stop, lambda: publishers.look(data, SECOND))
        _check_told(ended, data, undisturbed)
        shutil.copytree(data, next_day)

        publishers.look(data, SECOND)
        found = read_state(data)
        assert found.release == undisturbed.second.release
        # the note of what was compared is written last, and made anew by the next look
        missing = undisturbed.second.looks.keys() - found.looks.keys()
        assert missing <= {NOTE}
        assert {**undisturbed.second.looks, **found.looks} == undisturbed.second.looks
        publishers.look(data, THIRD)
        assert read_state(data) == undisturbed.both
        _check_clean(data)

        publishers.look(next_day, THIRD)
        found = read_state(next_day)
        is_taken = found.get_laws() == undisturbed.both.get_laws()  # the look on the second day
        wanted = undisturbed.both if is_taken else undisturbed.third
        assert found.get_laws() == wanted.get_laws()
        assert found.release == wanted.release
        assert found.names == wanted.names
        _check_clean(next_day)

    return check_one


def _check_told(ended: Ended, data: Path, undisturbed: Undisturbed) -> None:
    """Whoever runs it learns of what failed; what is live is whole."""
    read_state(data)
    if isinstance(ended.result, Report) and builds.read_pointer(data) != undisturbed.second.release:
        assert not ended.result.is_good


def _check_clean(data: Path) -> None:
    names = [f"/{path.relative_to(data).as_posix()}" for path in data.rglob("*")]
    assert not [name for name in names if LEFTOVER.search(name)]


def test_an_update_that_is_stopped_at_any_write_is_made_good(
    check: Callable[[int, Stop], None], undisturbed: Undisturbed
) -> None:
    for at, stop in choose(undisturbed.writes, STRIDE):
        try:
            check(at, stop)
        except BaseException as error:
            error.add_note(f"at {at}, {undisturbed.places[at - 1]}: {stop.value}")
            raise


def test_a_state_of_a_vorgang_that_was_cut_short_does_not_stay(
    publishers: Publishers, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    """The next look may find a later state: nobody writes under that name again."""
    shutil.copytree(undisturbed.begun, data := tmp_path / "data")
    at = 1 + next(
        n for n, one in enumerate(undisturbed.places) if re.match("write looks/dip/vorgaenge", one)
    )
    stop_at(data, at, Stop.TORN, lambda: publishers.look(data, SECOND))
    assert list(data.rglob("vorgaenge/*/*.part"))
    publishers.look(data, THIRD)
    _check_clean(data)


def test_what_a_build_could_not_use_is_told_by_the_next_update_where_its_own_was_killed(
    publishers: Publishers, undisturbed: Undisturbed, tmp_path: Path
) -> None:
    shutil.copytree(undisturbed.begun, data := tmp_path / "data")
    begun = builds.read_pointer(data)
    assert begun is not None
    publishers.look(data, SECOND)
    [kept] = data.rglob("ag/2024-08-07.zip")
    kept.write_bytes(pack(Version("ag/BJNR900000001/2024-08-07.xml", b"<html/>")))
    builds.activate(data, begun)
    shutil.copytree(data, other := tmp_path / "other")
    places = count(other, lambda: publishers.look(other, SECOND))
    told = _list_rejected(read_report(other))
    assert told
    at = 1 + places.index("open updates.json.part")
    stop_at(data, at, Stop.KILLED, lambda: publishers.look(data, SECOND))
    assert builds.read_pointer(data) == builds.read_pointer(other) != begun
    assert _list_rejected(publishers.look(data, SECOND)) == told
    assert _list_rejected(publishers.look(data, SECOND)) == []


def _list_rejected(report: Report | None) -> list[str]:
    assert report is not None
    return [one for one in report.outcomes[0].problems if one.startswith("ag/")]

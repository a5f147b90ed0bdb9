"""A look confirms a law only in a build that has the text which the look found."""

import errno
import itertools
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.sources.adapter import Order
from fundstelle.ingest.sources.files.archives import FolderSnapshot
from fundstelle.ingest.sources.files.download import Downloader, write_whole
from fundstelle.ingest.sources.gii import kept, official_site
from fundstelle.ingest.sources.registry import FEDERAL_LAW
from fundstelle.ingest.update import open_kept_looks
from fundstelle.law.norms import Statute
from tests.integration.corpora.building import Heard
from tests.integration.corpora.past_site import Past, PastSite, Version
from tests.integration.corpora.stand_in import LinesEngine
from tests.integration.updates.updating import begin, look, look_by, open_store, read_statutes

CHANGED = "makv"


@pytest.fixture
def days(few: PastSite, past: Past) -> tuple[date, date, date]:
    """The look that showed a change of a law, and those before and after."""
    place = past.days.index(few.past.versions[CHANGED][2].day)
    before, on, after = past.days[place - 1 : place + 2]
    return before, on, after


def ingest(data: Path, site: PastSite, day: date, *slugs: str) -> None:
    """Some laws as the site has them on a day, into the next build."""
    site.today = day
    now = datetime.combine(day, time(12), UTC)
    order = Order(data / "cache" / "by-hand", site.url, slugs)
    laws = official_site.fetch(order, Downloader(pause=0, timeout=5), Heard(), lambda: now)
    build_corpus([laws], data, LinesEngine(), BuildOptions(now=now, processes=1), Heard())


def find_law(data: Path, slug: str = CHANGED) -> Statute:
    [statute] = [one for one in read_statutes(data) if one.slug == slug]
    return statute


def read_texts(data: Path) -> list[str]:
    store = open_store(data)
    try:
        norms = store.list_norms(find_law(data).statute_id)
        found = (store.find_fassung(norm.norm_id) for norm in norms)
        return [fassung.text for fassung in found if fassung is not None]
    finally:
        store.close()


@pytest.fixture
def wanted(
    few: PastSite, days: tuple[date, date, date], tmp_path_factory: pytest.TempPathFactory
) -> list[str]:
    """The texts of the law that was changed, where nothing went wrong."""
    data = tmp_path_factory.mktemp("plain")
    begun = begin(data, few)
    for day in days:
        look(data, few, day)
    few.today = begun.stand
    return read_texts(data)


def test_a_look_that_a_later_build_passed_over_confirms_no_text_of_before(
    few: PastSite, days: tuple[date, date, date], tmp_path: Path, wanted: list[str]
) -> None:
    before, on, after = days
    begin(tmp_path, few)
    built = look(tmp_path, few, before).release
    old = read_texts(tmp_path)
    look(tmp_path, few, on)
    builds.activate(tmp_path, built)  # as if the look had been kept, and its build had failed
    ingest(tmp_path, few, on, "partgg")
    report = look(tmp_path, few, on)
    assert [
        "another text than the newest look" in told for told in report.outcomes[0].problems
    ] == [True]
    assert (read_texts(tmp_path), find_law(tmp_path).stand) == (old, before)
    assert look(tmp_path, few, after).is_good
    assert (read_texts(tmp_path), find_law(tmp_path).stand) == (wanted, after)
    assert old != wanted
    assert look(tmp_path, few, after + timedelta(days=1)).is_good


def test_of_an_earlier_build_made_live_again_no_text_is_confirmed_that_has_changed(
    few: PastSite, days: tuple[date, date, date], tmp_path: Path, wanted: list[str]
) -> None:
    before, on, after = days
    begun = begin(tmp_path, few)
    look(tmp_path, few, before)
    look(tmp_path, few, on)
    builds.activate(tmp_path, begun.release)
    ingest(tmp_path, few, on + timedelta(days=1), "partgg")
    assert look(tmp_path, few, after).is_good
    assert (read_texts(tmp_path), find_law(tmp_path).stand) == (wanted, after)


def test_an_old_text_from_elsewhere_is_not_confirmed(
    few: PastSite, days: tuple[date, date, date], tmp_path: Path, wanted: list[str]
) -> None:
    before, on, after = days
    begin(data := tmp_path / "data", few)
    look(data, few, before)
    look(data, few, on)
    old = few.past.versions[CHANGED][1]
    between = on + timedelta(days=1)
    folder = tmp_path / f"gii-xml-{between.isoformat()}" / "laws" / CHANGED
    folder.mkdir(parents=True)
    (folder / f"{old.number}.xml").write_bytes(old.data)
    stale = FolderSnapshot(folder.parents[1], FEDERAL_LAW.url)
    build_corpus([stale], data, LinesEngine(), BuildOptions(processes=1), Heard())
    assert read_texts(data) != wanted
    assert look(data, few, after).is_good
    assert (read_texts(data), find_law(data).stand) == (wanted, after)


@pytest.mark.parametrize("away", [False, True])
def test_what_a_build_could_not_use_is_not_confirmed_by_later_looks(
    few: PastSite, days: tuple[date, date, date], tmp_path: Path, wanted: list[str], *, away: bool
) -> None:
    before, on, after = days
    begin(tmp_path, few)
    built = look(tmp_path, few, before).release
    look(tmp_path, few, on)
    builds.activate(tmp_path, built)
    newest = open_kept_looks(tmp_path, few.url + "/").find_versions(CHANGED)[-1]
    newest.write_bytes(b"damaged since")
    report = look(tmp_path, few, on)
    assert CHANGED in " ".join(report.outcomes[0].problems)
    assert find_law(tmp_path).stand == before
    if away:
        few.failures = {f"/{CHANGED}/xml.zip": ["503"] * 9}
        assert not look(tmp_path, few, after).is_good
        assert find_law(tmp_path).stand == before
        after += timedelta(days=1)
        few.failures = {}
    assert look(tmp_path, few, after).is_good
    assert (read_texts(tmp_path), find_law(tmp_path).stand) == (wanted, after)


def test_of_the_day_of_one_law_the_others_are_not(
    few: PastSite, days: tuple[date, date, date], tmp_path: Path
) -> None:
    before, on, _ = days
    begin(tmp_path, few)
    look(tmp_path, few, before)
    ingest(tmp_path, few, on, "partgg")
    [laws] = builds.open_active(tmp_path).manifest.sources
    assert laws.stand == before
    assert (find_law(tmp_path, "partgg").stand, find_law(tmp_path).stand) == (on, before)
    ingest(tmp_path, few, on + timedelta(days=1), "partgg", CHANGED, "milodokv_2015")
    [laws] = builds.open_active(tmp_path).manifest.sources
    assert laws.stand == on + timedelta(days=1)


def test_looks_that_a_wrong_clock_dated_ahead_are_set_aside(
    few: PastSite, days: tuple[date, date, date], tmp_path: Path, wanted: list[str]
) -> None:
    before, on, after = days
    begun = begin(tmp_path, few)
    look(tmp_path, few, before)
    kept = open_kept_looks(tmp_path, few.url + "/")
    list_of_days = kept.folder / "observed-days.txt"
    [old] = kept.find_versions(CHANGED)
    ahead = "2091-01-01"
    (old.parent / f"{ahead}.zip").write_bytes(old.read_bytes())
    list_of_days.write_text(f"{list_of_days.read_text()}{ahead}\n")
    report = look(tmp_path, few, on)
    assert [told.partition(",")[0] for told in report.outcomes[0].problems] == [
        f"the look of {ahead}"
    ]
    assert ahead not in list_of_days.read_text()
    assert (old.parent / f"aside-{ahead}.zip").exists()
    assert look(tmp_path, few, after).is_good
    assert read_texts(tmp_path) == wanted
    assert begun.stand < before


def test_a_note_of_an_older_file_confirms_nothing(
    few: PastSite,
    days: tuple[date, date, date],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The disk is full when the last of a look's files is written; then the old text comes back."""
    before, on, after = days
    begin(tmp_path, few)
    look(tmp_path, few, before)
    old, number = read_texts(tmp_path), few.past.versions[CHANGED][1].number

    def write(path: Path, data: bytes) -> None:
        if path.name == "compared.json":
            raise OSError(errno.ENOSPC, "No space left on device")
        write_whole(path, data, durable=True)

    with monkeypatch.context() as full:
        full.setattr(kept, "_write", write)
        assert not look(tmp_path, few, on).is_good
    assert look(tmp_path, few, on).is_good
    assert read_texts(tmp_path) != old
    of_before = few.past.find(CHANGED, before)
    assert of_before is not None
    again = Version(f"{CHANGED}/{number}/{after.isoformat()}.xml", of_before.data)
    few.past.versions[CHANGED].append(again)
    few.past.versions[CHANGED].sort(key=lambda version: version.day)
    assert look(tmp_path, few, after).is_good
    assert (read_texts(tmp_path), find_law(tmp_path).stand) == (old, after)


def test_a_build_made_live_during_a_look_is_not_gone_on_from_by_it(
    few: PastSite, days: tuple[date, date, date], tmp_path: Path, wanted: list[str]
) -> None:
    before, on, after = days
    begin(tmp_path, few)
    built = look(tmp_path, few, before).release
    look(tmp_path, few, on)
    few.today, moment = after, datetime.combine(after, time(12), UTC)
    asked = itertools.count()

    def clock() -> datetime:
        if next(asked) == 1:  # the look has begun
            builds.activate(tmp_path, built)
        return moment

    report = look_by(tmp_path, few, clock)
    assert "another build was made live" in str(report.outcomes[0].problem)
    assert find_law(tmp_path).stand == before
    assert look(tmp_path, few, after).is_good
    assert (read_texts(tmp_path), find_law(tmp_path).stand) == (wanted, after)


def test_a_second_run_of_a_day_tells_what_the_first_could_not_have(
    few: PastSite, days: tuple[date, date, date], tmp_path: Path
) -> None:
    before, on, after = days
    begin(tmp_path, few)
    look(tmp_path, few, before)
    few.failures = {f"/{CHANGED}/xml.zip": ["503"] * 9}
    for _ in range(2):
        report = look(tmp_path, few, on)
        assert not report.is_good
        assert CHANGED in " ".join(report.outcomes[0].problems)
    few.failures = {}
    assert look(tmp_path, few, after).is_good

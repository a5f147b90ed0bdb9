"""A look is of one day, the publisher's; and what is left of one that did not come to its end."""

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.ingest.days import find_day
from fundstelle.ingest.sources.files.download import _read_date
from fundstelle.ingest.update import open_kept_looks
from tests.integration.corpora.past_site import Instead, Past, PastSite, pack
from tests.integration.updates.test_updates_other_texts import CHANGED, find_law, ingest, read_texts
from tests.integration.updates.updating import begin, look, look_by, open_store, read_statutes


@pytest.fixture
def days(few: PastSite, past: Past) -> tuple[date, date]:
    """A look that showed a change of a law, and the one before it."""
    place = past.days.index(few.past.versions[CHANGED][2].day)
    return past.days[place - 1], past.days[place]


def test_what_comes_after_midnight_is_of_the_next_look(
    few: PastSite, past: Past, days: tuple[date, date], tmp_path: Path
) -> None:
    before, changed = days
    begin(tmp_path, few)
    look(tmp_path, few, past.days[past.days.index(before) - 1])
    few.today = before
    calls = 0

    def tick() -> datetime:
        nonlocal calls
        calls += 1
        if calls > 3:  # the table came, and the clock strikes before the first law
            few.today = changed
        return datetime.combine(few.today, time(12), UTC)

    report = look_by(tmp_path, few, tick)
    [told] = report.outcomes[0].problems
    assert (
        told == "3 laws: the day was over before they were asked for; the next look asks for them"
    )
    assert {s.stand for s in read_statutes(tmp_path)} == {past.days[past.days.index(before) - 1]}
    old = read_texts(tmp_path)
    assert look(tmp_path, few, changed).is_good
    assert (read_texts(tmp_path) != old, find_law(tmp_path).stand) == (True, changed)
    store = open_store(tmp_path)
    begun = {
        fassung.in_force_from
        for norm in store.list_norms(find_law(tmp_path).statute_id)
        if (fassung := store.find_fassung(norm.norm_id)) is not None
    }
    store.close()
    assert before not in begun


def test_a_look_is_of_the_day_that_it_is_at_the_publisher(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    begin(tmp_path, few)
    day = past.days[1]
    few.today = day
    ahead = datetime.combine(day + timedelta(days=1), time(1), UTC)  # thirteen hours
    assert look_by(tmp_path, few, lambda: ahead).is_good
    assert {s.stand for s in read_statutes(tmp_path)} == {day}
    asked = few.asked.total()
    assert look_by(tmp_path, few, lambda: ahead).is_good
    assert few.asked.total() == asked + 1  # the table alone: it is the same day there


def test_a_day_begins_at_midnight_in_germany() -> None:
    assert find_day(datetime(2026, 7, 1, 22, 30, tzinfo=UTC)) == date(2026, 7, 2)
    assert find_day(datetime(2026, 1, 1, 22, 30, tzinfo=UTC)) == date(2026, 1, 1)


def test_an_unfinished_look_goes_even_where_something_later_was_built(
    few: PastSite, days: tuple[date, date], tmp_path: Path
) -> None:
    before, changed = days
    begin(tmp_path, few)
    look(tmp_path, few, before)
    killed = changed + timedelta(days=1)
    kept = open_kept_looks(tmp_path, few.url + "/")
    orphan = kept.folder / CHANGED / f"{killed.isoformat()}.zip"  # its table never came
    orphan.write_bytes(pack(few.past.versions[CHANGED][2]))
    ingest(tmp_path, few, killed, "partgg")
    assert look(tmp_path, few, killed + timedelta(days=1)).is_good
    assert not orphan.exists()
    assert find_law(tmp_path).stand == killed + timedelta(days=1)


def test_a_look_without_its_table_confirms_nothing(
    few: PastSite, days: tuple[date, date], tmp_path: Path
) -> None:
    before, changed = days
    begun = begin(tmp_path, few)
    look(tmp_path, few, before)
    look(tmp_path, few, changed)
    builds.activate(tmp_path, begun.release)
    kept = open_kept_looks(tmp_path, few.url + "/")
    (kept.folder / "toc" / f"gii-toc-{changed.isoformat()}.xml.zst").unlink()
    report = look(tmp_path, few, changed)
    assert f"gii-toc-{changed.isoformat()}.xml" in " ".join(report.outcomes[0].problems)
    assert {s.stand for s in read_statutes(tmp_path)} == {before}
    after = changed + timedelta(days=1)
    look(tmp_path, few, after)
    assert {s.stand for s in read_statutes(tmp_path)} == {after}


def test_the_only_look_that_waits_is_named_where_its_table_is_lost(
    few: PastSite, days: tuple[date, date], tmp_path: Path
) -> None:
    before, changed = days
    begin(tmp_path, few)
    built = look(tmp_path, few, before).release
    look(tmp_path, few, changed)
    builds.activate(tmp_path, built)
    kept = open_kept_looks(tmp_path, few.url + "/")
    (kept.folder / "toc" / f"gii-toc-{changed.isoformat()}.xml.zst").unlink()
    report = look(tmp_path, few, changed)
    told = f"the look of {changed.isoformat()} is of no use without its table"
    assert told in str(report.outcomes[0].problem)
    assert report.release == built
    [laws] = look(tmp_path, few, changed + timedelta(days=1)).outcomes
    assert (laws.problem, laws.stand) == (None, changed + timedelta(days=1))
    assert look(tmp_path, few, changed + timedelta(days=2)).is_good


def test_laws_of_no_use_do_not_stop_the_others(
    few: PastSite, past: Past, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fundstelle.ingest.sources.files.cache._GIVE_UP", 2)
    begin(tmp_path, few)
    empty = past.versions["makv"][0]
    for slug in ("makv", "milodokv_2015"):
        hollow = pack(type(empty)(empty.name, b"<dokumente><norm/></dokumente>"))
        few.instead[f"/{slug}/xml.zip"] = Instead(body=hollow)
    report = look(tmp_path, few, past.days[1])
    assert report.outcomes[0].problem is None
    assert len(report.outcomes[0].problems) == 2
    stands = {s.slug: s.stand for s in read_statutes(tmp_path)}
    assert stands == {
        "partgg": past.days[1],
        "makv": past.days[0],
        "milodokv_2015": past.days[0],
    }


@pytest.mark.parametrize(
    "written", ["Wed, 25 Nov 99999999999999999999 10:00:00 GMT", "soon", "", "0" * 9_999]
)
def test_a_date_that_is_none_tells_nothing(written: str) -> None:
    assert _read_date(written) is None

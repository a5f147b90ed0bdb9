"""Updates, day after day, from the official site as it was."""

import errno
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.updates import read_report
from fundstelle.errors import CorpusError, NoCorpus
from fundstelle.ingest.history.looks import LawHistory
from fundstelle.ingest.sources import demonstration
from fundstelle.ingest.sources.gii.kept_files import KeptFiles
from fundstelle.ingest.update import open_kept_looks
from fundstelle.law.norms import DatePrecision, Statute
from tests.integration.corpora.building import build
from tests.integration.corpora.past_site import (
    Instead,
    Past,
    PastFiles,
    PastSite,
    Version,
    pack,
    serve_past,
)
from tests.integration.updates.updating import LAWS, begin, look, open_store, read_statutes

TABLE, LAW = "/gii-toc.xml", "/pflegezg/xml.zip"
# What goes wrong on the n-th day, and whether that look must be begun anew.
FAILURES: dict[int, tuple[dict[str, list[str]], bool]] = {
    3: ({LAW: ["503", "503"]}, False),
    20: ({LAW: ["cut"], TABLE: ["cut", "503"]}, False),
    40: ({TABLE: ["page"]}, True),
    41: ({f"/{slug}/xml.zip": ["503"] * 9 for slug in sorted(LAWS)[2:]}, True),
    90: ({TABLE: ["cut"] * 9}, True),
}


@pytest.mark.corpus
def test_updates_day_after_day_end_in_the_release_of_one_ingestion(
    past_site: PastSite, past: Past, tmp_path: Path
) -> None:
    replay = tmp_path / "replay"
    live = begin(replay, past_site).release
    for number, day in enumerate(past.days[1:], 1):
        past_site.failures, again = FAILURES.get(number, ({}, False))
        report = look(replay, past_site, day)
        if again:
            assert not report.is_good
            assert report.release == live
            past_site.failures = {}
            report = look(replay, past_site, day)
        assert report.is_good, report
        live = report.release
    assert past_site.asked[304] > past_site.asked[200] > past_site.asked[503] > 10
    whole = build(tmp_path / "batch", [LawHistory(PastFiles(past))])
    assert live == whole.release
    held = {statute.statute_id: statute.slug for statute in read_statutes(replay)}
    assert (held["de/vbvg"], held["de/vbvg-2005"]) == ("vbvg_2023", "vbvg")


def test_what_cannot_be_had_is_as_it_was_and_not_taken_for_confirmed(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    begin(tmp_path, few)
    few.failures = {"/makv/xml.zip": ["page"]}
    report = look(tmp_path, few, past.days[1])
    [laws] = report.outcomes
    assert not report.is_good
    assert laws.problem is None
    assert [problem.split(":")[0] for problem in laws.problems] == ["laws/makv/xml.zip"]
    assert {s.slug: s.stand for s in read_statutes(tmp_path)} == {
        "makv": past.days[0],
        "milodokv_2015": past.days[1],
        "partgg": past.days[1],
    }
    assert look(tmp_path, few, past.days[2]).is_good
    assert {s.stand for s in read_statutes(tmp_path)} == {past.days[2]}


def zip_file(data: bytes) -> Instead:
    return Instead(body=pack(Version("makv/BJNR1/2022-01-01.xml", data)))


def find_law(few: PastSite, slug: str) -> bytes:
    version = few.past.find(slug, few.today)
    assert version is not None
    return version.data


@pytest.mark.parametrize("what", ["cut", "page", "no number", "another law"])
def test_a_file_that_is_not_the_law_is_not_kept_and_the_law_not_taken_for_seen(
    few: PastSite, past: Past, tmp_path: Path, what: str
) -> None:
    begin(tmp_path, few)
    law = find_law(few, "makv")
    few.instead["/makv/xml.zip"] = zip_file(
        {
            "cut": law[: len(law) * 3 // 4],
            "page": b"<html>one moment, please</html>",
            "no number": law.replace(b' doknr="', b' other="'),
            "another law": find_law(few, "partgg"),
        }[what]
    )
    for day in past.days[1:3]:  # also when the site says that it has not changed
        report = look(tmp_path, few, day)
        assert [one.split(":")[0] for one in report.outcomes[0].problems] == ["laws/makv/xml.zip"]
        stands = {s.slug: s.stand for s in read_statutes(tmp_path)}
        assert stands == {"makv": past.days[0], "milodokv_2015": day, "partgg": day}
    few.instead = {}
    assert look(tmp_path, few, past.days[3]).is_good
    assert {s.stand for s in read_statutes(tmp_path)} == {past.days[3]}


def test_a_law_that_the_table_lacks_for_a_day_is_listed_again(
    past_site: PastSite, past: Past, tmp_path: Path
) -> None:
    begin(tmp_path, past_site)
    [slug] = {s.slug for s in read_statutes(tmp_path)} & {"partgg"}
    past_site.unlisted = {slug}
    for day, listed in zip(past.days[1:3], (False, True), strict=True):
        assert look(tmp_path, past_site, day).is_good
        past_site.unlisted = set()
        assert {s.listed for s in read_statutes(tmp_path) if s.slug == slug} == {listed}


@pytest.mark.parametrize("number", [b"BJNR999999999", None])
def test_a_law_whose_address_is_another_laws_now_is_no_longer_seen_nor_listed(
    few: PastSite, past: Past, tmp_path: Path, number: bytes | None
) -> None:
    """Also where it is the same law under a new number: by the old one nobody finds it there."""
    begin(tmp_path, few)
    [before] = [s for s in read_statutes(tmp_path) if s.slug == "makv"]
    law = find_law(few, "makv").replace(before.publisher_id.encode(), number or b"BJNR000000007")
    other = (
        law if number else law.replace(b"<jurabk>", b"<jurabk>X").replace(b"<amtabk>", b"<amtabk>X")
    )
    few.instead["/makv/xml.zip"] = zip_file(other)
    for day in past.days[1:4]:
        assert look(tmp_path, few, day).is_good
        found = {s.publisher_id: s for s in read_statutes(tmp_path) if s.slug == "makv"}
        old = found.pop(before.publisher_id)
        assert (old.listed, old.stand) == (False, past.days[0])
        [new] = found.values()
        assert (new.listed, new.stand) == (True, day)
        assert new.statute_id == (before.statute_id if number else f"de/x{before.statute_id[3:]}")
    again = build(tmp_path / "again", [LawHistory(KeptFiles(open_kept_looks(tmp_path, "x/")))])
    assert again.stand == past.days[3]
    held = {s.publisher_id for s in read_statutes(tmp_path / "again")}
    assert before.publisher_id not in held


def move_away_and_back(past: Past) -> Past:
    """One law of two has another address and other words for two looks, then its old file again."""
    days = past.days[:7]
    versions = {slug: past.versions[slug][:1] for slug in ("makv", "partgg")}
    [law] = versions["makv"]
    moved = b" Anders.</P>".join(law.data.rsplit(b"</P>", 1))
    versions["new-makv"] = [Version(f"new-makv/{law.number}/{days[2].isoformat()}.xml", moved)]
    addresses = ["makv", "makv", "new-makv", "new-makv", "makv", "makv", "makv"]
    tables = {
        day: {slug: slug, "partgg": "partgg"} for day, slug in zip(days, addresses, strict=True)
    }
    return Past(days, defaultdict(list, versions), tables)


def read_makv(data: Path) -> tuple[Statute, bool]:
    """The law that moves, and whether its words are the other ones."""
    with closing(open_store(data)) as store:
        [law] = [law for law in store.statutes.values() if "makv" in law.slug]
        found = [store.find_fassung(norm.norm_id) for norm in store.list_norms(law.statute_id)]
    return law, any("Anders." in fassung.text for fassung in found if fassung is not None)


def test_a_law_that_goes_back_to_its_old_address_has_its_old_text_again(
    past: Past, tmp_path: Path
) -> None:
    """The look that finds it there again finds no new file, in turn and in an archive alike."""
    moving, others = move_away_and_back(past), []
    with serve_past(moving) as site:
        live = begin(tmp_path, site).release
        for day in moving.days[1:]:
            report = look(tmp_path, site, day)
            law, is_other = read_makv(tmp_path)
            assert (report.is_good, law.listed, law.stand) == (True, True, day)
            others.append(is_other)
            live = report.release
    assert others == [False, True, True, False, False, False]
    assert build(tmp_path / "batch", [LawHistory(PastFiles(moving))]).release == live
    build(tmp_path / "again", [LawHistory(KeptFiles(open_kept_looks(tmp_path, "x/")))])
    law, is_other = read_makv(tmp_path / "again")
    assert (law.slug, law.stand, is_other) == ("makv", moving.days[-1], False)


@pytest.mark.parametrize(
    "answer",
    [
        Instead(302, {"Location": "http://[::1"}),
        Instead(302, {"Location": f"http://{'a' * 80}.example/"}),
        Instead(503, {"Retry-After": "\xb2"}),
        Instead(304),
        Instead(200, {"Content-Length": "9" * 5_000}),
        Instead(200, {"Date": "Fri, 31 Dec 9999 23:59:59 GMT"}),
    ],
    ids=["no address", "long name", "no number", "304 unasked", "long number", "no day"],
)
def test_an_odd_answer_for_one_law_leaves_the_others(
    few: PastSite, past: Past, tmp_path: Path, answer: Instead
) -> None:
    begin(tmp_path, few)
    for path in (tmp_path / "cache").rglob("makv/state.json"):
        path.unlink()  # so that nothing of it is held that an answer could confirm
    few.instead["/makv/xml.zip"] = answer
    report = look(tmp_path, few, past.days[1])
    assert [one.split(":")[0] for one in report.outcomes[0].problems] == ["laws/makv/xml.zip"]
    assert few.asked[304] == 2


@pytest.mark.parametrize("at", ["look", "build_corpus"])
def test_what_nobody_foresaw_is_told_in_the_report(  # noqa: PLR0917 fixtures
    few: PastSite,
    past: Past,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    at: str,
) -> None:
    begun, words = begin(tmp_path, few), "a secret"

    def fail(*_: object) -> None:
        raise KeyError(words)

    with monkeypatch.context() as patched:
        patched.setattr(f"fundstelle.ingest.update.{at}", fail)
        report = look(tmp_path, few, past.days[1])
    told = "it failed in a way that nobody foresaw (KeyError); the log says where"
    assert [one.problem for one in report.outcomes] == [told]
    assert (report.release, read_report(tmp_path)) == (begun.release, report)
    assert "in fail" in caplog.text
    assert words not in f"{caplog.text}{report}"
    assert look(tmp_path, few, past.days[1]).is_good


@pytest.mark.parametrize("name", ["observed-days.txt", "compared.json", "toc", "unread"])
def test_a_law_cannot_have_the_name_of_our_own_files(
    few: PastSite, past: Past, tmp_path: Path, name: str
) -> None:
    begin(tmp_path, few)
    few.invented = {name}
    few.instead[f"/{name}/xml.zip"] = zip_file(find_law(few, "partgg"))
    report = look(tmp_path, few, past.days[1])
    assert [one.split("/")[1] for one in report.outcomes[0].problems] == [name]
    few.invented = set()
    assert look(tmp_path, few, past.days[2]).is_good


@pytest.mark.parametrize("address", ["x%2Fpartgg", "partgg%20x", "x%0Apartgg"])
def test_an_odd_address_in_the_table_says_nothing_of_another_law(
    few: PastSite, past: Past, tmp_path: Path, address: str
) -> None:
    begin(tmp_path, few)
    few.invented = {address}
    report = look(tmp_path, few, past.days[1])
    [problem] = report.outcomes[0].problems
    assert problem.startswith(f"laws/{address}/xml.zip: ")
    assert problem.endswith(" is not the name of a law")
    assert {s.slug: s.stand for s in read_statutes(tmp_path)}["partgg"] == past.days[1]


def test_a_build_that_does_not_come_about_is_reported(
    few: PastSite, past: Past, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = begin(tmp_path, few)

    def fail(*_: object) -> Manifest:
        raise CorpusError("the disk is full")

    with monkeypatch.context() as patched:
        patched.setattr("fundstelle.ingest.update.build_corpus", fail)
        report = look(tmp_path, few, past.days[1])
    assert (report.release, report.outcomes[0].problem) == (begun.release, "the disk is full")
    assert read_report(tmp_path) == report
    assert look(tmp_path, few, past.days[1]).is_good  # what was seen is built


def test_what_a_build_cannot_use_is_told_and_stops_nothing(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    begin(tmp_path, few)
    look(tmp_path, few, past.days[1])
    kept = open_kept_looks(tmp_path, few.url + "/")
    day = next(day for day in past.days if day > past.days[1])
    spoilt = kept.folder / "makv" / f"{day.isoformat()}.zip"
    released = builds.get_live(tmp_path)
    assert look(tmp_path, few, day).is_good
    assert released is not None
    spoilt.write_bytes(zip_file(b"<html/>").body)  # as an earlier version kept it
    builds.activate(tmp_path, released)
    report = look(tmp_path, few, day)
    [problem] = report.outcomes[0].problems
    assert problem.startswith("makv/BJNR1/")
    stands = {s.slug: s.stand for s in read_statutes(tmp_path)}
    assert stands == {"makv": past.days[1], "milodokv_2015": day, "partgg": day}


def test_a_site_that_fails_leaves_what_is_held_and_is_named(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    begun = begin(tmp_path, few)
    few.failures = {TABLE: ["503"] * 9}
    report = look(tmp_path, few, past.days[1])
    [laws] = report.outcomes
    assert laws.problem
    assert "gii-toc.xml" in laws.problem
    assert (report.release, laws.stand) == (begun.release, past.days[0])
    assert read_report(tmp_path) == report
    with closing(builds.open_active(tmp_path)) as store:
        [state] = store.manifest.sources
        assert (state.problem, state.last_attempt) == (laws.problem, report.begun_at)
    few.failures = {}
    assert look(tmp_path, few, past.days[1]).is_good
    with closing(builds.open_active(tmp_path)) as store:
        assert store.manifest.sources[0].problem is None


def test_a_site_that_lists_laws_and_has_none_was_not_looked_at(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    begun = begin(tmp_path, few)
    few.instead = {f"/{slug}/xml.zip": Instead(404) for slug in few.past.versions}
    report = look(tmp_path, few, past.days[1])
    [laws] = report.outcomes
    assert "lists 3 laws, and 3 of them could not be had" in str(laws.problem)
    assert (report.release, laws.stand) == (begun.release, past.days[0])
    few.instead = {}
    assert look(tmp_path, few, past.days[1]).is_good


def test_a_table_that_lists_far_fewer_laws_stops_the_update(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    begun = begin(tmp_path, few)
    kept = dict(few.past.versions)
    few.past.versions.pop("makv")
    few.past.versions.pop("partgg")
    report = look(tmp_path, few, past.days[1])
    assert "no longer lists 2 of 3 laws" in str(report.outcomes[0].problem)
    assert report.release == begun.release
    few.past.versions.update(kept)
    assert look(tmp_path, few, past.days[1]).is_good


def test_no_password_of_a_mirror_is_told(few: PastSite, past: Past, tmp_path: Path) -> None:
    begin(tmp_path, few)
    few.url = few.url.replace("//", "//reader:secret@")
    few.failures = {f"/{slug}/xml.zip": ["page"] for slug in few.past.versions}
    for clock in (past.days[1], past.days[1] + timedelta(days=400)):
        report = look(tmp_path, few, past.days[1], clock=clock)
        told = str(report)
        assert not report.is_good
        assert "127.0.0.1" in told
        assert "secret" not in told


def test_with_a_clock_that_is_days_off_nothing_is_seen(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    begun = begin(tmp_path, few)
    report = look(tmp_path, few, past.days[1], clock=past.days[1] + timedelta(days=400))
    assert "this machine's clock" in str(report.outcomes[0].problem)
    assert report.release == begun.release
    assert look(tmp_path, few, past.days[1]).is_good


def test_the_looks_that_are_kept_make_the_same_texts_again(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    begin(tmp_path, few)
    last = [look(tmp_path, few, day) for day in past.days[1:40:6]][-1]
    kept = open_kept_looks(tmp_path, few.url + "/")
    assert kept.list_days() == list(past.days[1:40:6])
    again = build(tmp_path / "again", [LawHistory(KeptFiles(kept))])
    held, made = open_store(tmp_path), open_store(tmp_path / "again")
    for slug in ("makv", "milodokv_2015", "partgg"):
        [statute] = [s for s in held.statutes.values() if s.slug == slug]
        for norm in held.list_norms(statute.statute_id):
            for day in past.days[1:40:6]:
                before, after = (s.find_fassung(norm.norm_id, day) for s in (held, made))
                assert (before and before.text) == (after and after.text), (norm.norm_id, day)
    assert again.stand == past.days[1:40:6][-1]
    assert last.is_good
    held.close()
    made.close()


def test_one_look_is_taken_a_day_and_one_that_was_not_built_is_built_later(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    begun = begin(tmp_path, few)
    assert look(tmp_path, few, past.days[0]).release == begun.release  # of that day already
    first = look(tmp_path, few, past.days[1])
    asked = few.asked.total()
    assert look(tmp_path, few, past.days[1]).release == first.release
    assert few.asked.total() == asked
    builds.activate(tmp_path, begun.release)  # as if the machine had died before the build
    assert look(tmp_path, few, past.days[1]).release == first.release


def test_what_an_unfinished_look_wrote_is_looked_at_anew(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    begin(tmp_path, few)
    look(tmp_path, few, past.days[1])
    changed = next(v for v in few.past.versions["milodokv_2015"] if v.day > past.days[1])
    kept = open_kept_looks(tmp_path, few.url + "/")
    orphan = kept.folder / "milodokv_2015" / "2022-01-31.zip"  # no look of that day came to its end
    orphan.write_bytes(pack(changed))
    day = next(day for day in past.days if day >= changed.day)
    unread = kept.folder / "unread" / f"{day.isoformat()}.txt"  # of the same day's first try
    unread.parent.mkdir(exist_ok=True)
    orphan.rename(orphan := orphan.with_name(f"{day.isoformat()}.zip"))
    unread.write_text("partgg\n")
    report = look(tmp_path, few, day)
    assert not unread.exists()
    assert {s.stand for s in read_statutes(tmp_path)} == {day}
    assert report.outcomes[0].new >= 1
    assert len(kept.find_versions("milodokv_2015")) == 2


@pytest.mark.parametrize("left", [None, 0, 1])
def test_looks_that_the_list_of_days_lacks_are_not_thrown_away(
    few: PastSite, past: Past, tmp_path: Path, left: int | None
) -> None:
    begin(tmp_path, few)
    for day in past.days[1:4]:
        look(tmp_path, few, day)
    kept = open_kept_looks(tmp_path, few.url + "/")
    path = kept.folder / "observed-days.txt"
    days = path.read_text().splitlines(keepends=True)
    path.unlink() if left is None else path.write_text("".join(days[:left]))
    files = sorted(kept.folder.rglob("*"))
    report = look(tmp_path, few, past.days[4])
    assert "observed-days.txt lacks" in str(report.outcomes[0].problem)
    assert sorted(kept.folder.rglob("*")) == files
    path.write_text("".join(days))
    assert look(tmp_path, few, past.days[4]).is_good


@pytest.mark.parametrize("lost", [1, 2])
def test_a_look_that_is_built_is_never_taken_for_unfinished(
    few: PastSite, past: Past, tmp_path: Path, lost: int
) -> None:
    begin(tmp_path, few)
    for day in past.days[1 : 1 + lost]:
        look(tmp_path, few, day)
    kept = open_kept_looks(tmp_path, few.url + "/")
    path = kept.folder / "observed-days.txt"
    days = path.read_text().splitlines(keepends=True)
    path.write_text("".join(days[:-1]))  # the last line alone
    files = sorted(kept.folder.rglob("*"))
    report = look(tmp_path, few, past.days[1 + lost])
    assert "observed-days.txt lacks" in str(report.outcomes[0].problem)
    assert sorted(kept.folder.rglob("*")) == files


def test_a_change_of_a_look_that_the_list_lost_is_kept_again(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    changed = few.past.versions["milodokv_2015"][1]
    before, on, after = (past.days[past.days.index(changed.day) + n] for n in (-1, 0, 1))
    begin(tmp_path, few)
    built = look(tmp_path, few, before).release
    look(tmp_path, few, on)
    builds.activate(tmp_path, built)  # the look that the list loses is in no build
    kept = open_kept_looks(tmp_path, few.url + "/")
    (kept.folder / "observed-days.txt").write_text(f"{before.isoformat()}\n")
    assert look(tmp_path, few, after).is_good
    assert [path.stem for path in kept.find_versions("milodokv_2015")] == [
        before.isoformat(),
        after.isoformat(),
    ]


def test_a_kept_file_that_is_gone_is_kept_again_from_what_the_site_has(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    """What was compared once says nothing of a file that is not there any more."""
    changed = few.past.versions["milodokv_2015"][1]
    on, after = (past.days[past.days.index(changed.day) + n] for n in (0, 1))
    begun = begin(tmp_path, few)
    look(tmp_path, few, on)
    builds.activate(tmp_path, begun.release)  # as if the look had never been built
    kept = open_kept_looks(tmp_path, few.url + "/")
    [path] = kept.find_versions("milodokv_2015")
    path.unlink()
    (problem,) = look(tmp_path, few, after).outcomes[0].problems
    assert "it is not there any more" in problem
    assert [one.stem for one in kept.find_versions("milodokv_2015")] == [after.isoformat()]


def test_a_kept_folder_that_cannot_be_read_is_not_taken_for_nothing_new(
    few: PastSite, past: Past, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = few.past.versions["milodokv_2015"][1]
    on = past.days[past.days.index(changed.day)]
    begun = begin(tmp_path, few)
    look(tmp_path, few, on)
    builds.activate(tmp_path, begun.release)
    kept = open_kept_looks(tmp_path, few.url + "/").folder / "milodokv_2015"
    plain = Path.iterdir

    def refuse(path: Path) -> Iterator[Path]:
        if path == kept:
            raise PermissionError(13, "Permission denied", str(path))
        return plain(path)

    monkeypatch.setattr(Path, "iterdir", refuse)
    report = look(tmp_path, few, on)
    assert not report.is_good
    assert report.release == begun.release
    monkeypatch.setattr(Path, "iterdir", plain)
    assert look(tmp_path, few, on).is_good


def test_a_disk_that_is_full_is_told_in_the_report(
    few: PastSite, past: Past, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(tmp_path, few)
    assert look(tmp_path, few, past.days[1]).is_good

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "/secret/place")

    with monkeypatch.context() as patched:
        patched.setattr("fundstelle.ingest.sources.gii.kept.write_whole", fail)
        report = look(tmp_path, few, past.days[2])
    told = "this machine's files cannot be used: No space left on device"
    assert [one.problem for one in report.outcomes] == [told]
    assert read_report(tmp_path) == report
    assert look(tmp_path, few, past.days[2]).is_good


def test_a_build_of_a_day_to_come_is_not_up_to_date(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    few.today = past.days[9]
    begin(tmp_path, few)  # by a clock that was ahead, as the publisher's was, or was not asked
    [laws] = look(tmp_path, few, past.days[1]).outcomes
    assert "a day still to come" in str(laws.problem)


def test_without_a_build_or_with_invented_law_nothing_is_updated(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    with pytest.raises(NoCorpus, match="fundstelle ingest"):
        look(tmp_path, few, past.days[1])
    build(tmp_path, [*demonstration.open_snapshots()])
    with pytest.raises(CorpusError, match="invented law"):
        look(tmp_path, few, past.days[1])
    assert not few.asked


def test_a_law_that_changes_after_the_look_of_a_day_is_new_at_the_next_and_not_dated_before_it(
    few: PastSite, past: Past, tmp_path: Path
) -> None:
    days = past.days[:3]
    begin(tmp_path, few)
    few.past.versions["makv"] = [few.past.versions["makv"][0]]
    assert look(tmp_path, few, days[1]).is_good
    data = find_law(few, "makv")
    changed = Version(f"makv/BJNR1/{days[1].isoformat()}.xml", data.replace(b"<P>", b"<P>Neu: "))
    few.past.versions["makv"].append(changed)
    asked = few.asked.total()
    report = look(tmp_path, few, days[1])  # the second time that day
    assert (report.is_good, report.outcomes[0].asked) == (True, 0)
    assert few.asked.total() == asked
    assert look(tmp_path, few, days[2]).outcomes[0].new >= 1
    with closing(open_store(tmp_path)) as store:
        heads = next(
            heads
            for norm in store.list_norms("de/makv")
            if len(heads := store.list_fassungen(norm.norm_id)) > 1
        )
    old, new = heads
    assert (old.stand, old.in_force_until) == (days[1], days[2])
    assert (new.in_force_from, new.date_precision) == (days[2], DatePrecision.FIRST_SEEN)

"""Later snapshots continue the live build: nothing it held is lost, nothing is invented."""

import re
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus import builds
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import FILE_NAME, Manifest, dump_manifest
from fundstelle.corpus.missing import MissingLaw
from fundstelle.corpus.sqlite import writer
from fundstelle.errors import CorpusError, SourceError
from fundstelle.ingest.sources import demonstration
from fundstelle.law.norms import Fassung, Norm, NormKind, NormStatus
from fundstelle.lookup.answers import Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.integration.corpora.building import Heard, build, unsign
from tests.integration.corpora.gii_archive import ARCHIVE, CORPUS, skip_without_archive
from tests.integration.corpora.laws import write_contents, write_law
from tests.integration.corpora.stand_in import LinesEngine

FIRST, SECOND, THIRD = date(2024, 1, 1), date(2024, 7, 1), date(2025, 1, 1)
CHANGES = CORPUS / "gii-xml-2026-04-29-changes.tar.zst"
CHANGED_LAWS = ("bgb", "stgb", "bgbeg", "estg")
FURNITURE = (NormKind.HEADING, NormKind.CONTENTS)  # they have no history of their own


@dataclass(frozen=True)
class Series:
    """Three snapshots in one folder: two full ones and a partial one between them."""

    folder: Path

    def path(self, day: date) -> Path:
        return self.folder / f"gii-{day}"

    def write(self, day: date, slug: str, number: int, sections: Mapping[str, str]) -> None:
        write_law(self.path(day) / "laws", slug, number, sections)


@pytest.fixture
def series(tmp_path: Path) -> Series:
    series = Series(tmp_path / "series")
    series.write(FIRST, "ag", 1, {"§ 1": "Alt.", "§ 2": "Gleich.", "§ 3": "Fällt weg."})
    series.write(FIRST, "bg", 2, {"§ 1": "Unverändert, wie § 1 AG."})
    series.write(FIRST, "cg", 3, {"§ 1": "Wird aufgehoben."})
    write_contents(series.path(FIRST), "ag", "bg", "cg", "nicht_gegeben")
    # Only what changed: says nothing of the laws it lacks.
    series.write(SECOND, "ag", 1, {"§ 1": "Neu.", "§ 1a": "Eingefügt.", "§ 2": "Gleich."})
    series.write(SECOND, "dg", 4, {"§ 1": "Ein neues Gesetz."})
    (series.path(SECOND) / "new-since-2024-01-01.txt").write_text("BJNR900000004\n")
    series.write(THIRD, "ag", 1, {"§ 1": "Noch neuer.", "§ 2": "Gleich.", "§ 3": "Kehrt zurück."})
    series.write(THIRD, "bg", 2, {"§ 1": "Unverändert, wie § 1 AG."})
    series.write(THIRD, "dg", 4, {"§ 1": "Ein neues Gesetz."})
    series.write(THIRD, "eg", 5, {"§ 1": "Im Verzeichnis vorher nicht genannt."})
    write_contents(series.path(THIRD), "ag", "bg", "dg", "eg", "nicht_gegeben")
    return series


def update(data_dir: Path, series: Series, *days: date) -> list[Manifest]:
    return [build(data_dir, series.path(day)) for day in days]


def read_days(store: WholeStore, norm_id: str) -> list[tuple[date | None, date | None]]:
    return [(head.in_force_from, head.in_force_until) for head in store.list_fassungen(norm_id)]


def read_all(data_dir: Path) -> dict[str, list[tuple[Norm, tuple[Fassung, ...]]]]:
    store = builds.open_active(data_dir)
    return {statute_id: store.list_histories(statute_id) for statute_id in store.statutes}


def test_updates_one_by_one_give_the_release_of_the_whole_series(
    tmp_path: Path, series: Series
) -> None:
    whole = build(tmp_path / "whole", series.folder)
    manifests = update(tmp_path / "steps", series, FIRST, SECOND, THIRD)

    assert read_all(tmp_path / "steps") == read_all(tmp_path / "whole")
    assert manifests[-1].sources == whole.sources
    assert unsign(manifests[-1]) == unsign(whole)
    assert [(m.stand, m.archive_floor) for m in manifests] == [
        (day, FIRST) for day in (FIRST, SECOND, THIRD)
    ]
    assert builds.verify(tmp_path / "steps", whole.release) == []


def test_an_update_keeps_every_older_fassung(tmp_path: Path, series: Series) -> None:
    update(tmp_path / "data", series, FIRST, SECOND, THIRD)
    store = builds.open_active(tmp_path / "data")
    norm_ids = ("ag/1", "ag/1a", "ag/2", "ag/3", "bg/1", "cg/1", "dg/1", "eg/1")
    assert {norm_id: read_days(store, f"de/{norm_id}") for norm_id in norm_ids} == {
        "ag/1": [(None, SECOND), (SECOND, THIRD), (THIRD, None)],
        "ag/1a": [(SECOND, THIRD)],
        "ag/2": [(None, None)],
        "ag/3": [(None, SECOND), (THIRD, None)],
        "bg/1": [(None, None)],
        "cg/1": [(None, None)],
        "dg/1": [(SECOND, None)],
        "eg/1": [(THIRD, None)],
    }
    texts = [store.find_fassung("de/ag/1", on) for on in (FIRST, SECOND, THIRD)]
    assert [text and text.text for text in texts] == ["Alt.", "Neu.", "Noch neuer."]
    gone = store.find_norm("de/ag/1a")
    assert gone is not None
    assert gone.status is NormStatus.REPEALED


def test_only_a_full_snapshot_shows_that_a_law_is_gone(tmp_path: Path, series: Series) -> None:
    listed = []
    for day in (FIRST, SECOND, THIRD):
        update(tmp_path / "data", series, day)
        store = builds.open_active(tmp_path / "data")
        listed.append([s.statute_id for s in store.statutes.values() if s.listed])
    assert listed == [
        ["de/ag", "de/bg", "de/cg"],
        ["de/ag", "de/bg", "de/cg", "de/dg"],
        ["de/ag", "de/bg", "de/dg", "de/eg"],
    ]


def test_the_manifest_describes_the_series(tmp_path: Path, series: Series) -> None:
    *_, manifest = update(tmp_path / "data", series, FIRST, SECOND, THIRD)
    [source] = manifest.sources
    assert [(state.stand, state.items) for state in source.snapshots] == [
        (FIRST, 3),
        (SECOND, 2),
        (THIRD, 4),
    ]
    assert (source.stand, source.items, source.complete) == (THIRD, 9, False)
    assert source.missing == ("nicht_gegeben",)
    store = builds.open_active(tmp_path / "data")
    assert store.missing.laws == (MissingLaw("nicht_gegeben", 'Gesetz "nicht_gegeben"'),)
    assert source.known_gaps == (
        "1 laws of the publisher's table of contents are not in the source",
    )


def test_changes_alone_are_not_a_complete_source(tmp_path: Path, series: Series) -> None:
    [manifest] = update(tmp_path / "data", series, SECOND)
    assert not manifest.sources[0].complete


@pytest.mark.parametrize("days", [(THIRD,), (SECOND, THIRD), (FIRST, SECOND, THIRD)])
def test_what_the_live_build_holds_already_changes_nothing(
    tmp_path: Path, series: Series, days: tuple[date, ...]
) -> None:
    before = update(tmp_path / "data", series, FIRST, SECOND, THIRD)[-1]
    again = tmp_path / "again"
    again.mkdir()
    for day in days:
        (again / f"gii-{day}").symlink_to(series.path(day))
    assert build(tmp_path / "data", again) == before
    assert builds.read_pointer(tmp_path / "data") == before.release


def test_a_series_that_overlaps_adds_only_what_is_new(tmp_path: Path, series: Series) -> None:
    update(tmp_path / "data", series, FIRST, SECOND)
    overlap = tmp_path / "overlap"
    overlap.mkdir()
    for day in (SECOND, THIRD):
        (overlap / f"gii-{day}").symlink_to(series.path(day))
    manifest = build(tmp_path / "data", overlap)
    assert unsign(manifest) == unsign(build(tmp_path / "whole", series.folder))


def test_a_selection_updates_its_laws_and_keeps_the_others(tmp_path: Path, series: Series) -> None:
    update(tmp_path / "data", series, FIRST)
    build(tmp_path / "data", series.path(THIRD), laws=("ag",))
    store = builds.open_active(tmp_path / "data")
    assert [(s.statute_id, s.stand, s.listed) for s in store.statutes.values()] == [
        ("de/ag", THIRD, True),
        ("de/bg", FIRST, True),
        ("de/cg", FIRST, True),
    ]


def test_of_a_law_that_the_newest_look_did_not_bring_no_more_is_said_than_was_seen(
    tmp_path: Path, series: Series
) -> None:
    """What it holds, what it lacks and that it is there: each names the day it was seen on."""
    update(tmp_path / "data", series, FIRST)
    build(tmp_path / "data", series.path(THIRD), laws=("ag",))
    store = builds.open_active(tmp_path / "data")
    folder = builds.get_folder(tmp_path / "data", store.manifest.release)
    index = LinesEngine().open(folder / builds.INDEX)
    with closing(Library(store, index, LawNames.build(store.statutes.values()))) as library:
        seen = f"Bg was last seen at its publisher on {FIRST.isoformat()}"
        for written in ("§ 1 BG", "de/bg/1", "BG"):
            (hit,) = resolve(library, written, THIRD).outcomes
            assert not isinstance(hit, Miss)
            assert any(seen in warning for warning in hit.warnings), written
        for written in ("§ 2 BG", "§ 1 Abs. 7 BG", "§§ 5, 6 BG"):
            for miss in resolve(library, written, THIRD).outcomes:
                assert isinstance(miss, Miss)
                assert seen in miss.reason, written
                assert miss.last_seen == FIRST
        for written in ("§ 1 AG", "§ 9 AG"):  # these were seen
            (outcome,) = resolve(library, written, THIRD).outcomes
            told = outcome.reason if isinstance(outcome, Miss) else " ".join(outcome.warnings)
            assert "last seen" not in told


@pytest.mark.parametrize("kept", [0, 60, 200])
def test_a_table_of_contents_that_is_cut_short_removes_no_law(
    tmp_path: Path, series: Series, kept: int
) -> None:
    update(tmp_path / "data", series, FIRST)
    contents = series.path(THIRD) / "gii-toc.xml"
    contents.write_bytes(contents.read_bytes()[:kept])
    with pytest.raises(SourceError, match=r"table of contents .* cut short or names no law"):
        build(tmp_path / "data", series.path(THIRD))
    assert builds.open_active(tmp_path / "data").manifest.stand == FIRST


def test_a_table_of_contents_that_lacks_most_laws_is_taken_only_in_a_fresh_build(
    tmp_path: Path, series: Series
) -> None:
    update(tmp_path / "data", series, FIRST)
    write_contents(series.path(THIRD), "ag", "anderes")
    with pytest.raises(CorpusError, match=r"names 1 of the 3 laws .*--fresh"):
        build(tmp_path / "data", series.path(THIRD))
    build(tmp_path / "data", series.path(THIRD), fresh=True)


def test_a_source_of_the_same_day_with_few_laws_takes_the_place_of_many_only_in_a_fresh_build(
    tmp_path: Path, series: Series
) -> None:
    update(tmp_path / "data", series, FIRST)
    folder = tmp_path / "few" / f"gii-{FIRST}"
    write_law(folder / "laws", "ag", 1, {"§ 1": "Alt."})
    with pytest.raises(CorpusError, match=r"holds 1 laws .* a build with 3; 2 of them .*--fresh"):
        build(tmp_path / "data", folder)
    assert build(tmp_path / "data", folder, fresh=True).statutes == 1


def test_a_series_may_be_given_whole_again_however_often_a_law_is_in_it(tmp_path: Path) -> None:
    """What counts are laws, not their files of all days."""
    for month in range(1, 7):
        folder = tmp_path / "grows" / f"gii-2024-0{month}-01"
        write_law(folder / "laws", "ag", 1, {"§ 1": f"Text {month}."})
        write_contents(folder, "ag")
        manifest = build(tmp_path / "data", tmp_path / "grows")
        assert manifest.stand == date(2024, month, 1)
    assert build(tmp_path / "data", tmp_path / "grows") == manifest


def test_a_norm_with_more_texts_than_a_build_holds_is_named(
    tmp_path: Path, series: Series, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else its last ones would be nobody's, or the next norm's."""
    monkeypatch.setattr(writer, "VERSIONS", 2)
    with pytest.raises(CorpusError, match="de/ag/1 has 3 texts and a build holds 2 of a norm"):
        build(tmp_path / "data", series.folder)
    assert builds.read_pointer(tmp_path / "data") is None


@pytest.mark.parametrize("is_named", [True, False])
def test_a_source_of_a_day_to_come_is_refused(tmp_path: Path, *, is_named: bool) -> None:
    """Every text would be of that day, and no later source could take its place."""
    folder = tmp_path / ("gii-2999-12-31" if is_named else "gii")
    write_law(folder / "laws", "ag", 1, {"§ 1": "Text."})
    if not is_named:
        for path in folder.rglob("*.xml"):
            words = path.read_text("utf-8")
            assert "builddate=" in words
            later = re.sub(r'builddate="\d+"', 'builddate="29991231000000"', words)
            path.write_text(later, "utf-8")
    with pytest.raises(SourceError, match="2999-12-31, a day still to come"):
        build(tmp_path / "data", folder)
    assert builds.read_pointer(tmp_path / "data") is None


def test_a_fresh_build_forgets_the_live_one(tmp_path: Path, series: Series) -> None:
    update(tmp_path / "data", series, FIRST)
    fresh = build(tmp_path / "data", series.path(THIRD), fresh=True)
    assert unsign(fresh) == unsign(build(tmp_path / "alone", series.path(THIRD)))
    assert fresh.archive_floor == THIRD


def rewrite(data: Path, manifest: Manifest, **changed: object) -> None:
    """Let the manifest of a build say something else."""
    path = builds.get_folder(data, manifest.release) / FILE_NAME
    path.write_bytes(dump_manifest(replace(manifest, **changed)))  # type: ignore[arg-type]


def test_invented_law_is_left_for_real_law_with_a_reason(tmp_path: Path, series: Series) -> None:
    [live] = update(tmp_path / "data", series, FIRST)
    rewrite(tmp_path / "data", live, demonstration=True)
    heard = Heard()
    manifest = build(tmp_path / "data", series.path(THIRD), heard=heard)
    assert manifest.archive_floor == THIRD
    assert any("are not mixed" in note for note in heard.notes)


def test_a_build_of_another_version_gives_way_to_all_of_its_looks_alone(
    tmp_path: Path, series: Series
) -> None:
    """It cannot be looked into: what another source lacks of it nobody can say."""
    data = tmp_path / "data"
    *_, live = update(data, series, FIRST, SECOND)
    rewrite(data, live, schema_version=0)
    for days, lacking in (
        ((THIRD,), r"of 2024-01-01 to 2024-07-01 \(2 looks\)"),
        ((FIRST,), "Gesetze im Internet of 2024-07-01"),
        ((SECOND, THIRD), "Gesetze im Internet of 2024-01-01"),
    ):
        some = tmp_path / "-".join(map(str, days))
        some.mkdir()
        for day in days:
            (some / f"gii-{day}").symlink_to(series.path(day))
        with pytest.raises(CorpusError, match=rf"\(schema 0, not .* lack.* {lacking}.*--fresh"):
            build(data, some)
        assert builds.read_pointer(data) == live.release
    assert build(data, series.folder).archive_floor == FIRST
    rewrite(data, builds.open_active(data).manifest, schema_version=0)
    assert build(data, series.path(THIRD), fresh=True).archive_floor == THIRD


def test_a_source_that_is_not_later_takes_no_earlier_text_away(
    tmp_path: Path, series: Series
) -> None:
    data, other = tmp_path / "data", tmp_path / f"gii-{THIRD}"
    for number, slug in enumerate(("ag", "bg", "dg", "eg"), 1):
        write_law(other / "laws", slug, number, {"§ 1": "Am selben Tag, aber anders."})
    [live] = update(data, series, THIRD)
    heard = Heard()
    assert build(data, other, heard=heard).release != live.release, "of one day: nothing is older"
    assert any("the source is not later" in note for note in heard.notes)
    *_, held = update(tmp_path / "long", series, FIRST, THIRD)
    with pytest.raises(SourceError, match=f"the texts of {FIRST.isoformat()} .* --fresh"):
        build(tmp_path / "long", other)
    assert builds.read_pointer(tmp_path / "long") == held.release


def test_the_real_law_does_not_go_on_from_the_demonstration(tmp_path: Path, series: Series) -> None:
    build(tmp_path / "data", demonstration.open_snapshots())
    build(tmp_path / "data", series.path(FIRST))
    assert list(builds.open_active(tmp_path / "data").statutes) == ["de/ag", "de/bg", "de/cg"]


def test_the_demonstration_takes_the_place_of_no_real_law(tmp_path: Path, series: Series) -> None:
    [live] = update(tmp_path / "data", series, FIRST)
    with pytest.raises(SourceError, match="the invented demonstration, and official law is live"):
        build(tmp_path / "data", demonstration.open_snapshots())
    assert builds.read_pointer(tmp_path / "data") == live.release


def test_a_manifest_without_its_snapshots_is_continued_too(tmp_path: Path, series: Series) -> None:
    [live] = update(tmp_path / "data", series, FIRST)
    folder = builds.get_folder(tmp_path / "data", live.release)
    source = replace(live.sources[0], snapshots=(), missing=None)
    plain = replace(live, sources=(source,), files=None)  # as it was before hashes were kept
    (folder / "manifest.sha256").unlink()
    (folder / "manifest.json").write_bytes(dump_manifest(plain))
    [manifest] = update(tmp_path / "data", series, THIRD)
    assert manifest.archive_floor == FIRST
    assert [state.stand for state in manifest.sources[0].snapshots] == [FIRST, THIRD]


@pytest.mark.parametrize("damage", ["text", "file"])
def test_a_damaged_live_build_is_never_continued_nor_dropped_in_silence(
    tmp_path: Path, series: Series, damage: str
) -> None:
    [live] = update(tmp_path / "data", series, FIRST)
    path = builds.get_folder(tmp_path / "data", live.release) / builds.DATABASE
    spoilt = path.read_bytes().replace(b"Wird aufgehoben", b"Wird abgehoben.")
    path.write_bytes(spoilt if damage == "text" else b"damaged")
    with pytest.raises(CorpusError, match="--fresh"):
        update(tmp_path / "data", series, THIRD)
    assert builds.read_pointer(tmp_path / "data") == live.release


def test_a_newer_law_takes_the_name_as_it_would_in_one_build(tmp_path: Path) -> None:
    base, later = tmp_path / "gii-2024-01-01", tmp_path / "gii-2025-01-01"
    write_law(base / "laws", "dupg", 1, {"§ 1": "Zuerst."}, name="DupG", issued="1990-01-01")
    write_law(later / "laws", "dupg", 1, {"§ 1": "Zuerst."}, name="DupG", issued="1990-01-01")
    write_law(later / "laws", "dupg_neu", 2, {"§ 1": "Neu."}, name="DupG", issued="2024-06-01")
    build(tmp_path / "data", base)
    updated = build(tmp_path / "data", later)
    store = builds.open_active(tmp_path / "data")
    assert {s.statute_id: s.slug for s in store.statutes.values()} == {
        "de/dupg": "dupg_neu",
        "de/dupg-1990": "dupg",
    }
    [norm] = store.list_norms("de/dupg-1990")
    assert (norm.norm_id, norm.citation) == ("de/dupg-1990/1", "§ 1 DupG 1990")
    fassung = store.find_fassung("de/dupg-1990/1", date(2024, 5, 1))
    assert fassung is not None
    assert fassung.text == "Zuerst."
    assert updated.release == build(tmp_path / "whole", tmp_path).release


def test_a_law_that_was_renamed_is_called_by_its_new_name(tmp_path: Path) -> None:
    base, later = tmp_path / "gii-2024-01-01", tmp_path / "gii-2025-01-01"
    write_law(base / "laws", "altg", 1, {"§ 1": "Alt."}, name="AltG")
    write_law(later / "laws", "neug", 1, {"§ 1": "Neu."}, name="NeuG")
    build(tmp_path / "data", base)
    build(tmp_path / "data", later)
    store = builds.open_active(tmp_path / "data")
    [statute] = store.statutes.values()
    assert (statute.statute_id, statute.abbreviation) == ("de/neug", "NeuG")
    assert (statute.slug, statute.abbreviations_juris) == ("neug", ("NeuG",))
    found = [store.find_fassung("de/neug/1", date(year, 5, 1)) for year in (2024, 2025)]
    assert [fassung and fassung.text for fassung in found] == ["Alt.", "Neu."]


@pytest.mark.corpus
def test_an_update_of_official_laws_keeps_both_texts(tmp_path: Path) -> None:
    skip_without_archive(ARCHIVE)
    skip_without_archive(CHANGES)
    build(tmp_path / "steps", ARCHIVE, laws=CHANGED_LAWS)
    before = read_all(tmp_path / "steps")
    manifest = build(tmp_path / "steps", CHANGES, laws=CHANGED_LAWS)
    after = builds.open_active(tmp_path / "steps")

    assert (manifest.archive_floor, manifest.stand) == (date(2025, 3, 31), date(2026, 4, 29))
    changed = 0
    for norm, (old,) in (entry for norms in before.values() for entry in norms):
        then = after.find_fassung(norm.norm_id, date(2025, 4, 1))
        now = after.find_fassung(norm.norm_id, date(2026, 4, 29))
        if norm.kind not in FURNITURE:
            assert then is not None, norm.norm_id
            assert then.text == old.text
        changed += then is not None and now is not None and then.text != now.text
    assert changed > 50
    assert unsign(manifest) == unsign(build(tmp_path / "whole", CORPUS, laws=CHANGED_LAWS))


@pytest.mark.parametrize("content", [None, "", "{"])
def test_a_live_build_without_its_manifest_is_not_passed_over(
    tmp_path: Path, series: Series, content: str | None
) -> None:
    """All that it holds would be lost for a file of a few kilobytes."""
    data = tmp_path / "data"
    [live] = update(data, series, FIRST)
    manifest = builds.get_folder(data, live.release) / FILE_NAME
    manifest.unlink()
    if content is not None:
        manifest.write_text(content)
    with pytest.raises(CorpusError, match=r"cannot be gone on from .* --fresh"):
        update(data, series, SECOND)
    assert builds.read_pointer(data) == live.release
    assert build(data, series.path(SECOND), fresh=True).statutes == 2

"""A collection that is empty or cut short takes the live build's documents from nobody."""

import shutil
import zipfile
from contextlib import closing
from pathlib import Path

import orjson
import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.errors import CorpusError, SourceError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.sources.by_hand import find_collections, find_snapshots
from tests.integration.builds.damaging import make_foreign
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_contents, write_law, write_snapshot
from tests.unit.ingest.sources.decision_files import bag, rd, rii
from tests.unit.ingest.test_eurlex import FORMEX, JUDGMENT

DECISIONS = 10
ECLI = "ECLI:DE:BGH:2022:150322UVIZR77.21.0"
EU_ECLI = "ECLI:EU:C:2019:1"
COPY = {
    "slug": "eugh-x",
    "court": {"name": "Europäischer Gerichtshof"},
    "ecli": EU_ECLI,
    "file_number": "C-1/19",
    "date": "2019-02-03",
    "type": "Urteil",
    "content": "<p>Kurzfassung eines Sammlers, und viel mehr davon.</p>" * 100,
}


@pytest.fixture
def source(tmp_path: Path) -> Path:
    """A law and ten decisions."""
    write_snapshot(tmp_path / "source" / "gii-2025-01-01", laws=1)
    (folder := tmp_path / "source" / "decisions").mkdir()
    for number in range(DECISIONS):
        ecli = f"ECLI:DE:BGH:2022:150322UVIZR{number}.21.0"
        text = rii(ecli=ecli, doknr=f"KORE{number}", aktenzeichen=f"VI ZR {number}/21")
        (folder / f"{number}.xml").write_text(text, encoding="utf-8")
    return tmp_path / "source"


def ingest(
    tmp_path: Path,
    source: Path,
    *,
    allow: bool = False,
    fresh: bool = False,
    heard: Heard | None = None,
) -> Manifest:
    sources: list[Snapshot | Collection] = [*find_snapshots(source), *find_collections(source)]
    return build(tmp_path / "data", sources, allow_rejects=allow, fresh=fresh, heard=heard)


def spoil(source: Path, count: int) -> None:
    for path in sorted((source / "decisions").iterdir())[:count]:
        path.write_text("<dokument>", encoding="utf-8")


def write_laws(folder: Path, *numbers: int, text: str = "Text.") -> Path:
    for number in numbers:
        write_law(folder / "laws", f"g{number}", number, {"§ 1": text})
    return folder


def test_an_older_source_takes_the_place_of_the_live_build_only_in_a_fresh_one(
    tmp_path: Path,
) -> None:
    live = build(tmp_path / "data", write_laws(tmp_path / "gii-2025-01-01", 1, 2))
    older = write_laws(tmp_path / "gii-2024-06-01", 1, 2, 3)
    with pytest.raises(SourceError, match="the texts of 2025-01-01 that it holds would be lost"):
        build(tmp_path / "data", older)
    assert builds.read_pointer(tmp_path / "data") == live.release
    assert build(tmp_path / "data", older, fresh=True).statutes == 3


def test_a_second_look_on_one_day_loses_no_law_unsaid(tmp_path: Path) -> None:
    build(tmp_path / "data", write_laws(tmp_path / "gii-2025-01-01", 1, 2, 3, 4))
    again = write_laws(tmp_path / "again" / "gii-2025-01-01", 1, 2, 3, text="Neu.")
    with pytest.raises(CorpusError, match=r"1 of them \(G4\) would be lost"):
        build(tmp_path / "data", again)
    write_contents(again, "g1", "g2", "g3")  # the publisher says that it is gone
    assert build(tmp_path / "data", again).statutes == 3


def test_a_list_of_removed_laws_that_cannot_be_read_is_no_empty_one(tmp_path: Path) -> None:
    build(tmp_path / "data", write_laws(tmp_path / "gii-2025-01-01", 1, 2))
    later = write_laws(tmp_path / "gii-2025-06-01", 1, text="Neu.")
    (later / "unlisted-since-2025-01-01.txt").symlink_to(tmp_path / "list")
    (tmp_path / "list").write_text("BJNR900000002\n")
    with pytest.raises(SourceError, match=r"unlisted-since-2025-01-01\.txt .* cannot be read"):
        build(tmp_path / "data", later)


def test_a_look_that_says_more_than_the_one_before_it_of_that_day_counts(tmp_path: Path) -> None:
    """Its laws are the same; which of them are listed is said only now."""
    source = write_laws(tmp_path / "gii-2025-01-01", 1, 2)
    [before] = build(tmp_path / "data", source).sources
    assert not before.complete
    assert "no table of contents" in before.known_gaps[0]
    write_contents(source, "g1", "g3")
    [after] = build(tmp_path / "data", source).sources
    assert after.missing == ("g3",)
    statutes = builds.open_active(tmp_path / "data").statutes
    assert [statute.listed for statute in statutes.values()] == [True, False]


def test_a_build_of_another_version_loses_no_source_unsaid(tmp_path: Path, source: Path) -> None:
    write_act(source, "eurlex", "Original.")
    live = ingest(tmp_path, source)
    make_foreign(tmp_path / "data", live.release)
    shutil.move(source / "decisions", tmp_path / "away")
    with pytest.raises(CorpusError, match=f"lack {DECISIONS} documents of .*--fresh.*--decisions"):
        ingest(tmp_path, source)
    shutil.move(tmp_path / "away", source / "decisions")
    for path in sorted((source / "decisions").iterdir())[:6]:
        path.unlink()
    with pytest.raises(CorpusError, match=r"4 documents .* the live build has 10: .*--fresh"):
        ingest(tmp_path, source)
    assert builds.read_pointer(tmp_path / "data") == live.release
    assert ingest(tmp_path, source, fresh=True).decisions == 4


@pytest.mark.parametrize("name", ["decisions.zip", "eurlex.zip"])
def test_an_archive_without_a_document_is_refused(tmp_path: Path, source: Path, name: str) -> None:
    live = ingest(tmp_path, source)
    for path in (source / "decisions").iterdir():
        path.unlink()
    (source / "decisions").rmdir()
    with zipfile.ZipFile(source / name, "w") as packed:
        packed.writestr("README.md", "nothing else")
    with pytest.raises(SourceError, match=f"{name} holds no document"):
        ingest(tmp_path, source)
    assert builds.read_pointer(tmp_path / "data") == live.release


def test_more_than_a_tenth_of_rejected_decisions_fails_the_build(
    tmp_path: Path, source: Path
) -> None:
    live = ingest(tmp_path, source)
    spoil(source, 2)
    with pytest.raises(CorpusError, match=r"2 of 10 documents of decisions .*--allow-rejects"):
        ingest(tmp_path, source)
    assert builds.read_pointer(tmp_path / "data") == live.release
    assert ingest(tmp_path, source, allow=True).decisions == DECISIONS - 2


def test_one_rejected_decision_of_ten_is_told_and_left_out(tmp_path: Path, source: Path) -> None:
    spoil(source, 1)
    manifest = ingest(tmp_path, source)
    assert (manifest.decisions, len(manifest.rejected)) == (DECISIONS - 1, 1)


def test_less_than_half_of_the_live_decisions_takes_their_place_only_in_a_fresh_build(
    tmp_path: Path, source: Path
) -> None:
    live = ingest(tmp_path, source)
    paths = sorted((source / "decisions").iterdir())
    for path in paths[:5]:
        path.unlink()
    assert ingest(tmp_path, source).decisions == 5
    assert live.decisions == DECISIONS
    for path in paths[5:8]:
        path.unlink()
    with pytest.raises(CorpusError, match=r"2 documents .* the live build has 5: .*--fresh"):
        ingest(tmp_path, source)
    assert ingest(tmp_path, source, fresh=True).decisions == 2


def test_live_decisions_give_way_to_none_only_in_a_fresh_build(
    tmp_path: Path, source: Path
) -> None:
    live = ingest(tmp_path, source)
    spoil(source, DECISIONS)
    with pytest.raises(CorpusError, match=r"the live build has 10: .*--fresh"):
        ingest(tmp_path, source, allow=True)
    assert builds.read_pointer(tmp_path / "data") == live.release
    assert ingest(tmp_path, source, allow=True, fresh=True).decisions == 0


def test_several_collections_of_one_kind_are_counted_together(tmp_path: Path, source: Path) -> None:
    move(source, 2)
    live = ingest(tmp_path, source)
    (state,) = (one for one in live.sources if one.source_type == "rechtsprechung")
    assert (live.decisions, state.items) == (DECISIONS, DECISIONS)
    shutil.rmtree(source / "decisions")
    with pytest.raises(CorpusError, match=r"2 documents .* the live build has 10: .*--fresh"):
        ingest(tmp_path, source)


def test_all_that_one_court_or_publisher_gave_goes_only_in_a_fresh_build(
    tmp_path: Path, source: Path
) -> None:
    """However few of all they are: a volume that is not mounted looks like this."""
    (other := source / "decisions-bag").mkdir()
    for number in range(3):
        text = bag(f"1 AZR {number + 1}/23").replace("1AZR1.23", f"1AZR{number + 1}.23")
        (other / f"{number}.html").write_text(text, encoding="utf-8")
    live = ingest(tmp_path, source)
    assert live.decisions == DECISIONS + 3
    shutil.move(other, tmp_path / "away")
    with pytest.raises(CorpusError, match=r"no documents of .*\((BAG|bag)\) .* has 3: .*--fresh"):
        ingest(tmp_path, source)
    assert builds.read_pointer(tmp_path / "data") == live.release
    shutil.move(tmp_path / "away", other)
    (other / "0.html").unlink()
    heard = Heard()
    assert ingest(tmp_path, source, heard=heard).decisions == DECISIONS + 2
    assert any("2 documents of" in note and "take the place of 3" in note for note in heard.notes)


def test_decisions_of_another_source_are_not_missed_in_the_courts_collections(
    tmp_path: Path, source: Path
) -> None:
    (other := source / "eurlex").mkdir()
    for number in range(1, 4):
        case = f"62019CJ000{number}"
        text = JUDGMENT.replace("62019CJ0001", case).replace("C-1/19", f"C-{number}/19")
        text = text.replace("EU:C:2019:1", f"EU:C:2019:{number}")
        (other / f"{case}.xml").write_text(text, encoding="utf-8")
    assert ingest(tmp_path, source).decisions == DECISIONS + 3
    shutil.move(other, tmp_path / "away")
    assert ingest(tmp_path, source).decisions == DECISIONS + 3, "they are taken over"


def test_what_a_collector_has_too_neither_replaces_a_courts_text_nor_takes_it_along(
    tmp_path: Path, source: Path
) -> None:
    away = tmp_path / "away"
    (court := source / "eurlex").mkdir()
    (court / "62019CJ0001.xml").write_text(JUDGMENT, encoding="utf-8")
    ingest(tmp_path, source)
    words = read_decision(tmp_path, EU_ECLI)
    shutil.move(court, away)
    wrong = {**COPY, "file_number": "C-1/19, C-999/19"}
    (source / "decisions" / "copy.json").write_bytes(orjson.dumps(wrong))
    assert ingest(tmp_path, source).decisions == DECISIONS + 1
    assert read_decision(tmp_path, EU_ECLI) == words
    assert list_dockets(tmp_path) == ("C-1/19",), "nor gives it a docket"
    (source / "decisions" / "copy.json").unlink()
    assert ingest(tmp_path, source).decisions == DECISIONS + 1
    assert read_decision(tmp_path, EU_ECLI) == words


def test_the_text_of_a_court_that_is_read_later_takes_the_place_of_a_copy(
    tmp_path: Path, source: Path
) -> None:
    (source / "decisions" / "copy.json").write_bytes(orjson.dumps(COPY))
    ingest(tmp_path, source)
    shutil.move(source / "decisions", tmp_path / "away")
    (court := source / "eurlex").mkdir()
    (court / "62019CJ0001.xml").write_text(JUDGMENT, encoding="utf-8")
    assert ingest(tmp_path, source).decisions == DECISIONS + 1
    assert "Ein Hammer." in read_decision(tmp_path, EU_ECLI)


def list_dockets(tmp_path: Path) -> tuple[str, ...]:
    with closing(builds.open_active(tmp_path / "data")) as store:
        decision = store.decisions.find(EU_ECLI)
        assert decision is not None
        return decision.dockets


def read_decision(tmp_path: Path, ecli: str) -> str:
    with closing(builds.open_active(tmp_path / "data")) as store:
        text = store.decisions.find_text(ecli)
        assert text is not None
        return text.text


def test_what_two_publishers_have_is_counted_for_both(tmp_path: Path, source: Path) -> None:
    """The same source once more, with one law of a later day, takes nothing away."""
    (other := source / "decisions-bag").mkdir()
    for number in range(8):
        ecli = f"ECLI:DE:BGH:2022:150322UVIZR{number}.21.0"
        text = bag(f"VI ZR {number}/21").replace("ECLI:DE:BAG:2024:300124.U.1AZR1.23.0", ecli)
        (other / f"{number}.html").write_text(text, encoding="utf-8")
    first = ingest(tmp_path, source)
    write_snapshot(source / "gii-2025-02-01", laws=1, day="20250201")
    assert ingest(tmp_path, source).decisions == first.decisions


def test_while_one_of_several_collections_cannot_be_read_nothing_live_goes(
    tmp_path: Path, source: Path
) -> None:
    move(source, 6)
    ingest(tmp_path, source)
    shutil.rmtree(source / "decisions")
    (source / "decisions.zip").write_bytes(b"PK\3\4 cut short")
    named = {"ecli": "ECLI:DE:BGH:2023:150323UVIZR77.21.0", "entsch-datum": "20230315"}
    text = rii(**named, aktenzeichen="VI ZR 77/21", doknr="KORE77")
    (source / "decisions-more" / "77.xml").write_text(text, encoding="utf-8")
    manifest = ingest(tmp_path, source)
    assert manifest.decisions == DECISIONS + 1
    (state,) = (one for one in manifest.sources if one.source_type == "rechtsprechung")
    assert state.items == DECISIONS + 1
    assert "decisions.zip is damaged" in str(state.problem)


def move(source: Path, count: int) -> None:
    """Some decisions in a folder of their own."""
    (folder := source / "decisions-more").mkdir()
    for path in sorted((source / "decisions").iterdir())[:count]:
        path.rename(folder / path.name)


def write_act(source: Path, collection: str, words: str, day: str | None = None) -> Path:
    """The invented act as first published, or as consolidated to a day."""
    text = FORMEX.replace("Noch einer.", words).replace("2099", "2019")
    if day is not None:
        text = text.replace("<ACT>", "<CONS.ACT>").replace("</ACT>", "</CONS.ACT>")
        mark = f'<INFO.CONSLEG START.DATE="{day}"/>'
        text = text.replace("<BIB.INSTANCE>", f"{mark}<BIB.INSTANCE>", 1)
    path = source / collection / "32019R0005" / f"{day or 'original'}.xml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def read_act(tmp_path: Path) -> str:
    """The newest text of the act's Article 2."""
    store = builds.open_active(tmp_path / "data")
    fassung = store.find_fassung("eu/32019R0005/art_2")
    store.close()
    assert fassung is not None
    return fassung.text


@pytest.mark.parametrize("newer_first", [True, False])
def test_of_an_act_in_two_collections_the_newest_text_counts(
    tmp_path: Path, source: Path, *, newer_first: bool
) -> None:
    names = ("eurlex-1", "eurlex-2") if newer_first else ("eurlex-2", "eurlex-1")
    write_act(source, names[0], "Konsolidiert.", "20240101")
    write_act(source, names[1], "Original.")
    ingest(tmp_path, source)
    assert "Konsolidiert." in read_act(tmp_path)


def test_an_act_goes_back_to_an_older_text_only_in_a_fresh_build(
    tmp_path: Path, source: Path
) -> None:
    """The newest text may be the file that could not be read."""
    write_act(source, "eurlex", "Original.")
    newest = write_act(source, "eurlex", "Konsolidiert.", "20240101")
    live = ingest(tmp_path, source)
    newest.write_text(newest.read_text("utf-8")[:500], encoding="utf-8")
    with pytest.raises(CorpusError, match=r"only an older text of .* live: 2024-01-01\).*--fresh"):
        ingest(tmp_path, source, allow=True)
    assert builds.read_pointer(tmp_path / "data") == live.release
    ingest(tmp_path, source, allow=True, fresh=True)
    assert "Original." in read_act(tmp_path)


@pytest.mark.parametrize("is_longer", [True, False])
def test_of_a_decision_in_two_collections_of_a_publisher_the_newest_counts(
    tmp_path: Path, source: Path, *, is_longer: bool
) -> None:
    """However long the one before was: what was corrected may have become shorter."""
    words = {"decisions": "Lang. " * 50, "decisions-2025": "Kurz. " * (90 if is_longer else 2)}
    for name, reasons in words.items():
        (source / name).mkdir(exist_ok=True)
        text = rii(ecli=ECLI, aktenzeichen="VI ZR 77/21", tatbestand=f"<div>{rd(1, reasons)}</div>")
        (source / name / "77.xml").write_text(text, encoding="utf-8")
    ingest(tmp_path, source)
    store = builds.open_active(tmp_path / "data")
    found = store.decisions.find_text(ECLI)
    assert found is not None
    assert "Kurz." in found.text
    assert "Lang." not in found.text
    store.close()

"""An archive of versions on its way into a build: which day is answered how."""

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.ingest.sources.by_hand import find_history, find_snapshots
from fundstelle.lookup.library import Library
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_contents, write_law
from tests.integration.ingest.test_ingest_archives import pack_zst
from tests.unit.tools.calling import call

LOOKS = ("2022-01-05", "2022-01-12", "2022-01-19", "2022-01-26", "2022-02-02")
VERSIONS: Mapping[str, Mapping[str, str]] = {
    "2022-01-05": {"§ 1": "Alt.", "§ 2": "Bleibt.", "§ 3": "(weggefallen)"},
    "2022-01-19": {"§ 1": "Neu.", "§ 2": "Bleibt.", "§ 3": "(weggefallen)"},
    "2022-02-02": {"§ 1": "Neu.", "§ 2": "Bleibt.", "§ 3": "Wieder da."},
}


def write_history(folder: Path) -> Path:
    """``gii-xml-history.tar.zst`` with the versions of one law, and a list of confirmed laws."""
    archive = folder / "archive"
    for day, sections in VERSIONS.items():
        law = write_law(folder / day, "musterg", 1, sections, name="MusterG")
        place = archive / "musterg" / law.stem / f"{day}.xml"
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(law, place)
    (archive / "observed-days.txt").write_text("\n".join(LOOKS), encoding="ascii")
    (archive / "toc").mkdir()
    write_contents(archive / "toc", "musterg")
    (archive / "toc" / "gii-toc.xml").rename(archive / "toc" / "gii-toc-2022-02-01.xml")
    (folder / "history").mkdir()
    pack_zst(archive, folder / "history" / "gii-xml-history.tar.zst")
    (folder / "history" / "confirmed-2022-03-01.txt").write_text("BJNR900000001", encoding="ascii")
    return folder / "history"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("history")
    build(folder / "data", find_history(write_history(folder)), engine=TantivyEngine())
    return folder / "data"


@pytest.fixture(scope="module")
def library(data: Path) -> Library:
    return open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))


def look_up(library: Library, citation: str, day: str) -> dict[str, Any]:
    return call(library, "legal_lookup", citation=citation, as_of=day, response_format="detailed")


@pytest.mark.parametrize(
    ("day", "text", "seen"),
    [
        ("2022-01-05", "Alt.", ("2022-01-05", "2022-01-12", None)),
        ("2022-01-12", "Alt.", ("2022-01-05", "2022-01-12", None)),
        ("2022-01-18", "Alt.", ("2022-01-05", "2022-01-12", None)),
        ("2022-01-19", "Neu.", ("2022-01-19", "2022-03-01", "2022-01-12")),
        ("2022-02-28", "Neu.", ("2022-01-19", "2022-03-01", "2022-01-12")),
    ],
)
def test_a_day_gets_the_text_of_the_look_before_it(
    library: Library, day: str, text: str, seen: tuple[str, str, str | None]
) -> None:
    norm = look_up(library, "§ 1 MusterG", day)["norm"]
    said = norm["provenance"]
    assert norm["content"] == text
    assert (said["first_seen"], said["last_seen"], said.get("not_seen_before")) == seen


def test_a_day_between_two_looks_is_told_apart_from_one_that_a_look_speaks_for(
    library: Library,
) -> None:
    between = look_up(library, "§ 1 MusterG", "2022-01-15")["warnings"]
    assert any("seen on 2022-01-19" in warning for warning in between)
    assert not any(
        "2022-01-19" in warning
        for warning in look_up(library, "§ 1 MusterG", "2022-01-12")["warnings"]
    )


def test_what_never_changed_is_one_text_confirmed_by_the_last_look(library: Library) -> None:
    (only,) = library.store.list_fassungen("de/musterg/2")
    assert str(only.stand) == "2022-03-01"
    assert str(library.store.statutes["de/musterg"].first_look) == "2022-01-05"


def test_before_a_number_was_given_again_it_was_repealed_and_no_text_of_it_was_seen(
    library: Library,
) -> None:
    gone = look_up(library, "§ 3 MusterG", "2022-01-20")
    assert (gone["status"], "last_seen" in gone.get("evidence", {})) == ("repealed", False)
    assert look_up(library, "§ 3 MusterG", "2022-02-02")["norm"]["content"] == "Wieder da."


def test_a_day_before_the_first_look_is_not_spoken_for(library: Library) -> None:
    miss = look_up(library, "§ 1 MusterG", "2022-01-04")
    assert miss["status"] == "outside_coverage"
    assert miss["evidence"]["archive_floor"] == "2022-01-05"


def test_a_law_that_the_archive_does_not_have_speaks_from_its_own_first_look_on(
    tmp_path: Path,
) -> None:
    """Whether it was there before, a table of contents says: it is not new."""
    history = find_history(write_history(tmp_path))
    later = tmp_path / "gii-2023-01-01"
    write_law(later / "laws", "musterg", 1, VERSIONS["2022-02-02"], name="MusterG")
    write_law(later / "laws", "andersg", 2, {"§ 1": "Anders."}, name="AndersG")
    heard = Heard()
    build(
        tmp_path / "data", [*history, *find_snapshots(later)], engine=TantivyEngine(), heard=heard
    )
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path / "data")}))
    (only,) = library.store.list_fassungen("de/musterg/2")
    assert str(only.stand) == "2023-01-01"
    statute = library.store.statutes["de/andersg"]
    assert str(statute.first_look) == "2023-01-01"
    miss = look_up(library, "§ 1 AndersG", "2022-06-01")
    assert not miss["found"]


def test_the_same_archives_give_the_same_release_in_any_order(tmp_path: Path) -> None:
    history = find_history(write_history(tmp_path))
    one = build(tmp_path / "one", history, engine=TantivyEngine())
    other = build(tmp_path / "other", history[::-1], engine=TantivyEngine())
    assert one.release == other.release
    assert one.fassungen == other.fassungen == len(("alt", "neu", "bleibt", "(weggefallen)", "da"))

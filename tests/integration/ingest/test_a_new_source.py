"""A source is added by its adapter and one declaration; nothing else is told of it."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner

from fundstelle.bootstrap.library import open_library
from fundstelle.cli.ingest import ingest
from fundstelle.errors import SourceError
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.origin import Additions, fetch_additions
from fundstelle.ingest.sources import demonstration, registry
from fundstelle.ingest.sources.adapter import CollectionAdapter
from fundstelle.ingest.sources.by_hand import find_collections
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.lookup.library import Library
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext, Registry
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.invented_source import LAND, read
from tests.integration.services.loopback import Answer, serve

WORDS = "Wer im Wald eine Eiche pflanzt, hat sie zu gießen."
LAW = f"""\
ThürEichG
Gesetz über die Pflege der Eichen, ein erfundenes Gesetz
2024-05-01
§ 1 Eichen
{WORDS}
§ 2 Ausnahmen
§ 1 gilt nicht bei Regen; § 1 DemoG bleibt unberührt.
"""


@pytest.fixture(scope="module", autouse=True)
def _declared() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "SOURCES", (*registry.SOURCES, LAND))
        yield


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demonstration corpus, a law of the Land, and a file of it that is no law."""
    carried: Path = tmp_path_factory.mktemp("carried")
    (folder := carried / "landesrecht-th-2024").mkdir()
    (folder / "eichen.txt").write_text(LAW, encoding="utf-8")
    (folder / "leer.txt").write_text("nichts", encoding="utf-8")
    given: Path = tmp_path_factory.mktemp("data")
    sources: list[Snapshot | Collection] = [
        *demonstration.open_snapshots(),
        demonstration.open_decisions(),
        *find_collections(carried),
    ]
    build(given, sources, engine=TantivyEngine(), allow_rejects=True)
    return given


@pytest.fixture(scope="module")
def library(data: Path) -> Iterator[Library]:
    opened = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def tools(library: Library) -> Registry:
    return build_registry(library, today=lambda: date(2026, 1, 1), base_url="")


def call(tools: Registry, name: str, **arguments: object) -> dict[str, Any]:
    tool = next(tool for tool in tools.tools if tool.name == name)
    answer = tool.call(arguments, CallContext("", ""))
    read: dict[str, Any] = orjson.loads(answer.structured or b"{}")
    return read


def test_statistics_tell_what_is_held_and_under_which_licence(tools: Registry) -> None:
    stats = call(tools, "legal_get_stats")["stats"]
    (state,) = [one for one in stats["sources"] if one["source_type"] == LAND.source_type]
    assert (state["name"], state["url"], state["items"]) == (LAND.name, LAND.url, 1)
    assert state["licence"] == LAND.licence
    assert stats["by_source_type"][LAND.source_type] == 1
    assert stats["by_jurisdiction"]["de_th"] == 1
    assert all(one["licence"] for one in stats["sources"])


@pytest.mark.parametrize(
    "written", ["§ 1 ThürEichG", "de_th/thuereichg/1", "legal://norm/de_th/thuereichg/1"]
)
def test_a_section_is_looked_up_by_its_citation_and_its_id(tools: Registry, written: str) -> None:
    norm = call(tools, "legal_lookup", citation=written)["norm"]
    assert (norm["norm_id"], norm["content"]) == ("de_th/thuereichg/1", WORDS)
    assert norm["source_url"] == LAND.url


def test_a_section_that_is_not_there_is_missed_in_the_law_of_the_land(tools: Registry) -> None:
    answer = call(tools, "legal_lookup", citation="de_th/thuereichg/9")
    assert (answer["found"], answer["status"]) == (False, "norm_does_not_exist")


@pytest.mark.parametrize("selected", [LAND.source_type, None])
def test_it_is_found_by_words_and_by_the_filter(tools: Registry, selected: str | None) -> None:
    hits = call(tools, "legal_search", query="Eiche gießen", source_type=selected)["hits"]
    assert hits[0]["norm_id"] == "de_th/thuereichg/1"
    laws = call(tools, "legal_list_laws", source_type=LAND.source_type)["laws"]
    assert [law["norm_id"] for law in laws] == ["de_th/thuereichg"]
    (search,) = [tool for tool in tools.tools if tool.name == "legal_search"]
    said = search.input_schema["properties"]["source_type"]
    assert said["enum"][-1] == LAND.source_type
    assert "landesrecht_th = law of Thüringen" in said["description"]


def test_it_takes_part_in_the_graph(library: Library) -> None:
    (cited, federal) = library.store.list_references_from("de_th/thuereichg/2")
    assert (cited.cited_id, federal.cited_id) == ("de_th/thuereichg/1", "de/demog/1")


def test_its_files_are_fetched_by_its_name_and_added(tmp_path: Path) -> None:
    data = tmp_path / "data"
    build(data, [*demonstration.open_snapshots()], engine=TantivyEngine())
    with serve() as service:
        service.answers["/law.txt"] = Answer(LAW.encode(), kind="text/plain")
        addresses = {LAND.source_type: service.url}
        wanted = Additions((), (LAND,), None, tmp_path, addresses)
        found = fetch_additions(wanted, Downloader(pause=0), Heard())
    added = build(data, found, engine=TantivyEngine())
    state = next(one for one in added.sources if one.source_type == LAND.source_type)
    assert (state.name, state.url, state.items) == (LAND.name, service.url + "/", 1)
    assert len(added.sources) == 2


def test_a_source_without_a_service_is_not_fetched(tmp_path: Path) -> None:
    alone = replace(LAND, adapter=lambda: CollectionAdapter(read))
    wanted = Additions((), (alone,), None, tmp_path, {})
    with pytest.raises(SourceError, match="--source"):
        fetch_additions(wanted, Downloader(), Heard())


ADDED = [one.source_type for one in registry.SOURCES if isinstance(one, registry.CollectionSource)]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--add", "nowhere"], f"--add takes {', '.join(ADDED)}, landesrecht_th"),
        (["--add", "gii"], "not 'gii'"),  # its snapshots are no additions
        (["--add", "eurlex"], "--acts needs --since"),
        (["--add", "landesrecht_th", "--fresh"], "add to the live build"),
        (["--since", "2025-01-01"], "goes with"),
    ],
)
def test_the_command_line_takes_it_by_its_name(
    arguments: list[str], said: str, tmp_path: Path
) -> None:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)})
    result = CliRunner().invoke(ingest, arguments, obj=settings)
    assert result.exit_code == 2
    assert said in result.stderr


def test_the_next_build_takes_it_over(data: Path, library: Library) -> None:
    again = build(data, [demonstration.open_decisions()], engine=TantivyEngine())
    assert again.release == library.store.manifest.release
    states = {state.source_type: state.items for state in again.sources}
    assert states[LAND.source_type] == 1

"""A text that is not what was written into the build is never given out, by whatever way."""

import logging
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.corpus import builds
from fundstelle.errors import DamagedBuild
from fundstelle.lookup.library import Library
from fundstelle.mcp.engine import Engine
from fundstelle.search.engines.stages.damage import says_damage
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext, Registry
from tests.integration.builds.damaging import close, copy_data, get_live, replace_bytes
from tests.integration.sites.law_site import open_law_site

CONTEXT = CallContext("request-1", "someone")
TRUE, FALSE = "Papierdrachen", "Papierdracken"
DECISION = "de/lg-musterstadt/2-o-901-23/2024-03-05/urteil"


@pytest.fixture
def library(demonstration_data: Path, tmp_path: Path) -> Iterator[Library]:
    """A build in which a word was changed, in laws and decisions alike."""
    settings = copy_data(demonstration_data, tmp_path / "data")
    opened = open_library(settings)
    change_texts(settings)
    yield opened
    close(opened)


def change_texts(settings: Settings) -> None:
    for name in builds.DATABASES:
        replace_bytes(get_live(settings) / name, TRUE, FALSE)


def build(library: Library) -> Registry:
    return build_registry(library, today=lambda: date(2026, 1, 1), base_url="http://localhost")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("legal_lookup", {"citation": "§ 3 DemoG"}),
        ("legal_lookup", {"citation": "§ 3 Abs. 1 DemoG", "include_neighbours": True}),
        ("legal_lookup", {"citation": DECISION}),
        ("legal_lookup_batch", {"citations": ["§ 4 DemoG", "§ 3 DemoG"]}),
        ("legal_get_context", {"norm_id": "de/demog/3", "include": ["versions"]}),
        ("legal_get_context", {"norm_id": "de/demog/2", "include": ["siblings", "parents"]}),
        ("legal_search", {"query": "Haftung Wiese"}),
        ("legal_find_citing_decisions", {"cited_norm": "§ 3 DemoG"}),
    ],
)
def test_no_tool_answers_with_a_changed_text(
    library: Library, name: str, arguments: dict[str, Any]
) -> None:
    tool = next(one for one in build(library).tools if one.name == name)
    known = {
        one: value for one, value in arguments.items() if one in tool.input_schema["properties"]
    }
    try:
        answer = tool.call(known, CONTEXT)
    except DamagedBuild:
        return
    assert answer.structured is not None
    assert "Papierdrack" not in "".join(_texts(orjson.loads(answer.structured)))


def _texts(value: object) -> Iterator[str]:
    """What an answer quotes of texts; titles and names come from other rows."""
    if isinstance(value, dict):
        for key, each in value.items():
            if key in {"content", "snippet", "text", "leitsatz"} and isinstance(each, str):
                yield each
            else:
                yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


@pytest.mark.parametrize("uri", ["legal://norm/de/demog/3", f"legal://norm/{DECISION}"])
def test_no_resource_gives_a_changed_text(library: Library, uri: str) -> None:
    registry = build(library)
    template = next(one for one in registry.templates if uri.startswith(one.prefix))
    with pytest.raises(DamagedBuild):
        template.read(uri, CONTEXT)


class PanicException(BaseException):
    """As native code raises it under this name: no ``Exception``."""


@pytest.mark.parametrize(
    "error", [ValueError, KeyError, IndexError, EOFError, OSError, PanicException]
)
def test_whatever_a_damaged_index_does_is_an_error_of_the_house(
    error: type[BaseException],
) -> None:
    @says_damage
    def search() -> None:
        raise error("words of the query")

    with pytest.raises(DamagedBuild) as raised:
        search()
    assert f"({error.__name__})" in str(raised.value)
    assert "words of" not in str(raised.value)


def test_an_index_that_changes_under_a_server_ends_no_search_unsaid(
    demonstration_data: Path, tmp_path: Path
) -> None:
    settings = copy_data(demonstration_data, tmp_path / "data")
    opened = open_library(settings)
    tool = next(one for one in build(opened).tools if one.name == "legal_search")
    for path in (get_live(settings) / "index").glob("*.*"):
        if path.suffix in {".idx", ".term", ".store", ".fast", ".pos"}:
            with path.open("r+b") as file:  # in its place: it is mapped into memory
                file.write(b"\xa5" * path.stat().st_size)
    with pytest.raises(DamagedBuild, match="search index cannot be read"):
        tool.call({"query": "Haftung Wiese"}, CONTEXT)
    close(opened)


@pytest.mark.parametrize("path", ["/n/de/demog/3", f"/d/{DECISION}"])
def test_no_page_shows_a_changed_text(
    demonstration_data: Path, tmp_path: Path, path: str, caplog: pytest.LogCaptureFixture
) -> None:
    settings = copy_data(demonstration_data, tmp_path / "data")
    with open_law_site(settings.data, tmp_path / "accounts") as site:
        change_texts(settings)
        with caplog.at_level(logging.ERROR):
            answers = [site.visit().get(path) for _ in range(3)]
    assert {answer.status_code for answer in answers} == {503}
    assert not any(FALSE in answer.text for answer in answers)
    (line,) = (one for one in caplog.messages if "corpus build is damaged" in one)  # said once
    assert "demog" not in line


def test_the_client_learns_that_it_is_an_error_and_the_log_that_it_is_damage(
    library: Library, caplog: pytest.LogCaptureFixture
) -> None:
    call = {"name": "legal_lookup", "arguments": {"citation": "§ 3 DemoG"}}
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    headers = {
        b"content-type": b"application/json",
        b"accept": b"application/json, text/event-stream",
        b"mcp-protocol-version": b"2025-11-25",
    }
    with caplog.at_level(logging.ERROR):
        reply = Engine(build(library)).handle(headers, orjson.dumps(body), CONTEXT, lambda _: None)
    result = orjson.loads(reply.body)["result"]
    assert result["isError"]
    assert orjson.loads(result["content"][0]["text"])["error"]["code"] == "INTERNAL"
    assert FALSE not in reply.body.decode()
    assert "corpus build is damaged" in caplog.text
    assert "DemoG" not in caplog.text


def test_a_page_that_cannot_be_read_is_an_error_of_the_house(
    demonstration_data: Path, tmp_path: Path
) -> None:
    settings = copy_data(demonstration_data, tmp_path / "data")
    path = get_live(settings) / builds.DATABASE
    opened = open_library(settings)
    tool = next(one for one in build(opened).tools if one.name == "legal_lookup")
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(DamagedBuild, match="cannot be read"):
        tool.call({"citation": "§ 4 DemoG"}, CONTEXT)
    close(opened)

"""A build with a tree, and answers of it as clients keep them."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest
from click.testing import CliRunner, Result

from fundstelle.bootstrap.library import open_library
from fundstelle.cli import cli
from fundstelle.lookup.library import Library
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_law, write_snapshot
from tests.support.once import build_once

TODAY = date(2026, 5, 2)


def build_proved(factory: pytest.TempPathFactory) -> Path:
    """Three invented laws as of two days: § 1 of the second was changed between them."""

    def fill(folder: Path) -> None:
        first = write_snapshot(folder / "first")
        build(folder, first, engine=TantivyEngine())
        later = write_snapshot(folder / "later", day="20260101")
        sections = {"§ 1": "Das Mustergesetz 2 ist geändert.", "§ 2": "§ 1 gilt entsprechend."}
        write_law(later / "laws", "muster2g", 2, sections, day="20260101")
        build(folder, later, engine=TantivyEngine())

    return build_once(factory, "proved", fill)


def run(data: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, env={"FUNDSTELLE_DATA": str(data)})


def look_up(data: Path, citation: str, **more: object) -> dict[str, Any]:
    """The answer in detailed, as a client keeps it: the JSON-RPC response."""
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    kept = call(library, "legal_lookup", {"citation": citation, **more})
    library.close()
    return kept


def call(library: Library, name: str, arguments: Mapping[str, object]) -> dict[str, Any]:
    """The same of any tool."""
    tools = build_registry(library, today=lambda: TODAY, base_url="https://example.org").tools
    tool = next(each for each in tools if each.name == name)
    called = tool.call({"response_format": "detailed", **arguments}, CallContext("", ""))
    answer = orjson.loads(called.structured or b"")
    blocks = [{"type": "text", "text": orjson.dumps(answer).decode()}, *called.blocks]
    return {"jsonrpc": "2.0", "id": 1, "result": {"content": blocks, "structuredContent": answer}}


def say_again(response: dict[str, Any]) -> dict[str, Any]:
    """The response with its text block made of what it says now."""
    result = response["result"]
    result["content"][0]["text"] = orjson.dumps(result["structuredContent"]).decode()
    return response


def keep(response: Mapping[str, Any], tmp_path: Path) -> str:
    path = tmp_path / "answer.json"
    path.write_bytes(orjson.dumps(response))
    return str(path)

"""While a build is known to be damaged every answer says so, and no verdict is sure."""

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.corpus import builds
from fundstelle.corpus.soundness.background import CompleteCheck
from fundstelle.corpus.soundness.watch import BuildWatch
from fundstelle.lookup.damage import REASON, WARNING
from fundstelle.lookup.library import Library
from fundstelle.lookup.withheld import withhold_decisions
from fundstelle.mcp.engine import Engine
from fundstelle.settings import Settings
from fundstelle.tools import build_chatgpt_registry, build_registry
from fundstelle.tools.spec import CallContext, Registry
from tests.integration.builds.damaging import close, copy_data, flip_bit, get_live

CONTEXT = CallContext("request-1", "someone")
CALLS: Mapping[str, Mapping[str, Any]] = {
    "legal_search": {"query": "Haftung Wiese"},
    "legal_lookup": {"citation": "§ 3 DemoG"},
    "legal_lookup_batch": {"citations": ["§ 3 DemoG", "§ 4 DemoG"]},
    "legal_get_context": {"norm_id": "de/demog/3", "include": ["versions"]},
    "legal_find_citing_decisions": {"cited_norm": "§ 3 DemoG"},
    "legal_list_laws": {},
    "legal_get_toc": {"law_abbreviation": "DemoG"},
    "legal_get_stats": {},
}
DRAFT = "Siehe § 3 DemoG, § 9999 DemoG und LG Musterstadt, Urteil vom 1.2.2019 - 9 O 99/19."


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def watch(demonstration_data: Path, tmp_path: Path, clock: Clock) -> BuildWatch:
    return BuildWatch(copy_data(demonstration_data, tmp_path / "data").data, clock=clock)


@pytest.fixture
def library(watch: BuildWatch, tmp_path: Path) -> Iterator[Library]:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path / "data")})
    opened = open_library(settings, watch)
    yield opened
    close(opened)


def build(library: Library) -> Registry:
    return build_registry(library, today=lambda: date(2026, 1, 1), base_url="http://localhost")


def ask(registry: Registry, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    tool = next(one for one in registry.tools if one.name == name)
    answer = tool.call(arguments, CONTEXT).structured
    assert answer is not None
    fields: dict[str, Any] = orjson.loads(answer)
    return fields


def judge(registry: Registry) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = ask(registry, "legal_lookup_batch", {"text": DRAFT})["results"]
    return rows


@pytest.mark.parametrize("limited", [False, True])
def test_every_answer_says_so_and_no_longer_than_it_is_known(
    library: Library, watch: BuildWatch, clock: Clock, limited: bool
) -> None:
    registry = build(withhold_decisions(library) if limited else library)
    calls = {tool.name: CALLS[tool.name] for tool in registry.tools}
    before = {name: ask(registry, name, arguments) for name, arguments in calls.items()}
    assert not any(WARNING in answer["warnings"] for answer in before.values())
    watch.meet_damage(library.store.manifest.release)
    for name, arguments in calls.items():
        answer = ask(registry, name, arguments)
        assert answer["warnings"][0] == WARNING
        assert list(answer) == list(before[name])
    clock.now = 601.0
    for name, arguments in calls.items():
        assert ask(registry, name, arguments)["warnings"] == before[name]["warnings"]


def test_no_verdict_is_sure(library: Library, watch: BuildWatch) -> None:
    registry = build(library)
    before = judge(registry)
    assert {row["verdict"] for row in before} == {"ok", "wrong", "not_held"}
    watch.meet_damage(library.store.manifest.release)
    after = judge(registry)
    assert {row["verdict"] for row in after} == {"unclear"}
    assert all(row["why"].startswith(REASON) and "correct" not in row for row in after)
    assert [row["citation"] for row in after] == [row["citation"] for row in before]


def test_no_answer_of_before_is_given_again(library: Library, watch: BuildWatch) -> None:
    registry = build(library)
    engine = Engine(registry)
    call = {"name": "legal_lookup", "arguments": CALLS["legal_lookup"]}
    body = orjson.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call})
    headers = {
        b"content-type": b"application/json",
        b"accept": b"application/json, text/event-stream",
        b"mcp-protocol-version": b"2025-11-25",
    }
    said = []
    for _ in range(2):
        reply = engine.handle(headers, body, CONTEXT, lambda _: None)
        said.append(orjson.loads(reply.body)["result"]["structuredContent"]["warnings"])
        watch.meet_damage(library.store.manifest.release)
    assert [WARNING in warnings for warnings in said] == [False, True]
    uri = "legal://norm/de/demog/3"
    template = next(one for one in registry.templates if uri.startswith(one.prefix))
    assert WARNING in (template.read(uri, CONTEXT).text or "")


def test_the_two_tools_of_chatgpt_say_so_of_a_text_and_of_a_miss(
    library: Library, watch: BuildWatch
) -> None:
    two = build_chatgpt_registry(build(library), library, "http://localhost")
    fetch = two.tools[1]
    watch.meet_damage(library.store.manifest.release)
    found = fetch.call({"id": "de/demog/3"}, CONTEXT).structured
    assert found is not None
    assert WARNING in orjson.loads(found)["metadata"]["warnings"]
    [block] = fetch.call({"id": "§ 9999 DemoG"}, CONTEXT).blocks
    assert WARNING in orjson.loads(block["text"])["error"]["warnings"]


def test_a_build_that_a_check_has_found_damaged_says_so_to_whoever_opens_it(
    demonstration_data: Path, tmp_path: Path
) -> None:
    settings = copy_data(demonstration_data, tmp_path / "data")
    path = get_live(settings) / builds.DATABASE
    at = path.read_bytes().index(b"-- from 0, in the order of statute_id")
    flip_bit(path, at + 3, 0)  # of a comment in the schema: all is read as before
    release = builds.read_pointer(settings.data)
    assert release is not None
    opened = open_library(settings)
    assert {row["verdict"] for row in judge(build(opened))} > {"ok"}
    close(opened)
    CompleteCheck(settings.data).check(release)
    opened = open_library(settings)
    assert opened.notices
    assert {row["verdict"] for row in judge(build(opened))} == {"unclear"}
    close(opened)

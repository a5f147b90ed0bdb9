"""A key that is for some tools, or from some networks, alone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal
from urllib.parse import quote

import pytest

from fundstelle.accounts.keys.api_keys import Principal, Recall
from fundstelle.accounts.keys.reach import read_reach
from fundstelle.tools.registry import TOOL_NAMES
from fundstelle.web.app import Application
from tests.protocol.client import KEY, PRINCIPAL, KnownKey, build_app, legacy, send, send_modern
from tests.protocol.test_chatgpt_path import PATH, open_app

LOOKUP: dict[str, Any] = {"name": "legal_lookup", "arguments": {"citation": "§ 1 MusterG"}}
STATS: dict[str, Any] = {"name": "legal_get_stats", "arguments": {}}
FIXED = {"uri": "legal://filter_values"}
TOC = "legal_get_toc"
TEXT = {"uri": "legal://norm/" + quote("§ 1 WzLeihG")}


class LimitedKey(KnownKey):
    """The key of the tests, made for less."""

    def __init__(self, tools: Sequence[str], networks: Sequence[str] = ()) -> None:
        self._principal = replace(PRINCIPAL, reach=read_reach(tools, networks, TOOL_NAMES))

    def recall(self, presented: str) -> Principal | Literal[Recall.ASK] | None:
        return self._principal if presented == KEY else Recall.ASK


def open_for(*tools: str, networks: Sequence[str] = ()) -> Application:
    return build_app(keys=LimitedKey(tools or TOOL_NAMES, networks))


def test_a_key_lists_and_calls_its_own_tools_alone() -> None:
    app = open_for("legal_lookup", "legal_get_toc")
    for answer in (send(app, legacy("tools/list")), send_modern(app, "tools/list")):
        names = [tool["name"] for tool in answer.json["result"]["tools"]]
        assert names == ["legal_lookup", "legal_get_toc"]
        assert answer.json["result"].get("cacheScope", "private") == "private"
    assert send(app, legacy("tools/call", LOOKUP)).json["result"]["isError"] is False
    assert send_modern(app, "tools/call", **LOOKUP).json["result"]["isError"] is False
    for refused in (
        send(app, legacy("tools/call", STATS)),
        send_modern(app, "tools/call", **STATS),
    ):
        assert refused.error_code == -32602
        assert "it may call legal_get_toc, legal_lookup" in refused.json["error"]["message"]
    unknown = send(app, legacy("tools/call", {"name": "legal_guess", "arguments": {}}))
    assert "this key is not for" not in unknown.json["error"]["message"]


def test_what_another_key_was_answered_is_not_given_to_one_that_may_not_ask() -> None:
    whole = send(build_app(), legacy("tools/call", STATS))
    assert whole.json["result"]["isError"] is False
    app = open_for("legal_lookup")
    for _ in range(2):
        assert send(app, legacy("tools/call", STATS)).error_code == -32602


@pytest.mark.parametrize(("tool", "reads"), [("legal_lookup", True), ("legal_search", False)])
def test_texts_are_read_as_resources_by_keys_for_lookups(tool: str, *, reads: bool) -> None:
    answer = send(open_for(tool), legacy("resources/read", TEXT)).json
    assert ("error" not in answer) == reads, answer
    listed = send(open_for(tool), legacy("resources/list"))
    assert listed.status == 200


@pytest.mark.parametrize(
    "uri", [f"legal://law/statute/{quote('WzLeihG')}", "legal://eu/celex/32016R0679"]
)
def test_contents_are_read_as_resources_by_keys_for_contents(uri: str) -> None:
    def read(tool: str) -> dict[str, Any]:
        answer: dict[str, Any] = send(open_for(tool), legacy("resources/read", {"uri": uri})).json
        return answer

    refused = read("legal_lookup")
    assert "not for legal_get_toc" in refused["error"]["message"]
    assert "this key" not in str(read("legal_get_toc"))
    assert "error" not in send(open_for("legal_search"), legacy("resources/read", FIXED)).json


@pytest.mark.parametrize(
    ("uri", "tool"),
    [("legal://norm/{+norm_id}", "legal_lookup"), ("legal://eu/celex/{celex}", TOC)],
)
def test_what_may_not_be_read_is_not_completed(uri: str, tool: str) -> None:
    name = uri.partition("{")[2].strip("+}")
    params = {"ref": {"type": "ref/resource", "uri": uri}, "argument": {"name": name, "value": ""}}
    assert send(open_for(tool), legacy("completion/complete", params)).json["result"]["completion"]
    refused = send(open_for("legal_get_stats"), legacy("completion/complete", params)).json
    assert f"it is not for {tool}" in refused["error"]["message"]


@pytest.mark.parametrize(
    "reference",
    [
        {"type": "ref/prompt", "name": "citation_resolve"},
        {"type": "ref/prompt", "name": "legal_research"},
        {"type": "ref/prompt", "name": "legal://norm/{+norm_id}"},
        {"type": "ref/resource", "uri": "citation_resolve"},
        {"type": "ref/resource", "uri": "legal://eu/celex/{celex}"},
        {"type": "ref/resource", "name": "legal://norm/{+norm_id}"},
    ],
)
@pytest.mark.parametrize("name", ["citation", "norm_id"])
def test_no_other_reference_completes_what_may_not_be_read(
    reference: dict[str, str], name: str
) -> None:
    params = {"ref": reference, "argument": {"name": name, "value": ""}}
    for tool in ("legal_get_stats", TOC):
        answer = send(open_for(tool), legacy("completion/complete", params)).json
        assert "it is not for" in answer["error"]["message"], answer
    answer = send(open_for("legal_lookup"), legacy("completion/complete", params)).json
    if "result" in answer and reference.get("name") != "citation_resolve":
        assert answer["result"]["completion"]["values"] == [], "none of its arguments"


def test_a_batch_is_no_way_round() -> None:
    app = open_for("legal_lookup")
    batch = [legacy("tools/call", STATS, 1), legacy("tools/call", LOOKUP, 2)]
    first, second = send(app, batch, {"mcp-protocol-version": "2025-03-26"}).json
    assert (first["error"]["code"], second["result"]["isError"]) == (-32602, False)


def test_the_two_tools_of_another_address_need_the_rights_of_those_behind_them() -> None:
    app = open_app(keys=LimitedKey(["legal_lookup"]))
    listed = send(app, legacy("tools/list"), path=PATH).json["result"]["tools"]
    assert [tool["name"] for tool in listed] == ["fetch"]
    call = {"name": "search", "arguments": {"query": "Leihe"}}
    refused = send(app, legacy("tools/call", call), path=PATH)
    assert "not for legal_search" in refused.json["error"]["message"]
    call = {"name": "fetch", "arguments": {"id": "de/wzleihg/2"}}
    assert send(app, legacy("tools/call", call), path=PATH).json["result"]["isError"] is False


@pytest.mark.parametrize(
    ("networks", "status"), [(["127.0.0.0/8"], 200), (["192.0.2.0/24"], 403), ([], 200)]
)
def test_a_key_is_refused_from_elsewhere(networks: list[str], status: int) -> None:
    answer = send(open_for(networks=networks), legacy("ping"))
    assert answer.status == status
    if status == 403:
        assert "this network" in answer.json["title"]

"""Each snippet of the Connect page, read as its client reads it, and run where that can be."""

import base64
import json
import os
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from fundstelle.clients import catalogue, snippets
from fundstelle.clients.target import NAME, VARIABLE, Target
from fundstelle.portal.connecting.guides import GUIDES
from tests.e2e.portal import Portal
from tests.e2e.server import run_fundstelle
from tests.node.install import ensure

pytestmark = pytest.mark.e2e

# What other tests hand to the client itself: test_oauth_programs.py and test_portal_keys.py.
ELSEWHERE = {"claude-desktop", "codex-cli", "gemini-cli", "curl"}
# they take the address, by hand
NO_FILE = {
    *("claude-ai", "chatgpt", "le-chat", "langdock", "m365-copilot", "copilot-studio"),
    *("open-webui", "n8n", "other"),
}
# no program of theirs is at hand: their form is tried in tests/unit/clients/test_catalogue.py
BY_FORM = {"jetbrains", "lm-studio", "goose", "opencode", "cline", "roo"}
HERE = {"claude-code", "cursor", "vs-code", "windsurf", "zed", "python", "typescript"}


@pytest.fixture(scope="module")
def target(portal: Portal) -> Target:
    key = run_fundstelle(portal.data, "keys", "create", "snippets").strip()
    return Target(portal.url, key)


def reach(portal: Portal, url: str, headers: dict[str, str], key: str) -> None:
    """Do with an entry what its client does: put the variables in, and ask for the tools."""
    assert url == portal.mcp
    value = headers["Authorization"]
    for hole in (f"${{{VARIABLE}}}", f"${{env:{VARIABLE}}}", "${input:fundstelle-key}"):
        value = value.replace(hole, key)
    scheme, _, credential = value.partition(" ")
    assert scheme == "Bearer"
    status, answer = portal.call(credential, "tools/list")
    assert status == 200
    assert len(answer["result"]["tools"]) == 8


def test_every_client_of_the_page_is_tried_somewhere() -> None:
    assert {client.slug for client in GUIDES} == ELSEWHERE | NO_FILE | BY_FORM | HERE


@pytest.mark.parametrize(
    ("write", "path", "address"),
    [
        (catalogue.CLAUDE_CODE.write, "mcpServers", "url"),
        (catalogue.CURSOR.write, "mcpServers", "url"),
        (catalogue.VS_CODE.write, "servers", "url"),
        (catalogue.WINDSURF.write, "mcpServers", "serverUrl"),
        (catalogue.LM_STUDIO.write, "mcpServers", "url"),
        (catalogue.CLINE.write, "mcpServers", "url"),
        (catalogue.ROO.write, "mcpServers", "url"),
        (snippets.write_zed, "context_servers", "url"),
    ],
)
def test_a_file_leads_to_the_tools(
    portal: Portal, target: Target, write: Any, path: str, address: str
) -> None:
    entry = json.loads(write(target))[path][NAME]
    reach(portal, entry[address], entry["headers"], target.key)


def test_the_command_of_claude_code_is_split_as_meant(portal: Portal, target: Target) -> None:
    words = shlex.split(snippets.write_claude_code(target))
    assert words[:6] == ["claude", "mcp", "add", "--transport", "http", NAME]
    name, _, value = words[words.index("--header") + 1].partition(": ")
    reach(portal, words[6], {name: value}, target.key)


def test_links_carry_the_address_and_no_key(portal: Portal, target: Target) -> None:
    cursor = urlsplit(snippets.write_cursor_link(target))
    query = parse_qs(cursor.query, strict_parsing=True)
    assert query["name"] == [NAME]
    assert json.loads(base64.b64decode(query["config"][0])) == {"url": portal.mcp}
    link = snippets.write_vs_code_link(target)
    config = json.loads(unquote(link.removeprefix("vscode:mcp/install?")))
    assert (config["name"], config["url"]) == (NAME, portal.mcp)
    assert config["headers"]["Authorization"] == f"Bearer ${{input:{config['inputs'][0]['id']}}}"
    assert target.key not in unquote(link) + json.dumps(query)


def test_the_programs_run_as_they_are_pasted(target: Target, tmp_path: Path) -> None:
    programs = ensure()
    (tmp_path / "node_modules").symlink_to(programs.folder / "node_modules")
    (tmp_path / "try.py").write_text(snippets.write_python(target), "utf-8")
    (tmp_path / "try.mjs").write_text(snippets.write_typescript(target), "utf-8")
    export = shlex.split(snippets.write_key_line(target))
    assert export == ["export", f"{VARIABLE}={target.key}"]
    answers = [
        subprocess.run(
            [program, script],
            cwd=tmp_path,
            env={**os.environ, VARIABLE: target.key},
            capture_output=True,
            text=True,
            timeout=60,
            check=True,
        ).stdout
        for program, script in ((sys.executable, "try.py"), (str(programs.node), "try.mjs"))
    ]
    assert "BGB" in answers[0]
    assert answers[0] == answers[1]


@pytest.mark.parametrize("client", sorted(HERE | ELSEWHERE | NO_FILE | BY_FORM))
def test_the_page_shows_what_the_tests_read(portal: Portal, client: str) -> None:
    with portal.open() as tab:
        tab.page.goto(f"{portal.url}/connect/{client}")
        shown = "\n".join(tab.page.locator("pre, input[readonly]").all_inner_texts())
        shown += "\n".join(
            link.get_attribute("href") or "" for link in tab.page.locator("main a").all()
        )
    steps = [s for one in GUIDES if one.slug == client for way in one.ways for s in way.steps]
    shown_target = Target(portal.url, "sk-legal-…")
    for step in steps:
        for write in (step.code, step.windows):
            if write is not None:
                assert write(shown_target).strip() in shown

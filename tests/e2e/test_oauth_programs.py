"""Command-line programs sign in by OAuth, or connect by a key, as the Connect page says."""

import json
import os
import re
import subprocess
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from fundstelle.clients import catalogue, snippets
from fundstelle.clients.target import NAME, VARIABLE, Target
from tests.e2e.accessible import ensure_portal_programs
from tests.e2e.portal import Portal
from tests.e2e.programs import Program, describe_environ, find_codex, started
from tests.e2e.server import FUNDSTELLE, run_fundstelle
from tests.node.install import ensure

pytestmark = pytest.mark.e2e

CODEX_ID = "https://chatgpt.com/oauth/codex/client.json"
LISTED = re.compile(r'"name": ?"legal_get_stats"[^\n]*')


@pytest.fixture(scope="module")
def target(portal: Portal) -> Target:
    key = run_fundstelle(portal.data, "keys", "create", "programs").strip()
    return Target(portal.url, key)


def allow(portal: Portal, program: Program, name: str) -> None:
    """What the person does with the link that a program shows."""
    with portal.open() as tab:
        tab.page.goto(program.wait_for_link())
        assert name in tab.page.inner_text("main")
        with tab.page.expect_response(
            lambda answer: urlsplit(answer.url).netloc != urlsplit(portal.url).netloc
        ):
            tab.decide()
        assert tab.violations == []


def list_tools(program: Program) -> None:
    """Ask a program on standard input and output for the tools."""
    hello = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    program.say(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}))
    program.wait_for(re.compile(r'"protocolVersion":[^\n]*'))
    program.say(json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}))
    program.say(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}))
    program.wait_for(LISTED)


def test_mcp_remote_connects_as_claude_desktop_starts_it(target: Target, tmp_path: Path) -> None:
    programs = ensure_portal_programs()
    entry = json.loads(snippets.write_claude_desktop(target))["mcpServers"][NAME]
    assert (entry["command"], entry["args"][:2]) == ("npx", ["-y", "mcp-remote"])
    proxy = programs.package("mcp-remote") / "dist" / "proxy.js"
    # the program that starts it puts the variables in
    arguments = [re.sub(r"\$\{(\w+)\}", lambda m: entry["env"][m[1]], a) for a in entry["args"][2:]]
    with started([str(programs.node), str(proxy), *arguments], tmp_path) as program:
        list_tools(program)


def test_mcp_remote_signs_in(portal: Portal, tmp_path: Path) -> None:
    programs = ensure_portal_programs()
    proxy = programs.package("mcp-remote") / "dist" / "proxy.js"
    command = [str(programs.node), str(proxy), portal.mcp, "--allow-http"]
    with started(command, tmp_path) as program:
        allow(portal, program, "MCP CLI Proxy")
        list_tools(program)


@pytest.mark.parametrize("how", ["cimd", "dcr"])
def test_codex_signs_in(portal: Portal, tmp_path: Path, how: str) -> None:
    codex = find_codex(ensure_portal_programs().folder)
    home = write_codex_home(tmp_path, f'[mcp_servers.fundstelle]\nurl = "{portal.mcp}"\n')
    command = [codex, "mcp", "login", "fundstelle", "--oauth-client-registration", how]
    with started(command, home) as program:
        allow(portal, program, "Codex")
        assert program.wait() == 0, program.said
    last = [line for line in portal.read_audit() if line["event"] == "consent_given"][-1]
    assert (last["details"]["client"] == CODEX_ID) == (how == "cimd")


def write_codex_home(folder: Path, config: str) -> Path:
    (folder / ".codex").mkdir()
    (folder / ".codex" / "config.toml").write_text(
        'mcp_oauth_credentials_store = "file"\n' + config, "utf-8"
    )
    return folder


def test_codex_reads_its_file(target: Target, tmp_path: Path) -> None:
    codex = find_codex(ensure_portal_programs().folder)
    home = write_codex_home(tmp_path, catalogue.CODEX.write(target))
    shown = run([codex, "mcp", "get", NAME, "--json"], home)
    transport = json.loads(shown)["transport"]
    assert transport["url"] == target.url
    assert transport["bearer_token_env_var"] == VARIABLE


def write_by_command(portal: Portal, client: str, home: Path) -> None:
    """As ``fundstelle connect`` writes it into a home of its own."""
    done = subprocess.run(
        [FUNDSTELLE, "connect", client, "--url", portal.mcp, "--write"],
        env={**describe_environ(home), "PYTHONPATH": os.environ.get("PYTHONPATH", "")},
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_codex_reads_what_the_command_writes(portal: Portal, tmp_path: Path) -> None:
    codex = find_codex(ensure_portal_programs().folder)
    home = write_codex_home(
        tmp_path, 'model = "x"\n[mcp_servers.other]\nurl = "https://a.example"\n'
    )
    write_by_command(portal, "codex-cli", home)
    shown = json.loads(run([codex, "mcp", "get", NAME, "--json"], home))
    assert shown["transport"]["url"] == portal.mcp
    assert shown["transport"]["bearer_token_env_var"] == VARIABLE
    assert json.loads(run([codex, "mcp", "get", "other", "--json"], home))


def test_gemini_reads_what_the_command_writes(portal: Portal, tmp_path: Path) -> None:
    programs = ensure_portal_programs()
    gemini = programs.package("@google/gemini-cli") / "bundle" / "gemini.js"
    write_by_command(portal, "gemini-cli", tmp_path)
    path = tmp_path / ".gemini" / "settings.json"
    written = json.loads(path.read_text("utf-8"))
    # it removes by name what it has read, and says so of what it does not find
    said = run(
        [str(programs.node), str(gemini), "mcp", "remove", NAME, "--scope", "user"], tmp_path
    )
    assert "not found" not in said
    assert NAME in written["mcpServers"]
    assert NAME not in json.loads(path.read_text("utf-8")).get("mcpServers", {})


def test_codex_adds_a_server_and_signs_in_at_once(
    portal: Portal, target: Target, tmp_path: Path
) -> None:
    codex = find_codex(ensure_portal_programs().folder)
    home = write_codex_home(tmp_path, "")
    add, login = snippets.write_codex_sign_in(target).splitlines()
    assert login.split() == ["codex", "mcp", "login", NAME]
    with started([codex, *add.split()[1:]], home) as program:
        allow(portal, program, "Codex")
        assert program.wait() == 0, program.said
    written = tomllib.loads((tmp_path / ".codex" / "config.toml").read_text("utf-8"))
    assert written["mcp_servers"][NAME]["url"] == target.url


def run(command: list[str], home: Path) -> str:
    done = subprocess.run(
        command,
        env=describe_environ(home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_gemini_writes_what_the_page_says(target: Target, tmp_path: Path) -> None:
    programs = ensure_portal_programs()
    gemini = programs.package("@google/gemini-cli") / "bundle" / "gemini.js"
    line = snippets.write_gemini(target)
    header = re.search(r'-H "([^"]+)"', line)
    assert header
    words = line.replace(header[0], "-H HEADER").split()
    assert words[0] == "gemini"
    words = [header[1] if word == "HEADER" else word for word in words[1:]]
    run([str(programs.node), str(gemini), *words], tmp_path)
    written = json.loads((tmp_path / ".gemini" / "settings.json").read_text("utf-8"))
    assert written["mcpServers"][NAME] == {
        "url": target.url,
        "type": "http",
        "headers": {"Authorization": f"Bearer {target.key}"},
    }


def test_the_inspector_signs_in_from_a_terminal(portal: Portal, tmp_path: Path) -> None:
    programs = ensure()
    launcher = programs.package("@modelcontextprotocol/inspector") / "clients/launcher/build"
    command = [str(programs.node), str(launcher / "index.js"), "--cli", portal.mcp]
    command += ["--transport", "http", "--method", "tools/list", "--strict"]
    with started(command, tmp_path, terminal=True) as program:
        allow(portal, program, "Inspector")
        assert program.wait() == 0, program.said
        assert "legal_get_stats" in program.said

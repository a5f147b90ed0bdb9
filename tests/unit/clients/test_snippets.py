"""What the Connect page tells each client to read."""

import ast
import base64
import json
import tomllib
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from fundstelle.clients import catalogue, snippets
from fundstelle.clients.target import NAME, VARIABLE, Target
from fundstelle.portal.connecting.connect import CLIENTS
from fundstelle.portal.connecting.connector import write_definition

KEY = "sk-legal-" + "A" * 46
TARGET = Target("https://recht.example.org", KEY)
URL = "https://recht.example.org/mcp"


@pytest.mark.parametrize(
    ("write", "outer", "address", "bearer"),
    [
        (catalogue.CLAUDE_CODE.write, "mcpServers", "url", f"Bearer ${{{VARIABLE}}}"),
        (catalogue.CURSOR.write, "mcpServers", "url", f"Bearer ${{env:{VARIABLE}}}"),
        (catalogue.VS_CODE.write, "servers", "url", "Bearer ${input:fundstelle-key}"),
        (catalogue.WINDSURF.write, "mcpServers", "serverUrl", f"Bearer ${{env:{VARIABLE}}}"),
    ],
)
def test_files_hold_the_address_and_the_header(
    write: object, outer: str, address: str, bearer: str
) -> None:
    assert callable(write)
    entry = json.loads(write(TARGET))[outer][NAME]
    assert entry[address] == URL
    assert entry["headers"] == {"Authorization": bearer}


def test_the_bridge_of_claude_desktop_has_no_blank_that_windows_would_split() -> None:
    entry = json.loads(snippets.write_claude_desktop(TARGET))["mcpServers"][NAME]
    assert entry["args"] == ["-y", "mcp-remote", URL, "--header", "Authorization:${AUTH_HEADER}"]
    assert entry["env"] == {"AUTH_HEADER": f"Bearer {KEY}"}
    local = json.loads(snippets.write_claude_desktop(Target("http://127.0.0.1:8000", KEY)))
    assert local["mcpServers"][NAME]["args"][-1] == "--allow-http"


def test_codex_reads_the_key_from_the_environment() -> None:
    entry = tomllib.loads(catalogue.CODEX.write(TARGET))["mcp_servers"][NAME]
    assert entry == {"url": URL, "bearer_token_env_var": VARIABLE}
    assert KEY not in catalogue.CODEX.write(TARGET)


def test_the_link_of_cursor_decodes_to_the_address_alone() -> None:
    link = urlsplit(snippets.write_cursor_link(TARGET))
    query = parse_qs(link.query)
    assert (link.scheme, query["name"]) == ("cursor", [NAME])
    assert json.loads(base64.b64decode(query["config"][0])) == {"url": URL}


def test_the_link_of_vs_code_is_one_object_with_its_name_and_asks_for_the_key() -> None:
    link = snippets.write_vs_code_link(TARGET)
    config = json.loads(unquote(link.removeprefix("vscode:mcp/install?")))
    assert (config["name"], config["url"]) == (NAME, URL)
    assert config["inputs"][0]["password"] is True
    assert KEY not in unquote(link)


def test_the_program_for_python_is_one() -> None:
    ast.parse(snippets.write_python(TARGET))
    assert URL in snippets.write_python(TARGET)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.slug)
def test_no_link_carries_the_key(client: object) -> None:
    for step in client.steps:  # type: ignore[attr-defined]
        if step.link is not None:
            assert KEY not in unquote(step.link(TARGET))


@pytest.mark.parametrize("oauth", [False, True])
def test_the_connector_is_what_power_platform_imports(*, oauth: bool) -> None:
    document = json.loads(write_definition("https://recht.example.org", oauth=oauth))
    assert (document["swagger"], document["host"]) == ("2.0", "recht.example.org")
    operation = document["paths"]["/mcp"]["post"]
    assert operation["x-ms-agentic-protocol"] == "mcp-streamable-1.0"
    (scheme,) = document["securityDefinitions"].values()
    assert scheme["type"] == ("oauth2" if oauth else "apiKey")
    assert list(document["security"][0]) == list(document["securityDefinitions"])

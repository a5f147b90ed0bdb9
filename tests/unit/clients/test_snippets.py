"""What is run, opened or pasted to connect a client."""

import ast
import base64
import json
from urllib.parse import parse_qs, unquote, urlsplit

from fundstelle.clients import snippets
from fundstelle.clients.target import NAME, Target

KEY = "sk-legal-" + "A" * 46
TARGET = Target("https://recht.example.org", KEY)
URL = "https://recht.example.org/mcp"


def test_the_bridge_of_claude_desktop_has_no_blank_that_windows_would_split() -> None:
    entry = json.loads(snippets.write_claude_desktop(TARGET))["mcpServers"][NAME]
    assert entry["args"] == ["-y", "mcp-remote", URL, "--header", "Authorization:${AUTH_HEADER}"]
    assert entry["env"] == {"AUTH_HEADER": f"Bearer {KEY}"}
    local = json.loads(snippets.write_claude_desktop(Target("http://127.0.0.1:8000", KEY)))
    assert local["mcpServers"][NAME]["args"][-1] == "--allow-http"


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


def test_the_link_of_vs_code_for_signing_in_has_no_key_and_asks_for_none() -> None:
    link = snippets.write_vs_code_sign_in_link(TARGET)
    config = json.loads(unquote(link.removeprefix("vscode:mcp/install?")))
    assert config == {"name": NAME, "type": "http", "url": URL}


def test_the_windows_command_prompt_gets_one_json_argument() -> None:
    text = snippets.write_curl_windows(TARGET)
    data = text.split('-d "', 1)[1].rstrip().removesuffix('"').replace('\\"', '"')
    assert json.loads(data)["method"] == "tools/list"

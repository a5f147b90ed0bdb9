"""What goes into each client's file has the form that this client's documentation gives."""

import json
import tomllib
from typing import Any

import jsonschema
import pytest
import yaml

from fundstelle.clients.catalogue import CLIENTS, Client, find_client
from fundstelle.clients.files import Form
from fundstelle.clients.target import NAME, VARIABLE, Launch, Target

KEY = "sk-legal-" + "A" * 46
TARGET = Target("https://recht.example.org", KEY)
URL = TARGET.url


def read(client: Client, text: str) -> Any:
    if client.file.form is Form.TOML:
        return tomllib.loads(text)
    return yaml.safe_load(text) if client.file.form is Form.YAML else json.loads(text)


def whole(keys: tuple[str, ...], entry: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A file with exactly one server of that form, and what else is named."""
    inner: dict[str, Any] = {NAME: {"const": entry}}
    for key in reversed(keys):
        inner = {key: {"type": "object", "properties": inner, "additionalProperties": False}}
    properties = {**inner, **more}
    required = list(properties)
    return {"properties": properties, "required": required, "additionalProperties": False}


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


BRIDGE = {"command": "fundstelle", "args": ["stdio", "--url", URL], "env": {VARIABLE: KEY}}
FROM_ENV = bearer(f"${{env:{VARIABLE}}}")
INPUT = {
    "type": "array",
    "items": {
        "type": "object",
        "properties": {"type": {"const": "promptString"}, "password": {"const": True}},
        "required": ["type", "id", "description", "password"],
    },
}
SCHEMAS = {
    "claude-desktop": whole(("mcpServers",), BRIDGE),
    "claude-code": whole(
        ("mcpServers",), {"type": "http", "url": URL, "headers": bearer(f"${{{VARIABLE}}}")}
    ),
    "cursor": whole(("mcpServers",), {"url": URL, "headers": FROM_ENV}),
    "vs-code": whole(
        ("servers",),
        {"type": "http", "url": URL, "headers": bearer("${input:fundstelle-key}")},
        inputs=INPUT,
    ),
    "windsurf": whole(("mcpServers",), {"serverUrl": URL, "headers": FROM_ENV}),
    "zed": whole(("context_servers",), {"url": URL}),
    "gemini-cli": whole(
        ("mcpServers",), {"url": URL, "type": "http", "headers": bearer(f"${{{VARIABLE}}}")}
    ),
    "codex-cli": whole(("mcp_servers",), {"url": URL, "bearer_token_env_var": VARIABLE}),
    "jetbrains": whole(("mcpServers",), BRIDGE),
    "lm-studio": whole(("mcpServers",), {"url": URL, "headers": bearer(KEY)}),
    "cline": whole(("mcpServers",), {"type": "streamableHttp", "url": URL, "headers": bearer(KEY)}),
    "roo": whole(("mcpServers",), {"type": "streamable-http", "url": URL, "headers": FROM_ENV}),
    "goose": whole(
        ("extensions",),
        {"name": NAME, "type": "streamable_http", "enabled": True, "uri": URL, "timeout": 300},
    ),
    "opencode": whole(("mcp",), {"type": "remote", "url": URL, "enabled": True}),
}


def test_every_client_has_its_form_here() -> None:
    assert [client.slug for client in CLIENTS] == list(SCHEMAS)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.slug)
def test_a_file_has_the_form_that_its_client_reads(client: Client) -> None:
    text = client.file.write(TARGET)
    jsonschema.validate(read(client, text), SCHEMAS[client.slug])
    assert (KEY in text) == client.file.holds_key
    assert (VARIABLE in text) == (client.file.needs_variable or "env" in str(read(client, text)))


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.slug)
def test_every_client_can_start_the_build_on_this_machine(client: Client) -> None:
    file = client.file
    data = 'C:\\Daten\\"Recht"'
    entry = file.program(Launch("C:\\Programme\\fundstelle.exe", ("stdio",), {"A": data}))
    values = read(client, file.render(entry, {}))
    for key in file.keys:
        values = values[key]
    assert values == {NAME: entry}
    said = json.dumps(values[NAME])
    assert json.dumps(data) in said
    assert "fundstelle.exe" in said
    assert "http" not in said


def test_a_client_that_there_is_not_is_none() -> None:
    assert find_client("netscape") is None

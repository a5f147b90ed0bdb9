"""What registries and clients read of this repository: server.json, the plugin, the skill."""

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from fundstelle import __version__
from fundstelle.clients.llms import write_llms_text
from fundstelle.clients.target import VARIABLE, Target
from fundstelle.tools.registry import _IN_ORDER

ROOT = Path(__file__).parents[3]
PLUGIN = ROOT / "integrations" / "claude-code"
SKILL = PLUGIN / "skills" / "german-and-eu-law" / "SKILL.md"
TOOLS = {module.NAME for module in _IN_ORDER}

# What the schema of 2025-12-11 asks of what we use; it is in no package of a registry.
TEXT = {"type": "string", "minLength": 1}
VARIABLES = {
    "type": "object",
    "additionalProperties": {
        "type": "object",
        "properties": {"description": TEXT, "isRequired": {"type": "boolean"}},
        "additionalProperties": False,
    },
}
SERVER = {
    "type": "object",
    "required": ["$schema", "name", "description", "version"],
    "additionalProperties": False,
    "properties": {
        "$schema": {
            "const": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json"
        },
        "name": {"pattern": r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "minLength": 3, "maxLength": 200},
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"type": "string", "maxLength": 255, "not": {"const": "latest"}},
        "packages": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["registryType", "identifier", "transport"],
                "additionalProperties": False,
                "properties": {
                    "registryType": {"enum": ["npm", "pypi", "oci", "nuget", "mcpb"]},
                    "identifier": TEXT,
                    "version": {"type": "string", "not": {"const": "latest"}},
                    "runtimeHint": {"enum": ["npx", "uvx", "docker", "dnx"]},
                    "transport": {
                        "type": "object",
                        "properties": {"type": {"const": "stdio"}},
                        "additionalProperties": False,
                    },
                    "packageArguments": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["type"],
                            "additionalProperties": False,
                            "properties": {
                                "type": {"enum": ["positional", "named"]},
                                "name": TEXT,
                                "value": TEXT,
                                "description": TEXT,
                                "variables": VARIABLES,
                            },
                            "if": {"properties": {"type": {"const": "named"}}},
                            "then": {"required": ["name"]},
                        },
                    },
                    "environmentVariables": {
                        "type": "array",
                        "items": {
                            "type": "object",
                            "required": ["name"],
                            "additionalProperties": False,
                            "properties": {
                                "name": TEXT,
                                "description": TEXT,
                                "format": {"enum": ["string", "number", "boolean", "filepath"]},
                                "isRequired": {"type": "boolean"},
                                "isSecret": {"type": "boolean"},
                            },
                        },
                    },
                },
            },
        },
        "remotes": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["type", "url"],
                "additionalProperties": False,
                "properties": {
                    "type": {"enum": ["streamable-http", "sse"]},
                    "url": {"type": "string", "pattern": r"^https?://[^\s]+$"},
                    "variables": VARIABLES,
                },
            },
        },
    },
}


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_the_registry_gets_what_its_schema_asks_for() -> None:
    server = read(ROOT / "server.json")
    jsonschema.Draft7Validator(SERVER).validate(server)
    versions = {server["version"], *(package["version"] for package in server["packages"])}
    assert versions == {__version__}


def test_every_place_for_a_value_is_described_and_the_key_is_a_secret() -> None:
    server = read(ROOT / "server.json")
    arguments = [one for package in server["packages"] for one in package["packageArguments"]]
    for one in (*arguments, *server["remotes"]):
        places = re.findall(r"{(\w+)}", one.get("value", one.get("url", "")))
        assert sorted(places) == sorted(one.get("variables", {}))
    asked = [one for package in server["packages"] for one in package["environmentVariables"]]
    (key,) = [one for one in asked if one["name"] == VARIABLE]
    assert key["isSecret"]


def test_the_marketplace_leads_to_the_plugin() -> None:
    (entry,) = read(ROOT / ".claude-plugin" / "marketplace.json")["plugins"]
    plugin = read(PLUGIN / ".claude-plugin" / "plugin.json")
    assert ROOT / entry["source"] == PLUGIN
    assert (entry["name"], plugin["version"]) == (plugin["name"], __version__)
    assert re.fullmatch(r"[a-z0-9-]+", plugin["name"])


def test_the_plugin_asks_for_the_key_in_the_environment() -> None:
    (server,) = read(PLUGIN / ".mcp.json")["mcpServers"].values()
    assert server["type"] == "http"
    assert server["headers"] == {"Authorization": f"Bearer ${{{VARIABLE}}}"}
    assert re.fullmatch(r"\$\{FUNDSTELLE_URL:-http://127\.0\.0\.1:8000/mcp\}", server["url"])


def test_the_skill_has_the_head_that_agents_read() -> None:
    _, head, body = SKILL.read_text("utf-8").split("---\n", 2)
    said = yaml.safe_load(head)
    assert list(said) == ["name", "description"]
    assert said["name"] == SKILL.parent.name
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", said["name"])
    assert len(said["name"]) <= 64
    assert len(said["description"]) <= 1_024
    assert not {"<", ">"} & set(said["description"])
    assert body.count("\n") < 500


def test_the_skill_names_the_eight_tools_and_no_other() -> None:
    assert set(re.findall(r"\blegal_\w+", SKILL.read_text("utf-8"))) == TOOLS


@pytest.mark.parametrize("base_url", ["https://recht.example.org", "http://127.0.0.1:8000"])
def test_the_text_for_models_has_the_form_of_llms_txt(base_url: str) -> None:
    text = write_llms_text(Target(base_url, ""))
    assert text.startswith("# Fundstelle\n\n> ")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links
    assert all(link.startswith(f"{base_url}/") for link in links)
    assert "{" not in text

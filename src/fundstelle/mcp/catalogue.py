"""What a registry lists, encoded once: tools, resources, prompts, discovery, handshake."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import orjson

from fundstelle.mcp.versions import LEGACY, SUPPORTED
from fundstelle.tools.spec import Prompt, Registry, Resource, ResourceTemplate, Tool

LIST_TTL_MS = 3_600_000
CAPABILITIES: Mapping[str, Any] = {"tools": {}, "resources": {}, "prompts": {}, "completions": {}}

_PER_KEY = frozenset({"tools/list", "server/discover"})
_SERVER_INFO = "io.modelcontextprotocol/serverInfo"


class Catalogue:
    """The answers that are at hand, as result bytes per era and method.

    ``legacy`` and ``modern`` map a method to its encoded result. ``handshakes`` maps a legacy
    version to the result of ``initialize``. ``meta`` is the modern ``_meta`` member, encoded.
    """

    def __init__(self, registry: Registry) -> None:
        info = {
            "name": registry.server_name,
            "title": registry.server_title,
            "version": registry.server_version,
        }
        meta = {_SERVER_INFO: info}
        lists = _build_lists(registry)
        discovery = {
            "supportedVersions": list(SUPPORTED),
            "capabilities": CAPABILITIES,
            "instructions": registry.instructions,
        }
        cached = {"resultType": "complete", "ttlMs": LIST_TTL_MS}
        self.meta = orjson.dumps(meta)
        self.legacy = {method: orjson.dumps(result) for method, result in lists.items()}
        self.modern = {
            method: orjson.dumps(
                {**cached, "cacheScope": _find_scope(method), **result, "_meta": meta}
            )
            for method, result in {**lists, "server/discover": discovery}.items()
        }
        self.handshakes = {
            version: orjson.dumps(
                {
                    "protocolVersion": version,
                    "capabilities": CAPABILITIES,
                    "serverInfo": info,
                    "instructions": registry.instructions,
                }
            )
            for version in LEGACY
        }


def select_tools(listed: bytes, names: Collection[str]) -> bytes:
    """A result of ``tools/list`` with some of its tools, for a key that is for these alone."""
    result = orjson.loads(listed)
    result["tools"] = [tool for tool in result["tools"] if tool["name"] in names]
    return orjson.dumps(result)


def _find_scope(method: str) -> str:
    """Whether an answer may be kept across keys: some are for certain tools, or for laws alone."""
    return "private" if method in _PER_KEY else "public"


def _build_lists(registry: Registry) -> dict[str, dict[str, Any]]:
    return {
        "tools/list": {"tools": [_describe_tool(tool) for tool in registry.tools]},
        "resources/list": {"resources": [_describe_resource(r) for r in registry.resources]},
        "resources/templates/list": {
            "resourceTemplates": [_describe_template(t) for t in registry.templates]
        },
        "prompts/list": {"prompts": [_describe_prompt(prompt) for prompt in registry.prompts]},
    }


def _describe_tool(tool: Tool) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": tool.name,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": tool.input_schema,
    }
    if tool.output_schema is not None:
        described["outputSchema"] = tool.output_schema
    described["annotations"] = tool.annotations
    return described


def _describe_resource(resource: Resource) -> dict[str, Any]:
    return {
        "uri": resource.uri,
        "name": resource.name,
        "title": resource.title,
        "description": resource.description,
        "mimeType": resource.mime_type,
    }


def _describe_template(template: ResourceTemplate) -> dict[str, Any]:
    return {
        "uriTemplate": template.uri_template,
        "name": template.name,
        "title": template.title,
        "description": template.description,
        "mimeType": template.mime_type,
    }


def _describe_prompt(prompt: Prompt) -> dict[str, Any]:
    arguments: Sequence[dict[str, Any]] = [
        {"name": a.name, "description": a.description, "required": a.required}
        for a in prompt.arguments
    ]
    return {
        "name": prompt.name,
        "title": prompt.title,
        "description": prompt.description,
        "arguments": arguments,
    }

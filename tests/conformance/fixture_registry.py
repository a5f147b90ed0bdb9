"""The tools, resources and prompts that the public conformance suite asks for by name.

Nothing of it ships: it mounts on the same engine as the eight tools. What each must answer stands
in the scenario descriptions of ``@modelcontextprotocol/conformance``.
"""

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from fundstelle.errors import InvalidArgument
from fundstelle.mcp.errors import MISSING_CAPABILITY, ProtocolError
from fundstelle.tools.spec import (
    CallContext,
    JsonObject,
    Prompt,
    PromptArgument,
    Registry,
    Resource,
    ResourceContents,
    ResourceTemplate,
    Tool,
    ToolResult,
    UnknownResource,
)

# one red pixel, and a tenth of a second of silence
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="
)
WAV = (
    b"RIFF\x44\x03\x00\x00WAVEfmt \x10\x00\x00\x00\x01\x00\x01\x00\x40\x1f\x00\x00\x40\x1f\x00\x00"
    b"\x01\x00\x08\x00data\x20\x03\x00\x00" + b"\x80" * 800
)

_IMAGE = {"type": "image", "data": base64.b64encode(PNG).decode(), "mimeType": "image/png"}
_AUDIO = {"type": "audio", "data": base64.b64encode(WAV).decode(), "mimeType": "audio/wav"}
_NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}

JSON_SCHEMA_2020_12: JsonObject = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def build_registry() -> Registry:
    """All fixtures of the suite that a server of tools, resources and prompts can offer."""
    return Registry(
        server_name="fundstelle-fixtures",
        server_title="Fundstelle, conformance fixtures",
        server_version="0",
        instructions="Fixtures of the public conformance suite.",
        tools=_build_tools(),
        resources=_build_resources(),
        templates=_build_templates(),
        prompts=_build_prompts(),
        complete=_complete,
        release="fixtures",
    )


def _build_tools() -> tuple[Tool, ...]:
    mixed = (_text("Multiple content types test:"), _IMAGE, _embed("test://mixed", "{}"))
    return (
        _fixed_tool("test_simple_text", _text("This is a simple text response for testing.")),
        _fixed_tool("test_image_content", _IMAGE),
        _fixed_tool("test_audio_content", _AUDIO),
        _fixed_tool("test_embedded_resource", _embed("test://embedded", "An embedded resource.")),
        _fixed_tool("test_multiple_content_types", *mixed),
        _fixed_tool("test_logging_tool", _text("Nothing is logged to the client.")),
        _fixed_tool("test_streaming_elicitation", _text("Nothing is asked of the client.")),
        _build_tool("test_error_handling", _refuse),
        _build_tool("test_missing_capability", _demand_sampling),
        _build_tool("json_schema_2020_12_tool", _say_yes, JSON_SCHEMA_2020_12),
        _build_tool("test_structured", _echo, {"type": "object"}, {"type": "object"}),
        _fixed_tool("test_resource_link", _text("See the link."), _LINK),
        _build_tool("test_bug", _fail),
    )


_LINK = {
    "type": "resource_link",
    "uri": "test://static-text",
    "name": "static-text",
    "title": "Static text",
    "mimeType": "text/plain",
}


def _build_tool(
    name: str, call: Any, schema: JsonObject = _NO_ARGUMENTS, output: JsonObject | None = None
) -> Tool:
    title = name.replace("_", " ").capitalize()
    return Tool(name, title, f"Fixture of the conformance suite: {name}", schema, output, call)


def _fixed_tool(name: str, *blocks: JsonObject) -> Tool:
    return _build_tool(name, lambda _arguments, _context: ToolResult(blocks=blocks))


def _refuse(_arguments: JsonObject, _context: CallContext) -> ToolResult:
    raise InvalidArgument(
        "This tool intentionally returns an error for testing", field="x", example="y"
    )


def _demand_sampling(_arguments: JsonObject, _context: CallContext) -> ToolResult:
    data: JsonObject = {"requiredCapabilities": {"sampling": {}}}
    raise ProtocolError(MISSING_CAPABILITY, "this tool needs sampling", data)


def _say_yes(_arguments: JsonObject, _context: CallContext) -> ToolResult:
    return ToolResult(blocks=(_text("The arguments were taken."),))


def _echo(_arguments: JsonObject, _context: CallContext) -> ToolResult:
    return ToolResult(structured='{"said":"§ 1 „Muster“\\n"}'.encode(), blocks=(_LINK,))


def _fail(arguments: JsonObject, _context: CallContext) -> ToolResult:
    raise RuntimeError(f"a bug met {dict(arguments)}")


def _build_resources() -> tuple[Resource, ...]:
    return (
        _build_resource("test://static-text", "text/plain", text="This is a static text resource."),
        _build_resource("test://static-binary", "image/png", blob=PNG),
        _build_resource("test://bug", "text/plain"),
    )


def _build_resource(
    uri: str, mime_type: str, *, text: str | None = None, blob: bytes | None = None
) -> Resource:
    def read(_context: CallContext) -> ResourceContents:
        if text is None and blob is None:
            raise RuntimeError(uri)
        return ResourceContents(uri, mime_type, text=text, blob=blob, public=True)

    name = uri.removeprefix("test://")
    return Resource(uri, name, name.capitalize(), f"Fixture: {name}", mime_type, read)


def _build_templates() -> tuple[ResourceTemplate, ...]:
    return (
        ResourceTemplate(
            uri_template="test://template/{id}/data",
            prefix="test://template/",
            name="template",
            title="Template",
            description="Fixture: a family of resources",
            mime_type="application/json",
            read=_read_template,
        ),
    )


def _read_template(uri: str, _context: CallContext) -> ResourceContents:
    identifier, separator, rest = uri.removeprefix("test://template/").partition("/data")
    if not identifier or not separator or rest:
        raise UnknownResource(uri)
    text = f'{{"id":"{identifier}","templateTest":true,"data":"Data for ID: {identifier}"}}'
    return ResourceContents(uri, "application/json", text=text)


def _build_prompts() -> tuple[Prompt, ...]:
    first = PromptArgument("arg1", "First test argument", required=True)
    second = PromptArgument("arg2", "Second test argument", required=True)
    uri = PromptArgument("resourceUri", "Address of the resource to embed", required=True)
    return (
        _build_prompt("test_simple_prompt", (), _prompt_simply),
        _build_prompt("test_prompt_with_arguments", (first, second), _prompt_with_arguments),
        _build_prompt("test_prompt_with_embedded_resource", (uri,), _prompt_with_resource),
        _build_prompt("test_prompt_with_image", (), _prompt_with_image),
    )


def _build_prompt(name: str, arguments: Sequence[PromptArgument], get: Any) -> Prompt:
    title = name.replace("_", " ").capitalize()
    return Prompt(name, title, f"Fixture of the conformance suite: {name}", arguments, get)


def _prompt_simply(_arguments: Mapping[str, str]) -> Sequence[JsonObject]:
    return (_ask(_text("This is a simple prompt for testing.")),)


def _prompt_with_arguments(arguments: Mapping[str, str]) -> Sequence[JsonObject]:
    words = f"Prompt with arguments: arg1='{arguments['arg1']}', arg2='{arguments['arg2']}'"
    if not arguments["arg1"]:
        raise InvalidArgument("arg1 must not be empty", field="arg1", example="hello")
    return (_ask(_text(words)),)


def _prompt_with_resource(arguments: Mapping[str, str]) -> Sequence[JsonObject]:
    embedded = _embed(arguments["resourceUri"], "Embedded resource content for testing.")
    return (_ask(embedded), _ask(_text("Please process the embedded resource above.")))


def _prompt_with_image(_arguments: Mapping[str, str]) -> Sequence[JsonObject]:
    return (_ask(_IMAGE), _ask(_text("Please analyze the image above.")))


def _complete(
    reference: str, argument: str, typed: str, settled: Mapping[str, str]
) -> Sequence[str] | None:
    """Numbers for the template, the words of a prompt's argument otherwise."""
    if reference == "test://template/{id}/data":
        return [str(number) for number in range(150) if str(number).startswith(typed)]
    if reference not in {prompt.name for prompt in _build_prompts()}:
        return None
    words = ["paris", "park", "party", *settled.values()]
    return [word for word in words if argument == "arg1" and word.startswith(typed)]


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}


def _embed(uri: str, text: str) -> JsonObject:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": "text/plain", "text": text}}


def _ask(content: JsonObject) -> JsonObject:
    return {"role": "user", "content": content}

"""What the protocol engine serves: tools, resources and prompts as values.

The engine takes a ``Registry`` as an argument and knows nothing else of what it serves, so that the
conformance fixtures mount on the same engine. Only this module is shared between ``tools`` and
``mcp``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

JsonObject = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class CallContext:
    """What a call may know of its request. Never what was asked elsewhere, never the credential."""

    request_id: str
    principal_id: str
    tools: frozenset[str] | None = None  # that may be called; ``None`` = all


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The outcome of a tool.

    ``structured`` is the JSON of ``structuredContent``, encoded once (UTF-8); the engine repeats
    it as the first
    text block. ``blocks`` are further content blocks (``resource_link`` …). A tool that has no
    structured
    content gives only ``blocks``. ``is_error`` results never carry ``structuredContent``: their
    JSON goes in the text. ``result_ids`` are the norms and decisions that it gives, without those
    that it only suggests.
    """

    structured: bytes | None = None
    blocks: Sequence[JsonObject] = ()
    is_error: bool = False
    error_code: str | None = None  # for the request log
    result_ids: Sequence[str] = ()  # for the records of calls


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its definition as listed, and the function that answers a call.

    ``call`` raises only ``FundstelleError``; the engine turns ``InvalidInput`` into an error
    result. ``searching`` names the arguments with which a call may search, so that it may wait for
    a search cluster. A successful answer may be given again to the same arguments for as long as
    ``reusable_while`` gives the same value; ``None`` = never (tools that are asked questions).
    """

    name: str
    title: str
    description: str
    input_schema: JsonObject
    output_schema: JsonObject | None
    call: Callable[[JsonObject, CallContext], ToolResult]
    reusable_while: Callable[[], object] | None = None
    searching: tuple[str, ...] = ()
    right: str = ""  # the tool that a key must be for to call it; "" = this one
    annotations: JsonObject = field(
        default_factory=lambda: {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }
    )


@dataclass(frozen=True, slots=True)
class ResourceContents:
    """What reading a resource gives: ``text``, or ``blob`` (raw bytes)."""

    uri: str
    mime_type: str
    text: str | None = None
    blob: bytes | None = None
    public: bool = False  # the same for every caller: may be cached across tokens
    result_ids: Sequence[str] = ()  # as a tool's result has them


class UnknownResource(Exception):
    """No such resource. ``data`` goes into the JSON-RPC error's ``data`` beside the URI."""

    def __init__(self, uri: str, data: JsonObject | None = None) -> None:
        super().__init__(uri)
        self.uri = uri
        self.data = data


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource with a fixed address. ``free`` ones do not count against a rate limit."""

    uri: str
    name: str
    title: str
    description: str
    mime_type: str
    read: Callable[[CallContext], ResourceContents]
    free: bool = True


@dataclass(frozen=True, slots=True)
class ResourceTemplate:
    """A family of resources (RFC 6570). ``read`` gets the whole URI and raises ``UnknownResource``.

    ``prefix`` is the fixed beginning of the template; the engine picks the template with the
    longest match.
    """

    uri_template: str
    prefix: str
    name: str
    title: str
    description: str
    mime_type: str
    read: Callable[[str, CallContext], ResourceContents]
    free: bool = False
    right: str = ""  # the tool that a key must be for to read it; "" = any


@dataclass(frozen=True, slots=True)
class PromptArgument:
    """An argument of a prompt; all are strings."""

    name: str
    description: str
    required: bool = False


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt.

    ``get`` receives the arguments and gives messages ``{role, content}``; ``InvalidArgument`` if
    they do not fit.
    """

    name: str
    title: str
    description: str
    arguments: Sequence[PromptArgument]
    get: Callable[[Mapping[str, str]], Sequence[JsonObject]]


@dataclass(frozen=True, slots=True)
class Registry:
    """All that one server serves.

    ``complete`` gets the reference (a prompt's name or a template), the argument's name, what was
    typed so far and
    the arguments already settled; it gives values, or ``None`` for an unknown reference. If there
    are more than the 100 that are shown, it gives one of those, too.
    ``release`` names the corpus build in logs.
    """

    server_name: str
    server_title: str
    server_version: str
    instructions: str
    tools: Sequence[Tool]
    resources: Sequence[Resource]
    templates: Sequence[ResourceTemplate]
    prompts: Sequence[Prompt]
    complete: Callable[[str, str, str, Mapping[str, str]], Sequence[str] | None]
    release: str = ""

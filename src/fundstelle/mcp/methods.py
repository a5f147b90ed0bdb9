"""The methods that are worked out per request: calling a tool, reading, prompting, completing.

Each gives the members of ``result`` as encoded JSON without the braces around them, so that the
engine can add what an era wants (``resultType``, ``_meta``) without decoding anything.
"""

import base64
import logging
import re
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import orjson

from fundstelle.errors import CorpusError, DamagedBuild, FundstelleError, InvalidInput
from fundstelle.mcp.answers import Answer, AnswerCache, Key, build_key
from fundstelle.mcp.budget import Budget
from fundstelle.mcp.errors import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    RESOURCE_NOT_FOUND,
    ProtocolError,
    refuse_call,
)
from fundstelle.mcp.shapes import describe_shape
from fundstelle.mcp.versions import AUDIO_SINCE, MODERN, RESOURCE_LINKS_SINCE
from fundstelle.tools.spec import (
    CallContext,
    Prompt,
    Registry,
    Resource,
    ResourceContents,
    ResourceTemplate,
    Tool,
    ToolResult,
    UnknownResource,
)

MAX_COMPLETIONS = 100
PRIVATE_TTL_MS = 300_000
PUBLIC_TTL_MS = 3_600_000

_NAME_CHARS = 100
_OF_TEXTS = frozenset({"norm_id", "citation"})  # arguments that name a text ...
_LOOKUP = "legal_lookup"  # ... which a key must be for
_VARIABLE = re.compile(r"[{+?&,]([a-z_]+)(?=[,}*])")  # of a template (RFC 6570)
_SLOW_S = 0.25  # of the processor; every known question takes less

_Result = TypeVar("_Result")

_log = logging.getLogger("fundstelle.mcp")


class Methods:
    """The registry, indexed for dispatch.

    Args:
        registry: what is served.
        budget: how long one request may be worked out.
        meet_damage: called where what is read is not what was written.
    """

    def __init__(
        self,
        registry: Registry,
        budget: Budget,
        meet_damage: Callable[[], None] = lambda: None,
    ) -> None:
        self._meet_damage = meet_damage
        self._budget = budget
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in registry.tools}
        self._resources: Mapping[str, Resource] = {r.uri: r for r in registry.resources}
        # the longest prefix first, so that the first match is the best
        self._templates = sorted(registry.templates, key=lambda t: len(t.prefix), reverse=True)
        self._prompts: Mapping[str, Prompt] = {prompt.name: prompt for prompt in registry.prompts}
        self._complete = registry.complete
        self._answers = AnswerCache()

    def counts(self, method: str, params: Mapping[str, Any]) -> bool:
        """Whether a request counts against the caller's rate limit."""
        if method == "resources/read":
            uri = params.get("uri")
            found = self._find_resource(uri) if isinstance(uri, str) else None
            return found is not None and not found.free
        return method in {"tools/call", "prompts/get"}

    def find_right(self, uri: object) -> str:
        """The tool that a key must be for to read a resource, or one of a template.

        "" = any, or there is none such.
        """
        found = self._find_resource(uri) if isinstance(uri, str) else None
        return found.right if isinstance(found, ResourceTemplate) else ""

    def find_completion_right(self, params: Mapping[str, Any]) -> str:
        """The tool that a key must be for to have an argument completed; "" = any."""
        reference, argument = params.get("ref"), params.get("argument")
        if not isinstance(reference, dict) or not isinstance(argument, dict):
            return ""
        name = argument.get("name")
        if isinstance(name, str) and name in _OF_TEXTS:
            return _LOOKUP
        return self.find_right(reference.get("uri"))

    def _is_template(self, target: str) -> bool:
        return any(one.uri_template == target for one in self._templates)

    def _takes(self, kind: object, target: str, argument: str) -> bool:
        """Whether a prompt, or a template of resources, has an argument of that name."""
        if kind == "ref/prompt":
            prompt = self._prompts.get(target)
            return prompt is not None and any(one.name == argument for one in prompt.arguments)
        found = next((one for one in self._templates if one.uri_template == target), None)
        return found is not None and argument in _VARIABLE.findall(found.uri_template)

    def call_tool(self, params: Mapping[str, Any], version: str, context: CallContext) -> Answer:
        """``tools/call``.

        Raises:
            ProtocolError: no such tool, or arguments that are not an object.
        """
        name = params.get("name")
        tool = self.tools.get(name) if isinstance(name, str) else None
        if tool is None:
            raise ProtocolError(
                INVALID_PARAMS, "unknown tool; tools/list names those there are", _quote(name)
            )
        arguments = params.get("arguments", {})
        if not isinstance(arguments, dict):
            raise ProtocolError(INVALID_PARAMS, "arguments must be an object")
        key = self._build_key(tool, arguments, version)
        held = self._answers.find(key) if key is not None else None
        if held is not None:
            return held

        def work() -> tuple[Answer, bool]:
            result = tool.call(arguments, context)
            members = _encode_tool_result(result, version)
            answer = Answer(members, result.error_code, result.result_ids)
            return answer, result.is_error

        names = tool.input_schema.get("properties", ())
        try:
            answer, is_error = self._work(work, tool.name, arguments, names)
        except FundstelleError as error:
            if isinstance(error, CorpusError):
                report_damage(error, context.request_id)
            result = refuse_call(error, context.request_id)
            return Answer(_encode_tool_result(result, version), result.error_code)
        if key is not None and not is_error:
            self._answers.keep(key, answer)
        return answer

    def holds(self, params: Mapping[str, Any], version: str) -> bool:
        """Whether ``call_tool`` has the answer at hand."""
        name, arguments = params.get("name"), params.get("arguments", {})
        tool = self.tools.get(name) if isinstance(name, str) else None
        if tool is None or not isinstance(arguments, dict):
            return True  # refused at once
        key = self._build_key(tool, arguments, version)
        return key is not None and self._answers.find(key) is not None

    def _build_key(self, tool: Tool, arguments: dict[str, Any], version: str) -> Key | None:
        if tool.reusable_while is None:
            return None
        form = "links" if version >= RESOURCE_LINKS_SINCE else "text"
        return build_key(tool.name, form, tool.reusable_while(), arguments)

    def _work(
        self,
        work: Callable[[], _Result],
        name: str,
        arguments: Mapping[str, Any],
        names: Collection[str],
    ) -> _Result:
        """Work an answer out within the budget, and say so where that took long.

        Raises:
            CallCut: it took too long.
        """
        before_s = self._budget.used_s
        try:
            return self._budget.run(work)
        except DamagedBuild:
            self._meet_damage()
            raise
        finally:
            used_s = self._budget.used_s - before_s
            if used_s > _SLOW_S:
                shape = describe_shape(arguments, names)
                _log.warning(
                    "%s took %.2f s of the processor; its arguments: %s", name, used_s, shape
                )

    def read_resource(
        self, params: Mapping[str, Any], version: str, context: CallContext
    ) -> tuple[bytes, bool, Sequence[str]]:
        """``resources/read``: the result's members, whether all get the same, ids of its norms.

        Raises:
            ProtocolError: no such resource, or the build is damaged.
        """
        uri = params.get("uri")
        if not isinstance(uri, str):
            raise ProtocolError(INVALID_PARAMS, "uri must be a string")
        try:
            contents = self._work(
                lambda: self._read(uri, context), "a resource", {"uri": uri}, ("uri",)
            )
        except UnknownResource as unknown:
            code = INVALID_PARAMS if version == MODERN else RESOURCE_NOT_FOUND
            data = {"uri": uri, **(unknown.data or {})}
            raise ProtocolError(code, "there is no such resource", data) from None
        except InvalidInput as error:
            raise ProtocolError(INVALID_PARAMS, error.message, {"uri": uri}) from None
        except CorpusError as error:
            report_damage(error, context.request_id)
            data = {"uri": uri, "id": context.request_id}
            raise ProtocolError(INTERNAL_ERROR, str(error), data) from None
        members = b'"contents":[' + orjson.dumps(_describe_contents(contents)) + b"]"
        return members, contents.public, contents.result_ids

    def get_prompt(self, params: Mapping[str, Any]) -> bytes:
        """``prompts/get``: the members of the result.

        Raises:
            ProtocolError: no such prompt, or arguments that do not fit.
        """
        name = params.get("name")
        prompt = self._prompts.get(name) if isinstance(name, str) else None
        if prompt is None:
            raise ProtocolError(
                INVALID_PARAMS, "unknown prompt; prompts/list names those there are", _quote(name)
            )
        arguments = _read_strings(params.get("arguments", {}))
        missing = [a.name for a in prompt.arguments if a.required and a.name not in arguments]
        if missing:
            raise ProtocolError(INVALID_PARAMS, f"missing argument: {', '.join(missing)}")
        try:
            names = [argument.name for argument in prompt.arguments]
            messages = self._work(
                lambda: list(prompt.get(arguments)), prompt.name, arguments, names
            )
        except InvalidInput as error:
            raise ProtocolError(INVALID_PARAMS, error.message) from None
        body = {"description": prompt.description, "messages": messages}
        return orjson.dumps(body)[1:-1]

    def complete(self, params: Mapping[str, Any]) -> bytes:
        """``completion/complete``: the members of the result.

        Raises:
            ProtocolError: the resource template is unknown or the request malformed.
        """
        reference, argument = params.get("ref"), params.get("argument")
        if not isinstance(reference, dict) or not isinstance(argument, dict):
            raise ProtocolError(INVALID_PARAMS, "ref and argument must be objects")
        kinds = {"ref/prompt": "name", "ref/resource": "uri"}
        kind = reference.get("type")
        target = reference.get(kinds[kind]) if isinstance(kind, str) and kind in kinds else None
        name, typed = argument.get("name"), argument.get("value")
        if not isinstance(target, str) or not isinstance(name, str) or not isinstance(typed, str):
            raise ProtocolError(INVALID_PARAMS, "ref names no prompt or resource template")
        settled = params.get("context", {})
        given = settled.get("arguments", {}) if isinstance(settled, dict) else {}
        settled_names = _read_strings(given)
        values = self._work(
            lambda: (
                self._complete(target, name, typed, settled_names)
                if self._takes(kind, target, name)
                else ()
            ),
            "a completion",
            {"value": typed, **settled_names},
            ("value",),
        )
        if values is None and kind == "ref/prompt":
            values = ()  # as the public suite asks of a prompt of its own; prompts/get refuses it
        if values is None or (kind == "ref/resource" and not self._is_template(target)):
            raise ProtocolError(INVALID_PARAMS, "ref names no prompt or resource template")
        shown = list(values[:MAX_COMPLETIONS])
        has_more = len(values) > len(shown)
        body: dict[str, Any] = {"values": shown, "hasMore": has_more}
        if not has_more:  # else nobody has counted them
            body["total"] = len(shown)
        return b'"completion":' + orjson.dumps(body)

    def _find_resource(self, uri: str) -> Resource | ResourceTemplate | None:
        fixed = self._resources.get(uri)
        if fixed is not None:
            return fixed
        return next((t for t in self._templates if uri.startswith(t.prefix)), None)

    def _read(self, uri: str, context: CallContext) -> ResourceContents:
        found = self._find_resource(uri)
        if found is None:
            raise UnknownResource(uri)
        return found.read(context) if isinstance(found, Resource) else found.read(uri, context)


def report_damage(error: CorpusError, request_id: str) -> None:
    """Log that the build let a request down; not of what it asked."""
    _log.error(
        "request %s failed, since the corpus build is damaged (%s); 'fundstelle corpus verify'"
        " names the files",
        request_id,
        error.code,
    )


def report_unforeseen(error: Exception, request_id: str) -> ProtocolError:
    """Log what went wrong, without any value that was asked for, and answer bare."""
    frames = "".join(traceback.format_list(traceback.extract_tb(error.__traceback__)))
    _log.error("request %s failed: %s\n%s", request_id, type(error).__name__, frames)
    return ProtocolError(
        INTERNAL_ERROR, "internal error; the server's log has it under this id", {"id": request_id}
    )


def _encode_tool_result(result: ToolResult, version: str) -> bytes:
    blocks = [orjson.dumps(_fit_block(block, version)) for block in result.blocks]
    if result.structured is None:
        flag = b"true" if result.is_error else b"false"
        return b'"isError":' + flag + b',"content":[' + b",".join(blocks) + b"]"
    # the text block repeats the structured content: encoded once, escaped once
    text = orjson.dumps(result.structured.decode())
    first = b'"isError":false,"content":[{"type":"text","text":'
    links = b"".join(b"," + block for block in blocks)
    return b"".join((first, text, b"}", links, b'],"structuredContent":', result.structured))


def _fit_block(block: Mapping[str, Any], version: str) -> Mapping[str, Any]:
    """Content that a revision does not know yet becomes text."""
    kind = block.get("type")
    if kind == "resource_link" and version < RESOURCE_LINKS_SINCE:
        return {"type": "text", "text": f"{block.get('title') or block['name']}: {block['uri']}"}
    if kind == "audio" and version < AUDIO_SINCE:
        return {"type": "text", "text": f"[audio, {block['mimeType']}]"}
    return block


def _describe_contents(contents: ResourceContents) -> dict[str, Any]:
    described: dict[str, Any] = {"uri": contents.uri, "mimeType": contents.mime_type}
    if contents.blob is not None:
        described["blob"] = base64.b64encode(contents.blob).decode()
    else:
        described["text"] = contents.text or ""
    return described


def _quote(name: object) -> dict[str, str]:
    # only what may be a name is repeated: anything else may be deeper than the encoder goes
    return {"name": name[:_NAME_CHARS]} if isinstance(name, str) else {}


def _read_strings(value: object) -> dict[str, str]:
    if value is None:
        return {}
    if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
        raise ProtocolError(INVALID_PARAMS, "arguments must be an object of strings")
    return value

"""A tool that says in every answer that the build is damaged, while that is known."""

from dataclasses import replace

import orjson

from fundstelle.lookup.damage import warn_of_damage
from fundstelle.lookup.library import Library
from fundstelle.tools.spec import CallContext, JsonObject, Tool, ToolResult


def tell_damage(tool: Tool, library: Library) -> Tool:
    """The tool over that library, whose answers say first what is known of damage in it.

    An answer from before is then not given again.
    """
    reusable_while = tool.reusable_while

    def call(arguments: JsonObject, context: CallContext) -> ToolResult:
        answer = tool.call(arguments, context)
        told = warn_of_damage(library)
        if not told or answer.structured is None:
            return answer
        fields = orjson.loads(answer.structured)
        fields["warnings"] = [*told, *fields.get("warnings", ())]
        return replace(answer, structured=orjson.dumps(fields))

    if reusable_while is None:
        return replace(tool, call=call)
    return replace(tool, call=call, reusable_while=lambda: (reusable_while(), library.is_damaged()))

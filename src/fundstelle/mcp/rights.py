"""What a key is for: which tools it may call, and which texts it may read by that."""

from fundstelle.mcp.errors import INVALID_PARAMS, ProtocolError
from fundstelle.tools.spec import CallContext, Tool


def has_right(tool: Tool, context: CallContext) -> bool:
    """Whether the key may call a tool."""
    return context.tools is None or (tool.right or tool.name) in context.tools


def require_reading(right: str, context: CallContext) -> None:
    """See that a resource is within what the key is for.

    Raises:
        ProtocolError: it is not.
    """
    if context.tools is not None and right and right not in context.tools:
        text = f"this key may not read that: it is not for {right}"
        raise ProtocolError(INVALID_PARAMS, text)


def require_right(tool: Tool, context: CallContext) -> None:
    """See that a call is within what the key is for.

    Raises:
        ProtocolError: it is not.
    """
    if not has_right(tool, context):
        may = ", ".join(sorted(context.tools or ()))
        text = f"this key is not for {tool.right or tool.name}; it may call {may}"
        raise ProtocolError(INVALID_PARAMS, text, {"name": tool.name})

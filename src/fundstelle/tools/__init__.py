"""The eight MCP tools, the resources and the prompts."""

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fundstelle.lookup.library import Library
    from fundstelle.tools.spec import Registry


def build_registry(
    library: "Library",
    *,
    today: Callable[[], date],
    base_url: str,
    whole: "Registry | None" = None,
) -> "Registry":
    """All that one server serves from one corpus build.

    ``today`` gives the day that ``as_of`` defaults to; ``base_url`` is the public address.
    ``whole`` is given where the library is that of another registry without its decisions.
    """
    # the protocol engine imports only spec and must not load the tools with it
    from fundstelle.tools.registry import build  # noqa: PLC0415

    return build(library, today, base_url, whole)


def build_chatgpt_registry(eight: "Registry", library: "Library", base_url: str) -> "Registry":
    """The two tools that ChatGPT asks for outside its developer mode, over the eight."""
    from fundstelle.tools import chatgpt  # noqa: PLC0415

    return chatgpt.build_chatgpt_registry(eight, library, base_url)

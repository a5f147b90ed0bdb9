"""The composition of one server's tools, resources and prompts."""

from collections.abc import Callable
from dataclasses import replace
from datetime import date

from fundstelle import __version__
from fundstelle.lookup.library import Library
from fundstelle.tools import (
    find_citing_decisions,
    get_context,
    get_stats,
    get_toc,
    list_laws,
    lookup,
    lookup_batch,
    search,
)
from fundstelle.tools.answers.schema import thin
from fundstelle.tools.completion import Completions
from fundstelle.tools.damage import tell_damage
from fundstelle.tools.instructions import build_instructions
from fundstelle.tools.prompts import PROMPTS
from fundstelle.tools.resources import build_resources, build_templates
from fundstelle.tools.spec import Registry, Tool

_IN_ORDER = (
    search,
    lookup,
    lookup_batch,
    get_context,
    find_citing_decisions,
    list_laws,
    get_toc,
    get_stats,
)

TOOL_NAMES = tuple(module.NAME for module in _IN_ORDER)


def build_tools(library: Library, today: Callable[[], date]) -> tuple[Tool, ...]:
    """The eight tools in the order of the list, their schemas described in full."""
    return tuple(tell_damage(module.build_tool(library, today), library) for module in _IN_ORDER)


def build(
    library: Library,
    today: Callable[[], date],
    base_url: str,
    whole: Registry | None = None,
) -> Registry:
    """The registry over one corpus build; with ``base_url`` answers name the pages of texts.

    ``whole`` is that of the same build with its decisions, where this is without them: their list
    of laws is the same, and the longest to make.
    """
    library = replace(library, base_url=base_url)
    made = {tool.name: tool for tool in whole.tools} if whole is not None else {}
    by_name = {
        module.NAME: tell_damage(_thin(module.build_tool(library, today)), library)
        if module is not list_laws or not made
        else made[list_laws.NAME]
        for module in _IN_ORDER
    }
    resources = build_resources(library)
    templates = build_templates(by_name[lookup.NAME], by_name[get_toc.NAME], library.source_types)
    references = (
        *(prompt.name for prompt in PROMPTS),
        *(template.uri_template for template in templates),
    )
    return Registry(
        server_name="fundstelle",
        server_title="Fundstelle: German and EU law, citable",
        server_version=__version__,
        instructions=build_instructions(library, base_url),
        tools=tuple(by_name.values()),
        resources=resources,
        templates=templates,
        prompts=PROMPTS,
        complete=Completions(library, references).complete,
        release=library.store.manifest.release,
    )


def _thin(tool: Tool) -> Tool:
    return replace(tool, output_schema=tool.output_schema and thin(tool.output_schema))

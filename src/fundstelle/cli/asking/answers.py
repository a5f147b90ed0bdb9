"""Tool answers in the terminal: as JSON, or as lines to read."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import click
import orjson

from fundstelle import tools
from fundstelle.errors import InvalidInput
from fundstelle.lookup.library import Library
from fundstelle.tools.spec import CallContext

Answer = Mapping[str, Any]
_CONTEXT = CallContext(request_id="terminal", principal_id="terminal")


def call_tool(library: Library, name: str, arguments: Mapping[str, object]) -> Answer:
    """Call one of the eight tools as a client would; arguments that are ``None`` are left out.

    Raises:
        InvalidInput: an argument is not what the tool takes.
    """
    registry = tools.build_registry(library, today=date.today, base_url="")
    tool = next(tool for tool in registry.tools if tool.name == name)
    given = {key: value for key, value in arguments.items() if value is not None}
    result = tool.call(given, _CONTEXT)
    if result.structured is None:
        message = f"{name} gave no structured answer"
        raise InvalidInput(message)
    answer: Answer = orjson.loads(result.structured)
    return answer


def print_json(answer: Answer) -> None:
    """The answer as indented JSON."""
    click.echo(orjson.dumps(answer, option=orjson.OPT_INDENT_2))


def print_hits(answer: Answer) -> None:
    """One hit after the other: citation, title, snippet, source."""
    for warning in answer["warnings"]:
        click.secho(f"! {warning}", fg="yellow", err=True)
    for hit in answer["hits"]:
        click.secho(_join(hit["citation"], hit.get("title")), bold=True)
        click.echo("    " + hit["snippet"].replace("\n", "\n    "))
        if hit.get("source_url"):
            click.secho(f"    {hit['source_url']}", dim=True)
    if not answer["hits"]:
        click.echo("Nichts gefunden.")


def _join(citation: str, title: str | None) -> str:
    return f"{citation}  {title}" if title else citation

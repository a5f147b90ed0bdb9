"""Tool answers in the terminal: as JSON, or as a lawyer would read them."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import click
import orjson

from fundstelle import tools
from fundstelle.errors import InvalidInput
from fundstelle.lookup.library import Library
from fundstelle.tools._spec import CallContext

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


def print_lookup(answer: Answer) -> None:
    """A norm with its place, Stand and source; or the miss with its evidence."""
    for warning in answer["warnings"]:
        click.secho(f"! {warning}", fg="yellow", err=True)
    if not answer["found"]:
        _print_miss(answer)
        return
    if "norm" not in answer:
        law = answer["law"]
        click.secho(f"{law['abbreviation']}: {law['title']}", bold=True)
        return
    for norm in answer.get("norms") or [answer["norm"]]:
        _print_norm(norm)
    if check := answer.get("quote_check"):
        click.secho(f"Zitat: {check['status']}", bold=True)


def print_hits(answer: Answer) -> None:
    """One hit after the other: citation, title, snippet, source."""
    for warning in answer["warnings"]:
        click.secho(f"! {warning}", fg="yellow", err=True)
    for hit in answer["hits"]:
        click.secho(_join(hit["citation"], hit.get("title")), bold=True)
        click.echo("    " + hit["snippet"].replace("\n", "\n    "))
        click.secho(f"    {hit['source_url']}", dim=True)
    if not answer["hits"]:
        click.echo("Nichts gefunden.")


def _print_norm(norm: Answer) -> None:
    click.secho(_join(norm["citation"], norm.get("title")), bold=True)
    if hierarchy := norm.get("hierarchy"):
        click.secho(" › ".join(hierarchy), dim=True)
    click.echo()
    if lead_in := norm.get("lead_in"):
        click.secho(lead_in, dim=True)
    click.echo(norm.get("content", ""))
    click.echo()
    provenance = norm["provenance"]
    click.secho(f"Stand {provenance['version_date']} · {norm['source_url']}", dim=True)


def _print_miss(miss: Answer) -> None:
    click.secho(f"{miss['citation']}: {miss['status']}", bold=True)
    click.echo(miss["reason"])
    for suggestion in miss.get("suggestions", ()):
        click.echo(f"  - {suggestion['citation']}: {suggestion['why']}")
    if step := miss.get("next_step"):
        click.echo(step)


def _join(citation: str, title: str | None) -> str:
    return f"{citation}  {title}" if title else citation

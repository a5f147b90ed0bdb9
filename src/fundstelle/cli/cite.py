"""``fundstelle cite``."""

import json
import sys
from collections.abc import Iterator
from typing import Any

import click

from fundstelle.citations.find import find
from fundstelle.citations.gold import write_target
from fundstelle.citations.parse import parse
from fundstelle.errors import InvalidArgument


@click.command()
@click.argument("citation", required=False)
@click.option("--find", "as_text", is_flag=True, help="Find citations in a text, with offsets.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON also for an argument.")
def cite(citation: str | None, *, as_text: bool, as_json: bool) -> None:
    """Say what a CITATION means, without looking it up.

    Without an argument: JSON lines {"id", "input"} on standard input (with --find also "text"),
    one JSON line {"id", "targets"} (with --find "citations") for each.

    Exit code 3: the argument is not a citation.
    """
    write = _write_found if as_text else _write_parsed
    if citation is None:
        for line_id, text in _read_lines():
            click.echo(json.dumps({"id": line_id, **write(text)}, ensure_ascii=False))
        return
    answer = write(citation)
    if as_json:
        click.echo(json.dumps(answer, ensure_ascii=False))
    else:
        _print(answer)
    if not any(answer.values()):
        sys.exit(3)


def _read_lines() -> Iterator[tuple[Any, str]]:
    for number, line in enumerate(sys.stdin, 1):
        if not line.strip():
            continue
        try:
            value = json.loads(line)
            yield value.get("id"), value.get("input", value.get("text", ""))
        except (ValueError, AttributeError) as error:
            raise InvalidArgument(
                f'line {number} of the input is not a JSON object with "id" and "input": {error}'
            ) from error


def _write_parsed(text: str) -> dict[str, Any]:
    parsed = parse(text)
    answer: dict[str, Any] = {"targets": [write_target(target) for target in parsed.targets]}
    if parsed.normalised:
        answer["normalised"] = list(parsed.normalised)
    return answer


def _write_found(text: str) -> dict[str, Any]:
    return {
        "citations": [
            {
                "start": found.start,
                "end": found.end,
                "text": found.text,
                "inferred": found.inferred,
                "normalised": list(found.normalised),
                "targets": [write_target(target) for target in found.targets],
            }
            for found in find(text)
        ]
    }


def _print(answer: dict[str, Any]) -> None:
    rows: list[dict[str, Any]] = answer.get("citations") or [answer]
    for row in rows:
        if "text" in row:
            click.echo(f"{row['start']}-{row['end']}\t{row['text']}")
        for target in row.get("targets", ()):
            click.echo("  " + json.dumps(target, ensure_ascii=False))
        for note in row.get("normalised", ()):
            click.echo(f"  ({note})")

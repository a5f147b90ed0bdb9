"""``fundstelle cite``."""

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, BinaryIO

import click

from fundstelle.citations.find import find
from fundstelle.citations.gold import write_target
from fundstelle.citations.parse import parse
from fundstelle.cli.usage import WrongUsage


@click.command()
@click.argument("citation", required=False)
@click.option("--find", "as_text", is_flag=True, help="Find citations in a text, with offsets.")
@click.option("--file", "source", type=click.File("rb"), help="Read this file; - is stdin.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON also on a terminal.")
def cite(citation: str | None, source: BinaryIO | None, *, as_text: bool, as_json: bool) -> None:
    """Say what a CITATION means, without looking it up.

    Without an argument: JSON lines {"id", "input"} on standard input, and one JSON line
    {"id", "targets"} for each. With --find the argument, file or input is a text, or JSON lines
    {"id", "text"}; for each one JSON line {"id", "citations"}.

    Exit code 2: the input cannot be read; the line is named. 3: the argument is no citation.
    """
    write = _write_found if as_text else _write_parsed
    if citation is None:
        stream = source or sys.stdin.buffer
        for line_id, text in _read(stream, "text" if as_text else "input"):
            _print_line({"id": line_id, **write(text)})
        return
    if source is not None:
        raise WrongUsage("give a citation or --file, not both")
    answer = write(_encodable(citation))
    if as_json or not sys.stdout.isatty():
        _print_line({"id": None, **answer})
    else:
        _print(answer)
    if not any(answer.values()):
        sys.exit(3)


def _read(stream: Iterable[bytes], key: str) -> Iterator[tuple[Any, str]]:
    """Id and text of each line; with the key "text" also one plain text without id."""
    lines = _decode(stream)
    opening = list(_take_opening(lines))
    if key == "text" and opening and not opening[-1][1].lstrip().startswith("{"):
        yield None, "".join(line for _, line in chain(opening, lines))
        return
    for number, line in chain(opening, lines):
        if line.strip():
            yield _read_line(number, line, key)


def _take_opening(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """The blank lines at the beginning and the first that is not blank."""
    for number, line in lines:
        yield number, line
        if line.strip():
            return


def _decode(stream: Iterable[bytes]) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(stream, 1):
        try:
            yield number, line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise WrongUsage(f"line {number} of the input is not UTF-8") from None


def _read_line(number: int, line: str, key: str) -> tuple[Any, str]:
    wanted = f'line {number} of the input must be a JSON object with "id" and "{key}"'
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        raise WrongUsage(f"{wanted}; it is not JSON") from None
    if not isinstance(value, dict):
        raise WrongUsage(f"{wanted}; it is no object")
    text = value.get(key)
    if not isinstance(text, str):
        raise WrongUsage(f'{wanted}; "{key}" is {"no text" if key in value else "missing"}')
    return value.get("id"), _encodable(text)


def _encodable(text: str) -> str:
    """Without lone surrogates, which JSON may hold and UTF-8 may not; offsets stay."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _write_parsed(text: str) -> dict[str, Any]:
    parsed = parse(text)
    answer: dict[str, Any] = {"targets": [write_target(target) for target in parsed.targets]}
    if parsed.normalised:
        answer["normalised"] = list(parsed.normalised)
    if parsed.unparsed:
        answer["unparsed"] = list(parsed.unparsed)
    return answer


def _write_found(text: str) -> dict[str, Any]:
    return {
        "citations": [
            {
                "start": found.start,
                "end": found.end,
                "text": found.text,
                "targets": [write_target(target) for target in found.targets],
                "inferred": found.inferred,
                "normalised": list(found.normalised),
            }
            for found in find(text)
        ]
    }


def _print_line(answer: dict[str, Any]) -> None:
    click.echo(json.dumps(answer, ensure_ascii=False).encode("utf-8"))


def _print(answer: dict[str, Any]) -> None:
    rows: list[dict[str, Any]] = answer.get("citations") or [answer]
    for row in rows:
        if "text" in row:
            click.echo(f"{row['start']}-{row['end']}\t{row['text']}")
        for target in row.get("targets", ()):
            click.echo("  " + json.dumps(target, ensure_ascii=False))
        for note in row.get("normalised", ()):
            click.echo(f"  ({note})")
        for part in row.get("unparsed", ()):
            click.echo(f"  (not read: {part})")

"""Writes ``docs/commands.md`` from the commands themselves: ``make docs``."""
# ruff: noqa: INP001 - a script beside the documents

from collections.abc import Iterator
from pathlib import Path

import click

from fundstelle.cli import cli

TARGET = Path(__file__).with_name("commands.md")
_HEAD = """\
# Commands

Generated from the commands by `make docs`; a test holds it current. `-h` behind any of them \
prints the same.

Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing found. Settings come from the environment \
([settings.md](settings.md)).
"""


def render() -> str:
    """The whole page."""
    context = click.Context(cli, info_name="fundstelle")
    return "\n".join([_HEAD, *_list_group(cli, context)]).rstrip() + "\n"


def _list_group(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield from _describe(command, click.Context(command, context, info_name=name))


def _describe(command: click.Command, context: click.Context) -> Iterator[str]:
    depth = "##" if context.parent and context.parent.parent is None else "###"
    yield f"{depth} {context.command_path}\n"
    yield _unwrap(command.help or "") + "\n"
    pieces = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    yield f"```text\n{pieces}\n```\n"
    records = [
        record
        for each in command.get_params(context)
        if "--help" not in each.opts and (record := each.get_help_record(context))
    ]
    if records:
        yield "| Option | Meaning |\n| --- | --- |"
        yield from (f"| `{_cell(name)}` | {_cell(text)} |" for name, text in records)
        yield ""
    if isinstance(command, click.Group):
        yield from _list_group(command, context)


def _unwrap(text: str) -> str:
    """Paragraphs without the line breaks of the source."""
    paragraphs = text.replace("\b\n", "").split("\n\n")
    return "\n\n".join(" ".join(each.split()) for each in paragraphs)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")

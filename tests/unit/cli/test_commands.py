"""The list of commands is true, and dear to nobody."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from fundstelle.cli import cli
from fundstelle.cli.commands import COMMANDS

DEAR = ("sqlalchemy", "httpcore", "tantivy", "starlette", "lightgbm", "numpy", "lxml")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_list_is_there(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.name == name
    assert command.help


def test_a_command_that_there_is_not_is_none() -> None:
    assert cli.get_command(click.Context(cli), "look-up") is None


def list_words(
    command: click.Command, above: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Parameter]]:
    """Each parameter that takes anything, with the commands that lead to it."""
    context = click.Context(command)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from list_words(below, (*above, name))
    for param in command.params:
        if not isinstance(param.type, (click.Path, click.File)) and not getattr(
            param, "is_flag", False
        ):
            yield above, param


WORDS = [
    pytest.param(*one, id=f"{'-'.join(one[0])}-{one[1].name}")
    for one in list_words(cli)
    if one[1].name is not None
]


@pytest.mark.parametrize(("path", "param"), WORDS)
def test_bytes_that_are_no_text_are_wrong_usage(
    path: tuple[str, ...], param: click.Parameter, tmp_path: Path
) -> None:
    odd = b"\xff\xfe \xa7 1 BGB".decode(errors="surrogateescape")
    command: click.Command | None = cli
    for name in path:
        assert isinstance(command, click.Group)
        command = command.get_command(click.Context(command), name)
    assert command is not None
    before = []
    for one in command.params:
        if one is param:
            break
        if isinstance(one, click.Argument) and one.required:
            before.append("x")
    given = [odd] if isinstance(param, click.Argument) else [param.opts[0], odd]
    environ = {"FUNDSTELLE_DATA": str(tmp_path)}
    done = CliRunner().invoke(cli, [*path, *before, *given], env=environ)
    assert (done.exit_code, type(done.exception)) == (2, SystemExit), done.output
    assert list(tmp_path.iterdir()) == []


def list_imported(*arguments: str) -> set[str]:
    """The modules in memory after a command with these arguments."""
    program = (
        "import sys\n"
        "from fundstelle.cli import cli\n"
        "cli(sys.argv[1:], standalone_mode=False)\n"
        "print(*sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    ("arguments", "unneeded"),
    [
        (["--help"], DEAR),
        (["cite", "§ 823 BGB"], ("sqlalchemy", "httpcore", "tantivy", "starlette", "lightgbm")),
        (["lookup", "--help"], ("sqlalchemy", "httpcore", "tantivy", "starlette", "lightgbm")),
    ],
    ids=lambda one: one[0],
)
def test_a_command_loads_what_it_needs(arguments: list[str], unneeded: tuple[str, ...]) -> None:
    assert list_imported(*arguments).isdisjoint(unneeded)

"""The list of commands is true, and dear to nobody."""

import subprocess
import sys

import click
import pytest

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

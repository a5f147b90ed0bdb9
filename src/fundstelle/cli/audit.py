"""``fundstelle audit``: export the audit log, and find out whether it is whole."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import click

from fundstelle.accounts.audit import AuditLog
from fundstelle.bootstrap import open_accounts
from fundstelle.settings import Settings


class _Hash(click.ParamType[str]):
    """A SHA-256 in hexadecimal digits."""

    name = "HASH"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        """Read the option's value."""
        text = str(value).strip().lower()
        if not re.fullmatch("[0-9a-f]{64}", text):
            self.fail(f"{value!r} is not a hash of 64 hexadecimal digits", param, ctx)
        return text


@click.group()
def audit() -> None:
    """Export and verify the log of sign-ins, keys, consents, admin acts and tool calls."""


@audit.command()
@click.option(
    "--since",
    type=click.DateTime(["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"]),
    metavar="DATE",
    help="Only lines from this day or moment (UTC) on, such as 2030-01-31.",
)
@click.pass_obj
def export(settings: Settings, since: datetime | None) -> None:
    """Write the log as JSON lines, oldest first.

    The hash of a line is SHA-256 over its JSON without "hash" (members sorted, no spaces, UTF-8);
    "previous" is the hash of the line before.
    """
    with _opened(settings) as log:
        for line in log.export_lines(None if since is None else since.replace(tzinfo=UTC)):
            click.echo(line, nl=False)


@audit.command()
@click.option(
    "--head",
    type=_Hash(),
    help="A hash that an earlier run printed and you kept elsewhere: is its line still there?",
)
@click.pass_obj
def verify(settings: Settings, head: str | None) -> None:
    """Check every line and print the newest hash; exit code 1 names the first wrong line.

    Keep the hash away from this server: with --head a later run also finds a log whose end was cut
    off or that was written anew by someone who has both the database and the pepper.
    """
    with _opened(settings) as log:
        number, newest = log.read_head()
        problem = log.verify(head)
    if problem is not None:
        click.echo(f"fundstelle: the audit log was tampered with: {problem}", err=True)
        sys.exit(1)
    lines = "1 line" if number == 1 else f"{number} lines"
    click.echo(f"The audit log is whole: {lines}.", err=True)
    click.echo(newest)


@contextmanager
def _opened(settings: Settings) -> Iterator[AuditLog]:
    store = open_accounts(settings)
    try:
        yield AuditLog(store)
    finally:
        store.close()

"""``fundstelle audit``: export the audit log, and find out whether it is whole."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import click

from fundstelle.accounts.audit.chain import UNREAD
from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.retention import has_old_lines, is_time_known, prune
from fundstelle.accounts.audit.spool import FOLDER as SPOOLS
from fundstelle.accounts.audit.spool import find_fault
from fundstelle.bootstrap.accounts import open_accounts, open_audit_log
from fundstelle.cli.terminal import say
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
    """Check every line and print the newest hash; exit code 1 names what is wrong.

    The log is compared with the newest line that this server has kept outside the database. Keep
    the hash away from this server: with --head a later run also finds what was done by someone who
    has the data folder, and the pepper in it.
    """
    with _opened(settings) as log:
        found = log.verify(head)
    for note in found.notes:
        say(f"fundstelle: note: {note}", err=True)
    if fault := find_fault(settings.data / SPOOLS):
        say(f"fundstelle: note: {fault}: calls that are not in the log may wait there", err=True)
    for problem in found.accepted:
        say(f"fundstelle: accepted: {problem}", err=True)
    if found.problems:
        for problem in found.problems:
            said = "could not be compared" if problem.kind == UNREAD else "was tampered with"
            say(f"fundstelle: the audit log {said}: {problem}", err=True)
        sys.exit(1)
    count = found.number - found.first + 1
    lines = "1 line" if count == 1 else f"{count} lines"
    click.echo(f"The audit log is whole: {lines}.", err=True)
    click.echo(found.hash)


@audit.command()
@click.argument("numbers", type=click.IntRange(0), nargs=-1, required=True, metavar="LINE...")
@click.option(
    "--reason", required=True, help="What it was, such as 'restored the backup of Monday'."
)
@click.pass_obj
def accept(settings: Settings, numbers: tuple[int, ...], reason: str) -> None:
    """Record that what 'verify' found at these lines is known; it is told, but no longer an error.

    After a restored backup or a power cut, say, so that the next finding is seen.
    """
    with _opened(settings) as log:
        log.accept(numbers, reason.encode(errors="replace").decode())  # as the terminal has it
    click.echo("Recorded.", err=True)


@audit.command("prune")
@click.option(
    "--days",
    type=click.IntRange(1, 36_500),
    help="Keep the lines of so many days.  [default: FUNDSTELLE_AUDIT_DAYS]",
)
@click.option(
    "--trust-clock", is_flag=True, help="Also where the log knows of nothing in the last month."
)
@click.pass_obj
def prune_lines(settings: Settings, days: int | None, *, trust_clock: bool) -> None:
    """Remove old lines now, as the server does once a day; the log says up to which.

    What is kept still verifies: where it begins is sealed. What is removed on the word of a clock
    that runs ahead cannot be had back: where the log knows of nothing from a month to a day before
    the time of the machine, nothing is removed without --trust-clock.
    """
    kept = days or settings.audit_days
    if not kept:
        raise click.UsageError("FUNDSTELLE_AUDIT_DAYS is 0: lines are kept for ever; give --days")
    with _opened(settings) as log:
        if not trust_clock and has_old_lines(log, kept) and not is_time_known(log):
            raise click.UsageError(
                "the audit log knows of nothing from a month to a day before"
                f" {log.now().date().isoformat()}, which is the time here: see that the clock is"
                " right, and give --trust-clock"
            )
        removed = prune(log, kept)
    click.echo(f"{removed} lines older than {kept} days were removed.", err=True)


@contextmanager
def _opened(settings: Settings) -> Iterator[AuditLog]:
    store = open_accounts(settings, makes=False)
    try:
        yield open_audit_log(settings, store)
    finally:
        store.close()

"""``fundstelle keys``: create, list and revoke API keys."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import UTC, datetime

import click

from fundstelle.accounts.audit.log import SYSTEM, AuditLog
from fundstelle.accounts.keys.api_keys import MAX_RATE_PER_MINUTE, ApiKey, ApiKeys, find_end_of
from fundstelle.accounts.keys.reach import read_reach
from fundstelle.bootstrap.accounts import build_audit_log, open_accounts
from fundstelle.errors import AccountsError
from fundstelle.settings import Settings
from fundstelle.tools.registry import TOOL_NAMES

_COLUMNS = ("id", "key", "name", "per minute", "created", "last used", "expires", "state")


class _Rate(click.ParamType[int]):
    """A number of calls a minute, or the word unlimited (0)."""

    name = "N|unlimited"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> int:
        """Read the option's value."""
        text = str(value).strip().lower()
        if text == "unlimited":
            return 0
        is_number = text.isascii() and text.isdigit() and len(text) <= len(str(MAX_RATE_PER_MINUTE))
        if not is_number or not 1 <= int(text) <= MAX_RATE_PER_MINUTE:
            self.fail(
                f"{value!r} is neither a number of calls a minute nor 'unlimited'", param, ctx
            )
        return int(text)


@click.group()
def keys() -> None:
    """Create, list and revoke the API keys of this server."""


@keys.command()
@click.argument("name")
@click.option("--rate", type=_Rate(), help="Calls a minute; default: the server's.")
@click.option(
    "--expires",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="Last day (UTC) on which the key works, such as 2030-12-31; default: it does not expire.",
)
@click.option(
    "--tool",
    "tools",
    multiple=True,
    type=click.Choice(TOOL_NAMES),
    help="A tool that it is for, several times; default: all.",
)
@click.option(
    "--network",
    "networks",
    multiple=True,
    metavar="NETWORK",
    help="A network or address that it works from, several times; default: anywhere.",
)
@click.option(
    "--no-decisions",
    is_flag=True,
    help="It is given laws and EU acts alone: no court decision, nor words of one.",
)
@click.pass_obj
def create(  # noqa: PLR0913, PLR0917 options
    settings: Settings,
    name: str,
    rate: int | None,
    expires: datetime | None,
    tools: tuple[str, ...],
    networks: tuple[str, ...],
    *,
    no_decisions: bool,
) -> None:
    """Create a key called NAME and print it, alone, this once.

    It goes to standard output wherever that leads, so that a script can take it.
    """
    if sys.stdout is None:
        raise click.UsageError("standard output is closed: nobody would see the key")
    end = None if expires is None else find_end_of(expires)
    reach = read_reach(tools or TOOL_NAMES, networks, TOOL_NAMES, decisions=not no_decisions)
    with _opened(settings, makes=True) as (api_keys, audit):
        with audit.together() as note:
            plain, record = api_keys.create(name, rate_per_minute=rate, expires=end, reach=reach)
            note("key_created", SYSTEM, record.id)
        try:
            click.echo(plain)
        except OSError as error:  # a full disk, a reader that has gone
            with audit.together() as note:
                api_keys.revoke(record.id)
                note("key_revoked", SYSTEM, record.id)
            raise AccountsError(
                f"the key could not be written ({error.strerror}); {record.id} is revoked"
            ) from None
    click.echo(
        f"Keep it now: it is not stored and cannot be shown again ({record.id}, {record.name}).",
        err=True,
    )


@keys.command("list")
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
@click.pass_obj
def list_keys(settings: Settings, *, as_json: bool) -> None:
    """List all keys, oldest first. No key is shown in full."""
    with _opened(settings) as (api_keys, _):
        records = api_keys.list()
    if as_json:
        rows = [{**asdict(key), "reach": key.reach.dump(), "state": _state(key)} for key in records]
        click.echo(json.dumps(rows, default=datetime.isoformat, ensure_ascii=False, indent=2))
    elif records:
        click.echo(_table([_COLUMNS, *(_row(key) for key in records)]))
    else:
        click.echo("There are no keys yet; `fundstelle keys create NAME` makes one.", err=True)


@keys.command()
@click.argument("key", metavar="ID")
@click.pass_obj
def revoke(settings: Settings, key: str) -> None:
    """End a key for good, within five seconds on every server process.

    ID is the key's id or, where no key has it as id, what `keys list` shows of it, or its name.
    """
    with _opened(settings) as (api_keys, audit), audit.together() as note:
        record = api_keys.find(key)
        if api_keys.revoke(record.id):  # else the log has it
            note("key_revoked", SYSTEM, record.id)
    click.echo(f"{record.id} ({record.name}, {record.displayed}) is revoked.")


@contextmanager
def _opened(settings: Settings, *, makes: bool = False) -> Iterator[tuple[ApiKeys, AuditLog]]:
    store = open_accounts(settings, makes=makes)
    api_keys = ApiKeys(store)
    try:
        yield api_keys, build_audit_log(settings, store)
    finally:
        api_keys.close()


def _state(key: ApiKey) -> str:
    if key.revoked is not None:
        return "revoked"
    if key.expires is not None and key.expires <= datetime.now(UTC):
        return "expired"
    return "live"


def _row(key: ApiKey) -> tuple[str, ...]:
    rate = {None: "default", 0: "unlimited"}.get(key.rate_per_minute, str(key.rate_per_minute))
    moments = (key.created, key.last_used, key.expires)
    created, last_used, expires = (_minute(moment) for moment in moments)
    return (key.id, key.displayed, key.name, rate, created, last_used, expires, _state(key))


def _minute(moment: datetime | None) -> str:
    return "-" if moment is None else moment.strftime("%Y-%m-%d %H:%M")


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)

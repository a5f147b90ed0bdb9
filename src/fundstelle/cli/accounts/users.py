"""``fundstelle users``: let people in, from the command line of the server."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime

import click

from fundstelle.accounts.audit.log import SYSTEM
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.people.people import People, User
from fundstelle.accounts.people.records import ROLES, Within
from fundstelle.accounts.people.second_factors import SecondFactors
from fundstelle.bootstrap.accounts import build_audit_log, open_accounts
from fundstelle.errors import NotFound
from fundstelle.settings import Settings

_COLUMNS = ("id", "e-mail", "name", "role", "last sign-in", "second factor", "state")


@click.group()
def users() -> None:
    """Invite, list and disable the people of this server."""


@users.command("first-admin")
@click.pass_obj
def first_admin(settings: Settings) -> None:
    """Print the one-time link with which the first admin creates their account."""
    with (
        _opened_store(settings, makes=True) as store,
        build_audit_log(settings, store).together() as note,
    ):
        secret = People(store).create_first_admin_link()
        note("person_invited", SYSTEM, role="admin")
    _print_link(settings, secret, "It works once, within 24 hours.")


@users.command()
@click.argument("email")
@click.option("--role", type=click.Choice(ROLES), default="member", show_default=True)
@click.pass_obj
def invite(settings: Settings, email: str, role: str) -> None:
    """Print a one-time link with which EMAIL creates an account."""
    with (
        _opened_store(settings, makes=True) as store,
        build_audit_log(settings, store).together() as note,
    ):
        secret = People(store).invite(email, role)
        note("person_invited", SYSTEM, role=role)
    _print_link(settings, secret, "It works once, within 7 days; pass it on yourself.")


@users.command()
@click.argument("email")
@click.pass_obj
def link(settings: Settings, email: str) -> None:
    """Print a one-time link with which EMAIL chooses a new password."""
    with _opened_store(settings) as store, build_audit_log(settings, store).together() as note:
        people = People(store)
        user = _find(people, email)
        secret = people.create_password_link(user.id)
        note("password_link_created", SYSTEM, user.id)
    _print_link(settings, secret, "It works once, within 24 hours, and ends open sessions.")


@users.command("list")
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
@click.pass_obj
def list_users(settings: Settings, *, as_json: bool) -> None:
    """List everybody, oldest first."""
    with _opened(settings) as people:
        found = people.list()
    if as_json:
        rows = [
            {k: v for k, v in asdict(user).items() if k not in {"known_as", "mark"}}
            for user in found
        ]
        click.echo(json.dumps(rows, default=datetime.isoformat, ensure_ascii=False, indent=2))
    elif found:
        click.echo(_table([_COLUMNS, *(_row(user) for user in found)]))
    else:
        click.echo("There is nobody yet; `fundstelle users first-admin` begins.", err=True)


@users.command()
@click.argument("email")
@click.pass_obj
def disable(settings: Settings, email: str) -> None:
    """Let EMAIL in no longer: sessions and connected apps end, keys within five seconds."""
    with _opened_store(settings) as store:
        people = People(store)
        user = _find(people, email)
        with build_audit_log(settings, store).together() as note:
            if people.disable(user.id):
                note("person_disable", SYSTEM, user.id)
    click.echo(f"{user.id} ({user.name}, {user.email}) is disabled.")


@users.command()
@click.argument("email")
@click.pass_obj
def enable(settings: Settings, email: str) -> None:
    """Let EMAIL in again; their keys work as before, apps are connected anew."""
    with _opened_store(settings) as store:
        people = People(store)
        user = _find(people, email)
        with build_audit_log(settings, store).together() as note:
            if people.enable(user.id):
                note("person_enable", SYSTEM, user.id)
    click.echo(f"{user.id} ({user.name}, {user.email}) is enabled.")


@users.command()
@click.argument("email")
@click.argument("role", type=click.Choice(ROLES))
@click.pass_obj
def role(settings: Settings, email: str, role: str) -> None:
    """Make EMAIL admin or member."""
    with _opened_store(settings) as store:
        people = People(store)
        user = _find(people, email)
        with build_audit_log(settings, store).together() as note:
            if people.set_role(user.id, role):
                note(f"person_{role}", SYSTEM, user.id)
    click.echo(f"{user.id} ({user.name}, {user.email}) is {role}.")


@users.command("reset-factors")
@click.argument("email")
@click.pass_obj
def reset_factors(settings: Settings, email: str) -> None:
    """Remove the authenticator app and the passkeys of EMAIL, who has lost them."""
    with _opened_store(settings) as store:
        user = _find(People(store), email)
        recording = _recording(settings, store, "factors_reset", user)
        SecondFactors(store, settings.base_url).reset(user.id, recording)
    click.echo(f"{user.id} ({user.name}, {user.email}) signs in with the password alone.")


@contextmanager
def _opened_store(settings: Settings, *, makes: bool = False) -> Iterator[AccountsStore]:
    store = open_accounts(settings, makes=makes)
    try:
        yield store
    finally:
        store.close()


@contextmanager
def _opened(settings: Settings) -> Iterator[People]:
    with _opened_store(settings) as store:
        yield People(store)


def _find(people: People, email: str) -> User:
    """The person with this address.

    Raises:
        NotFound: there is none.
    """
    user = people.find_by_email(email)
    if user is None:
        raise NotFound(f"nobody has the address {email}; `fundstelle users list` shows everybody")
    return user


def _recording(
    settings: Settings, store: AccountsStore, event: str, user: User, **details: str
) -> Within:
    """A transaction that is recorded: the change and its line, or neither."""
    return build_audit_log(settings, store).recording(event, SYSTEM, user.id, **details)


def _print_link(settings: Settings, secret: str, hint: str) -> None:
    click.echo(f"{settings.base_url}/join/{secret}")
    click.echo(hint, err=True)


def _row(user: User) -> tuple[str, ...]:
    last = "-" if user.last_sign_in is None else user.last_sign_in.strftime("%Y-%m-%d %H:%M")
    factor = "app" if user.has_totp else "-"
    state = "active" if user.disabled is None else "disabled"
    return (user.id, user.email, user.name, user.role, last, factor, state)


def _table(rows: list[tuple[str, ...]]) -> str:
    widths = [max(len(row[i]) for row in rows) for i in range(len(_COLUMNS))]
    lines = (
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
    return "\n".join(line.rstrip() for line in lines)

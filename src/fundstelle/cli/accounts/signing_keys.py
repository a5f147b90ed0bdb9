"""``fundstelle signing-keys``: list and rotate what access tokens are signed with."""

from collections.abc import Iterator
from contextlib import contextmanager

import click

from fundstelle.accounts.audit.log import SYSTEM
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.oauth.signing_keys import SigningKeys
from fundstelle.bootstrap.accounts import build_audit_log, open_accounts
from fundstelle.settings import Settings


@click.group("signing-keys")
def signing_keys() -> None:
    """List and rotate the keys that access tokens are signed with."""


@signing_keys.command("list")
@click.pass_obj
def list_(settings: Settings) -> None:
    """Print the published keys, the newest first: id, state, and since when each one signs."""
    with _opened(settings) as store:
        for key in SigningKeys(store).list():
            click.echo(f"{key.kid}  {key.state:<7}  {key.active_from:%Y-%m-%d %H:%M} UTC")


@signing_keys.command()
@click.option(
    "--at-once",
    is_flag=True,
    help="The old key may be stolen: running servers sign with the new one and refuse every access "
    "token of another within 5 seconds. Clients refresh by themselves.",
)
@click.pass_obj
def rotate(settings: Settings, *, at_once: bool) -> None:
    """Publish the next key and print its id; it signs after 24 hours."""
    with (
        _opened(settings, makes=True) as store,
        build_audit_log(settings, store).together() as note,
    ):
        kid = SigningKeys(store).rotate(at_once=at_once)
        note("signing_key_rotated", SYSTEM, kid, at_once=at_once)
    click.echo(kid)


@contextmanager
def _opened(settings: Settings, *, makes: bool = False) -> Iterator[AccountsStore]:
    store = open_accounts(settings, makes=makes)
    try:
        yield store
    finally:
        store.close()

"""``fundstelle up``: the first run, and every later one."""

import os
import socket
from collections.abc import Mapping
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path

import click

from fundstelle.accounts.audit.log import SYSTEM
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.people.people import People
from fundstelle.bootstrap.accounts import build_audit_log, open_accounts
from fundstelle.bootstrap.library import find_served, require_served
from fundstelle.cli.daily import DailyUpdates
from fundstelle.cli.handover import hand_over
from fundstelle.cli.ingest import ingest
from fundstelle.cli.terminal import escape, say
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.updates import read_report
from fundstelle.errors import OtherVersion, SettingsError, SourceError
from fundstelle.settings import Settings
from fundstelle.web.serve import serve as run_server
from fundstelle.web.serve import stay_at_hangups

_FIRST_KEY = "first key"
_UNSEEN_KEY = "first key, never shown"


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65_535))
@click.option("--source", metavar="PATH|URL", help="Where a first corpus comes from; see ingest.")
@click.option(
    "--update-daily", is_flag=True, help="Run 'fundstelle update' once a day beside the server."
)
@click.pass_context
def up(
    context: click.Context, host: str, port: int, source: str | None, *, update_daily: bool
) -> None:
    """Build the corpus if there is none, create a first key, and serve.

    A later run reuses all of it. A corpus that another version of Fundstelle has built is built
    again where its sources are there; exit code 1 where they are not, and how to go on is said.
    """
    settings: Settings = context.obj
    stay_at_hangups()  # a service may be told to reload while it builds for the first time
    _require_free_port(host, port)
    if not _can_serve(settings):
        _begin(context, source)
    manifest = require_served(settings)
    # Sign-in addresses are built from the setting, never from a request.
    url = os.environ["FUNDSTELLE_BASE_URL"] = find_url(os.environ, host, port)
    store = open_accounts(settings)
    keys = ApiKeys(store)
    people = People(store)
    audit = build_audit_log(settings, store)
    key = link = made = None
    if _needs_first_key(keys):
        with audit.together() as note:
            key, made = keys.create(_FIRST_KEY)
            note("key_created", SYSTEM, made.id)
    if not people.list():
        with audit.together() as note:
            link = f"{url}/join/{people.create_first_admin_link()}"
            note("person_invited", SYSTEM, role="admin")
    try:
        _greet(url, manifest, settings.data)
        hand_over(settings.data, url, key, link)
    except BaseException:  # a full disk, a reader that has gone, Ctrl-C: nobody has seen the key
        if made is not None:
            with audit.together() as note:
                keys.revoke(made.id, _UNSEEN_KEY)
                note("key_revoked", SYSTEM, made.id)
        raise
    finally:
        keys.close()
    click.echo("  stop      Ctrl-C")
    click.echo()
    with _update_daily(settings) if update_daily else nullcontext():
        run_server(host, port, workers=1)


def _begin(context: click.Context, source: str | None) -> None:
    """The first ingestion; what could not be read of several sources keeps nobody from the rest.

    After an upgrade it is another first one: what cannot be built whole again is not built.
    """
    try:
        context.invoke(ingest, source=source)
    except SourceError as error:
        if not _can_serve(context.obj):
            raise
        say(str(error), err=True)


def _can_serve(settings: Settings) -> bool:
    """Whether there is a build to serve.

    Raises:
        CorpusError: the live build is damaged, and no other is sound.
    """
    try:
        return find_served(settings) is not None
    except OtherVersion:
        return False


def _needs_first_key(keys: ApiKeys) -> bool:
    """Whether nobody has had a key: there is none, or those alone that could not be shown."""
    return all(one.name == _UNSEEN_KEY and one.revoked is not None for one in keys.list())


def find_url(environ: Mapping[str, str], host: str, port: int) -> str:
    """The address of the setting, without a slash at its end; an empty setting is none."""
    return (environ.get("FUNDSTELLE_BASE_URL", "").strip() or f"http://{host}:{port}").rstrip("/")


def _update_daily(settings: Settings) -> DailyUpdates:
    def find_last() -> datetime | None:
        report = read_report(settings.data)
        return report.begun_at if report else None

    return DailyUpdates(find_last)


def _require_free_port(host: str, port: int) -> None:
    """Find out before the corpus is built, not after."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            problem = f"{host}:{port} cannot be used ({error.strerror}); choose another --port"
            raise SettingsError([problem]) from None


def _greet(url: str, manifest: Manifest, data: Path) -> None:
    click.echo()
    click.secho(f"Fundstelle  {url}/mcp", bold=True)
    click.echo(
        f"  corpus    {manifest.statutes:,} laws, {manifest.norms:,} norms, "
        f"{manifest.decisions:,} decisions, Stand {manifest.stand.isoformat()} ({manifest.release})"
    )
    click.echo(f"  data      {escape(str(data.absolute()))}")
    if manifest.demonstration:
        click.secho("  ! demonstration corpus: kein geltendes Recht", fg="red", bold=True)
        click.echo("    the real one: fundstelle ingest --source FOLDER|ARCHIVE|URL")

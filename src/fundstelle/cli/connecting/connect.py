"""``fundstelle connect``."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

import click

from fundstelle.cli.connecting.edits import NotEdited
from fundstelle.cli.connecting.written import Written, find_path
from fundstelle.cli.terminal import say
from fundstelle.cli.usage import WrongUsage
from fundstelle.clients.catalogue import CLIENTS, Client, find_client
from fundstelle.clients.files import Entry
from fundstelle.clients.target import VARIABLE, Launch, Target
from fundstelle.errors import InvalidInput
from fundstelle.mcp.stdio.bridge import read_url
from fundstelle.settings import Settings

PLACEHOLDER = "sk-legal-…"

_PRIVATE = "The key is in it, so that only you may read it."


@click.command()
@click.argument("client", required=False)
@click.option("--url", help="The server; default FUNDSTELLE_BASE_URL.")
@click.option("--local", is_flag=True, help="Over the build on this machine: no server, no key.")
@click.option("--write", "writes", is_flag=True, help="Write it; what was there is kept beside it.")
@click.option("--undo", is_flag=True, help="Take exactly our entry out again.")
@click.pass_obj
def connect(  # noqa: PLR0913, PLR0917 the options of a command
    settings: Settings, client: str | None, url: str | None, local: bool, writes: bool, undo: bool
) -> None:
    """Connect a CLIENT on this machine; without one, list those there are.

    Prints what goes into which file, or with --write puts it there; everything else in the file
    stays. A key is read from the environment variable FUNDSTELLE_KEY or asked for, never taken
    from the command line, and it is written only for clients that cannot read it from their
    environment or ask for it; such a file is then readable by you alone.
    """
    if client is None:
        for one in CLIENTS:
            click.echo(f"  {one.slug:16} {_find(one)}")
        return
    known = find_client(client)
    if known is None:
        names = ", ".join(one.slug for one in CLIENTS)
        raise WrongUsage(
            f"this client is not known here; those are {names}. Any other takes the address, as"
            " the page 'Connect' of the portal shows"
        )
    if writes and undo:
        raise WrongUsage("give --write or --undo, not both")
    base_url = _read_base_url(url or settings.base_url, is_asked=not (undo or local))
    written = Written(known.file, _find(known))
    try:
        if undo:
            _undo(written)
        elif writes:
            _write(known, written, base_url, settings if local else None)
        else:
            _show(known, written, base_url, settings if local else None)
    except NotEdited as error:
        raise NotEdited(f"{written.path}: {error}") from None


def _read_base_url(text: str, *, is_asked: bool) -> str:
    """What stands before ``/mcp`` in the address of the server.

    Args:
        text: the address, with or without it.
        is_asked: whether the client is going to ask there.

    Raises:
        WrongUsage: it is no address of a server, or none to which a key may be sent.
    """
    try:
        base_url = read_url(text).removesuffix("/mcp")
    except InvalidInput as error:
        raise WrongUsage(str(error)) from None
    before, aside, _ = base_url.partition("/mcp/")
    if aside:  # of ChatGPT's own: its tools alone are there
        raise WrongUsage(f"this address is not the one for clients; that is {before}/mcp")
    if is_asked and base_url.startswith("http:") and not Target(base_url, "").is_loopback:
        raise WrongUsage(
            "http:// leads beyond this machine: key and questions would be readable on the way;"
            " give the https:// address of the server"
        )
    return base_url


def _find(client: Client) -> Path:
    return find_path(client.file.place, sys.platform, os.environ, Path.home())


def _build(client: Client, base_url: str, key: str, local: Settings | None) -> Entry:
    running = Path(sys.argv[0]).absolute()  # a client is started with another PATH than this shell
    command = str(running) if running.stem == "fundstelle" else "fundstelle"
    if local is not None:
        data = {"FUNDSTELLE_DATA": str(local.data.absolute())}
        return client.file.program(Launch(command, ("stdio",), data))
    return client.file.build(Target(base_url, key, command))


def _holds_key(client: Client, local: Settings | None) -> bool:
    return client.file.holds_key and local is None


def _show(client: Client, written: Written, base_url: str, local: Settings | None) -> None:
    entry = _build(client, base_url, PLACEHOLDER, local)
    lists: Mapping[str, Entry] = client.file.lists if local is None else {}
    say(f"# {written.path}", err=True)
    click.echo(client.file.render(entry, lists).rstrip())
    click.echo(f"# fundstelle connect {client.slug} --write puts it there", err=True)
    _say_what_is_next(client, local)


def _write(client: Client, written: Written, base_url: str, local: Settings | None) -> None:
    holds_key = _holds_key(client, local)
    key = _ask_for_key() if holds_key else PLACEHOLDER
    had_file = written.path.exists()
    if not written.add(_build(client, base_url, key, local), private=holds_key):
        say(f"{written.path}: it is there already; nothing was written")
        if holds_key:
            click.echo(_PRIVATE)
        return
    say(f"{written.path}: written")
    if had_file:
        say(f"{written.backup}: what was there before")
    if holds_key:
        click.echo(_PRIVATE)
    _say_what_is_next(client, local)


def _ask_for_key() -> str:
    key = os.environ.get(VARIABLE, "").strip()
    if not key and sys.stdin.isatty():
        key = click.prompt("API key", hide_input=True, err=True).strip()
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise WrongUsage(
            f"this client keeps the key in its file: put it into {VARIABLE}, and run this again"
        )
    return str(key)


def _undo(written: Written) -> None:
    if written.undo():
        say(f"{written.path}: our entry is out")
        if written.backup.exists():
            say(f"{written.backup}: what was there before ours; the file has changed since")
    else:
        say(f"{written.path}: there is no entry of ours; nothing was changed")


def _say_what_is_next(client: Client, local: Settings | None) -> None:
    """On stderr, since what is printed may be redirected into a file."""
    if local is None and client.file.needs_variable:
        click.echo(
            f"{client.title} reads the key from the environment variable {VARIABLE}: set it where"
            f" {client.title} starts.",
            err=True,
        )
    if local is None and client.signs_in:
        click.echo(f"{client.title} opens the sign-in of the server when it connects.", err=True)
    click.echo(f"Restart {client.title}.", err=True)

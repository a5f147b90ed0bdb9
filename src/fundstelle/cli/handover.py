"""Handing a secret over to whoever started a command: on a terminal, else in a file of their own.

What a service writes to its standard output ends in a log, which many may read and nobody deletes.
"""

import os
import secrets
import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from fundstelle.disks import explain_refusal
from fundstelle.errors import SettingsError

_CURL = """curl -s {url}/mcp -H 'Authorization: Bearer {key}' -H 'Content-Type: application/json' \\
  -d '{{"jsonrpc":"2.0","id":1,"method":"tools/list"}}'"""


def hand_over(folder: Path, url: str, key: str | None, link: str | None) -> None:
    """Show key and link on a terminal; else write them into a file in ``folder`` and name that.

    Args:
        folder: where the file is made.
        url: of the server.
        key: a new one, ``None`` if there was one already.
        link: of the first account, ``None`` if there is one already.

    Raises:
        SettingsError: nothing can be written there.
    """
    if (key or link) and not sys.stdout.isatty():
        path = write_private(folder, _describe(url, key, link))
        try:
            click.echo(f"  access    {path}")
            click.echo(f"            ({_name_held(key, link)}, then delete the file)")
        except BaseException:  # nobody has been told of it
            path.unlink(missing_ok=True)
            raise
        key = link = None
    elif key is not None:
        click.echo(f"  key       {key}   (shown this once)")
    else:
        click.echo("  key       created earlier; `fundstelle keys create NAME` makes another")
    click.echo(f"  portal    {link}   (your account, works once)" if link else f"  portal    {url}")
    click.echo("  try       " + _CURL.format(url=url, key=key or "$FUNDSTELLE_KEY"))


def _name_held(key: str | None, link: str | None) -> str:
    """What is in the file."""
    if key and link:
        return "key and link, for you alone: use them"
    return f"{'the key' if key else 'the link of your account'}, for you alone: use it"


def _describe(url: str, key: str | None, link: str | None) -> str:
    """What stands in the file."""
    lines = [f"Fundstelle  {url}/mcp"]
    if key:
        lines.append(f"key     {key}   (stored nowhere else)")
    if link:
        lines.append(f"portal  {link}   (your account; works once, within 24 hours)")
    return "\n".join([*lines, "Delete this file when you have used it.", ""])


def write_private(folder: Path, text: str) -> Path:
    """Write a new file in ``folder`` that its owner alone may read.

    Its name is new and cannot be guessed, so that nothing can lie in wait under it: it is created
    exclusively, and a link is not followed.

    Raises:
        SettingsError: nothing can be written there.
    """
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    path = folder.absolute() / f"first-access-{now}-{secrets.token_hex(8)}.txt"
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        with open(os.open(path, flags, 0o600), "w", encoding="utf-8") as file:  # noqa: PTH123 by descriptor
            file.write(text)
    except OSError as error:
        raise SettingsError([explain_refusal(error, folder.absolute(), path)]) from None
    return path

"""``fundstelle stdio``."""

import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import BinaryIO

import click

from fundstelle.cli.usage import WrongUsage
from fundstelle.errors import InvalidInput
from fundstelle.mcp.stdio.bridge import KEY_VARIABLE, Bridge, read_url
from fundstelle.mcp.stdio.channel import Channel
from fundstelle.settings import Settings
from fundstelle.settings.reading import PREFIX


@click.command()
@click.option("--url", help="Ask this server instead of the build on this machine.")
@click.pass_obj
def stdio(settings: Settings, url: str | None) -> None:
    """Speak MCP on standard input and output, for clients that start a program.

    Without --url the build in FUNDSTELLE_DATA answers, with no server and no key. With it every
    message goes to that server; the key is read from the environment variable FUNDSTELLE_KEY,
    never from the command line, which others on the machine can see.

    One JSON-RPC message a line; logs go to standard error. It ends with its input.
    """
    logging.basicConfig(level=logging.WARNING, format="fundstelle: %(message)s", stream=sys.stderr)
    if url is None:
        _serve_build(settings)
        return
    try:
        bridge = Bridge(read_url(url), os.environ.get(KEY_VARIABLE, ""))
    except InvalidInput as error:
        raise WrongUsage(str(error)) from None
    with _take_output() as sink, suppress(BrokenPipeError):
        channel = Channel(sys.stdin.buffer, sink, bridge.ask, settings.max_body_bytes)
        channel.run_at_once()


def _serve_build(settings: Settings) -> None:
    # a second, which a bridge does not need
    from fundstelle.bootstrap.keeping import keep_indexes  # noqa: PLC0415
    from fundstelle.bootstrap.live import build_live_corpus  # noqa: PLC0415
    from fundstelle.mcp.stdio.local import Local  # noqa: PLC0415

    if not os.environ.get(f"{PREFIX}BASE_URL"):
        settings = replace(settings, base_url="")  # there are no pages that answers could name
    keep_indexes(settings)
    local = Local(build_live_corpus(settings, deferred=True).poll)
    try:
        with _take_output() as sink, suppress(BrokenPipeError):
            # in this thread, where the budget of a call holds
            Channel(sys.stdin.buffer, sink, local.ask, settings.max_body_bytes).run()
    finally:
        local.close()


@contextmanager
def _take_output() -> Iterator[BinaryIO]:
    """Standard output for the protocol alone: what anything else prints goes to standard error."""
    sys.stdout.flush()
    ours = os.dup(1)
    os.dup2(2, 1)
    with suppress(BrokenPipeError), os.fdopen(ours, "wb") as sink:
        yield sink

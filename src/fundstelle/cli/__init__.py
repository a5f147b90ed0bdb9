"""The command line.

Exit codes: 0 done (found) · 1 it failed, one sentence on stderr says why and what to do · 2 wrong
usage · 3 a lookup or search found nothing.
"""

import errno
import os
import sys
from io import TextIOWrapper

import click

from fundstelle import __version__
from fundstelle.cli.commands import Commands
from fundstelle.cli.terminal import say
from fundstelle.errors import FundstelleError
from fundstelle.settings import Settings, find_data_folder

NOT_FOUND = 3
_UNWRITTEN = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF})


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing found. "
    "FUNDSTELLE_DATA names the folder of builds and accounts "
    f"(default {find_data_folder()}); docs/settings.md lists every setting.",
)
@click.version_option(__version__, prog_name="fundstelle")
@click.pass_context
def cli(context: click.Context) -> None:
    """Verified, citable German and EU law for AI assistants: the server and its tools.

    Start with `fundstelle up`: it builds the corpus, creates a key and serves.
    """
    context.obj = Settings.from_env(os.environ)


def main() -> None:
    """Run the command line; deliberate errors become one sentence and exit code 1."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="replace")  # law has signs that not every encoding has
    try:
        cli(prog_name="fundstelle")
    except FundstelleError as error:
        say(f"fundstelle: {error}", err=True)
        sys.exit(1)
    except BrokenPipeError:
        # The reader (head, less) has closed; there is nobody left to tell.
        sys.stdout = None  # keeps the interpreter from flushing it
        sys.exit(1)
    except OSError as error:
        if error.filename is not None or error.errno not in _UNWRITTEN:
            raise
        click.echo(f"fundstelle: the output cannot be written ({error.strerror})", err=True)
        sys.stdout = None
        sys.exit(1)

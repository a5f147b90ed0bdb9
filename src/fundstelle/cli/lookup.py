"""``fundstelle lookup``."""

import sys

import click

from fundstelle.bootstrap import open_library
from fundstelle.cli.answers import call_tool, print_json, print_lookup
from fundstelle.settings import Settings


@click.command()
@click.argument("citation")
@click.option("--as-of", metavar="DATE", help="The day to read the law on, YYYY-MM-DD.")
@click.option("--quote", help="Check that this wording stands in the cited unit.")
@click.option("--json", "as_json", is_flag=True, help="Print the tool's answer as JSON.")
@click.pass_obj
def lookup(
    settings: Settings, citation: str, as_of: str | None, quote: str | None, as_json: bool
) -> None:
    """Look a CITATION up, such as "§ 823 Abs. 1 BGB": the text, its Stand and its source.

    Exit code 3: it does not exist or is not in the corpus; the evidence is printed.
    """
    arguments = {"citation": citation, "as_of": as_of, "quote": quote}
    if as_json:
        arguments["response_format"] = "detailed"
    answer = call_tool(open_library(settings), "legal_lookup", arguments)
    if as_json:
        print_json(answer)
    else:
        print_lookup(answer)
    if not answer["found"]:
        sys.exit(3)

"""``fundstelle search``."""

import sys

import click

from fundstelle.bootstrap.library import open_library
from fundstelle.cli.asking.answers import call_tool, print_hits, print_json
from fundstelle.settings import Settings


@click.command()
@click.argument("words")
@click.option("--top", default=5, show_default=True, type=click.IntRange(1, 50), help="Hits.")
@click.option("--law", metavar="ABBREVIATION", help="Only this law, such as BGB.")
@click.option("--json", "as_json", is_flag=True, help="Print the tool's answer as JSON.")
@click.pass_obj
def search(settings: Settings, words: str, top: int, law: str | None, as_json: bool) -> None:
    """Search the corpus for WORDS: a question, keywords or a citation.

    Exit code 3: nothing was found.
    """
    arguments = {"query": words, "top_k": top, "law_abbreviation": law}
    answer = call_tool(open_library(settings), "legal_search", arguments)
    if as_json:
        print_json(answer)
    else:
        print_hits(answer)
    if not answer["found"]:
        sys.exit(3)

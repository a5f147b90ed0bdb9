"""``fundstelle lookup``."""

import sys
from datetime import date
from typing import Any

import click

from fundstelle.bootstrap.library import open_library
from fundstelle.cli.asking.answers import call_tool, print_json
from fundstelle.cli.asking.reading import find_width, format_day, print_hits_read, wrap
from fundstelle.cli.asking.refusals import print_miss, print_quote_check
from fundstelle.cli.usage import WrongUsage
from fundstelle.errors import InvalidInput
from fundstelle.lookup.answers import DecisionHit, LawHit, Miss, Outcome, Resolution
from fundstelle.lookup.comparing.languages import choose_language
from fundstelle.lookup.comparing.quotes import check_quote, choose_unit
from fundstelle.lookup.dating.days import find_stand, find_stand_of_law
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.beyond import spare_unread
from fundstelle.settings import Settings
from fundstelle.tools.inputs.arguments import read_arguments
from fundstelle.tools.lookup import PARAMETERS

_FRESH_DAYS = 7


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

    The cited unit is marked where more of its section is shown. Exit code 3: it does not exist
    or is not in the corpus; the evidence is printed.
    """
    given = {"citation": citation, "as_of": as_of, "quote": quote}
    arguments = {name: value for name, value in given.items() if value is not None}
    try:
        values = read_arguments(PARAMETERS, arguments)
    except InvalidInput as error:
        raise WrongUsage(str(error)) from None
    library = open_library(settings, deferred=True)
    if as_json:
        answer = call_tool(library, "legal_lookup", {**arguments, "response_format": "detailed"})
        print_json(answer)
        found = bool(answer["found"])
    else:
        found = _print(library, values, date.today())  # noqa: DTZ011 the reader's own day
    if not found:
        sys.exit(3)


def _print(library: Library, values: dict[str, Any], today: date) -> bool:
    language = choose_language("de", [values["quote"] or ""])
    resolution = resolve(library, values["citation"], values["as_of"] or today, language)
    _print_reading(resolution)
    _print_stand(library, resolution)
    hits = resolution.hits
    print_hits_read(library, hits)
    for outcome in resolution.outcomes:
        if isinstance(outcome, LawHit):
            _print_law(outcome)
    for number, miss in enumerate(resolution.misses):
        if hits or number:
            click.echo()
        print_miss(miss)
    if values["quote"]:
        click.echo()
        unit = choose_unit(values["quote"], hits)
        check = check_quote(library, values["quote"], unit, resolution.get_day(unit))
        print_quote_check(spare_unread(check, resolution))
    return len(resolution.misses) < len(resolution.outcomes)


def _print_reading(resolution: Resolution) -> None:
    """What was corrected to read the citation, and what is left out."""
    if resolution.total > len(resolution.outcomes):
        shown = f"Gezeigt sind {len(resolution.outcomes)} von {resolution.total} Vorschriften."
        click.secho(shown, fg="yellow", err=True)
    for note in resolution.normalised:
        click.secho(f"Gelesen mit Berichtigung: {note}", fg="yellow", err=True)


def _print_stand(library: Library, resolution: Resolution) -> None:
    """A line where what is shown was last seen long before the day asked for."""
    held = [one for one in resolution.outcomes if not isinstance(one, Miss)]
    shown = held or resolution.outcomes  # a miss alone speaks of the build as a whole
    looks = [day for one in shown if (day := _find_look(library, one)) is not None]
    if looks and (resolution.on - min(looks)).days > _FRESH_DAYS:
        text = f"Zuletzt gesehen am {format_day(min(looks))}; spätere Änderungen fehlen."
        click.secho(text, fg="yellow", err=True)


def _find_look(library: Library, outcome: Outcome) -> date | None:
    if isinstance(outcome, DecisionHit):
        return None
    if isinstance(outcome, Miss):
        return library.store.manifest.stand
    if isinstance(outcome, LawHit):
        return find_stand_of_law(outcome.statute)[0]
    if outcome.fassung.in_force_until:
        return None
    return find_stand(outcome.statute, outcome.fassung.stand)


def _print_law(hit: LawHit) -> None:
    statute = hit.statute
    for line in wrap(f"{statute.abbreviation}  {statute.title}", find_width(), following="    "):
        click.secho(line, bold=True)
    if statute.publication:
        click.echo(f"Fundstelle: {statute.publication}")
    click.echo(f"Stand {format_day(statute.stand)} · {statute.norm_count} Vorschriften")
    if statute.source_url:
        click.secho(f"Quelle: {statute.source_url}", dim=True)

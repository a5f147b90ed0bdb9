"""``fundstelle update``: every source brought up to date in one run, and one report of it."""

import click

from fundstelle.bootstrap.library import build_engine
from fundstelle.cli.ingest import PAUSE, show_progress
from fundstelle.cli.pruning import KEPT, delete_older
from fundstelle.cli.terminal import escape, say
from fundstelle.corpus import builds
from fundstelle.corpus.updates import Outcome, Report
from fundstelle.errors import CorpusError
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.publication import settle
from fundstelle.ingest.sources.dip.service import Parliament
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.registry import COURTS, EU_LAW, FEDERAL_LAW, NEURIS
from fundstelle.ingest.update import Updating, update
from fundstelle.settings import Settings

_MOST_PROBLEMS = 20  # of one source; the report has more


@click.command("update")
@click.option("--site", metavar="URL", help="Address of the official site or a mirror of it.")
@click.option(
    "--pause",
    type=click.FloatRange(0, 60),
    default=PAUSE,
    show_default=True,
    help="Seconds between two requests to a publisher.",
)
@click.option(
    "--keep",
    default=KEPT,
    show_default=True,
    type=click.IntRange(2),
    help="How many builds stay; the live one is always among them.",
)
@click.pass_context
def update_command(context: click.Context, site: str | None, pause: float, keep: int) -> None:
    """Bring every source of the live build up to date; a running server takes the build over.

    Each law that the official site lists is asked for, and sent only if it has changed; every text
    is kept on the first day that showed it (looks/ in the data folder). A source that fails leaves
    its last state. The report is printed, and kept as updates.json in the data folder. Where a new
    build has become live, or where one lacks room, older ones are deleted, which is said; the live
    one, the one that was live before, and one that is served in its place stay.

    Exit code 0: all of it is up to date. 1: a source, or a document of one, is not. Run it once a
    day; a second look on one day is not taken.
    """
    settings: Settings = context.obj
    updating = Updating(
        settings.data,
        {
            FEDERAL_LAW.source_type: site or settings.site_url,
            EU_LAW.source_type: settings.cellar_url,
            COURTS.source_type: settings.portal_url,
            NEURIS.source_type: settings.neuris_url,
        },
        Downloader(pause=pause),
        build_engine(settings),
        BuildOptions(keep=keep),
        parliament=Parliament(settings.dip_url, settings.dip_key) if settings.dip_key else None,
    )
    before = builds.read_pointer(settings.data)
    with show_progress() as progress, builds.explained(settings.data):
        report = update(updating, progress)
    say(f"live release {builds.read_pointer(settings.data)}")
    _tell(report)
    if report.release != before:
        _prune(updating, keep, before)
    if not report.is_good:
        context.exit(1)


def _prune(updating: Updating, keep: int, before: str | None) -> None:
    """Delete older builds; where that cannot be done the next update tries again."""
    try:
        delete_older(updating.data, keep, before)
    except CorpusError as error:
        say(f"older builds were not deleted: {error}", err=True)
    for told in settle(updating.data, updating.engine):  # what a search cluster keeps of builds
        say(told, err=True)


def _tell(report: Report) -> None:
    for outcome in report.outcomes:
        say(f"{outcome.name}: {_describe(outcome)}")
        for problem in outcome.problems[:_MOST_PROBLEMS]:
            say(f"  {escape(problem)}")
        if len(outcome.problems) > _MOST_PROBLEMS:
            say(f"  … {len(outcome.problems) - _MOST_PROBLEMS} more are in updates.json")
        if outcome.untold:
            say(f"  … {outcome.untold:,} more are not named")


def _describe(outcome: Outcome) -> str:
    stand = f"Stand {outcome.stand.isoformat()}" if outcome.stand else "without a Stand"
    if outcome.problem:
        return f"FAILED, the last good state is kept ({stand}): {escape(outcome.problem)}"
    asked = f"{outcome.asked:,} asked for, {outcome.new:,} new or changed"
    if not outcome.asked:
        asked = "nothing to ask for today"
    failed = f", {outcome.count_problems():,} not up to date" if outcome.problems else ""
    return f"{asked}{failed}; {stand}"

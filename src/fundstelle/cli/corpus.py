"""``fundstelle corpus``: list, verify, prune and activate builds."""

import sys
from contextlib import suppress
from datetime import UTC, datetime

import click
import orjson

from fundstelle.bootstrap.library import build_engine
from fundstelle.cli.pruning import find_served
from fundstelle.cli.terminal import say
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.soundness.choose import find_damage
from fundstelle.corpus.soundness.inventory import VECTORS
from fundstelle.corpus.soundness.record import Record, identify_build, keep_record
from fundstelle.errors import CorpusError, NoCorpus
from fundstelle.ingest.build.publication import settle
from fundstelle.search.meaning.vector_sums import check_vectors
from fundstelle.settings import Settings
from fundstelle.settings.reading import EMBEDDED


@click.group()
def corpus() -> None:
    """List, verify, prune and activate corpus builds."""


@corpus.command("list")
@click.option("--json", "as_json", is_flag=True, help="The manifests as JSON.")
@click.pass_obj
def list_builds(settings: Settings, as_json: bool) -> None:
    """All builds, newest first; the live one is marked. Exit code 1 names those that are damaged.

    Only their manifests are read: 'fundstelle corpus verify' reads all of a build.
    """
    manifests = builds.list_builds(settings.data)
    damaged = builds.list_damaged(settings.data)
    active = builds.read_pointer(settings.data)
    if as_json:
        rows = [{"active": m.release == active, "manifest": m} for m in manifests]
        click.echo(orjson.dumps(rows, option=orjson.OPT_INDENT_2).decode())
    else:
        for manifest in manifests:
            click.echo(_describe(manifest, active))
    for release, problem in damaged:
        live = "the live build" if release == active else "build"
        say(f"fundstelle: {live} {release} is damaged: {problem}", err=True)
    if damaged:
        sys.exit(1)
    if not manifests and not as_json:
        click.echo(f"no builds in {settings.data}; make one with 'fundstelle ingest'", err=True)


@corpus.command()
@click.argument("release", required=False)
@click.pass_obj
def verify(settings: Settings, release: str | None) -> None:
    """Read a build (default: the live one) whole and compare it with its manifest.

    Every file is read and held against the hashes that were taken when it was written, so are the
    vectors; then the store checks itself. Each damaged file is named. A running server takes notice
    of what is found: it serves the last sound build, or this one again.

    Exit code 1: something is wrong, or the build was made before hashes were kept.
    """
    name = release or _require_active(settings)
    with builds.explained(settings.data):
        findings = builds.verify(settings.data, name)
        wrong, _ = check_vectors(settings.data / "builds" / name / VECTORS)
    of = identify_build(settings.data, name)
    with suppress(OSError):  # a folder that cannot be written stops nothing here
        keep_record(settings.data, name, Record(of, datetime.now(UTC), tuple(findings)))
    for finding in findings:
        say(finding, err=True)
    for problem in wrong:
        say(f"{VECTORS}: {problem}; 'fundstelle embed' computes them anew", err=True)
    if findings or wrong:
        raise CorpusError(f"{name} is damaged; build it again with 'fundstelle ingest'")
    click.echo(f"{name} is sound")


@corpus.command()
@click.option(
    "--keep",
    default=2,
    show_default=True,
    type=click.IntRange(1),
    help="How many builds to keep; the live one is always among them.",
)
@click.pass_obj
def prune(settings: Settings, keep: int) -> None:
    """Delete old builds; one that is served in the place of a damaged live one is kept."""
    with builds.explained(settings.data), builds.lock(settings.data):
        gone = builds.prune(settings.data, keep, find_served(settings.data))
        _settle(settings)
    for release in gone:
        click.echo(f"deleted {release}")
    if not gone:
        click.echo("nothing to delete")


@corpus.command()
@click.argument("release")
@click.pass_obj
def activate(settings: Settings, release: str) -> None:
    """Make a build the live one; a running server takes it over by itself.

    Exit code 1: it is damaged, as far as a quick look or an earlier check shows, or another version
    of Fundstelle has made it; then the live one stays.
    """
    findings = find_damage(settings.data, release)
    if findings:
        raise CorpusError(
            f"build {release} cannot be served ({findings[0]}); the live build is as it was."
            f" 'fundstelle corpus verify {release}' names all that is wrong with it"
        )
    builds.activate(settings.data, release)
    _settle(settings)
    click.echo(f"{release} is live")


def _settle(settings: Settings) -> None:
    """What a search cluster keeps of builds; nothing where search is embedded."""
    if settings.search != EMBEDDED:
        for told in settle(settings.data, build_engine(settings)):
            click.echo(told, err=True)


def _require_active(settings: Settings) -> str:
    release = builds.get_live(settings.data)
    if release is None:
        raise NoCorpus("there is no live build; make one with 'fundstelle ingest'")
    return release


def _describe(manifest: Manifest, active: str | None) -> str:
    mark = "*" if manifest.release == active else " "
    kind = "  demonstration" if manifest.demonstration else ""
    kind += "  of another version" if builds.tell_other_version(manifest) else ""
    return (
        f"{mark} {manifest.release}  Stand {manifest.stand.isoformat()}"
        f"  {manifest.statutes:>6,} laws {manifest.norms:>8,} norms"
        f"  built {manifest.built_at:%Y-%m-%d %H:%M}{kind}"
    )

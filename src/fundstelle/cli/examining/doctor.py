"""``fundstelle doctor``: what is wrong with this server, and what to do."""

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime

import click
import orjson

from fundstelle.cli.examining.accounts import examine_accounts
from fundstelle.cli.examining.build import examine_build, find_build
from fundstelle.cli.examining.clock import examine_clock
from fundstelle.cli.examining.findings import Finding, State
from fundstelle.cli.examining.machine import (
    examine_disk,
    examine_libraries,
    examine_permissions,
    examine_settings,
)
from fundstelle.cli.examining.server import (
    SECONDS,
    examine_certificate,
    examine_server,
    examine_workers,
)
from fundstelle.cli.examining.sources import examine_sources
from fundstelle.cli.terminal import escape
from fundstelle.corpus.updates import identify_report, read_report
from fundstelle.net.client import CONFIGURED, GuardedClient, Reach
from fundstelle.settings import Settings

_MOST_BYTES = 4 << 20  # of an answer: the publisher's start page, the figures of many workers
_MARKS = {State.OK: ("ok", "green"), State.NOTE: ("note", "yellow"), State.WRONG: ("WRONG", "red")}


@click.command()
@click.option("--offline", is_flag=True, help="Ask no publisher for the time.")
@click.option(
    "--quick", is_flag=True, help="Compare names and sizes of the build, and not every byte."
)
@click.option(
    "--max-age",
    default=7,
    show_default=True,
    type=click.IntRange(1, 36_500),
    metavar="DAYS",
    help="How old the Stand may be.",
)
@click.option("--json", "as_json", is_flag=True, help="As a JSON array.")
@click.pass_obj
def doctor(settings: Settings, *, offline: bool, quick: bool, max_age: int, as_json: bool) -> None:
    """Say what is wrong with this server, and what to do.

    Looks at settings, disk, permissions, accounts, clock, libraries, the age of the sources, the
    build, the certificate, the running server and its workers, with the settings of this
    environment; changes nothing. Exit code 1: something is wrong. A note is none.
    """
    findings = []
    for finding in _examine(settings, offline=offline, thorough=not quick, max_age=max_age):
        findings.append(finding)
        if not as_json:
            _print(finding)
    if as_json:
        click.echo(orjson.dumps(findings, option=orjson.OPT_INDENT_2).decode())
    if any(each.state is State.WRONG for each in findings):
        sys.exit(1)


def _examine(
    settings: Settings, *, offline: bool, thorough: bool, max_age: int
) -> Iterator[Finding]:
    now = datetime.now(UTC)
    client = GuardedClient(SECONDS, _MOST_BYTES)
    manifest, fault = find_build(settings.data)
    report = read_report(settings.data)
    files = (manifest.files or ()) if manifest else ()
    yield from examine_settings(os.environ)
    yield from examine_disk(settings.data, sum(one.size for one in files))
    yield from examine_permissions(settings.data)
    yield from examine_accounts(settings)
    yield from examine_libraries(settings)
    site = None if offline else (settings.site_url, Reach(CONFIGURED.allows, plain=True))
    yield from examine_clock(now, manifest, report, client, site)
    if manifest is not None:
        is_damaged = report is None and identify_report(settings.data) is not None
        yield from examine_sources(now, manifest, report, max_age, is_damaged=is_damaged)
        yield from examine_build(settings.data, manifest, thorough=thorough)
    elif fault is not None:
        yield fault
    yield from examine_certificate(settings, now)
    yield from examine_server(settings, client)
    yield from examine_workers(settings, client)


def _print(finding: Finding) -> None:
    mark, colour = _MARKS[finding.state]
    label = click.style(f"{mark:<6}", fg=colour, bold=finding.state is State.WRONG)
    click.echo(f"{label}{finding.subject:<12} {escape(finding.words)}")
    if finding.remedy:
        click.echo(f"{'':<18} → {escape(finding.remedy)}")

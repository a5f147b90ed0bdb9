"""``fundstelle backup``: create, verify and restore backups of the data folder."""

import signal
import sys
import threading
from pathlib import Path
from typing import NoReturn

import click

from fundstelle.backup.contents import Manifest
from fundstelle.backup.create import create as create_backup
from fundstelle.backup.restore import restore as restore_backup
from fundstelle.backup.verify import Report
from fundstelle.backup.verify import verify as verify_backup
from fundstelle.cli.terminal import say
from fundstelle.settings import Settings

_POSTGRES = (
    "The accounts are in PostgreSQL and were left out of this backup: dump them beside it"
    " (pg_dump --format=custom). Without that dump it holds the pepper, which the dump needs."
)
_AS_IT_WAS = (
    "Access is as it was at {}: keys, apps and people that were revoked, blocked or removed since"
    " then can sign in again. Look them through ('fundstelle keys list', 'fundstelle users list')"
    " before you start the server."
)


class _File(click.Path):
    """A path."""

    def __init__(self, *, exists: bool) -> None:
        super().__init__(exists=exists, dir_okay=False, path_type=Path)


@click.group()
def backup() -> None:
    """Back up the data folder into one file, while the server runs (docs/backup.md)."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _end)


def _end(number: int, _frame: object) -> NoReturn:
    """End as after an error: what was unpacked holds secrets and must not be left behind."""
    sys.exit(128 + number)


@backup.command()
@click.argument("target", type=_File(exists=False))
@click.option("--build", "with_build", is_flag=True, help="The live corpus build too.")
@click.option("--no-dump", is_flag=True, help="Leave accounts in PostgreSQL out: you dump them.")
@click.pass_obj
def create(settings: Settings, target: Path, *, with_build: bool, no_dump: bool) -> None:
    """Write a new file TARGET with accounts, pepper and audit log, and read it back.

    Accounts in PostgreSQL are dumped into it by pg_dump. It holds all secrets of this server: keep
    it private. A file that is there is not replaced.
    """
    report = create_backup(
        settings.data,
        target.absolute(),
        has_file=settings.database_url is None,
        with_build=with_build,
        dumped=None if no_dump else settings.database_url,
    )
    for problem in report.problems:
        say(f"fundstelle: note: {problem}", err=True)
    say(f"{target}: {_describe(report.manifest)}")


@backup.command()
@click.argument("archive", type=_File(exists=True))
def verify(archive: Path) -> None:
    """Read ARCHIVE whole: hashes, database, pepper, audit log. Exit code 1 names a problem."""
    report = verify_backup(archive)
    _complain(report)
    say(f"{archive} is sound: {_describe(report.manifest)}")


@backup.command()
@click.argument("archive", type=_File(exists=True))
@click.pass_obj
def restore(settings: Settings, archive: Path) -> None:
    """Unpack ARCHIVE into FUNDSTELLE_DATA, which must be empty or not there.

    Accounts in PostgreSQL are put into FUNDSTELLE_DATABASE_URL by pg_restore: a database that is
    empty, or not there and may be made.
    """
    report = restore_backup(archive, settings.data, settings.database_url)
    say(f"restored into {settings.data}: {_describe(report.manifest)}")
    say(_AS_IT_WAS.format(report.manifest.created))
    _complain(report)


def _complain(report: Report) -> None:
    for problem in report.problems:
        say(f"fundstelle: {problem}", err=True)
    if report.problems:
        sys.exit(1)


def _describe(manifest: Manifest) -> str:
    size = sum(one.size for one in manifest.files.values())
    lines = [f"{len(manifest.files)} files, {size / 1e6:,.1f} MB, of {manifest.created}"]
    if not manifest.has_accounts:
        lines.append(_POSTGRES)
    if not manifest.has_build:
        lines.append(
            "No corpus build is in it (create --build): build one with 'fundstelle ingest'."
        )
    return "\n".join(lines)

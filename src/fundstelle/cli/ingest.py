"""``fundstelle ingest``: build the corpus and make it the live one."""

import re
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as Bars
from rich.table import Column
from rich.text import Text

from fundstelle.bootstrap.library import build_engine
from fundstelle.cli.terminal import escape, say
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.errors import SourceError
from fundstelle.ingest import origin
from fundstelle.ingest.authenticity import Proof, PublicKey, Signature
from fundstelle.ingest.build.gathering import BuildOptions
from fundstelle.ingest.build.pipeline import build_corpus
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.looks import Dated
from fundstelle.ingest.history.other_version import find_other_version
from fundstelle.ingest.progress import Progress
from fundstelle.ingest.sources import registry
from fundstelle.ingest.sources.files.download import Downloader
from fundstelle.ingest.sources.registry import COURTS, EU_LAW, NEURIS, CollectionSource
from fundstelle.settings import Settings

PAUSE = 0.5  # seconds between two requests to services that many share
_MOST_NOTES = 20  # of one kind; the manifest has them all


@click.command()
@click.option(
    "--source",
    metavar="PATH|URL",
    help="Folder, archive (.tar.zst, .tar.gz, .zip), one law, or the URL of an archive. Default: "
    "FUNDSTELLE_SOURCE, then corpus/ or ../shared/corpus, then the official site.",
)
@click.option(
    "--sha256",
    metavar="HEX",
    help="Use the archive of --source only if this is its SHA-256; nothing else is read.",
)
@click.option(
    "--signature",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Use the archive of --source only if this file (minisign) is its signature ...",
)
@click.option("--public-key", metavar="KEY|FILE", help="... by this key.")
@click.option(
    "--history",
    type=click.Path(exists=True, path_type=Path),
    multiple=True,
    help="Archive of earlier versions (gii-xml-history….tar.zst), list of confirmed laws, or a "
    "folder of them. Default: history/ beside corpus/.",
)
@click.option("--law", "laws", metavar="SLUG", multiple=True, help="Only this law: bgb, sgb_5 …")
@click.option("--all", "everything", is_flag=True, help="All laws of the official site.")
@click.option(
    "--allow-rejects",
    is_flag=True,
    help="Build even if more than 1 % of the laws' files, or 10 % of a collection, are unusable.",
)
@click.option(
    "--fresh", is_flag=True, help="Forget the live build: carry no older fassungen over from it."
)
@click.option("--site", metavar="URL", help="Address of the official site or a mirror of it.")
@click.option(
    "--celex", metavar="NUMBER", multiple=True, help="Add this EU act or case: 32016R0679 …"
)
@click.option("--acts", is_flag=True, help="Add EU regulations and directives since --since.")
@click.option("--decisions", is_flag=True, help="Add federal decisions, all or since --since.")
@click.option(
    "--add",
    "added",
    metavar="SOURCE",
    multiple=True,
    help="Add what another source has, all or since --since; by its source_type.",
)
@click.option(
    "--since", type=click.DateTime(["%Y-%m-%d"]), help="For --acts, --decisions and --add."
)
@click.option(
    "--guard",
    "guards",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    multiple=True,
    help="Learn nothing from sentences that share 8 words with a query of this file (.jsonl, .gz).",
)
@click.pass_obj
def ingest(  # noqa: PLR0913, PLR0917 one parameter an option
    settings: Settings,
    source: str | None,
    sha256: str | None,
    signature: Path | None,
    public_key: str | None,
    history: tuple[Path, ...],
    laws: tuple[str, ...],
    everything: bool,
    allow_rejects: bool,
    fresh: bool,
    site: str | None,
    celex: tuple[str, ...],
    acts: bool,
    decisions: bool,
    added: tuple[str, ...],
    since: datetime | None,
    guards: tuple[Path, ...],
) -> None:
    """Build the corpus from the official XML and make it the live one.

    A source of a later day than the live build is an update: laws and older fassungen of the
    live build are carried over into the new one. An older source, or one of the same day, is
    built alone.

    --celex, --acts, --decisions and --add fetch from the official services instead and add to what
    the live build holds. What was fetched is kept: a later run asks only for what has changed.

    The live build is untouched until the new one is complete; a running server takes the new one
    over by itself. Ending the command at any moment does no harm.
    """
    additions = origin.Additions(
        celex,
        _find_added(added, acts=acts, decisions=decisions),
        since.date() if since else None,
        settings.data,
        {
            EU_LAW.source_type: settings.cellar_url,
            COURTS.source_type: settings.portal_url,
            NEURIS.source_type: settings.neuris_url,
        },
    )
    _check_usage(additions, everything=everything, named=bool(laws or source), fresh=fresh)
    proof = _read_proof(source, sha256, signature, public_key)
    named = None if everything else source or settings.source
    wanted = origin.Origin(
        named,
        laws,
        everything,
        _find_roots(),
        settings.data / "cache",
        (site or settings.site_url).rstrip("/"),
        proof,
        history,
        may_invent=not builds.may_hold_official_law(settings.data),
        obstacle=None if fresh else find_other_version(settings.data),
    )
    started = time.monotonic()
    with show_progress() as progress, builds.explained(settings.data):
        snapshots = _find(wanted, additions, progress)
        options = BuildOptions(laws=laws, allow_rejects=allow_rejects, fresh=fresh, guard=guards)
        built = build_corpus(snapshots, settings.data, build_engine(settings), options, progress)
    _summarise(built.manifest, time.monotonic() - started)
    if built.unread:
        problems = "; ".join(problem for _, problem in sorted(built.unread.items()))
        held = {state.source_type for state in built.manifest.sources}
        stays = "What is held of this stays as it was"
        if not held.issuperset(built.unread):
            stays = "The build that is live now holds nothing of this"
        raise SourceError(f"{problems}. {stays}")


def _check_usage(
    additions: origin.Additions, *, everything: bool, named: bool, fresh: bool
) -> None:
    """Options that contradict each other are a usage error."""
    if everything and named:
        raise click.UsageError("--all takes neither --law nor --source")
    if not additions.is_empty and (everything or named or fresh):
        raise click.UsageError(
            "--celex, --acts, --decisions and --add add to the live build, and to it alone"
        )
    if EU_LAW in additions.sources and additions.since is None:
        raise click.UsageError("--acts needs --since")
    if additions.since is not None and not additions.sources:
        raise click.UsageError("--since goes with --acts, --decisions or --add")


def _find_added(
    added: tuple[str, ...], *, acts: bool, decisions: bool
) -> tuple[CollectionSource, ...]:
    """The sources to fetch from, each once."""
    found = [source for source, asked in ((EU_LAW, acts), (COURTS, decisions)) if asked]
    for name in added:
        source = registry.find(name)
        if not isinstance(source, CollectionSource):
            known = [s.source_type for s in registry.SOURCES if isinstance(s, CollectionSource)]
            raise click.UsageError(f"--add takes {', '.join(known)}, not {name!r}")
        found += [] if source in found else [source]
    return tuple(found)


def _read_proof(
    source: str | None, sha256: str | None, signature: Path | None, public_key: str | None
) -> Proof:
    """What the source must be."""
    if source is None and (sha256 or signature):
        raise click.UsageError("--sha256 and --signature go with --source")
    if (signature is None) != (public_key is None):
        raise click.UsageError("--signature goes with --public-key")
    if sha256 is not None and not re.fullmatch("[0-9A-Fa-f]{64}", sha256):
        raise click.UsageError("--sha256 takes 64 hexadecimal digits")
    if signature is None or public_key is None:
        return Proof(sha256)
    return Proof(sha256, Signature.read(signature), PublicKey.read(public_key))


def _find(
    wanted: origin.Origin, additions: origin.Additions, progress: Progress
) -> list[Dated | Collection]:
    if additions.is_empty:
        return origin.find(wanted, Downloader(), progress)
    return [*origin.fetch_additions(additions, Downloader(pause=PAUSE), progress)]


def _find_roots() -> tuple[Path, ...]:
    """The working folder, and the checkout if the package runs from one."""
    checkout = Path(__file__).resolve().parents[3]
    roots = [Path.cwd()]
    if (checkout / "pyproject.toml").is_file() and checkout != roots[0]:
        roots.append(checkout)
    return tuple(roots)


def _summarise(manifest: Manifest, seconds: float) -> None:
    rate = manifest.norms / max(seconds, 0.001)
    references = manifest.references + manifest.citings
    click.echo(
        f"{manifest.release}: {manifest.statutes:,} laws, {manifest.norms:,} norms,"
        f" {manifest.decisions:,} decisions, {references:,} references,"
        f" Stand {manifest.stand.isoformat()}; {seconds:.0f} s, {rate:,.0f} norms/s"
    )
    if manifest.rejected:
        click.echo(f"{len(manifest.rejected)} files rejected; manifest.json has the reasons")
    if manifest.demonstration:
        click.secho("demonstration corpus: kein geltendes Recht", fg="red", bold=True)


@contextmanager
def show_progress() -> Iterator[Progress]:
    """Bars on a terminal, plain lines otherwise; both on stderr."""
    if not sys.stderr.isatty():
        yield Lines()
        return
    bars = Bars(
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        _Rate(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
    )
    with bars:
        yield _Bars(bars)


class _Rate(ProgressColumn):
    """How many a second."""

    def __init__(self) -> None:
        super().__init__(table_column=Column(no_wrap=True))

    def render(self, task: Task) -> Text:
        """The speed, once there is one."""
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f} {task.fields['unit']}/s" if speed else "")


class _Notes:
    """Lets the first of many similar notes through."""

    def __init__(self) -> None:
        self._rejected = 0

    def select(self, line: str) -> str | None:
        """The line to show, if any."""
        if not line.startswith("rejected "):
            return line
        self._rejected += 1
        if self._rejected == _MOST_NOTES:
            return f"{line}\n… further rejected files are in manifest.json"
        return line if self._rejected < _MOST_NOTES else None


class _Bars:
    """One bar a phase."""

    def __init__(self, bars: Bars) -> None:
        self._bars = bars
        self._task: TaskID | None = None
        self._notes = _Notes()

    def start(self, phase: str, total: int, unit: str) -> None:
        """A new bar; the one before is full."""
        self._complete()
        self._task = self._bars.add_task(escape(phase), total=total or None, unit=unit)

    def advance(self, count: int) -> None:
        """Move the bar."""
        if self._task is not None:
            self._bars.advance(self._task, count)

    def note(self, line: str) -> None:
        """A line above the bars."""
        shown = self._notes.select(line)
        if shown:
            self._bars.console.print(Text(escape(shown)))

    def _complete(self) -> None:
        if self._task is not None:
            task = self._bars.tasks[self._bars.task_ids.index(self._task)]
            self._bars.update(self._task, total=task.completed, completed=task.completed)


class Lines:
    """A line for each phase and each tenth of it."""

    def __init__(self) -> None:
        self._phase, self._unit, self._total = "", "", 0
        self._done, self._shown = 0, 0
        self._started = time.monotonic()
        self._notes = _Notes()

    def start(self, phase: str, total: int, unit: str) -> None:
        """Say what begins."""
        self._phase, self._unit, self._total = phase, unit, total
        self._done = self._shown = 0
        self._started = time.monotonic()
        self.note(f"{phase}: {total:,} {unit}" if total else f"{phase} …")

    def advance(self, count: int) -> None:
        """Say how far it is, ten times in all."""
        self._done += count
        tenth = self._done * 10 // self._total if self._total else 0
        if self._shown < tenth <= 10:
            self._shown = tenth
            done = min(self._done, self._total)
            seconds = max(time.monotonic() - self._started, 0.001)
            rate = done / seconds
            left = (self._total - done) / rate
            self.note(
                f"{self._phase}: {done:,} of {self._total:,} {self._unit},"
                f" {rate:,.0f}/s, {left:.0f} s left"
            )

    def note(self, line: str) -> None:
        """A line on stderr."""
        shown = self._notes.select(line)
        if shown:
            say(shown, err=True)

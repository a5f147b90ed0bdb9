"""``fundstelle build``: send builds to those who serve them, and fetch them there."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import click

from fundstelle.bootstrap.targets import open_target
from fundstelle.cli.pruning import KEPT, delete_older
from fundstelle.cli.terminal import say
from fundstelle.corpus import builds
from fundstelle.corpus.travel.follow import Following, Step
from fundstelle.corpus.travel.prune import prune as prune_target
from fundstelle.corpus.travel.pull import Pins
from fundstelle.corpus.travel.pull import pull as pull_build
from fundstelle.corpus.travel.push import Freight
from fundstelle.corpus.travel.push import push as push_build
from fundstelle.corpus.travel.target import LIVE, NEXT, Target, read_release
from fundstelle.errors import CorpusError, NoCorpus
from fundstelle.search.meaning.vector_sums import check_vectors
from fundstelle.settings import Settings


@click.group()
def build() -> None:
    """Send builds to other servers through a folder or a bucket (docs/replicas.md).

    TARGET is a folder (mounted, or carried on by rsync) or s3://bucket/prefix, for which the
    variables AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_REGION and AWS_ENDPOINT_URL are read.
    """


@build.command()
@click.argument("target", type=click.Path())
@click.argument("release", required=False)
@click.option("--live", is_flag=True, help="Replicas go over to it, and do not only fetch it.")
@click.option("--anew", is_flag=True, help="Send what lies there again: it may be damaged.")
@click.pass_obj
def push(settings: Settings, target: str, release: str | None, *, live: bool, anew: bool) -> None:
    """Send a build (default: the live one) to TARGET.

    Only what is missing there is sent, so a transfer that broke off goes on. Replicas that follow
    TARGET fetch the build; once they have it, the same command with --live switches them over.
    """
    name = release or builds.get_live(settings.data)
    if name is None:
        raise NoCorpus("there is no live build; make one with 'fundstelle ingest'")
    with builds.explained(settings.data):
        freight = push_build(settings.data, name, open_target(target), live=live, anew=anew)
    state = "is to be live" if live else "can be fetched"
    say(f"{name} {state} at {target}: {_describe(freight)}")


@build.command()
@click.argument("target", type=click.Path())
@click.option(
    "--keep",
    default=KEPT,
    show_default=True,
    type=click.IntRange(1),
    help="How many releases stay: those that were pushed last.",
)
@click.pass_obj
def prune(settings: Settings, target: str, keep: int) -> None:
    """Delete old releases from TARGET; the live one and the one that is next stay, too.

    Deleted are their records, then the chunks that no other release has and that have lain there
    for a day. Run it on the machine that pushes: while a push from its data folder is under way it
    is refused. Ended at any moment it leaves every release whole, and the next run goes on.

    Exit code 1: a record that is kept cannot be read; then nothing is deleted.
    """
    gone = list[str]()

    def tell(release: str) -> None:
        gone.append(release)
        say(f"deleted {release}")

    with builds.explained(settings.data):
        freed = prune_target(settings.data, open_target(target), keep, time.time(), tell)
    if freed.chunks:
        say(f"{freed.size / 1e6:,.1f} MB in {freed.chunks:,} chunks were freed at {target}")
    elif not gone:
        say("nothing to delete")


@build.command()
@click.argument("target", type=click.Path())
@click.argument("release", required=False)
@click.option("--key", help="Take only what is signed with this key ('fundstelle release key').")
@click.option("--root", help="Take only this root ('fundstelle release root').")
@click.option("--follow", is_flag=True, help="Go on until Ctrl-C: fetch and switch as TARGET says.")
@click.option(
    "--every",
    default=1.0,
    show_default=True,
    type=click.FloatRange(0.1, 3_600),
    help="With --follow: seconds between two looks.",
)
@click.option(
    "--keep",
    default=KEPT,
    show_default=True,
    type=click.IntRange(2),
    help="With --follow: how many builds stay here; those that are live and next always do.",
)
@click.pass_obj
def pull(  # noqa: PLR0913 - options of a command
    settings: Settings,
    target: str,
    release: str | None,
    *,
    key: str | None,
    root: str | None,
    follow: bool,
    every: float,
    keep: int,
) -> None:
    """Fetch a build from TARGET: the one that is live there, which is then live here; or RELEASE.

    Every byte is checked, and the root over all texts computed anew, before a server can open it. A
    transfer that broke off goes on. Of a build that is here already each byte is read, and what is
    damaged is fetched anew. A running server takes the build over by itself.
    """
    if follow and (release or root):
        raise click.UsageError("--follow takes what TARGET names: no RELEASE, no --root")
    puller = _Puller(settings.data, open_target(target), Pins(key, root))
    if follow:
        _follow(puller, every, keep, Event().wait)
        return
    name = release or read_release(puller.target, LIVE)
    if name is None:
        raise CorpusError(f"nothing is live at {target}; 'fundstelle build push --live' says what")
    puller.fetch(name)
    if release is None:
        builds.activate(settings.data, name)
        say(f"{name} is live")


@dataclass(frozen=True, slots=True)
class _Puller:
    data: Path
    target: Target
    pins: Pins

    def fetch(self, release: str) -> None:
        freight = pull_build(
            self.data,
            release,
            self.target,
            pins=self.pins,
            check_vectors=lambda folder: check_vectors(folder)[0],
        )
        say(f"{release} is here: {_describe(freight) if freight else 'it was already'}")


def _follow(puller: _Puller, every: float, keep: int, wait: Callable[[float], object]) -> None:
    """Look again and again; what fails is said once.

    Older builds are deleted whenever one has come, when it went live, and when something failed
    anew, for which room may be lacking; where that cannot be done, after the next look.
    """
    following = Following(puller.data, puller.target, puller.fetch, time.monotonic)
    problem = former = None
    is_due = True  # what came before this began
    while True:
        before = builds.read_pointer(puller.data)
        try:
            step = following.look()
        except CorpusError as error:
            if str(error) != problem:
                say(f"fundstelle: {error}", err=True)
                is_due = True
            problem = str(error)
        else:
            problem = None
            if step.live is not None:
                say(f"{step.live} is live")
                former = before
            is_due = is_due or step != Step()
        if is_due:
            is_due = not _delete_older(puller, keep, former)
        wait(every)


def _delete_older(puller: _Puller, keep: int, former: str | None) -> bool:
    """Whether they are deleted: not beside an ingestion, nor while what is next is not known."""
    try:
        delete_older(puller.data, keep, former, read_release(puller.target, NEXT))
    except CorpusError:
        return False
    return True


def _describe(freight: Freight) -> str:
    return (
        f"{freight.moved / 1e6:,.1f} MB were carried over, {freight.held / 1e6:,.1f} MB were there"
    )

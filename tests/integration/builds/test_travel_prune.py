"""What a prune keeps arrives on a replica; what it deletes is told to whoever still fetches it."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from fundstelle.cli.build import build as command
from fundstelle.corpus import builds
from fundstelle.corpus.travel.prune import GRACE_S, prune
from fundstelle.corpus.travel.pull import pull
from fundstelle.corpus.travel.push import push
from fundstelle.errors import CorpusError
from fundstelle.settings import Settings
from tests.integration.builds.shipping import WatchedTarget, cut_small, make_build, read_files


@pytest.fixture
def origin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cut_small(monkeypatch)
    return tmp_path / "origin" / "data"


def age(folder: Path) -> float:
    """Let all of a target be of one moment; gives one after the grace of it."""
    for path in folder.rglob("*"):
        os.utime(path, (1e9, 1e9))
    return 1e9 + GRACE_S


def test_what_is_kept_arrives_and_what_is_deleted_meanwhile_is_said(
    tmp_path: Path, origin: Path
) -> None:
    place = tmp_path / "target"
    old = make_build(origin).release
    push(origin, old, WatchedTarget(place))
    new = make_build(origin, laws=4).release
    later = age(place)
    push(origin, new, WatchedTarget(place), live=True)

    def prune_once(name: str) -> None:
        if name.startswith("objects/") and not gone:
            prune(origin, WatchedTarget(place), 1, later, gone.append)

    gone = list[str]()
    with pytest.raises(CorpusError, match=r"objects/\w+ is missing at .*push the release again"):
        pull(tmp_path / "replica", old, WatchedTarget(place, prune_once))
    assert gone == [old]
    with pytest.raises(CorpusError, match=f"there is no release {old}"):
        pull(tmp_path / "replica", old, WatchedTarget(place))
    assert pull(tmp_path / "replica", new, WatchedTarget(place)) is not None
    assert read_files(tmp_path / "replica" / "builds" / new) == read_files(origin / "builds" / new)

    push(origin, old, WatchedTarget(place), live=True)  # and back again: it is sent anew
    assert pull(tmp_path / "replica", old, WatchedTarget(place)) is not None
    assert builds.verify(tmp_path / "replica", old) == []


def test_a_push_that_counts_on_what_lies_there_is_not_pruned_under(
    tmp_path: Path, origin: Path
) -> None:
    place = tmp_path / "target"
    release = make_build(origin).release
    target = WatchedTarget(place)
    push(origin, release, target)
    record = (place / "releases" / f"{release}.json").read_bytes()
    later = age(place)
    refused = list[CorpusError]()

    def try_to_prune(_: int) -> None:
        try:
            prune(origin, target, 1, later)
        except CorpusError as error:
            refused.append(error)

    freight = push(origin, release, target, advance=try_to_prune)
    assert freight.moved == 0
    assert refused
    assert (place / "releases" / f"{release}.json").read_bytes() == record


def test_the_command_says_what_it_deleted(tmp_path: Path, origin: Path) -> None:
    def run(*arguments: str) -> str:
        settings = Settings.from_env({"FUNDSTELLE_DATA": str(origin)})
        done = CliRunner().invoke(command, ["prune", str(place), *arguments], obj=settings)
        assert done.exit_code == 0, (done.output, done.exception)
        return done.output

    place = tmp_path / "target"
    old = make_build(origin).release
    push(origin, old, WatchedTarget(place))
    age(place)
    push(origin, make_build(origin, laws=4).release, WatchedTarget(place), live=True)
    assert run() == "nothing to delete\n"
    told = run("--keep", "1").splitlines()
    assert told[0] == f"deleted {old}"
    assert told[1].endswith(f" chunks were freed at {place}")
    assert run("--keep", "1") == "nothing to delete\n"

"""Builds, the pointer, prunes and vectors: stopped at any write, the live build stays whole.

Run again in peace, each comes to what it comes to where nobody stops it, and nothing is left lying.
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fundstelle.corpus import builds
from fundstelle.corpus.proof.signing import KEY_FILE
from fundstelle.corpus.soundness.inventory import VECTORS
from fundstelle.ingest.ranking.embedding import embed_norms
from fundstelle.search.meaning.vector_sums import check_vectors
from tests.integration.builds.damaging import flip_bit
from tests.integration.corpora.building import Heard, build
from tests.integration.corpora.laws import write_snapshot
from tests.integration.ingest.stopping import choose, count, in_this_process, stop_at
from tests.integration.search.embedding import WordsEmbedder

STRIDE = 7
Run = Callable[[Path], object]


@pytest.fixture(scope="module", autouse=True)
def _in_this_process() -> Iterator[None]:
    with in_this_process():
        yield


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three builds, of which the second is live, and one of them has vectors."""
    folder = tmp_path_factory.mktemp("begun")
    data = folder / "data"
    for number in (1, 2, 3):
        build(data, write_snapshot(folder / f"gii-2025-01-0{number}", laws=number))
    builds.activate(data, builds.list_builds(data)[1].release)
    embed_norms(data, WordsEmbedder("words/0"), Heard())
    return data


def build_anew(data: Path) -> None:
    build(data, data.parent / "begun" / "gii-2025-01-04")


def build_first(data: Path) -> None:
    build(data, data.parent / "begun" / "gii-2025-01-04", fresh=True)


def build_in_place(data: Path) -> None:
    """The live build is damaged: the new one of the same name takes its place."""
    build(data, data.parent / "begun" / "gii-2025-01-02", fresh=True)


def activate(data: Path) -> None:
    builds.activate(data, builds.list_builds(data)[0].release)


def prune(data: Path) -> None:
    with builds.lock(data):
        builds.prune(data, keep=1)


def embed(data: Path) -> None:
    embed_norms(data, WordsEmbedder("words/1"), Heard())


def damage(data: Path) -> None:
    release = builds.read_pointer(data)
    assert release is not None
    flip_bit(builds.get_folder(data, release) / builds.INDEX / "lines.txt", 5, 3)


def forget(data: Path) -> None:
    for path in data.iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def leave(data: Path) -> None:
    del data


CASES: dict[str, tuple[Run, Run]] = {
    "build": (leave, build_anew),
    "first build": (forget, build_first),
    "build in place": (damage, build_in_place),
    "activate": (leave, activate),
    "prune": (leave, prune),
    "embed": (leave, embed),
}


def list_files(data: Path) -> set[str]:
    """What lies in the folder, the contents of builds but for their vectors left out."""
    found = set()
    for path in data.rglob("*"):
        name = path.relative_to(data).as_posix()
        if path.is_file() and (not name.startswith("builds/") or VECTORS in name):
            found.add(name)
    return found | {f"builds/{path.name}" for path in (data / "builds").iterdir()}


def read_vectors(data: Path) -> dict[str, bytes]:
    return {
        path.relative_to(data).as_posix(): path.read_bytes()
        for path in sorted(data.rglob(f"builds/*/{VECTORS}/*"))
    }


@pytest.mark.parametrize("case", CASES)
def test_what_is_stopped_at_any_write_is_made_good(begun: Path, tmp_path: Path, case: str) -> None:
    prepare, run = CASES[case]
    shutil.copytree(begun.parent, tmp_path / "begun", ignore=shutil.ignore_patterns("data"))
    write_snapshot(tmp_path / "begun" / "gii-2025-01-04", laws=4)
    before, wanted, data = (tmp_path / name for name in ("before", "wanted", "data"))
    shutil.copytree(begun, before)
    prepare(before)
    shutil.copytree(before, wanted)
    places = count(wanted, lambda: run(wanted))
    live = {builds.read_pointer(before), builds.read_pointer(wanted)}
    sound = {release for release in live if release and not builds.verify(wanted, release)}
    for at, stop in choose(len(places), STRIDE):
        shutil.rmtree(data, ignore_errors=True)
        shutil.copytree(before, data)
        try:
            ended = stop_at(data, at, stop, lambda: run(data))
            assert builds.read_pointer(data) in live
            _check_complete(data, before)
            run(data)
            assert builds.read_pointer(data) == builds.read_pointer(wanted)
            assert builds.verify(data, str(builds.read_pointer(data))) == []
            assert list_files(data) == list_files(wanted), ended
            assert read_vectors(data) == read_vectors(wanted)
            for folder in data.glob(f"builds/*/{VECTORS}"):
                assert check_vectors(folder)[0] == []
        except BaseException as error:
            error.add_note(f"at {at}, {places[at - 1]}: {stop.value}")
            raise
    assert sound == {builds.read_pointer(wanted)} | (live & sound)
    assert (wanted / KEY_FILE).is_file()


def _check_complete(data: Path, before: Path) -> None:
    """Whatever bears a name of a build is whole, but for what was damaged before."""
    damaged = {
        one.release for one in builds.list_builds(before) if builds.verify(before, one.release)
    }
    for manifest in builds.list_builds(data):
        assert manifest.release in damaged or builds.verify(data, manifest.release) == []

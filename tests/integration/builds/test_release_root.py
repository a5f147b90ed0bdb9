"""The root of a build and the key that signs it: who makes them, and what tells of another."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.backup.create import create
from fundstelle.backup.restore import restore
from fundstelle.cli.corpus import activate
from fundstelle.cli.release import root
from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest, dump_manifest
from fundstelle.corpus.proof.signing import KEY_FILE, open_key, show_key
from fundstelle.corpus.soundness.inventory import CHECKSUM, sum_manifest, take_inventory
from fundstelle.errors import CorpusError
from fundstelle.ingest.sources.by_hand import find_snapshots
from fundstelle.settings import Settings
from tests.integration.builds.proving import build_proved, look_up, run
from tests.integration.corpora.building import build
from tests.integration.corpora.laws import write_law
from tests.integration.services.databases import SqliteDatabase


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_proved(tmp_path_factory)


@pytest.fixture
def copied(data: Path, tmp_path: Path) -> Path:
    shutil.copytree(data, tmp_path / "data")
    return tmp_path / "data"


def read_live(data: Path) -> Manifest:
    return builds.read_manifest(builds.get_folder(data, builds.get_live(data) or ""))


def write_again(data: Path, damage: str = "", **claims: Any) -> str:
    """The live build with other rows and claims, all its hashes made anew: who can write, can."""
    manifest = read_live(data)
    folder = builds.get_folder(data, manifest.release)
    with closing(sqlite3.connect(folder / "corpus.sqlite")) as database:
        database.executescript(damage)
    manifest = replace(manifest, **{"files": take_inventory(folder), **claims})
    (folder / "manifest.json").write_bytes(dump_manifest(manifest))
    (folder / CHECKSUM).write_bytes(sum_manifest(dump_manifest(manifest)))
    return manifest.release


@pytest.mark.parametrize("at_once", [True, False])
def test_the_same_sources_have_the_same_root_elsewhere(
    data: Path, tmp_path: Path, at_once: bool
) -> None:
    """Whether they came one by one or together, and whoever signs it."""
    looks = [find_snapshots(data / name) for name in ("first", "later")]
    for sources in [looks[0] + looks[1]] if at_once else looks:
        build(tmp_path, sources)
    ours, theirs = read_live(data), read_live(tmp_path)
    assert (theirs.root, theirs.leaves) == (ours.root, ours.leaves)
    assert theirs.key != ours.key


def test_another_word_gives_another_root(data: Path, tmp_path: Path) -> None:
    shutil.copytree(data / "later", tmp_path / "later")
    write_law(tmp_path / "later/laws", "muster2g", 2, {"§ 1": "Neu.", "§ 2": "§ 1 gilt."})
    for sources in (find_snapshots(data / "first"), find_snapshots(tmp_path / "later")):
        build(tmp_path / "data", sources)
    assert read_live(tmp_path / "data").root != read_live(data).root


def test_the_first_build_makes_the_key_and_all_are_signed_by_it(data: Path) -> None:
    made = builds.list_builds(data)
    assert len(made) == 2
    assert {one.key for one in made} == {show_key(open_key(data).public_key())}
    assert all(builds.verify(data, one.release) == [] for one in made)


def test_the_key_is_its_owners_and_survives_a_backup(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    store = SqliteDatabase().open(folder)
    AuditLog(store).begin()
    store.close()
    key = show_key(open_key(folder).public_key())
    assert show_key(open_key(folder).public_key()) == key
    assert run(folder, "release", "key").stdout == f"{key}\n"
    assert (folder / KEY_FILE).stat().st_mode & 0o777 == 0o600
    assert create(folder, tmp_path / "b", has_file=True, with_build=False).problems == ()
    restore(tmp_path / "b", tmp_path / "restored")
    held = tmp_path / "restored" / KEY_FILE
    assert held.read_bytes() == (folder / KEY_FILE).read_bytes()
    assert held.stat().st_mode & 0o777 == 0o600
    held.write_bytes(b"damaged")
    with pytest.raises(CorpusError, match="damaged"):
        open_key(tmp_path / "restored")


def test_a_build_without_a_tree_answers_without_proof(copied: Path) -> None:
    claims = {"root": None, "leaves": 0, "key": None, "signature": None}
    write_again(copied, "DROP TABLE leaves; DROP TABLE tree", **claims)
    answer = look_up(copied, "§ 2 Muster1g")["result"]["structuredContent"]
    assert answer["found"]
    assert "proof" not in answer["norm"]["provenance"]
    store = builds.open_active(copied)
    fassung = store.find_fassung("de/muster1g/2")
    assert fassung is not None
    assert (store.find_inclusion(fassung), store.find_root()) == (None, None)
    store.close()
    said = run(copied, "release", "root").exception
    assert isinstance(said, CorpusError)
    assert "no proof in build" in str(said)
    # the same sources once more: their build is made anew, with its tree
    assert build(copied, find_snapshots(copied / "later")).root is not None


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE tree SET hashes = zeroblob(length(hashes)) WHERE node = 0",
        "UPDATE tree SET hashes = zeroblob(32) WHERE node = (SELECT max(node) FROM tree)",
        "UPDATE leaves SET leaf = 1 - leaf WHERE leaf < 2",
        "UPDATE fassungen SET until_day = NULL WHERE until_day IS NOT NULL",
        "UPDATE norms SET title = 'Anders' WHERE ordinal = 1",
        "DELETE FROM tree",
        "DROP TABLE tree; DROP TABLE leaves",
    ],
)
def test_verify_finds_a_tree_that_is_not_that_of_the_texts(copied: Path, damage: str) -> None:
    findings = builds.verify(copied, write_again(copied, damage))
    assert "its texts and their tree do not have the root that the manifest names" in [
        one.problem for one in findings
    ]


@pytest.mark.parametrize(
    ("claims", "problem"),
    [
        ({"signature": "00" * 64}, "the root in the manifest is not signed by the key beside it"),
        ({"signature": None}, "the root in the manifest is not signed by the key beside it"),
        ({"key": None}, "the root in the manifest is not signed"),
    ],
)
def test_a_root_that_nobody_signed_is_found(
    copied: Path, claims: dict[str, Any], problem: str
) -> None:
    findings = builds.verify(copied, write_again(copied, **claims))
    assert [one.problem for one in findings] == [problem]


@pytest.mark.parametrize("change", [lambda _: "ab" * 32, lambda root: root[:-1], lambda _: None])
def test_a_manifest_of_another_root_is_found(copied: Path, change: Callable[[str], Any]) -> None:
    """One without a root is none of an older build: the release is named after it."""
    release = write_again(copied, root=change(read_live(copied).root or ""))
    assert builds.verify(copied, release)


def test_a_root_is_printed_only_if_it_is_the_one_that_was_signed(copied: Path) -> None:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(copied)})
    told = CliRunner().invoke(root, [], obj=settings)
    assert told.exit_code == 0
    assert str(read_live(copied).root) in told.output
    folder = builds.get_folder(copied, read_live(copied).release)
    kept = (folder / "manifest.json").read_bytes()
    written = str(read_live(copied).root).encode()
    other = written[:-1] + (b"0" if written[-1:] != b"0" else b"1")
    (folder / "manifest.json").write_bytes(kept.replace(written, other))
    refused = CliRunner().invoke(root, [], obj=settings)
    assert isinstance(refused.exception, CorpusError)
    assert "not to be published" in str(refused.exception)
    assert other.decode() not in refused.output


def test_a_damaged_build_is_not_made_the_live_one(copied: Path) -> None:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(copied)})
    release = read_live(copied).release
    database = builds.get_folder(copied, release) / builds.DATABASE
    database.write_bytes(database.read_bytes()[:100])
    refused = CliRunner().invoke(activate, [release], obj=settings)
    assert isinstance(refused.exception, CorpusError)
    assert "cannot be served" in str(refused.exception)
    assert "is live" not in refused.output

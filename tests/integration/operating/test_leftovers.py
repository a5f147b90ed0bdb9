"""What a killed process left of a small file is removed by the next that writes one."""

from datetime import UTC, datetime
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.proof.signing import KEY_FILE, open_key, show_key
from fundstelle.corpus.soundness.record import FOLDER, Record, keep_record
from tests.integration.builds.test_builds import make_build


def test_a_draft_of_the_key_that_signs_does_not_stay(tmp_path: Path) -> None:
    key = open_key(tmp_path)
    (tmp_path / f"{KEY_FILE}.0123456789abcdef").write_bytes(b"a private key")
    (tmp_path / f"{KEY_FILE}.old").write_bytes(b"somebody has kept it")
    assert show_key(open_key(tmp_path).public_key()) == show_key(key.public_key())
    assert {path.name for path in tmp_path.iterdir()} == {KEY_FILE, f"{KEY_FILE}.old"}


def test_a_draft_of_a_check_goes_with_its_build(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / ".0123456789abcdef.new").write_bytes(b"{")
    keep_record(tmp_path, release, Record("", datetime(2025, 1, 1, tzinfo=UTC), ()))
    assert [path.name for path in (tmp_path / FOLDER).iterdir()] == [f"{release}.json"]


def test_a_pointer_that_was_cut_short_is_written_over(tmp_path: Path) -> None:
    release = make_build(tmp_path, "Eins")
    (tmp_path / ".active-new").write_text("0123")
    builds.activate(tmp_path, release)
    assert not list(tmp_path.glob(".active*"))
    assert builds.read_pointer(tmp_path) == release


def test_a_prune_removes_what_a_killed_one_left(tmp_path: Path) -> None:
    builds.activate(tmp_path, make_build(tmp_path, "Eins"))
    (left := tmp_path / "builds" / ".tmp-1-0").mkdir()
    (left / "corpus.sqlite").write_bytes(b"half")
    assert builds.prune(tmp_path, keep=1) == []
    assert not left.exists()

"""A secret is handed over on a terminal, or in a file that its owner alone may read."""

import errno
import os
import stat
from pathlib import Path

import pytest

from fundstelle.cli.handover import hand_over, write_private
from fundstelle.errors import SettingsError

KEY = "sk-legal-" + "x" * 46
LINK = "https://law.test/join/secret"


def test_a_file_is_new_and_its_owners_alone_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        paths = {write_private(tmp_path, f"{number}") for number in range(20)}
    finally:
        os.umask(before)
    assert len(paths) == 20
    assert {stat.S_IMODE(path.stat().st_mode) for path in paths} == {0o600}
    assert sorted(path.read_text() for path in paths) == sorted(map(str, range(20)))


def test_nothing_that_lies_there_already_is_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fundstelle.cli.handover.secrets.token_hex", lambda _: "known")
    monkeypatch.setattr("fundstelle.cli.handover.datetime", Noon)
    target = tmp_path / "elsewhere"
    lying = tmp_path / "first-access-noon-known.txt"
    lying.symlink_to(target)
    with pytest.raises(SettingsError, match="first-access-noon-known"):
        write_private(tmp_path, KEY)
    assert not target.exists()
    lying.unlink()
    lying.write_text("mine")
    with pytest.raises(SettingsError):
        write_private(tmp_path, KEY)
    assert lying.read_text() == "mine"


def test_a_full_disk_is_named_with_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("fundstelle.cli.handover.os.open", refuse)
    with pytest.raises(SettingsError, match=rf"the disk that holds {tmp_path} is full; free"):
        write_private(tmp_path, KEY)


class Noon:
    @classmethod
    def now(cls, _zone: object) -> "Noon":
        return cls()

    def strftime(self, _form: str) -> str:
        return "noon"


@pytest.mark.parametrize(("key", "link"), [(KEY, LINK), (KEY, None), (None, LINK)])
def test_only_a_terminal_shows_key_and_link(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    key: str | None,
    link: str | None,
) -> None:
    given = {secret for secret in (key, link) if secret}
    hand_over(tmp_path, "https://law.test", key, link)
    piped = capsys.readouterr().out
    (path,) = tmp_path.iterdir()
    assert str(path) in piped
    held = piped.partition("(")[2].partition(")")[0]
    assert ("key" in held, "link" in held) == (key is not None, link is not None)
    assert "$FUNDSTELLE_KEY" in piped
    assert {secret for secret in (KEY, LINK) if secret in piped} == set()
    assert {secret for secret in (KEY, LINK) if secret in path.read_text()} == given
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    hand_over(tmp_path, "https://law.test", key, link)
    shown = capsys.readouterr().out
    assert {secret for secret in (KEY, LINK) if secret in shown} == given
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_could_not_be_named_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise BrokenPipeError

    monkeypatch.setattr("fundstelle.cli.handover.click.echo", refuse)
    with pytest.raises(BrokenPipeError):
        hand_over(tmp_path, "https://law.test", KEY, LINK)
    assert list(tmp_path.iterdir()) == []


def test_a_later_start_makes_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hand_over(tmp_path, "https://law.test", None, None)
    assert "created earlier" in capsys.readouterr().out
    assert list(tmp_path.iterdir()) == []

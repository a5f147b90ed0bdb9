"""The file of a client on this machine."""

import sys
from pathlib import Path

import pytest

from fundstelle.cli.connecting.edits import NotEdited
from fundstelle.cli.connecting.written import Written, find_path
from fundstelle.clients import catalogue
from fundstelle.clients.catalogue import CLIENTS, Client
from fundstelle.clients.files import ConfigFile, Place
from fundstelle.clients.target import Target

KEY = "sk-legal-" + "A" * 46
TARGET = Target("https://recht.example.org", KEY)
BEFORE = '{"mcpServers":{"other":{"command":"x"}},"n":1e3}'


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def open_file(folder: Path, text: str | None = None) -> Written:
    path = folder / "deep" / "claude_desktop_config.json"
    if text is not None:
        path.parent.mkdir()
        path.write_text(text, "utf-8")
        path.chmod(0o644)
    return Written(catalogue.CLAUDE_DESKTOP, path)


ENTRY = catalogue.CLAUDE_DESKTOP.build(TARGET)


def test_a_file_with_a_key_is_its_owners_alone_and_so_is_what_was_there(tmp_path: Path) -> None:
    written = open_file(tmp_path, BEFORE)
    assert written.add(ENTRY, private=True)
    assert KEY in written.path.read_text("utf-8")
    assert (mode(written.path), mode(written.backup)) == (0o600, 0o600)
    assert written.backup.read_text("utf-8") == BEFORE
    assert sorted(one.name for one in written.path.parent.iterdir()) == [
        written.path.name,
        written.backup.name,
    ]


def test_a_file_without_a_key_keeps_its_mode(tmp_path: Path) -> None:
    written = open_file(tmp_path, "{}")
    written.path.chmod(0o640)
    written.add(ENTRY, private=False)
    assert mode(written.path) == 0o640


def test_it_is_never_written_twice(tmp_path: Path) -> None:
    written = open_file(tmp_path, BEFORE)
    assert written.add(ENTRY, private=True)
    once = written.path.read_bytes()
    assert not written.add(ENTRY, private=True)
    other = catalogue.CLAUDE_DESKTOP.build(Target("https://other.example.org", KEY))
    with pytest.raises(NotEdited, match="--undo"):
        written.add(other, private=True)
    assert written.path.read_bytes() == once
    assert written.backup.read_text("utf-8") == BEFORE


@pytest.mark.parametrize("before", [BEFORE, "{}", '{\n  "mcpServers": {}\n}\n', " {}\r\n"])
def test_undo_gives_the_file_back_to_the_byte(tmp_path: Path, before: str) -> None:
    written = open_file(tmp_path)
    written.path.parent.mkdir()
    written.path.write_bytes(before.encode())
    written.add(ENTRY, private=True)
    assert written.undo()
    assert written.path.read_bytes() == before.encode()
    assert not written.backup.exists()
    assert not written.undo()


def test_undo_deletes_a_file_that_was_made_for_the_entry(tmp_path: Path) -> None:
    written = open_file(tmp_path)
    written.add(ENTRY, private=True)
    assert mode(written.path) == 0o600
    assert written.undo()
    assert not written.path.exists()


def test_undo_keeps_what_has_come_since(tmp_path: Path) -> None:
    written = open_file(tmp_path, BEFORE)
    written.add(ENTRY, private=True)
    text = written.path.read_text("utf-8").replace('"n": 1000.0', '"n": 1000.0, "since": true')
    written.path.write_text(text, "utf-8")
    assert written.undo()
    after = written.path.read_text("utf-8")
    assert '"since": true' in after
    assert KEY not in after


@pytest.mark.parametrize(
    ("file", "before", "since"),
    [
        (catalogue.CODEX, 'model = "x"\n', "# since, with its only copy\n"),
        (catalogue.GOOSE, "GOOSE_MODEL: x\n", "# since, with its only copy\n"),
    ],
)
def test_undo_keeps_comments_that_have_come_since(
    tmp_path: Path, file: ConfigFile, before: str, since: str
) -> None:
    path = tmp_path / "config"
    path.write_text(before, "utf-8")
    written = Written(file, path)
    written.add(file.build(TARGET), private=False)
    path.write_text(since + path.read_text("utf-8"), "utf-8")
    assert written.undo()
    assert path.read_text("utf-8") == since + before
    assert written.backup.read_text("utf-8") == before


@pytest.mark.parametrize("file", [catalogue.CURSOR, catalogue.VS_CODE])
def test_undo_of_what_has_comments_now_is_refused_and_leaves_everything(
    tmp_path: Path, file: ConfigFile
) -> None:
    path = tmp_path / "mcp.json"
    path.write_text("{}", "utf-8")
    written = Written(file, path)
    written.add(file.build(TARGET), private=False)
    text = "// since\n" + path.read_text("utf-8")
    path.write_text(text, "utf-8")
    with pytest.raises(NotEdited, match="by hand"):
        written.undo()
    assert (path.read_text("utf-8"), written.backup.read_text("utf-8")) == (text, "{}")


def test_undo_takes_a_number_for_no_truth(tmp_path: Path) -> None:
    written = open_file(tmp_path, '{"a": {"disabled": true}}')
    written.add(ENTRY, private=True)
    text = written.path.read_text("utf-8").replace('"disabled": true', '"disabled": 1')
    written.path.write_text(text, "utf-8")
    assert written.undo()
    assert '"disabled": 1' in written.path.read_text("utf-8")


def test_an_entry_that_is_there_is_closed_to_others_all_the_same(tmp_path: Path) -> None:
    written = open_file(tmp_path, "{}")
    written.add(ENTRY, private=True)
    written.path.chmod(0o644)
    assert not written.add(ENTRY, private=True)
    assert mode(written.path) == 0o600


def test_half_a_character_leaves_no_half_file(tmp_path: Path) -> None:
    written = open_file(tmp_path, '{"a": "\\ud800"}')
    with pytest.raises(NotEdited, match="surrogate"):
        written.add(ENTRY, private=True)
    assert [one.name for one in written.path.parent.iterdir()] == [written.path.name]


def test_a_link_is_followed_and_stays_one(tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", "utf-8")
    link = tmp_path / "mcp.json"
    link.symlink_to(real)
    Written(catalogue.CURSOR, link).add(catalogue.CURSOR.build(TARGET), private=False)
    assert link.is_symlink()
    assert "recht.example.org" in real.read_text("utf-8")


@pytest.mark.parametrize("bad", [b"\xff\xfe", b"x" * (8 * 2**20 + 1)])
def test_what_is_no_configuration_is_left_alone(tmp_path: Path, bad: bytes) -> None:
    path = tmp_path / "mcp.json"
    path.write_bytes(bad)
    with pytest.raises(NotEdited):
        Written(catalogue.CURSOR, path).add(catalogue.CURSOR.build(TARGET), private=False)
    assert path.read_bytes() == bad


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.slug)
@pytest.mark.parametrize("system", ["linux", "darwin", "win32"])
def test_every_client_has_a_place_on_every_system(client: Client, system: str) -> None:
    home = Path("/home/anna")
    path = find_path(client.file.place, system, {"APPDATA": "/home/anna/roaming"}, home)
    assert path.is_absolute()
    assert "%" not in str(path)
    assert "~" not in str(path)
    assert home in path.parents or client.slug == "claude-code"


def test_windows_without_a_variable_has_the_usual_folder() -> None:
    place = Place("a", "b", "%APPDATA%/Claude/x.json")
    path = find_path(place, "win32", {}, Path("/home/anna"))
    assert path == Path("/home/anna/AppData/Roaming/Claude/x.json")


pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="file modes are those of POSIX")

"""``fundstelle connect`` as a person runs it, in a home of its own."""

import json
import os
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from fundstelle.clients.catalogue import CLIENTS
from tests.e2e.server import FUNDSTELLE

KEY = "sk-legal-" + "A" * 46
URL = "https://recht.example.org"


def run(home: Path, *arguments: str, **environ: str) -> "subprocess.CompletedProcess[str]":
    kept = {k: v for k, v in os.environ.items() if not k.startswith("FUNDSTELLE_")}
    return subprocess.run(
        [FUNDSTELLE, "connect", *arguments],
        cwd=home,
        env={**kept, "HOME": str(home), **environ},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def read_files(home: Path) -> dict[str, bytes]:
    return {
        str(one.relative_to(home)): one.read_bytes() for one in home.rglob("*") if one.is_file()
    }


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.slug)
def test_what_is_written_is_taken_out_again(client: object, tmp_path: Path) -> None:
    slug: str = client.slug  # type: ignore[attr-defined]
    done = run(tmp_path, slug, "--url", URL, "--write", FUNDSTELLE_KEY=KEY)
    assert done.returncode == 0, done.stderr
    ((name, written),) = read_files(tmp_path).items()
    holds_key = KEY.encode() in written
    assert holds_key == client.file.holds_key  # type: ignore[attr-defined]
    assert ((tmp_path / name).stat().st_mode & 0o077 == 0) or not holds_key
    assert KEY not in done.stdout + done.stderr
    text = written.decode()
    values = (
        tomllib.loads(text)
        if name.endswith(".toml")
        else yaml.safe_load(text)
        if name.endswith(".yaml")
        else json.loads(text)
    )
    assert URL + "/mcp" in json.dumps(values)
    again = run(tmp_path, slug, "--url", URL, "--write", FUNDSTELLE_KEY=KEY)
    assert "already" in again.stdout
    assert read_files(tmp_path) == {name: written}
    assert run(tmp_path, slug, "--undo").returncode == 0
    assert read_files(tmp_path) == {}


def test_without_write_nothing_is_touched_and_no_key_is_shown(tmp_path: Path) -> None:
    done = run(tmp_path, "lm-studio", FUNDSTELLE_KEY=KEY)
    assert json.loads(done.stdout)["mcpServers"]["fundstelle"]["url"].endswith("/mcp")
    assert KEY not in done.stdout + done.stderr
    assert read_files(tmp_path) == {}


def test_over_the_build_on_this_machine_there_is_no_key(tmp_path: Path) -> None:
    data = str(tmp_path / "data")
    done = run(tmp_path, "claude-desktop", "--local", "--write", FUNDSTELLE_DATA=data)
    assert done.returncode == 0, done.stderr
    (text,) = read_files(tmp_path).values()
    entry = json.loads(text)["mcpServers"]["fundstelle"]
    assert entry == {"command": FUNDSTELLE, "args": ["stdio"], "env": {"FUNDSTELLE_DATA": data}}


def test_a_key_that_is_needed_and_not_there_is_named(tmp_path: Path) -> None:
    done = run(tmp_path, "claude-desktop", "--write")
    assert (done.returncode, "FUNDSTELLE_KEY" in done.stderr) == (2, True)
    assert read_files(tmp_path) == {}


def test_comments_are_kept_by_writing_nothing(tmp_path: Path) -> None:
    path = tmp_path / ".config" / "zed" / "settings.json"
    path.parent.mkdir(parents=True)
    path.write_text("// mine\n{}\n", "utf-8")
    done = run(tmp_path, "zed", "--write")
    assert done.returncode == 1
    assert "comments" in done.stderr
    assert str(path) in done.stderr
    assert path.read_text("utf-8") == "// mine\n{}\n"


@pytest.mark.parametrize(
    "arguments",
    [["netscape"], ["cursor", "--write", "--undo"], ["cursor", "--url", "https://a/mcp?key=x"]],
)
def test_wrong_usage_is_named(arguments: list[str], tmp_path: Path) -> None:
    done = run(tmp_path, *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("http://recht.example.org", "https://"),
        (f"{URL}/mcp/chatgpt", f"that is {URL}/mcp\n"),
    ],
)
def test_an_address_that_no_client_is_to_ask_is_refused(
    url: str, told: str, tmp_path: Path
) -> None:
    for arguments in ([], ["--write"]):
        done = run(tmp_path, "claude-desktop", "--url", url, *arguments, FUNDSTELLE_KEY=KEY)
        assert (done.returncode, done.stdout) == (2, "")
        assert told in done.stderr
    assert read_files(tmp_path) == {}


def test_nothing_is_asked_to_undo_or_to_read_on_this_machine(tmp_path: Path) -> None:
    inside = "http://recht.kanzlei.example"
    for arguments in (["--undo"], ["--local"]):
        assert run(tmp_path, "cursor", *arguments, FUNDSTELLE_BASE_URL=inside).returncode == 0
    assert run(tmp_path, "cursor", "--url", "http://127.0.0.1:8000/mcp").returncode == 0


def test_the_clients_are_listed_with_their_files(tmp_path: Path) -> None:
    shown = run(tmp_path).stdout
    assert all(client.slug in shown for client in CLIENTS)

"""An entry goes into a text and comes out of it, and nothing else moves."""

import json

import pytest

from fundstelle.cli.connecting.edits import (
    NotEdited,
    add_entry,
    find_entry,
    is_same,
    remove_entry,
)
from fundstelle.clients import catalogue
from fundstelle.clients.catalogue import CLIENTS, Client
from fundstelle.clients.files import ConfigFile
from fundstelle.clients.target import Target

TARGET = Target("https://recht.example.org", "sk-legal-" + "A" * 46)
TEXTS = {
    "json": '{\n\t"theme": "Größe",\n'
    '\t"mcpServers": {\n\t\t"other": {\n\t\t\t"n": 1.5\n\t\t}\n\t}\n}\n',
    "jsonc": '{\n    "theme": "Größe",\n    "a": [\n        1\n    ]\n}',
    "toml": '# mine\nmodel = "x" # this one\n\n'
    '[mcp_servers.other]\nurl = "https://a"\n\n[tui]\na = 1\n',
    "yaml": "# mine\nGOOSE_MODEL: x  # this one\n"
    "extensions:\n    other:\n        type: builtin\nz: 1\n",
}


def add(file: ConfigFile, text: str) -> str:
    return add_entry(file, text, file.build(TARGET), file.lists)


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.slug)
@pytest.mark.parametrize("empty", [True, False])
def test_what_was_there_stays_and_comes_back_to_the_byte(client: Client, empty: bool) -> None:
    file = client.file
    before = "" if empty else TEXTS[file.form]
    edited = add(file, before)
    assert find_entry(file, edited) == file.build(TARGET)
    for line in before.splitlines():  # of JSON the commas move
        assert line.rstrip(",") in edited
    after = remove_entry(file, edited, file.lists)
    assert after == (before or ("{}\n" if "json" in file.form else ""))


@pytest.mark.parametrize("name", ["vs-code", "zed", "gemini-cli", "opencode"])
@pytest.mark.parametrize("text", ["// mine\n{}", '{"a": 1, /* mine */ "b": 2}', '{"a": 1,}'])
def test_comments_are_not_lost_but_the_edit_is_refused(name: str, text: str) -> None:
    client = catalogue.find_client(name)
    assert client
    with pytest.raises(NotEdited, match="comments"):
        add(client.file, text)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        (catalogue.CURSOR, "{"),
        (catalogue.CURSOR, "[]"),
        (catalogue.CURSOR, '{"mcpServers": []}'),
        (catalogue.CURSOR, '{"a": 1, "a": 2}'),
        (catalogue.VS_CODE, '{"inputs": {}}'),
        (catalogue.CODEX, "mcp_servers = {}\n"),
        (catalogue.CODEX, "mcp_servers = { other = { url = 'x' } }\n"),
        (catalogue.CODEX, "= 1"),
        (catalogue.GOOSE, "extensions: {other: {type: builtin}}\n"),
        (catalogue.GOOSE, "extensions:\n- a\n"),
        (catalogue.GOOSE, "a: [\n"),
        (catalogue.GOOSE, "!!python/object:os.system x\n"),
    ],
)
def test_what_cannot_be_edited_without_more_is_left_alone(file: ConfigFile, text: str) -> None:
    with pytest.raises(NotEdited):
        add(file, text)


def test_what_was_typed_around_the_entry_stays_when_it_goes() -> None:
    edited = add(catalogue.CODEX, "a = 1\n") + "\n# later\n[later]\nb = 2\n"
    assert remove_entry(catalogue.CODEX, edited, {}) == "a = 1\n\n# later\n[later]\nb = 2\n"
    edited = add(catalogue.GOOSE, "") + "  later:\n    type: builtin\n"
    assert remove_entry(catalogue.GOOSE, edited, {}) == "extensions:\n  later:\n    type: builtin\n"


def test_the_question_of_vs_code_goes_with_the_entry_and_another_stays() -> None:
    other = {"id": "other", "type": "promptString"}
    edited = add(catalogue.VS_CODE, json.dumps({"inputs": [other]}))
    assert [one["id"] for one in json.loads(edited)["inputs"]] == ["other", "fundstelle-key"]
    after = remove_entry(catalogue.VS_CODE, edited, catalogue.VS_CODE.lists)
    assert json.loads(after) == {"inputs": [other]}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"a": 1e999}', "a number"),
        ('{"a": 1e-99999999999999999999}', "a number"),
        ('{"a": 0.12345678901234567890}', "a number"),
        ('{"a": NaN}', "NaN"),
        ('{"a": "\\ud800"}', "surrogate"),
        ('{"a": 1, "a": 2}', "twice"),
    ],
)
def test_what_would_be_written_otherwise_is_named_and_left_alone(text: str, told: str) -> None:
    with pytest.raises(NotEdited, match=told):
        add(catalogue.CURSOR, text)


def test_values_are_the_same_only_in_their_kinds() -> None:
    entry = {"args": ["a", 1], "disabled": True}
    assert is_same({"x": entry}, {"x": {"disabled": True, "args": ("a", 1)}})
    assert not is_same(entry, {**entry, "disabled": 1})
    assert not is_same(entry, {**entry, "args": ["a", 1.0]})
    assert not is_same(None, entry)


@pytest.mark.parametrize(
    ("file", "line"), [(catalogue.CODEX, "# mine\n"), (catalogue.GOOSE, "    # mine\n")]
)
def test_a_comment_in_our_entry_is_not_lost_but_the_edit_is_refused(
    file: ConfigFile, line: str
) -> None:
    edited = add(file, "")
    head, rest = edited.split("\n", 1) if file is catalogue.CODEX else edited.rsplit("\n", 2)[:2]
    for text in (f"{head}\n{line}{rest}\n", f"{head}\n{rest.rstrip()}  # mine\n"):
        assert find_entry(file, text) == find_entry(file, edited)
        with pytest.raises(NotEdited):
            remove_entry(file, text, {})

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fundstelle.cli.asking.cite import cite


def run(*arguments: str, stdin: str | bytes = "") -> list[dict[str, object]]:
    result = CliRunner().invoke(cite, arguments, input=stdin)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_each_line_is_answered_under_its_id() -> None:
    stdin = '{"id": "a", "input": "§ 1 BGB"}\n\n{"id": 2, "input": "nichts"}\n'

    assert [(each["id"], bool(each["targets"])) for each in run(stdin=stdin)] == [
        ("a", True),
        (2, False),
    ]


def test_an_argument_is_answered_as_a_line() -> None:
    (answer,) = run("§ 823 Abs. 1 BGB")

    assert answer["targets"] == [
        {
            "type": "norm",
            "law": "BGB",
            "unit": "§",
            "num": "823",
            "num_end": None,
            "follow": None,
            "path": [["abs", "1"]],
            "version": None,
        }
    ]


def test_what_was_not_read_is_named() -> None:
    (answer,) = run("§ 823 BGB Tabelle 7")

    assert answer["unparsed"] == ["Tabelle 7"]


@pytest.mark.parametrize("how", ["argument", "file", "stdin", "lines"])
def test_a_text_is_taken_from_argument_file_and_input(how: str, tmp_path: Path) -> None:
    text = "\nNach § 1 BGB gilt\ndas auch für § 2 BGB."
    file = tmp_path / "text.txt"
    file.write_text(text, encoding="utf-8")
    given: dict[str, tuple[list[str], str]] = {
        "argument": ([text], ""),
        "file": (["--file", str(file)], ""),
        "stdin": ([], text),
        "lines": ([], "\n" + json.dumps({"id": 7, "text": text})),
    }
    arguments, stdin = given[how]
    (answer,) = run("--find", *arguments, stdin=stdin)

    citations = answer["citations"]
    assert isinstance(citations, list)
    assert [text[each["start"] : each["end"]] for each in citations] == ["§ 1 BGB", "§ 2 BGB"]
    assert list(citations[0]) == ["start", "end", "text", "targets", "inferred", "normalised"]


@pytest.mark.parametrize(
    ("stdin", "sentence"),
    [
        (b'{"id": 1, "input": "x"}\n\n{', "line 3 of the input must be"),
        (b"[1]\n", "it is no object"),
        (b'{"id": 1}\n', '"input" is missing'),
        (b'{"id": 1, "input": 3}\n', '"input" is no text'),
        (b'{"id": 1, "input": "x"}\n\xff\n', "line 2 of the input is not UTF-8"),
        (b"[" * 100_000, "it is not JSON"),
    ],
)
def test_bad_input_is_one_sentence_that_names_the_line(stdin: bytes, sentence: str) -> None:
    result = CliRunner().invoke(cite, [], input=stdin)

    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1


def test_half_a_surrogate_does_no_harm_and_moves_no_offset() -> None:
    (answer,) = run("--find", stdin='{"id": 1, "text": "\\ud800 § 1 BGB"}')

    citations = answer["citations"]
    assert isinstance(citations, list)
    assert citations[0]["start"] == 2


def test_an_argument_and_a_file_exclude_each_other(tmp_path: Path) -> None:
    file = tmp_path / "text.txt"
    file.write_text("x", encoding="utf-8")

    assert CliRunner().invoke(cite, ["x", "--file", str(file)]).exit_code == 2


def test_an_argument_that_is_no_citation_has_its_own_exit_code() -> None:
    assert CliRunner().invoke(cite, ["Guten Tag"]).exit_code == 3

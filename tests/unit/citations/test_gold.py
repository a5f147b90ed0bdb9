import json

from click.testing import CliRunner

from fundstelle.citations.format import format_citation
from fundstelle.citations.gold import write_target
from fundstelle.citations.parse import parse
from fundstelle.cli.asking.cite import cite


def test_a_norm_is_written_in_the_schema_of_the_gold_set() -> None:
    (target,) = parse("§ 87 Abs. 2b Satz 1 bis 3 SGB V").targets
    assert write_target(target) == {
        "type": "norm",
        "law": "SGB V",
        "unit": "§",
        "num": "87",
        "num_end": None,
        "follow": None,
        "path": [["abs", "2b"], ["satz", "1", "3"]],
        "version": None,
    }


def test_each_kind_of_target_has_its_type() -> None:
    text = (
        "Art. 5 DSGVO; BGH, VI ZR 175/22; C-311/18; NJW 2004, 1234; BT-Drs. 17/12299;"
        " BGBl. I 2021 S. 2154; EGMR, Urteil vom 21. April 2009, Nr. 68959/01"
    )
    assert [write_target(target)["type"] for target in parse(text).targets] == [
        "eu_act",
        "decision",
        "eu_case",
        "reporter",
        "material",
        "gazette",
        "echr_case",
    ]


def test_pages_and_papers_are_formatted_as_they_are_cited() -> None:
    for text in ("NJW 2004, 1234", "BT-Drs. 17/12299", "BGBl. I 2021 S. 2154", "BVerfGE 7, 198"):
        assert [format_citation(target) for target in parse(text).targets] == [text]


def test_lines_of_json_are_answered_line_by_line() -> None:
    lines = '{"id": "a", "input": "§ 1 BGB"}\n\n{"id": "b", "input": "nichts"}\n'
    result = CliRunner().invoke(cite, [], input=lines)
    answers = [json.loads(line) for line in result.output.splitlines()]
    assert [(a["id"], len(a["targets"])) for a in answers] == [("a", 1), ("b", 0)]


def test_texts_are_answered_with_spans() -> None:
    result = CliRunner().invoke(cite, ["--find", "--json", "Nach § 1 BGB gilt das."])
    (found,) = json.loads(result.output)["citations"]
    assert (found["start"], found["end"], found["text"]) == (5, 12, "§ 1 BGB")


def test_an_argument_that_is_no_citation_has_its_own_exit_code() -> None:
    assert CliRunner().invoke(cite, ["Guten Tag"]).exit_code == 3

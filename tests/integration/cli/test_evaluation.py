"""Questions with known answers, asked of the demonstration corpus by the command line."""

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fundstelle.bootstrap.library import build_engine, open_library
from fundstelle.cli import cli
from fundstelle.cli.evaluation.questions import Gold, LabelledQuestion, read_questions, read_trec
from fundstelle.errors import InvalidInput
from fundstelle.ingest.collections import Collection
from fundstelle.ingest.history.snapshots import Snapshot
from fundstelle.ingest.sources import demonstration
from fundstelle.settings import Settings
from tests.integration.corpora.building import build

QUESTIONS = [
    {"qid": "1", "query": "§ 1 DemoG", "relevant": [{"id": "demog:1"}]},
    {"qid": "2", "query": "Zwecke", "relevant": [{"id": "demog:99"}, {"id": "nirgends:1"}]},
]


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("data")
    sources: list[Snapshot | Collection] = [
        *demonstration.open_snapshots(),
        demonstration.open_decisions(),
    ]
    build(data, sources, engine=build_engine())
    return data


def write_questions(file: Path) -> Path:
    text = "\n".join(json.dumps(question) for question in QUESTIONS)
    file.write_bytes(gzip.compress(text.encode()) if file.suffix == ".gz" else text.encode())
    return file


@pytest.mark.parametrize("name", ["questions.jsonl", "questions.jsonl.gz"])
def test_the_command_prints_every_measure_and_writes_the_run(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv("FUNDSTELLE_DATA", str(data))
    out = tmp_path / "run.jsonl"
    asked = ["eval", str(write_questions(tmp_path / name)), "--run", str(out)]
    answer = CliRunner().invoke(cli, asked, catch_exceptions=False)
    assert answer.exit_code == 0
    assert answer.output.startswith("2 questions; 2 of their answers are not in this build")
    assert "\nlexical\nMRR@10     0.5000" in answer.output
    assert "\nlexical, learned\nMRR@10     0.5000" in answer.output
    first, second = (json.loads(line) for line in out.read_text(encoding="utf-8").splitlines())
    assert first["ranked"][0] == "demog:1"
    assert second["qid"] == "2"


def test_names_lead_back_to_what_they_name(data: Path) -> None:
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    gold = Gold(library)
    norms = range(library.decisions.base)
    decisions = [library.decisions.base + number for number in range(library.decisions.count())]
    for ordinal in (*norms, *decisions):
        (name,) = gold.name([ordinal])
        assert ordinal in gold.find(LabelledQuestion("", "", (name,)))[0], name


def test_a_slug_of_another_year_is_found_by_the_name_of_its_law(data: Path, tmp_path: Path) -> None:
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    answers = [{"id": "demog_1999:1", "law": "DemoG"}, {"id": "nirgends:1", "law": "NirgendsG"}]
    file = tmp_path / "questions.jsonl"
    row = {"qid": "1", "query": "Was gilt?", "relevant": answers}
    file.write_text(json.dumps(row), encoding="utf-8")
    (question,) = read_questions(file)
    gold = Gold(library, [question])
    (found,), missing = gold.find(question)
    assert gold.name([found]) == ["demog_1999:1"]
    assert not missing


@pytest.mark.parametrize(
    "topics",
    [
        "1\tWas gilt?\n2\tUnd sonst?\n3\tOhne Urteil\n",
        "<top><num>1</num><title>Was gilt?</title></top><num> Number: 2\n<title> Und sonst?\n",
    ],
)
def test_trec_files_are_read(tmp_path: Path, topics: str) -> None:
    (tmp_path / "topics.txt").write_text(topics, encoding="utf-8")
    (tmp_path / "qrels.txt").write_text(
        "1 0 573c_bgb 1\n1 0 370_ao_1977 1\n1 0 1_bgb 0\n2 0 103_gg 2\n", encoding="utf-8"
    )
    assert read_trec(tmp_path / "topics.txt", tmp_path / "qrels.txt") == [
        LabelledQuestion("1", "Was gilt?", ("bgb:573c", "ao_1977:370")),
        LabelledQuestion("2", "Und sonst?", ("gg:103",)),
    ]


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"qid": "1", "query": "x", "relevant": []}'])
def test_a_file_of_another_form_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "questions.jsonl").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput):
        read_questions(tmp_path / "questions.jsonl")

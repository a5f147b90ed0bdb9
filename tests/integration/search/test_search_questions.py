"""Our questions with known answers: well formed, answered by what the archives hold."""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from fundstelle.corpus import builds
from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.by_hand import find_collections
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from fundstelle.search.words.in_german import read_table
from tests.integration.corpora.gii_archive import ARCHIVE as LAWS
from tests.integration.corpora.gii_archive import CORPUS, iter_files

GOLDEN = Path(__file__).parents[2] / "golden" / "search"
QUESTIONS = GOLDEN / "eu_and_decisions.jsonl"
IN_GERMAN = GOLDEN / "eu_in_german.jsonl"
ENGLISH = GOLDEN / "english.jsonl"
EU_ARCHIVE = CORPUS / "eurlex.tar.zst"
LAW_ARCHIVES = (LAWS, CORPUS / "gii-xml-2026-04-29-changes.tar.zst")

FIELDS = {"qid", "query", "relevant", "style", "language"}
ANSWERS = {  # kind: its further fields, how its id is written
    "art": ({"celex", "law", "num"}, re.compile(r"celex:(?P<celex>\w+)#art(?P<num>\d+[a-z]?)")),
    "par": ({"law", "num"}, re.compile(r"(?P<slug>\w+):(?P<num>\d+[a-z]?)")),
    "decision": ({"court"}, re.compile(r"ECLI(?::[\w.]+){4}|(?:de|eu|int)(?:/[\w.-]+){2,4}")),
}
COPIED_WORDS = 6
MOST_WORDS = 25
NUMBER_WRITTEN = re.compile(r"(?i)§|\b(?:sections?|sec|articles?|art|paragraphs?|para|s)\b\.? ?\d")
LAW_WRITTEN = re.compile(r"\b(?:Code|Acts?)\b")

Question = dict[str, Any]


def read_questions(*files: Path) -> list[Question]:
    """The questions of these files; without any, of all."""
    texts = (file.read_text(encoding="utf-8") for file in files or sorted(GOLDEN.glob("*.jsonl")))
    return [json.loads(line) for text in texts for line in text.splitlines()]


def list_answers(kind: str) -> list[tuple[str, str]]:
    """Questions and ids of their answers of one kind."""
    return [
        (question["query"], answer["id"])
        for question in read_questions()
        for answer in question["relevant"]
        if answer["kind"] == kind
    ]


def name_article(celex: str, number: str) -> str:
    """The build's id of an article; a treaty's CELEX number repeats that of the article."""
    act = re.sub(r"^(1\d{4}[A-Z])\d{3}$", r"\1", celex)
    return f"eu/{act}/art_{number}"


def get_id(answer: dict[str, str]) -> str:
    return answer["id"]


def list_runs(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return set(zip(*(words[skipped:] for skipped in range(COPIED_WORDS)), strict=False))


def find_copied(answers: Iterable[tuple[str, str]], texts: dict[str, str]) -> list[str]:
    """The questions that share a run of words with the text of their answer."""
    return [query for query, key in answers if list_runs(query) & list_runs(texts[key])]


@pytest.fixture(scope="module")
def articles() -> dict[str, str]:
    """The texts of all articles of the archive, the languages of an act together."""
    if not EU_ARCHIVE.is_file():
        pytest.skip(f"{EU_ARCHIVE.name} is not beside the checkout")
    (collection,) = find_collections(EU_ARCHIVE)
    files = [
        SourceFile(entry.name, entry.name.rpartition("/")[0], entry.data)
        for entry in sorted(collection.files.entries(), key=lambda entry: entry.name)
    ]
    texts: dict[str, str] = defaultdict(str)
    for act in iter_acts(files):
        if isinstance(act, ParsedAct):
            for norm, fassungen in act.norms:
                key = norm.norm_id.replace(":en/", "/")
                texts[key] += "\n".join(fassung.text for fassung in fassungen)
    return dict(texts)


@pytest.fixture(scope="module")
def decisions(every_source: Path) -> dict[str, str]:
    """The texts of the decisions asked for that are held."""
    store = builds.open_active(every_source)
    held = {key: store.decisions.find_text(key) for _, key in list_answers("decision")}
    store.close()
    return {key: text.text for key, text in held.items() if text is not None}


def test_every_question_has_its_fields() -> None:
    questions = read_questions()
    for question in questions:
        assert question.keys() - {"need"} == FIELDS, question
        assert question["style"] in {"lay", "formal"}
        assert question["language"] in {"de", "en"}
        assert 15 < len(question["query"]) < 160
    for field in ("qid", "query"):
        assert len({question[field] for question in questions}) == len(questions)


def test_every_answer_is_written_as_its_kind_demands() -> None:
    for question in read_questions():
        keys = [answer["id"] for answer in question["relevant"]]
        assert keys
        assert len(set(keys)) == len(keys)
        for answer in question["relevant"]:
            fields, written = ANSWERS[answer["kind"]]
            assert answer.keys() - {"docket"} == {"id", "kind"} | fields, answer
            match = written.fullmatch(answer["id"])
            assert match is not None, answer
            said = {name: answer.get(name) for name in ("celex", "num") if name in fields}
            assert said.items() <= match.groupdict().items(), answer


def test_a_question_is_on_an_article_or_on_a_decision_first() -> None:
    questions = read_questions(QUESTIONS)
    first = [(one["qid"].partition("-")[0], one["relevant"][0]["kind"]) for one in questions]
    assert set(first) == {("eu", "art"), ("dec", "decision")}
    assert first.count(("eu", "art")) >= 35
    assert first.count(("dec", "decision")) >= 30


def test_german_questions_on_acts_of_the_union_are_on_every_act_with_german_words() -> None:
    questions = read_questions(IN_GERMAN)
    assert len(questions) == 40
    assert {(one["qid"].partition("-")[0], one["language"]) for one in questions} == {
        ("eude", "de")
    }
    (answers,) = zip(*(one["relevant"] for one in questions), strict=True)
    asked = {name_article(one["celex"], one["num"]).partition("/art_")[0] for one in answers}
    assert asked == {key.partition("/art_")[0] for key in read_table()}


def test_english_questions_are_a_group_of_their_own_half_of_them_formal() -> None:
    questions = read_questions(ENGLISH)
    assert len(questions) == 80
    groups = {(one["qid"].partition("-")[0], one["language"]) for one in questions}
    assert groups == {("norm", "en")}
    assert {answer["kind"] for one in questions for answer in one["relevant"]} == {"par"}
    assert Counter(one["style"] for one in questions) == {"lay": 40, "formal": 40}


def test_english_questions_ask_on_many_laws_and_each_for_another_answer() -> None:
    answers = [key for one in read_questions(ENGLISH) for key in map(get_id, one["relevant"])]
    assert len(set(answers)) == len(answers)
    laws = Counter(one["relevant"][0]["law"] for one in read_questions(ENGLISH))
    assert len(laws) >= 35
    assert laws["BGB"] <= 20


def test_english_questions_say_the_matter_not_the_citation() -> None:
    questions = read_questions(ENGLISH)
    laws = {answer["law"] for one in questions for answer in one["relevant"]}
    for question in questions:
        query = question["query"]
        assert query.isascii(), query
        assert len(query.split()) <= MOST_WORDS, query
        assert NUMBER_WRITTEN.search(query) is None, query
        assert laws.isdisjoint(re.findall(r"\w+", query)), query
    assert sum(LAW_WRITTEN.search(one["query"]) is not None for one in questions) <= 8


def test_rephrased_questions_have_the_same_best_answer() -> None:
    needs: dict[str, list[str]] = defaultdict(list)
    for question in read_questions():
        if "need" in question:
            needs[question["need"]].append(question["relevant"][0]["id"])
    assert needs
    for need, answers in needs.items():
        assert len(answers) > 1, need
        assert len(set(answers)) == 1, need


@pytest.mark.corpus
def test_every_article_asked_for_is_held_and_not_copied(articles: dict[str, str]) -> None:
    answers = []
    for query, key in list_answers("art"):
        match = ANSWERS["art"][1].fullmatch(key)
        assert match is not None
        answers.append((query, name_article(match["celex"], match["num"])))
    assert [key for _, key in answers if not articles.get(key)] == []
    assert find_copied(answers, articles) == []


@pytest.mark.corpus
def test_every_article_with_german_words_is_held(articles: dict[str, str]) -> None:
    named = [key for key in read_table() if "/art_" in key]
    assert [key for key in named if not articles.get(key)] == []


@pytest.mark.corpus
def test_every_decision_asked_for_is_held_and_not_copied(decisions: dict[str, str]) -> None:
    answers = list_answers("decision")
    assert [key for _, key in answers if not decisions.get(key)] == []
    assert find_copied(answers, decisions) == []


@pytest.mark.corpus
def test_every_section_asked_for_is_held() -> None:
    wanted = {key for _, key in list_answers("par")}
    slugs = {key.partition(":")[0] for key in wanted}
    found = set()
    for archive in LAW_ARCHIVES:
        if not archive.is_file():
            pytest.skip(f"{archive.name} is not beside the checkout")
        for file in iter_files(archive):
            if file.slug in slugs:
                numbers = re.findall(r"<enbez>§ (\d+[a-z]?)</enbez>", file.data.decode())
                found |= {f"{file.slug}:{number}" for number in numbers}
    assert wanted - found == set()

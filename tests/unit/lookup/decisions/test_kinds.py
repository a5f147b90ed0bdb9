"""Which of the decisions of one case is meant: the judgment or the Schlussanträge before it."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.law.decisions import Decision, DecisionType
from fundstelle.lookup.answers import DecisionHit, Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.check import check_draft
from tests.unit.corpus.decision_values import make_decision
from tests.unit.lookup.decisions.test_texts import ON, HeldDecisions
from tests.unit.lookup.invented import build_library

JUDGMENT = make_decision("EuGH", "C-123/21", date(2022, 9, 1), decision_type=DecisionType.URTEIL)
OPINION = replace(
    make_decision("EuGH", "C-123/21", date(2022, 3, 1)),
    decision_type=DecisionType.SCHLUSSANTRAEGE,
    decision_id="de/eugh/c-123-21/2022-03-01/schlussantraege",
)
CITED = ("Schlussanträge GA Szpunar, C-123/21", "EuGH, Schlussanträge - C-123/21")


def build(*held: Decision) -> Library:
    decisions = HeldDecisions()
    decisions.held = held
    return replace(build_library(), decisions=decisions)


@pytest.mark.parametrize("cited", CITED)
def test_what_is_cited_as_an_opinion_is_not_answered_with_the_judgment(cited: str) -> None:
    [outcome] = resolve(build(JUDGMENT), cited, ON).outcomes
    assert isinstance(outcome, Miss)
    assert outcome.status == "not_in_corpus"
    assert JUDGMENT.citation in {each.citation for each in outcome.suggestions}


@pytest.mark.parametrize(
    ("cited", "meant"),
    [*((cited, OPINION) for cited in CITED), ("EuGH, Urteil - C-123/21", JUDGMENT)],
)
def test_of_both_the_kind_that_is_written_is_meant(cited: str, meant: Decision) -> None:
    [outcome] = resolve(build(JUDGMENT, OPINION), cited, ON).outcomes
    assert isinstance(outcome, DecisionHit)
    assert outcome.decision == meant


def test_without_a_kind_both_are_named() -> None:
    [outcome] = resolve(build(JUDGMENT, OPINION), "EuGH, C-123/21", ON).outcomes
    assert isinstance(outcome, Miss)
    assert outcome.status == "ambiguous"


@pytest.mark.parametrize(
    "cited", [CITED[0], "Schlussanträge des Generalanwalts Szpunar in der Rechtssache C-123/21"]
)
def test_in_a_draft_the_words_before_the_case_are_of_the_citation(cited: str) -> None:
    (place,) = check_draft(build(JUDGMENT), f"So die {cited}, Rn. 1.", ON).judged
    assert place.verdict.verdict == "not_held"
    (place,) = check_draft(build(JUDGMENT, OPINION), f"So die {cited}, Rn. 1.", ON).judged
    assert (place.verdict.verdict, place.verdict.norm_id) == ("ok", OPINION.decision_id)


def test_schlussantraege_that_a_sentence_speaks_of_are_no_part_of_what_follows() -> None:
    text = "Die Schlussanträge lagen vor, als der EuGH in C-123/21 entschied."
    (place,) = check_draft(build(JUDGMENT), text, ON).judged
    assert place.verdict.verdict == "ok"

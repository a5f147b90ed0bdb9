"""What a search says of its first hit, on the questions of the evaluation sets."""

from dataclasses import replace

import pytest
from benches.accuracy.confidence import (
    EVALUATION,
    FILES,
    is_locked,
    iter_judged,
    list_elsewhere,
)

from fundstelle.cli.evaluation.questions import read_questions
from fundstelle.lookup.library import Library
from fundstelle.tools.inputs.elsewhere import _read

pytestmark = pytest.mark.corpus


def test_a_first_hit_that_is_called_sure_is_right_and_alone_has_a_hint(whole: Library) -> None:
    questions = [one for name in FILES for one in read_questions(EVALUATION / name)]
    judged = list(iter_judged(whole, [one for one in questions if not is_locked(one.qid)]))
    share = {
        level: [one.is_first for one in judged if one.confidence == level]
        for level in ("high", "medium", "low")
    }
    right = {level: sum(rows) / len(rows) for level, rows in share.items()}
    assert len(share["high"]) >= len(judged) / 5
    assert right["high"] >= 0.85  # .90 in a build without decisions, .97 in one with them
    assert right["high"] > right["medium"] > right["low"]
    assert all(one.has_hint == (one.confidence == "high") for one in judged)


def test_no_hit_is_sure_for_a_question_that_is_left_to_others(whole: Library) -> None:
    judged = list(iter_judged(whole, list_elsewhere()))
    assert [one.query for one in judged if one.confidence == "high"] == []
    assert sum(one.confidence == "low" for one in judged) > len(judged) / 2


def test_no_hit_is_sure_for_a_question_that_names_a_place_whose_law_is_not_held(
    whole: Library,
) -> None:
    questions = [one for name in FILES for one in read_questions(EVALUATION / name)]
    asked = [one for one in questions if not is_locked(one.qid)]
    sure = {one.query for one in iter_judged(whole, asked) if one.confidence == "high"}
    placed = [replace(one, query=f"{one.query} Bayern") for one in asked if one.query in sure]
    assert placed
    assert [one for one in iter_judged(whole, placed) if one.confidence == "high"] == []


def test_no_law_held_is_about_what_is_said_to_be_left_to_others(whole: Library) -> None:
    """A norm may touch it; none is headed by it, and no law is called by it."""
    pattern, _ = _read()
    named = [one.title for one in whole.store.statutes.values() if pattern.search(one.title)]
    headed = [
        norm.citation
        for statute_id in whole.store.statutes
        for norm in whole.store.list_norms(statute_id)
        if norm.title and pattern.match(norm.title)
    ]
    assert (named, headed) == ([], [])

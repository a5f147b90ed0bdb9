"""Every successor that the tables name is held, and its heading says what the row says."""

import pytest

from fundstelle.citations.laws.succession import list_norm_successions
from fundstelle.lookup.answers import LawHit, Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.successors import list_successors
from tests.integration.citations.test_relations_on_corpus import TODAY

pytestmark = pytest.mark.corpus

EU_ACTS = {"DSGVO", "DSA"}  # of which the build of all federal law holds nothing
FEWEST_FORMER = 25


def test_each_provision_of_the_table_is_held_and_headed_as_the_row_says(whole: Library) -> None:
    wrong = []
    read = 0
    for row in list_norm_successions():
        words = (*row.words, *("" for _ in row.successors))
        for citation, word in zip(row.successors, words, strict=False):
            if citation.split()[-1] in EU_ACTS:
                continue
            read += 1
            (outcome,) = resolve(whole, citation, TODAY).outcomes
            if isinstance(outcome, LawHit) and not word:
                continue
            if not isinstance(outcome, ProvisionHit) or word not in (outcome.norm.title or ""):
                wrong.append((row.law, row.first, citation, word))

    assert read > len(EU_ACTS)
    assert wrong == []


def test_each_row_says_where_it_is_printed() -> None:
    assert [row for row in list_norm_successions() if "BGBl." not in row.source] == []


def test_each_provision_that_the_table_calls_gone_is_gone(whole: Library) -> None:
    """And the answer names what took its place."""
    wrong = []
    for row in list_norm_successions():
        if "gone" not in row.editions or row.law == "TMG":  # held as a former law
            continue
        for outcome in resolve(whole, f"§ {row.first} {row.law}", TODAY).outcomes:
            known = {row.law} & EU_ACTS
            is_named = isinstance(outcome, Miss) and (bool(outcome.successors) or bool(known))
            if isinstance(outcome, Miss) and outcome.status == "repealed" and not is_named:
                wrong.append((row.law, row.first, outcome.status))

    assert wrong == []


def test_every_successor_of_a_former_law_is_held(whole: Library) -> None:
    named = lost = 0
    for statute in whole.store.statutes.values():
        for successor in list_successors(whole, statute):
            named += 1
            lost += not resolve(whole, successor.norm_id, TODAY).outcomes
            assert successor.norm_id != statute.statute_id
            found = resolve(whole, successor.citation, TODAY).outcomes[0]
            assert not isinstance(found, Miss), (statute.statute_id, successor)

    assert named > FEWEST_FORMER
    assert lost == 0

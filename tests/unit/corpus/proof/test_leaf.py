"""Leaves: the characters that are hashed, and what is no leaf."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.corpus.proof.leaf import NormLeaf, describe_decision, dump_leaf, load_leaf
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.law.decisions import DecisionType
from tests.unit.corpus.decision_values import DECISION

LEAF = NormLeaf(
    id="de/musterg/1",
    citation="§ 1 MusterG",
    title=None,
    text_sha256="ab" * 32,
    starts="2025-01-01",
    ends=None,
    precision="unknown",
    before=None,
    stand="2025-03-31",
    look=None,
    status="in_force",
    source="gii",
)
WRITTEN = (
    '{"before":null,"citation":"§ 1 MusterG","ends":null,"id":"de/musterg/1","kind":"norm",'
    '"look":null,"precision":"unknown","source":"gii","stand":"2025-03-31","starts":"2025-01-01",'
    f'"status":"in_force","text_sha256":"{"ab" * 32}","title":null}}'
)


def test_a_leaf_is_written_in_one_way_for_ever() -> None:
    """Another way of writing would give the same texts another root."""
    assert dump_leaf(LEAF).decode() == WRITTEN
    assert load_leaf(WRITTEN) == LEAF


def test_a_decision_says_court_docket_and_day() -> None:
    leaf = describe_decision(replace(DECISION, issued_on=date(2020, 2, 3)), "cd" * 32)
    assert load_leaf(dump_leaf(leaf).decode()) == leaf
    assert (leaf.court, leaf.decision_date) == (DECISION.court, "2020-02-03")
    unknown = describe_decision(replace(DECISION, issued_on=None, dockets=()), "cd" * 32)
    assert (unknown.decision_date, unknown.case_number) == (None, None)


DECIDED = (
    '{"case_number":"VI ZR 1/20","citation":"BGH, Urteil vom 03.02.2020 - VI ZR 1/20","court":"BGH"'
    ',"decision_date":"2020-02-03","decision_type":"urteil","ecli":null,"id":"de/bgh/vi-zr-1-20",'
    '"kind":"decision","source":"rechtsprechung","text_sha256":"cd","title":null}'
)


def test_the_leaf_of_a_decision_is_that_of_builds_before() -> None:
    """What is read is held against its leaf: whoever changes this raises ``SCHEMA_VERSION``.

    Else a server that is newer than its build takes every decision for damaged.
    """
    decision = replace(
        DECISION,
        decision_id="de/bgh/vi-zr-1-20",
        court="BGH",
        dockets=("VI ZR 1/20",),
        decision_type=DecisionType.URTEIL,
        issued_on=date(2020, 2, 3),
        ecli=None,
        title=None,
    )
    assert SCHEMA_VERSION == 3
    assert dump_leaf(describe_decision(decision, "cd")).decode() == DECIDED


@pytest.mark.parametrize(
    "written",
    [
        *("", "[]", "1", "{}", '{"kind":"norm"}', '{"kind":"law"}', '{"kind":[]}', "[" * 5_000),
        WRITTEN.replace('"title":null', '"title":1'),
        WRITTEN.replace('"title":null', '"title":null,"more":"x"'),
    ],
)
def test_what_is_no_leaf_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="no leaf"):
        load_leaf(written)

"""Leaves: the characters that are hashed, and what is no leaf."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.corpus.proof.leaf import NormLeaf, describe_decision, dump_leaf, load_leaf
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

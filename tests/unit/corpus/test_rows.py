from dataclasses import replace
from datetime import date
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.corpus.rows import decode_fassung, decode_statute, encode_statute, sort_key
from fundstelle.errors import CorpusError, DamagedBuild
from fundstelle.law.application import Application
from fundstelle.law.identifiers import number_key
from fundstelle.law.norms import (
    DatePrecision,
    Fassung,
    Level,
    NormStatus,
    Segment,
    StandNote,
    Statute,
    Table,
)
from tests.unit.corpus.values import FASSUNG, NORM, STATUTE, make_fassung


@pytest.mark.parametrize(
    "numbers",
    [
        ["7", "7a", "7b", "8", "10", "100"],
        ["1.01", "1.02", "1.10", "2.01"],
        ["229", "229/1", "229/5", "229/12", "230"],
        ["12", "12a", "12aa", "12b"],
        ["i", "ii", "iv", "v", "ix", "x", "xix"],
        ["ii/1", "iv/2", "iv/10", "v", "v/1"],
    ],
)
def test_sort_keys_order_numbers_as_laws_do(numbers: list[str]) -> None:
    assert sorted(set(numbers), key=sort_key) == numbers


@given(st.text("019abz./", max_size=8), st.text("019abz./", max_size=8))
def test_sort_keys_compare_like_number_keys(one: str, other: str) -> None:
    assert (sort_key(one) < sort_key(other)) == (number_key(one) < number_key(other))


STATUTES = [
    STATUTE,
    replace(STATUTE, issued_on=None, abbreviation_official=None, listed=False),
    replace(STATUTE, stand_notes=(StandNote("Stand", "erfunden"),), publication=None),
]


@pytest.mark.parametrize("statute", STATUTES)
def test_a_statute_survives_its_row(statute: Statute) -> None:
    assert decode_statute(encode_statute(statute, ()).header) == statute


def test_of_a_statute_what_a_later_version_adds_is_passed_over() -> None:
    general = date(2020, 1, 1)
    applies = Application("art_9", None, general, general, is_divided=False)
    statute = replace(STATUTES[-1], applications=(applies,))
    fields = orjson.loads(encode_statute(statute, ()).header)
    for one in (fields, *fields["stand_notes"], *fields["applications"]):
        one["to_come"] = [{"value": 1}]
    assert decode_statute(orjson.dumps(fields).decode()) == statute


@pytest.mark.parametrize(
    "changed", [{"date_precision": "to come"}, {"stand": 1}, {"stand_notes": None}, {"title": ...}]
)
def test_a_statute_that_cannot_be_read_is_told_with_what_to_do(changed: dict[str, Any]) -> None:
    fields = {**orjson.loads(encode_statute(STATUTE, ()).header), **changed}
    header = orjson.dumps({name: value for name, value in fields.items() if value is not ...})
    with pytest.raises(CorpusError, match="build the corpus again"):
        decode_statute(header.decode())


FASSUNGEN = [
    FASSUNG,
    make_fassung(NORM.norm_id, ""),
    replace(
        FASSUNG,
        segments=(
            Segment(Level.ABSATZ, "1", 0, 9, 4, -1),
            Segment(Level.NUMMER, "2a", 4, 9, 6, 0),
        ),
        tables=(Table(0, 4, (("a", "b"), ("c", ""))),),
        footnotes=("Amtlich",),
        notes=("(+++ Hinweis +++)",),
        in_force_from=date(2020, 1, 1),
        in_force_until=date(2021, 1, 1),
        date_precision=DatePrecision.FIRST_SEEN,
        status=NormStatus.REPEALED,
    ),
]


@pytest.mark.parametrize("fassung", FASSUNGEN)
def test_a_fassung_survives_its_row(fassung: Fassung) -> None:
    encoded = encode_statute(STATUTE, [(NORM, [fassung])])
    assert decode_fassung(NORM.norm_id, encoded.norms[0].fassungen[0]) == fassung


def test_a_text_that_does_not_fit_its_hash_is_not_given_out() -> None:
    text, *rest = encode_statute(STATUTE, [(NORM, [FASSUNG])]).norms[0].fassungen[0]
    with pytest.raises(DamagedBuild, match="does not fit its hash"):
        decode_fassung(NORM.norm_id, (text.replace("f", "g"), *rest))

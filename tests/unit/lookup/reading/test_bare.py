"""A bare number in a list is a part of the provision before, or the next provision."""

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.parse import parse
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.law.citations import NormCitation
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.reading.bare import read_as_provision
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)


def _build_articles() -> Library:
    """MusterVF: Art 3 with two Absätze, and Art 4, 12 and 14 with one."""
    law = build_statute("MusterVF", "Musterverfassung")
    one = "{abs 1|(1) Ein Hammer ist frei.}"
    texts = {"3": one + "\n{abs 2|(2) {nr 1|1. Eine Säge.}}", "4": one, "12": one, "14": one}
    norms = {number: build_norm(law, f"Art {number}") for number in texts}
    held = [(norms[number], [build_fassung(norms[number], texts[number])]) for number in texts]
    store = InventedStore([law], held, [])
    return Library(store, InventedIndex(store), LawNames.build([law]), sources=SOURCES)


ARTICLES = _build_articles()


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("Art. 3 Abs. 1, 12, 14 MusterVF", ["Art. 3 Abs. 1", "Art. 12", "Art. 14"]),
        ("Art. 3 I, 12 und 14 MusterVF", ["Art. 3 Abs. 1", "Art. 12", "Art. 14"]),
        ("Art. 3 Abs. 1, 2, 4 MusterVF", ["Art. 3 Abs. 1", "Art. 3 Abs. 2", "Art. 4"]),
        ("Art. 3 Abs. 1, 2 MusterVF", ["Art. 3 Abs. 1", "Art. 3 Abs. 2"]),
        ("Art. 3, 4 Abs. 1, 12 MusterVF", ["Art. 3", "Art. 4 Abs. 1", "Art. 12"]),
        ("Art. 3 Abs. 1, 12 f. MusterVF", ["Art. 3 Abs. 1", "Art. 12", "Art. 14"]),
        ("Art. 3 Abs. 1, 12-14 MusterVF", ["Art. 3 Abs. 1", "Art. 12", "Art. 14"]),
    ],
)
def test_behind_art_a_number_that_is_no_absatz_is_an_artikel(
    written: str, found: list[str]
) -> None:
    outcomes = resolve(ARTICLES, written, TODAY).outcomes
    assert [isinstance(each, ProvisionHit) for each in outcomes] == [True] * len(found)
    assert [each.citation for each in outcomes if isinstance(each, ProvisionHit)] == [
        f"{each} MusterVF" for each in found
    ]


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ("Art. 3 Abs. 1, 13 MusterVF", "subunit_does_not_exist"),  # neither is there
        ("Art. 12 Abs. 1, 4 MusterVF", "subunit_does_not_exist"),  # no list goes down
        ("Art. 3 Abs. 1, Abs. 12 MusterVF", "subunit_does_not_exist"),
        ("Art. 3 Abs. 2 Nr. 1, 12 MusterVF", "ambiguous"),
    ],
)
def test_what_can_be_nothing_else_is_denied_and_what_may_be_is_not_guessed(
    written: str, status: str
) -> None:
    outcome = resolve(ARTICLES, written, TODAY).outcomes[-1]
    assert isinstance(outcome, Miss)
    assert outcome.status == status


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ("§ 2 Abs. 1, 8 MusterG", "ambiguous"),
        ("§ 2 Abs. 1, 88 MusterG", "subunit_does_not_exist"),
        ("§ 2 Abs. 1 Nr. 1, 8 MusterG", "subunit_does_not_exist"),
    ],
)
def test_a_single_sign_does_not_say_that_another_section_follows(written: str, status: str) -> None:
    outcome = resolve(build_library(), written, TODAY).outcomes[-1]
    assert isinstance(outcome, Miss)
    assert outcome.status == status
    named = [each.citation for each in outcome.suggestions]
    assert ("§ 8 MusterG" in named) == (status == "ambiguous")


def test_only_a_number_without_its_word_may_be_a_provision() -> None:
    names = LawNames.build([build_statute("MusterVF", "Musterverfassung")])
    bare, called = (
        parse(f"Art. 3 Abs. 1, {words} MusterVF", names).targets[-1] for words in ("12", "Abs. 12")
    )
    assert isinstance(bare, NormCitation)
    assert isinstance(called, NormCitation)
    assert bare == called
    assert read_as_provision(bare) == NormCitation("MusterVF", "Art", "12")
    assert read_as_provision(called) is None


@pytest.mark.parametrize(
    ("written", "last"),
    [
        ("Art. 14 f. MusterVF", "Art. 14 MusterVF"),
        ("Art. 14 ff. MusterVF", "Art. 14 MusterVF"),
        ("Art. 3 Abs. 2 f. MusterVF", "Art. 3 Abs. 2 MusterVF"),
        ("Art. 12 f. MusterVF", None),
        ("Art. 3 Abs. 1 f. MusterVF", None),
    ],
)
def test_that_nothing_follows_the_last_is_said(written: str, last: str | None) -> None:
    outcomes = resolve(ARTICLES, written, TODAY).outcomes
    said = [one.warnings for one in outcomes if isinstance(one, ProvisionHit)]
    told = f"Nothing follows {last} there."
    assert [told in warnings for warnings in said] == ([True] if last else [False, False])

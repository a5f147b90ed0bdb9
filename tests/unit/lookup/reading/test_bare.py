"""A bare number in a list is a part of the provision before, or the next provision."""

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.parse import parse
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.law.citations import NormCitation
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses.unprinted import lacks_number
from fundstelle.lookup.reading.bare import list_others
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
    """MusterVF: Art 3 with two Absätze, Art 4, 12 and 14 with one, Art 2 with twelve.

    Below Art 9 stand two §§.
    """
    law = build_statute("MusterVF", "Musterverfassung")
    one = "{abs 1|(1) Ein Hammer ist frei.}"
    many = "\n".join(f"{{abs {n}|({n}) Ein Amboss ist frei.}}" for n in range(1, 13))
    texts = {
        "2": many,
        "3": one + "\n{abs 2|(2) {nr 1|1. Eine Säge.}}",
        **dict.fromkeys(("4", "9/5", "9/6", "12", "14"), one),
    }
    norms = {number: build_norm(law, f"Art {number}") for number in texts}
    held = [(norms[number], [build_fassung(norms[number], texts[number])]) for number in texts]
    store = InventedStore([law], held, [])
    return Library(store, InventedIndex(store), LawNames.build([law]), sources=SOURCES)


ARTICLES = _build_articles()


def _build_sections() -> Library:
    """ListG: § 1 with four Absätze, § 9 with two, §§ 2, 5 and 5a with one, § 7 with none."""
    law = build_statute("ListG", "Listengesetz")
    one, two = "{abs 1|(1) Ein Hammer ist frei.}", "{abs 2|(2) {satz 1|Dies ist: {nr 1|1. Säge.}}}"
    texts = {
        "1": "\n".join(f"{{abs {n}|({n}) Ein Amboss ist frei.}}" for n in range(1, 5)),
        **dict.fromkeys(("2", "5", "5a"), one),
        "7": "{satz 1|Ein Hammer ist frei.} {satz 2|Eine Säge ist es nicht.}",
        "9": f"{one}\n{two}",
    }
    norms = {number: build_norm(law, f"§ {number}") for number in texts}
    held = [(norms[number], [build_fassung(norms[number], texts[number])]) for number in texts]
    store = InventedStore([law], held, [])
    return Library(store, InventedIndex(store), LawNames.build([law]), sources=SOURCES)


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("Art. 3 Abs. 1, 12, 14 MusterVF", ["Art. 3 Abs. 1", "Art. 12", "Art. 14"]),
        ("Art. 3 I, 12 und 14 MusterVF", ["Art. 3 Abs. 1", "Art. 12", "Art. 14"]),
        ("Art. 3 Abs. 1, 2 MusterVF", ["Art. 3 Abs. 1", "Art. 3 Abs. 2"]),
        ("Art. 3, 4 Abs. 1, 12 MusterVF", ["Art. 3", "Art. 4 Abs. 1", "Art. 12"]),
        ("Art. 3 Abs. 1, 12 f. MusterVF", ["Art. 3 Abs. 1", "Art. 12", "Art. 14"]),
        ("Art. 3 Abs. 1, 12-14 MusterVF", ["Art. 3 Abs. 1", "Art. 12", "Art. 14"]),
        ("Art. 12 Abs. 1 i. V. m. 4 MusterVF", ["Art. 12 Abs. 1", "Art. 4"]),
        ("Art. 14 Abs. 1 i. V. m. 12 MusterVF", ["Art. 14 Abs. 1", "Art. 12"]),
        ("Art. 14 Abs. 1, 12 MusterVF", ["Art. 14 Abs. 1", "Art. 12"]),  # far above 1
        ("Artt. 12 Abs. 1, 4 MusterVF", ["Art. 12 Abs. 1", "Art. 4"]),
        ("Art. 12 Abs. 1, 3 Abs. 1 MusterVF", ["Art. 12 Abs. 1", "Art. 3 Abs. 1"]),
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
        ("Art. 3 Abs. 1, Abs. 12 MusterVF", "subunit_does_not_exist"),
        ("Art. 3 Abs. 2 Nr. 1, 12 MusterVF", "ambiguous"),
        # a number that can count parts counts none that is not there, and no Artikel
        ("Art. 3 Abs. 1, 2, 4 MusterVF", "ambiguous"),
        ("Art. 3 I und 4 MusterVF", "ambiguous"),
        ("Art. 12 Abs. 1, 4 MusterVF", "subunit_does_not_exist"),
        ("Art. 12 Abs. 1 und 3 MusterVF", "subunit_does_not_exist"),
        ("Art. 12 I, 4 MusterVF", "subunit_does_not_exist"),
        ("Art. 12 Abs. 1, 3 bis 4 MusterVF", "subunit_does_not_exist"),
        ("Art. 14 Abs. 1 Satz 1, 4 MusterVF", "subunit_does_not_exist"),
        ("Art. 14 Abs. 1 S. 1 und 4 MusterVF", "subunit_does_not_exist"),
        ("Artikel 12 Absätze 1 und 4 MusterVF", "subunit_does_not_exist"),
        ("Artikel 3 Absätze 1 und 4 MusterVF", "subunit_does_not_exist"),
        ("Article 3 paragraphs 1 and 4 MusterVF", "subunit_does_not_exist"),
        ("Artikel 3 Absätze 1 und 12 MusterVF", "ambiguous"),
        ("Art. 9 § 5 Satz 1 und 3 MusterVF", "subunit_does_not_exist"),
        ("Art. 9 § 5 Abs. 1, 6 MusterVF", "ambiguous"),
        ("Article 12(1) and 4 MusterVF", "ambiguous"),
        ("Article 12(1) and (4) MusterVF", "subunit_does_not_exist"),
        # and so many are there that it may
        ("Art. 2 Abs. 1, 14 MusterVF", "ambiguous"),
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


SECTIONS = _build_sections()


@pytest.mark.parametrize(
    ("written", "found"),
    [
        # no such part, whichever way the list goes
        ("§§ 9 Abs. 1, 5, 7 ListG", "§ 9 Abs. 1 | § 5 | § 7"),
        ("§§ 9 Abs. 1, 5a ListG", "§ 9 Abs. 1 | § 5a"),
        ("§§ 9 Abs. 2 Nr. 1, 5 ListG", "§ 9 Abs. 2 Satz 1 Nr. 1 | § 5"),
        ("§§ 9 Abs. 2 Satz 1 und 5 ListG", "§ 9 Abs. 2 Satz 1 | § 5"),
        ("§§ 9 Abs. 1 Satz 1, 7 Satz 1, 5 ListG", "§ 9 Abs. 1 | § 7 Satz 1 | § 5"),
        ("§§ 9 I, 5 I, 2 ListG", "§ 9 Abs. 1 | § 5 Abs. 1 | § 2"),
        ("§§ 9 Abs. 1, 5 bis 7 ListG", "§ 9 Abs. 1 | § 5 | § 5a | § 7"),
        ("§§ 9 Abs. 1, 5 f. ListG", "§ 9 Abs. 1 | § 5 | § 5a"),
        # nothing is named twice
        ("§§ 9 Abs. 2, 2 ListG", "§ 9 Abs. 2 | § 2"),
        ("§§ 9 Abs. 1, 2, 2 ListG", "§ 9 Abs. 1 | § 9 Abs. 2 | § 2"),
        # and no such section above
        ("§§ 1 Abs. 1, 3 ListG", "§ 1 Abs. 1 | § 1 Abs. 3"),
        ("§§ 1 Abs. 1, 3 und 4 ListG", "§ 1 Abs. 1 | § 1 Abs. 3 | § 1 Abs. 4"),
        ("§§ 1 Abs. 1, 3 Satz 1 ListG", "§ 1 Abs. 1 | § 1 Abs. 3"),
    ],
)
def test_behind_two_signs_a_number_is_what_there_is_of_it(written: str, found: str) -> None:
    outcomes = resolve(SECTIONS, written, TODAY).outcomes
    cited = [getattr(one, "citation", None) for one in outcomes]
    assert cited == [f"{one} ListG" for one in found.split(" | ")]


@pytest.mark.parametrize(
    ("library", "written", "found", "others"),
    [
        ("§", "§§ 9 Abs. 1, 2 ListG", "§ 9 Abs. 2", ["§ 2"]),
        ("§", "§§ 1 Abs. 1, 2 ListG", "§ 2", ["§ 1 Abs. 2"]),
        ("§", "§§ 1 Abs. 1, 2 Abs. 1 ListG", "§ 2 Abs. 1", []),
        ("§", "§ 9 Abs. 1, 2 ListG", "§ 9 Abs. 2", []),
        ("§", "§§ 9 Abs. 1, Abs. 2 ListG", "§ 9 Abs. 2", []),
        ("Art", "Art. 12 Abs. 1, 3 Abs. 1, 2 MusterVF", "Art. 3 Abs. 2", []),
    ],
)
def test_where_both_are_there_the_other_is_an_alternative(
    library: str, written: str, found: str, others: list[str]
) -> None:
    held, law = (SECTIONS, "ListG") if library == "§" else (ARTICLES, "MusterVF")
    last = resolve(held, written, TODAY).outcomes[-1]
    assert isinstance(last, ProvisionHit)
    assert last.citation == f"{found} {law}"
    assert [place.citation for place in last.alternatives] == [f"{one} {law}" for one in others]


def test_what_no_reading_finds_is_denied() -> None:
    for written in ("§§ 9 Abs. 1, 4 ListG", "§§ 1 Abs. 1, 8 ListG", "§§ 9 Abs. 1 Satz 1, 4 ListG"):
        last = resolve(SECTIONS, written, TODAY).outcomes[-1]
        assert isinstance(last, Miss)
        assert last.status == "subunit_does_not_exist" or lacks_number(last)


def test_an_amount_is_no_section_and_a_law_that_begins_like_its_sign_is_a_law() -> None:
    law = build_statute("EUROG", "Gesetz über Hämmer")
    names = LawNames.build([law])
    assert len(parse("§§ 1, 6 EUROG", names).targets) == 2
    assert len(parse("§ 1 EUROG, 6 EUR", names).targets) == 1


def test_only_a_number_without_its_word_may_be_a_provision() -> None:
    names = LawNames.build([build_statute("MusterVF", "Musterverfassung")])
    bare, called = (
        parse(f"Art. 3 Abs. 1, {words} MusterVF", names).targets[-1] for words in ("12", "Abs. 12")
    )
    assert isinstance(bare, NormCitation)
    assert isinstance(called, NormCitation)
    assert bare == called
    assert list_others(bare) == [NormCitation("MusterVF", "Art", "12")]
    assert list_others(called) == []


@pytest.mark.parametrize(
    "words", ["12 Abs. 1, 4", "12 Abs. 1 und 3", "3 Abs. 1, 4", "9 § 5 Satz 1 und 3", "12 I, 4"]
)
def test_what_the_graph_reads_has_no_artikel_where_a_part_is_counted(words: str) -> None:
    names = LawNames.build([build_statute("MusterVF", "Musterverfassung")])
    target = parse(f"Art. {words} MusterVF", names).targets[-1]
    assert isinstance(target, NormCitation)
    assert list_others(target) == []


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

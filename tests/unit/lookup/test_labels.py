"""What a norm is cited by, beside what the grammar makes of the same words."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.law.norms import Norm, NormKind, NormStatus, Statute
from fundstelle.lookup.answers import Miss, Outcome, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    STAND,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

NO_BREAK = "\u00a0"


def _name(abbreviation: str, *juris: str) -> Statute:
    return replace(build_statute(abbreviation, f"Titel {abbreviation}"), abbreviations_juris=juris)


FILM = _name("FilmMG", "FilmMG")
OLD_FILM = replace(_name("FilmMG 2016", "FilmMG 2016", "FilmMG"), listed=False)
GROUND = _name("GMV", "GMV")
GOODS = _name("GmV 2011", "GmV 2011", "GmV")
TRAFFIC = _name("VerkMG 1955", "VerkMG")
FIRST = _name("HMG", "HMG")
SECOND = _name("2. HMG", "2. HMG")
PAINT = _name("MalerMV", "MalerMV")


def _build() -> Library:
    contents = [
        _hold(build_norm(FILM, "§ 28"), status=NormStatus.REPEALED),
        _hold(build_norm(FILM, "§ 29")),
        _hold(build_norm(OLD_FILM, "§ 28")),
        _hold(build_norm(GROUND, "§ 7")),
        _hold(build_norm(GROUND, "§ 8")),
        _hold(build_norm(GOODS, "§ 7")),
        _hold(build_norm(TRAFFIC, "Art 4"), status=NormStatus.REPEALED),
        _hold(build_norm(TRAFFIC, "Art 4"), "4~2"),
        _hold(build_norm(TRAFFIC, "Art 4"), "4~3"),
        _hold(replace(build_norm(FIRST, "Art 1 § 2"), citation="Art. 1 § 2 HMG"), "1/2"),
        _hold(build_norm(SECOND, "Art 1 §"), "1"),
        _hold(build_norm(PAINT, "§ 6")),
        _hold(replace(build_norm(PAINT, "§ 7"), kind=NormKind.HEADING), "gliederung-1"),
        _hold(build_norm(PAINT, "§ 8")),
        _hold(replace(build_norm(PAINT, "§ 9"), kind=NormKind.HEADING), "gliederung-2"),
        _hold(replace(build_norm(PAINT, "§ 9"), kind=NormKind.HEADING), "gliederung-3"),
        _hold(replace(build_norm(PAINT, "§ 8"), kind=NormKind.HEADING), "gliederung-4"),
        _hold(_build_remark("Zu § 12"), "gliederung-5"),
    ]
    laws = [FILM, OLD_FILM, GROUND, GOODS, TRAFFIC, FIRST, SECOND, PAINT]
    store = InventedStore(
        laws,
        [(norm, [replace(build_fassung(norm, "Text."), status=norm.status)]) for norm in contents],
    )
    return Library(store, InventedIndex(store), LawNames.build(laws))


def _build_remark(label: str) -> Norm:
    norm = replace(build_norm(PAINT, label), kind=NormKind.HEADING)
    return replace(norm, citation=f"{label} {PAINT.abbreviation}")


def _hold(norm: Norm, number: str = "", *, status: NormStatus = NormStatus.IN_FORCE) -> Norm:
    number = number or norm.number
    return replace(norm, number=number, norm_id=f"{norm.statute_id}/{number}", status=status)


LIBRARY = _build()


def ask(written: str) -> Outcome:
    (outcome,) = resolve(LIBRARY, written, STAND).outcomes
    return outcome


def find(written: str) -> Sequence[str]:
    """The norm that is found, and behind it the others of its designation."""
    outcome = ask(written)
    assert isinstance(outcome, ProvisionHit), outcome
    return [outcome.norm.norm_id, *(place.norm_id for place in outcome.alternatives)]


def miss(written: str) -> Miss:
    outcome = ask(written)
    assert isinstance(outcome, Miss), outcome
    return outcome


def test_a_repealed_provision_names_the_one_of_a_law_of_the_same_name() -> None:
    found = miss("§ 28 FilmMG")

    assert found.status == "repealed"
    assert [one.norm_id for one in found.suggestions] == ["de/filmmg-2016/28", "de/filmmg/29"]


@pytest.mark.parametrize(
    ("written", "norm_id"),
    [("§ 7 GmV", "de/gmv-2011/7"), ("§ 7 GMV", "de/gmv/7"), ("§ 7 gmv 2011", "de/gmv-2011/7")],
)
def test_laws_told_apart_by_capitals_stay_apart(written: str, norm_id: str) -> None:
    assert find(written) == [norm_id]


def test_what_one_of_them_lacks_is_not_answered_from_the_other() -> None:
    assert miss("§ 8 GmV").status == "not_in_corpus"  # a law that begins with its § 7


@pytest.mark.parametrize(
    "written",
    [
        "Art. 4 VerkMG 1955",
        "Art. 4 VerkMG 1955.",
        "Art. 4 des VerkMG 1955",
        "Art. 4 VerkMG 1955".replace(" ", NO_BREAK),
    ],
)
def test_of_several_of_one_designation_those_with_a_text_are_named(written: str) -> None:
    assert find(written) == ["de/verkmg-1955/4~2", "de/verkmg-1955/4~3"]


@pytest.mark.parametrize("blank", [" ", NO_BREAK])
def test_the_number_of_a_section_is_not_that_of_the_law(blank: str) -> None:
    assert find("Art. 1 § 2 HMG".replace(" ", blank)) == ["de/hmg/1/2"]


@pytest.mark.parametrize(
    ("written", "norm_id"),
    [
        ("§ 7 MalerMV", "de/malermv/gliederung-1"),
        ("Zu § 12 MalerMV", "de/malermv/gliederung-5"),
        ("§ 8 MalerMV", "de/malermv/8"),
    ],
)
def test_a_heading_cited_like_a_provision_answers_where_there_is_none(
    written: str, norm_id: str
) -> None:
    assert find(written) == [norm_id]


@pytest.mark.parametrize("written", ["§ 9 MalerMV", "§ 12 MalerMV", "§ 7 Abs. 1 MalerMV"])
def test_two_such_headings_or_another_designation_are_no_answer(written: str) -> None:
    assert miss(written).status == "not_in_corpus"  # a law that begins with its § 6

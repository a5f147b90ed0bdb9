"""What only the former law of a name had is repealed, whoever asks and however it is written."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.law.norms import NormStatus, StandNote
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.lookup.invented import (
    FLOOR,
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

END = date(2025, 9, 1)
TWO = "{abs 1|(1) Wer leiht, gibt zurück.}\n{abs 2|(2) Das gilt auch sonntags.}"


def build(*, end: bool = False, listed: bool = False, older: bool = True) -> Library:
    """LeihG of 2025, which has § 1 with one Absatz alone, and the one of 2001 with §§ 1 to 3."""
    note = StandNote("Aufh", "G aufgeh. durch Art. 3 G v. 2.6.2025 I Nr. 9 mWv 1.9.2025")
    old = replace(
        build_statute("LeihG 2001", "Leihgesetz", listed=listed),
        abbreviation_official="LeihG",
        stand_notes=(note,) if end else (),
        stand=FLOOR,
        issued_on=date(2001, 2, 3) if older else date(2025, 8, 1),
    )
    new = replace(build_statute("LeihG", "Leihgesetz"), issued_on=date(2025, 6, 2))
    first, second, third = (build_norm(old, f"§ {number}") for number in (1, 2, 3))
    gone = replace(build_fassung(third, ""), status=NormStatus.REPEALED)
    today = build_norm(new, "§ 1")
    contents = [
        (today, [build_fassung(today, "{abs 1|(1) Wer leiht, zahlt.}")]),
        (first, [build_fassung(first, TWO)]),
        (second, [build_fassung(second, TWO)]),
        (replace(third, status=NormStatus.REPEALED), [gone]),
    ]
    store = InventedStore([new, old], contents)
    return Library(store, InventedIndex(store), LawNames.build(store.statutes.values()))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("§ 2 LeihG", "§ 2 LeihG 2001"),
        ("§ 2 Abs. 2 LeihG", "§ 2 Abs. 2 LeihG 2001"),
        ("LeihG § 2 II", "§ 2 Abs. 2 LeihG 2001"),
        ("§ 1 Abs. 2 LeihG", "§ 1 Abs. 2 LeihG 2001"),
    ],
)
def test_it_is_repealed_and_the_former_law_is_named(written: str, meant: str) -> None:
    library = build()
    resolution = resolve(library, written, TODAY)
    (miss,) = resolution.outcomes
    verdict = judge(library, resolution)
    (judged,) = check_draft(library, f"Das folgt aus {written}.", TODAY).judged

    assert isinstance(miss, Miss)
    assert (miss.status, miss.suggestions[0].citation) == ("repealed", meant)
    assert miss.reason == (
        f"{meant} stood in the law that had the name before, which was last seen on"
        f" {FLOOR.isoformat()}; LeihG does not have what is cited."
    )
    assert (verdict.verdict, verdict.correct, verdict.why) == ("repealed", meant, miss.reason)
    assert (judged.verdict.verdict, judged.verdict.correct) == ("repealed", meant)
    assert isinstance(resolve(library, meant, TODAY).outcomes[0], ProvisionHit)
    assert miss.hint is not None
    assert isinstance(resolve(library, miss.hint.of, miss.hint.on or TODAY).hits[0], ProvisionHit)


def test_the_day_of_the_end_is_told_where_the_publisher_says_it() -> None:
    (miss,) = resolve(build(end=True), "§ 2 LeihG", TODAY).outcomes

    assert isinstance(miss, Miss)
    assert miss.evidence.repealed_on == END
    assert f"is repealed since {END}" in miss.reason


def test_what_the_former_law_had_repealed_itself_is_not_denied() -> None:
    (miss,) = resolve(build(), "§ 3 LeihG", TODAY).outcomes

    assert isinstance(miss, Miss)
    assert miss.status == "repealed"
    assert miss.about is not None
    assert miss.about.norm_id == "de/leihg-2001/3"


def test_each_of_a_list_and_the_ends_of_a_range_are_told() -> None:
    for written in ("§§ 1, 2 LeihG", "§§ 1 bis 2 LeihG"):
        first, second = resolve(build(), written, TODAY).outcomes
        assert isinstance(first, ProvisionHit)
        assert isinstance(second, Miss)
        assert (second.status, second.suggestions[0].citation) == ("repealed", "§ 2 LeihG 2001")


@pytest.mark.parametrize(
    ("library", "written"),
    [
        (build(), "§ 9 LeihG"),  # which neither has
        (build(), "§ 1 Abs. 9 LeihG"),
        (build(older=False), "§ 2 LeihG"),  # the other is no former one
    ],
)
def test_what_no_former_law_had_is_denied_as_before(library: Library, written: str) -> None:
    (miss,) = resolve(library, written, TODAY).outcomes

    assert isinstance(miss, Miss)
    assert miss.status in {"norm_does_not_exist", "subunit_does_not_exist"}

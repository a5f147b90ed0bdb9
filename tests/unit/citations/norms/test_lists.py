"""Lists of provisions: what stands between two of them and belongs to neither."""

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.parse import parse
from fundstelle.law.citations import NormCitation


@pytest.mark.parametrize(
    "manner", ["analog", "(analog)", "entspr.", "(entsprechend)", "entsprechend"]
)
@pytest.mark.parametrize(
    "form", ["§§ 4 Abs. 1 {}, 8 BGB", "§§ 4 Abs. 1, 8 {} BGB", "§§ 4 Abs. 1, 8 BGB {}"]
)
def test_how_a_provision_is_applied_ends_no_list(form: str, manner: str) -> None:
    plain = parse("§§ 4 Abs. 1, 8 BGB")
    assert len(plain.targets) == 2
    assert parse(form.format(manner)).targets == plain.targets
    assert parse(form.format(manner)).unparsed == ()


def test_an_analogy_is_joined_to_the_provision_with_the_law() -> None:
    targets = parse("§ 4 Abs. 1 Satz 2 analog i.V.m. § 8 Abs. 1 BGB").targets
    assert [target.law for target in targets if isinstance(target, NormCitation)] == ["BGB"] * 2


def test_what_applies_accordingly_is_not_of_the_law_that_is_named_next() -> None:
    found = find("Dann gilt § 4 entsprechend, § 8 BGB bleibt unberührt.", law="HGB")
    laws = [one.targets[0].law for one in found if isinstance(one.targets[0], NormCitation)]
    assert laws == ["HGB", "BGB"]


@pytest.mark.parametrize(
    ("glued", "apart"),
    [
        ("§312gAbs.1BGB", "§ 312g Abs. 1 BGB"),
        ("§312gBGB", "§ 312g BGB"),
        ("§6aAbs.1Satz1 BGB", "§ 6a Abs. 1 Satz 1 BGB"),
        ("§5BGB", "§ 5 BGB"),
        ("Satz 1 Nr. 3 lit. a) des § 47 BGB", "§ 47 Satz 1 Nr. 3 lit. a BGB"),
        ("Abs. 1 lit. c) Art. 6a DSGVO", "Art. 6a Abs. 1 lit. c DSGVO"),
    ],
)
def test_a_blank_left_out_or_a_bracket_changes_nothing(glued: str, apart: str) -> None:
    assert parse(glued).targets == parse(apart).targets != ()
    assert parse(glued).unparsed == ()


@pytest.mark.parametrize("annex", ["Anlage 1", "Anhang 1", "Anlagen 1"])
@pytest.mark.parametrize(
    ("bare", "named"),
    [
        ("3100, 3104", "3100, Nr. 3104"),
        ("3100 und 3104, 7002", "3100 und Nr. 3104, Nr. 7002"),
        ("2 und 101", "2 und Nr. 101"),
        ("3100, 3104 bis 3106", "3100, Nr. 3104 bis 3106"),
        ("3100 bis 3102, 3104 ff.", "3100 bis 3102, Nr. 3104 ff."),
        ("3100a, 3104b", "3100a, Nr. 3104b"),
        ("3101 Abs. 1, 3104 Abs. 2", "3101 Abs. 1, Nr. 3104 Abs. 2"),
        ("1.6.2, 1.6.3 und 1.7", "1.6.2, Nr. 1.6.3 und Nr. 1.7"),
    ],
)
@pytest.mark.parametrize("form", ["{} Nr. {} BGB", "{} BGB Nr. {}", "{} Ziffer {} BGB"])
def test_a_number_alone_behind_one_of_an_annex_is_a_further_one(
    annex: str, bare: str, named: str, form: str
) -> None:
    """No law has so many annexes, and fee schedules have numbers of four digits."""
    parts = _name_parts(form.format(annex, bare))
    assert parts == _name_parts(form.format(annex, named))
    assert len(parts) > 1


def test_a_number_behind_a_part_of_a_large_one_stands_beside_that() -> None:
    written = "Anlage 1 Nr. 3101 Nr. 2, {}3104 BGB"
    assert _name_parts(written.format("")) == _name_parts(written.format("Anlage 1 Nr. "))


def _name_parts(written: str) -> list[tuple[str | None, list[tuple[str, str, str | None]]]]:
    parsed = parse(written)
    assert parsed.unparsed == ()
    return [
        (target.number, [(step.level, step.value, step.to) for step in target.path])
        for target in parsed.targets
        if isinstance(target, NormCitation)
    ]


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("§ 3 Nr. 101, 102 BGB", ["3", "3"]),
        ("Art. 3 Nr. 101 und 102 GG", ["3", "3"]),
        ("§§ 3 Nr. 101, 102 BGB", ["3", "102"]),
        ("§ 5 Abs. 1, 823 BGB", ["5", "823"]),
        ("Anlage 1 Nr. 3, 4 Abs. 1 BGB", ["1", "1"]),
        ("Anlage 1 Abs. 3, 2 Abs. 1 BGB", ["1", "2"]),
    ],
)
def test_what_a_large_number_counts_is_told_by_those_before(
    written: str, numbers: list[str]
) -> None:
    assert [number for number, _ in _name_parts(written)] == numbers

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

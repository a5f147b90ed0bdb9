"""A number with zeros in front is the number: nothing is denied for them."""

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.parse import parse
from fundstelle.law.citations import EuCitation, NormCitation
from fundstelle.law.identifiers import drop_zeros, drop_zeros_of_id
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.check import check_draft
from tests.unit.lookup.invented import STAND, TODAY, build_library

LIBRARY = build_library()


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("§ 01 MusterG", "§ 1 MusterG"),
        ("MusterG 0001", "MusterG 1"),
        ("01 MusterG", "1 MusterG"),
        ("Art. 01 GrundMG", "Art. 1 GrundMG"),
        ("§§ 01, 002 MusterG", "§§ 1, 2 MusterG"),
        ("§ 01 bis § 02 MusterG", "§ 1 bis § 2 MusterG"),
        ("de/musterg/01", "de/musterg/1"),
        ("de/musterg/01 Satz 1", "de/musterg/1 Satz 1"),
        ("legal://norm/de/musterg/01", "de/musterg/1"),
        ("Anlage 01 MusterG", "Anlage 1 MusterG"),
        ("de/musterg/anlage-01", "de/musterg/anlage-1"),
    ],
)
def test_zeros_in_front_change_nothing(written: str, plain: str) -> None:
    found = resolve(LIBRARY, written, STAND).outcomes
    meant = resolve(LIBRARY, plain, STAND).outcomes
    assert [one.norm.norm_id for one in found if isinstance(one, ProvisionHit)] == [
        one.norm.norm_id for one in meant if isinstance(one, ProvisionHit)
    ]
    assert len(found) == len(meant)
    assert any(isinstance(one, ProvisionHit) for one in found)


def test_a_draft_says_the_same() -> None:
    judged = check_draft(LIBRARY, "Nach § 01 MusterG gilt das.", TODAY).judged
    plain = check_draft(LIBRARY, "Nach § 1 MusterG gilt das.", TODAY).judged
    assert [one.verdict.verdict for one in judged] == [one.verdict.verdict for one in plain]


def test_what_is_read_otherwise_is_said() -> None:
    assert "0823 was read as 823" in parse("§ 0823 BGB").normalised
    assert "0823 was read as 823" in parse("BGB 0823").normalised
    assert "01 was read as 1" in resolve(LIBRARY, "Anlage 01 MusterG", STAND).normalised
    assert "de/musterg/01 was read as de/musterg/1" in (
        resolve(LIBRARY, "de/musterg/01", STAND).normalised
    )


@pytest.mark.parametrize("written", ["§ 0823 BGB", "Art. 06 DSGVO", "Art. 229 § 05 EGBGB"])
def test_a_text_is_read_as_one_citation_is(written: str) -> None:
    (found,) = find(f"Nach {written} gilt das.")
    (target,) = found.targets
    assert isinstance(target, NormCitation | EuCitation)
    assert found.targets == parse(written).targets
    assert found.targets == parse(written.replace(" 0", " ")).targets


@pytest.mark.parametrize("number", ["0", "10", "26.01", "1.001", "ORO.005", "a01", "100a"])
def test_numbers_without_zeros_in_front_are_as_they_are(number: str) -> None:
    assert drop_zeros(number) == number


def test_only_the_number_of_an_id_loses_zeros() -> None:
    assert drop_zeros_of_id("eu/32016R0679/art_06") == "eu/32016R0679/art_6"
    assert drop_zeros_of_id("de/x-2015-06/01") == "de/x-2015-06/1"
    assert drop_zeros_of_id("de/egbgb/229/05") == "de/egbgb/229/5"

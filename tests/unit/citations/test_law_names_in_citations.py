import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.parse import parse
from fundstelle.law.citations import NormCitation
from tests.unit.citations.laws.test_names import build_statute

LAWS = [
    build_statute("BienG", title="Gesetz über die Bienen - Bienengesetz -"),
    build_statute("BienG§8DV", title="Verordnung zu § 8 des Bienengesetzes"),
    build_statute("HonigV", title="Verordnung nach der Richtlinie 2001/110/EG über Honig"),
    build_statute("BauVorl-/ImkerAO", title="Anordnung der Imker vom 1. Mai 1950 (BGBl. I S. 9)"),
    build_statute("WabV", title="Wabenverordnung", juris=("WABV",)),
    build_statute("Wa-B-V", title="Wachsverordnung", juris=("WaBV",)),
    build_statute("De-Honig-G", title="Gesetz über deutschen Honig"),
    build_statute("KHonigV", title="Verordnung über Kunsthonig"),
    build_statute("D-BienG", title="Gesetz über die Bienen der Dörfer"),
]
NAMES = LawNames.build(LAWS, ["Gesetz über die Hummeln", "Wabenverordnung"])


@pytest.mark.parametrize(
    ("written", "law", "number"),
    [
        ("§ 5 bieng", "BienG", "5"),
        ("§ 2 BienG§8DV", "BienG§8DV", "2"),
        ("BienG§8DV § 2", "BienG§8DV", "2"),
        ("§ 2 der Verordnung zu § 8 des Bienengesetzes", "BienG§8DV", "2"),
        ("§ 3 der Verordnung nach der Richtlinie 2001/110/EG über Honig", "HonigV", "3"),
        ("§ 4 BauVorl-/ImkerAO", "BauVorl-/ImkerAO", "4"),
        ("BauVorl-/ImkerAO § 4", "BauVorl-/ImkerAO", "4"),
        (
            "§ 4 der Anordnung der Imker vom 1. Mai 1950 (BGBl. I S. 9)",
            "BauVorl-/ImkerAO",
            "4",
        ),
        ("De-Honig-G § 7", "De-Honig-G", "7"),
        ("§ 4a.05 HonigV", "HonigV", "4a.05"),
        ("§ 1 des Gesetzes über die Hummeln", "Gesetz über die Hummeln", "1"),
    ],
)
def test_every_name_of_a_law_is_read_whole(written: str, law: str, number: str) -> None:
    assert parse(written, NAMES).targets == (NormCitation(law, "§", number),)


@pytest.mark.parametrize(("written", "law"), [("§ 1 WaBV", "Wa-B-V"), ("§ 1 WabV", "WabV")])
def test_case_tells_names_apart(written: str, law: str) -> None:
    (target,) = parse(written, NAMES).targets
    assert isinstance(target, NormCitation)
    assert {found.abbreviation for found in NAMES.find(target.law or "")} >= {law}


def test_the_title_of_a_missing_law_hides_none_that_is_held() -> None:
    assert [law.abbreviation for law in NAMES.find("Wabenverordnung")] == ["WabV"]


@pytest.mark.parametrize("written", ["§ 2 d. BienG", "§ 2 d.  BienG", "§ 2 Abs. 1 d. BienG"])
def test_an_article_cut_short_is_no_part_of_the_name(written: str) -> None:
    (target,) = parse(written, NAMES).targets
    assert isinstance(target, NormCitation)
    assert target.law == "BienG"


@pytest.mark.parametrize("written", ["§ 2 K HonigV", "§ 2 K. HonigV"])
def test_a_letter_that_makes_one_known_law_of_another_is_not_guessed_at(written: str) -> None:
    parsed = parse(written, NAMES)

    assert [getattr(target, "law", None) for target in parsed.targets] in ([], [None])
    assert parse("§ 2 KHonigV", NAMES).targets == (NormCitation("KHonigV", "§", "2"),)

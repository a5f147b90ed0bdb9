"""A law of a Land that is called as one of the Bund is never taken for it."""

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.parse import parse
from fundstelle.law.citations import EuCitation, NormCitation
from fundstelle.law.lands import LANDS, SHORT_NAMES
from tests.unit.citations.laws.test_names import build_statute

NAMES = LawNames.build([build_statute("BienG", title="Bienengesetz")])
BEHIND = (
    *(f" {short}" for short in SHORT_NAMES),
    *(form.format(land.name) for land in LANDS for form in (" {}", " {}s", " von {}", " ({})")),
    *(f" des Landes {land.name}" for land in LANDS),
    *(" für das Land Berlin", " für Berlin", " des Saarlandes", " für das Saarland"),
    *(" der Freien und Hansestadt Hamburg", " des Freistaates Sachsen", " (Land Berlin)"),
    *(" - LSA", "/NRW", "-SH", " [Hessen]", " Rh.-Pf.", " Nds.", " (Bln.)"),
    *(" (BienG) Berlin", " a. F. NRW", " 1999 NRW"),
)
ADJECTIVES = [
    f"{one}{'en' if one.endswith('sch') else ''}" for land in LANDS for one in land.adjectives
]


def read(written: str) -> tuple[str | None, str | None]:
    """The law and number, which a citation alone and one within a text have alike."""
    parsed = parse(written, NAMES)
    (target,) = parsed.targets
    assert isinstance(target, NormCitation)
    assert not parsed.unparsed
    found = find(f"Der Bescheid beruht auf {written}, und das gilt.", NAMES)
    assert [one for hit in found for one in hit.targets] == [target]
    return target.law, target.number


@pytest.mark.parametrize("behind", BEHIND)
@pytest.mark.parametrize("name", ["§ 5 Abs. 9 BienG", "§ 5 Abs. 9 des Bienengesetzes"])
def test_a_land_behind_the_name(name: str, behind: str) -> None:
    law, number = read(f"{name}{behind}")
    assert number == "5"
    assert law not in {None, "BienG"}


@pytest.mark.parametrize("adjective", [*ADJECTIVES, "landesrechtlichen", "Hess.", "Nds."])
def test_a_land_before_the_name(adjective: str) -> None:
    law, number = read(f"§ 5 Abs. 9 des {adjective} BienG")
    assert number == "5"
    assert law == f"{adjective} BienG"


@pytest.mark.parametrize("written", ["BienG Berlin § 5", "Berliner BienG § 5"])
def test_a_name_before_its_section(written: str) -> None:
    assert read(written)[0] in {"BienG Berlin", "Berliner BienG"}


@pytest.mark.parametrize(
    "text",
    [
        *("nach dem Berliner Bienengesetz", "nach dem Bienengesetz des Landes Hessen"),
        "nach dem Hamburgischen Bienengesetz",
    ],
)
def test_a_law_named_without_a_section(text: str) -> None:
    (found,) = find(text, NAMES)
    (target,) = found.targets
    assert isinstance(target, NormCitation)
    assert target.law not in {None, "BienG"}


@pytest.mark.parametrize(
    "behind",
    [
        *(" in Bayern gilt", ", Berlin 2020", " Berlin, den 3. Mai", "\nBerlin, den 3. Mai"),
        *(" Hamburger Imker", " und Hessisches Recht", " des Bundes", " Bayerns-Imker"),
    ],
)
def test_a_place_is_no_land_whose_law_it_is(behind: str) -> None:
    (target,) = find(f"nach § 5 BienG{behind}", NAMES)[0].targets
    assert isinstance(target, NormCitation)
    assert target.law == "BienG"


@pytest.mark.parametrize(
    "behind", [*(f" {short}" for short in SHORT_NAMES), "/Hamburg", " - Bayern"]
)
@pytest.mark.parametrize(
    ("name", "law"),
    [("§ 34 BauGB", "BauGB"), ("§ 34 SGB XII", "SGB XII"), ("Art. 34 DSGVO", "DSGVO")],
)
def test_a_law_that_no_land_has_is_not_of_one(name: str, law: str, behind: str) -> None:
    for written in (f"{name}{behind}", f"{name} für Berlin", f"{name} von Hessen und Bremen"):
        (target, *_) = find(f"nach {written} gilt es so", LawNames.default())[0].targets
        assert isinstance(target, NormCitation | EuCitation)
        assert (target.law, target.number) == (law, "34")
        assert parse(written, LawNames.default()).unparsed


def test_a_land_that_is_part_of_a_name_makes_it_another_law() -> None:
    for written in ("§ 14 EStG (Saar)", "§ 14 EStG-Saar"):
        (target,) = parse(written, LawNames.default()).targets
        assert isinstance(target, NormCitation)
        assert target.law not in {None, "EStG"}


@pytest.mark.parametrize("said", [" (Bund)", " [Bund]", " des Bundes", " (des Bundes)", " Bund"])
@pytest.mark.parametrize("name", ["BienG", "des Bienengesetzes"])
def test_a_law_of_the_bund_that_is_called_so_is_read_whole(name: str, said: str) -> None:
    plain = parse("§ 5 Abs. 9 BienG", NAMES)
    assert parse(f"§ 5 Abs. 9 {name}{said}", NAMES).targets == plain.targets
    assert not parse(f"§ 5 Abs. 9 {name}{said}", NAMES).unparsed
    both = parse(f"§ 5 Abs. 9 {name}{said}, § 5 BienG NRW", NAMES)
    assert [getattr(one, "law", None) for one in both.targets] == ["BienG", "BienG NRW"]


@pytest.mark.parametrize("behind", [" des Bundestages", " Bund und Länder", " Bundestag"])
def test_what_is_not_the_bund_is_left(behind: str) -> None:
    assert parse(f"§ 5 BienG{behind}", NAMES).unparsed


def test_a_journal_behind_a_law_is_no_land() -> None:
    first, _ = parse("§ 5 BienG BB 2001, 2425", NAMES).targets
    assert isinstance(first, NormCitation)
    assert first.law == "BienG"

"""What a decision calls a law of a Land, by the name of a federal one."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.laws import land_laws
from fundstelle.citations.laws.land_laws import LandLaws, give_to_lands
from fundstelle.citations.laws.names import LawNames
from fundstelle.law.citations import NormCitation
from tests.unit.corpus.values import STATUTE

FEDERAL = replace(
    STATUTE,
    abbreviation="DraG",
    abbreviations_juris=("DraG",),
    issued_on=date(2005, 9, 5),
)
CITED = NormCitation("DraG", "§", "4")


def means_other(text: str, day: str | None = "2010-01-01") -> bool:
    return LandLaws(text, day).means_other(CITED, text.rindex("§ 4"), FEDERAL)


@pytest.mark.parametrize(
    "text",
    [
        "nach dem Drachengesetz Schleswig-Holstein (DraG) gilt § 4 DraG",
        "Drachengesetz für das Land Nordrhein-Westfalen vom 9. Mai 2001 (DraG): § 4 DraG",
        "das Berliner Drachengesetz (im Folgenden: DraG) kennt in § 4 DraG",
        "aus dem Schleswig-Holsteinischen\nDrachengesetz - Drachen - (DraG) und § 4 DraG",
        "Drachengesetz für Berlin (DraG) und § 4 DraG",
        "das Drachengesetz (- DraG NRW -; im Folgenden: DraG), hier § 4 DraG",
        "nach dem Drachengesetz Bremen (nachfolgend „DraG“) gilt § 4 DraG",
        "Drachengesetz des Bundes (DraG), dann Drachengesetz des Landes Hessen (DraG): § 4 DraG",
    ],
)
def test_a_name_given_to_a_law_of_a_land_means_that_law(text: str) -> None:
    assert means_other(text)


@pytest.mark.parametrize(
    "text",
    [
        "nach § 4 DraG",
        "nach dem Drachengesetz (DraG) gilt in Berlin § 4 DraG",
        "nach dem Drachengesetz Hessen (HDraG) und nach § 4 DraG",
        "Drachengesetz Hessen (DraG), hier aber das Drachengesetz des Bundes (DraG): § 4 DraG",
        "nach § 4 DraG, nicht nach DraG NRW",
        "das Drachengesetz Hessen verweist auf das Drachengesetz (DraG): § 4 DraG",
        "das Drachengesetz Hessen weicht ab von § 4 (DraG)",
    ],
)
def test_without_that_the_federal_law_is_meant(text: str) -> None:
    assert not means_other(text)


def test_a_name_before_it_is_given_to_another_law_keeps_its_meaning() -> None:
    text = "§ 4 DraG; nach dem Drachengesetz Hessen (DraG) aber"
    assert not LandLaws(text, "2010-01-01").means_other(CITED, 0, FEDERAL)


@pytest.mark.parametrize(
    ("day", "other"), [("2004-12-21", True), ("2005-09-05", False), (None, False)]
)
def test_a_federal_law_that_came_later_is_not_meant(day: str | None, *, other: bool) -> None:
    assert means_other("DraG NRW, also § 4 DraG", day) is other
    assert means_other("DraG von Berlin, also § 4 DraG", day) is other
    assert not means_other("also § 4 DraG", day)


@pytest.mark.parametrize(
    ("text", "law"),
    [
        ("Drachengesetz Schleswig-Holstein (DraG), § 4 DraG", "DraG Schleswig-Holstein"),
        ("das Hessische Drachengesetz (im Folgenden: DraG), § 4 DraG", "Hessische DraG"),
        ("- DraG NRW -, im Folgenden: DraG, § 4 DraG", "DraG NRW"),
        ("§ 4 DraG und das Drachengesetz Hessen (DraG)", "DraG"),
        ("Drachengesetz Hessen (DraG), Drachengesetz des Bundes (DraG): § 4 DraG", "DraG"),
        ("Drachengesetz Hessen (DraG), § 4 Satz 2 BGB", "BGB"),
        ("Drachengesetz Hessen (DraG), aber § 4 DraG (Bund)", "DraG"),
    ],
)
def test_a_draft_means_by_a_name_what_it_gives_it_to(text: str, law: str) -> None:
    names = LawNames.build([FEDERAL])
    cited = [each for each in give_to_lands(text, find(text, names)) if "§" in each.text]
    (target,) = cited[0].targets
    assert isinstance(target, NormCitation)
    assert (target.law, target.number) == (law, "4")


def test_a_name_given_again_and_again_is_not_looked_through_for_each_citation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = 0

    class Counted(land_laws._Definition):
        def __getattribute__(self, name: str) -> object:
            nonlocal looked
            looked += name == "start"
            return super().__getattribute__(name)

    monkeypatch.setattr(land_laws, "_Definition", Counted)
    text = "DraG Berlin; künftig: DraG § 4 DraG " * 512
    given = give_to_lands(text, find(text))

    cited = [one.targets[0] for one in given if "§" in one.text]
    assert len(cited) == 512
    assert all(isinstance(one, NormCitation) and one.law == "DraG Berlin" for one in cited)
    assert looked < 40 * len(given)  # each of 512 for each citation would be 512 of them

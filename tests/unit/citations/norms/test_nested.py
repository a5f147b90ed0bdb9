"""Sections below an Artikel: those that follow the first are below the same Artikel."""

import pytest

from fundstelle.citations.parse import parse
from tests.unit.citations.test_parse import read


@pytest.mark.parametrize(
    "text",
    [
        "Art. 229 § 5 und § 6 EGBGB",
        "Art. 229 § 5, § 6 EGBGB",
        "Art. 229 § 5 i. V. m. § 6 EGBGB",
        "Art. 229 § 5 und 6 EGBGB",
        "Art. 229 §§ 5, 6 EGBGB",
        "Art. 229 §§ 5 und 6 EGBGB",
        "Artikel 229 §§ 5 und 6 des Einführungsgesetzes zum Bürgerlichen Gesetzbuche",
        "EGBGB Art. 229 § 5 und § 6",
    ],
)
def test_a_section_behind_one_below_an_artikel_is_below_it_too(text: str) -> None:
    assert read(text) == ["EGBGB Art 229 §:5", "EGBGB Art 229 §:6"]
    assert parse(text).unparsed == ()
    assert parse(text).normalised == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "Art. 229 § 5 Satz 1, § 6 Abs. 4 und § 8 EGBGB",
            ["EGBGB Art 229 §:5 satz:1", "EGBGB Art 229 §:6 abs:4", "EGBGB Art 229 §:8"],
        ),
        (
            "Art. 246a § 1 Abs. 2 und § 4 EGBGB",
            ["EGBGB Art 246a §:1 abs:2", "EGBGB Art 246a §:4"],
        ),
        (
            "Art. 229 § 5, Art. 246a § 1 und § 4 EGBGB",
            ["EGBGB Art 229 §:5", "EGBGB Art 246a §:1", "EGBGB Art 246a §:4"],
        ),
        (
            "Art. 229 §§ 5 Abs. 1, Abs. 2, 6 Abs. 4, 7 EGBGB",
            [
                *("EGBGB Art 229 §:5 abs:1", "EGBGB Art 229 §:5 abs:2"),
                *("EGBGB Art 229 §:6 abs:4", "EGBGB Art 229 §:7"),
            ],
        ),
        ("Art. 229 §§ 5, 6, Art. 7 EGBGB", [*read("Art. 229 §§ 5, 6 EGBGB"), "EGBGB Art 7"]),
        ("Art. 229 §§ 5 bis 7, 9 EGBGB", ["EGBGB Art 229 §:5-7", "EGBGB Art 229 §:9"]),
        ("Art. 229 § 5 bis § 7 EGBGB", ["EGBGB Art 229 §:5-7"]),
        ("Art. 229 §§ 5-7 Abs. 1 EGBGB", ["EGBGB Art 229 §:5-7 abs:1"]),
        ("Art. 229 § 5 ff. EGBGB", ["EGBGB Art 229 §:5-ff"]),
    ],
)
def test_parts_and_ranges_of_such_sections(text: str, found: list[str]) -> None:
    assert read(text) == found
    assert parse(text).unparsed == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Art. 1 GG und § 5 BGB", ["GG Art 1", "BGB § 5"]),
        ("Art. 229 § 5 EGBGB und § 6 BGB", ["EGBGB Art 229 §:5", "BGB § 6"]),
        ("Art. 229 § 5 und § 195 BGB", ["BGB Art 229 §:5", "BGB § 195"]),
        ("Art. 229 § 5 und Art. 6 EGBGB", ["EGBGB Art 229 §:5", "EGBGB Art 6"]),
        ("Art. 5 und § 6 EGBGB", ["EGBGB Art 5", "EGBGB Art 6"]),
        ("Art. 229 § 5, Art. 6, § 4 EGBGB", ["EGBGB Art 229 §:5", "EGBGB Art 6", "EGBGB Art 4"]),
        ("§ 5 EGBGB", ["EGBGB Art 5"]),
    ],
)
def test_no_other_section_is_below_an_artikel(text: str, found: list[str]) -> None:
    assert read(text) == found

"""What belongs to a decision in running text beyond a bracket, before it or behind it."""

import pytest

from fundstelle.citations.decisions.apart import add_what_is_apart
from fundstelle.citations.find import find

CITED = "Urteil vom 12. Mai 2021 - VI ZR 1/21"


def read(text: str) -> str:
    [found] = find(text)
    return add_what_is_apart(text, found, 0, len(text)).text


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("BGH, Urteil vom 12.5.2021 (Az. VI ZR 1/21), Rn. 9.", None),
        (f"BGH ({CITED}), Rn. 9.", None),
        (f"Das meint der BGH ({CITED}).", f"BGH ({CITED})"),
        (f"(BGH, {CITED}) Rn. 9.", None),
        (f"[BGH, {CITED}], juris Rn. 9 ff.", f"[BGH, {CITED}], juris Rn. 9 ff."),
        (f"BGH, {CITED} (Hundebiss), Rn. 9.", None),
        (f"BGH, {CITED} (Hundebiss): Rn. 9, 11 und 13.", None),
        ("Rn. 9 des Urteils des BGH vom 12. Mai 2021 - VI ZR 1/21.", None),
        (f"vgl. Rn. 9 bis 11 in BGH, {CITED}.", f"Rn. 9 bis 11 in BGH, {CITED}"),
        (f"BGH, {CITED}, Rn. 2; 9.", None),
        (f"BGH, {CITED}, Rn. 2; 9, 11", None),
    ],
)
def test_what_is_apart_is_read_with_it(text: str, whole: str | None) -> None:
    assert read(text) == (whole or text.removesuffix("."))


@pytest.mark.parametrize(
    "text",
    [
        f"BGH, {CITED}",
        f"So ist es (BGH, {CITED}).",
        f"Muster, Kommentar (wie BGH, {CITED}), Rn. 9",
        f"Muster, Kommentar (BGH, {CITED}), Rn. 9",
        f"BGH, {CITED} (a. A. Muster), Rn. 9",
        f"Es gilt. (BGH, {CITED}) Das stimmt.",
        f"Muster, Rn. 9 zu BGH, {CITED}",
        f"das LG Bonn (BGH, {CITED})",
        f"BGH, {CITED}, Rn. 2; 19. Oktober",
        f"BGH, {CITED}, Rn. 2; 19 Hunde",
        f"BGH, {CITED}, und Rn. 9",
    ],
)
def test_what_may_be_of_another_source_is_not(text: str) -> None:
    [found] = find(text)
    assert read(text) == found.text

"""A place in a decision by its headings or pages leads nowhere, and is said to be unread."""

import pytest

from tests.unit.lookup.verdicts.test_alone import CASE, judge_alone, judge_in_draft


@pytest.mark.parametrize(
    "place",
    [
        *(" - zu XII 99 der Gründe", " - II 1 der Gründe", " - Gründe II 1", " - 99"),
        *(", S. 99", ", S. 99 ff.", " (S. 99)", ", UA S. 99", ", Umdruck S. 99", ", BA, S. 99"),
        *(", S. 99 des Urteilsabdrucks", " - S 99", ", juris S. 99", ", Rn. 2, S. 99", ", p. 99"),
        *(", 7. Leitsatz", ", Leitsatz 7", ", LS. 7", ", erster Leitsatz", ", 1. und 2. Ls."),
        *(", Orientierungssatz 7", ", Leitsätze 7 und 8", ", Absatz 99", ", Absatz-Nr. 99"),
        *(" - Seite 99", ", unter II.2", " unter II 2 b aa", " [12]", ", zu II 2 der Gründe"),
    ],
)
def test_a_place_by_headings_or_pages_is_not_passed_over(place: str) -> None:
    assert judge_alone(f"BGH, {CASE}{place}")[0] == "unclear"
    assert judge_in_draft(f"BGH, {CASE}{place}")[0] == "unclear"


@pytest.mark.parametrize(
    "behind",
    [
        *(" unter 3 Voraussetzungen", " zu 2 Hunden", " unter II ZR 5/20", " - Hundebiss"),
        *(", NJW 2021, S. 99", ", XYZ 2021, S. 99", "; Muster, Handbuch, S. 99", ", Leitsatz"),
        *(" und S. 5 der Klage", ", Absatz 1 des § 4 MusterG", " zu Abs. 1"),
        *(" - 99 Hunde", " zu Hunden", " und unter Hunden"),
    ],
)
def test_what_only_looks_like_a_place_leaves_it_as_it_is(behind: str) -> None:
    assert judge_in_draft(f"BGH, {CASE}{behind} gilt")[0] == "ok"


def test_a_randnummer_behind_the_bracket_of_another_source_is_not_read() -> None:
    assert judge_in_draft(f"Muster, Kommentar (wie BGH, {CASE}), Rn. 99")[0] == "unclear"

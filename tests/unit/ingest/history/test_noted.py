"""The day that a note names for a new text, and the looks bear out."""

from datetime import date

import pytest

from fundstelle.ingest.history.noted import find_noted_day

WITHOUT, FIRST = date(2023, 12, 27), date(2024, 1, 3)


@pytest.mark.parametrize(
    ("notes", "day"),
    [
        (
            ["(+++ § 4: Inkraft gem. Art. 9 Abs. 7 G v. 12.12.2019 I 1 mWv 1.1.2024 +++)"],
            (2024, 1, 1),
        ),
        (
            ["§ 4 Abs. 1 (Kursivdruck): IdF d. Art. 1 Nr. 4 G v. 2.10.2023 I Nr. 1 mWv 1.1.2024"],
            (2024, 1, 1),
        ),
        (
            [
                "§ 4: IdF d. Art. 1 G v. 2.10.2019 mWv 1.1.2020, d. Art. 2 G mWv 1.1.2023",
                "§ 4: idF d. Art. 3 G v. 2.10.2023 mWv 1.1.2024",
            ],
            (2024, 1, 1),
        ),
        (["§ 4: Eingef. durch Art. 1 G v. 2.10.2023 I Nr. 1 mWv 3.1.2024"], (2024, 1, 3)),
        (["§ 4: IdF d. Art. 1 G v. 2.10.2023 I Nr. 1 mWv 27.12.2023"], None),
        (["§ 4: IdF d. Art. 1 G v. 2.10.2023 I Nr. 1 mWv 1.2.2024"], None),
        (["§ 4: IdF d. Art. 1 G mWv 1.1.2024", "§ 4: IdF d. Art. 2 G mWv 2.1.2024"], None),
        (["§ 4: Land - Abweichung durch LandesG; § 4 idF d. G v. 1.1.1990 mWv 1.1.2024"], None),
        (["(+++ § 4: Änderungsanweisung gem. Art. 1 mWv 1.1.2024 ist nicht ausführbar +++)"], None),
        (["§ 4: IdF d. Art. 1 G v. 2.10.2023 mWv 32.1.2024"], None),
        ([], None),
    ],
)
def test_a_note_is_believed_between_the_two_looks(
    notes: list[str], day: tuple[int, int, int] | None
) -> None:
    assert find_noted_day(notes, WITHOUT, FIRST) == (date(*day) if day else None)


def test_between_distant_looks_a_note_may_be_about_one_change_of_several() -> None:
    note = "§ 4: IdF d. Art. 1 G v. 2.10.2023 I Nr. 1 mWv 1.1.2024"
    assert find_noted_day([note], date(2023, 3, 31), FIRST) is None

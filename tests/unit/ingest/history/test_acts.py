from dataclasses import replace
from datetime import date

import pytest

from fundstelle.ingest.history.acts import Act, list_acts, read_act
from fundstelle.law.norms import StandNote
from tests.unit.corpus.values import STATUTE

CHANGE = "Änderung durch Art. 9 G v. 20.7.2022"


def read(*notes: tuple[str, str]) -> set[str]:
    return set(list_acts(replace(STATUTE, stand_notes=tuple(StandNote(*note) for note in notes))))


def test_the_acts_that_are_in_the_text_are_listed_as_the_notes_write_them() -> None:
    assert read(
        ("Neuf", "Neugefasst durch Bek. v. 2. 1.2002 I 42, 2909;"),
        ("Stand", "zuletzt geändert durch Art. 4 Abs. 2 G v. 19.7.2024 I Nr. 234"),
        ("Hinweis", "Änderung durch Art. 9a G v. 20.7.2022 I 1237 (Nr. 28) textlich nachgewiesen"),
    ) == {
        "Bek. v. 2.1.2002 I 42",
        "Art. 4 Abs. 2 G v. 19.7.2024 I Nr. 234",
        "Art. 9a G v. 20.7.2022 I 1237",
    }


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("Hinweis", f"{CHANGE} I 1237 mWv 1.1.2023 noch nicht berücksichtigt"),
        ("Sonst", "Änderung durch Art. 50 Nr. 1 G v. 12.12.2019 I 2652 ist nicht ausführbar"),
        ("Aufh", "G aufgeh. durch Art. 58 Nr. 2 G v. 12.12.2019 I 2652 mWv 1.1.2024"),
        ("Stand", "Zuletzt geändert durch Art. 1 V v. 24.2.2022 BAnz AT 28.02.2022 V1"),
    ],
)
def test_what_is_not_in_the_text_or_in_another_gazette_is_left_out(kind: str, text: str) -> None:
    assert read((kind, text)) == set()


@pytest.mark.parametrize(
    ("written", "act"),
    [
        ("Art. 4 G v. 19.7.2024 I Nr. 234", Act(date(2024, 7, 19), "I Nr. 234", "4")),
        ("Art. 4 Abs. 2 G v. 3.1.2022 II 7", Act(date(2022, 1, 3), "II 7", "4", "2")),
        ("Art. 4 Nr. 2 G v. 3.1.2022 I 7", Act(date(2022, 1, 3), "I 7", "4", narrow=True)),
        ("§ 7 G v. 3.1.2022 I 7", Act(date(2022, 1, 3), "I 7", narrow=True)),
        ("G v. 3.1.2022 I 7", Act(date(2022, 1, 3), "I 7")),
        ("G v. 31.2.2022 I 7", None),
        ("nothing of the kind", None),
    ],
)
def test_an_act_is_read(written: str, act: Act | None) -> None:
    assert read_act(written) == act

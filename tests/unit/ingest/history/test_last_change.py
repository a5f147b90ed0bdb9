"""The last change that the notes of a law name."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.ingest.history.last_change import find_last_change
from fundstelle.law.norms import StandNote
from tests.unit.corpus.values import STATUTE

ISSUED = date(2001, 2, 3)


@pytest.mark.parametrize(
    ("notes", "day"),
    [
        ((), ISSUED),
        ((("Stand", "Zuletzt geändert durch Art. 3 Abs. 3 G v. 20.4.2013 I 868"),), (2013, 4, 20)),
        (
            (
                ("Neuf", "Neugefasst durch Bek. v. 2.1.2002 I 42; 2003, 738;"),
                ("Stand", "zuletzt geändert durch Art. 1 G v. 1. 7.2019 I 1"),
                ("Hinweis", "Änderung durch Art. 2 G v. 3.3.2020 mWv 1.1.2021 noch nicht erfasst"),
            ),
            (2021, 1, 1),
        ),
        ((("Stand", "Zuletzt geändert durch ein Gesetz ohne Tag"),), None),
        ((("Stand", "Zuletzt geändert durch Art. 1 G v. 31.2.2013 I 868"),), None),
        ((("Sonst", "Ersetzt das Säumnisgesetz"),), ISSUED),
    ],
)
def test_the_newest_day_of_all_notes_counts(
    notes: tuple[tuple[str, str], ...], day: date | tuple[int, int, int] | None
) -> None:
    said = tuple(StandNote(kind, text) for kind, text in notes)
    statute = replace(STATUTE, issued_on=ISSUED, stand_notes=said)
    wanted = date(*day) if isinstance(day, tuple) else day
    assert find_last_change(statute) == wanted

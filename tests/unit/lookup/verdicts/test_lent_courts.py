"""Dockets that stand alone in a draft which names court and day elsewhere."""

from datetime import date

import pytest

from fundstelle.lookup.library import Library
from fundstelle.lookup.verdicts.check import check_draft
from tests.unit.corpus.decision_values import make_decision
from tests.unit.lookup.decisions.test_texts import HeldDecisions
from tests.unit.lookup.invented import build_library

ON = date(2025, 1, 1)


class Held(HeldDecisions):
    held = (
        make_decision("VG Potsdam", "9 K 37/16", date(2017, 5, 4)),
        make_decision("BVerwG", "7 C 26.16", date(2017, 5, 5)),
    )


PLAIN = build_library()
LIBRARY = Library(PLAIN.store, PLAIN.index, PLAIN.names, Held())


@pytest.mark.parametrize(
    ("before", "short", "verdict"),
    [
        ("VG Potsdam, Urteil vom 4.5.2017 - 9 K 37/16", "9 K 37/16, Rn. 2", "ok"),
        ("VG Potsdam, Urteil vom 4.5.2017 - 9 K 37/16", "9 K 37/16, Rn. 99", "wrong"),
        ("VG Potsdam, Urteil vom 4.5.2017 - 9 K 37/16", "9 K 37/16, Ziff. 3", "unclear"),
        ("VG Potsdam 9 K 37/16", "9 K 37/16", "ok"),
        # held is one of another court, and the court may be misread
        ("VG Köln, Urteil vom 4.5.2017 - 9 K 37/16", "9 K 37/16", "unclear"),
        ("BVerwG, Urteil vom 5.5.2017 - 7 C 26.16", "7 C 26.16, Rn. 2", "ok"),
        ("BGH, Urteil vom 1.2.2003 - I ZR 4/02", "9 K 37/16", "unclear"),
        ("VG Köln 9 K 37/16 und VG Potsdam 9 K 37/16", "9 K 37/16", "unclear"),
        ("§ 4 MusterG", "9 K 37/16", "unclear"),
        ("§ 4 MusterG", "7 C 26.16", "unclear"),
    ],
)
def test_a_docket_alone_is_of_the_court_that_the_draft_names_with_it(
    before: str, short: str, verdict: str
) -> None:
    for text in (f"So {before}. Anders ({short}).", f"Anders ({short}).\n\nSo {before}."):
        found = {
            text[one.start : one.end]: one.verdict for one in check_draft(LIBRARY, text, ON).judged
        }
        assert found[short].verdict == verdict, found

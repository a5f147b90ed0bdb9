"""A number of more digits than Python reads breaks no citation and no draft."""

import pytest

from fundstelle.lookup.verdicts.check import check_draft
from tests.unit.lookup.invented import TODAY, build_library

LONG = "0" * 5_000 + "1"


@pytest.mark.parametrize(
    "written",
    [
        "§ 1 Abs. 1, {} MusterG",
        "§ {} Abs. 1, 2 MusterG",
        "§§ {}, 1 MusterG",
        "§§ 1 Abs. 1, {}, {} MusterG",
        "§§ 1 bis {} MusterG",
        "§ 1 Abs. {} Satz {} MusterG",
        "Art. {} Abs. 1, 3 MusterG",
        "Nrn. {}, 3104 MusterG",
        "§ 1 Nr. {}, {} MusterG",
    ],
)
def test_a_draft_with_a_number_without_end_is_judged(written: str) -> None:
    text = f"Nach {written.replace('{}', LONG)} und § 1 MusterG gilt das."
    found = check_draft(build_library(), text, TODAY)
    assert all(each.verdict.verdict for each in found.judged)

"""Words that are not in the unit cited are looked for in the very provision first."""

import pytest

from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.lookup.comparing.test_framed import FIRST, LIBRARY, check
from tests.unit.lookup.invented import TODAY


@pytest.mark.parametrize("cited", ["Abs. 1 Nr. 1", "Abs. 1 Satz 2", "Abs. 1", "Abs. 3"])
def test_elsewhere_names_the_item_of_the_same_provision_first(cited: str) -> None:
    found = check(cited, f"{FIRST} Nägel verliert")
    assert found.elsewhere[0].citation == "§ 9 Abs. 1 Satz 2 Nr. 3 MusterG"


def test_a_verdict_names_the_item_whose_words_they_are() -> None:
    resolution = resolve(LIBRARY, "§ 9 Abs. 1 Satz 2 Nr. 3 MusterG", TODAY)
    verdict = judge(LIBRARY, resolution, [f"{FIRST} Nägel krumm schlägt"])
    assert verdict.correct == "§ 9 Abs. 1 Satz 2 Nr. 1 MusterG"

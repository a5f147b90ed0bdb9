"""Words that are not in the unit cited are looked for in the very provision first."""

import pytest

from fundstelle.lookup.comparing import elsewhere, wording
from fundstelle.lookup.comparing.effort import Effort
from fundstelle.lookup.comparing.wording import read_quote
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.lookup.comparing.test_framed import FIRST, LIBRARY, check
from tests.unit.lookup.invented import TODAY, build_norm, build_statute

MUSTER = build_statute("MusterG", "Mustergesetz")


@pytest.mark.parametrize("cited", ["Abs. 1 Nr. 1", "Abs. 1 Satz 2", "Abs. 1", "Abs. 3"])
def test_elsewhere_names_the_item_of_the_same_provision_first(cited: str) -> None:
    found = check(cited, f"{FIRST} Nägel verliert")
    assert found.elsewhere[0].citation == "§ 9 Abs. 1 Satz 2 Nr. 3 MusterG"


def test_a_verdict_names_the_item_whose_words_they_are() -> None:
    resolution = resolve(LIBRARY, "§ 9 Abs. 1 Satz 2 Nr. 3 MusterG", TODAY)
    verdict = judge(LIBRARY, resolution, [f"{FIRST} Nägel krumm schlägt"])
    assert verdict.correct == "§ 9 Abs. 1 Satz 2 Nr. 1 MusterG"


def test_what_a_quote_of_tiny_parts_may_look_at_is_bounded_for_all_texts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[int] = []
    is_whole = wording._is_whole

    def count(text: str, start: int, end: int) -> bool:
        looked.append(start)
        return is_whole(text, start, end)

    monkeypatch.setattr(wording, "_is_whole", count)
    around = [build_norm(MUSTER, f"§ {number}") for number in range(1, 400)]
    texts = [elsewhere._Provision(norm, "Nagel Hammer " * 500, TODAY) for norm in around]
    effort = Effort()
    quote = read_quote("a […] " * 300)
    found = elsewhere._Findings(LIBRARY, quote, effort)
    found.look(texts)
    assert found.list() == ()
    assert effort.is_cut
    assert len(looked) < 150_000

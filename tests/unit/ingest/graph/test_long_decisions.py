"""One decision of a source costs no more than grows with its length."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.ingest.graph.citing import _Places
from fundstelle.ingest.graph.concordance import Witness, _share_dockets
from fundstelle.ingest.sources.files import patience
from fundstelle.ingest.sources.files.patience import limited
from fundstelle.law.citations import FoundCitation
from fundstelle.law.decisions import DecisionText

DOCKETS = st.lists(st.frozensets(st.sampled_from("abcdef"), max_size=3), min_size=1, max_size=7)


def make_places(text: str) -> _Places:
    return _Places(DecisionText("de/bgh/x", text, "", (), (), (), len(text), len(text)))


def name(dockets: frozenset[str]) -> Witness:
    return Witness("BGH", dockets, None, None, None, speaks=True)


@given(st.text("ab\n", max_size=30), st.integers(0, 30), st.integers(0, 5))
def test_a_line_is_what_stands_between_two_breaks(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    end = min(start + length, len(text))
    high = text.find("\n", end)
    expected = text.rfind("\n", 0, start) + 1, len(text) if high < 0 else high
    assert make_places(text)._find_line(start, end) == expected


@given(DOCKETS)
def test_witnesses_name_one_decision_if_their_dockets_hang_together(
    named: list[frozenset[str]],
) -> None:
    groups: list[set[str]] = []
    for dockets in named:
        touching = [group for group in groups if group & dockets]
        groups = [group for group in groups if group not in touching]
        groups.append(set(dockets).union(*touching))
    hang_together = len(named) == 1 or (len(groups) == 1 and all(named))
    assert _share_dockets([name(dockets) for dockets in named]) == hang_together


def test_a_chain_of_dockets_and_a_decision_on_one_line_end_soon(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(patience, "MOST_S", 15.0)
    text = "§ 1 Abs. 1 BGB ĊĊĊĊĊĊĊĊ " * 40_000
    places = make_places(text)
    with limited():
        assert _share_dockets([name(frozenset({f"{n}", f"{n + 1}"})) for n in range(40_000)])
        for at in range(0, len(text), 24):
            found = FoundCitation(at, at + 14, text[at : at + 14], targets=())
            assert places.find_around(found)[1] <= at

"""What a denied annex is told of those that there are: how far they go, not the first of them."""

from dataclasses import replace

import pytest

from fundstelle.law.norms import NormKind, Statute
from fundstelle.lookup.answers import Miss
from fundstelle.lookup.misses.reasons import annex_missing
from tests.unit.lookup.invented import build_library, build_norm, build_statute

LAW = build_statute("VielG", "Gesetz mit vielem")


def deny(monkeypatch: pytest.MonkeyPatch, statute: Statute, citation: str, *labels: str) -> Miss:
    library = build_library()
    annexes = [replace(build_norm(statute, "Anlage 1"), label=label) for label in labels]
    monkeypatch.setattr(
        library.store, "list_norms", lambda _, kind: annexes if kind is NormKind.ANNEX else []
    )
    return annex_missing(citation, statute, citation, library)


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "none"), (2, "Anlage 1, Anlage 2"), (40, "40, from Anlage 1 to Anlage 40")],
)
def test_all_are_named_or_how_far_they_go(
    monkeypatch: pytest.MonkeyPatch, count: int, said: str
) -> None:
    labels = [f"Anlage {number}" for number in range(1, count + 1)]
    miss = deny(monkeypatch, LAW, "Anlage 99 VielG", *labels)
    assert miss.reason == f"Anlage 99 VielG does not exist: VielG has {said}."


def test_protocols_are_compared_with_protocols(monkeypatch: pytest.MonkeyPatch) -> None:
    labels = ("PROTOCOL (No 1)", "ANNEX", "PROTOCOL (No 2)")
    english = replace(LAW, language="en")
    miss = deny(monkeypatch, english, "Protokoll 9 VielG", *labels)
    assert miss.reason.endswith("has PROTOCOL (No 1), PROTOCOL (No 2).")
    miss = deny(monkeypatch, english, "Protokoll 9 VielG", "SCHEDULE A")
    assert miss.reason.endswith("has SCHEDULE A.")

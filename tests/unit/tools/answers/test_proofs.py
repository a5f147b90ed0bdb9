"""The proof of a unit: in detailed alone, once for each, and only of builds that have a tree."""

from dataclasses import replace
from typing import Any, cast

from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.store import Inclusion
from fundstelle.law.norms import Fassung
from fundstelle.lookup.answers import Hit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.tools.answers.norms import Details, build_unit, without_segments
from fundstelle.tools.answers.units import ShownNorm
from tests.unit.corpus.decision_values import DECISION
from tests.unit.lookup.decisions.test_texts import HeldDecisions
from tests.unit.tools.fakes import TODAY, FakeStore, build_library

ROOT, SIGNATURE = "ef" * 32, "12" * 64
HELD = Inclusion("{}", 2, ("ab" * 32, "cd" * 32))
PROOF = {
    "root": ROOT,
    "tree_size": 5,
    "leaf_index": 2,
    "leaf": "{}",
    "path": ("ab" * 32, "cd" * 32),
    "signature": SIGNATURE,
}


class Proved:
    """Gives that proof of each text, and notes which it was asked for."""

    def __init__(self) -> None:
        self.asked: list[object] = []

    def find_inclusion(self, text: Fassung | str) -> Inclusion | None:
        self.asked.append(text)
        return HELD


class ProvedDecisions(Proved, HeldDecisions):
    """One decision."""


class ProvedStore:
    """Another store whose build has a tree."""

    def __init__(self, store: FakeStore, **manifest: Any) -> None:
        self._store = store
        self.manifest: Manifest = replace(store.manifest, **manifest)
        self.proved = Proved()
        self.find_inclusion = self.proved.find_inclusion

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)


def prove(**manifest: Any) -> tuple[Library, ProvedStore]:
    library = build_library()
    named = {"root": ROOT, "leaves": 5, "signature": SIGNATURE, **manifest}
    store = ProvedStore(cast("FakeStore", library.store), **named)
    return replace(library, store=cast("Any", store), decisions=ProvedDecisions()), store


def show(library: Library, written: str, *, detailed: bool) -> tuple[ShownNorm, Hit]:
    (hit,) = resolve(library, written, TODAY).hits
    return build_unit(hit, library, 0, 1_000, Details(1_000) if detailed else None)[0], hit


def test_a_detailed_unit_carries_the_proof_of_its_whole_text() -> None:
    library, store = prove()
    shown, hit = show(library, "§ 2 WzLeihG Satz 1", detailed=True)
    assert shown["provenance"]["proof"] == PROOF
    assert store.proved.asked == [getattr(hit, "fassung", None)]


def test_a_detailed_decision_carries_its_proof() -> None:
    library, _ = prove()
    shown, _ = show(library, DECISION.decision_id, detailed=True)
    assert shown["provenance"]["proof"] == PROOF
    assert cast("ProvedDecisions", library.decisions).asked == [DECISION.decision_id]


def test_a_concise_unit_asks_for_no_proof() -> None:
    library, store = prove()
    shown, _ = show(library, "§ 2 WzLeihG", detailed=False)
    assert "proof" not in shown["provenance"]
    assert store.proved.asked == []


def test_a_build_without_a_tree_has_none() -> None:
    library, store = prove(root=None, leaves=0, signature=None)
    shown, _ = show(library, "§ 2 WzLeihG", detailed=True)
    assert "proof" not in shown["provenance"]
    assert store.proved.asked == []


def test_what_nobody_signed_has_no_signature() -> None:
    library, _ = prove(signature=None)
    shown, _ = show(library, "§ 2 WzLeihG", detailed=True)
    assert "signature" not in shown["provenance"]["proof"]


def test_a_unit_that_stands_there_again_has_its_proof_once() -> None:
    library, _ = prove()
    shown, _ = show(library, "§ 2 WzLeihG", detailed=True)
    again = without_segments(shown)
    assert "proof" not in again["provenance"]
    assert again["provenance"]["text_sha256"] == shown["provenance"]["text_sha256"]
    assert shown["provenance"]["proof"] == PROOF

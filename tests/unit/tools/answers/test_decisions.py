"""Rows of decisions: each can be printed, and those of nobody come last."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from fundstelle.corpus.decisions import CitingDecision
from fundstelle.law.decisions import Decision
from fundstelle.search.index import SearchHit
from fundstelle.search.words.snippets import Room
from fundstelle.tools.answers.decisions import describe_citing
from fundstelle.tools.answers.hits import HitRows, Look
from tests.unit.corpus.decision_values import DECISION
from tests.unit.lookup.decisions.test_texts import NAMED, UNNAMED, HeldDecisions
from tests.unit.tools.fakes import build_library

HELD = (UNNAMED, DECISION)


class Numbered(HeldDecisions):
    """Two decisions behind the norms of the index."""

    base = 100

    def get_by_ordinal(self, ordinals: Sequence[int]) -> list[Decision]:
        return [HELD[ordinal] for ordinal in ordinals]


LIBRARY = replace(build_library(), decisions=Numbered())


def test_a_decision_of_nobody_ranks_behind_the_others_and_norms_keep_their_places() -> None:
    hits = [SearchHit(100, 3.0), SearchHit(0, 2.0), SearchHit(101, 1.0)]
    look = Look("Hund", Room(), detailed=False)
    rows = HitRows(LIBRARY)
    hits = rows.place_unnamed(hits)
    named, norm, unnamed = rows.describe(hits, date(2025, 6, 1), look)

    assert (named["citation"], "citable" in named) == (DECISION.citation, False)
    assert norm["norm_id"] not in {one.decision_id for one in HELD}
    assert (unnamed["citation"], unnamed["citable"]) == (UNNAMED.citation, False)


def test_every_citing_decision_can_be_printed() -> None:
    found = [CitingDecision(one, NAMED, 1) for one in (DECISION, UNNAMED)]
    first, second = describe_citing(LIBRARY, found, detailed=False)

    assert (first["citation"], "citable" in first) == (DECISION.citation, False)
    assert (second["citation"], second["citable"]) == (UNNAMED.citation, False)

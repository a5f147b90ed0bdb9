"""What makes a first hit sure: that it is far in front, and holds the words of the question."""

import pytest

from fundstelle.search.index import LEARNED, LEXICAL, SearchHit, SearchResult
from fundstelle.tools.answers.confidence import Confidence, Lead, judge

TEXT = "Beendigung des Mietverhältnisses: Der Vermieter kündigt schriftlich."
ASKED = "Vermieter Kündigung Mietverhältnis"


def lead(*scores: float, learned: bool = True, fused: bool = False) -> Lead:
    hits = tuple(SearchHit(at, score) for at, score in enumerate(scores))
    stages = (LEXICAL, LEARNED) if learned else (LEXICAL,)
    return Lead.measure(SearchResult(hits, len(hits), {}, stages), is_fused=fused)


@pytest.mark.parametrize(
    ("found", "asked", "confidence"),
    [
        (lead(17.0, 15.0), ASKED, "high"),
        (lead(17.0, 15.5), ASKED, "medium"),
        (lead(17.0, 16.99), ASKED, "low"),
        (lead(17.0), ASKED, "high"),
        (lead(17.0, 15.0), "Vermieter Kündigung", "medium"),  # names a field, asks nothing of it
        (lead(17.0, 13.5), "Vermieter Kündigung", "high"),
        (lead(17.0), "Vermieter Kündigung", "high"),
        (lead(17.0, 15.0), "Vermieter Hund", "medium"),
        (lead(17.0, 15.0), "Hund Katze Vogel", "low"),
        (lead(17.0, 15.0), "", "low"),
        (lead(9.0, 1.0, learned=False), ASKED, "medium"),
        (lead(0.5, 0.4, fused=True), ASKED, "high"),
        (lead(0.5, 0.48, fused=True), ASKED, "medium"),
        (lead(0.5, 0.5, fused=True), ASKED, "low"),
        (lead(), ASKED, "low"),
    ],
)
def test_the_lead_and_the_words_make_it_sure(found: Lead, asked: str, confidence: str) -> None:
    assert judge(found, [asked], TEXT) == confidence


def test_any_of_several_texts_may_be_the_one_that_fits() -> None:
    assert judge(lead(0.5, 0.4, fused=True), ["Chef wirft raus", ASKED], TEXT) == "high"


def test_a_decision_in_front_is_never_more_than_medium() -> None:
    assert judge(lead(17.0, 1.0), [ASKED], None) is Confidence.MEDIUM

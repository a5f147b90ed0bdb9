"""What a publisher says beside its texts stands whole in answers, so it has bounds."""

from dataclasses import replace

import pytest

from fundstelle.corpus.manifest import Rejected
from fundstelle.errors import RejectedFile
from fundstelle.ingest.lengths import LONGEST_NAME, MOST_NOTES
from fundstelle.ingest.reading import PackedDecision, pack
from fundstelle.ingest.records import ParsedAct, ParsedDecision
from tests.unit.corpus.decision_values import DECISION, make_text
from tests.unit.ingest.gii_laws import heading, norm, parse

LONG = "x" * (LONGEST_NAME + 1)
NOTES = f"<fussnoten><Content><P>{'x' * (MOST_NOTES + 1)}</P></Content></fussnoten>"


@pytest.mark.parametrize(
    "norms",
    [
        [norm("§ 1", "<P>Eins.</P>", titel=LONG)],
        [heading("010", "Teil 1", LONG), norm("§ 1", "<P>Eins.</P>")],
        [norm("§ 1", "<P>Eins.</P>").replace("</textdaten>", f"{NOTES}</textdaten>")],
    ],
    ids=["title", "heading", "notes"],
)
def test_a_law_with_endless_names_or_notes_is_refused(norms: list[str]) -> None:
    with pytest.raises(RejectedFile, match="beside a text has 20"):
        parse(norms)


def test_a_law_with_an_endless_name_of_its_own_is_refused() -> None:
    head = f"<jurabk>MusterG</jurabk><langue>{LONG}</langue>"
    with pytest.raises(RejectedFile, match="beside a text"):
        parse([norm("§ 1", "<P>Eins.</P>")], head)


def test_long_names_and_long_texts_stay() -> None:
    title = "x" * (LONGEST_NAME // 2)
    held = parse([norm("§ 1", f"<P>{LONG}</P>", titel=title)])
    assert [one.title for one, _ in held.norms][-1] == title


def test_an_act_and_a_decision_with_endless_names_are_refused() -> None:
    held = parse([norm("§ 1", "<P>Eins.</P>")])
    whole = ParsedAct(held.statute, tuple((one, (words,)) for one, words in held.norms))
    assert pack(whole) is whole
    assert isinstance(pack(replace(whole, statute=replace(held.statute, title=LONG))), Rejected)
    text = make_text(DECISION, "Der Drache haftet.")
    decision = ParsedDecision(DECISION, text)
    assert isinstance(pack(decision), PackedDecision)
    refused = pack(replace(decision, decision=replace(DECISION, title=LONG)))
    assert isinstance(refused, Rejected)
    assert refused.name == DECISION.sources[0].publisher_id

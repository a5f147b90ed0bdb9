"""The invented corpora of the benches: the same for the same number, of the shape of the real."""

from benches.scale.generator import make_decision, make_head
from benches.scale.shapes import CHARACTERS

from fundstelle.citations.find import find
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.courts import rii
from fundstelle.law.citations import DecisionCitation

COUNT = 12


def test_a_decision_is_made_from_its_number_alone() -> None:
    one = make_decision(7, 1_000)
    make_decision(8, 1_000)
    assert make_decision(7, 1_000) == one
    assert make_decision(8, 1_000) != one


def test_no_two_decisions_have_one_docket_of_a_court() -> None:
    heads = [make_head(number) for number in range(20_000)]
    names = {(head.court, head.place, head.docket) for head in heads}
    assert len(names) == len(heads)


def test_what_is_made_is_read_as_decisions_that_cite_each_other() -> None:
    parsed = [
        rii.parse(SourceFile(f"rii/{number}.xml", "rii", make_decision(number, COUNT)))
        for number in range(COUNT)
    ]
    dockets = {docket for one in parsed for docket in one.decision.dockets}
    assert len(dockets) == COUNT
    found = [citation for one in parsed for citation in find(one.text.text)]
    characters = sum(len(one.text.text) for one in parsed)
    assert CHARACTERS[1] * COUNT < characters < CHARACTERS[-1] * COUNT
    assert 1 < len(found) * 1_000 / characters < 6
    cited = {
        target.docket
        for citation in found
        for target in citation.targets
        if isinstance(target, DecisionCitation)
    }
    assert cited & dockets

"""One decision from two publishers is one record; two decisions stay two."""

from dataclasses import replace
from datetime import date
from itertools import permutations

from fundstelle.ingest.records import ParsedDecision
from fundstelle.ingest.sources.decision_text.merge import (
    merge_decisions,
    merge_records,
    update_record,
)
from fundstelle.law.decisions import DecisionSource, DecisionType
from tests.unit.corpus.decision_values import DECISION, make_decision, make_text

DAY = date(2020, 5, 2)


def parsed(source: str, text: str, **changes: object) -> ParsedDecision:
    made = make_decision("LG Köln", "2 O 3/20", DAY)
    made = replace(made, sources=(DecisionSource(source, source, None),))
    made = replace(made, **changes)  # type: ignore[arg-type]
    return ParsedDecision(made, make_text(made, text))


def test_records_of_one_decision_merge_and_the_fuller_text_stays() -> None:
    short = parsed("ifg", "Kurz.", title="Ein Titel", panel=None)
    long = parsed("old", "Viel länger als kurz.", panel="2. Kammer", norms=None)
    (merged,) = merge_decisions([short, long])
    assert merged.text.text == long.text.text
    assert [source.source_type for source in merged.decision.sources] == ["old", "ifg"]
    assert (merged.decision.title, merged.decision.panel) == ("Ein Titel", "2. Kammer")
    assert merged.text.decision_id == merged.decision.decision_id


def test_an_ecli_of_either_record_becomes_the_id() -> None:
    ecli = "ECLI:DE:LGK:2020:0502.2O3.20.00"
    plain, named = (
        parsed("ifg", "Viel länger."),
        parsed("nrw", "Kurz.", ecli=ecli, decision_id=ecli),
    )
    for order in ([plain, named], [named, plain]):
        (merged,) = merge_decisions(order)
        assert merged.decision.decision_id == merged.decision.ecli == ecli
        assert merged.text.decision_id == ecli
        assert merged.text.text == plain.text.text


def test_an_abridged_text_gives_way_even_if_it_is_longer() -> None:
    cut = parsed("a", "Sehr viel längerer Text.", text_complete=False)
    (merged,) = merge_decisions([cut, parsed("b", "Ganz.")])
    assert merged.decision.text_complete
    assert "Ganz." in merged.text.text


def test_the_text_of_a_court_stays_however_long_a_copy_is() -> None:
    """Whoever makes a copy may write anything under the ECLI of a court."""
    ecli = "ECLI:DE:BVerfG:2020:rk20200502.1bvr000120"
    named = {"ecli": ecli, "decision_id": ecli}
    own = parsed("rii", "Eigen.", court="BVerfG", **named)
    copy = parsed("old", "Sehr viel längerer Text.", court="AG Köln", **named)
    for order in ([own, copy], [copy, own]):
        (merged,) = merge_decisions(order)
        assert (merged.text.text, merged.decision.court) == (own.text.text, "BVerfG")


def test_several_decisions_under_one_docket_stay_apart() -> None:
    judgment = parsed("a", "Urteil.")
    order = parsed("a", "Beschluss.", decision_type=DecisionType.BESCHLUSS, decision_id="de/2")
    later = parsed("a", "Später.", issued_on=date(2021, 1, 1), decision_id="de/3")
    other = parsed("a", "Anderswo.", court="LG Bonn", decision_id="de/4")
    undated = parsed("a", "Ohne Tag.", issued_on=None, decision_id="de/5")
    every = [judgment, order, later, other, undated]
    assert merge_decisions(every) == every


def test_two_eclis_never_merge_whatever_lies_between() -> None:
    first = parsed("a", "Eins.", ecli="ECLI:X:1", decision_id="ECLI:X:1")
    second = parsed("b", "Zwei.", ecli="ECLI:X:2", decision_id="ECLI:X:2")
    neither = parsed("c", "Drei.")
    assert len(merge_decisions([first, second, neither])) == 2
    assert len(merge_decisions([neither, first, second])) == 2
    assert {p.decision.ecli for p in merge_decisions([first, neither, second])} == {
        "ECLI:X:1",
        "ECLI:X:2",
    }


def test_one_docket_in_common_is_enough_however_it_is_spelt() -> None:
    one = parsed("a", "Eins.", dockets=("2 O 3/20", "2 O 4/20"))
    two = parsed("b", "Zwei mehr.", dockets=("2 o 4.20", "2 O 5/20"), decision_id="de/b")
    (merged,) = merge_decisions([one, two])
    assert merged.decision.dockets == ("2 o 4.20", "2 O 5/20", "2 O 3/20")
    assert merge_decisions([ParsedDecision(DECISION, make_text(DECISION, "x"))])
    assert merge_decisions([]) == []


class CountedEcli(str):
    """An ECLI that knows how often ECLIs were compared."""

    __slots__ = ()
    compared = 0

    def casefold(self) -> str:
        CountedEcli.compared += 1
        return super().casefold()


def test_many_decisions_under_one_docket_are_compared_once_each() -> None:
    CountedEcli.compared = 0
    eclis = [CountedEcli(f"ECLI:X:{number}") for number in range(60)]
    records = [parsed("a", "Text.", ecli=ecli, decision_id=ecli) for ecli in eclis]
    assert merge_decisions(records) == records
    assert CountedEcli.compared == len(records)


def test_a_record_that_names_the_dockets_of_several_takes_none_of_them_away() -> None:
    """Whichever comes first, and whether or not some of them have an ECLI."""
    apart = [
        parsed("a", "Eins.", decision_id="de/1"),
        parsed("b", "Zwei.", dockets=("9 O 9/20",), decision_id="de/9"),
        parsed("c", "Drei.", dockets=("8 O 8/20",), ecli="ECLI:X:8", decision_id="ECLI:X:8"),
    ]
    dockets = ("2 O 3/20", "9 O 9/20", "8 O 8/20")
    every = parsed("d", "Von allen und viel länger.", dockets=dockets, decision_id="de/all")
    for order in permutations([*apart, every]):
        assert set(merge_decisions(order)) == {*apart, every}


def test_joined_cases_of_which_all_records_name_one_docket_are_one_decision() -> None:
    records = [
        parsed("a", "Eins.", decision_id="de/1"),
        parsed("b", "Beide.", dockets=("2 O 3/20", "9 O 9/20"), decision_id="de/2"),
        parsed("c", "Auch beide.", dockets=("9 O 9/20", "2 O 3/20"), decision_id="de/3"),
    ]
    for order in permutations(records):
        (merged,) = merge_decisions(order)
        assert set(merged.decision.dockets) == {"2 O 3/20", "9 O 9/20"}


def test_what_is_issued_anew_comes_first_unless_it_is_worse() -> None:
    """A headnote alone takes no place of a whole decision, nor does another publisher's record."""
    old = parsed("rii", "Falsch und lang genug.", sources=(DecisionSource("rii", "JURE1", None),))
    new = parsed("rii", "Kurz.", sources=(DecisionSource("rii", "KORE1", None),))
    headnote = replace(new, decision=replace(new.decision, text_complete=False))
    other = parsed("bayern", "Mittellang.")
    assert merge_records([old, new], [1, 0]).text.text.endswith("Kurz.")
    assert merge_records([old, new], [0, 0]).text.text.endswith("Falsch und lang genug.")
    assert merge_records([old, headnote], [1, 0]).text.text.endswith("Falsch und lang genug.")
    assert merge_records([old, other], [1, 0]).text.text.endswith("Falsch und lang genug.")
    assert merge_records([old, new, other], [1, 0, 2]).text.text.endswith("Mittellang.")


def test_what_is_held_is_put_together_with_what_is_read_as_if_both_were_read() -> None:
    """Records of other publishers, and another document of the same one, which is older."""
    ecli = "ECLI:X:1"
    new = parsed("rii", "Kurz.", sources=(DecisionSource("rii", "KORE1", None),))
    other = parsed("neuris", "Lang, und vom neuen Portal.", ecli=ecli, decision_id=ecli)
    second = parsed("rii", "Etwas länger.", sources=(DecisionSource("rii", "KORE2", None),))
    for old in permutations([other, second]):
        updated = update_record(new, old)
        assert updated == merge_records([new, *old], [0, 1, 1])
        assert updated.text.text.endswith("Kurz.")
    before = parsed("rii", "Alt und lang genug.", sources=new.decision.sources, title="Alt")
    assert update_record(new, [before]) == new

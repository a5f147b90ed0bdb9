"""Which decision a page is: what stands beside it, and whether all say the same."""

from datetime import date

import pytest

from fundstelle.citations.find import find
from fundstelle.ingest.graph.concordance import CitedRow, Known, Witness, agree, find_places
from fundstelle.law.decisions import DecisionText, Part, PartKind
from tests.unit.corpus.decision_values import make_decision, make_text

OWN = Witness("LG Köln", frozenset({"2o1.20"}), "2020-01-01", 7, None)
CITING = make_decision("LG Köln", "2 O 1/20", date(2020, 1, 1))


def make_words(words: str, kind: PartKind = PartKind.GRUENDE) -> DecisionText:
    text = make_text(CITING, words)
    return DecisionText(
        text.decision_id,
        words,
        text.text_sha256,
        (Part(kind, None, 0, len(words)),),
        (),
        (),
        len(words),
        len(words),
    )


def read(words: str, kind: PartKind = PartKind.GRUENDE) -> dict[str, set[str] | None]:
    """The pages in ``words`` and the dockets of the decision beside each."""
    rows = [CitedRow(found, (7, place), None) for place, found in enumerate(find(words))]
    places = find_places(rows, make_words(words, kind), OWN)
    return {one.key: set(one.witness.dockets) if one.witness else None for one in places}


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "So BGH, Urteil vom 12. März 2002 - VI ZR 1/01, BGHZ 150, 99 = NJW 2002, 123 Rn. 4.",
            {"bghz 150, 99": {"vizr1.01"}, "njw 2002, 123": {"vizr1.01"}},
        ),
        (
            "BFH-Urteil vom 3. Mai 2010 VII R 3/09, BFHE 1, 2, BStBl II 2011, 3.",
            {"bfhe 1, 2": {"viir3.09"}, "bstbl ii 2011, 3": {"viir3.09"}},
        ),
        (
            "BVerfG, Beschluss vom 1. März 1978 - 1 BvR 174, 178/71 u.a. -, BVerfGE 47, 327 <367>",
            {"bverfge 47, 327": {"1bvr174.71", "1bvr178.71"}},
        ),
        (
            "Urteil des BGH vom 6.6.1979 - VIII ZR 255/78 (BGHZ 74, 379).",
            {"bghz 74, 379": {"viiizr255.78"}},
        ),
        ("BAG 26. Juni 1991 - 1 AZR 7/90 - mwN, BAGE 84, 212", {"bage 84, 212": {"1azr7.90"}}),
        (
            "OVG Hamburg, Urteil vom 2. Mai 2010 - 1 Bf 3/09 -, abgedruckt in NVwZ 2011, 5",
            {"nvwz 2011, 5": {"1bf3.09"}},
        ),
    ],
)
def test_a_page_beside_a_docket_is_that_of_the_decision(
    words: str, expected: dict[str, set[str] | None]
) -> None:
    assert read(words) == expected


@pytest.mark.parametrize(
    "words",
    [
        "BGH, Urteil vom 12. März 2002 - VI ZR 1/01; BGHZ 150, 99",
        "BGH, Urteil vom 12. März 2002 - VI ZR 1/01, Mustermann, NJW 2002, 123",
        "BGH, Urteil vom 12. März 2002 - VI ZR 1/01, OLG Hamm NJW 2002, 123",
        "BGH, Urteil vom 12. März 2002 - VI ZR 1/01.\n\nNJW 2002, 123",
        "BGH, Urteil vom 12. März 2002 - VI ZR 1/01, § 1 BGB, NJW 2002, 123",
        "BGH, Urteil vom 12. März 2002 - VI ZR 1/01, NJW 1999, 123",
        "BGHZ 150, 99",
    ],
)
def test_what_stands_apart_says_nothing_of_a_page(words: str) -> None:
    assert set(read(words).values()) == {None}


def test_a_second_page_of_one_collection_is_another_decision() -> None:
    found = read(
        "BGH, Urteil vom 12. März 2002 - VI ZR 1/01, BGHZ 150, 99, BGHZ 151, 3, NJW 2003, 4"
    )
    assert found == {"bghz 150, 99": {"vizr1.01"}, "bghz 151, 3": None, "njw 2003, 4": None}


@pytest.mark.parametrize(
    "words",
    [
        "EuGH, Urteil vom 1. Juli 2010 - C-52/05 P, Slg. 2010, I-0000",
        "BAG 21. Mai 1992 - 2 AZR 399/91 - AP Nr. 30 zu § 1 KSchG Krankheit",
    ],
)
def test_words_that_many_places_share_are_no_place(words: str) -> None:
    assert read(words) == {}


def test_the_publisher_names_where_the_decision_itself_was_printed() -> None:
    words = (
        "Vorinstanz:\nAG Hof, Beschluss vom 29.03.2022 – 21 XIV 116/22\n"
        "Fundstellen:\nNJOZ 2024, 615\nBeckRS 2023, 2"
    )
    own = {"njoz 2024, 615": {"2o1.20"}, "beckrs 2023, 2": {"2o1.20"}}
    assert read(words, PartKind.HEAD) == own
    assert set(read(words).values()) == {None}


def say(
    *dockets: str,
    court: str | None = "BGH",
    day: str | None = "2002-03-12",
    held: int | None = None,
) -> Witness:
    return Witness(court, frozenset(dockets), day, held, (1, len(dockets)), speaks=True)


@pytest.mark.parametrize(
    ("witnesses", "expected"),
    [
        ([say("a")], Known("BGH", None, (1, 1))),
        ([say("a"), say("a", held=3), say("a", court=None)], Known("BGH", 3, (1, 1))),
        ([say("b"), say("a"), say("a", "b")], Known("BGH", None, (1, 1))),
        ([say("a", day=None), say("a", "b")], Known("BGH", None, (1, 2))),
        ([say("a", court=None)], Known(None, None, (1, 1))),
        ([say("a", court=None, day=None)], None),
        ([say("a"), say("b")], None),
        ([say("a"), say("a", court="BAG")], None),
        ([say("a"), say("a", day="2002-03-13")], None),
        ([say("a", held=1), say("a", held=2)], None),
        ([], None),
    ],
)
def test_a_page_is_known_where_all_say_the_same(
    witnesses: list[Witness], expected: Known | None
) -> None:
    assert agree(witnesses) == expected


def test_a_row_that_names_no_court_is_not_shown_as_evidence() -> None:
    silent = Witness("BGH", frozenset({"a"}), None, None, (1, 1))
    assert agree([silent]) == Known("BGH", None, None)

"""Looking decisions up: by ECLI, docket and Randnummer."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.corpus.decisions import CitedKind, Citing, NamedPage, NoDecisions
from fundstelle.law.citations import ReporterCitation
from fundstelle.law.decisions import (
    UNKNOWN_COURT,
    Decision,
    DecisionSource,
    DecisionText,
    docket_core,
    docket_key,
    print_key,
)
from fundstelle.lookup.answers import DecisionHit, Miss, Outcome
from fundstelle.lookup.comparing.quotes import check_quote
from fundstelle.lookup.decisions.texts import find_opening_end, list_outline, open_decision
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.corpus.decision_values import DECISION, make_decision, make_text
from tests.unit.lookup.invented import build_library

ON = date(2025, 1, 1)
TWINS = [
    make_decision("LG Köln", "2 O 9/18", date(2018, 1, 3)),
    make_decision("LG Bonn", "2 O 9/18", date(2018, 1, 4)),
]
PARAGRAPHS = ("Ein Hund lief.", "Er biss.", "Das war § 1 MusterG.")


NAMED = Citing(
    *(
        TWINS[0].decision_id,
        CitedKind.DECISION,
        None,
        "",
        "BGH, Urteil vom 1. Mai 2003 - I ZR 4/02",
    ),
    *(0, 38, "7", (0, 50)),
    inferred=False,
)
ORDER = make_decision("BAG", "8 AZR 209/21 (B)", date(2022, 7, 1))
LETTERED = make_decision("OLG Bamberg", "10 U 61/23 e", date(2024, 2, 6))
BRACKETED = make_decision("VG Frankfurt", "7 E 1487/07(3)", date(2007, 11, 6))
DOTTED = make_decision("VG Berlin", "2 A 109.08", date(2009, 12, 17))
DOTTED_TWINS = [
    make_decision("VG Berlin", "4 A 7.08", date(2009, 1, 7)),
    make_decision("BVerwG", "4 A 7.08", date(2009, 5, 7)),
]
STRANGE = make_decision("Vergabekammer München", "3194.Z3-3_01-22-49", date(2023, 3, 30))
GAPPED = make_decision("LG Bonn", "8 O 475/10", date(2010, 11, 2))
UNNAMED = replace(
    DECISION,
    decision_id="de/unbekannt/0b9c35fcd8aa",
    court=UNKNOWN_COURT,
    dockets=(),
    issued_on=None,
    ecli=None,
    sources=(DecisionSource("plain", "0b9c35fcd8aa.txt", None),),
)
PAGES = {
    ("BGHZ", "99"): NamedPage(DECISION.decision_id, NAMED),
    ("NJW", "123"): NamedPage(DECISION.decision_id, None),
    ("BGHZ", "7"): NamedPage(None, NAMED),
}


class HeldDecisions(NoDecisions):
    """A few decisions in memory."""

    held = (DECISION, *TWINS, ORDER, UNNAMED, STRANGE, GAPPED, LETTERED, BRACKETED, DOTTED)
    held += tuple(DOTTED_TWINS)

    def find(self, decision_id: str) -> Decision | None:
        names = {one.decision_id.casefold(): one for one in self.held}
        return names.get(decision_id.casefold())

    def list_by_docket(self, docket: str) -> list[Decision]:
        key = docket_key(docket)
        return [one for one in self.held if key in map(docket_key, one.dockets)]

    def list_by_core(self, docket: str) -> list[Decision]:
        key = docket_key(docket)
        return [one for one in self.held if key in map(docket_core, one.dockets)]

    def list_printed(self, citation: str) -> list[Decision]:
        key = print_key(citation)
        return [one for one in self.held if print_key(one.citation) == key]

    def find_page(self, page: ReporterCitation) -> NamedPage | None:
        return PAGES.get((page.reporter, page.page))

    def find_text(self, decision_id: str) -> DecisionText | None:
        decision = self.find(decision_id)
        if decision is None:
            return None
        text = make_text(decision, *PARAGRAPHS)
        return _lose_numbers(text) if decision is GAPPED else text


def _lose_numbers(text: DecisionText) -> DecisionText:
    """Rn. 2, 4 and 7, of which the second ends before the next begins."""
    numbered = zip(text.passages, ("2", "4", "7"), strict=True)
    passages = [replace(passage, number=number) for passage, number in numbered]
    passages[1] = replace(passages[1], end=passages[1].end - 3)
    return replace(text, passages=tuple(passages))


@pytest.fixture(scope="module")
def library() -> Library:
    plain = build_library()
    return Library(plain.store, plain.index, plain.names, HeldDecisions())


def ask(library: Library, written: str) -> Outcome:
    (outcome,) = resolve(library, written, ON).outcomes
    return outcome


@pytest.mark.parametrize(
    "written",
    [
        "ECLI:DE:BGH:2022:150322UVIZR1.21.0",
        "ecli:de:bgh:2022:150322uvizr1.21.0",
        "BGH VI ZR 1/21",
        "VI ZR 2/21",
        "BGH, Urteil vom 15. März 2022 - VI ZR 1/21",
    ],
)
def test_a_decision_answers_to_every_name_of_it(library: Library, written: str) -> None:
    hit = ask(library, written)
    assert isinstance(hit, DecisionHit)
    assert hit.held_id == DECISION.decision_id
    assert hit.citation == "BGH, Urteil vom 15.03.2022 - VI ZR 1/21, VI ZR 2/21"
    assert hit.is_whole


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("BGH VI ZR 1/21 Rn. 2", "Er biss."),
        ("BGH, Urt. v. 15.03.2022 - VI ZR 1/21, RdNr 3", "Das war § 1 MusterG."),
        ("BGH VI ZR 1/21 Rn. 1-2", "Ein Hund lief.\nEr biss."),
    ],
)
def test_a_randnummer_gives_its_words_alone(library: Library, written: str, expected: str) -> None:
    hit = ask(library, written)
    assert isinstance(hit, DecisionHit)
    assert hit.text[hit.start : hit.end] == expected


def test_each_randnummer_of_a_list_is_given(library: Library) -> None:
    outcomes = resolve(library, "BGH VI ZR 1/21 Rn. 1 und 3, 9", ON).outcomes
    hits = [one for one in outcomes if isinstance(one, DecisionHit)]

    assert [hit.text[hit.start : hit.end] for hit in hits] == [
        "Ein Hund lief.",
        "Das war § 1 MusterG.",
    ]
    assert [one.status for one in outcomes if isinstance(one, Miss)] == ["subunit_does_not_exist"]


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("Rn. 2f", ["2 f."]),
        ("Rn. 2f.", ["2 f."]),
        ("Rn. 2 f.", ["2 f."]),
        ("Rn. 1ff.", ["1 ff."]),
        ("Rn. 1, 2f.", ["1", "2 f."]),
        ("Rn. 1 f., 3", ["1 f.", "3"]),
    ],
)
def test_what_follows_a_randnummer_may_be_written_to_it(
    library: Library, written: str, numbers: list[str]
) -> None:
    outcomes = resolve(library, f"BGH VI ZR 1/21, {written}", ON).outcomes
    cited = [each.citation for each in outcomes if isinstance(each, DecisionHit)]
    assert cited == [f"{DECISION.citation}, Rn. {number}" for number in numbers]


@pytest.mark.parametrize("decision", [DECISION, UNNAMED, STRANGE, LETTERED])
@pytest.mark.parametrize("place", [" Rn. 2", ", Rn. 2", ", juris Rn. 2", " Rn. 2 f."])
def test_whatever_names_a_decision_leads_to_its_randnummern(
    library: Library, decision: Decision, place: str
) -> None:
    for name in (decision.decision_id, decision.citation):
        hit = ask(library, f"{name}{place}")
        assert isinstance(hit, DecisionHit)
        assert hit.citation == f"{decision.citation}, Rn. 2{' f.' if place.endswith('f.') else ''}"


def test_joined_cases_give_one_text_once(library: Library) -> None:
    found = resolve(library, "BGH, Urteil vom 15. März 2022 - VI ZR 1/21, VI ZR 2/21, Rn. 2", ON)
    assert [each.citation for each in found.hits] == [f"{DECISION.citation}, Rn. 2"]
    assert found.total == 1


def test_behind_an_id_only_randnummern_are_read(library: Library) -> None:
    for rest in ("Rn. 2 und Unsinn", "Unsinn"):
        miss = ask(library, f"{UNNAMED.decision_id} {rest}")
        assert isinstance(miss, Miss)
        assert miss.status == "not_parseable"


def test_a_range_that_ends_behind_the_last_randnummer_is_a_miss(library: Library) -> None:
    miss = ask(library, "BGH VI ZR 1/21 Rn. 2 bis 9")
    assert isinstance(miss, Miss)
    assert miss.status == "subunit_does_not_exist"


def test_a_randnummer_that_is_not_there_names_the_last_one(library: Library) -> None:
    miss = ask(library, "BGH VI ZR 1/21 Rn. 9")
    assert isinstance(miss, Miss)
    assert miss.status == "subunit_does_not_exist"
    assert "Rn. 1 to 3" in miss.reason


def test_a_randnummer_that_cannot_be_told_is_not_denied(library: Library) -> None:
    miss = ask(library, "LG Bonn 8 O 475/10 Rn. 5")
    assert isinstance(miss, Miss)
    assert miss.status == "not_in_corpus"
    assert "between Rn. 4 and Rn. 7" in miss.reason
    for near in miss.suggestions:
        assert isinstance(ask(library, near.citation), DecisionHit)
    beyond = ask(library, "LG Bonn 8 O 475/10 Rn. 8")
    assert isinstance(beyond, Miss)
    assert beyond.status == "subunit_does_not_exist"


def test_numbers_that_cannot_be_told_are_named(library: Library) -> None:
    whole = ask(library, "LG Bonn 8 O 475/10")
    assert isinstance(whole, DecisionHit)
    assert [one for one in whole.warnings if "1, 3, 5-6." in one]
    complete = ask(library, "BGH VI ZR 1/21")
    assert isinstance(complete, DecisionHit)
    assert not complete.warnings


def test_a_randnummer_that_may_run_on_into_the_next_says_so(library: Library) -> None:
    first, second, last = (ask(library, f"LG Bonn 8 O 475/10 Rn. {number}") for number in (2, 4, 7))
    assert isinstance(first, DecisionHit)
    assert isinstance(second, DecisionHit)
    assert isinstance(last, DecisionHit)
    assert "Where Rn. 3 begins" in " ".join(first.warnings)
    assert not second.warnings  # what follows it belongs to no Randnummer
    assert not last.warnings


def test_one_docket_at_two_courts_is_ambiguous_with_candidates(library: Library) -> None:
    miss = ask(library, "2 O 9/18")
    assert isinstance(miss, Miss)
    assert miss.status == "ambiguous"
    assert {one.norm_id for one in miss.suggestions} == {one.decision_id for one in TWINS}


def test_the_court_decides_between_namesakes(library: Library) -> None:
    hit = ask(library, "LG Köln, 2 O 9/18")
    assert isinstance(hit, DecisionHit)
    assert hit.held_id == TWINS[0].decision_id


def test_a_decision_that_is_not_held_is_never_denied(library: Library) -> None:
    miss = ask(library, "BGH VI ZR 99/99")
    assert isinstance(miss, Miss)
    assert miss.status == "not_in_corpus"


def test_the_outline_names_parts_with_their_randnummern() -> None:
    text = make_text(DECISION, *PARAGRAPHS)
    leitsatz, reasons = list_outline(text)
    assert (leitsatz.label, leitsatz.first_passage) == ("Leitsatz", None)
    assert (reasons.label, reasons.first_passage, reasons.last_passage) == ("Gründe", "1", "3")
    assert leitsatz.size + reasons.size == len(text.text)
    assert find_opening_end(text) == leitsatz.size


@pytest.mark.parametrize(
    ("written", "note"),
    [
        ("BGHZ 150, 99", "so cited in LG Köln, Urteil vom 03.01.2018 - 2 O 9/18, Rn. 7"),
        ("BGH NJW 2023, 123", "its publisher says so"),
    ],
)
def test_a_page_that_is_known_gives_the_decision_and_says_how(
    library: Library, written: str, note: str
) -> None:
    answer = resolve(library, written, ON)
    (hit,) = answer.hits
    assert hit.held_id == DECISION.decision_id
    assert any(one.endswith(f"was read as {hit.citation}: {note}") for one in answer.normalised)


def test_parallel_citations_give_one_decision(library: Library) -> None:
    answer = resolve(library, "BGH, VI ZR 1/21, BGHZ 150, 99 = NJW 2023, 123 Rn. 2", ON)
    (hit,) = answer.outcomes
    assert isinstance(hit, DecisionHit)
    assert hit.text[hit.start : hit.end] == "Er biss."
    assert answer.total == 1


def test_a_page_of_a_decision_not_held_names_it_and_who_cites_it_so(library: Library) -> None:
    miss = ask(library, "BGHZ 151, 7")
    assert isinstance(miss, Miss)
    assert miss.status == "not_in_corpus"
    assert miss.reason == (
        "BGHZ 151, 7 is not in this corpus, but cited as BGH vom 01.05.2003 - I ZR 4/02:"
        " so cited in LG Köln, Urteil vom 03.01.2018 - 2 O 9/18, Rn. 7."
    )
    assert [(one.citation, one.norm_id) for one in miss.suggestions] == [
        ("BGH vom 01.05.2003 - I ZR 4/02", None),
        ("LG Köln, Urteil vom 03.01.2018 - 2 O 9/18, Rn. 7", TWINS[0].decision_id),
    ]


def test_a_page_of_another_court_is_a_suggestion_and_no_answer(library: Library) -> None:
    miss = ask(library, "BAG NJW 2023, 123")
    assert isinstance(miss, Miss)
    assert "which is not a decision of BAG" in miss.reason
    assert [one.norm_id for one in miss.suggestions] == [DECISION.decision_id]


def test_a_page_that_nobody_names_beside_a_docket_stays_a_miss(library: Library) -> None:
    miss = ask(library, "BGHZ 1, 2")
    assert isinstance(miss, Miss)
    assert miss.status == "not_in_corpus"
    assert not miss.suggestions


@pytest.mark.parametrize("decision", HeldDecisions.held)
@pytest.mark.parametrize("place", ["", ", Rn. 2"])
def test_what_is_printed_of_a_decision_leads_back_to_it(
    library: Library, decision: Decision, place: str
) -> None:
    hits = {hit.held_id for hit in resolve(library, decision.citation + place, ON).hits}
    assert hits == {decision.decision_id}


def test_a_docket_that_goes_on_is_taken_where_court_and_day_say_so(library: Library) -> None:
    hit = ask(library, "BAG, Beschluss vom 01.07.2022 - 8 AZR 209/21")
    assert isinstance(hit, DecisionHit)
    assert hit.held_id == ORDER.decision_id


def test_the_order_before_the_judgment_is_only_pointed_to(library: Library) -> None:
    miss = ask(library, "BAG 8 AZR 209/21")
    assert isinstance(miss, Miss)
    assert miss.status == "not_in_corpus"
    assert [one.norm_id for one in miss.suggestions] == [ORDER.decision_id]


@pytest.mark.parametrize(
    ("written", "held"),
    [
        ("OLG Bamberg 10 U 61/23 e", LETTERED),
        ("OLG Bamberg 10 U 61/23e", LETTERED),
        ("OLG Bamberg, Beschluss vom 06.02.2024 - 10 U 61/23 e", LETTERED),
        ("VG Frankfurt 7 E 1487/07(3)", BRACKETED),
        ("BAG 8 AZR 209/21 (B)", ORDER),
    ],
)
def test_a_docket_is_found_by_what_stands_behind_its_year(
    library: Library, written: str, held: Decision
) -> None:
    hit = ask(library, written)
    assert isinstance(hit, DecisionHit), hit
    assert hit.held_id == held.decision_id


@pytest.mark.parametrize("written", ["10 U 61/23", "10 U 61/23 ein", "OLG Köln 10 U 61/23 e"])
def test_another_end_or_court_is_not_that_docket(library: Library, written: str) -> None:
    assert isinstance(ask(library, written), Miss)


def test_a_dot_in_a_docket_alone_does_not_make_it_one_of_the_bverwg(library: Library) -> None:
    found = ask(library, "2 A 109.08")
    assert isinstance(found, Miss)
    assert [one.norm_id for one in found.suggestions] == [DOTTED.decision_id]
    missed = ask(library, "9 A 9.99")
    assert isinstance(missed, Miss)
    assert "BVerwG" not in missed.reason
    for written, court in (("BVerwG 2 A 109.08", "BVerwG"), ("BVerwG 9 A 9.99", "BVerwG")):
        missed = ask(library, written)
        assert isinstance(missed, Miss)
        assert court in missed.reason


SHARED = [
    ("VG Potsdam", "9 K 37/16"),
    ("FG Köln", "3 K 37/16"),
    ("OVG Nordrhein-Westfalen", "13 A 846/15"),
    ("VGH Bayern", "8 ZB 16.123"),
    ("OLG Celle", "14 U 37/16"),
    ("OLG Hamm", "4 RVs 37/16"),
    ("LG Kiel", "2 O 37/16"),
    ("LG Kiel", "1 KLs 37/16"),
    ("AG Kiel", "107 C 37/16"),
    ("AG Kiel", "7 F 37/16"),
    ("SG Kiel", "S 12 AS 37/16"),
    ("LSG Hamburg", "L 11 AS 37/16 B ER"),
    ("ArbG Bonn", "3 Ca 37/16"),
    ("LAG Hamm", "11 Sa 37/16"),
    ("BVerwG", "7 C 26.16"),
]
OF_ONE_COURT = [
    ("BGH", "VI ZR 78/16"),
    ("BGH", "5 StR 7/16"),
    ("BGH", "AnwZ (Brfg) 7/16"),
    ("BVerfG", "1 BvR 1/20"),
    ("EuGH", "C-311/18"),
    ("EuG", "T-7/18"),
    ("BAG", "2 AZR 7/16"),
    ("BFH", "VI R 7/16"),
    ("BSG", "B 14 AS 7/16 R"),
    ("BPatG", "25 W (pat) 7/16"),
    ("BVerwG", "1 CN 7.16"),
    ("VerfGH Bayern", "Vf. 7-VII-20"),
]
BY_DOCKET = [*SHARED, *OF_ONE_COURT]


class ByDocket(HeldDecisions):
    """One decision of each form of Aktenzeichen."""

    held = tuple(make_decision(*each, date(2021, 5, 4)) for each in BY_DOCKET)


@pytest.fixture(scope="module")
def by_docket() -> Library:
    plain = build_library()
    return Library(plain.store, plain.index, plain.names, ByDocket())


@pytest.mark.parametrize(("court", "docket"), SHARED)
def test_a_docket_that_many_courts_give_is_no_hit_alone(
    by_docket: Library, court: str, docket: str
) -> None:
    for written in (docket, f"Vgl. {docket}, Rn. 2", f"Beschluss - {docket}"):
        miss = ask(by_docket, written)
        assert isinstance(miss, Miss), written
        assert miss.status == "ambiguous"
        assert court in miss.reason
        [one] = miss.suggestions
        assert isinstance(ask(by_docket, one.citation), DecisionHit)
    for written in (f"{court} {docket}", f"Urteil vom 4.5.2021 - {docket}"):
        assert isinstance(ask(by_docket, written), DecisionHit), written


@pytest.mark.parametrize("docket", [docket for _, docket in OF_ONE_COURT])
def test_a_docket_that_one_court_alone_gives_is_that_decision(
    by_docket: Library, docket: str
) -> None:
    for written in (docket, f"Vgl. {docket}, Rn. 2"):
        assert isinstance(ask(by_docket, written), DecisionHit), written


def test_a_dotted_docket_of_several_courts_is_ambiguous_without_one(library: Library) -> None:
    miss = ask(library, "4 A 7.08")
    assert isinstance(miss, Miss)
    assert miss.status == "ambiguous"
    assert len(miss.suggestions) == len(DOTTED_TWINS)
    hit = ask(library, "BVerwG 4 A 7.08")
    assert isinstance(hit, DecisionHit)
    assert hit.held_id == DOTTED_TWINS[1].decision_id


def test_of_a_decision_of_nobody_collection_and_number_are_printed() -> None:
    assert UNNAMED.citation == "Urteil unbekannten Gerichts (Sammlung plain, Nr. 0b9c35fcd8aa)"
    assert not UNNAMED.is_citable
    assert DECISION.is_citable


@pytest.mark.parametrize("part", ["issued_on", "dockets"])
def test_without_day_or_docket_a_decision_cannot_be_cited(part: str) -> None:
    without = {
        "issued_on": replace(DECISION, issued_on=None),
        "dockets": replace(DECISION, dockets=()),
    }
    assert not without[part].is_citable


def test_a_doubt_about_what_a_decision_is_stands_with_its_text(library: Library) -> None:
    doubted = replace(DECISION, doubts=("The collection gives another day.",))
    assert open_decision(library, doubted).warnings == doubted.doubts


WHOLE = "BGH, Urteil vom 15. März 2022 - VI ZR 1/21"


@pytest.mark.parametrize(
    "word",
    [
        *("Rn.", "Rn", "RN.", "Rnr.", "RNr.", "Rd.-Nr.", "Rd. Nr.", "Rdn.", "RdNr.", "Randn."),
        *("Rnd.", "Rdz.", "Rz.", "Tz.", "Randnummer", "Randnr.", "Randziffer", "juris Rn."),
    ],
)
def test_every_word_for_a_randnummer_is_read_as_one(library: Library, word: str) -> None:
    [hit] = resolve(library, f"{WHOLE}, {word} 2", ON).hits
    assert hit.citation == f"{DECISION.citation}, Rn. 2"
    miss = ask(library, f"{WHOLE}, {word} 999")
    assert isinstance(miss, Miss)
    assert miss.status == "subunit_does_not_exist"


@pytest.mark.parametrize("place", ["Nr. 2", "Ziff. 2", "Abs. 2", "Z. 2", "Rn. 2, Ziff. 9"])
def test_a_place_that_nothing_reads_is_named_and_nothing_is_found(
    library: Library, place: str
) -> None:
    miss = ask(library, f"{WHOLE}, {place}")
    assert isinstance(miss, Miss)
    assert miss.status == "not_parseable"
    assert miss.unparsed == (place.rsplit(", ", maxsplit=1)[-1],)


@pytest.mark.parametrize(
    ("written", "cited"),
    [
        ("BGH VI ZR 1/21 Rn. 2; LG Bonn 8 O 475/10 Rn. 7", ["2", "7"]),
        ("LG Bonn 8 O 475/10, Rn. 7 und BGH VI ZR 1/21, Rn. 1, 3", ["7", "1", "3"]),
        ("BGH VI ZR 1/21, VI ZR 2/21, Rn. 2; LG Bonn 8 O 475/10 Rn. 4", ["2", "4"]),
        ("BGH VI ZR 1/21, NJW 2023, 123 Rn. 2, juris Rn. 3", ["2", "3"]),
    ],
)
def test_each_decision_has_the_randnummern_behind_it(
    library: Library, written: str, cited: list[str]
) -> None:
    resolution = resolve(library, written, ON)
    assert [one.citation.rpartition("Rn. ")[2] for one in resolution.hits] == cited
    assert not resolution.misses


def test_more_randnummern_than_are_read_are_not_passed_over(library: Library) -> None:
    outcomes = resolve(library, f"{WHOLE}, Rn. {', '.join(['2'] * 21)}", ON).outcomes
    assert isinstance(outcomes[-1], Miss)
    assert "first 20" in outcomes[-1].reason


@pytest.mark.parametrize(
    ("written", "first", "last"),
    [
        ("Rn. 1 f.", "1", "2"),
        ("Rn. 1 ff.", "1", "3"),
        ("Rn. 2f", "2", "3"),
        ("Rn. 1 bis 2", "1", "2"),
    ],
)
def test_what_follows_is_given_and_may_be_quoted(
    library: Library, written: str, first: str, last: str
) -> None:
    [hit] = resolve(library, f"{WHOLE}, {written}", ON).hits
    held = {segment.value: segment for segment in hit.segments}
    assert (hit.start, hit.end) == (held[first].start, held[last].end)
    words = hit.text[held[last].start : held[last].end]
    assert check_quote(library, words, hit, ON).status == "verbatim"


@pytest.mark.parametrize("follow", ["f.", "ff."])
def test_that_nothing_follows_the_last_randnummer_is_said(library: Library, follow: str) -> None:
    [hit] = resolve(library, f"{WHOLE}, Rn. 3 {follow}", ON).hits
    assert any("Nothing follows" in warning for warning in hit.warnings)

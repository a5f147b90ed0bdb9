from collections import Counter
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.citations.laws.name import LawName
from fundstelle.citations.laws.names import LawNames, choose_abbreviation
from fundstelle.citations.parse import parse
from fundstelle.law.citations import NormCitation
from fundstelle.law.norms import Statute


def build_statute(abbreviation: str, *, title: str, juris: tuple[str, ...] = ()) -> Statute:
    return Statute(
        statute_id=f"de/{abbreviation.lower()}",
        slug=abbreviation.lower(),
        publisher_id="BJNR000000000",
        abbreviation=abbreviation,
        abbreviations_juris=juris or (abbreviation,),
        abbreviation_official=None,
        title=title,
        short_title=None,
        issued_on=None,
        publication=None,
        stand_notes=(),
        document_kind="statute",
        listed=True,
        source_url="https://example.org/",
        stand=date(2025, 1, 1),
        norm_count=1,
        source_type="gii",
    )


@pytest.mark.parametrize(
    ("juris", "official", "title", "expected"),
    [
        ("KredWG", None, "Gesetz über das Kreditwesen", "KWG"),
        ("AO 1977", "AO 1977", "Abgabenordnung", "AO"),
        ("WoEigG", "WEG", "Gesetz über das Wohnungseigentum", "WEG"),
        ("SGB 5", None, "Sozialgesetzbuch", "SGB V"),
        ("BGBEG", None, "Einführungsgesetz", "EGBGB"),
        ("TTDSG", "TDDDG", "Gesetz", "TDDDG"),
        ("BBauG", "BauGB", "Baugesetzbuch", "BauGB"),
        ("AsylVfG 1992", "AsylG", "Asylgesetz", "AsylG"),
        ("ZuG 2012", "ZuG 2012", "Zuteilungsgesetz 2012", "ZuG 2012"),
        ("MuMstrV 2013", "MuMstrV", "Verordnung über die Meisterprüfung", "MuMstrV"),
        ("MuAusbV 2013", None, "Verordnung über die Ausbildung", "MuAusbV"),
        ("HG 2022", None, "Gesetz für das Haushaltsjahr 2022", "HG 2022"),
    ],
)
def test_a_law_goes_by_the_abbreviation_lawyers_use(
    juris: str, official: str | None, title: str, expected: str
) -> None:
    assert choose_abbreviation(juris, official, title) == expected


@pytest.mark.parametrize(
    "name", ["DSGVO", "DS-GVO", "ds gvo", "GDPR", "Datenschutz-Grundverordnung"]
)
def test_all_names_of_a_law_find_it(name: str) -> None:
    (law,) = LawNames.default().find(name)
    assert law.celex == "32016R0679"


def test_a_corpus_law_is_bound_to_its_id() -> None:
    names = LawNames.build([build_statute("BGB", title="Bürgerliches Gesetzbuch")])
    (law,) = names.find("Bürgerlichen Gesetzbuchs")
    assert (law.statute_id, law.unit) == ("de/bgb", "§")


def test_a_match_is_the_longest_name_at_the_place() -> None:
    text = "nach dem SGB XII und"
    match = LawNames.default().match(text, 9)
    assert match is not None
    assert text[9 : match[0]] == "SGB XII"
    assert [law.abbreviation for law in match[1]] == ["SGB XII"]


@pytest.mark.parametrize("text", ["BGBX", "wo es steht", "Vertrag"])
def test_part_of_a_word_is_no_name(text: str) -> None:
    assert LawNames.default().match(text, 0) is None


def test_laws_that_share_a_name_are_all_given() -> None:
    laws = [
        build_statute("WahlO", title="Wahlordnung für Bienen"),
        build_statute("WahlO 2", title="Wahlordnung für Imker", juris=("WahlO",)),
    ]
    assert [law.abbreviation for law in LawNames.build(laws).find("WahlO")] == ["WahlO", "WahlO 2"]


def test_a_statute_of_the_same_name_does_not_hide_a_treaty() -> None:
    names = LawNames.build([build_statute("EUV", title="Verordnung über Eulen")])
    assert {law.celex for law in names.find("EUV")} == {None, "12016M"}
    assert [law.celex for law in names.find("TEU")] == ["12016M"]


def test_near_names_are_suggested_and_never_found() -> None:
    names = LawNames.default()
    assert names.find("BGBB") == ()
    assert names.suggest("BGBB")[0].abbreviation == "BGB"
    assert len(names.suggest("StGG", limit=3)) <= 3


def test_a_registry_of_thousands_is_built_with_one_pass_over_its_names() -> None:
    laws = [
        build_statute(f"Bienen{n}G", title=f"Gesetz über das Bienenwesen im Bezirk {n}")
        for n in range(3000)
    ]
    names = LawNames.build(laws)
    assert names.find("Bienen2999G")[0].statute_id == "de/bienen2999g"


def test_a_roman_number_before_the_name_belongs_to_it() -> None:
    (target,) = parse("§ 6 Abs. 1 II. BV").targets
    assert isinstance(target, NormCitation)
    assert (target.law, target.number) == ("II. BV", "6")


@pytest.mark.parametrize(
    ("name", "until", "successor"),
    [
        ("BSHG", "2005-01-01", "SGB XII"),
        ("Konkursordnung", "1999-01-01", "InsO"),
        ("AGB-Gesetz", "2002-01-01", "BGB"),
        ("FGG", "2009-09-01", "FamFG"),
        ("RabattG", "2001-07-25", None),
        ("BGB", None, None),
    ],
)
def test_a_replaced_law_names_its_last_day_and_its_successor(
    name: str, until: str | None, successor: str | None
) -> None:
    (law,) = LawNames.default().find(name)
    assert (law.valid_until, law.successor) == (until, successor)


def test_every_successor_is_itself_a_known_law() -> None:
    names = LawNames.default()
    unknown = {
        successor
        for law in names.laws
        for successor in law.successors
        if successor not in {other.abbreviation for other in names.find(successor)}
    }
    assert unknown == set()


@pytest.mark.parametrize(
    ("word", "near"),
    [
        ("dsgov", "DSGVO"),  # two letters in each other's place
        ("BGBB", "BGB"),  # one too many
        ("StPOO", "StPO"),
        ("GmbG", "GmbHG"),  # one too few
        ("Famfg.", "FamFG"),
        ("abcdefghijk", None),
    ],
)
def test_the_nearest_name_is_suggested_first(word: str, near: str | None) -> None:
    found = LawNames.default().suggest(word)
    assert (found[0].abbreviation if found else None) == near


@given(st.text("abcdeg", min_size=1, max_size=9))
def test_suggestions_share_most_of_their_letters_with_the_word(word: str) -> None:
    spelt = ("abc", "abcde", "aabbcc", "bgb", "gbbg", "deadbeef", "cabbage", "eggae", "a", "dbdc")
    names = LawNames([LawName(name) for name in spelt])
    for law in names.suggest(word, limit=20):
        common = (Counter(word) & Counter(law.abbreviation)).total()
        assert 2 * common >= 0.7 * (len(word) + len(law.abbreviation))
    assert {law.abbreviation for law in names.suggest(word)} >= {word} & set(spelt)

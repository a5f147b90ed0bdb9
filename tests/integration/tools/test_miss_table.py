"""What is answered where there is no text: each kind of miss, on all of federal law."""

from datetime import date

import pytest

from fundstelle.citations.text.folding import fold_long
from fundstelle.lookup.answers import CODES, Hit, Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve

TODAY = date(2025, 4, 1)

pytestmark = pytest.mark.corpus


def ask(library: Library, written: str, on: date = TODAY) -> Miss:
    resolution = resolve(library, written, on)
    (miss,) = resolution.outcomes
    assert isinstance(miss, Miss), miss
    assert miss.code == CODES[miss.status]
    assert resolution.hits == []
    return miss


@pytest.mark.parametrize(
    ("written", "ends", "around"),
    [
        ("§ 9999 BGB", ("§ 1 BGB", "§ 2385 BGB"), ("§ 2385 BGB", None)),
        ("§ 823a BGB", ("§ 1 BGB", "§ 2385 BGB"), ("§ 823 BGB", "§ 824 BGB")),
        ("§ 823 a BGB", ("§ 1 BGB", "§ 2385 BGB"), ("§ 823 BGB", "§ 824 BGB")),
        ("Art. 147 GG", ("Art. 1 GG", "Art. 146 GG"), ("Art. 146 GG", None)),
        ("§ 43a AktG", ("§ 1 AktG", "§ 410 AktG"), ("§§ 43 und 44 AktG", "§ 45 AktG")),
        ("§ 0 StGB", ("§ 1 StGB", "§ 358 StGB"), (None, "§ 1 StGB")),
        ("§ 5 ENeuOG", ("§§ 1 bis § 4 ENeuOG", "§ 4 ENeuOG"), ("§ 4 ENeuOG", None)),
    ],
)
def test_miss_table_a_section_that_is_not_there(
    whole: Library,
    written: str,
    ends: tuple[str, str],
    around: tuple[str | None, str | None],
) -> None:
    miss = ask(whole, written)
    evidence = miss.evidence
    places = (evidence.first, evidence.last, evidence.nearest_before, evidence.nearest_after)

    assert miss.status == "norm_does_not_exist"
    assert tuple(place and place.citation for place in places) == (*ends, *around)
    assert [suggestion.citation for suggestion in miss.suggestions] == [
        name for name in around if name
    ]


@pytest.mark.parametrize(
    ("written", "said", "ends"),
    [
        ("§ 823 Abs. 3 BGB", "has Abs. 1, 2", ("§ 823 Abs. 1 BGB", "§ 823 Abs. 2 BGB")),
        (
            "§ 823 Abs. 1 Satz 2 BGB",
            "has only Satz 1",
            ("§ 823 Abs. 1 Satz 1 BGB", "§ 823 Abs. 1 Satz 1 BGB"),
        ),
        (
            "§ 312g Abs. 2 Satz 1 Nr. 99 BGB",
            "has Nr. 1 to 13",
            ("§ 312g Abs. 2 Satz 1 Nr. 1 BGB", "§ 312g Abs. 2 Satz 1 Nr. 13 BGB"),
        ),
        ("§ 1 Abs. 1 BGB", "has no Abs.", (None, None)),
        ("§ 9 Abs. 1 Satz 2 KStG", "has only Satz 1", None),
    ],
)
def test_miss_table_a_part_that_a_section_does_not_have(
    whole: Library, written: str, said: str, ends: tuple[str | None, str | None] | None
) -> None:
    miss = ask(whole, written)
    places = (miss.evidence.first, miss.evidence.last)

    assert miss.status == "subunit_does_not_exist"
    assert said in miss.reason
    assert miss.suggestions[0].why == "the section as a whole"
    if ends is not None:
        assert tuple(place and place.citation for place in places) == ends


@pytest.mark.parametrize(
    ("written", "named"),
    [
        ("§ 476 BGB a.F.", "§ 476 BGB"),
        ("§ 80 StGB", "§ 80a StGB"),
        ("§ 44 AktG", "§ 45 AktG"),
        ("§ 1615f BGB", "§ 1615l BGB"),
        ("Art. 234 § 9 EGBGB", "Art. 234 § 10 EGBGB"),
        ("Art. 74 Abs. 1 Nr. 5 GG", "Art. 74 GG"),
        ("§ 14 Abs. 1b WaStrG", "§ 14 WaStrG"),
    ],
)
def test_miss_table_a_repealed_provision_is_never_said_not_to_exist(
    whole: Library, written: str, named: str
) -> None:
    miss = ask(whole, written)

    assert miss.status == "repealed"
    assert named in [suggestion.citation for suggestion in miss.suggestions]


@pytest.mark.parametrize(
    ("written", "ended", "heirs"),
    [
        ("§ 8 BSHG", date(2005, 1, 1), ["SGB XII"]),
        ("§ 1 AGBG", date(2002, 1, 1), ["BGB"]),
        ("§ 9 AGB-Gesetz", date(2002, 1, 1), ["BGB"]),
    ],
)
def test_miss_table_a_repealed_law_names_its_day_and_its_successor(
    whole: Library, written: str, ended: date, heirs: list[str]
) -> None:
    miss = ask(whole, written)

    assert miss.status == "repealed"
    assert miss.evidence.repealed_on == ended
    assert [suggestion.citation for suggestion in miss.suggestions] == heirs
    assert ask(whole, written, date(1999, 1, 1)).status == "outside_coverage"


@pytest.mark.parametrize("written", ["§ 12 XYZG", "§ 3 BGBB", "Art. 5 GGG", "de/xyzg/3"])
def test_miss_table_an_unknown_law_has_at_most_five_near_names(
    whole: Library, written: str
) -> None:
    miss = ask(whole, written)

    assert miss.status == "law_unknown"
    assert len(miss.suggestions) <= 5


def test_miss_table_a_law_that_only_the_publishers_contents_name_is_known_to_be_missing(
    whole: Library,
) -> None:
    held = {
        fold_long(title)
        for statute in whole.store.statutes.values()
        for title in (statute.title, statute.short_title or "")
    }
    missing = whole.store.missing.laws
    alone = [law for law in missing if fold_long(law.title) not in held]
    answers = [resolve(whole, law.title, TODAY).outcomes[0] for law in alone]
    known = [one for one in answers if isinstance(one, Miss) and one.status == "known_missing"]

    # The other titles name an act or an annex, or without their subtitle a law that is held.
    assert len(missing) == 679
    assert len(known) >= 0.95 * len(alone)


@pytest.mark.parametrize("written", ["§ 4 BFSG", "BFSG", "§ 1 ArbMedVV", "§ 3 Abs. 1 BMinG"])
def test_miss_table_a_missing_law_is_known_by_its_abbreviation(
    whole: Library, written: str
) -> None:
    miss = ask(whole, written)

    assert miss.status == "known_missing"
    assert "gesetze-im-internet.de" in miss.next_step


@pytest.mark.parametrize("written", ["§ 5", "§ 5 Abs. 2", "Abs. 2 der Vorschrift"])
def test_miss_table_a_section_without_its_law_is_not_guessed(whole: Library, written: str) -> None:
    assert ask(whole, written).status == "ambiguous"


def test_miss_table_the_books_of_the_social_code_are_listed_in_their_order(whole: Library) -> None:
    miss = ask(whole, "§ 1 SGB")

    assert miss.status == "ambiguous"
    assert "SGB I, SGB II, SGB III, SGB IV, SGB V, SGB VI" in miss.reason
    assert [suggestion.citation for suggestion in miss.suggestions] == [
        f"§ 1 SGB {book}" for book in ("I", "II", "III", "IV", "V")
    ]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("BGH, Urteil vom 15. Mai 2023 - VI ZR 999/22", None),
        ("ECLI:DE:BGH:2023:150523UVIZR999.22.0", None),
        ("1 K 1234/20", None),
        ("BGH, Urteil vom 31.02.2020 - VI ZR 1/20", "31.02.2020 is no day of the calendar"),
        ("BAG, Urteil vom 3.3.2020 - 12 AZR 1/20", "the BAG has no senate 12"),
        ("NJW 2004, 1234", "recognised"),
        ("BVerfGE 7, 198", None),
        ("BT-Drs. 17/12299", "recognised"),
    ],
)
def test_miss_table_what_is_no_law_is_only_said_not_to_be_held(
    whole: Library, written: str, said: str | None
) -> None:
    miss = ask(whole, written)

    assert miss.status == "not_in_corpus"
    assert said is None or said in miss.reason


@pytest.mark.parametrize(
    ("written", "citation"),
    [
        ("BGB § 823", "§ 823 BGB"),
        ("Art. 823 BGB", "§ 823 BGB"),
        ("§ 1 GG", "Art. 1 GG"),
        ("§ 8 weg", "§ 8 WEG"),
        ("823 BGB", "§ 823 BGB"),
        ("Anlage 1 BtMG", "Anlage I BtMG"),
        ("§ 823 f BGB", "§ 823 BGB"),
    ],
)
def test_miss_table_what_was_corrected_is_said(whole: Library, written: str, citation: str) -> None:
    resolution = resolve(whole, written, TODAY)

    assert resolution.hits[0].citation == citation
    assert resolution.normalised


@pytest.mark.parametrize(
    ("written", "citation"),
    [
        ("§ 7g EStG", "§ 7g EStG"),
        ("§ 7 g EStG", "§ 7g EStG"),
        ("§ 3 Nr. 2b EStG", "§ 3 Satz 1 Nr. 2 Buchst. b EStG"),
        ("§ 1 Abs. 1a Satz 2 Nr. 1a KWG", "§ 1 Abs. 1a Satz 2 Nr. 1a KWG"),
        ("§ 3 ENeuOG", "§ 3 ENeuOG"),
        ("Art. 3 ENeuOG", "Art. 3 ENeuOG"),
        ("§ 8 EUV", "§ 8 EUV"),
        ("Art. 4 § 15 1. BesVNG", "Art. IV § 15 1. BesVNG"),
    ],
)
def test_the_corpus_decides_between_two_readings(
    whole: Library, written: str, citation: str
) -> None:
    (hit,) = resolve(whole, written, TODAY).outcomes

    assert isinstance(hit, Hit)
    assert hit.citation == citation

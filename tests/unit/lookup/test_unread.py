"""What a reference says beyond its citation: read, the norm's own words, or said to be unread."""

from datetime import date

import pytest

from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.reading.rows import find_rows_short_of
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import FLOOR, STAND, build_library

LIBRARY = build_library()


def find(written: str, on: date = STAND) -> list[str]:
    """The citations of what is found, or the statuses of what is not."""
    outcomes = resolve(LIBRARY, written, on).outcomes
    return [
        one.status if isinstance(one, Miss) else getattr(one, "citation", "") for one in outcomes
    ]


def miss(written: str, on: date = STAND) -> Miss:
    (outcome,) = resolve(LIBRARY, written, on).outcomes
    assert isinstance(outcome, Miss), outcome
    return outcome


@pytest.mark.parametrize(
    "written",
    [
        "§ 2 Abs. 1 Satz 2 MusterG",
        "§ 2 MusterG Abs. 1 Satz 2",
        "§ 2 MusterG, Abs. 1 Satz 2",
        "§ 2 MusterG (Abs. 1 Satz 2)",
        "§ 2 Abs. 1 MusterG Satz 2",
        "Abs. 1 Satz 2 § 2 MusterG",
        "Satz 2 des § 2 Abs. 1 MusterG",
        "MusterG § 2 Abs. 1 Satz 2",
        "MusterG 2 I 2",
    ],
)
def test_every_way_of_writing_a_unit_leads_to_it(written: str) -> None:
    assert find(written) == ["§ 2 Abs. 1 Satz 2 MusterG"]


@pytest.mark.parametrize(
    "written",
    [
        "§ 2 Abs. 3 MusterG",
        "§ 2 MusterG Abs. 3",
        "§ 2 MusterG (Abs. 3)",
        "Abs. 3 § 2 MusterG",
        "§ 2 Abs. 1 bis 3 MusterG",
        "§ 2 MusterG Abs. 1 bis 3",
        "§ 2 III MusterG",
        "§ 2 (3) MusterG",
    ],
)
def test_a_part_beyond_the_last_is_a_miss_in_every_form(written: str) -> None:
    found = miss(written)

    assert found.status == "subunit_does_not_exist"
    assert found.reason == "§ 2 Abs. 3 MusterG does not exist: § 2 MusterG has Abs. 1, 2."


def test_what_is_not_read_keeps_the_answer_from_being_found() -> None:
    found = miss("§ 4 MusterG Tabelle 7")

    assert found.status == "not_parseable"
    assert found.unparsed == ("Tabelle 7",)
    assert "'Tabelle 7'" in found.reason
    assert [one.norm_id for one in found.suggestions] == ["de/musterg/4"]


def test_a_miss_stays_the_miss_it_is_and_says_what_was_not_read() -> None:
    found = miss("§ 99 MusterG Tabelle 7")

    assert found.status == "norm_does_not_exist"
    assert found.unparsed == ("Tabelle 7",)


@pytest.mark.parametrize(
    "written",
    [
        "§ 4 MusterG (Säge)",
        "§ 4 MusterG - Säge",
        "siehe dazu § 4 MusterG.",
        "§ 4 MusterG vom 1. Januar 2020",
        "§ 4 MusterG (2020)",
    ],
)
def test_words_of_the_norm_and_its_law_pass(written: str) -> None:
    statute = LIBRARY.store.statutes["de/musterg"]
    assert statute.issued_on is not None
    day = statute.issued_on
    months = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"
    said = f"{day.day}. {months.split()[day.month - 1]} {day.year}"
    written = written.replace("1. Januar 2020", said).replace("2020", str(day.year))

    assert find(written) == ["§ 4 MusterG"]


def test_the_heading_of_another_norm_does_not_pass() -> None:
    assert miss("§ 4 MusterG (Leim)").unparsed == ("Leim",)


def test_a_day_that_the_law_does_not_bear_does_not_pass() -> None:
    assert miss("§ 4 MusterG vom 3. März 1950").unparsed == ("3. März 1950",)


def test_a_path_behind_a_range_belongs_to_its_last_provision() -> None:
    assert find("§§ 1 bis 2 Abs. 1 Satz 2 MusterG") == ["§ 1 MusterG", "§ 2 Abs. 1 Satz 2 MusterG"]


@pytest.mark.parametrize(
    "written",
    [
        "§ 2 Abs. 2 bis § 4a Satz 1 MusterG",
        "§ 2 II bis § 4a Satz 1 MusterG",
    ],
)
def test_a_range_that_begins_in_a_part_gives_what_follows_it(written: str) -> None:
    outcomes = resolve(LIBRARY, written, STAND).outcomes

    assert [getattr(each, "citation", "") for each in outcomes if not isinstance(each, Miss)] == [
        "§ 2 Abs. 2 MusterG",
        "§ 4 MusterG",
        "§ 4a MusterG",
    ]
    assert [each.status for each in outcomes if isinstance(each, Miss)] == ["repealed"]  # § 3


def test_a_range_that_begins_farther_below_gives_the_section_and_says_so() -> None:
    first, *_ = resolve(LIBRARY, "§ 2 Abs. 1 Satz 2 bis § 4 MusterG", STAND).outcomes

    assert isinstance(first, ProvisionHit)
    assert first.is_whole
    assert "begins with § 2 Abs. 1 Satz 2 MusterG" in first.warnings[-1]


@pytest.mark.parametrize(
    "written", ["§ 2 Abs. 9 bis § 4 MusterG", "§ 2 Abs. 9 Satz 1 bis § 4 MusterG"]
)
def test_a_range_that_begins_in_a_part_that_is_not_there_says_so(written: str) -> None:
    first, *_ = resolve(LIBRARY, written, STAND).outcomes

    assert isinstance(first, Miss)
    assert first.status == "subunit_does_not_exist"


def test_a_path_behind_a_range_of_parts_belongs_to_the_last_of_them() -> None:
    assert find("§ 2 Abs. 1 Satz 1 bis 2 Halbsatz 9 MusterG")[0] == "§ 2 Abs. 1 Satz 1 MusterG"


def test_a_row_behind_the_last_of_a_schedule_is_a_miss() -> None:
    rows = "\n".join(f"{number} | Gebühr | 1,0" for number in range(3100, 3120))

    assert find_rows_short_of(rows, "3120") == (3100, 3119)
    assert find_rows_short_of(rows, "3110") is None
    assert find_rows_short_of("ohne Zeilen", "3120") is None


def test_a_year_before_the_law_names_an_edition_that_is_not_held() -> None:
    found = miss("§ 4 MusterG 1908")

    assert found.status == "not_in_corpus"
    assert [one.norm_id for one in found.suggestions] == ["de/musterg/4"]


def test_a_year_with_one_text_is_the_time_that_is_asked_about() -> None:
    resolution = resolve(LIBRARY, f"§ 4 MusterG {STAND.year - 1}", STAND)

    assert [hit.citation for hit in resolution.hits] == ["§ 4 MusterG"]
    assert resolution.on == date(STAND.year - 1, 12, 31)


def test_a_year_with_several_texts_is_ambiguous_and_gives_their_days() -> None:
    found = miss(f"§ 8 MusterG {STAND.year}")

    assert found.status == "ambiguous"
    assert STAND.isoformat() in found.reason


def test_a_year_before_the_archive_claims_nothing() -> None:
    assert miss(f"§ 4 MusterG {FLOOR.year - 1}").status == "outside_coverage"


@pytest.mark.parametrize(
    "norm_id", [norm.norm_id for norm in LIBRARY.store.list_norms("de/musterg")]
)
def test_every_citation_that_is_printed_leads_to_its_own_norm(norm_id: str) -> None:
    norm = LIBRARY.store.find_norm(norm_id)
    assert norm is not None
    (outcome,) = resolve(LIBRARY, norm.citation, STAND).outcomes
    if isinstance(outcome, ProvisionHit):
        assert outcome.norm.norm_id == norm_id
    else:
        assert isinstance(outcome, Miss)
        assert outcome.status in {"repealed", "not_yet_in_force"}

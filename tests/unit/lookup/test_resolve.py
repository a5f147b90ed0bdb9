from dataclasses import replace
from datetime import date

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.law.norms import NormKind
from fundstelle.lookup.answers import CODES, LawHit, Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve, resolve_target
from fundstelle.portal.reasons import tell
from tests.unit.lookup.invented import (
    FLOOR,
    STAND,
    InventedIndex,
    InventedStore,
    build_library,
    build_norm,
    build_statute,
)

LIBRARY = build_library()


def find(written: str, on: date = STAND) -> ProvisionHit:
    outcome = resolve(LIBRARY, written, on).outcomes[0]
    assert isinstance(outcome, ProvisionHit), outcome
    return outcome


def miss(written: str, on: date = STAND) -> Miss:
    outcome = resolve(LIBRARY, written, on).outcomes[0]
    assert isinstance(outcome, Miss), outcome
    return outcome


def cut(written: str) -> str:
    hit = find(written)
    return hit.text[hit.start : hit.end]


def test_of_a_list_it_is_said_which_provision_names_no_law() -> None:
    first, unnamed, last = resolve(LIBRARY, "MusterG § 1, § 2, § 5 SGB V", STAND).outcomes
    assert isinstance(first, ProvisionHit)
    assert isinstance(last, ProvisionHit)
    assert (first.citation, last.citation) == ("§ 1 MusterG", "§ 5 SGB V")
    assert isinstance(unnamed, Miss)
    assert unnamed.reason == "'§ 2' names no law, and which one is meant is not guessed."


@pytest.mark.parametrize(
    ("written", "citation"),
    [
        ("§ 4 MusterG", "§ 4 MusterG"),
        ("MusterG 4", "§ 4 MusterG"),
        ("MusterG § 4a", "§ 4a MusterG"),
        ("de/musterg/4", "§ 4 MusterG"),
        ("legal://norm/de/musterg/4", "§ 4 MusterG"),
        ("Art. 1 GrundMG", "Art. 1 GrundMG"),
        ("Anlage 1 MusterG", "Anlage 1 MusterG"),
        ("de/musterg/anlage-1", "Anlage 1 MusterG"),
        ("§ 5 SGB V", "§ 5 SGB V"),
        ("§ 2 Abs. 1 Nr. 2 MusterG", "§ 2 Abs. 1 Satz 1 Nr. 2 MusterG"),
        ("§ 2 I 2 MusterG", "§ 2 Abs. 1 Satz 2 MusterG"),
        ("§ 1 Satz 2 MusterG", "§ 1 Satz 2 MusterG"),
    ],
)
def test_every_way_of_writing_leads_to_the_canonical_citation(written: str, citation: str) -> None:
    assert find(written).citation == citation


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("§ 1 Satz 2 MusterG", "Ein Hammer ist Werkzeug."),
        ("§ 2 Abs. 1 Satz 2 MusterG", "Das gilt auch an Sonntagen."),
        ("§ 2 Abs. 1 Nr. 2 Buchst. b MusterG", "b) das Gelenk,"),
        ("§ 2 Abs. 1 Satz 1 Nr. 1 MusterG", "1. reinigen,"),
    ],
)
def test_the_text_is_cut_to_the_unit_cited(written: str, text: str) -> None:
    assert cut(written) == text


def test_an_alternative_gives_its_parent_and_says_so() -> None:
    hit = find("§ 1 Satz 1 Alt. 2 MusterG")

    assert hit.citation == "§ 1 Satz 1 MusterG"
    assert [step.level for step in hit.rest] == ["alt"]
    assert "cannot be cut" in hit.warnings[0]


@pytest.mark.parametrize(
    ("written", "status", "named"),
    [
        ("§ 99 MusterG", "norm_does_not_exist", ["§ 8 MusterG"]),
        ("§ 4b MusterG", "norm_does_not_exist", ["§ 4a MusterG", "§§ 5 und 6 MusterG"]),
        ("de/musterg/4b", "norm_does_not_exist", ["§ 4a MusterG", "§§ 5 und 6 MusterG"]),
        ("§ 2 Abs. 3 MusterG", "subunit_does_not_exist", ["§ 2 MusterG"]),
        ("§ 4 Abs. 1 MusterG", "subunit_does_not_exist", ["§ 4 MusterG"]),
        ("§ 2 Abs. 2 Nr. 1 MusterG", "subunit_does_not_exist", ["§ 2 MusterG"]),
        ("§ 3 MusterG", "repealed", ["§ 4 MusterG"]),
        ("§ 6 MusterG", "repealed", ["§ 7 MusterG"]),
        ("§ 7 MusterG", "not_yet_in_force", []),
        ("§ 12 XYZG", "law_unknown", []),
        ("§ 5", "ambiguous", []),
        ("Abs. 2 der Vorschrift", "ambiguous", []),
        ("§ 1 SGB", "ambiguous", ["§ 1 SGB IV", "SGB V"]),
        ("§ 8 BSHG", "repealed", []),
        ("§ 1 FehlG", "known_missing", []),
        ("Fehlendes Gesetz", "known_missing", []),
        ("Art. 6 DSGVO", "outside_coverage", []),
        ("eu/32016R0679/art_6", "outside_coverage", []),
        ("32016R0679", "outside_coverage", []),
        ("ECLI:DE:BGH:2023:150523UVIZR175.22.0", "not_in_corpus", []),
        ("BGH, VI ZR 175/22", "not_in_corpus", []),
        ("1 K 1234/20", "not_in_corpus", []),
        ("§ 433 BGB", "not_in_corpus", []),
        ("BGBl. I 1871 S. 127", "not_in_corpus", []),
        ("was ist ein Hammer", "not_parseable", []),
    ],
)
def test_a_miss_says_why_and_names_what_is_near(
    written: str, status: str, named: list[str]
) -> None:
    found = miss(written)

    assert found.status == status
    assert found.code == CODES[status]
    assert found.citation == written
    suggested = [suggestion.citation for suggestion in found.suggestions]
    assert suggested[: len(named)] == named
    assert len(suggested) <= 5


def test_a_section_that_is_not_there_comes_with_the_ends_of_the_law_and_its_neighbours() -> None:
    evidence = miss("§ 4b MusterG").evidence
    places = (evidence.first, evidence.last, evidence.nearest_before, evidence.nearest_after)

    assert [place.norm_id if place else None for place in places] == [
        "de/musterg/1",
        "de/musterg/8",
        "de/musterg/4a",
        "de/musterg/5",
    ]


def test_a_part_that_is_not_there_comes_with_the_parts_that_are() -> None:
    found = miss("§ 2 Abs. 7 MusterG")

    assert found.reason == "§ 2 Abs. 7 MusterG does not exist: § 2 MusterG has Abs. 1, 2."
    assert found.evidence.first is not None
    assert found.evidence.first.citation == "§ 2 Abs. 1 MusterG"
    assert found.evidence.last is not None
    assert found.evidence.last.citation == "§ 2 Abs. 2 MusterG"


@pytest.mark.parametrize(
    ("written", "citations", "total"),
    [
        ("§§ 1 bis 2 MusterG", ["§ 1 MusterG", "§ 2 MusterG"], 2),
        ("§§ 4, 8 MusterG", ["§ 4 MusterG", "§ 8 MusterG"], 2),
        ("§§ 1 f. MusterG", ["§ 1 MusterG", "§ 2 MusterG"], 2),
        (
            "§ 2 Abs. 1 Satz 1, 2 MusterG",
            ["§ 2 Abs. 1 Satz 1 MusterG", "§ 2 Abs. 1 Satz 2 MusterG"],
            2,
        ),
        (
            "§ 2 Abs. 1 Nr. 1 bis 2 MusterG",
            ["§ 2 Abs. 1 Satz 1 Nr. 1 MusterG", "§ 2 Abs. 1 Satz 1 Nr. 2 MusterG"],
            2,
        ),
        ("§ 1 MusterG i.V.m. Art. 1 GrundMG", ["§ 1 MusterG", "Art. 1 GrundMG"], 2),
    ],
)
def test_ranges_and_lists_are_several_units(written: str, citations: list[str], total: int) -> None:
    resolution = resolve(LIBRARY, written, STAND)

    assert [hit.citation for hit in resolution.hits] == citations
    assert resolution.total == total


def test_what_follows_goes_on_behind_a_heading_that_ends() -> None:
    headed = build_library()
    store = headed.store
    assert isinstance(store, InventedStore)
    store.norms = [
        replace(norm, parent_id=f"heading of {norm.number}") if norm.number in {"1", "2"} else norm
        for norm in store.norms
    ]
    found = resolve(headed, "§§ 1 ff. MusterG", STAND)

    assert [hit.citation for hit in found.hits] == ["§ 1 MusterG", "§ 2 MusterG"]
    assert [each.citation for each in found.misses] == ["§§ 1 ff. MusterG"]  # § 3 is repealed
    assert not any("Nothing follows" in warning for warning in found.hits[0].warnings)


@pytest.mark.parametrize(
    ("written", "reason"),
    [
        ("§§ 1 bis 99 MusterG", "§ 99 MusterG does not exist"),
        ("§§ 1b bis 4 MusterG", "§ 1b MusterG does not exist"),
        ("§§ 1 bis 3 MusterG", "§ 3 MusterG is repealed"),
    ],
)
def test_the_ends_of_a_range_are_told_where_they_are_not_there(written: str, reason: str) -> None:
    last = resolve(LIBRARY, written, STAND).misses[-1]

    assert last.reason.startswith(reason)
    assert not last.within


def test_a_range_names_what_in_it_is_repealed() -> None:
    resolution = resolve(LIBRARY, "§§ 2 bis 4 MusterG", STAND)

    assert [hit.citation for hit in resolution.hits] == ["§ 2 MusterG", "§ 4 MusterG"]
    assert [found.status for found in resolution.misses] == ["repealed"]


@pytest.mark.parametrize(
    ("on", "text"),
    [
        (FLOOR, "Leim klebt kalt."),
        (date(2025, 12, 1), "Leim klebt kalt."),
        (STAND, "Leim klebt heiß und kalt."),
        (date(2030, 1, 1), "Leim klebt heiß und kalt."),
    ],
)
def test_the_day_decides_the_text(on: date, text: str) -> None:
    assert find("§ 8 MusterG", on).fassung.text == text


def test_between_two_snapshots_the_text_is_given_with_a_warning() -> None:
    assert "2025-03-31" in find("§ 8 MusterG", date(2025, 12, 1)).warnings[0]
    assert find("§ 8 MusterG", FLOOR).warnings == ()


@pytest.mark.parametrize("written", ["§ 1 MusterG", "§ 8 MusterG", "§ 99 MusterG"])
def test_before_the_archive_begins_nothing_is_claimed(written: str) -> None:
    found = miss(written, date(1999, 1, 1))

    assert found.status == "outside_coverage"
    assert found.evidence.archive_floor == FLOOR


def test_alte_fassung_is_a_miss_that_names_the_older_texts() -> None:
    found = miss("§ 8 MusterG a.F.")

    assert found.status == "repealed"
    assert (found.evidence.repealed_on, found.evidence.last_seen) == (None, FLOOR)
    assert FLOOR.isoformat() in found.suggestions[0].why


def test_a_law_without_a_section_is_found_as_a_law() -> None:
    outcome = resolve(LIBRARY, "MusterG", STAND).outcomes[0]

    assert isinstance(outcome, LawHit)
    assert outcome.statute.statute_id == "de/musterg"


def test_a_law_no_longer_listed_is_answered_with_a_warning() -> None:
    assert "removed" in find("§ 1 AltMG").warnings[0]


def test_the_wrong_sign_is_corrected_and_said() -> None:
    resolution = resolve(LIBRARY, "Art. 4 MusterG", STAND)

    assert [hit.citation for hit in resolution.hits] == ["§ 4 MusterG"]
    assert resolution.normalised


def test_a_section_inside_a_range_norm_says_which() -> None:
    resolution = resolve(LIBRARY, "§ 6 MusterG", STAND)

    assert any("§§ 5 und 6" in note for note in resolution.normalised)


def test_twenty_units_are_the_most() -> None:
    sentences = " ".join(f"{{satz {n}|Der {n}. Nagel hält.}}" for n in range(1, 31))
    resolution = resolve(build_library(sentences), "§ 9 Satz 1 bis 30 MusterG", STAND)

    assert len(resolution.outcomes) == 20
    assert resolution.total == 30
    assert "30" in resolution.warnings[0]


@pytest.mark.parametrize("last", ["§ 99", "§ 3", "§§ 4 bis 99", "§§ 3 ff."])
def test_what_is_named_behind_the_twenty_units_is_told_where_it_is_not_there(last: str) -> None:
    sentences = " ".join(f"{{satz {n}|Der {n}. Nagel hält.}}" for n in range(1, 31))
    written = f"§ 9 Satz 1 bis 30, {last} MusterG"
    resolution = resolve(build_library(sentences), written, STAND)

    assert len(resolution.hits) == 20
    assert [each.status for each in resolution.misses] == [
        "repealed" if " 3" in last else "norm_does_not_exist"
    ]


def test_a_blank_before_f_means_the_following_where_no_such_letter_exists() -> None:
    resolution = resolve(LIBRARY, "§ 1 f MusterG", STAND)

    assert [hit.citation for hit in resolution.hits] == ["§ 1 MusterG", "§ 2 MusterG"]
    assert resolution.normalised


def test_a_row_of_a_table_is_cut_by_its_number() -> None:
    assert cut("Anlage 1 Nr. 3101 MusterG") == "3101 | Ermäßigung | 0,8"


def test_an_annex_does_not_deny_what_it_does_not_mark() -> None:
    hit = find("Anlage 1 Nr. 9 MusterG")

    assert hit.is_whole
    assert hit.rest


def test_a_part_of_which_only_the_number_is_left_is_repealed() -> None:
    library = build_library("{nr 1|1. messen,}\n{nr 2|2. (weggefallen)}\n{nr 3|3. sägen.}")
    outcome = resolve(library, "§ 9 Nr. 2 MusterG", STAND).outcomes[0]

    assert isinstance(outcome, Miss)
    assert outcome.status == "repealed"


def test_a_law_of_which_only_the_head_is_held_denies_nothing() -> None:
    treaty = build_statute("MusterAbk", "Musterabkommen")
    head = replace(build_norm(treaty, "Vorspann 1"), kind=NormKind.OTHER, number="vorspann")
    store = InventedStore([treaty], [(head, ())])
    library = Library(store, InventedIndex(store), LawNames.build(store.statutes.values()))

    (outcome,) = resolve(library, "Art. 5 MusterAbk", STAND).outcomes

    assert isinstance(outcome, Miss)
    assert outcome.status == "not_in_corpus"
    assert outcome.reason.startswith("Art. 5 MusterAbk is not in this corpus: of MusterAbk")
    assert "BGBl. I 2001" in outcome.next_step


def test_an_older_text_of_a_number_that_is_gone_is_not_denied() -> None:
    found = miss("§ 99 MusterG a.F.")

    assert found.status == "repealed"
    assert "no such provision today" in found.reason
    assert found.evidence.archive_floor == FLOOR


def test_one_target_found_in_a_text_resolves_as_when_it_is_asked_for() -> None:
    asked = resolve(LIBRARY, "§ 2 Abs. 1 Nr. 2 MusterG", STAND)
    (target,) = asked.targets

    assert tuple(resolve_target(LIBRARY, target, asked.written, STAND)) == asked.outcomes


def test_the_day_of_one_citation_is_not_that_of_the_next_beyond_what_is_shown() -> None:
    library = build_library(many=25)
    shown = ", ".join(f"§ {number} MusterG" for number in range(201, 221))
    old = "§ 8 MusterG in der bis 28.4.2026 geltenden Fassung"
    found = resolve(library, f"{shown}, {old}, § 8 MusterG", STAND)

    held = [each for each in found.unshown if isinstance(each, ProvisionHit)]
    assert [found.get_day(each) for each in held] == [date(2026, 4, 28), STAND]
    assert [each.text for each in held] == ["Leim klebt kalt.", "Leim klebt heiß und kalt."]


@pytest.mark.parametrize(
    "written",
    [
        *("§ 4 MusterG Berlin", "§ 99 MusterG NRW", "§ 4 Abs. 9 MusterG des Landes Hessen"),
        *("§ 4 des Hessischen MusterG", "§ 4 des Mustergesetzes (MusterG) von Berlin"),
    ],
)
def test_a_law_of_a_land_is_not_held_and_not_denied(written: str) -> None:
    found = miss(written)
    assert found.status == "not_in_corpus"
    assert "is named as law of a Land, and this corpus does not hold it" in found.reason
    assert tell(found.reason, "de").language == "de"

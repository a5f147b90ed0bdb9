"""The resolution of citations on real federal law."""

import random
from collections.abc import Iterator
from datetime import date

import pytest

from fundstelle.law.norms import NormKind, NormStatus
from fundstelle.lookup.answers import LawHit, Miss, Outcome, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses.gaps import is_repealed
from fundstelle.lookup.parts.units import format_steps, get_steps, insert_path
from fundstelle.lookup.resolve import resolve

pytestmark = pytest.mark.corpus

TODAY = date(2026, 5, 1)
FLOOR = date(2025, 3, 31)


def ask(library: Library, written: str, on: date = TODAY) -> Outcome:
    return resolve(library, written, on).outcomes[0]


@pytest.mark.parametrize(
    ("written", "citation", "begins"),
    [
        ("§ 823 Abs. 1 BGB", "§ 823 Abs. 1 BGB", "(1) Wer vorsätzlich"),
        ("BGB 823", "§ 823 BGB", "(1) Wer vorsätzlich"),
        ("§823Abs.1BGB", "§ 823 Abs. 1 BGB", "(1) Wer vorsätzlich"),
        ("§ 823 I BGB", "§ 823 Abs. 1 BGB", "(1) Wer vorsätzlich"),
        ("Art. 1 Abs. 1 Satz 1 GG", "Art. 1 Abs. 1 Satz 1 GG", "Die Würde"),
        ("§ 312g Abs. 2 Nr. 1 BGB", "§ 312g Abs. 2 Satz 1 Nr. 1 BGB", "1. Verträge"),
        ("§ 312g II 1 Nr. 1 BGB", "§ 312g Abs. 2 Satz 1 Nr. 1 BGB", "1. Verträge"),
        (
            "§ 20 Abs. 1 Nr. 1 Satz 2 EStG",
            "§ 20 Abs. 1 Satz 1 Nr. 1 Satz 2 EStG",
            "Zu den sonstigen Bezügen",
        ),
        (
            "§ 22 Nr. 1 Satz 3 Buchst. a EStG",
            "§ 22 Satz 1 Nr. 1 Satz 3 Buchst. a EStG",
            "a) Leibrenten",
        ),
        ("Art. 229 § 5 EGBGB", "Art. 229 § 5 EGBGB", "Auf Schuldverhältnisse"),
        ("§ 5 Abs. 1 Nr. 1 SGB V", "§ 5 Abs. 1 Satz 1 Nr. 1 SGB V", "1. Arbeiter"),
        ("§ 5 SGB 5", "§ 5 SGB V", "(1) Versicherungspflichtig"),
        ("§ 1 KWG", "§ 1 KWG", "(1) "),
        ("§ 1 KredWG", "§ 1 KWG", "(1) "),
        ("§ 14 WEG", "§ 14 WEG", "(1) "),
        ("§ 39 AO", "§ 39 AO", "(1) "),
        ("§ 1.01 BinSchStrO", "§ 1.01 BinSchStrO", "In dieser Verordnung"),
        ("VV RVG Nr. 3100", "Anlage 1 Nr. 3100 RVG", "3100 | Verfahrensgebühr"),
        ("Präambel GG", "Präambel GG", "Im Bewußtsein"),
        ("§ 102 BetrVG", "§ 102 BetrVG", "(1) Der Betriebsrat"),
    ],
)
def test_a_citation_leads_to_its_words(
    library: Library, written: str, citation: str, begins: str
) -> None:
    hit = ask(library, written)

    assert isinstance(hit, ProvisionHit)
    assert hit.citation == citation
    assert hit.text[hit.start : hit.end].startswith(begins)


@pytest.mark.parametrize(
    ("written", "status", "first", "last", "near"),
    [
        ("§ 9999 BGB", "norm_does_not_exist", "§ 1 BGB", "§ 2385 BGB", ["§ 2385 BGB"]),
        ("§ 823a BGB", "norm_does_not_exist", "§ 1 BGB", "§ 2385 BGB", ["§ 823 BGB", "§ 824 BGB"]),
        ("Art. 147 GG", "norm_does_not_exist", "Art. 1 GG", "Art. 146 GG", ["Art. 146 GG"]),
        (
            "§ 823 Abs. 3 BGB",
            "subunit_does_not_exist",
            "§ 823 Abs. 1 BGB",
            "§ 823 Abs. 2 BGB",
            ["§ 823 BGB"],
        ),
        ("§ 476 BGB a.F.", "repealed", None, None, []),
        ("§ 80 StGB", "repealed", None, None, []),
        ("§ 44 AktG", "repealed", None, None, []),
        ("Art. 74 Abs. 1 Nr. 5 GG", "repealed", None, None, ["Art. 74 GG"]),
        ("§ 12 XYZG", "law_unknown", None, None, []),
        ("§ 5", "ambiguous", None, None, []),
        ("Abs. 2 der Vorschrift", "ambiguous", None, None, []),
        ("§ 1 SGB", "ambiguous", None, None, ["§ 1 SGB V", "§ 1 SGB X"]),
        ("Art. 6 Abs. 1 lit. h DSGVO", "outside_coverage", None, None, []),
        ("BGH, Urteil vom 15. Mai 2023 - VI ZR 175/22", "not_in_corpus", None, None, []),
        ("ECLI:DE:BGH:2023:150523UVIZR175.22.0", "not_in_corpus", None, None, []),
        ("1 K 1234/20", "not_in_corpus", None, None, []),
        ("§ 1 KSchG", "not_in_corpus", None, None, []),
    ],
)
def test_a_miss_carries_its_evidence(  # noqa: PLR0917
    library: Library,
    written: str,
    status: str,
    first: str | None,
    last: str | None,
    near: list[str],
) -> None:
    miss = ask(library, written)

    assert isinstance(miss, Miss)
    assert miss.status == status
    ends = (miss.evidence.first, miss.evidence.last)
    assert [end.citation if end else None for end in ends] == [first, last]
    assert [suggestion.citation for suggestion in miss.suggestions][: len(near)] == near


def test_a_wrong_sign_is_corrected_and_said(library: Library) -> None:
    resolution = resolve(library, "Art. 823 BGB", TODAY)

    assert resolution.hits[0].citation == "§ 823 BGB"
    assert resolution.normalised


def test_following_sections_are_counted_and_capped(library: Library) -> None:
    resolution = resolve(library, "§§ 823 ff. BGB", TODAY)

    assert len(resolution.outcomes) == 20
    assert resolution.total > 20


def test_a_fundstelle_names_the_law_promulgated_there(library: Library) -> None:
    found = [ask(library, "RGBl. 1896 S. 195"), ask(library, "BGBl. I 1949 S. 1")]

    assert [hit.statute.abbreviation for hit in found if isinstance(hit, LawHit)] == ["BGB", "GG"]


def test_before_the_archive_nothing_is_claimed(library: Library) -> None:
    miss = ask(library, "§ 823 BGB", date(2000, 1, 1))

    assert isinstance(miss, Miss)
    assert miss.status == "outside_coverage"
    assert miss.evidence.archive_floor == FLOOR


def iter_sections(library: Library) -> Iterator[tuple[str, str, str]]:
    """Abbreviation, number and canonical citation of every section in force."""
    for statute in library.store.statutes.values():
        for norm in library.store.list_norms(statute.statute_id):
            if norm.kind in {NormKind.SECTION, NormKind.ARTICLE} and "/" not in norm.number:
                fassung = library.store.find_fassung(norm.norm_id, TODAY)
                if fassung and fassung.status is NormStatus.IN_FORCE and not norm.number_end:
                    yield statute.abbreviation, norm.number, norm.citation


def test_every_section_is_found_under_every_spelling(library: Library) -> None:
    sections = random.Random(1).sample(list(iter_sections(library)), 1_000)
    wrong: list[object] = []
    for law, number, citation in sections:
        sign = citation.split()[0]
        for written in (
            citation,
            f"{sign} {number} {law}",
            f"{law} {sign} {number}",
            f"{sign}\u00a0{number} {law}",
            f"{sign}{number} {law}",
            f"vgl. {sign} {number} {law}",
        ):
            outcome = ask(library, written)
            if not isinstance(outcome, ProvisionHit) or outcome.citation != citation:
                wrong.append((written, getattr(outcome, "citation", outcome)))

    assert wrong == []


def test_no_neighbour_that_is_not_there_is_ever_found(library: Library) -> None:
    sections = sorted(iter_sections(library))
    held = {(law, number) for law, number, _ in sections}
    wrong: list[object] = []
    for law, number, citation in random.Random(2).sample(sections, 1_000):
        absent = f"{number.rstrip('abcdefghijklmnopqrstuvwxyz')}z"
        if (law, absent) in held:
            continue
        statute = library.names.find(law)[0].statute_id
        if library.store.find_norm(f"{statute}/{absent}"):
            continue  # inside a range norm
        miss = ask(library, f"{citation.split()[0]} {absent} {law}")
        if (
            not isinstance(miss, Miss)
            or miss.status != "norm_does_not_exist"
            or miss.evidence.nearest_before is None
        ):
            wrong.append((absent, law, miss))

    assert wrong == []


def list_parts(hit: ProvisionHit) -> Iterator[tuple[int, str]]:
    """Every marked part that is not repealed, with its full citation."""
    segments = hit.segments
    for unit in range(len(segments)):
        if not is_repealed(hit.fassung, unit):
            path = format_steps(get_steps(segments, unit))
            yield unit, insert_path(hit.citation, path, hit.statute.abbreviation)


def test_every_marked_part_is_found_under_its_own_citation(library: Library) -> None:
    """Where several parts bear the same name, the first is given and the others are named."""
    wrong: list[object] = []
    for _, _, citation in random.Random(3).sample(list(iter_sections(library)), 500):
        whole = ask(library, citation)
        assert isinstance(whole, ProvisionHit)
        for unit, written in list_parts(whole):
            outcome = ask(library, written)
            if not isinstance(outcome, ProvisionHit):
                wrong.append((written, outcome))
            elif outcome.unit != unit and not outcome.alternatives:
                wrong.append((written, outcome.citation))

    assert wrong == []

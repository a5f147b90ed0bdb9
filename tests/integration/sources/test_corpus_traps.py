"""The traps of the official archive, each on the law that shows it."""

import re
from collections import Counter
from functools import cache

import pytest

from fundstelle.ingest.records import ParsedStatute, SourceFile
from fundstelle.ingest.sources.gii import parse as gii
from fundstelle.ingest.sources.gii.text import GiiText
from fundstelle.ingest.sources.gii.xml import parse_document
from fundstelle.ingest.text.sentences import find_starts
from fundstelle.law.norms import Fassung, Norm, NormKind, NormStatus, Segment
from tests.integration.corpora.gii_archive import iter_files, parse, skip_without_archive

pytestmark = pytest.mark.corpus

_NAMES = {
    "aktg": "AktG", "ao_1977": "AO", "betrvg": "BetrVG", "bgb": "BGB", "bgbeg": "EGBGB",
    "binschstro_2012": "BinSchStrO", "eginso": "EGInsO", "estg": "EStG", "gg": "GG",
    "gkg_2004": "GKG", "kredwg": "KWG", "kstg_1977": "KStG", "m_nz100eurobek": "100EuroBek",
    "sgb_5": "SGB V", "stgb": "StGB", "stvo_2013": "StVO", "uwg_2004": "UWG", "wphg": "WpHG",
}  # fmt: skip


@cache
def _files() -> dict[str, SourceFile]:
    skip_without_archive()
    return {file.slug: file for file in iter_files() if file.slug in _NAMES}


@cache
def _law(slug: str) -> ParsedStatute:
    if slug not in _files():
        pytest.skip(f"{slug} is not in this archive")
    return parse(_files()[slug], _NAMES[slug])


def _find(slug: str, number: str) -> tuple[Norm, Fassung]:
    found = [record for record in _law(slug).norms if record[0].number == number]
    assert len(found) == 1, f"{number} occurs {len(found)} times"
    return found[0]


def _part(fassung: Fassung, path: str) -> str:
    """The text of a part named like ``abs 2 satz 1 nr 1``."""
    steps = path.split()
    parent = -1
    segment: Segment | None = None
    for level, value in zip(steps[::2], steps[1::2], strict=True):
        parent, segment = next(
            (at, s)
            for at, s in enumerate(fassung.segments)
            if (s.parent, s.level, s.value) == (parent, level, value)
        )
    assert segment is not None
    return fassung.text[segment.start : segment.end]


@pytest.mark.parametrize(
    ("slug", "number", "kind", "citation", "status"),
    [
        ("bgb", "823", "section", "§ 823 BGB", "in_force"),
        ("bgbeg", "229", "heading", "Art. 229 EGBGB", "in_force"),
        ("bgbeg", "229/5", "section", "Art. 229 § 5 EGBGB", "in_force"),
        ("bgbeg", "229/67", "section", "Art. 229 § 67 EGBGB", "not_yet_in_force"),
        ("bgbeg", "234/8-9", "section", "Art. 234 §§ 8 und 9 EGBGB", "repealed"),
        ("bgbeg", "246", "article", "Art. 246 EGBGB", "in_force"),
        ("bgbeg", "246a/1", "section", "Art. 246a § 1 EGBGB", "in_force"),
        ("bgbeg", "3", "article", "Art. 3 EGBGB", "in_force"),
        ("bgbeg", "anlage-1", "annex", "Anlage 1 EGBGB", "in_force"),
        ("eginso", "102c/1", "section", "Art. 102c § 1 EGInsO", "in_force"),
        ("eginso", "103a", "article", "Art. 103a EGInsO", "in_force"),
        ("stgb", "80", "section", "§ 80 StGB", "repealed"),
        ("gg", "74", "article", "Art. 74 GG", "in_force"),
        ("aktg", "43-44", "section", "§§ 43 und 44 AktG", "repealed"),
        ("binschstro_2012", "1.01", "section", "§ 1.01 BinSchStrO", "in_force"),
        ("gkg_2004", "anlage-1", "annex", "Anlage 1 GKG", "in_force"),
        ("m_nz100eurobek", "text", "other", "Text 100EuroBek", "in_force"),
        ("ao_1977", "414", "section", "§ 414 AO", "repealed"),
    ],
)
def test_every_trap_is_one_norm_with_its_citation(
    slug: str, number: str, kind: str, citation: str, status: str
) -> None:
    norm, _ = _find(slug, number)
    assert (norm.kind, norm.citation, norm.status) == (kind, citation, status)


def test_headings_with_text_keep_it() -> None:
    for number in ("3", "246"):
        norm, fassung = _find("bgbeg", number)
        assert len(fassung.text) > 400
        assert fassung.segments
        assert norm.title
    assert _find("bgbeg", "229/5")[0].parent_id == "de/egbgb/229"


def test_only_nummer_5_of_article_74_is_repealed() -> None:
    _, fassung = _find("gg", "74")
    assert _part(fassung, "abs 1 satz 1 nr 5") == "5. (weggefallen)"
    assert _part(fassung, "abs 1 satz 1 nr 19a").startswith("19a. die wirtschaftliche")


def test_the_place_of_a_section_is_told_in_words() -> None:
    assert _find("bgb", "823")[0].hierarchy == (
        "Buch 2 Recht der Schuldverhältnisse",
        "Abschnitt 8 Einzelne Schuldverhältnisse",
        "Titel 27 Unerlaubte Handlungen",
    )


@pytest.mark.parametrize(
    ("slug", "juris", "official"),
    [
        ("ao_1977", "AO 1977", "AO"),
        ("kredwg", "KredWG", "KWG"),
        ("bgbeg", "BGBEG", None),
        ("sgb_5", "SGB 5", None),
    ],
)
def test_the_publishers_abbreviations_are_kept_as_they_are(
    slug: str, juris: str, official: str | None
) -> None:
    skip_without_archive()
    header = gii.read_header(_files()[slug])
    assert header.abbreviation_juris == juris
    assert header.abbreviation_official == official
    assert _law(slug).statute.abbreviation == _NAMES[slug]


def test_a_law_may_have_two_juris_abbreviations() -> None:
    names = _law("binschstro_2012").statute.abbreviations_juris
    assert names == ("BinSchStrO 2012", "BinSchStrO")


def test_sentence_numbers_are_used_and_not_shown() -> None:
    _, fassung = _find("estg", "20")
    second = _part(fassung, "abs 1 satz 1 nr 1 satz 2")
    assert second.startswith("Zu den sonstigen Bezügen")
    assert not re.search(r"[.;] ?\d(?=[A-ZÄÖÜ][a-zäöü])", fassung.text)
    assert _part(fassung, "abs 1 satz 1 nr 10 buchst b satz 2").startswith("Die Auflösung")


@pytest.mark.parametrize("slug", ["estg", "kstg_1977"])
def test_sentences_are_found_where_the_law_prints_their_numbers(slug: str) -> None:
    """The printed numbers of tax law are the gold standard for the division of all others."""
    skip_without_archive()
    counts: Counter[str] = Counter()
    for text in parse_document(_files()[slug]).iterfind("norm/textdaten/text"):
        draft = GiiText().read(text)
        for line in draft.lines:
            absatz = re.match(r"\(\d+[a-z]*\) ", draft.text[line.start : line.end])
            body = line.start + absatz.end() if absatz else line.body
            printed = {at for at, _ in line.marks if body < at < line.end}
            if line.marks:
                found = set(find_starts(draft.text, body, line.end))
                counts.update(
                    printed=len(printed), right=len(printed & found), wrong=len(found - printed)
                )
    assert counts["printed"] > 300
    assert counts["wrong"] == 0
    assert counts["right"] >= 0.995 * counts["printed"]


@pytest.mark.parametrize(
    ("slug", "number", "sentences"),
    [
        ("bgb", "312g", {"1": 1, "2": 1, "3": 1}),
        ("bgb", "823", {"1": 1, "2": 2}),
        ("bgb", "280", {"1": 2, "2": 1, "3": 1}),
        ("betrvg", "102", {"1": 3, "2": 5, "3": 1, "4": 1, "5": 2, "6": 1, "7": 1}),
        ("gg", "16a", {"1": 1, "2": 3, "3": 2, "4": 2, "5": 1}),
        ("gg", "1", {"1": 2, "2": 1, "3": 1}),
        ("gg", "5", {"1": 3, "2": 1, "3": 2}),
        ("stgb", "263", {"1": 1, "2": 1, "3": 2, "4": 1, "5": 1, "6": 1}),
    ],
)
def test_every_absatz_has_as_many_sentences_as_lawyers_count(
    slug: str, number: str, sentences: dict[str, int]
) -> None:
    _, fassung = _find(slug, number)
    counted = Counter(
        fassung.segments[s.parent].value
        for s in fassung.segments
        if s.level == "satz" and s.parent >= 0 and fassung.segments[s.parent].level == "abs"
    )
    assert {k: v for k, v in counted.items() if k in sentences} == sentences


def test_a_citation_leads_to_exactly_its_words() -> None:
    _, fassung = _find("bgb", "312g")
    number = _part(fassung, "abs 2 satz 1 nr 1")
    assert number.startswith("1. Verträge zur Lieferung von Waren, die nicht vorgefertigt sind")
    assert number.endswith("zugeschnitten sind,")
    _, fassung = _find("sgb_5", "5")
    half = _part(fassung, "abs 1 satz 1 nr 2 hs 2")
    assert half.startswith("dies gilt auch, wenn die Entscheidung")


@pytest.mark.parametrize(("slug", "number"), [("wphg", "120"), ("estg", "52")])
def test_the_longest_sections_are_whole(slug: str, number: str) -> None:
    _, fassung = _find(slug, number)
    assert len(fassung.text) > 80_000
    assert len(fassung.segments) > 400


def test_a_huge_table_is_text_and_grid() -> None:
    _, fassung = _find("sgb_5", "anlage-1")
    (table,) = fassung.tables
    assert table.end - table.start > 40_000
    assert len({len(row) for row in table.rows}) == 1
    assert fassung.text[table.start : table.end].count("\n") == len(table.rows) - 1


def test_the_rows_of_a_schedule_of_fees_can_be_cited() -> None:
    _, fassung = _find("gkg_2004", "anlage-1")
    row = _part(fassung, "teil 1 nr 1210")
    assert row.startswith("1210 | Verfahren im Allgemeinen")
    assert "Mahnverfahren vorausgegangen" in row


def test_road_signs_leave_a_mark_where_their_picture_stood() -> None:
    _, fassung = _find("stvo_2013", "anlage-2")
    assert fassung.text.count("[Abbildung]") > 50
    assert "Andreaskreuz" in _part(fassung, "nr 1")


def test_the_contents_of_a_law_stay_readable() -> None:
    norm, fassung = _find("bgb", "inhaltsuebersicht")
    assert norm.kind is NormKind.CONTENTS
    assert fassung.text.startswith("Buch 1 Allgemeiner Teil\nAbschnitt 1 Personen\n")
    assert fassung.segments == ()


def test_the_kinds_of_law_and_their_gazette() -> None:
    assert _law("stvo_2013").statute.document_kind == "regulation"
    assert _law("stgb").statute.document_kind == "statute"
    assert _law("stvo_2013").statute.publication == "BGBl. I 2013 S. 367"
    assert _law("bgb").statute.publication == "RGBl. 1896 S. 195"


def test_a_repealed_norm_has_no_parts() -> None:
    for slug, number in (("stgb", "80"), ("aktg", "43-44")):
        norm, fassung = _find(slug, number)
        assert norm.status is NormStatus.REPEALED
        assert fassung.segments == ()

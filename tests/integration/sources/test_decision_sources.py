"""Every decision of the archive comes through, whole, and only page furniture stays behind."""

import re
from collections import Counter

import pytest

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.courts.adapters import iter_decisions, merge_decisions
from fundstelle.ingest.sources.decision_text.headings import find_part
from fundstelle.ingest.sources.decision_text.text import tidy
from fundstelle.law.decisions import UNKNOWN_COURT, PartKind
from tests.integration.sources.decision_archive import read_archive, skip_without_archive

pytestmark = pytest.mark.corpus

_MARKS = {
    "bag": re.compile(rb'<dt>\s*<a href="#rd-(\d+)"'),
    "bfh": re.compile(rb'data-rd="(\d+)"'),
    "bverwg": re.compile(rb'<span class="rdn">\s*(\d+)\s*</span>'),
    "bayern": re.compile(rb'<div class="rd">\s*(\d+)\s*</div>'),
    "rii": re.compile(rb'<a name="rd_(\d+)">'),
}
_PRINT_FURNITURE = re.compile(
    r"[-–—\s\d]*"  # page and margin numbers
    r"|(?:Seite )?\d+ (?:von|of) \d+|\d+/\d+"
    r"|https?://\S+.*|[\d.]{8,10}(?: [\d:]{5})?"
    r"|(?:Oberverwaltungsgericht NRW|Verwaltungsgericht \w+|Finanzgericht Münster), .*"
    r"|CURIA - Dokumente|InfoCuria|EUR-Lex - \w+ - DE|Druckvorschau - Bürgerservice"
    r"|Druck- und Speicheransicht|Rechtsprechung - Justiz - Portal Hamburg"
    r"|Avis juridique important|WICHTIGER RECHTLICHER HINWEIS: .*|Haftungsausschluss und .*"
    r"|.*\.doc|DB_7_E_1487_07|[A-Z]{1,3}-\d+|II - \d+"
    r"|.*(?:JUDGMENT|URTEIL VOM|DÉCISION|SEPARATE OPINIONS| / KOMMISSION|Arrêt du Tribunal).*"
    r"|(?:VG|OVG|M|W) ?\d.*|\d+ [A-Z]+ \d.*|Urteil des Schleswig-Holsteinischen .* 31\.08\.2004"
)


@pytest.fixture(scope="module")
def files() -> dict[str, SourceFile]:
    skip_without_archive()
    return {file.name: file for file in read_archive()}


@pytest.fixture(scope="module")
def found(files: dict[str, SourceFile]) -> list[ParsedDecision | Rejected]:
    return list(iter_decisions(files.values()))


@pytest.fixture(scope="module")
def decisions(found: list[ParsedDecision | Rejected]) -> list[ParsedDecision]:
    return [each for each in found if isinstance(each, ParsedDecision)]


def get_source(parsed: ParsedDecision) -> str:
    return parsed.decision.sources[0].source_type


def test_every_file_of_the_archive_becomes_a_decision(
    found: list[ParsedDecision | Rejected], decisions: list[ParsedDecision]
) -> None:
    rejected = [each.reason for each in found if isinstance(each, Rejected)]
    assert rejected == ["its letters cannot be read: the print names none"]
    assert Counter(map(get_source, decisions)) == {
        "rii": 2,
        "bag": 24,
        "bayern": 33,
        "bfh": 2,
        "bverwg": 47,  # two of the 45 pages hold a second one
        "ifg": 570,
        "old": 5,
        "plain": 175,
    }


def test_every_decision_has_an_id_of_its_own(decisions: list[ParsedDecision]) -> None:
    merged = merge_decisions(decisions)
    assert len({each.decision.decision_id for each in merged}) == len(merged)
    for parsed in merged:
        assert parsed.text.decision_id == parsed.decision.decision_id


def test_only_plain_texts_may_lack_court_docket_or_day(decisions: list[ParsedDecision]) -> None:
    unnamed = [each for each in decisions if not each.decision.dockets]
    undated = [each for each in decisions if each.decision.issued_on is None]
    assert {id(each) for each in undated} < {id(each) for each in unnamed}
    assert {get_source(each) for each in unnamed} == {"plain"}
    assert len(unnamed) == 172
    named = {each.decision.court for each in unnamed} - {UNKNOWN_COURT}
    assert named == {"AG Düsseldorf", "AG Oberhausen", "OLG Düsseldorf"}
    # where the text contradicts the list of the collection, that is said
    assert sum(bool(each.decision.doubts) for each in decisions) > 10


def test_parts_tile_the_text_and_offsets_point_into_it(decisions: list[ParsedDecision]) -> None:
    for parsed in decisions:
        text = parsed.text
        assert text.text.strip()
        assert "".join(text.text[part.start : part.end] for part in text.parts) == text.text
        assert all(line == tidy(line) != "" for line in text.text.split("\n"))
        for passage in text.passages:
            part = text.parts[passage.part]
            assert part.start <= passage.start < passage.end <= part.end
        assert all("\n" not in text.text[h.start : h.end] for h in text.headings)
        assert text.kept_chars <= text.source_chars


def test_no_tenor_holds_what_is_numbered_or_headed_as_reasons(
    decisions: list[ParsedDecision],
) -> None:
    swallowed = []
    for parsed in decisions:
        parts, text = parsed.text.parts, parsed.text.text
        tenors = [number for number, part in enumerate(parts) if part.kind is PartKind.TENOR]
        for passage in parsed.text.passages:
            after = parts[passage.part + 1].kind if passage.part + 1 < len(parts) else None
            own = passage.part in tenors and passage.number == "1"
            if own and after not in {PartKind.TATBESTAND, PartKind.GRUENDE}:
                swallowed.append(parsed.decision.citation)
        for number in tenors:
            lines = text[parts[number].start : parts[number].end].split("\n")[1:]
            if any(find_part(line) is not None for line in lines):
                swallowed.append(parsed.decision.citation)
    assert not swallowed


def test_every_number_that_is_marked_up_is_a_passage(
    files: dict[str, SourceFile], decisions: list[ParsedDecision]
) -> None:
    numbers: dict[str, Counter[str]] = {source: Counter() for source in _MARKS}
    for parsed in decisions:
        source = get_source(parsed)
        if source in numbers:
            numbers[source].update(passage.number for passage in parsed.text.passages)
    for source, mark in _MARKS.items():
        pages = [file.data for name, file in files.items() if source in name.split("/")[-2:][0]]
        expected = Counter(number.decode() for page in pages for number in mark.findall(page))
        assert numbers[source] == expected, source


def test_the_numbers_of_every_decision_rise(decisions: list[ParsedDecision]) -> None:
    for parsed in decisions:
        numbers = [int(re.sub(r"\D", "", each.number)) for each in parsed.text.passages]
        assert numbers == sorted(set(numbers)), parsed.decision.citation


def test_most_numbers_of_prints_and_plain_texts_are_told(decisions: list[ParsedDecision]) -> None:
    """What is missing between two numbers was lost in the print or cannot be told."""
    told: Counter[str] = Counter()
    printed: Counter[str] = Counter()
    numbered: Counter[str] = Counter()
    for parsed in decisions:
        source, passages = get_source(parsed), parsed.text.passages
        if passages:
            numbered[source] += 1
            told[source] += len(passages)
            printed[source] += int(re.sub(r"\D", "", passages[-1].number))
    assert numbered["ifg"] >= 257
    assert numbered["plain"] >= 166
    assert told["ifg"] > 0.88 * printed["ifg"]
    assert told["plain"] > 0.99 * printed["plain"]
    assert all(told[source] == printed[source] for source in ("bag", "bverwg", "bfh", "old"))


def test_nothing_of_a_print_is_lost_but_furniture(
    files: dict[str, SourceFile], decisions: list[ParsedDecision]
) -> None:
    lost: Counter[str] = Counter()
    for parsed in decisions:
        if get_source(parsed) != "ifg":
            continue
        name = f"ifg-text/{parsed.decision.sources[0].publisher_id}"
        held = _squeeze(parsed.text.text)
        for line in map(tidy, re.split(r"[\n\f]", files[name].data.decode())):
            bare = re.sub(r"^(?:[-–—]?\s?\d{1,3}\.?\s?[-–—]?\s*)+", "", line)
            margin = re.sub(r"\s\d{1,3}$", "", bare)  # on the right
            if all(_squeeze(form) not in held for form in (line, bare, margin)):
                lost.update([line] if _PRINT_FURNITURE.fullmatch(line) is None else [])
    assert not lost


def _squeeze(text: str) -> str:
    return re.sub(r"[\s-]", "", text)


def test_nothing_of_a_plain_text_is_lost_but_the_note_on_links(
    files: dict[str, SourceFile], decisions: list[ParsedDecision]
) -> None:
    shares = {}
    for parsed in decisions:
        if get_source(parsed) == "plain":
            lost = parsed.text.source_chars - parsed.text.kept_chars
            shares[parsed.decision.decision_id] = lost
    assert sum(lost == 0 for lost in shares.values()) == 157
    assert max(shares.values()) < 200
    assert "fulltext-plain/0077ab07885a.txt" in files


@pytest.mark.parametrize(
    ("decision_id", "court", "passages"),
    [
        ("ECLI:DE:BVerfG:2018:qs20180822.2bvq005318", "BVerfG", 9),
        ("de/bgh/vi-zr-194-17/2018-04-09/beschluss", "BGH", 2),
        ("ECLI:DE:BAG:2024:300124.U.1AZR62.23.0", "BAG", 29),
        ("ECLI:DE:BVerwG:2022:191022B8B13.22.0", "BVerwG", 2),
        ("de/bayoblg/203-strr-381-23/2023-11-27/beschluss", "BayObLG", 35),
        ("de/bverwg/20-f-7.11/2012-04-18/beschluss", "BVerwG", 17),
        ("eu/eugh/c-70-15/2016-07-07/urteil", "EuGH", 59),
        ("int/egmr/31475-05/2009-05-26/urteil", "EGMR", 56),
    ],
)
def test_known_decisions_are_there_with_their_numbers(
    decisions: list[ParsedDecision], decision_id: str, court: str, passages: int
) -> None:
    by_id = {each.decision.decision_id: each for each in decisions}
    parsed = by_id[decision_id]
    assert parsed.decision.court == court
    assert len(parsed.text.passages) == passages

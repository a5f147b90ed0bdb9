"""EU acts of the archive: everything comes through, and nothing of it is lost."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import chain
from pathlib import Path

import pytest
from lxml import etree, html

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedAct, ParsedDecision, SourceFile
from fundstelle.ingest.sources.by_hand import find_collections
from fundstelle.ingest.sources.eu.act import ActText
from fundstelle.ingest.sources.eu.blocks import render
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from fundstelle.ingest.sources.eu.eurlex_html import read_act as read_page
from fundstelle.ingest.sources.eu.formex import find_root, read_act
from fundstelle.law.corrigenda import is_announced, read_correction
from fundstelle.law.norms import Fassung, NormKind, NormStatus

ARCHIVE = Path(__file__).parents[4] / "shared" / "corpus" / "eurlex.tar.zst"

NUMBERED_END = re.compile(
    r"\b(?:[Aa]rticles?|[Pp]aragraphs?|Annex|Chapter|Section)"
    r" (?:[\dIVX]+[a-z]?(?:, | and | or | to ))*[\dIVX]+\. (?=[A-Z][a-z])"
)

PICTURE = re.compile(r"\[Abbildung[^\]]*\]")
CLOSING = re.compile(r"This Regulation shall be binding in its entirety")

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(not ARCHIVE.exists(), reason="eurlex.tar.zst is not beside the checkout"),
]


@pytest.fixture(scope="module")
def files() -> list[SourceFile]:
    (collection,) = find_collections(ARCHIVE)
    return [
        SourceFile(entry.name, entry.name.rpartition("/")[0], entry.data)
        for entry in sorted(collection.files.entries(), key=lambda entry: entry.name)
    ]


@pytest.fixture(scope="module")
def acts(files: list[SourceFile]) -> dict[str, ParsedAct]:
    found = [one for one in iter_acts(files) if isinstance(one, ParsedAct)]
    return {act.statute.statute_id: act for act in found}


def count(text: str) -> Counter[str]:
    """Characters, raised ones as others."""
    return Counter(c for c in unicodedata.normalize("NFKC", text) if not c.isspace())


def count_formex(element: etree._Element) -> Counter[str]:
    """The characters of an element, its quotation marks from their codes."""
    counted: Counter[str] = Counter()
    for each in element.iter():
        if not isinstance(each.tag, str):
            continue
        counted += count(each.text or "")
        if each.tag in {"QUOT.START", "QUOT.END"}:
            counted += count(chr(int(each.get("CODE") or "22", 16)))
        counted += count(each.tail or "") if each is not element else Counter()
    return counted


def test_every_act_and_decision_of_the_archive_comes_through(files: list[SourceFile]) -> None:
    found = list(iter_acts(files))
    rejected = [one.name for one in found if isinstance(one, Rejected)]
    acts = [one for one in found if isinstance(one, ParsedAct)]
    decisions = [one for one in found if isinstance(one, ParsedDecision)]
    kinds = Counter(norm.kind.value for act in acts for norm, _ in act.norms)
    print(f"{len(acts)} acts, {len(decisions)} decisions, {dict(kinds)}; rejected {rejected}")  # noqa: T201
    assert len(acts) == 35
    assert {act.statute.language for act in acts} == {"de", "en"}
    assert [one.decision.dockets for one in decisions] == [
        ("Gutachten 1/19",),
        ("C-538/23",),
        ("C-878/24 P(R)",),
    ]
    # A German act of the Federal Law Gazette, and a page cut to a few lines.
    assert [name.partition("/")[0] for name in rejected] == ["legaldocml-de", "xhtml-de-abridged"]


def test_nothing_of_an_article_in_formex_is_lost(files: list[SourceFile]) -> None:
    compared = 0
    for file in files:
        if not file.name.endswith(".xml") or b"ENACTING.TERMS" not in file.data:
            continue
        root = find_root(etree.fromstring(file.data, etree.XMLParser(remove_pis=True)))
        if root is None:
            continue
        text = read_act(root, None, file.name)
        assert text is not None
        # Articles that an amendment quotes belong to the article that quotes them.
        elements = iter(root.xpath(".//ARTICLE[not(ancestor::QUOT.S)]"))
        for unit in text.units:
            if unit.kind is not NormKind.ARTICLE:
                continue
            wanted = count_formex(next(elements))
            shown = "".join((unit.label, unit.title, render(unit.blocks).text, *unit.footnotes))
            held = count(PICTURE.sub("", shown).replace("|", ""))
            assert held - wanted == Counter(), (file.name, unit.number)
            assert wanted - held == Counter(), (file.name, unit.number)
            compared += sum(wanted.values())
    print(f"{compared:,} characters of articles in Formex compared")  # noqa: T201
    assert compared > 1_500_000


def test_nothing_of_an_article_in_the_official_journal_is_lost(files: list[SourceFile]) -> None:
    compared = 0
    for file in files:
        if not file.name.endswith("en.oj.xhtml") or b'class="oj-ti-art"' not in file.data:
            continue
        tree = html.fromstring(file.data, parser=html.HTMLParser(encoding="utf-8"))
        draft = ActText("32099R0001", "en", "", None, None, None, [], file.name)
        units = {unit.number: unit for unit in read_page(tree, draft).units}
        for number, element in iter_articles(tree):
            unit = units[number]
            shown = f"{unit.label}{unit.title}{render(unit.blocks).text}"
            wanted, held = count_page(element), count(PICTURE.sub("", shown).replace("|", ""))
            assert held == wanted, (file.name, number, held - wanted, wanted - held)
            compared += sum(wanted.values())
    print(f"{compared:,} characters of articles in the Official Journal compared")  # noqa: T201
    assert compared > 2_000_000


def count_page(article: html.HtmlElement) -> Counter[str]:
    """The characters of an article without notes, what leads to them, and the closing formula."""
    for reference in article.xpath(".//a[starts-with(@href, '#ntr')]"):
        reference.drop_tree()
    for note in article.xpath(".//p[@class='oj-note' and not(ancestor::td)]"):
        note.drop_tree()
    return count(CLOSING.split("".join(article.itertext()))[0])


def iter_articles(tree: html.HtmlElement) -> Iterator[tuple[str, html.HtmlElement]]:
    for element in tree.xpath("//div[@class='eli-subdivision' and starts-with(@id, 'art_')]"):
        yield element.get("id").lower(), element


def find(acts: dict[str, ParsedAct], norm_id: str) -> Fassung:
    law, _, number = norm_id.rpartition("/")
    (fassungen,) = [f for norm, f in acts[law].norms if norm.number == number]
    return fassungen[-1]


@pytest.mark.parametrize(
    ("norm_id", "path", "begins"),
    [
        ("eu/32016R0679/art_6", "abs=1/uabs=1/buchst=f", "f) die Verarbeitung ist zur Wahrung"),
        ("eu/32016R0679/art_4", "nr=7", "7. „Verantwortlicher“"),
        ("eu/32016R0679:en/art_6", "abs=1/uabs=1/buchst=f", "(f) processing is necessary"),
        ("eu/32024R1689/annex_iii", "nr=5/buchst=b", "(b) AI systems intended to be used"),
        ("eu/12016E/art_101", "abs=1/buchst=a", "(a) directly or indirectly fix"),
    ],
)
def test_points_of_real_acts_are_cut_as_they_are_cited(
    acts: dict[str, ParsedAct], norm_id: str, path: str, begins: str
) -> None:
    fassung = find(acts, norm_id)
    segment = -1
    for step in path.split("/"):
        level, _, value = step.partition("=")
        segment = next(
            place
            for place, each in enumerate(fassung.segments)
            if (each.level, each.value, each.parent) == (level, value, segment)
        )
    cut = fassung.segments[segment]
    assert fassung.text[cut.start : cut.end].startswith(begins)


def test_no_english_sentence_goes_on_behind_the_number_of_an_article(
    acts: dict[str, ParsedAct],
) -> None:
    uncut = [
        (norm.norm_id, fassung.text[end.start() : end.end() + 30])
        for act in acts.values()
        if " the " in act.statute.title
        for norm, held in act.norms
        for fassung in held
        for end in NUMBERED_END.finditer(fassung.text)
        for part in fassung.segments
        if part.level == "satz" and part.start <= end.start() and end.end() < part.end
    ]

    assert uncut == []


def test_recitals_keep_their_number(acts: dict[str, ParsedAct]) -> None:
    assert find(acts, "eu/32016R0679/recital_47").text.startswith("Die Rechtmäßigkeit der")
    counted = Counter(
        act.statute.statute_id
        for act in acts.values()
        for norm, _ in act.norms
        if norm.kind is NormKind.RECITAL
    )
    assert (counted["eu/32016R0679"], counted["eu/32016R0679:en"]) == (173, 173)
    assert counted["eu/32024R1689"] == 180


def test_the_corrigenda_of_the_german_gdpr_are_in_its_text(acts: dict[str, ParsedAct]) -> None:
    """All but the one that quotes words which are not in the Official Journal."""
    act = acts["eu/32016R0679"]
    notes = [note for _, held in act.norms for note in held[-1].notes]
    applied = [one for one in map(read_correction, notes) if one is not None]
    announced = [note for note in notes if is_announced(note)]

    assert len({(one.source, one.place) for one in applied}) == 40
    assert len(announced) == 1
    for number, words in (
        ("art_15", "gemäß Absatz 3 darf die Rechte"),
        ("art_30", "es sei denn, die von ihnen vorgenommene Verarbeitung birgt ein Risiko"),
        ("art_33", "der gemäß Artikel 55 zuständigen Aufsichtsbehörde"),
    ):
        assert words in find(acts, f"eu/32016R0679/{number}").text
    stored = {norm.norm_id: held[-1].text for norm, held in act.norms}
    assert sum(one.new in text for one in applied for text in stored.values()) >= len(applied) - 2
    assert not any(map(read_correction, find(acts, "eu/32016R0679:en/art_15").notes))


def test_no_annex_holds_what_stands_behind_it(acts: dict[str, ParsedAct]) -> None:
    titles = ("Declarations", "Tables of equivalences", "PROTOCOL (No", "ANNEX I", "ANNEX II")
    swallowed = [
        (norm.norm_id, line[:60])
        for act in acts.values()
        if act.statute.slug.startswith("1")
        for norm, held in act.norms
        if norm.kind is NormKind.ANNEX
        for line in held[-1].text.splitlines()
        if line.startswith(titles)
    ]

    assert swallowed == []
    assert len(find(acts, "eu/12016E/annex_ii").text) < 1_000
    assert find(acts, "eu/12016E/declarations").text


def test_an_excerpt_has_the_day_that_its_page_tells(acts: dict[str, ParsedAct]) -> None:
    statute = acts["eu/32002F0584"].statute

    assert statute.issued_on == date(2002, 6, 13)
    assert statute.publication == "ABl. L 190, 2002, S. 1"
    assert not statute.complete


HISTORY = ARCHIVE.parent.parent / "history" / "eurlex-history.tar.zst"
VERSIONED = {"32006L0112": 32, "32024R1689": 2, "32004L0039": 7}  # act: texts with words


@pytest.mark.skipif(not HISTORY.exists(), reason="eurlex-history.tar.zst is not there")
def test_on_the_day_of_each_version_of_an_act_its_text_is_that_of_its_file() -> None:
    (collection,) = find_collections(HISTORY)
    versions: dict[str, dict[str, list[SourceFile]]] = {act: {} for act in VERSIONED}
    for entry in collection.files.entries():
        act, day, *_ = entry.name.split("/")
        if act in versions:
            file = SourceFile(entry.name, act, entry.data)
            versions[act].setdefault(day, []).append(file)
    compared = deleted = 0
    for celex, texts in versions.items():
        whole = read_alone(chain.from_iterable(texts.values()))
        assert whole is not None
        assert whole.texts == VERSIONED[celex]
        begins = whole.statute.in_force_from or date.min
        days = sorted(map(date.fromisoformat, texts))
        for on, alone in ((on, read_alone(texts[on.isoformat()])) for on in days):
            if alone is None:  # a description without a text
                continue
            if any(on < other <= begins for other in days):
                continue  # it was replaced before the act came into force
            held = find_texts(whole, max(on, begins))
            for norm, (fassung,) in alone.norms:
                if norm.status is NormStatus.REPEALED:
                    assert not held.get(norm.norm_id), (norm.norm_id, on)
                    deleted += 1
                elif norm.kind is NormKind.ARTICLE:
                    assert held[norm.norm_id] == fassung.text, (norm.norm_id, on)
                    compared += 1
    assert compared > 10_000
    assert deleted > 500


def read_alone(files: Iterable[SourceFile]) -> ParsedAct | None:
    return next((one for one in iter_acts(files) if isinstance(one, ParsedAct)), None)


def find_texts(act: ParsedAct, day: date) -> dict[str, str]:
    """What the store gives for a day: the newest text that has begun and not ended."""
    return {
        norm.norm_id: fassung.text
        for norm, fassungen in act.norms
        for fassung in fassungen
        if (fassung.in_force_from or date.min) <= day < (fassung.in_force_until or date.max)
    }


# As the Union's own pages give them, found from nothing but the texts and the Journal's days.
ENTRIES = {
    "eu/31993L0013": ("1994-12-31", "proven"),  # bound from when the Member States were told of it
    "eu/32000L0031": ("2000-07-17", "text"),
    "eu/32002F0584": ("2002-08-07", "text"),
    "eu/32003L0088": ("2004-08-02", "text"),
    "eu/32005L0029": ("2005-06-12", "text"),
    "eu/32007R0864": ("2007-08-20", "treaty"),
    "eu/32008R0593": ("2008-07-24", "text"),
    "eu/32009R0810": ("2009-10-05", "text"),
    "eu/32011L0083": ("2011-12-12", "text"),
    "eu/32012R1215": ("2013-01-09", "text"),
    "eu/32013R0575": ("2013-06-28", "text"),
    "eu/32014L0065": ("2014-07-02", "text"),
    "eu/32015L2366": ("2016-01-12", "text"),
    "eu/32016R0679": ("2016-05-24", "text"),
    "eu/32016R0679:en": ("2016-05-24", "text"),
    "eu/32018L1972": ("2018-12-20", "text"),
    "eu/32019L0790": ("2019-06-06", "text"),
    "eu/32019L1937": ("2019-12-16", "text"),
    "eu/32022R1925": ("2022-11-01", "text"),
    "eu/32022R2065": ("2022-11-16", "text"),
    "eu/32023R2854": ("2024-01-11", "text"),
    "eu/32024R1183": ("2024-05-20", "text"),
    "eu/32024R1689": ("2024-08-01", "text"),
    "eu/32024R2847": ("2024-12-10", "text"),
}


def test_every_act_is_in_force_from_its_entry_on_and_not_from_its_signature(
    acts: dict[str, ParsedAct],
) -> None:
    found = {
        number: (str(act.statute.in_force_from), act.statute.date_precision.value)
        for number, act in acts.items()
        if act.statute.slug[0] == "3"
    }
    assert {number: found[number] for number in ENTRIES} == ENTRIES
    assert not [number for number, (_, precision) in found.items() if precision == "unknown"]
    early = [
        fassung.norm_id
        for act in acts.values()
        for _, fassungen in act.norms
        for fassung in fassungen
        if act.statute.in_force_from is not None
        and fassung.status is NormStatus.IN_FORCE
        and (fassung.in_force_from is None or fassung.in_force_from < act.statute.in_force_from)
    ]
    assert early == []


def test_what_applies_later_than_it_is_in_force_says_so(acts: dict[str, ParsedAct]) -> None:
    said = {
        number: (str(act.statute.applications[-1].general), act.statute.applications[-1].number)
        for number, act in acts.items()
        if act.statute.applications
    }
    assert said["eu/32016R0679"] == ("2018-05-25", "art_99")
    assert said["eu/32024R1689"] == ("2026-08-02", "art_113")
    assert said["eu/32007R0864"] == ("2009-01-11", "art_32")
    assert said["eu/32019L0771"] == ("None", "art_26")  # of one article alone
    regulations = {number for number in acts if number[7:8] == "R"} - {"eu/32024R1183"}
    assert set(said) >= regulations

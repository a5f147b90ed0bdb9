"""Laws, decisions and EU acts of the real archives in one build, and what carries over."""

import shutil
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import orjson
import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus import builds
from fundstelle.corpus.decisions import CitedKind, CitingOrder, CitingRequest
from fundstelle.ingest.sources.by_hand import find_collections, find_snapshots
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.law.norms import NormKind
from fundstelle.lookup.answers import DecisionHit, Hit, Means, Miss, Outcome
from fundstelle.lookup.library import Library
from fundstelle.lookup.reading.years import list_consolidated
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SearchRequest
from fundstelle.tools import find_citing_decisions, get_context
from fundstelle.tools.spec import CallContext
from tests.integration.corpora.building import build

CORPUS = Path(__file__).parents[4] / "shared" / "corpus"
LAWS = ("ifg", "bgb", "gg", "vwgo")
ON = date(2025, 6, 1)
ECLI = "ECLI:DE:BVerwG:2024:140324B2WNB2.23"
ELI = "http://data.europa.eu/eli/reg/2016/679"

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.skipif(
        not (CORPUS / "decisions.tar.zst").exists(), reason="the archives are not beside it"
    ),
]


@pytest.fixture(scope="module")
def data(every_source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of four laws, all decisions and all EU acts, to go on from."""
    data: Path = tmp_path_factory.mktemp("sources") / "data"
    shutil.copytree(every_source, data)
    return data


@pytest.fixture(scope="module")
def library(data: Path) -> Library:
    store = builds.open_active(data)
    folder = builds.get_folder(data, store.manifest.release)
    index = TantivyEngine().open(folder / builds.INDEX)
    names = LawNames.build(store.statutes.values())
    return Library(store, index, names, store.decisions, sources=SOURCES)


def test_one_build_holds_every_source(library: Library) -> None:
    manifest = library.store.manifest
    held = {source.source_type: source.items for source in manifest.sources}
    assert held == {"gii": 4, "eurlex": 38, "rechtsprechung": 858}
    assert manifest.decisions == 861
    assert manifest.statutes == 4 + 35
    assert manifest.citings > 50_000


@pytest.mark.parametrize(
    ("written", "norm_id", "begins"),
    [
        ("Art. 6 Abs. 1 UAbs. 1 lit. f DSGVO", "eu/32016R0679/art_6", "f) die Verarbeitung"),
        ("Art. 6 (1)(f) GDPR", "eu/32016R0679/art_6", "f) die Verarbeitung"),
        ("Erwägungsgrund 47 DSGVO", "eu/32016R0679/recital_47", "Die Rechtmäßigkeit"),
        ("Anhang III Nr. 5 KI-VO", "eu/32024R1689/annex_iii", "5. Access to"),
        ("Art. 5 Abs. 1 EU 2024/1689", "eu/32024R1689/art_5", "1. The following"),
        ("Art. 6 Abs. 1 Satz 1 lit. f DSGVO", "eu/32016R0679/art_6", "f) die Verarbeitung"),
        ("§ 44 DSGVO", "eu/32016R0679/art_44", "Jedwede Übermittlung"),
        ("Art. 101 AEUV", "eu/12016E/art_101", "1. The following"),
        ("Protokoll Nr. 7 AEUV", "eu/12016E/protocol_7", "ON THE PRIVILEGES"),
        ("Protokoll (Nr. 7) zum EUV", "eu/12016M/protocol_7", "ON THE PRIVILEGES"),
        ("C-538/23", "ECLI:EU:C:2025:367", "Urteil des Gerichtshofs"),
        ("ECLI:EU:C:2025:367", "ECLI:EU:C:2025:367", "Urteil des Gerichtshofs"),
        ("C-538/23, Rn. 1", "ECLI:EU:C:2025:367", "Das vorliegende"),
        ("BVerwG 7 C 12.13", "de/bverwg/7-c-12.13/2014-11-27/urteil", "Sachgebiet"),
    ],
)
def test_what_lawyers_cite_leads_to_its_words(
    library: Library, written: str, norm_id: str, begins: str
) -> None:
    (outcome,) = resolve(library, written, ON).outcomes
    assert isinstance(outcome, Hit)
    assert outcome.held_id == norm_id
    assert outcome.text[outcome.start :].startswith(begins)


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ("Präambel DSGVO", "not_in_corpus"),
        ("Präambel der GRCh", "not_in_corpus"),
        ("Schlussformel DSGVO", "not_in_corpus"),
        ("Protokoll Nr. 99 AEUV", "norm_does_not_exist"),
        ("Protokoll Nr. 1 DSGVO", "norm_does_not_exist"),
    ],
)
def test_what_an_act_lacks_is_not_said_of_the_act(
    library: Library, written: str, status: str
) -> None:
    (miss,) = resolve(library, written, ON).misses
    assert miss.status == status
    assert "known law" not in miss.reason, "the act itself is held"


@pytest.mark.parametrize(
    ("number", "before", "after"), [("174", "173", None), ("999", "173", None), ("0", None, "1")]
)
def test_a_recital_is_denied_by_the_recitals(
    library: Library, number: str, before: str | None, after: str | None
) -> None:
    (miss,) = resolve(library, f"Erwägungsgrund {number} DSGVO", ON).misses
    assert miss.status == "norm_does_not_exist"
    assert "the recitals of DSGVO run from 1 to 173" in miss.reason
    ids = [f"eu/32016R0679/recital_{one}" if one else None for one in ("1", "173", before, after)]
    said = miss.evidence
    places = said.first, said.last, said.nearest_before, said.nearest_after
    assert [place.norm_id if place else None for place in places] == ids
    assert [one.norm_id for one in miss.suggestions] == [one for one in ids[2:] if one]


@pytest.mark.parametrize(
    ("written", "status"),
    [
        ("32016R0679R(99)", "not_in_corpus"),
        ("02016R0679-20300101 Art. 6", "not_in_corpus"),
        ("02006L0112-20991399", "not_in_corpus"),
        ("Art. 6 DSGVO 2015", "not_in_corpus"),
        ("KI-VO 1999", "not_in_corpus"),
        ("Art. 101 AEUV 1990", "not_in_corpus"),
        (f"{ELI}/art_6/par_9/oj", "subunit_does_not_exist"),
        (f"{ELI}/rct_999/oj", "norm_does_not_exist"),
        (f"{ELI}/cpt_1/oj", "not_parseable"),
        (f"{ELI}/corrigendum/2030-05-23/oj", "not_parseable"),
    ],
)
def test_what_an_identifier_says_is_read_or_said_to_be_unread(
    library: Library, written: str, status: str
) -> None:
    assert [miss.status for miss in resolve(library, written, ON).misses] == [status]


def test_a_consolidated_text_is_the_one_of_its_day(library: Library) -> None:
    acts = [one for one in library.store.statutes.values() if one.source_type == "eurlex"]
    days = {act.statute_id: list_consolidated(act) for act in acts if ":" not in act.statute_id}
    assert sum(map(len, days.values())) > 3
    for statute_id, held in days.items():
        celex = statute_id.removeprefix("eu/")
        for day in held:
            written = f"0{celex[1:]}-{day:%Y%m%d} Art. 1"
            begins = library.store.statutes[statute_id].in_force_from or day
            read_on = max(day, begins)  # the first one's day is that of the Official Journal
            asked, plain = (
                resolve(library, written, ON),
                resolve(library, f"{celex} Art. 1", read_on),
            )
            assert asked.on == read_on
            assert [read_text(one) for one in asked.outcomes] == list(
                map(read_text, plain.outcomes)
            )
            [other] = resolve(library, f"0{celex[1:]}-19500101 Art. 1", ON).misses
            assert other.status == "not_in_corpus"


def read_text(outcome: Outcome) -> str:
    return outcome.text if isinstance(outcome, Hit) else str(outcome)


def test_verdicts_are_given_on_the_treaties(library: Library) -> None:
    for written in ("Art. 47 GRCh", "Art. 101 AEUV", "Art. 6 EUV", "12016P", "12016E101"):
        [judged] = check_draft(library, f"Das verletzt {written}.", ON).judged
        assert judged.verdict.verdict == "ok", written


def test_an_id_that_is_not_there_gives_no_other_text(data: Path, library: Library) -> None:
    with closing(builds.open_active(data)) as store:
        held = {norm_id for _, norm_id in store.iter_ids()}
    changed = {
        f"{law}/{other}"
        for norm_id in held
        for law, _, number in [norm_id.rpartition("/")]
        for other in (f"{number}9999", f"x{number}", number.replace("_", "_x", 1), f"div_{number}")
    }
    answered = [
        norm_id
        for norm_id in sorted(changed - held)[::9]
        if not all(isinstance(one, Miss) for one in resolve(library, norm_id, ON).outcomes)
    ]
    assert (len(changed - held) > 20_000, answered[:20]) == (True, [])


def test_every_citation_that_is_printed_of_an_act_leads_to_its_own_unit(
    data: Path, library: Library
) -> None:
    with closing(builds.open_active(data)) as store:
        held = [norm_id for _, norm_id in store.iter_ids() if norm_id.startswith("eu/")]
    newest = max(act.stand for act in library.store.statutes.values())  # a day to come, too
    lost = []
    for norm_id in held:
        norm = library.store.find_norm(norm_id)
        if norm is None or norm.kind is NormKind.HEADING:
            continue
        language = "en" if ":en/" in norm_id else "de"
        (outcome, *others) = resolve(library, norm.citation, newest, language).outcomes
        reached = getattr(outcome, "held_id", None)
        if isinstance(outcome, Miss) and outcome.status == "repealed":  # it tells whose end it is
            reached = outcome.about.norm_id if outcome.about else None
        if others or reached != norm_id:
            lost.append((norm_id, norm.citation, reached))
    assert (len(held) > 5_000, lost[:30]) == (True, [])


def test_every_citation_that_is_printed_of_a_decision_leads_back_to_it(library: Library) -> None:
    decisions = library.decisions
    held = decisions.get_by_ordinal(range(decisions.count()))
    lost = [
        one.citation
        for one in held
        if [getattr(each, "held_id", None) for each in resolve(library, one.citation, ON).outcomes]
        != [one.decision_id]
    ]
    assert (len(held), lost) == (861, [])
    assert sum(not one.is_citable for one in held) == 172


def test_what_is_said_of_a_decision_and_is_not_so_is_told(library: Library) -> None:
    """In each of the decisions that have court, day and kind; what is so is never doubted."""
    held = library.decisions.get_by_ordinal(range(library.decisions.count()))
    kinds = {"Urteil": "Beschluss", "Beschluss": "Urteil"}
    altered = 0
    for one in held:
        assert resolve(library, one.citation, ON).normalised == (), one.citation
        kind = one.decision_type.value.capitalize()
        if not one.is_citable or one.issued_on is None or not one.dockets or kind not in kinds:
            continue
        day = f"{one.issued_on:%d.%m.%Y}"
        written = f"{one.court}, {kind} vom {day} - {one.dockets[0]}"
        if [getattr(each, "held_id", None) for each in resolve(library, written, ON).outcomes] != [
            one.decision_id
        ]:
            continue
        for false in (
            written.replace(kind, kinds[kind], 1),
            written.replace(one.court, "BSG" if one.court != "BSG" else "BFH", 1),
            written.replace(day, f"{one.issued_on + timedelta(days=1):%d.%m.%Y}"),
        ):
            assert judge(library, resolve(library, false, ON)).verdict != "ok", false
            altered += 1
    assert altered > 1_500


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("BVerwG C-266/09", "it is a decision of the EuGH, not of the BVerwG"),
        ("EuGH, Urteil vom 07.02.2002 - T-211/00", None),  # the institution as a whole
        ("EuG C-538/23", "it is a decision of the EuGH, not of the EuG"),
        (
            "EuGH, Gutachten vom 7.10.1999 - Gutachten 1/19",
            "it is of 2021-10-06, not of 1999-10-07",
        ),
        ("VG Frankfurt, Urteil vom 11.11.2008 - 7 E 1675/07 (2)", None),
        (f"{ECLI}.7", f"its ECLI is {ECLI}.0"),
        (f"{ECLI}.0", None),
        (f"{ECLI}.0 vom 15.03.2024", "it is of 2024-03-14, not of 2024-03-15"),
        (f"BSG, {ECLI}.0", "it is a decision of the BVerwG, not of the BSG"),
    ],
)
def test_what_stands_beside_a_docket_is_compared(
    library: Library, written: str, told: str | None
) -> None:
    resolution = resolve(library, written, ON)
    assert [type(one) for one in resolution.outcomes] == [DecisionHit]
    assert resolution.normalised == ((told,) if told else ())
    assert judge(library, resolution).verdict == ("wrong" if told else "ok")


def test_another_part_of_a_case_is_neither_given_nor_denied(library: Library) -> None:
    written = "VG Frankfurt, Urteil vom 11.11.2008 - 7 E 1675/07 (3)"
    resolution = resolve(library, written, ON)
    (outcome,) = resolution.outcomes
    assert isinstance(outcome, Miss)
    assert outcome.status == "not_in_corpus"
    assert judge(library, resolution).verdict == "not_held"


def test_the_english_edition_is_given_where_it_is_asked_for(library: Library) -> None:
    (outcome,) = resolve(library, "Art. 6 Abs. 1 lit. f DSGVO", ON, "en").outcomes
    assert isinstance(outcome, Hit)
    assert outcome.citation == "Art. 6 Abs. 1 UAbs. 1 Buchst. f GDPR"


def test_decisions_that_cite_a_norm_are_found_down_to_its_number(library: Library) -> None:
    decisions = library.decisions
    whole, total = decisions.list_citing(CitingRequest("de/ifg/3", limit=100))
    number, fewer = decisions.list_citing(CitingRequest("de/ifg/3", "satz=1/nr=6", limit=100))
    assert total > fewer > 10
    assert all(one.decision.issued_on is not None for one in whole[:20])
    for one in number:
        text = decisions.find_text(one.decision.decision_id)
        assert text is not None
        assert text.text[one.first.start : one.first.end] == one.first.cited_text
    first, _ = decisions.list_citing(
        CitingRequest("de/ifg/3", order=CitingOrder.RELEVANCE, limit=1)
    )
    assert first[0].decision.court == "BVerfG", "the highest court first"


def test_a_repealed_section_is_found_in_the_decisions_of_its_time(library: Library) -> None:
    tool = find_citing_decisions.build_tool(library, lambda: ON)
    called = tool.call({"cited_norm": "§ 847 BGB"}, CallContext("request", "principal"))
    answer = orjson.loads(called.structured or b"")

    assert answer["cited"]["norm_id"] == "de/bgb/847"
    assert answer["total"] >= 1
    assert any("§ 847 BGB is repealed today" in warning for warning in answer["warnings"])
    (miss,) = resolve(library, "§ 847 BGB", ON).misses
    assert miss.hint is not None
    assert miss.hint.means is Means.CITING


def test_what_an_old_decision_cites_is_not_taken_for_the_law_of_its_day(library: Library) -> None:
    old = "de/bverwg/7-c-12.13/2014-11-27/urteil"
    tool = get_context.build_tool(library, lambda: ON)
    arguments = {"norm_id": old, "include": ["references_out"]}
    called = tool.call(arguments, CallContext("request", "principal"))
    warnings = orjson.loads(called.structured or b"")["warnings"]

    assert any("those of 2014-11-27 are not held" in warning for warning in warnings)


def test_decisions_cite_each_other(library: Library) -> None:
    cited = "de/bverwg/7-c-12.13/2014-11-27/urteil"
    _, total = library.decisions.list_citing(CitingRequest(cited))
    assert total >= 10
    kinds = {one.kind for one in library.decisions.list_citations(cited)}
    assert {CitedKind.NORM, CitedKind.DECISION} <= kinds


def test_the_index_counts_decisions_on_from_the_norms(library: Library) -> None:
    request = SearchRequest(
        "Betriebsgeheimnisse Informationszugang",
        filters={"source_type": ("rechtsprechung",), "court": ("BVerwG",)},
        facets=True,
    )
    found = library.index.search(request)
    assert found.total > 10
    base = library.decisions.base
    numbers = [hit.ordinal - base for hit in found.hits]
    assert all(one.court == "BVerwG" for one in library.decisions.get_by_ordinal(numbers))
    assert set(found.facets["court"]) == {"BVerwG"}


def test_sources_that_are_not_given_again_are_taken_over(data: Path, tmp_path: Path) -> None:
    before = builds.open_active(data).manifest
    (acts,) = [c for c in find_collections(CORPUS) if c.source.source_type == "eurlex"]
    again = build(data, [acts], engine=TantivyEngine())
    assert again.release == before.release, "what it holds is the same"
    laws = find_snapshots(CORPUS / "gii-xml.tar.zst")
    alone = build(tmp_path / "data", laws, laws=LAWS[:1], engine=TantivyEngine())
    assert alone.decisions == 0

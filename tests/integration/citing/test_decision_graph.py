"""What decisions cite, resolved against norms and decisions of one build."""

from datetime import date
from pathlib import Path

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus import builds
from fundstelle.corpus.decision_rows import encode_decision
from fundstelle.corpus.decisions import CitedKind, CitingRequest
from fundstelle.corpus.sqlite import SqliteBuild, SqliteCorpusWriter, SqliteDecisions
from fundstelle.ingest.graph.citing import CitingFinder, DecisionResolver
from fundstelle.ingest.graph.concordance import Concordance
from fundstelle.ingest.graph.resolving import Resolver
from fundstelle.ingest.sources import demonstration
from fundstelle.law.citations import ReporterCitation
from tests.integration.corpora.building import build
from tests.unit.corpus.decision_values import DECISION, make_decision, make_text
from tests.unit.corpus.values import STATUTE, make_fassung, make_norm

OTHER = make_decision("OLG Hamm", "6 U 7/19", date(2019, 5, 2))
NAMESAKES = [
    make_decision("LG Hamm", "2 O 9/18", date(2018, 1, 3)),
    make_decision("LG Bonn", "2 O 9/18", date(2018, 1, 4)),
]
PARALLEL = make_decision("OLG Celle", "3 U 1/20", date(2020, 2, 3))
PAGES = (
    "OLG Hamm, Urteil vom 2. Mai 2019 - 6 U 7/19, NJW 2019, 77 = MDR 2019, 5; dann MDR 2019, 5.",
    "OLG Hamm NJW 2019, 77; anders BAG, NJW 2019, 77.",
    "Ferner BGH, Urteil vom 1.2.2003 - I ZR 4/02, BGHZ 1, 2.",
    "LG Bonn, 2 O 9/18, MDR 2018, 1; LG Hamm, 2 O 9/18, MDR 2018, 1.",
)
REASONS = (
    "Die Klage ist begründet. Sie folgt aus § 1 Abs. 1 Satz 2 MusterG. Mehr ist nicht zu sagen.",
    "So auch OLG Hamm, Urteil vom 2. Mai 2019 - 6 U 7/19, und LG Bonn, 2 O 9/18; anders 2 O 9/18.",
    "Vgl. § 5 FremdG, BGHZ 140, 1 und NJW 2004, 1234; eigenes Aktenzeichen VI ZR 1/21.",
)


@pytest.fixture
def decisions(tmp_path: Path) -> SqliteDecisions:
    path = tmp_path / "corpus.sqlite"
    writer = SqliteCorpusWriter(path)
    norm = make_norm("1")
    writer.add_statute(STATUTE, [(norm, [make_fassung(norm.norm_id, "Text")])])
    texts = {DECISION.decision_id: REASONS, PARALLEL.decision_id: PAGES}
    every = sorted((DECISION, OTHER, PARALLEL, *NAMESAKES), key=lambda each: each.decision_id)
    for each in every:
        words = texts.get(each.decision_id, ("Nichts.",))
        writer.add_decision(encode_decision(each, make_text(each, *words)))
    writer.index()
    writer.commit()
    open_store = SqliteBuild(path, immutable=False)
    held = open_store.decisions
    names = LawNames.build(open_store.statutes.values())
    finder = CitingFinder(names, Resolver(open_store), DecisionResolver(held))
    found = [finder.find(n, text) for n, _, text in held.iter_texts(0, len(every) - 1)]
    open_store.close()
    concordance = Concordance()
    for citings in found:
        writer.add_citings(citings.rows)
        concordance.add(citings.places)
    concordance.write(writer)
    writer.finish()
    return SqliteDecisions(SqliteBuild(path))


def test_a_norm_is_cited_with_its_unit_randnummer_and_sentence(decisions: SqliteDecisions) -> None:
    ((found,), total) = decisions.list_citing(CitingRequest("de/musterg/1", path="abs=1/satz=2"))
    assert total == 1
    text = decisions.find_text(DECISION.decision_id)
    assert text is not None
    first = found.first
    assert text.text[first.start : first.end] == "§ 1 Abs. 1 Satz 2 MusterG"
    assert text.text[slice(*first.sentence)].strip() == "Sie folgt aus § 1 Abs. 1 Satz 2 MusterG."
    assert first.passage == "1"


def test_decisions_resolve_by_court_and_stay_open_where_several_fit(
    decisions: SqliteDecisions,
) -> None:
    cited = [
        one
        for one in decisions.list_citations(DECISION.decision_id)
        if one.kind is CitedKind.DECISION
    ]
    assert [one.cited_id for one in cited] == [
        OTHER.decision_id,
        NAMESAKES[1].decision_id,
        None,
    ]


def test_what_cannot_be_resolved_is_kept_as_such(decisions: SqliteDecisions) -> None:
    kept = [
        (one.kind, one.cited_text)
        for one in decisions.list_citations(DECISION.decision_id)
        if one.cited_id is None and one.passage == "3"
    ]
    assert kept == [
        (CitedKind.NORM, "§ 5 FremdG"),
        (CitedKind.REPORTER, "BGHZ 140, 1"),
        (CitedKind.REPORTER, "NJW 2004, 1234"),
    ]


def test_a_page_is_resolved_by_the_docket_that_stands_beside_it_elsewhere(
    decisions: SqliteDecisions,
) -> None:
    cited = [
        (one.cited_text, one.cited_id)
        for one in decisions.list_citations(PARALLEL.decision_id)
        if one.kind is CitedKind.REPORTER
    ]
    assert cited == [
        ("NJW 2019, 77", OTHER.decision_id),
        ("MDR 2019, 5", OTHER.decision_id),
        ("MDR 2019, 5", OTHER.decision_id),
        ("OLG Hamm NJW 2019, 77", OTHER.decision_id),
        ("BAG, NJW 2019, 77", None),
        ("BGHZ 1, 2", None),
        ("MDR 2018, 1", None),
        ("MDR 2018, 1", None),
    ]


def test_parallel_citations_count_once(decisions: SqliteDecisions) -> None:
    found, _ = decisions.list_citing(CitingRequest(OTHER.decision_id))
    counts = {one.decision.decision_id: one.count for one in found}
    assert counts == {PARALLEL.decision_id: 2, DECISION.decision_id: 1}


@pytest.mark.parametrize(
    ("page", "decision_id", "named"),
    [
        (("NJW", "2019", "77"), OTHER.decision_id, "OLG Hamm, Urteil vom 2. Mai 2019 - 6 U 7/19"),
        (("MDR", "2019", "5"), OTHER.decision_id, "OLG Hamm, Urteil vom 2. Mai 2019 - 6 U 7/19"),
        (("BGHZ", "1", "2"), None, "BGH, Urteil vom 1.2.2003 - I ZR 4/02"),
    ],
)
def test_a_page_is_known_by_what_is_cited_beside_it(
    decisions: SqliteDecisions, page: tuple[str, str, str], decision_id: str | None, named: str
) -> None:
    found = decisions.find_page(ReporterCitation(*page))
    assert found is not None
    assert found.decision_id == decision_id
    assert found.named is not None
    assert found.named.cited_text == named
    assert found.named.citing_id == PARALLEL.decision_id


@pytest.mark.parametrize(
    "page", [("MDR", "2018", "1"), ("BGHZ", "140", "1"), ("NJW", "2004", "1234")]
)
def test_a_page_of_which_nothing_or_two_things_are_said_stays_open(
    decisions: SqliteDecisions, page: tuple[str, str, str]
) -> None:
    assert decisions.find_page(ReporterCitation(*page)) is None


def test_the_demonstration_has_decisions_that_cite_its_laws_and_each_other(
    tmp_path: Path,
) -> None:
    build(tmp_path, [*demonstration.open_snapshots(), demonstration.open_decisions()])
    held = builds.open_active(tmp_path).decisions
    citing, total = held.list_citing(CitingRequest("de/demog/3", "abs=1/satz=1"))
    assert total == 2
    assert [one.decision.court for one in citing] == ["OLG Musterstadt", "LG Musterstadt"]
    (appeal,), _ = held.list_citing(CitingRequest(citing[1].decision.decision_id))
    assert appeal.decision == citing[0].decision
    text = held.find_text(appeal.decision.decision_id)
    assert text is not None
    assert "kein geltendes Recht" in text.text

import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

import fundstelle
from fundstelle.ingest.sources import registry
from fundstelle.ingest.sources.registry import COURTS, EU_LAW, FEDERAL_LAW, SOURCES
from fundstelle.law.decisions import Decision, DecisionSource, DecisionType
from fundstelle.law.lands import JURISDICTIONS
from fundstelle.law.publishers import find_link

DECISION = Decision(
    decision_id="de/bgh/i-zr-1-23/2023-01-02/urteil",
    court="BGH",
    panel=None,
    dockets=("I ZR 1/23",),
    issued_on=date(2023, 1, 2),
    decision_type=DecisionType.URTEIL,
    ecli=None,
    title=None,
    norms=None,
    lower_instances=(),
    sources=(DecisionSource("rii", "KORE1", None),),
)


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.source_type)
def test_a_declaration_is_complete_and_its_adapter_can_be_loaded(
    source: registry.SnapshotSource | registry.CollectionSource,
) -> None:
    assert source.adapter().fetch is not None
    assert source.jurisdiction in JURISDICTIONS
    assert source.kinds
    assert find_link(source.url) == source.url
    assert source.licence.endswith(".")
    assert "\n" not in source.licence


def test_no_two_sources_go_by_one_name() -> None:
    names = [one.value for source in SOURCES for one in source.selections]
    names += [begin for source in SOURCES for begin in source.begins if begin not in names]
    names += [source.cache + "/" for source in SOURCES]
    assert set(Counter(names).values()) == {1}


@pytest.mark.parametrize(
    ("name", "source"),
    [
        ("decisions-2024.tar.zst", COURTS),
        ("rechtsprechung", COURTS),
        ("eurlex.tar.zst", EU_LAW),
        ("gii-xml.tar.zst", None),  # snapshots are no collection
        ("notes", None),
    ],
)
def test_a_collection_is_known_by_its_name(
    name: str, source: registry.CollectionSource | None
) -> None:
    assert registry.find_collection(name) is source


def test_a_source_goes_by_each_value_of_the_filter() -> None:
    assert registry.find("gii") is FEDERAL_LAW
    assert registry.find("eurlex") is registry.find("eurlex_caselaw") is EU_LAW
    assert registry.find("unheard of") is None


def test_a_decision_came_with_each_source_that_it_names_else_from_the_courts() -> None:
    courts, eu = COURTS.source_type, EU_LAW.source_type
    assert registry.list_sources_of(DECISION) == {courts}
    both = (*DECISION.sources, DecisionSource("eurlex_caselaw", "62018CJ0311", None))
    assert registry.list_sources_of(replace(DECISION, sources=both)) == {courts, eu}


def test_no_module_but_the_registry_names_a_source() -> None:
    source = Path(fundstelle.__file__).parent
    names = "|".join(one.value for source in SOURCES for one in source.selections)
    literal = re.compile(rf"""["'](?:{names})["']""")
    allowed = {"ingest/sources/registry.py", "law/decisions.py"}
    found = {
        path.relative_to(source).as_posix()
        for path in source.rglob("*.py")
        if literal.search(path.read_text(encoding="utf-8"))
    }
    assert found == allowed


def test_a_server_asks_the_registry_without_a_parser() -> None:
    code = (
        "import sys, fundstelle.ingest.sources.registry\n"
        "print(sorted({'lxml', 'zstandard'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"

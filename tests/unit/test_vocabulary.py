"""What is stored, what is parsed and what can be asked for have the same names."""

import re
from datetime import date
from pathlib import Path

import pytest
from docs.generate_tools import build_empty_library

from fundstelle.citations.find import find
from fundstelle.ingest.sources.decision_text.ids import get_jurisdiction, read_court
from fundstelle.law.citations import DecisionCitation, NormCitation
from fundstelle.law.courts import EU_COURT_OF, get_rank
from fundstelle.law.decisions import DecisionType
from fundstelle.law.lands import JURISDICTIONS, LANDS, SHORT_NAMES, Land
from fundstelle.lookup import answers
from fundstelle.lookup.answers import Means
from fundstelle.tools.answers.misses import build_hint
from fundstelle.tools.inputs.parameters import DECISION_TYPES
from fundstelle.tools.registry import build_tools


@pytest.mark.parametrize("letter", EU_COURT_OF)
@pytest.mark.parametrize(
    "written", ["Rechtssache {}-26/12", "ECLI:EU:{}:2013:112", "EU:{}:2013:112"]
)
def test_a_case_of_the_union_is_cited_with_the_court_that_is_stored(
    letter: str, written: str
) -> None:
    (found,) = find(written.format(letter))
    (target,) = found.targets
    assert isinstance(target, DecisionCitation)
    assert target.court == EU_COURT_OF[letter]


@pytest.mark.parametrize("court", EU_COURT_OF.values())
def test_a_court_of_the_union_is_in_the_table_of_courts(court: str) -> None:
    assert (read_court(court), get_jurisdiction(court)) == (court, "eu")
    assert get_rank(court) < get_rank("AG Musterstadt")


def test_every_type_that_is_stored_can_be_asked_for_and_no_other() -> None:
    assert set(DECISION_TYPES) == set(DecisionType)


@pytest.mark.parametrize("short", SHORT_NAMES)
def test_a_law_of_a_land_is_read_with_the_short_name_of_its_land(short: str) -> None:
    (found,) = find(f"nach § 5 MusterG {short} gilt")
    (target,) = found.targets
    assert isinstance(target, NormCitation)
    assert target.law == f"MusterG {short}"


@pytest.mark.parametrize("land", LANDS, ids=lambda land: land.code)
def test_a_law_of_a_land_is_read_with_the_name_of_its_land(land: Land) -> None:
    (found,) = find(f"nach § 5 MusterG {land.name} gilt")
    (target,) = found.targets
    assert isinstance(target, NormCitation)
    assert target.law == f"MusterG {land.name}"
    assert land.code in JURISDICTIONS


def test_there_are_sixteen_lands_and_no_name_is_of_two() -> None:
    assert len(LANDS) == 16
    assert len(set(SHORT_NAMES)) == len(SHORT_NAMES)


def test_lookups_name_no_tool_of_a_protocol() -> None:
    """They say what leads on; the tools, the command line and the pages have names for it."""
    folder = Path(answers.__file__).parent
    texts = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.py")}
    assert len(texts) > 20
    # "?as_of=" is of the addresses of our own pages
    tool = re.compile(r"legal_|(?<!\?)\bas_of\b(?!:)")
    named = [path.name for path, text in texts.items() if tool.search(text)]
    assert named == []


@pytest.mark.parametrize("means", sorted(set(Means) - {Means.HOLDINGS, Means.DAY}))
def test_what_leads_on_is_a_call_that_a_tool_takes(means: Means) -> None:
    miss = answers.Miss("BGB", "not_in_corpus", "", "", hint=answers.NextCall(means, "BGB"))
    call = build_hint(miss, None)
    assert call is not None
    tools = {tool.name: tool for tool in build_tools(build_empty_library(), lambda: date.min)}
    taken = tools[call["tool"]].input_schema
    (argument,) = call["arguments"]
    assert argument in taken["properties"]
    assert set(taken.get("required", ())) <= {argument}

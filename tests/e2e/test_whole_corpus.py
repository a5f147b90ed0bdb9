"""All of federal law through the real command: built, verified, asked."""

import random
from datetime import date
from pathlib import Path

import orjson
import pytest

from fundstelle.bootstrap.library import find_manifest, open_library
from fundstelle.law.norms import NormKind, NormStatus
from fundstelle.lookup.library import Library
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext, Tool
from tests.e2e.server import run_fundstelle

SAMPLE = 2_000
CONTEXT = CallContext(request_id="test", principal_id="test")

pytestmark = [
    pytest.mark.corpus,
    pytest.mark.e2e,
]


@pytest.fixture(scope="module")
def settings(whole_corpus: Settings) -> Settings:
    return whole_corpus


@pytest.fixture(scope="module")
def library(settings: Settings) -> Library:
    return open_library(settings)


@pytest.fixture(scope="module")
def lookup(library: Library) -> Tool:
    registry = build_registry(library, today=lambda: date(2025, 4, 1), base_url="")
    return next(tool for tool in registry.tools if tool.name == "legal_lookup")


def ask(lookup: Tool, citation: str) -> dict[str, object]:
    result = lookup.call({"citation": citation}, CONTEXT)
    assert result.structured is not None
    answer: dict[str, object] = orjson.loads(result.structured)
    return answer


def test_every_law_of_the_archive_is_in_the_build(settings: Settings) -> None:
    manifest = find_manifest(settings)
    assert manifest is not None
    # two files are second copies of laws that left the table of contents
    assert (manifest.statutes, len(manifest.rejected)) == (6_372, 2)
    assert manifest.norms > 110_000
    assert manifest.references > 400_000
    assert manifest.stand == date(2025, 3, 31)


def test_the_build_is_what_its_release_says(settings: Settings) -> None:
    assert "wrong" not in run_fundstelle(settings.data, "corpus", "verify")


def list_sections(library: Library) -> list[tuple[str, str]]:
    """Citation and id of every section and article that is in force in a listed law."""
    return [
        (norm.citation, norm.norm_id)
        for statute in library.store.statutes.values()
        if statute.listed and "§" not in statute.abbreviation
        for norm in library.store.list_norms(statute.statute_id)
        if norm.kind in {NormKind.SECTION, NormKind.ARTICLE}
        and norm.status is NormStatus.IN_FORCE
        and "~" not in norm.number
    ]


def test_sections_answer_to_their_own_citation(library: Library, lookup: Tool) -> None:
    sample = random.Random(823).sample(list_sections(library), SAMPLE)
    wrong = []
    for citation, norm_id in sample:
        answer = ask(lookup, citation)
        norm = answer.get("norm")
        if not isinstance(norm, dict) or norm["norm_id"] != norm_id:
            wrong.append((citation, norm_id, answer.get("status")))
    # what remains are laws whose names read as something else, such as II. BV or G Artikel 29
    assert len(wrong) <= SAMPLE // 200, wrong


def test_sections_beyond_the_last_do_not_exist(library: Library, lookup: Tool) -> None:
    laws = random.Random(9999).sample(sorted(library.store.statutes), 300)
    asked = 0
    for law in laws:
        statute = library.store.statutes[law]
        _, last = library.store.find_ends(law)
        if not statute.listed or last is None or last.kind is not NormKind.SECTION:
            continue
        if any(sign in statute.abbreviation for sign in "§()/ "):
            continue
        answer = ask(lookup, f"§ 98765 {statute.abbreviation}")
        assert answer["found"] is False, law
        assert answer["status"] in {"norm_does_not_exist", "ambiguous"}, (law, answer["status"])
        asked += 1
    assert asked > 100


def test_data_folder_holds_one_build(settings: Settings) -> None:
    assert len(list(Path(settings.data, "builds").iterdir())) == 1

"""The hint of a miss leads on for the day and in the language that were asked for."""

from datetime import date
from typing import Any

import pytest

from fundstelle.lookup.answers import Means, Miss, NextCall
from fundstelle.tools.answers.misses import build_hint
from tests.unit.tools.calling import call
from tests.unit.tools.fakes import build_library

LIBRARY = build_library()
DAY, OTHER = "2025-04-15", "2025-05-01"
_TOLD_A_DAY = {Means.SEARCH, Means.CONTENTS, Means.READ, Means.CONTEXT}


def ask(tool: str, citation: str, **arguments: Any) -> dict[str, Any]:
    """What a tool hints at where a citation leads to nothing."""
    if tool == "legal_lookup_batch":
        answer = call(LIBRARY, tool, citations=[citation], **arguments)["results"][0]
    else:
        name = "norm_id" if tool == "legal_get_context" else "citation"
        answer = call(LIBRARY, tool, **{name: citation}, **arguments)
    assert not answer["found"]
    hint: dict[str, Any] = answer["hint"]
    return hint


@pytest.mark.parametrize("tool", ["legal_lookup", "legal_lookup_batch", "legal_get_context"])
@pytest.mark.parametrize(
    ("citation", "leads_to"),
    [
        ("§ 9999 WzLeihG", "legal_get_toc"),
        ("Anlage 77 WzLeihG", "legal_get_toc"),
        ("WzLeihG a.F.", "legal_get_toc"),
        ("§ 1 Abs. 99 WzLeihG", "legal_lookup"),
        ("§ 1 WzLeihG kwatsch", "legal_lookup"),
        ("wann ist ein Hammer zu ölen", "legal_search"),
    ],
)
def test_the_hint_of_a_miss_is_for_the_day_and_language_asked_for(
    tool: str, citation: str, leads_to: str
) -> None:
    today = ask(tool, citation)
    assert today["tool"] == leads_to
    assert "as_of" not in today["arguments"]
    assert "language" not in today["arguments"]

    then = ask(tool, citation, as_of=DAY, language="en")
    told = {} if leads_to == "legal_get_toc" else {"language": "en"}
    assert then == {
        "tool": leads_to,
        "arguments": {**today["arguments"], "as_of": DAY, **told},
    }
    call(LIBRARY, leads_to, **then["arguments"])  # its arguments are those of the tool


@pytest.mark.parametrize("tool", ["legal_lookup", "legal_lookup_batch", "legal_get_context"])
@pytest.mark.parametrize(
    "citation", ["§ 9999 WzLeihG{}", "§ 1 Abs. 99 WzLeihG{}", "§ 1 WzLeihG{} kwatsch"]
)
def test_the_day_that_the_citation_names_goes_before_the_one_asked_for(
    tool: str, citation: str
) -> None:
    named = citation.format(" in der am 1.5.2025 geltenden Fassung")
    assert ask(tool, named, as_of=DAY)["arguments"]["as_of"] == OTHER
    assert ask(tool, named)["arguments"]["as_of"] == OTHER


@pytest.mark.parametrize("means", sorted(set(Means) - {Means.HOLDINGS, Means.DAY}))
def test_only_tools_that_are_told_a_day_or_a_language_are_told_them(means: Means) -> None:
    def build(on: date | None) -> dict[str, Any]:
        miss = Miss("§ 9 XG", "not_in_corpus", "", "", hint=NextCall(means, "§ 1 XG", on))
        built = build_hint(miss, date.fromisoformat(DAY), "en")
        assert built is not None
        arguments: dict[str, Any] = built["arguments"]
        return arguments

    has_day = means in _TOLD_A_DAY
    assert build(None).get("as_of") == (DAY if has_day else None)
    assert build(date.fromisoformat(OTHER)).get("as_of") == (OTHER if has_day else None)
    assert ("language" in build(None)) == (has_day and means is not Means.CONTENTS)


def test_contents_and_search_lead_on_for_that_day_too() -> None:
    missed = call(LIBRARY, "legal_get_toc", law_abbreviation="WzLeihG a.F.", as_of=DAY)
    assert missed["hint"]["arguments"]["as_of"] == DAY
    named = call(LIBRARY, "legal_search", query="Werkzeugleihgesetz", as_of=DAY)
    assert named["hint"]["tool"] == "legal_get_toc"
    assert named["hint"]["arguments"]["as_of"] == DAY

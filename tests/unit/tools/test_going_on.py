"""Following the hint of a text that was cut gives the very next characters of the same text."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import orjson
import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.law.norms import DatePrecision, Norm, Statute
from fundstelle.lookup.library import Library
from fundstelle.tools import get_context, get_toc, lookup, lookup_batch
from fundstelle.tools.spec import CallContext, Tool
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

CHANGED = date(2025, 9, 1)


def write(sentence: str) -> str:
    return " ".join(f"{sentence} {number} steht hier." for number in range(60))


OLD, NEW, GERMAN, ENGLISH = map(
    write, ("Alter Satz", "Neuer Satz", "Die Vorschrift", "Of the law that shall be section")
)


def build_library() -> Library:
    """§ 3 MusterG with two texts, Art. 1 DSGVO in German and English."""
    muster = build_statute("MusterG", "Mustergesetz")
    section = build_norm(muster, "§ 3")
    old, new = build_fassung(section, OLD), build_fassung(section, NEW)
    texts = [
        replace(old, in_force_until=CHANGED, stand=date(2025, 8, 25)),
        replace(new, in_force_from=CHANGED, date_precision=DatePrecision.EXACT),
    ]
    german = replace(
        build_statute("DSGVO", "Verordnung (EU) 2016/679"),
        statute_id="eu/32016R0679",
        jurisdiction="eu",
        source_type="eurlex",
        first_look=date(2016, 5, 4),
    )
    english = replace(german, statute_id="eu/32016R0679:en", language="en", title="Regulation")
    articles = [_build_article(german), _build_article(english)]
    store = InventedStore(
        [muster, german, english],
        [
            (section, texts),
            (articles[0], [build_fassung(articles[0], GERMAN)]),
            (articles[1], [build_fassung(articles[1], ENGLISH)]),
        ],
    )
    names = LawNames.build(store.statutes.values())
    return Library(store, InventedIndex(store), names, sources=SOURCES)


def _build_article(statute: Statute) -> Norm:
    return replace(
        build_norm(statute, "Art 1"), norm_id=f"{statute.statute_id}/art_1", number="art_1"
    )


LIBRARY = build_library()
TOOLS = {
    tool.name: tool
    for tool in (
        lookup.build_tool(LIBRARY, lambda: TODAY),
        lookup_batch.build_tool(LIBRARY, lambda: TODAY),
        get_context.build_tool(LIBRARY, lambda: TODAY),
    )
}
TOC = get_toc.build_tool(LIBRARY, lambda: TODAY)


def call(tool: Tool, arguments: Mapping[str, Any]) -> dict[str, Any]:
    called = tool.call(dict(arguments), CallContext("r", "p"))
    assert called.structured is not None
    answer: dict[str, Any] = orjson.loads(called.structured)
    return answer


def ask(name: str, citation: str, quote: str = "", **arguments: Any) -> tuple[str, dict[str, Any]]:
    """The text and the hint that a tool gives of one citation."""
    arguments["max_chars"] = 500
    if name == "legal_lookup_batch":
        batch = {"citations": [citation], **({"quotes": [quote]} if quote else {})}
        row = call(TOOLS[name], {**batch, **arguments})["results"][0]
        return row["norm"]["content"], row["hint"]
    if name == "legal_get_context":
        answer = call(TOOLS[name], {"norm_id": citation, **arguments})
        return answer["center"]["content"], answer["hint"]
    said = {"quote": quote} if quote else {}
    answer = call(TOOLS[name], {"citation": citation, **said, **arguments})
    return answer["norm"]["content"], answer["hint"]


def follow(hint: Mapping[str, Any]) -> Iterator[str]:
    """The pieces of text behind it, as long as a hint leads on."""
    while hint:
        answer = call(TOOLS[hint["tool"]], {**hint["arguments"], "max_chars": 500})
        yield answer["norm"]["content"]
        hint = answer.get("hint", {})


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize(
    ("citation", "arguments", "text"),
    [
        ("§ 3 MusterG", {}, NEW),
        ("§ 3 MusterG", {"as_of": "2025-05-01"}, OLD),
        ("§ 3 MusterG in der am 1.5.2025 geltenden Fassung", {}, OLD),
        ("§ 3 MusterG in der am 1.5.2025 geltenden Fassung", {"as_of": "2026-01-01"}, OLD),
        ("Art. 1 DSGVO", {}, GERMAN),
        ("Art. 1 DSGVO", {"language": "en"}, ENGLISH),
        ("eu/32016R0679:en/art_1", {}, ENGLISH),
        ("§ 3 MusterG", {"language": "en"}, NEW),
    ],
)
def test_the_hint_goes_on_with_the_same_text(
    name: str, citation: str, arguments: dict[str, str], text: str
) -> None:
    first, hint = ask(name, citation, **arguments)

    assert first + "".join(follow(hint)) == text


@pytest.mark.parametrize("name", ["legal_lookup", "legal_lookup_batch"])
def test_it_goes_on_in_the_language_that_a_quote_chose(name: str) -> None:
    first, hint = ask(name, "Art. 1 DSGVO", quote="Of the law that shall be section 3")

    assert first + "".join(follow(hint)) == ENGLISH


@pytest.mark.parametrize("name", TOOLS)
def test_it_goes_on_with_the_text_of_its_day_when_that_is_over(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, hint = ask(name, "§ 3 MusterG")
    tomorrow = lookup.build_tool(LIBRARY, lambda: date(2026, 5, 2))
    monkeypatch.setitem(TOOLS, "legal_lookup", tomorrow)

    assert hint["arguments"]["as_of"] == TODAY.isoformat()
    assert first + "".join(follow(hint)) == NEW


@pytest.mark.parametrize(("as_of", "text"), [({"as_of": "2025-05-01"}, OLD), ({}, NEW)])
@pytest.mark.parametrize("name", [*TOOLS, "legal_get_toc"])
def test_from_a_law_one_comes_to_its_texts_of_the_day(
    name: str, as_of: dict[str, str], text: str
) -> None:
    """From whatever names a law to its contents, and from those to their first text."""
    hint: Mapping[str, Any] = {"tool": "legal_get_toc"}
    if name == "legal_lookup_batch":
        hint = call(TOOLS[name], {"citations": ["MusterG"], **as_of})["results"][0]["hint"]
    elif name in TOOLS:
        argument = "norm_id" if name == "legal_get_context" else "citation"
        hint = call(TOOLS[name], {argument: "MusterG", **as_of})["hint"]
    asked = hint.get("arguments", {"law_abbreviation": "MusterG", **as_of})
    read = call(TOC, asked)["hint"]

    assert hint["tool"] == "legal_get_toc"
    assert call(TOOLS[read["tool"]], read["arguments"])["norm"]["content"] == text

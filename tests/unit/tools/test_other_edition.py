"""What an edition that is held in parts lacks comes from that in the other language."""

from dataclasses import replace

from fundstelle.citations.laws.names import LawNames
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.law.norms import Norm, NormKind, Statute
from fundstelle.lookup.library import Library
from fundstelle.tools import lookup
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)
from tests.unit.tools.test_going_on import call

SAID = "The German text of DSGVO that is held does not have this; the English one is given."


def build_library() -> Library:
    german = replace(
        build_statute("DSGVO", "Verordnung (EU) 2016/679"),
        statute_id="eu/32016R0679",
        jurisdiction="eu",
        source_type="eurlex",
        complete=False,
    )
    english = replace(
        german, statute_id="eu/32016R0679:en", language="en", title="Regulation", complete=True
    )
    texts = [
        (_build_article(german, 1), "{abs 1|(1) Ein Hammer.}"),
        (_build_article(english, 1), "{abs 1|1. A hammer.} {abs 2|2. A nail.}"),
        (_build_article(english, 2), "{abs 1|1. An anvil.}"),
    ]
    contents = [(norm, [build_fassung(norm, text)]) for norm, text in texts]
    store = InventedStore([german, english], contents)
    names = LawNames.build(store.statutes.values())
    return Library(store, InventedIndex(store), names, sources=SOURCES)


def _build_article(statute: Statute, number: int) -> Norm:
    return replace(
        build_norm(statute, f"Art {number}"),
        norm_id=f"{statute.statute_id}/art_{number}",
        number=f"art_{number}",
        kind=NormKind.ARTICLE,
    )


TOOL = lookup.build_tool(build_library(), today=lambda: TODAY)


def test_what_the_german_text_lacks_is_given_in_english() -> None:
    for written, words in (
        ("Art. 2 DSGVO", "1. An anvil."),
        ("Art. 1 Abs. 2 DSGVO", "2. A nail."),
        ("Art. 1(2) GDPR", "2. A nail."),
    ):
        answer = call(TOOL, {"citation": written})
        assert answer["norm"]["content"] == words
        assert SAID in answer["warnings"]
        assert not any("The id names" in warning for warning in answer["warnings"])


def test_what_it_has_is_given_in_german() -> None:
    answer = call(TOOL, {"citation": "Art. 1 Abs. 1 DSGVO"})
    assert answer["norm"]["content"] == "(1) Ein Hammer."
    assert SAID not in answer["warnings"]


def test_what_neither_has_is_not_denied() -> None:
    for written in ("Art. 9 DSGVO", "Art. 1 Abs. 9 DSGVO"):
        answer = call(TOOL, {"citation": written})
        assert answer["status"] == "not_in_corpus"

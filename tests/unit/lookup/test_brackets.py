"""``Article 7(2)`` of an act of the EU is a paragraph or a number, as its text has it."""

from collections.abc import Sequence

import pytest

from fundstelle.ingest.sources.eu.blocks import ActBlock, render
from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Norm, NormKind, NormStatus, Segment
from fundstelle.lookup.parts.brackets import read_brackets
from fundstelle.lookup.parts.units import format_steps


def build_norm(norm_id: str) -> Norm:
    return Norm(
        norm_id=norm_id,
        statute_id="eu/32019R0005",
        position=0,
        kind=NormKind.ARTICLE,
        number="art_7",
        number_end=None,
        label="Artikel 7",
        title=None,
        citation="Art. 7 HammerVO",
        level=1,
        parent_id=None,
        hierarchy=(),
        status=NormStatus.IN_FORCE,
        publisher_id="art_7",
    )


def item(label: str, *below: ActBlock) -> ActBlock:
    return ActBlock("ein Hammer;", label, is_item=True, below=list(below))


NUMBERS = [ActBlock("Es bezeichnet:"), item("(1)", item("(a)")), item("(2)")]
PARAGRAPHS = [ActBlock("Es bezeichnet:", "1."), item("(7)"), ActBlock("Ein Stiel ist lang.", "2.")]
SUBPARAGRAPHS = [ActBlock("Ein Kopf ist schwer."), *NUMBERS]


def read(blocks: Sequence[ActBlock], level: str, value: str, norm_id: str = "eu/x/art_7") -> str:
    segments: tuple[Segment, ...] = render(blocks).segments
    path = PathStep(level, value, bracketed=True), PathStep("buchst", "a")
    return format_steps(read_brackets(build_norm(norm_id), segments, path))


@pytest.mark.parametrize(
    ("blocks", "level", "value", "expected"),
    [
        (NUMBERS, "abs", "1", "Nr. 1 Buchst. a"),
        (NUMBERS, "abs", "9", "Nr. 9 Buchst. a"),  # which is missed as what the article has
        (NUMBERS, "nr", "1", "Nr. 1 Buchst. a"),
        (PARAGRAPHS, "abs", "1", "Abs. 1 Buchst. a"),
        (PARAGRAPHS, "nr", "1", "Abs. 1 Buchst. a"),  # of an article known for its definitions
        (SUBPARAGRAPHS, "abs", "2", "Nr. 2 Buchst. a"),
        (SUBPARAGRAPHS, "abs", "3", "Abs. 3 Buchst. a"),
        ([ActBlock("Nichts.")], "abs", "1", "Abs. 1 Buchst. a"),
    ],
)
def test_the_text_tells_what_a_bracket_is(
    blocks: Sequence[ActBlock], level: str, value: str, expected: str
) -> None:
    assert read(blocks, level, value) == expected


def test_of_german_law_a_bracket_is_an_absatz() -> None:
    assert read(NUMBERS, "abs", "1", "de/hammerg/7") == "Abs. 1 Buchst. a"


def test_a_word_is_taken_as_it_is_written() -> None:
    path = (PathStep("abs", "1"),)
    assert read_brackets(build_norm("eu/x/art_7"), render(NUMBERS).segments, path) == path

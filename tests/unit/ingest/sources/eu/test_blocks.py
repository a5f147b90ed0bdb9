import pytest

from fundstelle.ingest.sources.eu.blocks import ActBlock, Rendered, render


def _list_sentences(rendered: Rendered) -> list[str]:
    return [
        rendered.text[one.start : one.end]
        for one in rendered.segments
        if one.level == "satz" and one.parent < 0
    ]


def test_an_article_of_one_paragraph_is_divided_into_its_sentences() -> None:
    rendered = render([ActBlock("Es gilt dies. Hinzu kommt das. Mehr nicht.")])
    assert _list_sentences(rendered) == ["Es gilt dies.", "Hinzu kommt das.", "Mehr nicht."]


def test_its_list_stands_beside_the_sentence_that_leads_to_it() -> None:
    items = [ActBlock("Lärm;", "a)", is_item=True), ActBlock("Staub.", "b)", is_item=True)]
    rendered = render([ActBlock("Es gilt dies. Verboten sind:"), *items])
    assert _list_sentences(rendered) == ["Es gilt dies.", "Verboten sind:"]
    letters = [one.value for one in rendered.segments if one.level == "buchst"]
    assert letters == ["a", "b"]


@pytest.mark.parametrize(
    "blocks",
    [
        [ActBlock("Erstens. Zweitens."), ActBlock("Drittens.")],
        [ActBlock("Davor steht dies."), ActBlock("Erstens.", "1."), ActBlock("Zweitens.", "2.")],
    ],
)
def test_several_paragraphs_have_their_own(blocks: list[ActBlock]) -> None:
    assert _list_sentences(render(blocks)) == []

import pytest

from fundstelle.ingest.sources.eu.blocks import ActBlock, Rendered, render
from fundstelle.law.citations import PathStep
from fundstelle.lookup.parts.following import NoUnit, find_units


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


def test_a_number_inserted_behind_a_roman_one_has_its_letter() -> None:
    labels = ("i)", "ii)", "iia)", "iii)", "iv)")
    items = [ActBlock("gilt;", label, is_item=True) for label in labels]
    rendered = render([ActBlock("Verboten ist:"), ActBlock("was", "a)", is_item=True, below=items)])
    numbers = [one.value for one in rendered.segments if one.level == "nr"]
    assert numbers == ["1", "2", "2a", "3", "4"]


def test_what_an_act_puts_into_another_one_is_no_part_of_itself() -> None:
    quoted = ActBlock("‚Hammer‘ ein Werkzeug;“.", "„c)", is_item=True)
    items = [
        ActBlock("Buchstabe b wird gestrichen.", "b)", is_item=True),
        ActBlock("Buchstabe c erhält folgende Fassung:", "c)", is_item=True, below=[quoted]),
    ]
    rendered = render([ActBlock("Artikel 2 wird geändert:"), *items])
    letters = {
        one.value: rendered.text[one.start : one.end]
        for one in rendered.segments
        if one.level == "buchst"
    }
    assert list(letters) == ["b", "c"]
    assert letters["c"].endswith("\n„c) ‚Hammer‘ ein Werkzeug;“.")


def test_a_paragraph_that_an_act_puts_into_another_one_is_no_part_of_itself() -> None:
    item = ActBlock("einen Stiel;", "a)", is_item=True)
    quoted = ActBlock("Ein Hammer hat:", "„(5)", below=[item])
    rendered = render([ActBlock("In Artikel 2 wird folgender Absatz angefügt:"), quoted])
    assert rendered.text.endswith("\n„(5) Ein Hammer hat:\na) einen Stiel;")
    parts = [(one.level, one.value) for one in rendered.segments if one.level != "satz"]
    assert parts == [("uabs", "1"), ("uabs", "2")]


def test_a_paragraph_inserted_before_the_first_has_its_number() -> None:
    rendered = render([ActBlock("Neu.", "-1."), ActBlock("Neuer.", "-1a."), ActBlock("Alt.", "1.")])
    paragraphs = [one.value for one in rendered.segments if one.level == "abs"]
    assert paragraphs == ["-1", "-1a", "1"]
    assert rendered.text == "-1. Neu.\n-1a. Neuer.\n1. Alt."
    found = find_units(rendered.segments, [PathStep("abs", "0")], complete=True)
    assert isinstance(found, NoUnit)

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


def _list_paragraphs(item: ActBlock) -> list[tuple[str, str]]:
    rendered = render([ActBlock("Zuständig sind:"), item])
    return [
        (one.value, rendered.text[one.body : one.end])
        for one in rendered.segments
        if one.level == "uabs" and one.parent >= 0
    ]


def test_further_paragraphs_of_an_item_are_its_subparagraphs() -> None:
    letters = [ActBlock("Lärm,", "a)", is_item=True), ActBlock("Staub.", "b)", is_item=True)]
    below = [*letters, ActBlock("Für Staub gilt das nicht. Er ist frei."), ActBlock("Auch Ruß.")]
    item = ActBlock("für Klagen wegen:", "1.", is_item=True, below=below)
    assert _list_paragraphs(item) == [
        ("1", "für Klagen wegen:\na) Lärm,\nb) Staub."),
        ("2", "Für Staub gilt das nicht. Er ist frei."),
        ("3", "Auch Ruß."),
    ]
    rendered = render([ActBlock("Zuständig sind:"), item])
    for path, words in (
        ("nr 1 uabs 2 satz 2", "Er ist frei."),
        ("nr 1 satz 3", "Er ist frei."),
        ("nr 1 buchst b", "b) Staub."),
    ):
        units = find_units(rendered.segments, _read_path(path), complete=True)
        assert not isinstance(units, NoUnit)
        found = rendered.segments[units.found[0]]
        assert rendered.text[found.start : found.end] == words
    beside = find_units(rendered.segments, _read_path("uabs 3"), complete=True)
    assert isinstance(beside, NoUnit)  # the item's own is not cited without its number


def _read_path(path: str) -> list[PathStep]:
    words = path.split()
    return [PathStep(level, value) for level, value in zip(words[::2], words[1::2], strict=True)]


@pytest.mark.parametrize(
    ("words", "further"),
    [
        ("es ist Lärm,", "und"),
        ("Lärm", "Wer lärmt, haftet."),
        ("Absatz 2 erhält folgende Fassung:", "Wer lärmt, haftet."),
        ("Folgendes wird angefügt;", "„Wer lärmt, haftet.“"),
        ("wer lärmt;", "sofern er nicht schläft."),
    ],
)
def test_headings_quotations_and_ends_of_sentences_are_none(words: str, further: str) -> None:
    item = ActBlock(words, "1.", is_item=True, below=[ActBlock(further)])
    assert _list_paragraphs(item) == []

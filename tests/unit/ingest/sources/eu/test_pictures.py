"""A formula or picture of an EU act leaves a mark, and counts as no part."""

import pytest
from lxml import etree, html

from fundstelle.ingest.sources.eu.act import ActText
from fundstelle.ingest.sources.eu.blocks import ActBlock, render
from fundstelle.ingest.sources.eu.eurlex_html import read_act
from fundstelle.ingest.sources.eu.formex import read_blocks

PICTURE = '<INCL.ELEMENT FILEREF="x.tif" TYPE="TIFF"/>'


def test_a_formula_of_formex_belongs_to_the_paragraph_before_it() -> None:
    rendered = render(
        read_blocks(
            etree.fromstring(
                "<PARAG><NO.PARAG>1.</NO.PARAG><ALINEA>Es gilt. Die Formel lautet:"
                f"<P><FORMULA>{PICTURE}</FORMULA></P></ALINEA>"
                "<ALINEA>Zweiter. K ist 1.</ALINEA></PARAG>"
            )
        )
    )
    assert rendered.text == "1. Es gilt. Die Formel lautet:\n[Abbildung]\nZweiter. K ist 1."
    parts = [
        (each.level, each.value, rendered.text[each.start : each.end]) for each in rendered.segments
    ]
    assert parts[1:] == [
        ("uabs", "1", "1. Es gilt. Die Formel lautet:\n[Abbildung]"),
        ("satz", "1", "Es gilt."),
        ("satz", "2", "Die Formel lautet:"),
        ("uabs", "2", "Zweiter. K ist 1."),
        ("satz", "1", "Zweiter."),
        ("satz", "2", "K ist 1."),
    ]


def test_a_picture_stands_where_it_stands() -> None:
    inline = etree.fromstring(f"<ALINEA>mit {PICTURE} zu rechnen</ALINEA>")
    assert render(read_blocks(inline)).text == "mit [Abbildung] zu rechnen"
    form = etree.fromstring(
        "<CONTENTS><INCL.ELEMENT><IMG.CNT><P>FORM</P><P>4.1. Date:</P></IMG.CNT></INCL.ELEMENT>"
        "</CONTENTS>"
    )
    assert render(read_blocks(form[0])).text == "[Abbildung]\nFORM\n4.1. Date:"


def test_words_of_another_file_are_no_picture() -> None:
    for file, mark in (("TIFF", "[Abbildung]"), ("FORMEX.DOC", "[Text nicht gelesen]")):
        called = f'<INCL.ELEMENT FILEREF="x" TYPE="{file}"/>'
        inline = etree.fromstring(f"<ALINEA>mit {called} zu rechnen</ALINEA>")
        assert render(read_blocks(inline)).text == f"mit {mark} zu rechnen"
        alone = etree.fromstring(f"<ALINEA>Er lautet:<P>{called}</P></ALINEA>")
        rendered = render(read_blocks(alone))
        assert rendered.text == f"Er lautet:\n{mark}"
        assert rendered.segments == render([ActBlock("Er lautet:"), ActBlock(mark)]).segments


@pytest.mark.parametrize("said", ["Image 1", "Bild 12", "Obrázek 3", "Εικόνα 40", "image", ""])
@pytest.mark.parametrize("page", ["<p>{}</p>", "<div>{}</div>", "<p>where {} is K.</p>", "{}"])
def test_the_number_that_a_picture_has_on_its_page_says_nothing(page: str, said: str) -> None:
    def read(picture: str) -> str:
        tree = html.document_fromstring(f"<p>Article 1</p><p>Scope</p>{page.format(picture)}")
        draft = ActText("32099R0001", "en", "", None, None, None, [], "x")
        return render(read_act(tree, draft).units[0].blocks).text

    assert read(f'<img alt="{said}">') == read("<img>")
    assert read('<img alt="CO2">') == read("<img>").replace("]", ": CO2]")


def test_pictures_of_a_page() -> None:
    tree = html.document_fromstring(
        '<table><tr><td><img alt="Flag"></td></tr></table>'
        "<p>Article 1</p><p><img></p><p>Scope</p><p>It applies.</p>"
        '<p><img alt="Anvil of type A"></p><div><img></div><p>where <img> is K.</p>'
        "<p>Done at Anvilton.</p><p><img></p>"
    )
    draft = ActText("32099R0001", "en", "", None, None, None, [], "x")
    (unit,) = read_act(tree, draft).units
    assert render(unit.blocks).text.split("\n") == [
        "[Abbildung]",
        "Scope",
        "It applies.",
        "[Abbildung: Anvil of type A]",
        "[Abbildung]",
        "where [Abbildung] is K.",
    ]
    assert not unit.title

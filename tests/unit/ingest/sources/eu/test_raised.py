"""Raised characters of EU acts are raised in their text, too, in either format."""

import pytest
from lxml import etree, html

from fundstelle.ingest.sources.eu.blocks import render
from fundstelle.ingest.sources.eu.eurlex_tables import read_words
from fundstelle.ingest.sources.eu.formex import read_blocks


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ('10<HT TYPE="SUP">25</HT>', "10²⁵"),
        ('10<HT TYPE="SUP">–3</HT> KBE', "10⁻³ KBE"),
        ('<HT TYPE="ITALIC">m<HT TYPE="SUP">2</HT></HT>', "m²"),
        ('1,5 <HT TYPE="SUP">o</HT>C', "1,5 oC"),
        ('CO<HT TYPE="SUB">2</HT>', "CO2"),
        (
            '<FORMULA><EXPR>b<IND LOC="SUP">2</IND> K<IND LOC="SUB">1</IND></EXPR></FORMULA>',
            "b² K1",
        ),
        ("<EXPR>b<EXPONENT>2</EXPONENT></EXPR>", "b²"),
        ('Satz<HT TYPE="ITALIC">1</HT>', "Satz1"),
    ],
)
def test_raised_characters_of_formex(written: str, stored: str) -> None:
    paragraph = etree.fromstring(f"<ALINEA>{written} gilt.</ALINEA>")
    assert render(read_blocks(paragraph)).text == f"{stored} gilt."


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ('10<span class="oj-super">25</span>', "10²⁵"),
        ('10<span class="super">6</span> KBE', "10⁶ KBE"),
        ("50 m<sup>2</sup>", "50 m²"),
        ('1,5 <span class="oj-super">o</span>C', "1,5 oC"),
        ('CO<span class="oj-sub">2</span>', "CO2"),
        ('of the <span class="supervision">14</span>', "of the 14"),
        # what leads to a footnote is no part of the text, as in Formex
        (
            'Directive 1/2<a id="ntc4-L" href="#ntr4-L"> (<span class="oj-super">4</span>)</a>.',
            "Directive 1/2.",
        ),
        (
            'Act 1/2 <a href="#E0007" id="src.E0007">(<span class="superscript">4</span>)</a> and',
            "Act 1/2 and",
        ),
        ('see <a href="#ntr4">there</a>', "see there"),
        (
            '<a id="ntr*3" href="#ntc*3">(<span class="oj-super">*3</span>)</a> Directive',
            "(*3) Directive",
        ),
    ],
)
def test_raised_characters_of_pages(written: str, stored: str) -> None:
    assert read_words(html.fragment_fromstring(f"<p>{written}</p>")) == stored

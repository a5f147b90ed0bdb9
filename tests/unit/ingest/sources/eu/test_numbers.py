"""Numbers that Formex marks are printed in groups of three, as EUR-Lex shows them."""

import pytest
from lxml import etree

from fundstelle.ingest.sources.eu.blocks import render
from fundstelle.ingest.sources.eu.formex import read_blocks


@pytest.mark.parametrize(
    ("written", "stored"),
    [
        ('<FT TYPE="NUMBER">20000000</FT> EUR', "20 000 000 EUR"),
        ('EUR <FT TYPE="NUMBER">5000</FT>', "EUR 5 000"),
        ('<HT TYPE="BOLD"><FT TYPE="NUMBER">450000</FT></HT> t', "450 000 t"),
        ('<FT TYPE="NUMBER">600</FT> kg', "600 kg"),
        ('RTS<FT TYPE="NUMBER">23</FT>', "RTS23"),
        ('<FT TYPE="DECIMAL">24,2500</FT>', "24,2500"),
        ('<FT TYPE="CN">27101943</FT>', "27101943"),
        ("Das Jahr 2016 und 31000", "Das Jahr 2016 und 31000"),
    ],
)
def test_numbers_of_formex(written: str, stored: str) -> None:
    paragraph = etree.fromstring(f"<ALINEA>{written} gilt.</ALINEA>")
    assert render(read_blocks(paragraph)).text == f"{stored} gilt."

"""Decisions of the CJEU in Formex that we wrote ourselves: every word, in the order of the text."""

import pytest
from lxml import etree

from fundstelle.ingest.records import ParsedDecision, SourceFile
from fundstelle.ingest.sources.eu.formex_caselaw import parse

OPEN, CLOSE = '<QUOT.START CODE="201E"/>', '<QUOT.END CODE="201C"/>'
CASE = "<REF.CASE><NO.CASE>C-1/18</NO.CASE></REF.CASE>"


def read(inside: str = "<TXT>Wort.</TXT>", cases: str = CASE) -> ParsedDecision:
    text = (
        f"<JUDGMENT><BIB.JUDGMENT>{cases}<NO.CELEX>62018CJ0001</NO.CELEX>"
        '<NO.ECLI ECLI="ECLI:EU:C:2020:1"/></BIB.JUDGMENT><TITLE><TI><P>Urteil</P></TI></TITLE>'
        f"<CONTENTS.JUDGMENT><NP.ECR><NO.P>1</NO.P>{inside}</NP.ECR>"
        "<NP.ECR><NO.P>2</NO.P><TXT>Ende.</TXT></NP.ECR></CONTENTS.JUDGMENT></JUDGMENT>"
    )
    return parse(etree.fromstring(text), SourceFile("x.xml", "x", text.encode()))


def read_passage(inside: str) -> list[str]:
    text = read(inside).text
    first, _ = text.passages
    return text.text[first.start : first.end].split("\n")


def write_item(label: str, words: str) -> str:
    return f"<ITEM><NP><NO.P>{label}</NO.P><TXT>{words}</TXT></NP></ITEM>"


def test_words_behind_a_list_and_the_marks_of_a_quotation_stay() -> None:
    items = write_item("a)", "Eier;") + write_item("b)", "Mehl;")
    quoted = f"<P>{OPEN}Es sind frei:<LIST>{items}</LIST>wenn sie nicht verdorben sind.{CLOSE}</P>"
    assert read_passage(f"<TXT>Art. 3 lautet:</TXT><QUOT.S>{quoted}</QUOT.S>") == [
        "Art. 3 lautet:",
        "„Es sind frei:",
        "a) Eier;",
        "b) Mehl;",
        "wenn sie nicht verdorben sind.“",
    ]


def test_words_behind_an_inline_element_stay_beside_a_block() -> None:
    inside = (
        "<P>Am <DATE>3. Mai</DATE> galt <HT>noch</HT> dies:<P>Erstens.</P>, und <HT>mehr</HT>.</P>"
    )
    assert read_passage(inside) == ["Am 3. Mai galt noch dies:", "Erstens.", ", und mehr."]


def test_a_footnote_stands_behind_its_paragraph_and_cuts_no_words_off() -> None:
    inside = "<TXT>Das <HT>gilt</HT><NOTE><P>Siehe Nr. 5.</P></NOTE> nicht <HT>immer</HT>.</TXT>"
    assert read_passage(inside) == ["Das gilt nicht immer.", "Siehe Nr. 5."]


def test_the_numbers_of_quoted_provisions_stand_before_their_words() -> None:
    parts = (
        f"<PARAG><NO.PARAG>{OPEN}(1)</NO.PARAG><ALINEA>Eins:<LIST>{write_item('i)', 'Ei.')}</LIST>"
        f"</ALINEA></PARAG><PARAG><NO.PARAG>(2)</NO.PARAG><ALINEA>Zwei.{CLOSE}</ALINEA></PARAG>"
    )
    article = f"<ARTICLE><TI.ART>Artikel 3</TI.ART><STI.ART>Eier</STI.ART>{parts}</ARTICLE>"
    assert read_passage(f"<QUOT.S>{article}</QUOT.S>") == [
        "Artikel 3",
        "Eier",
        "„(1) Eins:",
        "i) Ei.",
        "(2) Zwei.“",
    ]


def test_a_point_in_a_point_and_one_without_words_keep_their_labels() -> None:
    nested = f"<ITEM><NP><NO.P>1.</NO.P><P><LIST>{write_item('a)', 'Ei.')}</LIST></P></NP></ITEM>"
    empty = "<ITEM><NP><NO.P>2.</NO.P></NP></ITEM>"
    assert read_passage(f"<P><LIST>{nested}{empty}</LIST></P>") == ["1. a) Ei.", "2."]


@pytest.mark.parametrize(
    "cases",
    [
        CASE + CASE.replace("1/18", "2/18"),
        CASE.replace("</NO.CASE>", "</NO.CASE><NO.CASE>C-2/18</NO.CASE>"),
        CASE + CASE.replace("C-1/18", "C\u2011<HT>2</HT>/18") + CASE,
    ],
)
def test_every_case_that_was_joined_gives_a_number(cases: str) -> None:
    assert read(cases=cases).decision.dockets == ("C-1/18", "C-2/18")

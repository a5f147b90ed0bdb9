import pytest

from tests.unit.ingest.gii_laws import parse, read


def _list(*items: tuple[str, str]) -> str:
    inner = "".join(f"<DT>{label}</DT><DD><LA>{text}</LA></DD>" for label, text in items)
    return f"<DL>{inner}</DL>"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<P>Ein\n  Satz\u00a0mit  Blanks.</P>", "Ein Satz mit Blanks."),
        ("<P>(1) Eins.</P><P>(2) Zwei.</P>", "(1) Eins.\n(2) Zwei."),
        ("<P>Wer " + _list(("1.", "eins,"), ("2.", "zwei")) + "<BR/>macht, gilt.</P>",
         "Wer\n1. eins,\n2. zwei\nmacht, gilt."),
        ("<P>Wer " + _list(("1.", "eins " + _list(("a)", "x"), ("b)", "y")) + " tut")) + "</P>",
         "Wer\n1. eins\na) x\nb) y\ntut"),
        ("<P><DL><DT>1.</DT><DD><LA>eins</LA><LA>zwei</LA></DD></DL></P>", "1. eins\nzwei"),
        ("<P><DL><DT/><DD><LA>ohne Zeichen</LA></DD></DL></P>", "ohne Zeichen"),
        ("<P><DL><DT>1.</DT><DD><LA/></DD></DL></P>", "1."),
        ("<P>a<BR/>b</P>", "a b"),
        ("<P><pre>a   b<BR/>  c</pre></P>", "a b\nc"),
        ("<P><SUP class='Rec'>1</SUP>Eins.<SUP class='Rec'>2</SUP>Zwei.</P>", "Eins. Zwei."),
        ("<P>CO<SUB>2</SUB> je m<SUP>2</SUP>, 10<SUP>-3</SUP> und x<SUP>a</SUP></P>",
         "CO2 je m², 10⁻³ und xa"),
        ("<P><B>a<I>b</I></B><SP>c</SP><U>d</U><small>e</small><NB>f</NB><noindex>g</noindex></P>",
         "abcdefg"),
        ("<P>u\u0308ber</P>", "über"),
        ("<P>Silben\u00adtrennung</P>", "Silbentrennung"),
        ("<P>vor<FnR ID='a'/> nach<FnArea><FnR ID='a'/></FnArea></P>", "vor nach"),
        ("<P>Kasten <F Value='2a'/> <F>≤</F></P>", "Kasten [2a] ≤"),
        ("<P><IMG SRC='x' alt=''/><IMG SRC='y' alt='Ein Kreis'/></P>",
         "[Abbildung][Abbildung: Ein Kreis]"),
        ("<P><FILE SRC='x.pdf'/></P>", "[PDF-Dokument]"),
        ("<P><QuoteL/>Wort<QuoteR/></P>", "„Wort“"),
        ("<P><ABWFORMAT typ='A'/>a<Accolade/><Split/>b<!-- nie --></P>", "a b"),
        ("<Title>Teil A</Title><Subtitle>Anfang</Subtitle><P>Text.</P>", "Teil A\nAnfang\nText."),
        ("<TOC><Ident>Teil 1<BR/></Ident><Title>Anfang</Title><P>§ 1</P></TOC>",
         "Teil 1 Anfang\n§ 1"),
        ("<Revision><Title>„§ 5</Title><Content><P>Neu.“</P></Content></Revision>",
         "„§ 5\nNeu.“"),
    ],
)  # fmt: skip
def test_every_element_becomes_stored_text(content: str, text: str) -> None:
    assert read(content)[1].text == text


def test_the_publishers_remarks_become_notes() -> None:
    _, fassung = read(
        "<P><noindex><kommentar typ='Fundstelle'>(Fundstelle:<BR/>Muster)</kommentar></noindex></P>"
        "<P>Text.</P>"
    )
    assert fassung.text == "Text."
    assert fassung.notes == ("(Fundstelle: Muster)",)


def test_each_paragraph_of_the_publishers_footnotes_is_a_note() -> None:
    front = (
        "<fussnoten><Content><P><pre>(+++ a<BR/>b +++)</pre></P><P>§ 1: neu</P></Content>"
        "</fussnoten>"
    )
    ((_, fassung),) = parse([], front=front).norms
    assert fassung.notes == ("(+++ a\nb +++)", "§ 1: neu")


def test_official_footnotes_keep_their_mark() -> None:
    notes = (
        "<Footnotes><Footnote ID='a' FnZ='*' Postfix=')'>Erste.</Footnote>"
        "<Footnote ID='b'>Zweite <DL><DT>1.</DT><DD><LA>x</LA></DD></DL></Footnote></Footnotes>"
    )
    _, fassung = read("<P>Text.</P>", more=notes)
    assert fassung.footnotes == ("*) Erste.", "Zweite\n1. x")
    assert fassung.text == "Text."


_TABLE = (
    "<table><Title>Tafel</Title><tgroup cols='3'><colspec colname='a'/><colspec colname='b'/>"
    "<colspec colname='c'/><thead><row><entry namest='a' nameend='b'>Kopf</entry><entry>Ende"
    "</entry></row></thead><tbody><row><entry morerows='1'>1</entry><entry>x<BR/>y</entry><entry/>"
    "</row><row><entry>z</entry><entry>w</entry></row><row><entry/><entry/><entry/></row></tbody>"
    "</tgroup></table>"
)


def test_a_table_is_text_and_grid() -> None:
    _, fassung = read(f"<P>Vor: {_TABLE} nach.</P>")
    assert fassung.text == "Vor:\nTafel\nKopf | | Ende\n1 | x y\n| z | w\nnach."
    (table,) = fassung.tables
    assert fassung.text[table.start : table.end] == "Kopf | | Ende\n1 | x y\n| z | w"
    assert table.rows == (("Kopf", "", "Ende"), ("1", "x y", ""), ("", "z", "w"))


def test_a_list_and_a_table_inside_a_cell_stay_on_its_line() -> None:
    inner = (
        "<table><tgroup cols='2'><tbody><row><entry>p</entry><entry>q</entry></row></tbody>"
        "</tgroup></table>"
    )
    cell = f"a {_list(('1.', 'b'), ('2.', 'c'))} d {inner} e<P>f</P>"
    _, fassung = read(
        f"<table><tgroup cols='2'><tbody><row><entry>{cell}</entry><entry>g</entry></row></tbody>"
        "</tgroup></table>"
    )
    assert fassung.text == "a 1. b 2. c d p q e f | g"


def _nest(levels: int, start: str, end: str, words: str) -> str:
    return start * levels + words + end * levels


@pytest.mark.parametrize(
    ("start", "end"),
    [
        ("<table><Title>", "</Title></table>"),
        ("<table><tgroup><tbody><row><entry>", "</entry></row></tbody></tgroup></table>"),
        ("<Footnotes><Footnote>", "</Footnote></Footnotes>"),
    ],
)
def test_words_are_read_once_however_deep_they_stand(start: str, end: str) -> None:
    _, fassung = read(f"<P>Text.{_nest(12, start, end, 'Hammer')}</P>")
    kept = "\n".join((fassung.text, *fassung.footnotes, *fassung.notes))
    assert kept.count("Hammer") == 1

"""Every way in which publishers mark a Randnummer leads to the same paragraphs."""

import pytest
from lxml.etree import _Element

from fundstelle.citations.find import find
from fundstelle.ingest.sources.decision_text import html as decision_html
from fundstelle.ingest.sources.decision_text.html import HtmlBlock, read_blocks, read_text
from fundstelle.ingest.sources.decision_text.page import count_page, parse_fragment


def read(html: str) -> list[HtmlBlock]:
    return read_blocks(parse_fragment(html, "x"))


@pytest.mark.parametrize(
    "html",
    [
        '<dl class="RspDL"><dt><a name="rd_7">7</a></dt><dd><p>Der Hund.</p></dd></dl>',
        '<dl><dt><span>Randnummer</span><a name="rd_7"><span>7</span></a></dt><dd>Der Hund.</dl>',
        '<dl class="content__dl"><dt><a href="#rd-7">7</a></dt><dd id="rd-7"><p>Der Hund.</p></dl>',
        '<div class="rdn" data-rdn="7"><p><span class="rdn">7</span> Der Hund.</p></div>',
        '<ol class="m-decisions__list"><li data-rd="7"><p>Der Hund.</p></li></ol>',
        '<div class="rdblock"><div class="rd">7</div><div class="absatz">Der Hund.</div></div>',
        '<span class="absatzRechts">7</span><p class="absatzLinks">Der Hund.</p>',
        '<table><tr><td><rd nr="7"></rd>Der Hund.</td></tr></table>',
        "<hcontainer><num>7</num><content><p>Der Hund.</p></content></hcontainer>",
    ],
)
def test_the_number_in_the_margin_belongs_to_its_paragraph(html: str) -> None:
    assert read(html) == [HtmlBlock("Der Hund.", "7")]


@pytest.mark.parametrize(
    ("html", "texts"),
    [
        ("<p>Ein<em> Hund</em>\n bellt.</p>tut er", ["Ein Hund bellt.", "tut er"]),
        ("<p>Er beantragt,<br>ihn freizulassen.</p>", ["Er beantragt,", "ihn freizulassen."]),
        ("<blockquote><p>Zitat</p></blockquote>", ["Zitat"]),
        ("<p>Hunde\u00adsteuer\u200b und\u00a0Kat\u0308ze</p>", ["Hundesteuer und Kaẗze"]),
        ("<p>a<!-- nein --><script>nein</script>b<button>nein</button></p>", ["ab"]),
        ("<ol><li>eins</li><li>zwei</li></ol>", ["1. eins", "2. zwei"]),
        ('<p>Siehe <img src="a.png">.</p>', ["Siehe [Abbildung]."]),
        ('<p><img src="a.png" alt="Ein Hund"></p>', ["[Abbildung: Ein Hund]"]),
        ("<ol start=3 type=a><li>eins</li></ol>", ["c) eins"]),
        ("<ol start=²><li>eins</li></ol>", ["1. eins"]),
        (f"<ol start={'9' * 5000}><li>eins</li></ol>", ["1. eins"]),
        ("<ul><li>eins</li></ul>", ["eins"]),
        ("<table><tr><td>Hund</td><td>3 €</td></tr></table>", ["Hund | 3 €"]),
        ("<table><tr><td>1.</td><td>zahlen</td></tr></table>", ["1. zahlen"]),
        (
            (
                "<table><tr><th></th><th>Nr.</th><th>Ab</th><th>Um</th></tr>"
                "<tr><td></td><td>1.</td><td></td><td>5 %</td></tr></table>"
            ),
            ["Nr. | Ab | Um", "1. | | 5 %"],
        ),
        (
            (
                "<table><tr><th rowspan=2>Jahr</th><th colspan=2>Betrag</th></tr><tr><th>roh</th>"
                "<th>netto</th></tr><tr><td>2020</td><td></td><td>7</td></tr></table>"
            ),
            ["Jahr | Betrag", "| roh | netto", "2020 | | 7"],
        ),
        (
            (
                "<table><caption>Lohn in Euro</caption><tr><td>a</td><td><img alt='300'></td></tr>"
                "</table>"
            ),
            ["Lohn in Euro", "a | [Abbildung: 300]"],
        ),
        (
            (
                "<table><tr><td>a</td><td>b<table><tr><td>c</td><td>d</td></tr></table></td></tr>"
                "</table>"
            ),
            ["a | b c d"],
        ),
        ("<p>10<sup>6</sup> KBE, 50 m<sup>2</sup>, 10<sup>-3</sup></p>", ["10⁶ KBE, 50 m², 10⁻³"]),
        ("<p>§ 3 Satz 1<a href='#f'><sup> 1</sup></a>.</p>", ["§ 3 Satz 1 ¹."]),
        ("<p>[Satz] <sup>2</sup>Er zahlt.</p>", ["[Satz] ²Er zahlt."]),
        ("<p>1<sup>er</sup> mai</p>", ["1er mai"]),
        ("<table><tr><td>Wert</td><td>10<sup>6</sup></td></tr></table>", ["Wert | 10⁶"]),
        (
            (
                "<table><tr><td>1.</td><td colspan=2>Er zahlt</td></tr><tr><td></td><td>a)</td>"
                "<td>bar</td></tr><tr><td colspan=2></td><td>oder</td></tr></table>"
            ),
            ["1. Er zahlt", "a) bar", "oder"],
        ),
        ("<table><tr><td> </td><td><p>a</p><p>b</p></td></tr></table>", ["a", "b"]),
    ],
)
def test_blocks_become_lines(html: str, texts: list[str]) -> None:
    assert [block.text for block in read(html)] == texts


def test_headings_are_told_by_markup_or_because_they_are_nothing_but_a_number() -> None:
    blocks = read("<h2>Gründe</h2><div>II.</div><p>II. Die Klage ist zulässig.</p><p>b)</p>")
    assert [block.heading for block in blocks] == [True, True, False, True]


def test_what_a_browser_would_add_is_not_counted_as_kept() -> None:
    html = "<ol><li>eins</li></ol><table><tr><td>a</td><td></td><td>b</td>"
    html += "<td><img alt='Hund'></td></tr></table>"
    blocks = read(html)
    written = sum(len(block.text.replace(" ", "")) - block.added for block in blocks)
    assert written == count_page(parse_fragment(html, "x"))


def test_a_table_too_large_for_columns_loses_none_of_its_words() -> None:
    wide = "<td colspan=60 rowspan=9>Hund</td>" * 100
    html = (
        f"<p>Vorher.</p><table><tr>{wide}</tr><tr><td>a</td><td>b</td></tr></table><p>Danach.</p>"
    )
    blocks = read(html)
    row = " | ".join(["Hund"] * 100)
    shown = ["Vorher.", "[Tabelle: Spalten nicht zugeordnet]", row, "a | b", "Danach."]
    assert [block.text for block in blocks] == shown
    written = sum(len(block.text.replace(" ", "")) - block.added for block in blocks)
    assert written == count_page(parse_fragment(html, "x"))


def test_what_is_raised_is_raised_in_the_fields_of_a_page_too() -> None:
    title = parse_fragment("<b>Halle</b> von 50 m<sup>2</sup>, <i>neu</i>", "x")
    assert read_text(title) == "Halle von 50 m², neu"


def test_the_mark_of_a_footnote_is_no_part_of_a_citation() -> None:
    (block,) = read("<p>nach § 3 Abs. 1 Satz 1<sup>1</sup> und Az. VI ZR 175/22<sup>2</sup></p>")
    (norm, *_) = find(block.text)
    assert norm.text == "§ 3 Abs. 1 Satz 1"


def count_reads(html: str, monkeypatch: pytest.MonkeyPatch) -> int:
    reads = 0

    class Counted(decision_html._Reader):
        def _walk_content(self, element: _Element) -> None:
            nonlocal reads
            reads += 1
            super()._walk_content(element)

    monkeypatch.setattr(decision_html, "_Reader", Counted)
    read(html)
    return reads


def test_tables_within_tables_are_not_read_anew_on_every_level(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rows = "<tr><td>Hund</td></tr>" * 50

    def nest(levels: int) -> int:
        html = "<table><tr><td>" * levels + f"<table>{rows}</table>" + "</td></tr></table>" * levels
        return count_reads(html, monkeypatch)

    assert nest(30) < 2 * nest(10)


def test_a_long_list_counts_its_items_once(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0

    class Counted(decision_html._Reader):
        def _find_place(self, parent: _Element, item: _Element) -> int:
            nonlocal looks
            known = len(self.places)
            place = super()._find_place(parent, item)
            looks += len(self.places) - known
            return place

    monkeypatch.setattr(decision_html, "_Reader", Counted)
    blocks = read("<ol>" + "<li>Hund</li>" * 2_000 + "</ol>")
    assert blocks[-1].text == "2000. Hund"
    assert looks == 1

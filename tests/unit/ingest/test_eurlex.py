"""EU acts from files that we wrote ourselves, in the publisher's formats."""

import json
from collections.abc import Iterator
from datetime import date

import pytest

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedAct, ParsedDecision, SourceFile
from fundstelle.ingest.sources.eu.act import ActText, Unit
from fundstelle.ingest.sources.eu.editions import build_edition
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from fundstelle.law.norms import ENDED, Fassung, Norm, NormKind

FORMEX = """<?xml version="1.0" encoding="UTF-8"?>
<ACT><BIB.INSTANCE><DOCUMENT.REF FILE="x"><COLL>L</COLL><NO.OJ>1</NO.OJ><YEAR>2019</YEAR>
<PAGE.FIRST>7</PAGE.FIRST></DOCUMENT.REF><DATE ISO="20190102">20190102</DATE><LG.DOC>DE</LG.DOC>
<NO.DOC><NO.CURRENT>5</NO.CURRENT><YEAR>2019</YEAR><COM>EU</COM></NO.DOC></BIB.INSTANCE>
<TITLE><TI><P>Verordnung (EU) 2019/5</P><P>über Hämmer (Hammerverordnung)</P></TI></TITLE>
<PREAMBLE><GR.CONSID><CONSID><NP><NO.P>(1)</NO.P><TXT>Hämmer sind nützlich.</TXT></NP></CONSID>
</GR.CONSID></PREAMBLE>
<ENACTING.TERMS><DIVISION><TITLE><TI><P>KAPITEL I</P></TI><STI><P>Allgemeines</P></STI></TITLE>
<ARTICLE IDENTIFIER="001"><TI.ART>Artikel 1</TI.ART><STI.ART>Begriffe</STI.ART>
<ALINEA><P>Es bezeichnet:</P><LIST TYPE="ARAB"><ITEM><NP><NO.P>1.</NO.P><TXT>
<QUOT.START CODE="201E"/>
Hammer
<QUOT.END CODE="201C"/>
 ein Werkzeug;</TXT></NP></ITEM></LIST></ALINEA></ARTICLE>
<ARTICLE IDENTIFIER="002"><TI.ART>Artikel 2</TI.ART>
<PARAG IDENTIFIER="002.001"><NO.PARAG>(1)</NO.PARAG><ALINEA><P>Erlaubt ist:</P><LIST TYPE="alpha">
<ITEM><NP><NO.P>a)</NO.P><TXT>das Leihen,</TXT><P><LIST TYPE="roman"><ITEM><NP><NO.P>i)</NO.P>
<TXT>am Tag,</TXT></NP></ITEM><ITEM><NP><NO.P>ii)</NO.P><TXT>bei Nacht;</TXT></NP></ITEM></LIST></P>
</NP></ITEM></LIST></ALINEA><ALINEA>Dies gilt immer<NOTE><P>ABl. L 9.</P></NOTE>.</ALINEA></PARAG>
<PARAG IDENTIFIER="002.002"><NO.PARAG>(2)</NO.PARAG><ALINEA>Ein Satz. Noch einer.</ALINEA></PARAG>
</ARTICLE></DIVISION></ENACTING.TERMS></ACT>"""

PAGE = """<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>
<p class="oj-hd-date">1.1.2019</p><p class="oj-doc-ti">REGULATION (EU) 2019/6</p>
<div class="eli-subdivision" id="rct_1"><table><tbody><tr><td><p class="oj-normal">(1)</p></td>
<td><p class="oj-normal">Anvils are heavy.</p></td></tr></tbody></table></div>
<p class="oj-ti-section-1">CHAPTER I</p><p class="oj-ti-section-2">GENERAL</p>
<p class="oj-ti-art">Article 1</p><p class="oj-sti-art">Scope</p>
<p class="oj-normal">1.   This applies to:</p>
<table><tbody><tr><td><p class="oj-normal">(a)</p></td>
<td><p class="oj-normal">anvils;</p></td></tr>
</tbody></table><p class="oj-normal">It always does.</p>
<table class="oj-table"><tbody><tr><td><p>Weight</p></td><td><p>Price</p></td>
<td><p>Use</p></td></tr></tbody></table>
<p class="oj-normal">2.   It ends.</p>
<p class="oj-normal">Done at Anvilton, 1 January 2019.</p>
<p class="oj-doc-ti">ANNEX I</p><p class="oj-normal">Types</p></body></html>"""

JUDGMENT = """<JUDGMENT><BIB.JUDGMENT><REF.CASE><NO.CASE>C-1/19</NO.CASE></REF.CASE>
<NO.CELEX>62019CJ0001</NO.CELEX>
<NO.ECLI ECLI="ECLI:EU:C:2019:1">EU:C:2019:1</NO.ECLI></BIB.JUDGMENT>
<CURR.TITLE><PAGE.HEADER><P>Urteil</P><P>Hammer</P></PAGE.HEADER></CURR.TITLE>
<TITLE><TI><P>Urteil (Erste Kammer)</P><P><DATE ISO="20190203">3.</DATE></P></TI></TITLE>
<CONTENTS.JUDGMENT><GR.SEQ LEVEL="1"><TITLE><TI><P>Gründe</P></TI></TITLE>
<NP.ECR><NO.P>1</NO.P><TXT>Ein Hammer.</TXT></NP.ECR><NP.ECR><NO.P>2</NO.P><TXT>Zwei.</TXT></NP.ECR>
</GR.SEQ></CONTENTS.JUDGMENT><P>Der Hammer ist frei.</P></JUDGMENT>"""


def read(*files: tuple[str, str]) -> list[ParsedAct | ParsedDecision | Rejected]:
    found: Iterator[ParsedAct | ParsedDecision | Rejected] = iter_acts(
        SourceFile(name, name.rpartition("/")[0], text.encode()) for name, text in files
    )
    return list(found)


def read_norms(*files: tuple[str, str]) -> dict[str, tuple[Norm, tuple[Fassung, ...]]]:
    (act,) = read(*files)
    assert isinstance(act, ParsedAct)
    return {norm.number: (norm, fassungen) for norm, fassungen in act.norms}


def list_parts(fassung: Fassung) -> dict[str, str]:
    """Every part but sentences, by its path."""
    parts = {}
    for segment in fassung.segments:
        path, parent = f"{segment.level}={segment.value}", segment.parent
        while parent >= 0:
            above = fassung.segments[parent]
            path, parent = f"{above.level}={above.value}/{path}", above.parent
        parts[path] = fassung.text[segment.start : segment.end]
    return parts


def test_a_formex_act_has_its_names_and_numbers() -> None:
    (act,) = read(("formex/32019R0005/x.xml", FORMEX))
    assert isinstance(act, ParsedAct)
    statute = act.statute
    assert statute.statute_id == "eu/32019R0005"
    assert statute.abbreviation == "VO (EU) 2019/5"
    assert statute.short_title == "Hammerverordnung"
    assert (statute.document_kind, statute.language) == ("regulation", "de")
    assert statute.publication == "ABl. L 1, 2019, S. 7"
    assert [norm.norm_id.rpartition("/")[2] for norm, _ in act.norms] == [
        "recital_1",
        "div_1",
        "art_1",
        "art_2",
    ]


def test_definitions_are_numbers_and_quotation_marks_stand_close() -> None:
    norm, (fassung,) = read_norms(("formex/32019R0005/x.xml", FORMEX))["art_1"]
    assert norm.citation == "Art. 1 VO (EU) 2019/5"
    assert norm.hierarchy == ("KAPITEL I Allgemeines",)
    assert fassung.text == "Es bezeichnet:\n1. „Hammer“ ein Werkzeug;"
    assert list_parts(fassung)["nr=1"] == "1. „Hammer“ ein Werkzeug;"


def test_points_can_be_cited_down_to_roman_numbers() -> None:
    _, (fassung,) = read_norms(("formex/32019R0005/x.xml", FORMEX))["art_2"]
    parts = list_parts(fassung)
    assert parts["abs=1/uabs=1/buchst=a/nr=2"] == "ii) bei Nacht;"
    assert parts["abs=1/uabs=2"] == "Dies gilt immer."
    assert parts["abs=2/satz=2"] == "Noch einer."
    assert fassung.footnotes == ("ABl. L 9.",)


def test_a_point_inserted_behind_another_is_a_letter_of_its_own() -> None:
    items = "".join(
        f"<ITEM><NP><NO.P>{label}</NO.P><TXT>{label} gilt;</TXT></NP></ITEM>"
        for label in ("a)", "b)", "ba)", "c)")
    )
    page = FORMEX.replace(
        "<ALINEA>Ein Satz. Noch einer.</ALINEA>",
        f'<ALINEA><P>Es gilt:</P><LIST TYPE="alpha">{items}</LIST></ALINEA>',
    )
    (act,) = iter_acts([SourceFile("de/32019R0005/act.xml", "de", page.encode())])
    assert isinstance(act, ParsedAct)
    (fassungen,) = [held for norm, held in act.norms if norm.number == "art_2"]
    letters = [each for each in fassungen[-1].segments if each.level == "buchst"]
    assert [each.value for each in letters] == ["a", "a", "b", "ba", "c"]
    assert len({each.parent for each in letters[1:]}) == 1


def test_a_page_of_the_official_journal_reads_the_same_way() -> None:
    norms = read_norms(("cellar/32019R0006/2019-01-01/en.oj.xhtml", PAGE))
    assert list(norms) == ["recital_1", "div_1", "art_1", "annex_i"]
    assert norms["recital_1"][1][0].text == "Anvils are heavy."
    norm, (fassung,) = norms["art_1"]
    assert (norm.title, norm.hierarchy) == ("Scope", ("CHAPTER I GENERAL",))
    parts = list_parts(fassung)
    assert parts["abs=1/uabs=1/buchst=a"] == "(a) anvils;"
    assert parts["abs=1/uabs=2"] == "It always does.\nWeight | Price | Use"
    assert parts["abs=2"] == "2. It ends."
    assert norms["annex_i"][0].kind is NormKind.ANNEX


def test_a_paragraph_that_is_a_list_is_a_paragraph_with_its_number() -> None:
    """A page sets it as a table as it does a list; Formex has no words of its own in it."""
    letters = "".join(
        f"<table><tr><td><p>({letter})</p></td><td><p>{letter} gilt;</p></td></tr></table>"
        for letter in "ab"
    )
    table = f"<table><tr><td><p>2.</p></td><td>{letters}</td></tr></table>"
    page = PAGE.replace('<p class="oj-normal">2.   It ends.</p>', table)
    items = "".join(
        f"<ITEM><NP><NO.P>({letter})</NO.P><TXT>{letter} gilt;</TXT></NP></ITEM>" for letter in "ab"
    )
    formex = FORMEX.replace("Ein Satz. Noch einer.", f'<LIST TYPE="alpha">{items}</LIST>')
    _, (fassung,) = read_norms(("cellar/32019R0006/2019-01-01/en.oj.xhtml", page))["art_1"]
    assert list_parts(fassung)["abs=2"] == "2.\n(a) a gilt;\n(b) b gilt;"
    assert list_parts(fassung)["abs=2/buchst=b"] == "(b) b gilt;"
    _, (fassung,) = read_norms(("formex/32019R0005/x.xml", formex))["art_2"]
    assert list_parts(fassung)["abs=2"] == "(2)\n(a) a gilt;\n(b) b gilt;"
    assert list_parts(fassung)["abs=2/buchst=b"] == "(b) b gilt;"


def test_a_footnote_of_a_page_is_kept_without_its_mark() -> None:
    page = PAGE.replace(
        "It always does.",
        'It does, see Act 1/2 <a id="ntc1" href="#ntr1">(<span class="oj-super">1</span>)</a>.',
    ).replace(
        "</body>",
        '<p class="oj-note"><a id="ntr1" href="#ntc1">(<span class="oj-super">1</span>)</a> '
        "OJ L 9.</p></body>",
    )
    _, (fassung,) = read_norms(("cellar/32019R0006/2019-01-01/en.oj.xhtml", page))["art_1"]
    assert "It does, see Act 1/2.\n" in fassung.text
    assert fassung.footnotes == ("OJ L 9.",)


def consolidate(text: str, day: str) -> str:
    dated = f'<INFO.CONSLEG START.DATE="{day}"/><BIB.INSTANCE>'
    consolidated = text.replace("<ACT>", "<CONS.ACT>").replace("</ACT>", "</CONS.ACT>")
    return consolidated.replace("<BIB.INSTANCE>", dated, 1)


def test_a_consolidated_text_is_a_later_version_without_legal_effect() -> None:
    later = consolidate(FORMEX.replace("Noch einer.", "Und mehr."), "20200101")
    norms = read_norms(("a/32019R0005/x.xml", FORMEX), ("b/32019R0005/y.xml", later))
    _, (old, new) = norms["art_2"]
    assert old.in_force_until == new.in_force_from == date(2020, 1, 1)
    assert "ohne Rechtswirkung" in new.notes[0]
    assert len(norms["art_1"][1]) == 1, "what did not change stays one version"


def test_a_text_that_two_archives_have_counts_once_and_others_are_further_versions() -> None:
    """The fuller of two texts of a day, else the first."""
    later = consolidate(FORMEX.replace("Noch einer.", "Und mehr."), "20200101")
    last = consolidate(FORMEX.replace("Noch einer.", "Und Schluss."), "20210101")
    cut = consolidate(FORMEX.replace("Artikel 2", "Artikel 3").replace("Ein Satz.", ""), "20200101")
    files = [("b/32019R0005/y.xml", later), ("c/32019R0005/z.xml", last)]
    alone = read_norms(("a/32019R0005/x.xml", FORMEX), *files)
    doubled = read_norms(
        ("a/32019R0005/x.xml", FORMEX),
        *files,
        ("h/32019R0005/x.xml", FORMEX),
        ("h/2020/32019R0005/y.xml", cut),
        ("h/2021/32019R0005/z.xml", last),
    )
    assert doubled == alone
    assert len(alone["art_2"][1]) == len(("published", "2020", "2021"))


def test_a_page_of_a_version_that_is_there_in_formex_is_not_missed() -> None:
    page = '<html><p class="title-article-norm">Artikel 1</p></html>'
    text = ("32019R0005/2019-01-02/de.fmx4/32019R0005.xml", FORMEX)
    assert not [
        one
        for one in read(text, ("32019R0005/2019-01-02/de.html", page))
        if isinstance(one, Rejected)
    ]
    found = read(text, ("32019R0005/2020-01-01/de.html", page))
    (missed,) = [one for one in found if isinstance(one, Rejected)]
    assert missed.name == "32019R0005/2020-01-01/de.html"


def test_a_page_may_be_called_xml() -> None:
    page = f'<?xml version="1.0"?>{PAGE}'
    (act,) = read(("32019R0006/2019-01-01/en.xml", page))
    assert isinstance(act, ParsedAct)
    assert act.statute.statute_id == "eu/32019R0006"


@pytest.mark.parametrize(
    ("short", "celex"), [("306L0112", "32006L0112"), ("398L0070", "31998L0070")]
)
def test_older_files_give_the_year_in_two_digits(short: str, celex: str) -> None:
    said = f"<ACT><FAM.COMP><BIB.DATA><NO.CELEX>{short}</NO.CELEX></BIB.DATA></FAM.COMP>"
    own = f"<NO.CURRENT>{int(celex[6:])}</NO.CURRENT><YEAR>{celex[1:5]}</YEAR>"
    text = FORMEX.replace("<ACT>", said)
    text = text.replace("<NO.CURRENT>5</NO.CURRENT><YEAR>2019</YEAR>", own)
    (act,) = read((f"{celex}/x.xml", text))
    assert isinstance(act, ParsedAct)
    assert act.statute.slug == celex


def test_an_act_is_spoken_for_from_its_oldest_text_on() -> None:
    (act,) = read(("a/32019R0005/x.xml", FORMEX))
    assert isinstance(act, ParsedAct)
    assert act.statute.first_look == date(2019, 1, 2)


def test_the_second_language_has_an_id_of_its_own() -> None:
    english = PAGE.replace("2019/6", "2019/5")
    found = read(("de/32019R0005/x.xml", FORMEX), ("en/32019R0005/d/en.oj.xhtml", english))
    ids = [act.statute.statute_id for act in found if isinstance(act, ParsedAct)]
    assert ids == ["eu/32019R0005", "eu/32019R0005:en"]


def test_a_judgment_keeps_its_numbered_paragraphs() -> None:
    (parsed,) = read(("caselaw/62019CJ0001.xml", JUDGMENT))
    assert isinstance(parsed, ParsedDecision)
    decision, text = parsed.decision, parsed.text
    assert (decision.court, decision.dockets, decision.title) == ("EuGH", ("C-1/19",), "Hammer")
    assert decision.issued_on == date(2019, 2, 3)
    assert [text.text[p.start : p.end] for p in text.passages] == ["Ein Hammer.", "Zwei."]
    assert [part.kind.value for part in text.parts] == ["head", "gruende", "tenor"]


@pytest.mark.parametrize(
    ("later", "reason"),
    [
        (consolidate(FORMEX.replace("201E", "D800"), "20200101"), "no quotation mark"),
        (consolidate(FORMEX.replace("NO.CURRENT>5", "NO.CURRENT>6"), "20200101"), "numbers"),
        (consolidate(FORMEX.replace("Allgemeines", "<QUOT.START/>A", 1), "99990101"), "to come"),
    ],
)
def test_a_text_of_no_use_takes_no_other_of_its_act_with_it(later: str, reason: str) -> None:
    good, bad = ("a/32019R0005/x.xml", FORMEX), ("b/32019R0005/y.xml", later)
    act, rejected = sorted(read(good, bad), key=lambda one: isinstance(one, Rejected))
    assert isinstance(act, ParsedAct)
    assert isinstance(rejected, Rejected)
    assert rejected.name == bad[0]
    assert reason in rejected.reason
    assert [act] == read(good)
    assert all(fassung.in_force_until is None for _, (fassung,) in act.norms)


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("x/32019R0005.xml", FORMEX[:400], "no complete XML"),
        ("x/32019R0005.xml", "", "empty"),
        ("x/32019R0005.xml", "<other/>", "no act that is known"),
        (
            "x/32019R0005.xml",
            '<!DOCTYPE ACT [<!ENTITY a "b">]><ACT>&a;</ACT>',
            "entity",
        ),
        ("x/32019R0005.xml", FORMEX.replace("201E", "ZZ"), "the parser failed"),
        ("x/32019R0005.xml", FORMEX.replace("201E", "D800"), "the parser failed"),
        ("x/hammer.xml", FORMEX.replace("T>5<", "T>fünf<"), "the parser failed"),
        ("x/hammer.xml", FORMEX.replace("<YEAR>2019</YEAR><C", "<YEAR>..</YEAR><C"), "numbers"),
        ("x/32019R0005.html", "<!-- <html> texteonly -->", "the parser failed"),
        ("x/hammer.html", PAGE, "no CELEX"),
        ("x/32019R0006/d/meta.json", "{", "no description"),
    ],
)
def test_bad_files_are_named_with_their_reason(name: str, text: str, reason: str) -> None:
    found = read((name, text), ("y/32019R0006/d/en.oj.xhtml", PAGE))
    (rejected,) = [one for one in found if isinstance(one, Rejected)]
    assert rejected.name == name
    assert reason in rejected.reason
    assert any(isinstance(one, ParsedAct) for one in found), "the rest goes on"


def describe(folder: str, status: str) -> tuple[str, str]:
    """The archive's description of a version that was looked at on two days."""
    events = [{"observed_from": f"2026-08-{day}T10:00:00Z"} for day in ("06", "15")]
    fields = {"valid_from": folder[-10:], "in_force_status": status, "events": events}
    return f"{folder}/meta.json", json.dumps(fields)


@pytest.mark.parametrize("status", ["0", "1", ""])
def test_that_an_act_is_no_longer_in_force_is_noted_once(status: str) -> None:
    first, later = "32019R0006/2019-01-01", "32019R0006/2020-02-02"
    page = (f"{first}/en.oj.xhtml", PAGE)
    described = [describe(folder, status) for folder in (first, later)]
    for files in ((page, described[0]), (page, *described)):
        (act,) = [one for one in read(*files) if isinstance(one, ParsedAct)]
        said = [note.text for note in act.statute.stand_notes if note.kind == "Aufh"]
        assert said == ([f"{ENDED}2026-08-15"] if status == "0" else [])


def test_a_later_text_says_anew_whether_its_act_is_in_force() -> None:
    unit = Unit(NormKind.ARTICLE, "art_1", "Article 1", "", 1, [])
    act, later = (
        ActText("32019R0006", "en", "An act", date(2019, 1, 1), None, day, [unit], "x")
        for day in (None, date(2020, 2, 2))
    )
    for before, after in ((True, False), (True, True), (False, True)):
        act.is_ended, later.is_ended = before, after
        act.seen_on, later.seen_on = date(2026, 8, 1), date(2026, 8, 15)
        notes = build_edition([act, later], [], second=False).statute.stand_notes
        said = [note.text for note in notes if note.kind == "Aufh"]
        assert said == ([f"{ENDED}2026-08-15"] if after else [])


def test_rows_and_recitals_inside_others_are_read_once() -> None:
    table = "<TBL>" + "<ROW><CELL>" * 20 + "Zange" + "</CELL></ROW>" * 20 + "</TBL>"
    recital = "<CONSID><NP><NO.P>(2)</NO.P><TXT>"
    text = FORMEX.replace("<P>Es bezeichnet:</P>", f"<P>Es bezeichnet:</P>{table}").replace(
        "</GR.CONSID>", recital * 20 + "Feile" + "</TXT></NP></CONSID>" * 20 + "</GR.CONSID>"
    )
    held = [
        fassung.text
        for _, fassungen in read_norms(("x.xml", text)).values()
        for fassung in fassungen
    ]
    assert sum(each.count("Zange") for each in held) == 1
    assert sum(each.count("Feile") for each in held) == 1


@pytest.mark.parametrize(("tag", "levels"), [("ANNEX", 10), ("X", 130)])
def test_a_file_that_is_nested_without_end_is_refused(tag: str, levels: int) -> None:
    inside = f"<{tag}>" * levels + "Feile" + f"</{tag}>" * levels
    (found,) = read(("x.xml", FORMEX.replace("</ACT>", f"{inside}</ACT>")))
    assert isinstance(found, Rejected)
    assert found.name == "x.xml"

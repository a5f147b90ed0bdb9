"""What a consolidated text in Formex carries though it was deleted; texts that we wrote."""

from dataclasses import replace
from datetime import date

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from fundstelle.ingest.sources.eu.succession import go_on
from fundstelle.law.norms import Fassung, NormStatus

OPENS = '<?CLG.MDFO ID="O{0}" IDREF="C{0}" ACTION="DELETED" LEVEL="STRUCTURE"?>'
CLOSES = '<?CLG.MDFC ID="C{0}" IDREF="O{0}"?>'


def article(number: int, inside: str) -> str:
    return f"<ARTICLE IDENTIFIER='{number:0>3}'><TI.ART>Artikel {number}</TI.ART>{inside}</ARTICLE>"


def paragraph(number: int, words: str) -> str:
    return f"<PARAG><NO.PARAG>({number})</NO.PARAG><ALINEA>{words}</ALINEA></PARAG>"


def item(letter: str, words: str) -> str:
    return f"<ITEM><NP><NO.P>{letter})</NO.P><TXT>{words}</TXT></NP></ITEM>"


FIRST = article(1, paragraph(1, "Ein Hammer hat einen Stiel.") + paragraph(2, "Er ist schwer."))
THIRD = article(3, "<ALINEA><P>Erlaubt sind:</P><LIST>{}</LIST></ALINEA>")
ITEMS = item("a", "Holz,"), item("b", "Horn,"), item("c", "Stahl.")
PUBLISHED = FIRST + article(2, "<ALINEA>Amboss.</ALINEA>") + THIRD.format("".join(ITEMS))


def gone(words: str, number: int = 1) -> str:
    return OPENS.format(number) + words + CLOSES.format(number)


def build(articles: str, day: date | None = None, *, around: str = "{}", end: str = "") -> bytes:
    kind = "CONS.ACT" if day else "ACT"
    by = " SOURCE.END='32021R0009'" if end else ""
    mark = f"<INFO.CONSLEG START.DATE='{day:%Y%m%d}' END='{end}'{by}/>" if day else ""
    terms = around.format(f"<ENACTING.TERMS>{articles}</ENACTING.TERMS>")
    return (
        f"<{kind}>{mark}<BIB.INSTANCE><LG.DOC>DE</LG.DOC><DATE ISO='20200102'/>"
        "<NO.DOC><NO.CURRENT>7</NO.CURRENT><YEAR>2020</YEAR></NO.DOC></BIB.INSTANCE>"
        f"<TITLE><TI><P>Verordnung (EU) 2020/7</P></TI></TITLE>{terms}</{kind}>"
    ).encode()


def read(*texts: bytes) -> list[ParsedAct | Rejected]:
    files = [SourceFile(f"32020R0007/{n}/a.xml", f"{n}", text) for n, text in enumerate(texts)]
    return [one for one in iter_acts(files) if isinstance(one, (ParsedAct, Rejected))]


def read_act(*texts: bytes) -> ParsedAct:
    [act] = read(*texts)
    assert isinstance(act, ParsedAct)
    return act


def find(act: ParsedAct, number: str) -> tuple[Fassung, ...]:
    return next(fassungen for norm, fassungen in act.norms if norm.number == number)


DAY, LATER = date(2021, 3, 1), date(2022, 3, 1)


def test_a_deleted_article_ends_with_the_text_that_deletes_it() -> None:
    deleted = FIRST + gone(article(2, "<ALINEA>Amboss.</ALINEA>")) + THIRD.format("".join(ITEMS))
    act = read_act(build(PUBLISHED), build(deleted, DAY))
    assert [one.in_force_until for one in find(act, "art_2")] == [DAY]
    assert find(act, "art_3")[-1].in_force_until is None


def test_what_is_deleted_of_an_article_is_none_of_its_words() -> None:
    first = article(
        1,
        paragraph(1, f"Ein Hammer hat {gone('(nach Artikel 9) ', 2)}einen Stiel.")
        + gone(paragraph(2, "Er ist schwer.")),
    )
    third = THIRD.format(ITEMS[0] + gone(ITEMS[1], 3) + ITEMS[2])
    act = read_act(build(first + third, DAY))
    assert find(act, "art_1")[-1].text == "(1) Ein Hammer hat einen Stiel."
    assert find(act, "art_3")[-1].text == "Erlaubt sind:\na) Holz,\nc) Stahl."


def test_a_deletion_may_end_inside_an_article() -> None:
    rest = THIRD.format(ITEMS[0] + CLOSES.format(1) + ITEMS[2])
    act = read_act(build(OPENS.format(1) + FIRST + rest, DAY))
    assert [(norm.number, fassungen[-1].text) for norm, fassungen in act.norms] == [
        ("art_1", ""),
        ("art_3", "c) Stahl."),
    ]


def test_a_deletion_without_an_end_deletes_nothing() -> None:
    act = read_act(build(OPENS.format(1) + PUBLISHED, DAY))
    assert len(act.norms) == 3


def test_what_replaces_other_words_stays() -> None:
    act = read_act(build(gone(PUBLISHED).replace("DELETED", "REPLACED"), DAY))
    assert len(act.norms) == 3


def test_a_repealed_act_ends_on_its_day() -> None:
    around = gone("{}").replace("DELETED", "REPEALED")
    repealed = build(PUBLISHED, DAY, around=around, end="REPEALED")
    act = read_act(build(PUBLISHED), repealed)
    assert {fassungen[-1].in_force_until for _, fassungen in act.norms} == {DAY}
    said = [note.text for note in act.statute.stand_notes if note.kind == "Aufh"]
    assert said == ["Aufgehoben zum 1.3.2021 durch 32021R0009."]
    [alone] = read(repealed)
    assert isinstance(alone, Rejected)


def test_what_another_program_took_for_words_of_the_newest_text_ends_with_it() -> None:
    held = read_act(build(PUBLISHED), build(PUBLISHED, DAY), build(PUBLISHED, LATER))
    held = replace(held, statute=replace(held.statute, read_by="another"))
    deleted = FIRST + gone(article(2, "<ALINEA>Amboss.</ALINEA>")) + THIRD.format("".join(ITEMS))
    [ended] = find(go_on(held, read_act(build(deleted, LATER))), "art_2")
    assert (ended.stand, ended.in_force_until) == (DAY, LATER)


def test_what_the_first_text_held_has_deleted_is_repealed() -> None:
    deleted = FIRST + gone(article(2, "<ALINEA>Amboss.</ALINEA>")) + THIRD.format("".join(ITEMS))
    act = read_act(build(deleted, DAY))
    assert [(norm.number, norm.status) for norm, _ in act.norms] == [
        ("art_1", NormStatus.IN_FORCE),
        ("art_2", NormStatus.REPEALED),
        ("art_3", NormStatus.IN_FORCE),
    ]
    [stub] = find(act, "art_2")
    assert (stub.text, stub.status) == ("", NormStatus.REPEALED)
    for later in (deleted, PUBLISHED):
        once = read_act(build(deleted, DAY), build(later, LATER))
        assert go_on(act, read_act(build(later, LATER))) == once
    assert find(once, "art_2")[-1].text == "Amboss."
    statuses = {norm.number: norm.status for norm, _ in once.norms}
    assert statuses["art_2"] is NormStatus.IN_FORCE


def test_a_number_that_was_given_anew_is_that_of_the_new_article() -> None:
    anew = gone(article(2, "<ALINEA>Amboss.</ALINEA>")) + article(2, "<ALINEA>Zange.</ALINEA>")
    assert [one.text for one in find(read_act(build(FIRST + anew, DAY)), "art_2")] == ["Zange."]


def test_articles_that_a_deleted_part_quotes_leave_with_it() -> None:
    quoted = f"<QUOT.S>{article(9, '<ALINEA>Nagel.</ALINEA>')}</QUOT.S>"
    inside = paragraph(1, "Ein Hammer.") + gone(f"<PARAG><ALINEA>{quoted}</ALINEA></PARAG>")
    act = read_act(build(article(1, inside), DAY))
    assert [(norm.number, fassungen[-1].text) for norm, fassungen in act.norms] == [
        ("art_1", "(1) Ein Hammer.")
    ]

"""When an act of the Union came into force: by its own words and the day of its Journal."""

from datetime import date

import pytest

from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.eu.act import ActText, Unit
from fundstelle.ingest.sources.eu.blocks import ActBlock
from fundstelle.ingest.sources.eu.commencement import Entry, find_application, find_entry
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from fundstelle.ingest.sources.eu.succession import go_on
from fundstelle.law.norms import DatePrecision, NormKind, NormStatus

JOURNAL = date(2019, 1, 10)
TEXT, TREATY, PROVEN = DatePrecision.TEXT, DatePrecision.TREATY, DatePrecision.PROVEN
ADDRESSED = "This Directive is addressed to the Member States."
COMPLY = (
    "Member States shall bring into force the laws necessary to comply with this Directive by"
    " 31 December 2020."
)


def write_act(
    *finals: str, celex: str = "32019R0005", published_on: date | None = JOURNAL
) -> ActText:
    units = [
        Unit(NormKind.ARTICLE, f"art_{number}", f"Artikel {number}", blocks=[ActBlock(words)])
        for number, words in enumerate(("Hämmer sind frei.", *finals), 1)
    ]
    issued_on = date(int(celex[1:5]), 1, 2)
    act = ActText(celex, "de", "Hammer", issued_on, None, None, units, "x.xml")
    act.published_on = published_on
    return act


@pytest.mark.parametrize(
    ("words", "day"),
    [
        (
            (
                "Diese Verordnung tritt am zwanzigsten Tag nach ihrer Veröffentlichung im Amtsblatt"
                " der Europäischen Union in Kraft."
            ),
            "2019-01-30",
        ),
        (
            "(1) Diese Verordnung tritt am Tag nach ihrer Veröffentlichung im Amtsblatt in Kraft.",
            "2019-01-11",
        ),
        (
            (
                "Diese Richtlinie tritt am 20. Tag nach ihrer Veröffentlichung imAmtsblatt der"
                " Europäischen Unionin Kraft."
            ),
            "2019-01-30",
        ),
        ("Dieser Beschluss tritt am Tag seiner Veröffentlichung in Kraft.", "2019-01-10"),
        ("Diese Verordnung tritt am 1. Januar 2025 in Kraft.", "2025-01-01"),
        (
            (
                "This Regulation shall enter into force on the third day following that of its"
                " publication in the Official Journal of the European Union."
            ),
            "2019-01-13",
        ),
        (
            "1. This Directive shall enter into force on the 20th day following its publication.",
            "2019-01-30",
        ),
        (
            "This Directive shall enter into force on the day following its publication in the OJ.",
            "2019-01-11",
        ),
        ("This Directive shall enter into force on the day of its publication.", "2019-01-10"),
        ("This Directive shall enter into force on 2 August 2004.", "2004-08-02"),
    ],
)
def test_the_own_words_of_an_act_name_its_first_day_in_force(words: str, day: str) -> None:
    assert find_entry(write_act(words)) == Entry(date.fromisoformat(day), TEXT)


@pytest.mark.parametrize(
    ("act", "entry"),
    [
        # the Treaty's twentieth day where the act names none
        (write_act("It applies to what happens after its entry into force."), ("30", TREATY)),
        (write_act(COMPLY, ADDRESSED, celex="32019L0005"), ("30", TREATY)),
        # what cannot be counted is not guessed
        (write_act("Diese Verordnung tritt am ersten Tag des Monats in Kraft, der folgt."), None),
        (
            write_act("Sie tritt am zwanzigsten Tag nach ihrer Veröffentlichung in Kraft."),
            ("30", TEXT),
        ),
        (write_act("Es gilt, was gilt.", published_on=None), None),
        # an act that another one quotes
        (write_act("„Diese Verordnung tritt am 1. Mai 2001 in Kraft.“"), None),
    ],
)
def test_where_the_act_names_no_day_the_treaty_does_and_nobody_guesses(
    act: ActText, entry: tuple[str, DatePrecision] | None
) -> None:
    wanted = Entry(date.fromisoformat(f"2019-01-{entry[0]}"), entry[1]) if entry else None
    assert find_entry(act) == wanted


def test_of_a_text_without_articles_no_day_of_the_treaty_is_assumed() -> None:
    act = write_act()
    act.units = [Unit(NormKind.RECITAL, "recital_1", "(1)", blocks=[ActBlock("Grund.")])]
    assert find_entry(act) is None


def test_a_directive_of_before_maastricht_is_known_to_bind_by_the_day_of_compliance() -> None:
    act = write_act(COMPLY, ADDRESSED, celex="31991L0005")
    assert find_entry(act) == Entry(date(2020, 12, 31), PROVEN)


@pytest.mark.parametrize(
    ("words", "general", "latest", "is_divided"),
    [
        ("(2) Sie gilt ab dem 25. Mai 2018.", "2018-05-25", "2018-05-25", False),
        (
            (
                "2. It shall apply from 2 August 2026.\nHowever, Article 14 shall apply from"
                " 2 August 2027."
            ),
            "2026-08-02",
            "2027-08-02",
            True,
        ),
    ],
)
def test_the_day_of_application_is_another_than_that_of_entry(
    words: str,
    general: str,
    latest: str,
    is_divided: bool,
) -> None:
    entry = "(1) Diese Verordnung tritt am Tag nach ihrer Veröffentlichung in Kraft."
    said = find_application(write_act(f"{entry}\n{words}"))
    assert said is not None
    assert (said.number, str(said.general), str(said.latest)) == ("art_2", general, latest)
    assert said.is_divided is is_divided


HEAD = """<BIB.INSTANCE><DOCUMENT.REF FILE="x"><COLL>L</COLL><NO.OJ>1</NO.OJ><YEAR>2019</YEAR>
<PAGE.FIRST>7</PAGE.FIRST></DOCUMENT.REF><DATE ISO="20190102">20190102</DATE><LG.DOC>DE</LG.DOC>
<NO.DOC><NO.CURRENT>5</NO.CURRENT><YEAR>2019</YEAR><COM>EU</COM></NO.DOC></BIB.INSTANCE>
<TITLE><TI><P>Verordnung (EU) 2019/5</P></TI></TITLE><ENACTING.TERMS>"""
ENTERS = (
    "Diese Verordnung tritt am zwanzigsten Tag nach ihrer Veröffentlichung im Amtsblatt in Kraft."
)


def write_file(first: str, day: str = "", entry: str = ENTERS) -> SourceFile:
    articles = "".join(
        f"<ARTICLE><TI.ART>Artikel {number}</TI.ART><ALINEA>{words}</ALINEA></ARTICLE>"
        for number, words in enumerate((first, "Nägel.", entry), 1)
    )
    tag = "CONS.ACT" if day else "ACT"
    info = f'<INFO.CONSLEG START.DATE="{day}"/>' if day else ""
    text = f"<{tag}>{info}{HEAD}{articles}</ENACTING.TERMS></{tag}>"
    return SourceFile(f"{day or 'a'}/32019R0005/x.xml", "x", text.encode())


CITING = """<ACT><NOTE><REF.DOC.OJ COLL="L" DATE.PUB="20190110" NO.OJ="001"/></NOTE></ACT>"""


def read_act(*files: SourceFile) -> ParsedAct:
    citing = SourceFile("b/32020R0001/x.xml", "b", CITING.encode())
    (act,) = [one for one in iter_acts([*files, citing]) if isinstance(one, ParsedAct)]
    return act


def list_days(act: ParsedAct) -> dict[str, list[tuple[str, str, str]]]:
    return {
        norm.number: [
            (str(one.in_force_from), str(one.in_force_until), one.status) for one in fassungen
        ]
        for norm, fassungen in act.norms
    }


def test_the_day_of_the_journal_is_told_by_whoever_cites_that_issue() -> None:
    act = read_act(write_file("Hämmer."))
    assert act.statute.published_on == JOURNAL
    assert (act.statute.in_force_from, act.statute.date_precision) == (date(2019, 1, 30), TEXT)
    held = {one.in_force_from for _, fassungen in act.norms for one in fassungen}
    assert held == {date(2019, 1, 30)}


def test_words_that_were_replaced_before_an_act_came_into_force_never_were() -> None:
    corrected = write_file("Alle Hämmer.", "20190110")
    amended = write_file("Manche Hämmer.", "20200101")
    act = read_act(write_file("Hämmer."), corrected, amended)
    assert list_days(act)["art_1"] == [
        ("None", "2019-01-30", NormStatus.FUTURE),
        ("2019-01-30", "2020-01-01", NormStatus.IN_FORCE),
        ("2020-01-01", "None", NormStatus.IN_FORCE),
    ]
    assert list_days(act)["art_2"] == [("2019-01-30", "None", NormStatus.IN_FORCE)]


@pytest.mark.parametrize("day", ["20190110", "20200101"])
def test_a_text_that_comes_later_gives_the_days_that_all_give_at_once(day: str) -> None:
    later = write_file("Alle Hämmer.", day)
    at_once = read_act(write_file("Hämmer."), later)
    in_turn = go_on(read_act(write_file("Hämmer.")), read_act(later))
    assert list_days(in_turn) == list_days(at_once)
    assert in_turn.statute == at_once.statute

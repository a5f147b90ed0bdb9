"""The day of the Journal may come with any text of an act: in turn as at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date

import pytest

from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from fundstelle.ingest.sources.eu.succession import go_on
from fundstelle.law.norms import DatePrecision

ACT = "32020R0007"
JOURNAL = date(2020, 1, 10)
TWENTIETH = "Diese Verordnung tritt am zwanzigsten Tag nach ihrer Veröffentlichung in Kraft."
NAMED = "Diese Verordnung tritt am 1. März 2020 in Kraft."
APPLIES = "Sie gilt ab dem 1. Juni 2021."
FINALS = {
    "twentieth": TWENTIETH,
    "named": NAMED,
    "applies": f"Diese Verordnung ist verbindlich.\n{APPLIES}",
    "twentieth, applies": f"{TWENTIETH}\n{APPLIES}",
    "named, applies": f"{NAMED}\n{APPLIES}",
    "both": f"{TWENTIETH}\n{NAMED}",
    "none": "Diese Verordnung ist verbindlich.",
}
# What the act says as published and in three later texts; the last article is the final one.
ARTICLES: Sequence[Mapping[str, str]] = (
    {"1": "Eins.", "2": "Zwei.", "3": "Drei.", "4": "Vier."},
    {"1": "Eins, neu.", "2": "Zwei.", "3": "Drei.", "3a": "Drei a."},
    {"1": "Eins, anders.", "2": "Zwei.", "3a": "Drei a, neu.", "4": "Vier."},
    {"1": "Eins, anders.", "2": "Zwei, neu.", "3": "Drei.", "3a": "Drei a, neu."},
)
DAYS = {
    "around each day of the act": (date(2020, 1, 20), date(2020, 9, 1), date(2022, 5, 1)),
    "behind all": (date(2021, 7, 1), date(2022, 5, 1), date(2023, 5, 1)),
    "of entry and application": (date(2020, 1, 30), date(2021, 6, 1), date(2022, 5, 1)),
    "signing": (date(2020, 1, 2), date(2021, 7, 1), date(2022, 5, 1)),
}
CITING = SourceFile(
    "b/32021R0001/x.xml",
    "b",
    b'<ACT><NOTE><REF.DOC.OJ COLL="L" DATE.PUB="20200110" NO.OJ="001"/></NOTE></ACT>',
)


def write_file(
    articles: Mapping[str, str], day: date | None = None, journal: date | None = None
) -> SourceFile:
    tag = "CONS.ACT" if day else "ACT"
    info = f"<INFO.CONSLEG START.DATE='{day:%Y%m%d}'/>" if day else ""
    named = f"<DATE ISO='{journal:%Y%m%d}'/>" if journal else ""
    units = "".join(
        f"<ARTICLE><TI.ART>Artikel {number}</TI.ART>"
        + "".join(f"<ALINEA>{line}</ALINEA>" for line in words.split("\n"))
        + "</ARTICLE>"
        for number, words in articles.items()
    )
    text = (
        f"<{tag}>{info}<BIB.INSTANCE><DOCUMENT.REF FILE='x'><COLL>L</COLL><NO.OJ>1</NO.OJ>"
        "<YEAR>2020</YEAR><PAGE.FIRST>7</PAGE.FIRST></DOCUMENT.REF><DATE ISO='20200102'/>"
        "<LG.DOC>DE</LG.DOC><NO.DOC><NO.CURRENT>7</NO.CURRENT><YEAR>2020</YEAR></NO.DOC>"
        "</BIB.INSTANCE><FAM.COMP><BIB.DATA><DATE ISO='20200102'/><BIB.INSTANCE.CONS>"
        f"{named}</BIB.INSTANCE.CONS></BIB.DATA></FAM.COMP>"
        "<TITLE><TI><P>Verordnung (EU) 2020/7</P></TI></TITLE>"
        f"<ENACTING.TERMS>{units}</ENACTING.TERMS></{tag}>"
    )
    return SourceFile(f"eurlex/{ACT}/{day or 'oj'}/x.xml", "", text.encode())


def write_damaged(day: date | None) -> SourceFile:
    """An annex of a text that cannot be read: the text has gaps."""
    return SourceFile(f"eurlex/{ACT}/{day or 'oj'}/annex.xml", "", b"<ANNEX>")


def write_corrigendum(day: date) -> SourceFile:
    text = (
        "<CORR><BIB.INSTANCE><DOCUMENT.REF FILE='x'><COLL>L</COLL><NO.OJ>3</NO.OJ><YEAR>2022</YEAR>"
        f"<PAGE.FIRST>8</PAGE.FIRST></DOCUMENT.REF><DATE ISO='{day:%Y%m%d}'/><LG.DOC>DE</LG.DOC>"
        "</BIB.INSTANCE><CONTENTS.CORR/></CORR>"
    )
    return SourceFile(f"eurlex/{ACT}R01/corr.xml", "", text.encode())


def write_texts(
    finals: Sequence[str], days: Sequence[date], journals: Sequence[date | None]
) -> list[SourceFile]:
    """The act as published, whose file never names its Journal, and its later texts."""
    articles = [{**own, "9": final} for own, final in zip(ARTICLES, finals, strict=True)]
    later = zip(articles[1:], days, journals, strict=True)
    return [write_file(articles[0]), *(write_file(*text) for text in later)]


def read(*files: SourceFile, later: bool = False) -> ParsedAct:
    held = frozenset({(ACT, "de")} if later else ())
    (act,) = [one for one in iter_acts(files, held) if isinstance(one, ParsedAct)]
    return act


def require_same(in_turn: ParsedAct, once: ParsedAct) -> None:
    assert in_turn.statute == once.statute
    for one, other in zip(in_turn.norms, once.norms, strict=True):
        assert one == other


OTHER = date(2020, 1, 15)
# What the later texts name; "cited" is known from another act, from the beginning.
JOURNALS: dict[str, Sequence[date | None]] = {
    "never": (None, None, None),
    "cited": (None, None, None),
    "cited, then named": (None, JOURNAL, None),
    "cited, then another": (None, OTHER, None),
    "first": (JOURNAL, None, None),
    "second": (None, JOURNAL, None),
    "third": (None, None, JOURNAL),
    "all": (JOURNAL, JOURNAL, JOURNAL),
    "two": (JOURNAL, OTHER, None),
}
# In each text that of another name, too: an amendment may change it.
CHANGED = [*zip(FINALS, [*list(FINALS)[1:], *FINALS], strict=False)]


@pytest.mark.parametrize("said", JOURNALS)
@pytest.mark.parametrize("days", DAYS)
def test_whichever_text_names_the_journal_the_days_are_those_of_all_at_once(
    said: str, days: str
) -> None:
    for final in FINALS:
        require_same_in_turn([final] * 4, days, said)


@pytest.mark.parametrize("said", JOURNALS)
def test_what_an_act_says_first_of_its_entry_counts_in_turn_too(said: str) -> None:
    for first, then in CHANGED:
        require_same_in_turn([first, first, then, then], "around each day of the act", said)


# Which of the texts cannot be read whole.
GAPS = {"first": (0,), "second": (1,), "newest": (3,), "all": (0, 1, 2, 3)}


@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("final", ["none", "twentieth, applies"])
def test_a_text_with_gaps_is_dated_in_turn_as_at_once(gaps: str, final: str) -> None:
    for days, said in (("around each day of the act", "second"), ("signing", "cited, then named")):
        require_same_in_turn([final] * 4, days, said, GAPS[gaps])


@pytest.mark.parametrize("gaps", GAPS)
def test_an_act_with_gaps_that_is_read_again_takes_the_day_of_its_journal(gaps: str) -> None:
    days = (None, *DAYS["around each day of the act"])
    texts = write_texts([FINALS["none"]] * 4, DAYS["around each day of the act"], [None] * 3)
    damaged = [write_damaged(days[place]) for place in GAPS[gaps]]
    for count in (1, 2, 4):
        held = [*texts[:count], *damaged]
        without, once = read(*held), read(*held, CITING)
        assert once.statute.date_precision is DatePrecision.TREATY
        require_same(go_on(without, once), once)


def require_same_in_turn(
    finals: Sequence[str], days: str, said: str, gaps: Sequence[int] = ()
) -> None:
    texts = write_texts([FINALS[final] for final in finals], DAYS[days], JOURNALS[said])
    damaged = [write_damaged(day) for day in (None, *DAYS[days])]
    read_so_far = [texts[0], CITING] if said.startswith("cited") else texts[:1]
    read_so_far += damaged[:1] if 0 in gaps else ()
    in_turn = read(*read_so_far)
    for place, text in enumerate(texts[1:], 1):
        files = [text, damaged[place]] if place in gaps else [text]
        in_turn = go_on(in_turn, read(*files, later=True))
        read_so_far += files
        require_same(in_turn, read(*read_so_far))


@pytest.mark.parametrize("final", FINALS)
def test_an_act_that_is_read_again_loses_no_day_and_takes_the_one_that_is_new(final: str) -> None:
    days = DAYS["around each day of the act"]
    texts = write_texts([FINALS[final]] * 4, days, [None] * 3)
    for held in (texts[:1], texts[:2], texts):
        without, once = read(*held), read(*held, CITING)
        for again in (go_on(without, once), go_on(once, without), go_on(once, once)):
            require_same(again, once)


@pytest.mark.parametrize("day", [JOURNAL, None])
def test_a_day_left_behind_by_an_earlier_version_is_put_right(day: date | None) -> None:
    """It took a day by which an act was in force for that of a later text."""
    days = (date(2020, 9, 1), date(2021, 7, 1), date(2022, 5, 1))
    texts = write_texts([FINALS["twentieth, applies"]] * 4, days, [JOURNAL, day, day])
    held = read(*texts[:2])
    number = [norm.number for norm, _ in held.norms].index("art_1")
    norm, (first, second) = held.norms[number]
    by_then = date(2021, 6, 1)
    wrong = replace(first, in_force_from=by_then, date_precision=DatePrecision.PROVEN)
    norms = (*held.norms[:number], (norm, (wrong, second)), *held.norms[number + 1 :])
    in_turn = go_on(replace(held, norms=norms), read(texts[2], later=True))
    require_same(in_turn, read(*texts[:3]))


def test_a_day_that_is_named_in_words_keeps_the_journal_that_comes_later() -> None:
    texts = write_texts([NAMED] * 4, DAYS["behind all"], [JOURNAL, None, None])
    act = go_on(read(texts[0]), read(texts[1], later=True))
    assert act.statute.published_on == JOURNAL
    assert act.statute.in_force_from == date(2020, 3, 1)


def test_a_corrigendum_that_comes_behind_a_consolidated_text_is_told() -> None:
    texts = write_texts([TWENTIETH] * 4, DAYS["behind all"], [JOURNAL, None, None])
    new = write_corrigendum(date(2022, 1, 1))
    act = go_on(read(*texts[:2]), read(texts[0], new))
    assert act.statute == read(*texts[:2], new).statute

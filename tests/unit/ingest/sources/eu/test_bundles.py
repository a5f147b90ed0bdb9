"""Annexes that are documents of their own belong to their act; what is missing proves nothing."""

import pytest

from fundstelle.corpus.manifest import Rejected
from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.eu.act import ActText
from fundstelle.ingest.sources.eu.bundles import Bundles, join
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from tests.unit.ingest.test_eurlex import FORMEX, JUDGMENT, PAGE

FOLDER = "32019R0005/oj"
ACT = (f"{FOLDER}/L_1DE.000101.fmx.xml", FORMEX)
DECLARATION = (f"{FOLDER}/L_1DE.000901.fmx.xml", "<GENERAL><P>Erklärung</P></GENERAL>")


def write_annex(page: int, label: str, words: str = "Werte.") -> tuple[str, str]:
    text = (
        "<ANNEX><BIB.INSTANCE><LG.DOC>DE</LG.DOC></BIB.INSTANCE>"
        f"<TITLE><TI><P>{label}</P></TI></TITLE><CONTENTS><P>{words}</P></CONTENTS></ANNEX>"
    )
    return f"{FOLDER}/L_1DE.{page:04}01.fmx.xml", text


def write_list(*files: tuple[str, str], name: str = "L_1DE.doc.fmx.xml") -> tuple[str, str]:
    main, *others = (name.rpartition("/")[2] for name, _ in files)
    kinds = {DECLARATION[0].rpartition("/")[2]: "ASSOCIATION"}
    parts = "".join(
        f'<DOC.SUB.PUB NO.SEQ="0001.{number:04}" TYPE="{kinds.get(each, "ANNEX")}">'
        f'<REF.PHYS FILE="{each}" TYPE="DOC.XML"/></DOC.SUB.PUB>'
        for number, each in enumerate(others, start=1)
    )
    main = f'<DOC.MAIN.PUB NO.SEQ="0001"><REF.PHYS FILE="{main}" TYPE="DOC.XML"/></DOC.MAIN.PUB>'
    return f"{FOLDER}/{name}", f"<DOC><FMX>{main}{parts}</FMX></DOC>"


def read(*files: tuple[str, str]) -> tuple[ParsedAct, list[Rejected]]:
    found = list(iter_acts(SourceFile(name, FOLDER, text.encode()) for name, text in files))
    (act,) = [one for one in found if isinstance(one, ParsedAct)]
    return act, [one for one in found if isinstance(one, Rejected)]


def list_annexes(act: ParsedAct) -> dict[str, str]:
    return {
        norm.number: held[0].text
        for norm, held in act.norms
        if norm.number.startswith(("annex", "supplement"))
    }


def tells_gaps(act: ParsedAct) -> bool:
    return any("Nicht alle Teile" in note.text for note in act.statute.stand_notes)


FIRST, SECOND = write_annex(8, "ANHANG I", "Eins."), write_annex(7, "ANHANG II", "Zwei.")


def test_annexes_stand_behind_their_act_in_the_order_of_the_list() -> None:
    act, rejected = read(SECOND, ACT, write_list(ACT, FIRST, SECOND), FIRST)
    assert list_annexes(act) == {"annex_i": "Eins.", "annex_ii": "Zwei."}
    assert [norm.position for norm, _ in act.norms] == list(range(len(act.norms)))
    assert (rejected, act.statute.complete, tells_gaps(act)) == ([], True, False)


def test_without_a_list_they_stand_in_the_order_of_their_names() -> None:
    act, rejected = read(FIRST, SECOND, ACT)
    assert list(list_annexes(act)) == ["annex_ii", "annex_i"]
    assert (rejected, act.statute.complete) == ([], True)


def test_numbers_that_come_twice_are_told_apart_over_all_files() -> None:
    again = write_annex(11, "ANHANG I")
    act, _ = read(ACT, FIRST, again, write_list(ACT, FIRST, again))
    assert list(list_annexes(act)) == ["annex_i", "supplement_anhang-i-anhang-i"]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param([write_list(ACT, FIRST)], id="listed and not there"),
        pytest.param([write_list(ACT, FIRST), (FIRST[0], "<ANNEX>")], id="listed and damaged"),
        pytest.param([(FIRST[0], "<ANNEX>")], id="damaged, no list"),
        pytest.param([(FIRST[0], "<AGR/>")], id="of an unknown kind"),
        pytest.param([FIRST, write_list(ACT)], id="there and not listed"),
    ],
)
def test_what_is_missing_of_an_edition_leaves_it_incomplete(files: list[tuple[str, str]]) -> None:
    act, _ = read(ACT, *files)
    assert list_annexes(act) == {}
    assert not act.statute.complete
    assert tells_gaps(act)


def test_a_declaration_behind_an_act_is_no_part_of_it() -> None:
    act, rejected = read(ACT, FIRST, DECLARATION, write_list(ACT, FIRST, DECLARATION))
    assert [one.name for one in rejected] == [DECLARATION[0]]
    assert act.statute.complete


@pytest.mark.parametrize("is_listed", [True, False])
def test_an_annex_that_an_act_puts_into_another_is_none_of_its_own(*, is_listed: bool) -> None:
    """``Anhang IV wird ersetzt durch:`` calls for a file that is an ``ANNEX``, too."""
    quoted = write_annex(8, "ANHANG IV", "Fremd.")
    call = f'<P><INCL.ELEMENT FILEREF="{quoted[0].rpartition("/")[2]}" TYPE="FORMEX.DOC"/></P>'
    text = FORMEX.replace("<P>Es bezeichnet:</P>", f"<P>Es bezeichnet:</P>{call}")
    act, (rejected,) = read((ACT[0], text), quoted, *([write_list(ACT)] if is_listed else []))
    assert list_annexes(act) == {}
    assert rejected.name == quoted[0]
    assert not act.statute.complete
    assert tells_gaps(act)
    assert any("[Text nicht gelesen]" in texts[-1].text for _, texts in act.norms)


def test_what_lies_beside_another_act_or_in_another_folder_leaves_an_act_complete() -> None:
    elsewhere = ("32019R0006/oj/L_1DE.000801.fmx.xml", FIRST[1])
    other = ("32019R0005/2020-01-01/x.xml", "<ACT>")
    act, rejected = read(ACT, elsewhere, other)
    assert {one.name for one in rejected} == {elsewhere[0], other[0]}
    assert (list_annexes(act), act.statute.complete) == ({}, True)


def test_of_two_acts_in_a_folder_neither_gets_an_annex_that_no_list_names() -> None:
    second = FORMEX.replace("NO.CURRENT>5", "NO.CURRENT>6")
    loose = ("alle/L_1DE.000801.fmx.xml", FIRST[1])
    files = [("alle/a.xml", FORMEX), ("alle/b.xml", second), loose]
    found = list(iter_acts(SourceFile(name, "alle", text.encode()) for name, text in files))
    acts = [one for one in found if isinstance(one, ParsedAct)]
    assert [act.statute.complete for act in acts] == [False, False]
    assert [one.name for one in found if isinstance(one, Rejected)] == [loose[0]]


SECOND_ACT = FORMEX.replace("NO.CURRENT>5", "NO.CURRENT>6")
CONSOLIDATED = FORMEX.replace("<ACT>", "<CONS.ACT><INFO.CONSLEG START.DATE='20200101'/>").replace(
    "</ACT>", "</CONS.ACT>"
)
SCHEMA = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation'


def list_complete(*files: tuple[str, str]) -> dict[str, bool]:
    """By CELEX number; all files lie in one folder."""
    found = iter_acts(SourceFile(f"alle/{name}", "alle", text.encode()) for name, text in files)
    statutes = [one.statute for one in found if isinstance(one, ParsedAct)]
    return {statute.slug: statute.complete for statute in statutes}


@pytest.mark.parametrize(
    "text",
    [
        "<NOTICE><WORK/></NOTICE>",
        JUDGMENT.replace("NO.ECLI", "NO.CASE"),
        "<CORR><BIB.INSTANCE><DATE ISO='x'/></BIB.INSTANCE></CORR>",
        '<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>',
        '<o:x xmlns:o="urn:other"/>',
    ],
)
def test_a_file_that_is_part_of_no_act_leaves_the_act_beside_it_complete(text: str) -> None:
    act, _ = read(ACT, (f"{FOLDER}/y.xml", text))
    assert (act.statute.complete, tells_gaps(act)) == (True, False)


@pytest.mark.parametrize("text", ["<CONS.ANNEX/>", f'<OTHER {SCHEMA}="../formex-05.59.xd"/>'])
def test_formex_that_is_not_known_here_may_be_part_of_the_act_beside_it(text: str) -> None:
    act, _ = read(ACT, (f"{FOLDER}/y.xml", text))
    assert not act.statute.complete


@pytest.mark.parametrize(
    ("beside", "name", "complete"),
    [
        pytest.param([], "y.xml", {"5": False}, id="one act"),
        pytest.param([("b.xml", SECOND_ACT)], "y.xml", {"5": True, "6": True}, id="two acts"),
        pytest.param(
            [("b.xml", SECOND_ACT)], "32019R0006.xml", {"5": True, "6": False}, id="of one of two"
        ),
        pytest.param([("32019R0006.html", PAGE)], "y.xml", {"5": True, "6": True}, id="and a page"),
        pytest.param([("b.xml", CONSOLIDATED)], "y.xml", {"5": True}, id="two editions"),
        pytest.param([("b.xml", CONSOLIDATED)], "32019R0005.xml", {"5": False}, id="of both"),
        pytest.param([], "32019R0005R(01).xml", {"5": True}, id="a corrigendum"),
    ],
)
def test_a_damaged_file_says_something_of_an_act_that_it_can_only_belong_to(
    beside: list[tuple[str, str]], name: str, complete: dict[str, bool]
) -> None:
    found = list_complete(("a.xml", FORMEX), *beside, (name, "<ACT>"))
    assert {celex[-1]: is_whole for celex, is_whole in found.items()} == complete


def test_one_damaged_file_of_a_folder_is_looked_up_and_not_compared_with_every_act() -> None:
    """Each act is passed a fixed number of times, however many files could not be read."""
    passed = 0

    class Text(ActText):
        @property
        def celex(self) -> str:
            nonlocal passed
            passed += 1
            return "32019R0005"

        @celex.setter
        def celex(self, _: str) -> None:
            """It is always the same."""

    def count(files: int) -> int:
        nonlocal passed
        acts = [Text("", "de", "", None, None, None, [], f"alle/{n}.xml") for n in range(20)]
        unread = [f"alle/x{n}.xml" for n in range(files)]
        passed = 0
        assert not list(join(Bundles(list(acts), unread), dict.fromkeys(unread), acts))
        assert all(act.has_gaps for act in acts)
        return passed

    assert count(1) == count(50)

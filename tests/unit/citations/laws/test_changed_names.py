"""Which texts may be read by a name that means another law than before."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.citations.laws.changed_names import ChangedNames, find_changed
from fundstelle.citations.laws.name import LawName
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.text.clean import clean

OLD = LawName("AlphaG", statute_id="de/alphag")
NEW = LawName(
    "Groß-SchG 2",
    aliases=("GSG 1999",),
    long_names=("Gesetz über die große Binnenschiffahrt",),
    statute_id="de/gross-schg-2",
)
CHANGED = find_changed(LawNames([OLD]), LawNames([OLD, NEW]))


def test_names_of_the_same_laws_have_not_changed() -> None:
    assert not find_changed(LawNames([OLD, NEW]), LawNames([OLD, NEW]))
    assert find_changed(LawNames([OLD, NEW]), LawNames([OLD])) == CHANGED


def test_a_name_that_another_law_shares_from_now_on_has_changed() -> None:
    other = LawName("Alpha G", statute_id="de/alpha-g")
    assert find_changed(LawNames([OLD]), LawNames([OLD, other])).names == {"alphag"}


@pytest.mark.parametrize(
    "text",
    [
        "§ 3 Groß-SchG 2",
        "§ 3 GROSS SCHG  2",
        "§ 3 des Groß\u2010SchG\u00a02",
        "§ 3 Groß-\nSchG 2",
        "§ 3 Gro&szlig;-SchG 2",
        "§ 3 Gro<b>ß</b>-SchG 2",
        "§ 3 Gro\u00adß-SchG 2",
        "§ 3 G S G 1999",
        "§ 3 GSG \uff11\uff19\uff19\uff19",
        "§ 3 des Gesetzes über die große Binnenschiffahrt",
        "die Gesetze über die großen Binnenschifffahrten",
        "Gesetz über die große Binnen-\nschiffahrt",
        "https://www.gesetze-im-internet.de/gro%C3%9F-schg_2/__1.html",
    ],
)
def test_a_text_with_a_changed_name_is_found_however_it_is_written(text: str) -> None:
    assert CHANGED.find_in(["Kein Verweis.", text, ""]) == {1}


def test_other_texts_are_passed_over() -> None:
    texts = ["§ 3 AlphaG", "das Gesetz über die Binnenschiffahrt", "großes Sch-G", ""]
    assert CHANGED.find_in(texts) == set()
    assert ChangedNames().find_in(["§ 3 Groß-SchG 2"]) == set()


def test_texts_that_hold_what_stands_between_them_are_all_found() -> None:
    assert CHANGED.find_in(["a\0b", "c"]) == {0, 1}


_GAPS = st.sampled_from(["", " ", "-", ".", ". ", "\n", " - ", "/", "§", "\u2013", "\u00a0", "\t"])


@given(
    st.lists(st.sampled_from(["groß", "GROSS", "Sch", "schg", "G", "2", "1999", "GSG", "x"])),
    st.lists(_GAPS, min_size=12),
)
def test_what_the_registry_reads_as_a_changed_name_is_found(
    pieces: list[str], gaps: list[str]
) -> None:
    text = "".join(part for pair in zip(pieces, gaps, strict=False) for part in pair)
    read = LawNames([OLD, NEW])
    cleaned = clean(text).text
    matches = [read.match(cleaned, pos) for pos in range(len(cleaned))]
    if any(match is not None and NEW in match[1] for match in matches):
        assert CHANGED.find_in([text]) == {0}

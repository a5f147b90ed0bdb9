import pytest

from fundstelle.ingest.text.numbering import read_labels
from fundstelle.law.norms import Level

NR, BU, DB, TB = (
    Level.NUMMER, Level.BUCHSTABE, Level.DOPPELBUCHSTABE, Level.DREIFACHBUCHSTABE,
)  # fmt: skip
ST = Level.SPIEGELSTRICH


@pytest.mark.parametrize(
    ("labels", "above", "expected"),
    [
        (["1.", "2.", "2a.", "3."], None, [(NR, "1"), (NR, "2"), (NR, "2a"), (NR, "3")]),
        (["1)", "2)"], None, [(NR, "1"), (NR, "2")]),
        (["1", "2"], None, [(NR, "1"), (NR, "2")]),
        (["1.1", "1.2.", "1.2a"], None, [(NR, "1.1"), (NR, "1.2"), (NR, "1.2a")]),
        (["a)", "b)", "z)"], NR, [(BU, "a"), (BU, "b"), (BU, "z")]),
        (["a.", "b."], None, [(BU, "a"), (BU, "b")]),
        (["aa)", "bb)"], BU, [(DB, "aa"), (DB, "bb")]),
        (["aaa)", "bbb)"], DB, [(TB, "aaa"), (TB, "bbb")]),
        (["z)", "aa)", "ab)"], NR, [(BU, "z"), (BU, "aa"), (BU, "ab")]),
        (["h)", "i)", "j)"], NR, [(BU, "h"), (BU, "i"), (BU, "j")]),
        (["i)", "ii)", "iv)"], BU, [(DB, "i"), (DB, "ii"), (DB, "iv")]),
        (["i)", "ii)"], None, [(NR, "i"), (NR, "ii")]),
        (["I.", "II.", "IX."], None, [(NR, "I"), (NR, "II"), (NR, "IX")]),
        (["A.", "B.", "C."], None, [(BU, "A"), (BU, "B"), (BU, "C")]),
        (["–", "-", "•", "☐"], NR, [(ST, "1"), (ST, "2"), (ST, "3"), (ST, "4")]),
        (["*)"], None, [None]),
        (["(1)", "(2)"], None, [(Level.ABSATZ, "1"), (Level.ABSATZ, "2")]),
        (["(1)", "(2)"], Level.SATZ, [(NR, "1"), (NR, "2")]),
        (["§ 1.1", "§ 2"], None, [(Level.SECTION, "1.1"), (Level.SECTION, "2")]),
        (["lfd. Nr. 3", "Nr. 4:", "Nummer 5"], None, [(NR, "3"), (NR, "4"), (NR, "5")]),
        (["Teil B", "Abschnitt 2"], None, [(Level.TEIL, "B"), (Level.ABSCHNITT, "2")]),
        (["Spalte 9:", "Kategorie 1:"], None, [(Level.SPALTE, "9"), (Level.KATEGORIE, "1")]),
        (["I.9", "B.1.2", "17 01 01", "D 9"], None,
         [(NR, "I.9"), (NR, "B.1.2"), (NR, "17 01 01"), (NR, "D 9")]),
        (["Farbe:", "1."], None, [None, (NR, "1")]),
        (["„10."], None, [(NR, "10")]),
        ([], None, []),
    ],
)  # fmt: skip
def test_a_label_tells_its_level_by_form_and_place(
    labels: list[str], above: Level | None, expected: list[tuple[Level, str] | None]
) -> None:
    assert read_labels(labels, above) == expected

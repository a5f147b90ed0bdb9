"""The names of a unit: none of another sentence, and none for two."""

from fundstelle.law.norms import Level, Segment
from fundstelle.lookup.addresses import name_anchors
from fundstelle.portal.public.units import name_units
from fundstelle.portal.reading import Block
from tests.unit.lookup.invented import build_library

ABSATZ, SATZ, NUMMER, BUCHSTABE = Level.ABSATZ, Level.SATZ, Level.NUMMER, Level.BUCHSTABE
PARTS = (
    *((ABSATZ, "1", -1), (SATZ, "1", 0), (NUMMER, "1", 1), (SATZ, "2", 0)),
    *((NUMMER, "1", 3), (NUMMER, "2", 3), (SATZ, "1", 5), (BUCHSTABE, "a", 6)),
)


def list_names() -> dict[str, str]:
    """Every further name of a unit, and its anchor."""
    segments = [
        Segment(level, value, at, at, len(PARTS), parent)
        for at, (level, value, parent) in enumerate(PARTS)
    ]
    store = build_library().store
    norm = store.find_norm("de/musterg/1")
    assert norm is not None
    shown = [Block("line", anchor=name) for name in name_anchors(segments)]
    units = name_units(norm, store.statutes[norm.statute_id], segments, shown)
    names = [(alias, anchor) for anchor, unit in units.items() for alias in unit.aliases]
    assert len(names) == len(dict(names))
    return dict(names)


def test_a_unit_is_found_by_each_of_the_sentences_that_it_stands_in() -> None:
    names = list_names()
    inner = "abs-1-nr-2-buchst-a"
    assert names["abs-1-satz-2-nr-2-satz-1-buchst-a"] == inner
    assert names["abs-1-satz-2-nr-2-buchst-a"] == inner
    assert names["abs-1-nr-2-satz-1-buchst-a"] == inner
    assert names["abs-1-satz-1-nr-1"] == "abs-1-nr-1"


def test_no_unit_is_found_by_a_sentence_that_it_does_not_stand_in() -> None:
    assert "abs-1-satz-1-nr-2" not in list_names()
    assert "abs-1-satz-1-nr-2-buchst-a" not in list_names()

"""Anchors of the parts of a text: stable, and no two the same."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from fundstelle.law.norms import Level, Segment
from fundstelle.lookup.addresses import decision_path, name_anchors, name_passage, norm_path

LEVELS = (Level.ABSATZ, Level.SATZ, Level.NUMMER, Level.BUCHSTABE)


@st.composite
def list_parts(draw: st.DrawFn) -> list[Segment]:
    """Parts of any text, parents before children, values that repeat."""
    parts: list[Segment] = []
    for at in range(draw(st.integers(0, 25))):
        parent = draw(st.integers(-1, at - 1))
        value = draw(st.sampled_from(["1", "2", "2a", "a", "1 bis 3", "§ 4"]))
        parts.append(Segment(draw(st.sampled_from(LEVELS)), value, at, 100, at, parent))
    return parts


@given(list_parts())
def test_no_two_parts_have_the_same_anchor_and_what_follows_changes_none(
    parts: list[Segment],
) -> None:
    names = name_anchors(parts)

    assert len(set(names)) == len(names) == len(parts)
    assert all(name and " " not in name and len(name) <= 210 for name in names)
    for at in range(len(parts)):
        assert name_anchors(parts[: at + 1])[-1] == names[at]


def test_pages_of_norms_days_and_decisions() -> None:
    assert norm_path("de/sgb-v/5") == "/n/de/sgb-v/5"
    assert norm_path("eu/32016R0679:en/art_6") == "/n/eu/32016R0679%3Aen/art_6"
    assert norm_path("de/bgb/1", date(2025, 3, 31)) == "/n/de/bgb/1?as_of=2025-03-31"
    assert decision_path("ECLI:DE:BGH:2020:X") == "/d/ECLI:DE:BGH:2020:X"
    assert name_passage("12 a") == "rn-12_a"

"""Dense texts cost no more than they must: each place is read once. And the Länder behind names."""

from itertools import product

import pytest

from fundstelle.citations.find import find
from fundstelle.citations.laws import of_land
from fundstelle.citations.laws.suffix import LawReader
from fundstelle.law.lands import LANDS, SHORT_NAMES


@pytest.mark.parametrize("text", ["AO ", "AO\u00a0", "GG, ", "BGB\n", "„§ 1 AO“ AO ", "SGB X; "])
def test_the_name_of_a_law_is_read_once_at_each_place(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[int] = []
    read = LawReader._read_name

    def read_and_note(self: LawReader, pos: int) -> object:
        places.append(pos)
        return read(self, pos)

    monkeypatch.setattr(LawReader, "_read_name", read_and_note)
    find(text * 40)
    assert len(places) >= 40
    assert len(places) == len(set(places))


FULL = [land.name for land in LANDS]
BEHIND = [
    *(f"{sign}{land}" for sign, land in product((" ", "-", "/", " - ", "\n"), FULL)),
    *(f"{sign}{land}" for sign, land in product((" ", "-", "/", " - "), SHORT_NAMES)),
    *(f" ({land})" for land in SHORT_NAMES),
    *(f" [{land}]" for land in SHORT_NAMES),
    *(f" {word} Land {land}" for word, land in product(("für das", "des"), FULL)),
    *(f" {word} {land}" for word, land in product(("für", "von"), FULL)),
    *(" Freistaat Bayern", " des Landes Hessen", " Freie und Hansestadt Hamburg", " Rh.-Pf."),
]


@pytest.mark.parametrize("behind", BEHIND)
def test_each_land_is_seen_behind_a_name(behind: str) -> None:
    match = of_land.BEHIND.match(f"VwVfG{behind}, so", len("VwVfG"))
    assert match is not None
    assert match[0].rstrip(".") == behind.rstrip(".")


@pytest.mark.parametrize("land", LANDS, ids=lambda land: land.code)
def test_each_land_is_seen_before_a_name(land: object) -> None:
    assert isinstance(land, type(LANDS[0]))
    adjectives = [f"{one}es" for one in land.adjectives if one.endswith("sch")]
    plain = [one for one in land.adjectives if not one.endswith("sch")]
    for before in (*(f"{one} " for one in (*adjectives, *plain)), *land.short_names):
        text = f"nach {before}{'' if before.endswith(' ') else '-'}IFG"
        assert of_land.find_before(text, 0, len(text) - 3) == 5, before
    for short in land.short_names:
        text = f"nach {short}. IFG"
        assert of_land.find_before(text, 0, len(text) - 3) == 5, short

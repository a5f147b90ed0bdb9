"""A law of the Federation that bears the name of an EU act which is not held."""

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.lookup.answers import LawHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

LAW = build_statute("GGV", "Gerüstgüteverordnung")
NORM = build_norm(LAW, "§ 6")
STORE = InventedStore([LAW], [(NORM, [build_fassung(NORM, "Gerüste stehen.")])])
LIBRARY = Library(STORE, InventedIndex(STORE), LawNames.build([LAW]))


def test_a_bare_name_is_the_law_that_is_held() -> None:
    [hit] = resolve(LIBRARY, "GGV", TODAY).outcomes

    assert isinstance(hit, LawHit)
    assert hit.statute is LAW


@pytest.mark.parametrize("written", ["GGVO", "Art. 3 GGV"])
def test_what_only_the_act_is_called_or_has_is_not_of_the_law(written: str) -> None:
    [miss] = resolve(LIBRARY, written, TODAY).misses

    assert miss.status == "outside_coverage"  # no EU act is held there

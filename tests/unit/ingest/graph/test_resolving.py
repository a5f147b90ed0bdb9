"""Units of EU acts that citations mean, by the ids of a build."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from fundstelle.ingest.graph.resolving import Resolver
from fundstelle.law.citations import EuCitation

IDS = ("eu/31993L0013/art_3", "eu/31993L0013/annex")


def build_resolver() -> Resolver:
    act: Any = SimpleNamespace(statute_id="eu/31993L0013", abbreviation="Klausel-RL")
    store = SimpleNamespace(
        statutes={act.statute_id: act},
        iter_ids=lambda: enumerate(IDS),
        iter_ranges=lambda: (),
    )
    return Resolver(cast("Any", store))


@pytest.mark.parametrize(
    ("unit", "number", "ordinal"),
    [("Art", "3", 0), ("Anhang", None, 1), (None, None, -1), ("Art", "9", None)],
)
def test_an_annex_without_a_number_is_the_only_one(
    unit: str | None, number: str | None, ordinal: int | None
) -> None:
    cited = EuCitation("31993L0013", "Klausel-RL", unit, number)

    assert build_resolver().resolve_eu(cited) == [ordinal]

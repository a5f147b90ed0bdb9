"""Units of EU acts that citations mean, by the ids of a build."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from fundstelle.ingest.graph.resolving import Resolver
from fundstelle.law.citations import EuCitation, PathStep
from fundstelle.law.norms import Level
from tests.unit.lookup.marked import read_marked

IDS = ("eu/31993L0013/art_3", "eu/31993L0013/annex", "eu/31993L0013/art_4")
TEXTS = {
    IDS[0]: "{uabs 1|Muster sind blau.}\n{uabs 2|Proben sind rot.}",
    IDS[2]: "{abs 1|(1) Muster sind blau.}\n{abs 2|(2) Proben sind rot.}",
}


def build_resolver() -> Resolver:
    act: Any = SimpleNamespace(statute_id="eu/31993L0013", abbreviation="Klausel-RL")
    store = SimpleNamespace(
        statutes={act.statute_id: act},
        iter_ids=lambda: enumerate(IDS),
        iter_ranges=lambda: (),
        get_norms_by_ordinal=lambda ordinals: [SimpleNamespace(norm_id=IDS[at]) for at in ordinals],
        find_fassung=lambda norm_id: SimpleNamespace(segments=read_marked(TEXTS[norm_id])[1]),
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


@pytest.mark.parametrize(("article", "path"), [("3", "uabs=2"), ("4", "abs=2")])
def test_paragraphs_without_numbers_are_cited_as_the_parts_that_they_are(
    article: str, path: str
) -> None:
    absatz = PathStep(Level.ABSATZ, "2")
    cited = EuCitation("31993L0013", "Klausel-RL", "Art", article, path=(absatz,))

    assert [unit.path for unit in build_resolver().resolve_units(cited)] == [path]

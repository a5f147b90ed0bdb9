from dataclasses import replace

import pytest

from fundstelle.law.norms import Norm, NormKind, Statute
from fundstelle.lookup.reading.numbers import find_numbered
from tests.unit.lookup.invented import InventedStore, build_norm, build_statute

BOTH = build_statute("MantelG", "Mantelgesetz")
ROMAN = build_statute("RomG", "Römisches Gesetz")
ONE = build_statute("EinG", "Gesetz mit einer Anlage")
ANNEXED = build_statute("AnhG", "Gesetz mit Anhängen")
LONE = build_statute("AlleinG", "Gesetz mit einem Anhang")


def _rename(norm: Norm, number: str) -> Norm:
    return replace(norm, number=number, norm_id=f"{norm.statute_id}/{number}")


def _build() -> InventedStore:
    heading = replace(_rename(build_norm(BOTH, "Art 4"), "4"), kind=NormKind.HEADING)
    norms = [
        build_norm(BOTH, "Art 1"),
        build_norm(BOTH, "Art 2"),
        heading,
        _rename(build_norm(BOTH, "§ 1"), "par-1"),
        build_norm(BOTH, "§ 3"),
        _rename(build_norm(BOTH, "§ 4"), "4~2"),
        _rename(build_norm(ROMAN, "Art IV"), "iv"),
        build_norm(ROMAN, "Anlage II"),
        build_norm(ONE, "§ 1"),
        build_norm(ONE, "Anlage 1"),
        _annex(ANNEXED, "anhang-1"),
        _annex(ANNEXED, "anhang-ii"),
        _annex(ANNEXED, "anlage-3-8", "8"),
        _annex(LONE, "anhang"),
    ]
    laws = [BOTH, ONE, ROMAN, ANNEXED, LONE]
    return InventedStore(laws, [(norm, ()) for norm in norms])


def _annex(law: Statute, number: str, number_end: str | None = None) -> Norm:
    norm = _rename(build_norm(law, "Anlage 1"), number)
    return replace(norm, number_end=number_end)


STORE = _build()


@pytest.mark.parametrize(
    ("law", "unit", "number", "found"),
    [
        ("mantelg", "Art", "1", "de/mantelg/1"),
        ("mantelg", "§", "1", "de/mantelg/par-1"),
        ("mantelg", "§", "2", None),  # there is an Art. 2, but § 2 is another thing
        ("mantelg", "Art", "3", None),
        ("mantelg", None, "2", "de/mantelg/2"),
        ("mantelg", "§", "4", "de/mantelg/4"),  # a heading; its namesake 4~2 is the §
        ("eing", "Art", "1", "de/eing/1"),  # only §§: the sign was a slip
        ("romg", "Art", "4", "de/romg/iv"),
        ("romg", "Art", "5", None),
        ("romg", "Anlage", "anlage-2", "de/romg/anlage-ii"),
        ("romg", "Anlage", "anlage-1", None),
        ("eing", "Anlage", "anlage", "de/eing/anlage-1"),
        ("eing", "Anlage", "anlage-2", None),
        ("anhg", "Anlage", "anlage-1", "de/anhg/anhang-1"),
        ("anhg", "Anlage", "anlage-2", "de/anhg/anhang-ii"),
        ("anhg", "Anlage", "anlage-5", "de/anhg/anlage-3-8"),
        ("anhg", "Anlage", "anlage-9", None),
        ("alleing", "Anlage", "anlage", "de/alleing/anhang"),
        ("alleing", "Anlage", "anlage-1", "de/alleing/anhang"),
        ("alleing", "Anlage", "anlage-2", None),
    ],
)
def test_a_number_leads_to_the_norm_that_bears_it(
    law: str, unit: str | None, number: str, found: str | None
) -> None:
    norm = find_numbered(STORE, f"de/{law}", number, unit)
    assert (norm and norm.norm_id) == found

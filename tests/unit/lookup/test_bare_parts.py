"""A part of which the publisher prints nothing but the number: what stood in it is not denied."""

from dataclasses import replace

import pytest

from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
)


@pytest.fixture
def library() -> Library:
    """§ 11 MusterG, whose second Absatz is a number alone."""
    plain = build_library()
    assert isinstance(plain.store, InventedStore)
    norm = build_norm(plain.store.statutes["de/musterg"], "§ 11")
    held = build_fassung(norm, "{abs 1|(1) {satz 1|Hämmer.}}\n{abs 2|(2)}\n{abs 3|(3) Sägen.}")
    segments = tuple(
        replace(one, body=one.end) if one.value == "2" else one for one in held.segments
    )
    held = replace(held, segments=segments)
    store = InventedStore(plain.store.laws, [*plain.store.contents, (norm, [held])])
    return Library(store, InventedIndex(store), plain.names)


@pytest.mark.parametrize("path", ["Abs. 2 Satz 2", "Abs. 2 Nr. 1"])
def test_what_is_below_a_number_alone_is_not_held(library: Library, path: str) -> None:
    (miss,) = resolve(library, f"§ 11 {path} MusterG", TODAY).outcomes
    assert isinstance(miss, Miss)
    assert miss.status == "not_in_corpus"
    assert "the number of § 11 Abs. 2 MusterG alone" in miss.reason


def test_a_number_alone_is_given_and_it_is_said(library: Library) -> None:
    (hit,) = resolve(library, "§ 11 Abs. 2 MusterG", TODAY).outcomes
    assert isinstance(hit, ProvisionHit)
    assert hit.warnings[-1] == "The publisher shows the number of § 11 Abs. 2 MusterG alone."


def test_other_parts_are_denied_as_before(library: Library) -> None:
    (miss,) = resolve(library, "§ 11 Abs. 1 Satz 2 MusterG", TODAY).outcomes
    assert isinstance(miss, Miss)
    assert miss.status == "subunit_does_not_exist"

"""What took the place of something that is no more is named, with who says so."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus.store import Reference
from fundstelle.law.norms import NormStatus, StandNote
from fundstelle.lookup.answers import Miss, Successor
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.successors import list_successors
from tests.unit.lookup.invented import (
    STAND,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)

ENDED = "Altes Mustergesetz"


def build_with(text: str, notes: Sequence[StandNote] = ()) -> Library:
    """The invented laws; § 4 MusterG has that text, in which the former AltMG is cited."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    norm_id = "de/musterg/4"
    store.fassungen[norm_id] = (replace(store.fassungen[norm_id][0], text=text),)
    start = text.find(ENDED)
    end = start + len(ENDED)
    store.references = [Reference(norm_id, "de/altmg", "", ENDED, start, end)]
    old = replace(store.statutes["de/altmg"], stand_notes=tuple(notes))
    store.statutes = {**store.statutes, "de/altmg": old}
    return library


def name_heirs(library: Library) -> list[tuple[str, str]]:
    old = library.store.statutes["de/altmg"]
    norm = library.store.find_norm("de/altmg/1")
    return [(each.norm_id, each.basis) for each in list_successors(library, old, norm)]


@pytest.mark.parametrize(
    "text",
    [
        f"Dies gilt ab 1. Mai. Gleichzeitig tritt das {ENDED} vom 2. Mai 2001 außer Kraft.",
        f"Mit Ablauf des 3. Mai tritt das {ENDED} außer Kraft.",
    ],
)
def test_the_law_whose_text_ends_a_law_took_its_place(text: str) -> None:
    assert name_heirs(build_with(text)) == [("de/musterg", "text")]


@pytest.mark.parametrize(
    "text",
    [
        f"§ 2 tritt am Tag der Verkündung des {ENDED}es außer Kraft.",
        f"Das {ENDED} bleibt unberührt. § 2 tritt außer Kraft.",
        f"Dies tritt in Kraft, wenn das {ENDED} gilt. Anderes tritt außer Kraft.",
    ],
)
def test_a_law_that_only_names_a_former_one_did_not_take_its_place(text: str) -> None:
    assert name_heirs(build_with(text)) == []


def test_what_the_publisher_says_goes_first() -> None:
    note = StandNote("Sonst", "G ersetzt durch G 12-3 v. 1.2.2003 I Nr. 4 (GrundMG)")
    library = build_with(f"Gleichzeitig tritt das {ENDED} außer Kraft.", [note])

    assert name_heirs(library)[0] == ("de/grundmg", "publisher")


def test_of_a_law_that_is_listed_nothing_took_the_place() -> None:
    library = build_library()

    assert list_successors(library, library.store.statutes["de/musterg"]) == ()


def build_with_table() -> Library:
    """GmbHG without its § 64, and InsO: what the table of single provisions speaks of."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    laws = {each: build_statute(each, f"Gesetz {each}") for each in ("GmbHG", "InsO", "VVG")}
    for name, number, status in (
        ("GmbHG", "64", NormStatus.REPEALED),
        ("InsO", "15b", NormStatus.IN_FORCE),
        ("VVG", "81", NormStatus.IN_FORCE),
    ):
        norm = replace(build_norm(laws[name], f"§ {number}"), status=status)
        store.norms.append(norm)
        store.fassungen[norm.norm_id] = (replace(build_fassung(norm, "Muster."), status=status),)
    store.statutes = {**store.statutes, **{law.statute_id: law for law in laws.values()}}
    return replace(library, names=LawNames.build(store.statutes.values()))


@pytest.mark.parametrize(
    ("written", "status", "norm_id"),
    [
        ("§ 64 GmbHG", "repealed", "de/inso/15b"),
        ("§ 61 VVG 1908", "not_in_corpus", "de/vvg/81"),  # an edition before the law held
        ("§ 9 VVG 1908", "not_in_corpus", "de/vvg"),  # which provision is not known
        ("§ 81 VVG a.F.", "repealed", "de/vvg"),
    ],
)
def test_the_table_names_what_took_the_place_of_single_provisions(
    written: str, status: str, norm_id: str
) -> None:
    miss = resolve(build_with_table(), written, STAND).outcomes[0]

    assert isinstance(miss, Miss)
    assert miss.status == status
    assert [each.norm_id for each in miss.successors] == [norm_id]
    assert {each.basis for each in miss.successors} == {"table"}


def test_what_is_not_held_is_not_named_as_a_successor() -> None:
    library = build_with_table()
    store = library.store
    assert isinstance(store, InventedStore)
    store.norms = [norm for norm in store.norms if norm.norm_id != "de/inso/15b"]
    miss = resolve(library, "§ 64 GmbHG", STAND).outcomes[0]

    assert isinstance(miss, Miss)
    assert miss.successors == ()


def test_an_earlier_law_of_a_name_is_not_the_law_of_today() -> None:
    miss = resolve(build_with_table(), "VVG a. F.", STAND).outcomes[0]

    assert isinstance(miss, Miss)
    assert miss.status == "repealed"
    assert miss.successors == (Successor("VVG", "de/vvg", "table"),)


def test_a_provision_that_has_another_number_now_names_it() -> None:
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    norm = store.find_norm("de/musterg/4a")
    assert norm is not None
    moved = replace(norm, title="(jetzt § 4)")

    found = list_successors(library, store.statutes["de/musterg"], moved)
    assert found == (Successor("§ 4 MusterG", "de/musterg/4", "publisher"),)

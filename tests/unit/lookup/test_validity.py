"""What the publisher's notes say of a text is said of it in every answer."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from fundstelle.law.corrigenda import format_announced, format_correction
from fundstelle.law.norms import NormStatus, StandNote
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.validity.notes import (
    Validity,
    find_status,
    find_validity,
    find_validity_of_hit,
)
from tests.unit.lookup.invented import STAND, InventedStore, build_library

NEW_WORDS = "Es gilt Absatz 3 hier."
JUDGED = "gem. BVerfGE v. 3.4.2019 I 99 - 1 BvR 1/18 -"


def judge(*notes: str, text: str | None = None, stand: Sequence[StandNote] = ()) -> Validity:
    library = build_library()
    return _judge(library, notes, text, stand)


def _judge(
    library: Library, notes: Sequence[str], text: str | None, stand: Sequence[StandNote]
) -> Validity:
    hit = resolve(library, "§ 4 MusterG", STAND).hits[0]
    assert isinstance(hit, ProvisionHit)
    words = hit.text if text is None else text
    statute = replace(hit.statute, stand_notes=tuple(stand))
    return find_validity(library, statute, replace(hit.fassung, notes=tuple(notes), text=words))


@pytest.mark.parametrize(
    ("note", "status", "kind"),
    [
        (f"§ 4: Nach Maßgabe mit GG unvereinbar und nichtig {JUDGED}", "void", "void"),
        (f"§ 4: IdF d. Art. 1 G v. 1.2.2003 I 4; nichtig {JUDGED}", "void", "void"),
        (f"§ 4 Abs. 2: Mit GG unvereinbar u. nichtig {JUDGED}", "partly_void", "void"),
        (f"§ 4: Nichtig, soweit er Leim betrifft, {JUDGED}", "partly_void", "void"),
        (f"§ 4: Mit Art. 3 GG unvereinbar {JUDGED}", "incompatible", "incompatible"),
        (
            f"§ 4 Abs. 1 u. 2: Mit Art. 3 GG unvereinbar {JUDGED}",
            "partly_incompatible",
            "incompatible",
        ),
        (
            f"§ 4: Mit GG unvereinbar {JUDGED}. Zur Umsetzung der Anforderungen vgl. G v. 1.1.2020",
            "in_force",
            "applicability",
        ),
        (f"§ 4: Änd. durch G v. 1.2.1981 I 5 {JUDGED} nichtig", "in_force", "applicability"),
        (
            "(+++ § 4: Zur Anwendung vgl. § 9 +++) (+++ Textnachweis ab: 1.1.2000 +++)",
            "in_force",
            "applicability",
        ),
    ],
)
def test_a_note_of_the_constitutional_court_is_the_status(
    note: str, status: str, kind: str
) -> None:
    validity = judge(note)

    assert validity.status == status
    assert [each.kind for each in validity.notes] == [kind]


@pytest.mark.parametrize(
    ("place", "unit", "status", "about"),
    [
        ("Abs. 1 Satz 1 Nr. 1", "Abs. 1 Nr. 1", "void", "this_text"),
        ("Abs. 1 Nr. 2", "Abs. 1 Nr. 2 Buchst. a", "void", "this_text"),
        ("Abs. 1 Nr. 1", "Abs. 1", "partly_void", "part_of_this_text"),
        ("Abs. 1 Nr. 1", "", "partly_void", "part_of_this_text"),
        ("Abs. 1 Nr. 1", "Abs. 1 Nr. 2", "in_force", "other_part"),
        ("Abs. 1 Nr. 1", "Abs. 2", "in_force", "other_part"),
        ("Abs. 1 Nr. 1 iVm Abs. 2", "Abs. 2", "partly_void", "this_text"),
        ("Abs. 1 Nr. 1 Variante 2", "Abs. 1 Nr. 1", "partly_void", "part_of_this_text"),
        # no such part is there today; it is none that bears another number
        ("Abs. 1 Nr. 7", "Abs. 1 Satz 1", "partly_void", "unknown_part"),
        ("Abs. 1 Nr. 7", "Abs. 1 Nr. 2", "in_force", "other_part"),
        ("Abs. 1 Randspalte", "Abs. 2", "partly_void", "unknown_part"),
        ("Abs. 1 Nr. 1 idF v. 26.7.1957", "Abs. 1 Nr. 1", "partly_void", "named_fassung"),
        ("Abs. 1 Nr. 1 idF v. 26.7.1957", "Abs. 2", "in_force", "other_part"),
        ("Abs. 1 Nr. 1 idF v. 26.7.2019", "Abs. 1 Nr. 1", "void", "this_text"),
    ],
)
def test_what_was_declared_of_a_part_is_said_of_that_part_alone(
    place: str, unit: str, status: str, about: str
) -> None:
    library = build_library()
    hit = resolve(library, f"§ 2 {unit} MusterG", STAND).hits[0]
    assert isinstance(hit, ProvisionHit)
    anew = StandNote("Neuf", "Neugefasst durch Bek. v. 8.10.2009 I 3366")
    noted = replace(
        hit,
        statute=replace(hit.statute, stand_notes=(anew,)),
        fassung=replace(
            hit.fassung, notes=(f"§ 2 {place}: Mit GG unvereinbar u. nichtig {JUDGED}",)
        ),
    )

    validity = find_validity_of_hit(library, noted)
    assert validity.status == status
    assert [(each.about, each.parts) for each in validity.notes] == [(about, place)]
    assert validity.notes[0].kind == ("applicability" if status == "in_force" else "void")


def test_what_a_law_names_as_judged_among_its_notes_is_said_of_all_of_it() -> None:
    text = f"Nach Maßgabe der Entscheidungsformel mit GG unvereinbar {JUDGED}"

    assert judge(stand=[StandNote("Sonst", text)]).status is NormStatus.INCOMPATIBLE
    changed = StandNote("Sonst", f"Änderung durch G v. 1.2.2018 I 5 ist {JUDGED} nichtig")
    assert judge(stand=[changed]).status is NormStatus.IN_FORCE


def test_what_was_found_compatible_is_in_force() -> None:
    validity = judge(f"§ 4: Mit dem GG vereinbar {JUDGED}", "(Fundstelle: BGBl. I 2001, 2)")

    assert validity.status is NormStatus.IN_FORCE
    assert not validity.notes


def test_each_clause_of_a_note_is_read_alone() -> None:
    note = f"§ 4 Abs. 1: Mit GG vereinbar {JUDGED} § 4 Abs. 2: Mit GG unvereinbar {JUDGED}"
    validity = judge(note)

    assert [each.text for each in validity.notes] == [f"§ 4 Abs. 2: Mit GG unvereinbar {JUDGED}"]


def test_a_change_that_the_text_lacks_makes_it_not_current() -> None:
    text = "Änderung durch Art. 2 G v. 1.2.2026 I Nr. 3 noch nicht berücksichtigt"
    validity = judge(stand=[StandNote("Hinweis", text)])

    assert [(note.kind, note.text) for note in validity.notes] == [("pending_change", text)]
    assert not validity.is_current
    assert judge(stand=[StandNote("Sonst", "Änderung ist berücksichtigt")]).is_current


def test_an_annex_without_text_says_why() -> None:
    note = "(Inhalt: nicht darstellbares Muster, Fundstelle: BGBl. I 2001, 2)"

    assert [each.kind for each in judge(note, text="").notes] == ["not_displayed"]
    assert not judge(note).notes


def test_what_is_said_of_the_whole_law_is_said_of_its_provisions() -> None:
    library = build_library()
    library.head_notes["de/musterg"] = (f"Das G ist mit GG unvereinbar u. nichtig {JUDGED}",)

    assert _judge(library, (), None, ()).status is NormStatus.VOID


def test_a_law_that_is_no_longer_listed_does_not_read_in_force() -> None:
    library = build_library()
    hit = resolve(library, "§ 1 AltMG", STAND).hits[0]
    assert isinstance(hit, ProvisionHit)
    assert isinstance(library.store, InventedStore)

    validity = find_validity(library, hit.statute, hit.fassung)
    assert (validity.status, validity.is_current) == (NormStatus.REMOVED, False)


def test_a_hit_has_the_status_that_its_notes_give_it() -> None:
    library = build_library()
    hit = resolve(library, "§ 4 MusterG", STAND).hits[0]
    assert isinstance(hit, ProvisionHit)

    note = f"§ 4: Mit GG unvereinbar und nichtig {JUDGED}"
    status = find_status(library, hit.statute, NormStatus.IN_FORCE, (note,))
    assert status is NormStatus.VOID
    assert find_status(library, hit.statute, NormStatus.REPEALED, (note,)) is NormStatus.REPEALED


def test_a_corrigendum_that_was_applied_is_named_with_the_words_that_differ() -> None:
    note = format_correction("R(01)", None, "Artikel 4", "Es gilt Absatz 1b hier.", NEW_WORDS)
    (said,) = judge(note).notes

    assert said.kind == "corrigendum"
    assert said.text.endswith(": anstatt „gilt Absatz 1b“ muss es heißen „gilt Absatz 3“")


def test_a_corrigendum_that_is_only_announced_is_named_too() -> None:
    whole = StandNote("Sonst", format_announced("R(01)", "ABl. L 3, 2019, S. 8"))
    elsewhere = StandNote("Sonst", format_announced("R(02)", None, place="Artikel 9"))
    here = format_announced("R(03)", None, place="Artikel 4")

    said = [note.text for note in judge(here, stand=[whole, elsewhere]).notes]
    assert sorted(said) == sorted([whole.text, here])

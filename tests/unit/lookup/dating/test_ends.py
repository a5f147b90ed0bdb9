"""From the day on which a law ends, by its publisher's note or its own words, nothing is sure."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

import pytest

from fundstelle.law.norms import ENDED, StandNote
from fundstelle.lookup.answers import LawHit, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.validity.notes import find_validity_of_hit, is_law_current
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.portal.reasons import tell
from tests.unit.lookup.invented import (
    STAND,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)

LIBRARY = build_library()
END = date(2026, 7, 14)
EXCEPTED = (
    "G aufgeh. durch Art. 10 Satz 1 G v. 3.9.2025 mWv 7.10.2025 mit Ausnahme des § 17 Abs. 6,"
    " dieser tritt gem. Art. 10 Satz 2 mWv 14.7.2026 außer Kraft"
)
PROLONGED = (
    "Die V tritt gem. § 2 am 1.8.2023 außer Kraft; die Geltung der V ist gem. § 2 idF d. Art. 1 V"
    " v. 26.6.2023 über den 1.8.2023 hinaus bis zum 13.7.2026 verlängert worden"
)
AGAIN = (
    "Die Geltung der V ist durch § 3 über den 31.3.2022 hinaus bis zum 31.3.2023 u. durch § 3 idF"
    " d. Art. 1 V v. 29.3.2023 I Nr. 91 über den 31.3.2023 hinaus verlängert worden"
)
OWN = "Diese Verordnung tritt am 14. Juli 2026 außer Kraft."
NEXT = (
    "(1) Diese Verordnung tritt am 1. Mai 2025 in Kraft.\n"
    "(2) Sie tritt mit Ablauf des 13. Juli 2026 außer Kraft."
)
BOTH = OWN.replace("tritt", "tritt am Tag nach der Verkündung in Kraft und")
OTHER = (
    "Diese Verordnung tritt am 1. Mai 2025 in Kraft; gleichzeitig tritt die Verordnung vom 1. Mai"
    " 2010 am 14. Juli 2026 außer Kraft."
)


def build(*notes: str, own: str = "Drei.", kind: str = "Aufh") -> Library:
    """A law of two sections, with notes, whose last has these words."""
    said = tuple(StandNote(kind, note) for note in notes)
    law = replace(build_statute("XgV", "Verordnung"), stand_notes=said)
    first, last = build_norm(law, "§ 1"), build_norm(law, "§ 2")
    texts = [
        (first, [build_fassung(first, "{abs 1|(1) Eins.}\n{abs 2|(2) Zwei.}")]),
        (last, [build_fassung(last, own)]),
    ]
    store = InventedStore([law], texts)
    names = LIBRARY.names.build(store.statutes.values())
    return replace(LIBRARY, store=store, index=InventedIndex(store), names=names)


def ask(library: Library, on: date, written: str = "§ 1 XgV") -> str:
    """The verdict; it is unclear with its reason among the warnings, in both languages."""
    resolution = resolve(library, written, on)
    [hit] = resolution.outcomes
    assert isinstance(hit, LawHit | ProvisionHit)
    found = judge(library, resolution)
    if found.verdict == "unclear":
        assert found.why in hit.warnings
        assert tell(found.why, "de").language == "de"
    else:
        assert not any("still applied" in each for each in hit.warnings)
    return found.verdict


@pytest.mark.parametrize(
    ("notes", "first"),
    [
        (("V aufgeh. durch § 8 dieser V idF v. 24.11.2025 mWv 14.7.2026",), END),
        (("V aufgeh. durch Art. 2 V v. 6.3.2026 I Nr. 72 mit Ablauf d. 13.7.2026",), END),
        (("Die V tritt gem. § 2 am 14.7.2026 außer Kraft",), END),
        (("Die V tritt gem. § 20 dieser V mit Ablauf des 13. Juli 2026 außer Kraft.",), END),
        (("Aufgeh. durch Art. 42 G v. 16.12.2025 I 2294 mWv 14.7.2026",), END),
        (("Das G tritt gem. § 5 am 14.7.2026 außer Kraft",), END),
        ((EXCEPTED,), END),
        ((PROLONGED,), END),
        (
            (
                "V aufgeh. durch § 9 mWv 1.2.2026",
                "Die Geltung dieser V ist über den 31.1.2026 hinaus bis zum 13.7.2026 verlängert",
            ),
            END,
        ),
        (("V aufgeh. durch § 6 dieser V mWv 1.4.2026",), date(2026, 4, 1)),  # and still listed
    ],
)
def test_from_the_day_of_the_note_on_it_is_unclear(notes: Sequence[str], first: date) -> None:
    for kind in ("Aufh", "Sonst"):
        library = build(*notes, kind=kind)
        for written in ("§ 1 XgV", "§ 1 Abs. 2 XgV", "§§ 1, 2 XgV"):
            assert ask_all(library, first - timedelta(days=1), written) == "ok"
            assert ask_all(library, first, written) == "unclear"
        assert ask(library, first - timedelta(days=1), "XgV") == "ok"
        assert ask(library, first + timedelta(days=400), "XgV") == "unclear"


def ask_all(library: Library, on: date, written: str) -> str:
    return judge(library, resolve(library, written, on)).verdict


@pytest.mark.parametrize(
    "notes",
    [
        ("V aufgeh. mit Ausnahme des § 2 durch Art. 22 Nr. 1 G 63-19 v. 22.12.1983 mWv 1.1.1984",),
        ("G aufgeh. durch § 141 Nr. 5 G v. 9.9.1965 mWv 1.1.1966, soweit es nicht Bilder meint",),
        ("§§ 1 bis 47 u. §§ 62 bis 74 aufgeh. durch Art. 3 G v. 19.10.1994 I 2978 mWv 1.11.1994",),
        ("AnO für Strom u. Gas aufgeh. durch § 9 Satz 2 V v. 9.1.1992 I 12 mWv 1.1.1992",),
        ("Die V tritt gem. Art. 3 an dem Tag außer Kraft, an dem die Vereinbarung am 1.1.2020",),
        ("V ist gem. Art. 3 am 22.10.2013 in Kraft getreten. Sie tritt an dem Tag außer Kraft",),
        ("V aufgeh. durch § 2 mWv 1.8.2016; die Geltung ist über den 31.7.2016 hinaus verlängert",),
        ("V aufgeh. durch § 2 mWv 1.2.2020", "Die Geltung der V ist durch § 2 verlängert worden"),
        ("Die V tritt gem. § 3 dieser V mit Ablauf des 31.12.2031 außer Kraft",),
        ("V aufgeh. durch § 5 Abs. 4 mWv 26.11.2021, dadurch gilt § 13 über den 25.11.2021 fort",),
        (AGAIN,),
        ("V aufgeh. durch § 5 mWv 31.2.2021",),
        ("Ersetzt durch V v. 8.7.2025 I Nr. 157, die am 1.1.2026 in Kraft tritt",),
    ],
)
def test_the_end_of_a_part_and_one_that_was_put_off_say_nothing(notes: Sequence[str]) -> None:
    assert ask(build(*notes), date(2026, 11, 28)) == "ok"


@pytest.mark.parametrize(
    ("own", "verdict"),
    [
        (OWN, "unclear"),
        (NEXT, "unclear"),
        (BOTH, "unclear"),
        (OTHER, "ok"),
        ("Diese Verordnung tritt mit Ausnahme des § 1 am 14. Juli 2026 außer Kraft.", "ok"),
        ("Dieses Gesetz tritt am 31. Dezember 1948 außer Kraft.", "ok"),  # and was seen since
        ("§ 1 tritt am 14. Juli 2026 außer Kraft.", "ok"),
    ],
)
def test_its_own_words_end_it_where_no_look_shows_it_since(own: str, verdict: str) -> None:
    library = build(own=own)

    assert STAND < END
    assert ask(library, END - timedelta(days=1)) == "ok"
    assert ask(library, END) == verdict


def test_a_law_that_was_repealed_before_the_day_of_its_own_words_ends_by_the_note() -> None:
    """A day later than the note's is one that the repeal has overtaken."""
    library = build("V aufgeh. durch § 2 Abs. 2 V v. 7.9.2025 mWv 1.10.2025", own=OWN)
    assert ask(library, date(2025, 9, 30)) == "ok"
    assert ask(library, date(2025, 10, 1)) == "unclear"


def test_an_act_that_its_publisher_shows_as_ended_is_unclear_behind_its_newest_text() -> None:
    library = build()
    store = library.store
    assert isinstance(store, InventedStore)
    (law,) = store.laws
    note = StandNote("Aufh", f"{ENDED}2026-08-15")
    act = replace(law, jurisdiction="eu", stand=date(2026, 1, 1), stand_notes=(note,))
    store.statutes = {act.statute_id: act}

    assert ask(library, act.stand) == "ok"
    for on in (act.stand + timedelta(days=1), date(2026, 8, 14), date(2026, 8, 15), END):
        assert ask(library, on) == ask(library, on, "XgV") == "unclear"
    assert not is_law_current(store.manifest, act)
    assert find_validity_of_hit(library, resolve_one(library)).notes[0].text == note.text


def resolve_one(library: Library) -> ProvisionHit:
    [hit] = resolve(library, "§ 1 XgV", END).outcomes
    assert isinstance(hit, ProvisionHit)
    return hit

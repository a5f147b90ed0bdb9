"""Changes that the publisher says are not in its text yet."""

from dataclasses import replace
from datetime import date, timedelta

import pytest

from fundstelle.law.norms import StandNote
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import Verdict, judge
from fundstelle.lookup.verdicts.pending import warn_of_pending
from fundstelle.tools import lookup, lookup_batch
from fundstelle.tools.spec import CallContext
from tests.unit.lookup.invented import FLOOR, TODAY, InventedStore, build_library

NOTE = "Änderung durch Art. 1 G v. 3.4.2026 I Nr. 1 mWv 12.6.2026 noch nicht berücksichtigt"
DAY = date(2026, 6, 12)


def build_noted(*notes: str) -> Library:
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    law = store.statutes["de/musterg"]
    said = tuple(StandNote("Hinweis", note) for note in notes)
    store.statutes = {**store.statutes, law.statute_id: replace(law, stand_notes=said)}
    return library


def ask(written: str, on: date, *notes: str) -> Verdict:
    library = build_noted(*notes)
    return judge(library, resolve(library, written, on))


@pytest.mark.parametrize(
    ("on", "verdict"),
    [(DAY - timedelta(days=1), "ok"), (DAY, "unclear")],
)
def test_from_the_day_of_a_change_that_its_text_lacks_it_is_unclear(on: date, verdict: str) -> None:
    found = ask("§ 4 MusterG", on, NOTE)
    assert (found.verdict, found.why) == (verdict, f"Publisher's note: {NOTE}.")
    assert ask("§ 4 MusterG", on).verdict == "ok"


@pytest.mark.parametrize(
    ("note", "verdict"),
    [
        ("Fassung ab 2026-06-12: hier noch nicht berücksichtigt", "unclear"),
        ("Änderung durch G v. 1.1.2026 m.W.v. 12. Juni 2026 noch nicht eingearbeitet", "unclear"),
        ("Änderung durch Art. 2 G v. 1.2.2026 I Nr. 3 noch nicht berücksichtigt", "ok"),
    ],
)
def test_the_day_is_read_as_publishers_write_it(note: str, verdict: str) -> None:
    found = ask("§ 4 MusterG", DAY, note)
    assert (found.verdict, found.why) == (verdict, f"Publisher's note: {note}.")


def test_of_several_notes_those_that_are_due_are_told() -> None:
    later = NOTE.replace("2026 noch", "2027 noch")
    assert ask("§ 4 MusterG", DAY, later, NOTE).why == f"Publisher's note: {NOTE}."


@pytest.mark.parametrize("written", ["§ 99 MusterG", "§ 2 Abs. 7 MusterG"])
def test_what_such_a_text_lacks_is_not_denied(written: str) -> None:
    found = ask(written, DAY, NOTE)
    assert found.verdict == "unclear"
    assert found.why.startswith(f"Publisher's note: {NOTE}. {written} does not exist")
    assert ask(written, TODAY, NOTE).verdict == "wrong"


def test_an_older_text_lacks_nothing_and_a_law_by_name_has_the_note() -> None:
    assert ask("§ 8 MusterG", FLOOR, NOTE.replace("2026 noch", "2020 noch")).verdict == "ok"
    named = ask("MusterG", DAY, NOTE)
    assert (named.verdict, named.why) == ("ok", f"Publisher's note: {NOTE}.")


@pytest.mark.parametrize("written", ["§ 99 MusterG", "§ 2 Abs. 7 MusterG", "§ 4, § 99 MusterG"])
def test_a_lookup_that_misses_says_so_too(written: str) -> None:
    library = build_noted(NOTE)
    [told] = warn_of_pending(library, resolve(library, written, DAY))
    assert told.startswith(f"Publisher's note: {NOTE}. That change is in effect")
    assert not warn_of_pending(library, resolve(library, written, TODAY))
    assert not warn_of_pending(library, resolve(library, "§ 4 MusterG", DAY))
    for tool, arguments in (
        (lookup.build_tool, {"citation": written}),
        (lookup_batch.build_tool, {"citations": [written]}),
    ):
        answer = tool(library, lambda: DAY).call(arguments, CallContext("request", "principal"))
        assert told.encode() in (answer.structured or b"")

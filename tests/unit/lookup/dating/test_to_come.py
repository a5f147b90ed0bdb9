"""What is printed as "(zukünftig in Kraft)" is said to be so of no day that allows more."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import pytest

from fundstelle.law.norms import DatePrecision, NormStatus
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.dating.on_day import set_to_day
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.portal.reasons import tell
from tests.unit.lookup.invented import (
    InventedIndex,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)

LIBRARY = build_library()
SHOWN, LATER = date(2025, 9, 24), date(2025, 10, 8)
AHEAD = "{abs 1|(1) Eins.}\n{abs 2|(2) {satz 1|(zukünftig in Kraft)}}\n{abs 3|(3) Drei.}"
PRESENT = "{abs 1|(1) Eins.}\n{abs 2|(2) {satz 1|Zwei.} {satz 2|Und.}}\n{abs 3|(3) Drei.}"
MWV = "(+++ § 1: Zukünftig in Kraft gem. Art. 1 Nr. 3 G v. 10.8.2021 I 3436 mWv 1.10.2025 +++)"
AM = "(+++ § 1 Abs. 2: Tritt gem. Art. 4 G v. 1.3.2025 I Nr. 64 am 01.10.2025 in Kraft +++)"
OPEN = "(+++ § 1: Tritt gem. § 4 Abs. 2 V v. 30.9.2024 an dem Tag in Kraft, an dem das endet +++)"


def build(
    notes: Sequence[str], *, part: bool, texts: int = 2, later: DatePrecision | None = None
) -> Library:
    """§ 1, or its Abs. 2, to come by the looks until SHOWN, the last of ``texts`` with words."""
    law = build_statute("XgG", "Gesetz")
    norm = build_norm(law, "§ 1")
    ahead = build_fassung(norm, AHEAD if part else "(zukünftig in Kraft)")
    status = NormStatus.IN_FORCE if part else NormStatus.FUTURE
    first = replace(ahead, status=status, notes=tuple(notes), stand=SHOWN)
    held = [first]
    if texts > 1:
        held = [
            replace(first, in_force_until=LATER),
            replace(
                build_fassung(norm, PRESENT),
                in_force_from=LATER,
                date_precision=later or DatePrecision.FIRST_SEEN,
            ),
        ]
    if texts > 2:  # a look before showed the same, with another note
        old = replace(held[0], notes=(MWV.replace("2025", "2024"),), stand=date(2025, 5, 28))
        held[0] = replace(
            held[0], in_force_from=date(2025, 6, 4), date_precision=DatePrecision.FIRST_SEEN
        )
        held = [replace(old, in_force_until=date(2025, 6, 4)), *held]
    store = InventedStore([law], [(norm, held)])
    names = LIBRARY.names.build(store.statutes.values())
    return replace(LIBRARY, store=store, index=InventedIndex(store), names=names)


def ask(library: Library, day: str, *, part: bool) -> tuple[str, str]:
    """The status of a miss, and its verdict; a text is ``found``."""
    written = "§ 1 Abs. 2 XgG" if part else "§ 1 XgG"
    resolution = resolve(library, written, date.fromisoformat(day))
    [outcome] = resolution.outcomes
    verdict = judge(library, resolution)
    assert verdict.norm_id == "de/xgg/1"
    if isinstance(outcome, ProvisionHit):
        return "found", verdict.verdict
    assert isinstance(outcome, Miss)
    assert outcome.citation == written
    assert tell(outcome.reason, "de").language == "de"
    for each in outcome.suggestions:
        assert outcome.hint is not None
        assert outcome.hint.on is not None
        [led] = resolve(library, each.citation, outcome.hint.on).outcomes
        assert isinstance(led, ProvisionHit)
    return outcome.status, verdict.verdict


NOT_YET, UNSEEN = ("not_yet_in_force", "wrong"), ("not_seen_yet", "unclear")


@pytest.mark.parametrize("part", [False, True])
@pytest.mark.parametrize(
    "note", [MWV, AM, MWV.replace("mWv", "mwv"), AM.replace("Tritt", "Treten")]
)
def test_from_the_day_of_the_note_on_nothing_is_denied(note: str, *, part: bool) -> None:
    for texts in (1, 2, 3):
        library = build((note,), part=part, texts=texts)
        for day in ("2025-06-30", SHOWN.isoformat(), "2025-09-30"):
            assert ask(library, day, part=part) == NOT_YET
        for day in ("2025-10-01", "2025-10-07"):
            assert ask(library, day, part=part) == UNSEEN
        last = UNSEEN if texts == 1 else ("found", "ok")
        for day in (LATER.isoformat(), "2026-05-01"):
            assert ask(library, day, part=part) == last


@pytest.mark.parametrize("part", [False, True])
@pytest.mark.parametrize("notes", [(), (OPEN,)])
def test_without_a_day_only_what_a_look_shows_is_denied(notes: Sequence[str], part: bool) -> None:
    for texts in (1, 2):
        library = build(notes, part=part, texts=texts)
        assert ask(library, SHOWN.isoformat(), part=part) == NOT_YET
        assert ask(library, "2025-09-25", part=part) == UNSEEN
        assert ask(library, "2025-10-07", part=part) == UNSEEN
        assert ask(library, LATER.isoformat(), part=part) == (
            UNSEEN if texts == 1 else ("found", "ok")
        )


@pytest.mark.parametrize("part", [False, True])
def test_a_later_look_goes_before_the_note(*, part: bool) -> None:
    library = build((MWV.replace("1.10.2025", "1.1.2026"),), part=part)

    assert ask(library, SHOWN.isoformat(), part=part) == NOT_YET
    assert (
        ask(library, "2025-10-01", part=part) == UNSEEN
    )  # seen in force on LATER, by then at least
    assert ask(library, LATER.isoformat(), part=part) == ("found", "ok")


@pytest.mark.parametrize("part", [False, True])
def test_of_several_days_the_first_ends_what_is_known(*, part: bool) -> None:
    library = build((AM, AM.replace("01.10.", "31.12.")), part=part, texts=1)

    assert ask(library, "2025-09-30", part=part) == NOT_YET
    assert ask(library, "2025-10-01", part=part) == UNSEEN


def test_a_text_whose_day_is_known_ends_what_was_to_come() -> None:
    library = build((), part=False, later=DatePrecision.EXACT)

    assert ask(library, "2025-10-07", part=False) == NOT_YET
    assert ask(library, LATER.isoformat(), part=False) == ("found", "ok")


def test_parts_of_what_is_to_come_are_not_denied() -> None:
    library = build((AM,), part=True, texts=1)

    for written in ("§ 1 Abs. 2 Satz 1 XgG", "§ 1 Abs. 2 Satz 4 XgG", "§ 1 Abs. 2 Nr. 7 XgG"):
        for day, status in ((SHOWN, "not_yet_in_force"), (LATER, "not_seen_yet")):
            [miss] = resolve(library, written, day).outcomes
            assert isinstance(miss, Miss)
            assert miss.status == status
    [whole] = resolve(library, "§ 1 XgG", SHOWN).outcomes
    assert isinstance(whole, ProvisionHit)
    [missing] = resolve(library, "§ 1 Abs. 4 XgG", SHOWN).outcomes
    assert isinstance(missing, Miss)
    assert missing.status == "subunit_does_not_exist"


def test_contents_say_of_a_provision_to_come_what_a_lookup_says() -> None:
    library = build((MWV,), part=False, texts=1)
    [statute] = library.store.statutes.values()
    norm = library.store.find_norm("de/xgg/1")
    assert norm is not None
    norm = replace(norm, status=NormStatus.FUTURE)

    for day, status in ((SHOWN, NormStatus.FUTURE), (date(2025, 10, 1), NormStatus.NOT_SEEN)):
        assert set_to_day(library, statute, norm, day).status is status

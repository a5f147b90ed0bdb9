"""What one look did not show and the next did is not denied on a day between the two."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.law.norms import NormStatus
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.portal.reasons import tell
from tests.unit.lookup.invented import FLOOR, STAND, InventedStore, build_library
from tests.unit.lookup.marked import read_marked

BETWEEN = date(2025, 12, 31)
OLDER = "{abs 1|(1) Leim klebt kalt.}\n{abs 2|(2) (weggefallen)}\n{abs 3|(3) Er trocknet.}"
NEWER = (
    "{abs 1|(1) {satz 1|Leim klebt kalt.} {satz 2|Heiß klebt er auch.}}\n"
    "{abs 2|(2) Leim ist abzuwischen.}\n{abs 4|(4) Er ist\n{nr 1|1. kühl und}\n"
    "{nr 2|2. dunkel}\nzu lagern.}"
)


def hold(older: str = OLDER, newer: str = NEWER, *states: NormStatus) -> Library:
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    texts = zip(store.fassungen["de/musterg/8"], map(read_marked, (older, newer)), strict=True)
    held = [replace(one, text=text, segments=parts) for one, (text, parts) in texts]
    for place, status in enumerate(states):
        held[place] = replace(held[place], status=status)
    store.fassungen["de/musterg/8"] = tuple(held)
    return library


@pytest.mark.parametrize(
    "part", ["Abs. 2", "Abs. 4", "Abs. 4 Nr. 2", "Abs. 1 Satz 2", "Abs. 3 bis 4"]
)
@pytest.mark.parametrize("tail", ["", " in der bis zum 31.12.2025 geltenden Fassung"])
def test_a_part_of_the_newer_text_alone_is_not_denied(part: str, tail: str) -> None:
    library = hold(newer=NEWER.replace("{abs 4", "{abs 3|(3) Er trocknet.}\n{abs 4"))
    resolution = resolve(library, f"§ 8 {part} MusterG{tail}", BETWEEN)
    [miss] = resolution.misses
    assert miss.status == "not_seen_yet"
    assert f"§ 8 {part} MusterG" in miss.reason
    assert {FLOOR.isoformat(), STAND.isoformat()} <= set(miss.reason.replace(",", "").split())
    verdict = judge(library, resolution)
    assert (verdict.verdict, verdict.norm_id) == ("unclear", "de/musterg/8")
    assert tell(miss.reason, "de").language == "de"
    assert miss.hint is not None
    assert (miss.hint.of, miss.hint.on) == ("de/musterg/8", STAND)
    assert isinstance(
        resolve(library, miss.suggestions[0].citation, STAND).outcomes[0], ProvisionHit
    )


@pytest.mark.parametrize(
    ("older", "newer", "part"),
    [
        (
            "{satz 1|Leim klebt.} {satz 2|Kalt.}",
            "{nr 1|1. Leim,}\n{nr 2|2. Kleister.}\nDie Gefäße sind zu schließen.",
            "Satz 7",
        ),
        ("{satz 1|{hs 1|Leim klebt;} {hs 2|auch kalt.}}", "{satz 1|Leim klebt.}", "Satz 1 Hs. 3"),
    ],
)
def test_of_a_newer_text_that_does_not_mark_it_no_more_is_said(
    older: str, newer: str, part: str
) -> None:
    library = hold(older, newer)
    resolution = resolve(library, f"§ 8 {part} MusterG", BETWEEN)
    [miss] = resolution.misses
    assert (miss.status, judge(library, resolution).verdict) == ("not_seen_yet", "unclear")
    assert miss.reason.endswith(
        f"the next text, which was seen on {STAND.isoformat()}, does not mark it, and may have it."
    )
    assert tell(miss.reason, "de").language == "de"
    [then] = resolve(library, f"§ 8 {part} MusterG", STAND).hits
    assert any("not marked" in warning for warning in then.warnings)


@pytest.mark.parametrize("part", ["Abs. 5", "Abs. 1 Satz 3", "Abs. 4 Nr. 3"])
def test_a_part_that_neither_text_has_is_denied_and_both_are_named(part: str) -> None:
    library = hold()
    resolution = resolve(library, f"§ 8 {part} MusterG", BETWEEN)
    [miss] = resolution.misses
    assert miss.status == "subunit_does_not_exist"
    assert STAND.isoformat() in miss.reason
    assert tell(miss.reason, "de").language == "de"
    assert judge(library, resolution).verdict == "wrong"


@pytest.mark.parametrize("on", [FLOOR, STAND])
def test_on_the_day_of_a_look_its_text_alone_decides(on: date) -> None:
    library = hold()
    absent = {FLOOR: "§ 8 Abs. 4 MusterG", STAND: "§ 8 Abs. 3 MusterG"}[on]
    [miss] = resolve(library, absent, on).misses
    # what an older text had is gone, and what only a later one has is not there
    assert miss.status == {FLOOR: "subunit_does_not_exist", STAND: "repealed"}[on]
    assert "next text" not in miss.reason


def test_a_part_that_the_older_text_has_is_given_with_a_warning() -> None:
    library = hold()
    resolution = resolve(library, "§ 8 Abs. 3 MusterG", BETWEEN)
    [hit] = resolution.hits
    assert any(STAND.isoformat() in warning for warning in hit.warnings)
    assert judge(library, resolution).verdict == "unclear"


def test_a_row_of_the_newer_table_alone_is_not_denied() -> None:
    """Neither is a number that no row bears yet."""
    rows = "\n".join(f"{number} | Gebühr | 1,3" for number in range(3100, 3110))
    library = hold(rows, f"{rows}\n3110 | Ermäßigung | 0,8")
    store = library.store
    assert isinstance(store, InventedStore)
    annex = next(one for one in store.norms if one.norm_id == "de/musterg/anlage-1")
    held = store.fassungen["de/musterg/8"]
    store.fassungen[annex.norm_id] = tuple(replace(one, norm_id=annex.norm_id) for one in held)
    [miss] = resolve(library, "Anlage 1 Nr. 3110 MusterG", BETWEEN).misses
    assert miss.status == "not_seen_yet"
    [miss] = resolve(library, "Anlage 1 Nr. 3999 MusterG", BETWEEN).misses
    assert miss.status == "subunit_does_not_exist"


def test_a_provision_whose_number_has_words_again_is_not_said_to_be_repealed() -> None:
    library = hold("(weggefallen)", "Leim klebt.", NormStatus.REPEALED)
    [miss] = resolve(library, "§ 8 MusterG", BETWEEN).misses
    assert (miss.status, miss.hint and miss.hint.on) == ("not_seen_yet", STAND)
    [miss] = resolve(library, "§ 8 MusterG", FLOOR).misses
    assert miss.status == "repealed"

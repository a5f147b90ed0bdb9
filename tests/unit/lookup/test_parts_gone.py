"""Parts of a provision that an older text has and the text of the day has not."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.law.norms import DatePrecision
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.portal.reasons import tell
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
    build_statute,
)

LIBRARY = build_library()
FIRST, SECOND = date(2025, 6, 1), date(2025, 9, 1)


def build(precision: DatePrecision) -> Library:
    """Abs. 3 went with the second of three texts; of Abs. 2 the number is left in the last."""
    law = build_statute("XgG", "Gesetz")
    norm = build_norm(law, "§ 1")
    texts = [
        replace(
            build_fassung(norm, "{abs 1|(1) Eins.}\n{abs 2|(2) Zwei.}\n{abs 3|(3) Drei.}"),
            in_force_until=FIRST,
            stand=date(2025, 5, 28),
        ),
        replace(
            build_fassung(norm, "{abs 1|(1) Eins.}\n{abs 2|(2) Zwei neu.}"),
            in_force_from=FIRST,
            in_force_until=SECOND,
            date_precision=precision,
            stand=date(2025, 8, 28),
        ),
        replace(
            build_fassung(norm, "{abs 1|(1) Eins.}\n{abs 2|(2) (weggefallen)}"),
            in_force_from=SECOND,
            date_precision=precision,
        ),
    ]
    store = InventedStore([law], [(norm, texts)])
    names = LIBRARY.names.build(store.statutes.values())
    return replace(LIBRARY, store=store, index=InventedIndex(store), names=names)


@pytest.mark.parametrize("precision", [DatePrecision.EXACT, DatePrecision.UNKNOWN])
@pytest.mark.parametrize(
    ("written", "on", "older", "gone"),
    [
        ("§ 1 Abs. 3 XgG", TODAY, date(2025, 5, 28), FIRST),
        ("§ 1 Abs. 3 XgG", FIRST, date(2025, 5, 28), FIRST),
        ("§ 1 Abs. 2 XgG", TODAY, date(2025, 8, 28), SECOND),
    ],
)
def test_a_part_that_an_older_text_has_is_repealed_and_can_be_read_there(
    written: str, on: date, older: date, gone: date, precision: DatePrecision
) -> None:
    library = build(precision)
    resolution = resolve(library, written, on)
    [miss] = resolution.outcomes
    assert isinstance(miss, Miss)
    assert miss.status == judge(library, resolution).verdict == "repealed"
    assert gone.isoformat() in miss.reason
    assert tell(miss.reason, "de").language == "de"
    is_exact = precision is DatePrecision.EXACT
    said = miss.evidence.repealed_on if is_exact else miss.evidence.last_seen
    assert said == (gone if is_exact else older)
    assert miss.hint is not None
    [hit] = resolve(library, miss.suggestions[0].citation, miss.hint.on or on).outcomes
    assert isinstance(hit, ProvisionHit)
    assert (hit.citation, miss.hint.on) == (written, older)


def test_a_part_that_no_text_has_does_not_exist() -> None:
    library = build(DatePrecision.UNKNOWN)
    [miss] = resolve(library, "§ 1 Abs. 4 XgG", TODAY).outcomes
    assert isinstance(miss, Miss)
    assert miss.status == "subunit_does_not_exist"

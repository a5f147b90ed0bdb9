"""What lawyers cite like a law: rules of other kinds, laws that are gone, other abbreviations."""

from datetime import date

import pytest

from fundstelle.citations.parse import parse
from fundstelle.law.citations import NormCitation
from fundstelle.lookup.answers import Miss
from fundstelle.lookup.resolve import resolve
from tests.unit.lookup.invented import build_library

LIBRARY = build_library()


def ask(written: str) -> Miss:
    (miss,) = resolve(LIBRARY, written, date(2026, 5, 1)).outcomes
    assert isinstance(miss, Miss)
    return miss


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("RiStBV", "administrative regulation and no law"),
        ("Nr. 15 RiStBV", "administrative regulation and no law"),
        ("TA Luft", "administrative regulation and no law"),
        ("Nr. 6.1 TA Lärm", "administrative regulation and no law"),
        ("§ 4 VOB/B", "private rules"),
        ("§ 1 BAT", "collective agreement"),
        ("Art. 2 IPwskR", "treaty"),
        ("§ 2 RBStV", "law of a Land"),
        ("§ 4 IFG Berlin", "law of a Land"),
        ("§ 8 KAG", "laws of several Länder"),
        ("§ 1 VOB/A", "private rules"),
        ("§ 16 BAT-O", "collective agreement"),
        ("Art. 5 LugÜ", "treaty"),
        ("§ 5 GGO", "administrative regulation and no law"),
    ],
)
def test_what_is_no_federal_law_is_told_as_what_it_is(written: str, words: str) -> None:
    miss = ask(written)
    assert miss.status == "not_in_corpus"
    assert words in miss.reason


@pytest.mark.parametrize(
    ("written", "heir"),
    [
        ("§ 1 VAHRG", "VersAusglG"),
        ("§ 1 HWiG", "BGB"),
        ("§ 8 HausratsVO", "BGB"),
        ("§ 1 FEVG", "FamFG"),
        ("§ 1 BDO", "BDG"),
        ("§ 1 MinöStG", "EnergieStG"),
        ("§ 1 VAÜG", "VersAusglG"),
        ("§ 5 WertV", "ImmoWertV"),
        ("§ 1 DVAuslG", "AufenthV"),
    ],
)
def test_a_law_that_was_replaced_names_the_one_that_did(written: str, heir: str) -> None:
    miss = ask(written)
    assert miss.status == "repealed"
    assert heir in miss.reason


@pytest.mark.parametrize(
    ("written", "law"),
    [
        ("§ 1 HPflG", "HaftPflG"),
        ("§ 1 LwVG", "LwVfG"),
        ("Art. 5 KSÜ", "KSÜ"),
        ("Art. 5 VollstrZustÜbk", "EuGVÜ"),
        ("Art. 14 BürgPoRPakt", "IPbpR"),
        ("§ 7 ATG", "AltTZG"),
        ("Art. 3 KiEntfÜbk Haag", "HKÜ"),
        ("Art. 54 SDÜ", "SDÜ"),
        ("§ 1 Alg II-V", "Bürgergeld-V"),  # not the ALG with something behind it
        ("§ 8 2. BV", "II. BV"),
        ("§ 1 ArbEG", "ArbnErfG"),
        ("§ 7 AtG", "AtG"),  # capitals tell them apart
    ],
)
def test_each_name_of_a_law_is_read_as_the_one_that_lawyers_use(written: str, law: str) -> None:
    (target,) = parse(written).targets
    assert isinstance(target, NormCitation)
    assert target.law == law

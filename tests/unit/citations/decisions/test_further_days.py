"""Days of further decisions that are written with one Aktenzeichen: none is passed over."""

import pytest

from fundstelle.citations.parse import parse


@pytest.mark.parametrize(
    ("written", "unparsed"),
    [
        ("LG Köln, Urteile vom 4.4.2019 und 3.1.2018 - 2 O 9/18", ("4.4.2019",)),
        ("LG Köln, Urteile vom 4.4.2019 und vom 3.1.2018 - 2 O 9/18", ("4.4.2019",)),
        ("LG Köln, Urt. v. 1.2.2017, 4.4.2019, 3.1.2018 - 2 O 9/18", ("1.2.2017", "4.4.2019")),
        ("LG Köln, Urteil vom 3.1.2018 - 2 O 9/18 und vom 4.1.2018", ("4.1.2018",)),
        ("LG Köln, Urteil vom 3.1.2018 - 2 O 9/18; Urteil vom 4.4.2019", ("4.4.2019",)),
        ("LG Köln, Urteil vom 3.1.2018 - 2 O 9/18 und vom 4.1.2018 - 2 O 10/18", ()),
        ("LG Köln, Urteile vom 3.1.2018 - 2 O 9/18 - und vom 4.1.2018 - 2 O 10/18 -", ()),
        ("LG Köln, Urteil vom 3.1.2018 - 2 O 9/18 (abgerufen am 4.1.2020)", ()),
        ("LG Köln, Urteil vom 3.1.2018 - 2 O 9/18, NJW 2018, 12", ()),
        ("LG Köln, Urteil vom 3.1.2018 - 2 O 9/18", ()),
    ],
)
def test_no_day_of_a_further_decision_is_passed_over(
    written: str, unparsed: tuple[str, ...]
) -> None:
    assert parse(written).unparsed == unparsed

"""What a publisher says of a decision is taken as far as it agrees with itself."""

from datetime import date

import pytest

from fundstelle.ingest.sources.decision_text.record import Head
from fundstelle.law.decisions import DecisionSource, DecisionType

ECLI = "ECLI:DE:BGH:2022:150322UVIZR1.21.0"


@pytest.mark.parametrize(
    ("court", "dockets", "day", "is_named"),
    [
        ("BGH", ("VI ZR 1/21",), date(2022, 3, 15), True),
        ("BGH", ("VI ZR 2/21", "VI ZR 1/21"), date(2022, 3, 15), True),
        ("BGH", ("VI ZR 1/21",), None, True),
        ("AG Köln", ("VI ZR 1/21",), date(2022, 3, 15), False),
        ("BGH", ("VI ZR 1/21",), date(2021, 3, 15), False),
        ("BGH", ("VI ZR 2/21",), date(2022, 3, 15), False),
    ],
)
def test_an_ecli_of_another_decision_names_none(
    court: str, dockets: tuple[str, ...], day: date | None, *, is_named: bool
) -> None:
    source = DecisionSource("rii", "one", None)
    head = Head(court, dockets, day, DecisionType.URTEIL, source, ecli=ECLI)
    decision = head.build("a.xml")
    assert decision.ecli == (ECLI if is_named else None)
    assert (decision.decision_id == ECLI) is is_named
    assert (decision.court, decision.dockets) == (court, dockets)

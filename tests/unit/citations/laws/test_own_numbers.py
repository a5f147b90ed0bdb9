"""The number of an act in brackets behind its name."""

import pytest

from fundstelle.citations.laws.own_numbers import find_other_number
from fundstelle.citations.parse import parse

OTHERS = [
    *(" (VO (EU) 2024/1689)", " (EU 2024/1689)", " [Regulation (EU) 2024/1689]", " (32024R1689)"),
    *(" (Verordnung (EU) 2024/1689 vom 13.6.2024)", " (CELEX: 32024R1689)", " = VO (EU) 2024/1689"),
    *(" (VO (EU) 2024/1689, ABl. L vom 12.7.2024)", " <RL 93/13/EWG>", " - (VO (EU) 2024/1689)"),
    " (http://data.europa.eu/eli/reg/2024/1689/oj)",
]
NONE = [
    *("", " (VO (EU) 2016/679)", " (EU 2016/679)", " (32016R0679)", " und VO (EU) 2024/1689"),
    *(" (vgl. VO (EU) 2024/1689)", " (VO (EU) 2024/1689; § 4 BDSG)", ", VO (EU) 2024/1689"),
    *(" (Art. 5 VO (EU) 2024/1689)", " (http://data.europa.eu/eli/reg/2024/1689/oj#art_5)"),
]


@pytest.mark.parametrize("behind", OTHERS)
@pytest.mark.parametrize("name", ["DSGVO", "GDPR", "Datenschutz-Grundverordnung"])
def test_the_number_of_another_act_behind_a_name_is_told(name: str, behind: str) -> None:
    read = parse(f"Art. 5 {name}{behind}")

    assert read.unparsed[:1] == (f"{name}{behind}",)
    assert read.targets[0] == parse("Art. 5 DSGVO").targets[0]


@pytest.mark.parametrize("behind", NONE)
def test_its_own_number_and_what_is_cited_beside_it_is_not(behind: str) -> None:
    text = f"Art. 5 DSGVO{behind}"
    assert find_other_number(text, len("Art. 5 DSGVO"), "32016R0679") is None
    assert not any(piece.startswith("DSGVO") for piece in parse(text).unparsed)

import re
from typing import Any

import pytest

from fundstelle.tools.inputs.eu_acts import list_eu_acts
from fundstelle.tools.resources import read_domains

DOMAINS = read_domains()
NAMES = [domain["domain"] for domain in DOMAINS]
CORE = (
    "GG",
    "BGB",
    "HGB",
    "StGB",
    "ZPO",
    "StPO",
    "VwVfG",
    "VwGO",
    "AO",
    "KSchG",
    "SGB V",
    "AufenthG",
)
CORE_EU = ("32016R0679", "32024R1689", "32022R2065", "12016P", "32012R1215")
FIELDS = {"domain", "domain_en", "laws", "order", "mix_ups"}


def list_laws(key: str) -> set[str]:
    return {law[key] for domain in DOMAINS for law in domain["laws"] if key in law}


def test_there_are_enough_fields_and_each_stands_once() -> None:
    assert len(DOMAINS) >= 28
    assert len(set(NAMES)) == len(NAMES)
    assert len({domain["domain_en"] for domain in DOMAINS}) == len(DOMAINS)


def test_what_every_lawyer_needs_is_among_the_laws() -> None:
    assert set(CORE) <= list_laws("law")
    assert set(CORE_EU) <= list_laws("celex")


@pytest.mark.parametrize("domain", DOMAINS, ids=NAMES)
def test_a_field_has_laws_with_their_scope_an_order_and_mix_ups(domain: dict[str, Any]) -> None:
    assert set(domain) == FIELDS
    assert 2 <= len(domain["laws"]) <= 14
    keys = [law.get("law") or law["celex"] for law in domain["laws"]]
    assert len(set(keys)) == len(keys), "a law stands once in a field"
    for law in domain["laws"]:
        assert set(law) in ({"law", "scope"}, {"celex", "scope"})
        assert 4 <= len(law["scope"]) <= 160
    texts = [domain["domain"], domain["order"], *domain["mix_ups"]]
    assert all(text == text.strip() and len(text) <= 400 for text in texts)
    assert all(text.endswith(".") for text in [domain["order"], *domain["mix_ups"]])
    assert 1 <= len(domain["mix_ups"]) <= 6


@pytest.mark.parametrize("celex", sorted(list_laws("celex")))
def test_an_eu_act_has_a_celex_number_that_the_tables_know(celex: str) -> None:
    assert re.fullmatch(r"[13]\d{4}[A-Z]{1,2}(?:\d{4})?", celex)
    assert celex in {act["celex"] for act in list_eu_acts()}

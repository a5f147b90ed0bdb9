"""Every verdict has its words in both languages."""

import asyncio

import pytest
from starlette.requests import Request

from fundstelle.law.norms import NormStatus
from fundstelle.lookup.answers import CODES
from fundstelle.lookup.comparing.differences import KINDS
from fundstelle.lookup.comparing.quotes import STATUSES
from fundstelle.lookup.verdicts.judge import IMPOSSIBLE, VERDICTS
from fundstelle.portal.check import _LIMITS
from fundstelle.portal.frame.forms import FormRefused, read_form
from fundstelle.portal.frame.texts import LANGUAGES, load_texts
from tests.unit.portal.test_form_escapes import make_request


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_comes_of_a_citation_can_be_said(language: str) -> None:
    said = {key.removeprefix("check.") for key in load_texts()[language]}

    assert {f"verdict_{each}" for each in VERDICTS} <= said
    assert {f"status_{each}" for each in (*CODES, *NormStatus, IMPOSSIBLE)} <= said
    assert {f"quote_{each}" for each in STATUSES} <= said
    assert {f"difference_{each}" for each in KINDS} <= said


def read(body: bytes) -> dict[str, str]:
    request: Request = make_request(body)
    return asyncio.run(read_form(request, _LIMITS))


def test_a_draft_may_be_long_and_no_longer() -> None:
    assert read(b"draft=" + b"%C3%A4" * 7_000) == {"draft": "ä" * 7_000}
    for body in (b"%41" * 16_001, b"x" * 20_201, b"x" * 131_073):
        with pytest.raises(FormRefused):
            read(b"draft=" + body)

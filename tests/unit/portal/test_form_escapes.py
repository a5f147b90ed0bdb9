"""A form of escapes alone is refused before it is read: each costs as hundreds of letters do."""

import asyncio
from base64 import b64encode
from contextlib import suppress
from typing import Any

import pytest
from starlette.requests import Request

from fundstelle.oauth import routes
from fundstelle.oauth.errors import OAuthError
from fundstelle.portal.frame import forms

KIND = b"application/x-www-form-urlencoded"


def make_request(body: bytes, kind: bytes = KIND) -> Request:
    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": body, "more_body": False}

    return Request({"type": "http", "headers": [(b"content-type", kind)]}, receive)


@pytest.mark.parametrize("one", [b"%", b"%41", b"%ff"])
def test_escapes_without_end_are_not_even_read(monkeypatch: pytest.MonkeyPatch, one: bytes) -> None:
    def read(*_: object, **__: object) -> None:
        pytest.fail("it was read")

    monkeypatch.setattr(forms, "parse_qsl", read)
    monkeypatch.setattr(routes, "parse_qsl", read)
    body = b"a=" + one * 5_000
    with pytest.raises(forms.FormRefused) as refused:
        asyncio.run(forms.read_form(make_request(body)))
    assert refused.value.status == 413
    with pytest.raises(OAuthError):
        routes.read_form(make_request(b""), body)


def test_parts_without_end_are_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        pytest.fail("it was read")

    monkeypatch.setattr(forms, "parse_form", read)
    part = b"--x\r\nContent-Disposition:a;name=a;filename=b\r\n\r\n\r\n"
    request = make_request(part * 5_000 + b"--x--\r\n", b"multipart/form-data; boundary=x")
    limits = forms.FormLimits(size_bytes=2**20, file_bytes=2**10)
    with pytest.raises(forms.FormRefused) as refused:
        asyncio.run(forms.read_form(request, limits))
    assert refused.value.status == 413


def test_a_kind_without_end_is_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        pytest.fail("it was read")

    monkeypatch.setattr(forms, "parse_options_header", read)
    monkeypatch.setattr(forms, "parse_form", read)
    request = make_request(b"--x--", b"multipart/form-data;boundary=x" + b";" * 60_000)
    with pytest.raises(forms.FormRefused) as refused:
        asyncio.run(forms.read_form(request, forms.FormLimits(file_bytes=2**10)))
    assert refused.value.status == 415


def test_a_form_with_a_file_is_read() -> None:
    file = b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n\r\n--x or so\r\n'
    field = b'--x\r\nContent-Disposition: form-data; name="c"\r\n\r\nd\r\n--x--\r\n'
    request = make_request(file + field, b"multipart/form-data; boundary=x")
    form = asyncio.run(forms.read_form(request, forms.FormLimits(file_bytes=2**10)))
    assert form == {"a": b64encode(b"--x or so").decode(), "c": "d"}


@pytest.mark.parametrize(
    "body",
    [
        (
            b'--x\r\nContent-Disposition: form-data; name="a"; filename="b"\r\n'
            b"Content-Transfer-Encoding: words-of-mine\r\n\r\nc\r\n--x--"
        ),
        b"words of mine",
        b"--x\r\nwords of mine\r\n\r\n",
    ],
)
def test_of_a_form_that_cannot_be_read_nothing_is_written(
    body: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    request = make_request(body, b"multipart/form-data; boundary=x")
    with suppress(forms.FormRefused):
        asyncio.run(forms.read_form(request, forms.FormLimits(file_bytes=2**10)))
    assert not caplog.records


def test_a_field_full_of_umlauts_is_read() -> None:
    form = asyncio.run(forms.read_form(make_request(b"name=" + b"%C3%A4" * 1_900)))
    assert form == {"name": "ä" * 1_900}

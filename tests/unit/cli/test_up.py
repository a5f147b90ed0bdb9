"""What the first command says of where its server is, and what does not end it."""

import os
import signal
from collections.abc import Iterator

import pytest

from fundstelle.cli.up import find_url
from fundstelle.web.serve import stay_at_hangups


@pytest.mark.parametrize(
    ("setting", "url"),
    [
        (None, "http://127.0.0.1:8000"),
        ("", "http://127.0.0.1:8000"),
        (" ", "http://127.0.0.1:8000"),
        ("https://law.example/", "https://law.example"),
    ],
)
def test_an_empty_address_is_none(setting: str | None, url: str) -> None:
    environ = {} if setting is None else {"FUNDSTELLE_BASE_URL": setting}
    assert find_url(environ, "127.0.0.1", 8000) == url


@pytest.fixture
def hangups() -> Iterator[None]:
    before = signal.getsignal(signal.SIGHUP)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("hangups")
def test_a_service_that_is_told_to_reload_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    stay_at_hangups()
    os.kill(os.getpid(), signal.SIGHUP)
    assert "restart the service" in caplog.text

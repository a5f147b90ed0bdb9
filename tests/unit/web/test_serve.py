"""What keeps a server from starting is told in words."""

import socket

import pytest

from fundstelle.errors import SettingsError
from fundstelle.web.serve import serve


def test_a_port_of_the_figures_that_is_taken_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fundstelle.web.serve.stay_at_hangups", lambda: None)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setenv("FUNDSTELLE_METRICS_PORT", str(port))
        with pytest.raises(SettingsError, match=f"METRICS_PORT: 127.0.0.1:{port} cannot be used"):
            serve("127.0.0.1", 8000, 1)

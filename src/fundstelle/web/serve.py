"""Running the application: uvicorn, one or several workers, until Ctrl-C."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from functools import partial
from typing import Any, cast

import uvicorn
from prometheus_client import start_http_server
from uvicorn.config import STARTUP_FAILURE

from fundstelle.errors import SettingsError
from fundstelle.settings import Settings, list_unknown
from fundstelle.web import metrics
from fundstelle.web.accepting import Server
from fundstelle.web.counters import FOLDER, counting, discard_leftovers
from fundstelle.web.wire.limits import Limits
from fundstelle.web.wire.peers import Trusted
from fundstelle.web.wire.protocol import BoundedProtocol
from fundstelle.web.workers import GRACE_S, Supervisor

FACTORY = "fundstelle.bootstrap.application:create_app"  # named only: it stands above

_log = logging.getLogger("fundstelle.web")

_LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "plain": {"format": "%(message)s"},
        "uvicorn": {"()": "uvicorn.logging.DefaultFormatter", "fmt": "%(levelprefix)s %(message)s"},
    },
    "handlers": {
        "plain": {"class": "fundstelle.web.pen.PenHandler", "formatter": "plain"},
        "uvicorn": {"class": "fundstelle.web.pen.PenHandler", "formatter": "uvicorn"},
    },
    "root": {"handlers": ["plain"], "level": "WARNING"},
    "loggers": {"uvicorn": {"handlers": ["uvicorn"], "propagate": False}},
}


def serve(host: str, port: int, workers: int) -> None:
    """Serve until interrupted; answers under way are finished first.

    Raises:
        SettingsError: a setting is wrong, or its port is taken.
        SystemExit: it could not start, or no worker can any more.
    """
    if workers == 1:
        stay_at_hangups()
    settings = Settings.from_env(os.environ)
    for name, _ in list_unknown(os.environ):
        _log.warning("%s is no setting, and nobody reads it; 'fundstelle doctor' says more", name)
    trusted = Trusted.read(settings.trusted_proxies)
    limits = Limits(settings.max_connections, settings.max_body_bytes, trusted)
    discard_leftovers()
    with ExitStack() as stack:
        if workers > 1:
            os.environ[FOLDER] = str(stack.enter_context(counting()))
        if settings.metrics_port is not None:
            stack.callback(_serve_metrics(settings.metrics_port))
        config = uvicorn.Config(
            FACTORY,
            factory=True,
            host=host,
            port=port,
            workers=workers,
            loop="uvloop",
            # uvicorn only calls it, with arguments by name
            http=cast("type[asyncio.Protocol]", partial(BoundedProtocol, limits)),
            ws="none",
            lifespan="on",
            access_log=False,
            log_config=_LOGGING,
            log_level="warning",
            server_header=False,
            # the client's address counts for throttles alone; the base URL is a setting
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=trusted.list_senders(),
            timeout_graceful_shutdown=GRACE_S,
        )
        exit_code = _run_workers(config) if workers > 1 else _run_here(config)
    if exit_code:
        sys.exit(exit_code)


def _serve_metrics(port: int) -> Callable[[], None]:
    """Serve the figures on this machine alone; gives what ends that."""
    try:
        server, _ = start_http_server(port, "127.0.0.1", metrics.choose_registry())
    except OSError as error:
        problem = f"127.0.0.1:{port} cannot be used ({error.strerror})"
        raise SettingsError([f"FUNDSTELLE_METRICS_PORT: {problem}; choose another one"]) from None
    return server.shutdown


def stay_at_hangups() -> None:
    """What renews several workers must not end one: a service is told to reload by SIGHUP.

    At a terminal it says that the terminal has gone, and ends the server as it always did.
    """
    if hasattr(signal, "SIGHUP") and not (sys.stdin and sys.stdin.isatty()):
        signal.signal(signal.SIGHUP, _tell_hangup)


def _tell_hangup(_number: int, _frame: object) -> None:
    _log.warning("SIGHUP: one worker alone cannot be renewed without a pause; restart the service")


def _run_workers(config: uvicorn.Config) -> int:
    supervisor = Supervisor(config, [config.bind_socket()])
    supervisor.run()
    return supervisor.exit_code


def _run_here(config: uvicorn.Config) -> int:
    server = Server(config)
    with suppress(KeyboardInterrupt):
        server.run([config.bind_socket()])
    return 0 if server.started else STARTUP_FAILURE

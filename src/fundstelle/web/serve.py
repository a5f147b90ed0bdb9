"""Running the application: uvicorn, one or several workers, until Ctrl-C."""

import asyncio
import os
import sys
import tempfile
from contextlib import ExitStack, suppress
from functools import partial
from typing import cast

import uvicorn
from prometheus_client import start_http_server
from uvicorn.config import STARTUP_FAILURE

from fundstelle.settings import Settings
from fundstelle.web import metrics
from fundstelle.web.wire.limits import Limits
from fundstelle.web.wire.protocol import BoundedProtocol
from fundstelle.web.workers import GRACE_S, Supervisor

FACTORY = "fundstelle.bootstrap:create_app"  # named, not imported: it stands above this package


def serve(host: str, port: int, workers: int) -> None:
    """Serve until interrupted; answers under way are finished first.

    Raises:
        SystemExit: it could not start, or no worker can any more.
    """
    settings = Settings.from_env(os.environ)
    limits = Limits(settings.max_connections, settings.max_body_bytes)
    with ExitStack() as stack:
        if workers > 1:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="fundstelle-metrics-"))
            # read by prometheus_client when the workers import it: one file a process
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        if settings.metrics_port is not None:
            server, _ = start_http_server(
                settings.metrics_port, "127.0.0.1", metrics.choose_registry()
            )
            stack.callback(server.shutdown)
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
            log_level="warning",
            server_header=False,
            # the client's address counts for throttles alone; the base URL is a setting
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=list(settings.trusted_proxies),
            timeout_graceful_shutdown=GRACE_S,
        )
        exit_code = _run_workers(config) if workers > 1 else _run_here(config)
    if exit_code:
        sys.exit(exit_code)


def _run_workers(config: uvicorn.Config) -> int:
    supervisor = Supervisor(config, [config.bind_socket()])
    supervisor.run()
    return supervisor.exit_code


def _run_here(config: uvicorn.Config) -> int:
    server = uvicorn.Server(config)
    with suppress(KeyboardInterrupt):
        server.run()
    return 0 if server.started else STARTUP_FAILURE

"""Running the application: uvicorn, one or several workers, until Ctrl-C."""

import os
import tempfile
from contextlib import ExitStack

import uvicorn
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import REGISTRY

from fundstelle.settings import Settings

FACTORY = "fundstelle.bootstrap:create_app"  # named, not imported: it stands above this package
_GRACE_S = 10


def serve(host: str, port: int, workers: int) -> None:
    """Serve until interrupted; answers under way are finished first."""
    settings = Settings.from_env(os.environ)
    with ExitStack() as stack:
        if workers > 1:
            folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="fundstelle-metrics-"))
            # read by prometheus_client when the workers import it: one file a process
            os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        if settings.metrics_port is not None:
            server, _ = start_http_server(
                settings.metrics_port, "127.0.0.1", _choose_registry(workers)
            )
            stack.callback(server.shutdown)
        uvicorn.run(
            FACTORY,
            factory=True,
            host=host,
            port=port,
            workers=workers,
            loop="uvloop",
            http="httptools",
            ws="none",
            lifespan="on",
            access_log=False,
            log_level="warning",
            server_header=False,
            # the client's address counts for throttles alone; the base URL is a setting
            proxy_headers=bool(settings.trusted_proxies),
            forwarded_allow_ips=list(settings.trusted_proxies),
            timeout_graceful_shutdown=_GRACE_S,
        )


def _choose_registry(workers: int) -> CollectorRegistry:
    if workers == 1:
        return REGISTRY  # uvicorn runs the one worker in this process
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]  # shipped untyped
    return registry

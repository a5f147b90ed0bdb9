"""``fundstelle serve``."""

import click

from fundstelle.bootstrap.library import require_served
from fundstelle.settings import Settings
from fundstelle.web.serve import serve as run_server


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65_535))
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="Worker processes."
)
@click.pass_obj
def serve(settings: Settings, host: str, port: int, workers: int) -> None:
    """Serve the MCP endpoint at POST /mcp until Ctrl-C."""
    require_served(settings)
    run_server(host, port, workers)

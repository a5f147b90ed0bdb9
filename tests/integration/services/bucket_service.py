"""A service that speaks S3 on loopback, in a process of its own: moto's, as its package has it."""

import importlib.util
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

from tests.integration.services.databases import find_free_port, refuse

BUCKET = "builds"
KEYS = {"AWS_ACCESS_KEY_ID": "of-a-test", "AWS_SECRET_ACCESS_KEY": "of-a-test"}


@contextmanager
def start_bucket() -> Iterator[str]:
    """The address of a service with one bucket, empty."""
    for package in ("obstore", "moto", "flask_cors"):
        if importlib.util.find_spec(package) is None:
            refuse(package)
    port = find_free_port()
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as service:
        assert service.stderr is not None
        try:
            assert any(b"Running on" in line for line in service.stderr)
            address = f"http://127.0.0.1:{port}"
            request = urllib.request.Request(f"{address}/{BUCKET}", method="PUT")
            urllib.request.urlopen(request, timeout=30).close()
            yield address
        finally:
            service.kill()
            service.communicate()

"""nginx with the file of the documentation, on loopback and without privileges."""

import shutil
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.integration.services.databases import find_free_port, refuse

CONFIGURATION = Path(__file__).parents[3] / "deploy" / "nginx" / "fundstelle.conf"
_PROGRAM = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
_MAIN = """\
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/fundstelle.conf;
}}
"""


def adapt(written: str, port: int, servers: Sequence[int]) -> str:
    """The documentation's file with the addresses of a test, and without its certificate.

    Each line that is replaced must be there: else the file is not the one that was tried.
    """
    lines = {f"10.0.0.1{at}:8000": f"127.0.0.1:{one}" for at, one in enumerate(servers, 1)}
    lines |= {
        "listen 443 ssl;": f"listen 127.0.0.1:{port};",
        "    ssl_certificate /etc/ssl/law.example.com.pem;\n": "",
        "    ssl_certificate_key /etc/ssl/private/law.example.com.key;\n": "",
        "server_name law.example.com;": "server_name 127.0.0.1;",
        "proxy_set_header Host $host;": "proxy_set_header Host $http_host;",  # with a port
    }
    for line, other in lines.items():
        assert written.count(line) == 1, line
        written = written.replace(line, other)
    return written


@contextmanager
def start_proxy(folder: Path, servers: Sequence[int]) -> Iterator[int]:
    """nginx before servers on these ports; its own port."""
    if _PROGRAM is None:
        refuse("nginx")
    folder.mkdir()
    port = find_free_port()
    adapted = adapt(CONFIGURATION.read_text(encoding="utf-8"), port, servers)
    (folder / "fundstelle.conf").write_text(adapted, encoding="utf-8")
    (folder / "nginx.conf").write_text(_MAIN.format(folder=folder), encoding="utf-8")
    command = [_PROGRAM, "-e", str(folder / "start.log"), "-p", str(folder)]
    command += ["-c", str(folder / "nginx.conf")]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as nginx:
        try:
            _wait_for(port, nginx)
            yield port
        finally:
            nginx.terminate()
            nginx.wait(timeout=30)


def _wait_for(port: int, nginx: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + 30
    while nginx.poll() is None and time.monotonic() < deadline:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5).close()
        except urllib.error.HTTPError:  # it answers, whether or not a server stands behind it
            return
        except OSError:
            signal.sigtimedwait([], 0.05)
    raise AssertionError("nginx did not start")

"""nginx on loopback that takes TLS and a password, before a node that knows neither."""

import getpass
import shutil
import signal
import socket
import subprocess
from base64 import b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

from cryptography import x509

from tests.integration.services.authority import Authority
from tests.integration.services.databases import find_free_port, refuse

USER, PASSWORD = "fundstelle", "@/:p%C3 äß wort"  # signs that an address must have encoded
_PROGRAM = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
_WAITS = 300  # of a tenth of a second
_MAIN = """\
daemon off;
user {user};
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_max_body_size 100m;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    auth_basic search;
    auth_basic_user_file {folder}/users;
    proxy_read_timeout 60s;
{servers}
}}
"""
_SERVER = """\
    server {{
        listen 127.0.0.1:{port} ssl;
        ssl_certificate {certificate};
        ssl_certificate_key {certificate};
        location / {{ proxy_pass http://127.0.0.1:{node}; }}
    }}
"""


@dataclass(frozen=True)
class Front:
    """The ports of one proxy by the certificate that each shows, and who signed all of them.

    ``plain`` is that of the node itself, which knows no TLS.
    """

    ports: dict[str, int]
    ca: Path
    stranger: Path
    log: Path


@contextmanager
def start_front(folder: Path, node: int) -> Iterator[Front]:
    """nginx before the node on that port: one certificate is good, one old, one of another name."""
    if _PROGRAM is None:
        refuse("nginx")
    authority, stranger = Authority(folder, "authority"), Authority(folder, "stranger")
    certificates = {
        "good": authority.sign("good"),
        "old": authority.sign("old", days=-1),
        "other": authority.sign("other", x509.DNSName("search.example")),
    }
    ports = {name: find_free_port() for name in certificates}
    servers = [
        _SERVER.format(port=ports[name], certificate=path, node=node)
        for name, path in certificates.items()
    ]
    hashed = b64encode(sha1(PASSWORD.encode(), usedforsecurity=False).digest()).decode()
    (folder / "users").write_text(f"{USER}:{{SHA}}{hashed}\n", encoding="utf-8")
    main = _MAIN.format(folder=folder, servers="".join(servers), user=getpass.getuser())
    (folder / "nginx.conf").write_text(main, encoding="utf-8")
    command = [_PROGRAM, "-e", str(folder / "error.log"), "-p", str(folder)]
    with subprocess.Popen([*command, "-c", str(folder / "nginx.conf")]) as nginx:
        try:
            for port in ports.values():
                _wait_for(port, nginx)
            yield Front(
                {**ports, "plain": node}, authority.file, stranger.file, folder / "error.log"
            )
        finally:
            nginx.terminate()
            nginx.wait(timeout=30)


def _wait_for(port: int, nginx: "subprocess.Popen[bytes]") -> None:
    for _ in range(_WAITS):
        assert nginx.poll() is None, "nginx has ended"
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            signal.sigtimedwait([], 0.1)
        else:
            return
    raise TimeoutError("nginx does not answer")

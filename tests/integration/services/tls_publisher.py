"""A publisher with a certificate, and a network in which all addresses lead to it."""

import re
import socket
import ssl
import threading
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpcore
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PUBLIC = "93.184.215.14"


@dataclass
class Publisher:
    """A TLS server on loopback that says what it is told to say, and counts who comes."""

    context: ssl.SSLContext
    answer: bytes = b""
    drip_s: float = 0.0
    sent: int = 0
    asked: list[bytes] = field(default_factory=list)
    stop: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def say(
        self,
        body: bytes,
        status: str = "200 OK",
        kind: str = "application/json",
        *headers: str,
    ) -> None:
        lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}"]
        self.answer = "\r\n".join([*lines, *headers, "", ""]).encode() + body

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self.socket.accept()
                with (
                    suppress(OSError),
                    self.context.wrap_socket(connection, server_side=True) as secure,
                ):
                    self.asked.append(_receive(secure))
                    self._send(secure)

    def _send(self, secure: ssl.SSLSocket) -> None:
        if not self.drip_s:
            secure.sendall(self.answer)
            return
        for byte in self.answer:
            if self.stop.wait(self.drip_s):
                return
            secure.sendall(bytes([byte]))
            self.sent += 1

    def close(self) -> None:
        self.stop.set()
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join(5)


def _receive(secure: ssl.SSLSocket) -> bytes:
    """The request with its body, or as much of it as comes."""
    asked = b""
    while part := secure.recv(4096):
        asked += part
        head, ended, body = asked.partition(b"\r\n\r\n")
        size = re.search(rb"(?i)\r\ncontent-length: (\d+)", head)
        if ended and len(body) >= (int(size[1]) if size else 0):
            break
    return asked


@dataclass
class Network(httpcore.SyncBackend):
    """What names lead to, and where connections went."""

    publisher: Publisher
    answers: list[Sequence[str]] = field(default_factory=lambda: [[PUBLIC]])
    resolved: list[str] = field(default_factory=list)
    connected: list[tuple[str, int]] = field(default_factory=list)
    deaf: Collection[str] = ()  # addresses where nobody listens

    def resolve(self, host: str) -> Sequence[str]:
        self.resolved.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        self.connected.append((host, port))
        if host in self.deaf:
            raise httpcore.ConnectError(host)
        here, there = self.publisher.socket.getsockname()
        return super().connect_tcp(here, there, timeout, local_address, socket_options)


def make_certificate(folder: Path, host: str, days: float = 1, since: float = 1) -> Path:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=since))
        .not_valid_after(now + timedelta(days=days))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / f"{host}.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path


@contextmanager
def publishing(certificate: Path) -> Iterator[Network]:
    """A network on which every address is that of one publisher."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    publisher = Publisher(context)
    try:
        yield Network(publisher)
    finally:
        publisher.close()

"""The certificate that a server shows, as a client meets it."""

import socket
import ssl
from datetime import UTC, datetime
from urllib.parse import urlsplit

import httpcore

from fundstelle.net.client import NoAnswer

_HTTPS = 443


class BadCertificate(NoAnswer):
    """There is a certificate, and no client takes it; the message says why."""

    code = "bad_certificate"


def read_validity(
    url: str, seconds: float, trust: ssl.SSLContext | None = None
) -> tuple[datetime, datetime]:
    """The moments (UTC) between which the certificate of an ``https`` server is valid.

    Args:
        url: of the server.
        seconds: for each step of the exchange.
        trust: checks it; by default the public authorities, and those of the system's store.

    Raises:
        BadCertificate: it is expired, of another name, or of nobody who is trusted.
        NoAnswer: nobody answers, or not by TLS.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    context = trust or httpcore.default_ssl_context()
    try:
        with (
            socket.create_connection((host, parts.port or _HTTPS), timeout=seconds) as plain,
            context.wrap_socket(plain, server_hostname=host) as secure,
        ):
            shown = secure.getpeercert() or {}
            starts, ends = (
                datetime.fromtimestamp(ssl.cert_time_to_seconds(str(shown[name])), UTC)
                for name in ("notBefore", "notAfter")
            )
    except ssl.SSLCertVerificationError as error:
        raise BadCertificate(error.verify_message) from error
    except (OSError, ValueError, KeyError) as error:
        raise NoAnswer(f"{type(error).__name__}: {error}") from error
    return starts, ends

"""Client ID Metadata Documents (draft-ietf-oauth-client-id-metadata-document-02).

Copies of the well-known clients' documents stand in ``data/clients.json``: some publishers refuse
cloud hosts, and a firewalled server cannot fetch at all. Others are fetched, if that is allowed.
"""

import ipaddress
import logging
import math
import re
import time
from collections.abc import Callable, Collection, Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Any
from urllib.parse import urlsplit

import orjson

from fundstelle.accounts.database.schema_oauth import CLIENT_ID_CHARS
from fundstelle.accounts.names import NAME_CHARS, is_name, tidy_name
from fundstelle.accounts.oauth.clients import DOCUMENT, Client
from fundstelle.accounts.oauth.public_keys import holds_private_key
from fundstelle.accounts.oauth.redirect_uris import PRIVATE_SCHEMES, check_redirect_uris
from fundstelle.errors import InvalidArgument
from fundstelle.net.client import NoAnswer
from fundstelle.oauth.document_fetch import METADATA, DocumentFetch
from fundstelle.oauth.kept_documents import KeptDocuments

METHODS = ("none", "private_key_jwt")
_MOST_CACHED = 1_000
_SECRETS = ("client_secret", "client_secret_expires_at")
_PATH = re.compile(r"/[A-Za-z0-9._~!$&'()*+,;=:@%/-]+")
_HOST = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*")

_log = logging.getLogger(__name__)


class ClientDocuments:
    """Clients whose id is the address of their metadata.

    Args:
        fetch: fetches documents that are not built in; ``None`` = never.
        clock: seconds since the epoch.
        private_schemes: that redirect addresses of programs may have.
    """

    def __init__(
        self,
        fetch: DocumentFetch | None = None,
        clock: Callable[[], float] = time.time,
        private_schemes: Collection[str] = PRIVATE_SCHEMES,
    ) -> None:
        read = partial(read_document, private_schemes=frozenset(private_schemes))
        self._kept = KeptDocuments(fetch, METADATA, read, clock, _MOST_CACHED)

    def find(self, client_id: str, sender: str) -> Client | None:
        """The client of this address: built in, cached or fetched; ``None`` if there is none.

        Why there is none is logged and nowhere else: it would describe our network.
        """
        if client_id not in load_built_in() and not is_document_address(client_id):
            return None
        try:
            return self.read(client_id, sender)
        except NoAnswer as error:
            _log.info("the document of a client was not fetched: %s", error)
        except InvalidArgument as error:
            _log.info("the document of a client cannot be used: %s", error)
        return None

    def read(
        self, client_id: str, sender: str, most_age_s: float = math.inf, pause_s: float = 0
    ) -> Client:
        """The same, as its document said less than ``most_age_s`` ago.

        Args:
            client_id: the address of its document.
            sender: the network for whose sake it may be fetched.
            most_age_s: what was read longer ago is read anew.
            pause_s: for so long a host that gave no answer is left alone.

        Raises:
            NoAnswer: it was not fetched.
            InvalidArgument: it describes no client.
        """
        if (known := load_built_in().get(client_id)) is not None:
            return known
        return self._kept.get(client_id, sender, most_age_s, pause_s)

    def is_at_hand(self, client_id: str) -> bool:
        """Whether nothing needs to be fetched to answer for it."""
        return client_id in load_built_in() or self._kept.find(client_id) is not None


def is_document_address(client_id: str) -> bool:
    """Whether a client id is the address of a document that may be fetched."""
    if len(client_id) > CLIENT_ID_CHARS or not client_id.startswith("https://"):
        return False
    host, slash, rest = client_id.removeprefix("https://").partition("/")
    if not _HOST.fullmatch(host) or not _PATH.fullmatch(slash + rest):
        return False  # user, port, query and fragment are refused with it
    if any(part in {".", ".."} for part in rest.lower().replace("%2e", ".").split("/")):
        return False
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return True
    return False


def read_document(
    client_id: str, body: bytes, private_schemes: Collection[str] = PRIVATE_SCHEMES
) -> Client:
    """The client that a document describes.

    Raises:
        InvalidArgument: it describes none, or not the one of this address.
    """
    try:
        document = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise InvalidArgument("the document is not JSON") from None
    if not isinstance(document, dict) or document.get("client_id") != client_id:
        raise InvalidArgument("the document is of another client")
    if any(name in document for name in _SECRETS) or holds_private_key(document.get("jwks")):
        raise InvalidArgument("the document holds a secret")
    uris = document.get("redirect_uris")
    if not isinstance(uris, list) or not uris:
        raise InvalidArgument("the document has no redirect addresses")
    if not isinstance(document.get("grant_types", []), list):
        raise InvalidArgument("the document's grant_types are no list")
    return Client(
        id=client_id,
        kind=DOCUMENT,
        name=clean_name(document.get("client_name")) or urlsplit(client_id).netloc,
        redirect_uris=check_redirect_uris(uris, private_schemes),
        auth_methods=_read_methods(document),
        document=document,
    )


def clean_name(name: object) -> str:
    """What a client calls itself, without what a page would not show; empty if that is no name."""
    if not isinstance(name, str):
        return ""
    shown = tidy_name("".join(c if c.isprintable() else " " for c in name))[:NAME_CHARS].strip()
    return shown if is_name(shown) else ""


def _read_methods(document: Mapping[str, Any]) -> tuple[str, ...]:
    """Both spellings: one method, or a list (ChatGPT)."""
    listed = document.get("token_endpoint_auth_methods_supported")
    single = document.get("token_endpoint_auth_method")
    named = listed if isinstance(listed, list) else [single or "none"]
    methods = tuple(method for method in METHODS if method in named)
    if not methods or (single is not None and single not in METHODS):
        raise InvalidArgument("the document asks for a way to authenticate that needs a secret")
    return methods


@cache
def load_built_in() -> Mapping[str, Client]:
    """The copies that come with this version, by client id."""
    table = files("fundstelle.oauth").joinpath("data", "clients.json").read_bytes()
    clients = [read_document(one["client_id"], orjson.dumps(one)) for one in orjson.loads(table)]
    return {client.id: client for client in clients}

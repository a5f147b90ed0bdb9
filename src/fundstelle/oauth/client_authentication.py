"""Which client sends a form, and how it shows that (RFC 6749 §2.3, RFC 7523 §2.2)."""

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import unquote_plus

from fundstelle.accounts.oauth.clients import DOCUMENT, SECRET_METHODS, Client, Clients
from fundstelle.accounts.oauth.grants import Grants
from fundstelle.oauth import assertions
from fundstelle.oauth.assertions import Assertions
from fundstelle.oauth.client_documents import ClientDocuments
from fundstelle.oauth.errors import away, invalid_client, invalid_request

_SCHEME = "basic "


@dataclass(frozen=True, slots=True)
class Presented:
    """What a form says of its sender."""

    client_id: str
    secret: str | None
    assertion: str | None
    by_header: bool


class ClientAuthentication:
    """Finds the client of a form and checks that it is the sender."""

    def __init__(
        self, clients: Clients, documents: ClientDocuments, grants: Grants, proofs: Assertions
    ) -> None:
        self._clients = clients
        self._documents = documents
        self._grants = grants
        self._proofs = proofs

    def find_client(self, client_id: str, sender: str) -> Client | None:
        """The client of an id: a row of ours, or a metadata document."""
        if not client_id.isprintable():
            return None
        if client_id.startswith("https://"):
            return self._documents.find(client_id, sender)
        return self._clients.find(client_id)

    def authenticate(self, form: Mapping[str, str], header: str | None, sender: str) -> Client:
        """The client that sends this form.

        Args:
            form: what it says.
            header: ``Authorization``.
            sender: the network that it comes from, for whose sake something may be fetched.

        Raises:
            OAuthError: ``invalid_client``, ``invalid_request`` for several ways at once, or
                ``temporarily_unavailable`` where its document or its keys cannot be read.
        """
        presented = read_presented(form, header)
        client = self._find_own(presented.client_id, sender)
        if client is None or not self._is_shown(client, presented, sender):
            raise invalid_client(
                "the client is unknown or has not shown who it is", by_header=presented.by_header
            )
        return client

    def _find_own(self, client_id: str, sender: str) -> Client | None:
        """Nobody makes us fetch a document by a form for a client that was never allowed."""
        if client_id.isprintable() and client_id.startswith("https://"):
            at_hand = self._documents.is_at_hand(client_id)
            if not at_hand and not self._grants.has_client(client_id):
                return None
            client = self._documents.find(client_id, sender)
            if client is None:
                # Its publisher may be away for a moment: the client shall keep its tokens.
                raise away("the client's document cannot be read now")
            return client
        return self.find_client(client_id, sender)

    def _is_shown(self, client: Client, presented: Presented, sender: str) -> bool:
        if presented.assertion is not None:
            is_allowed = "private_key_jwt" in client.auth_methods
            return is_allowed and self._proofs.is_good(client, presented.assertion, sender)
        if presented.secret:
            if client.kind == DOCUMENT or SECRET_METHODS[0] not in client.auth_methods:
                return False
            return self._clients.has_secret(client.id, presented.secret)
        return "none" in client.auth_methods


def read_presented(form: Mapping[str, str], header: str | None) -> Presented:
    """The one way in which the sender authenticates; a bare client id is one of them.

    Raises:
        OAuthError: there is none, or more than one.
    """
    assertion = form.get("client_assertion")
    secret = form.get("client_secret") or None
    if (header is not None) + (assertion is not None) + (secret is not None) > 1:
        raise invalid_request("the client authenticates in more than one way")
    if header is not None:
        client_id, secret = _read_basic(header)
        if form.get("client_id", client_id) != client_id:
            raise invalid_request("the header and the form name different clients")
        return Presented(client_id, secret, None, by_header=True)
    client_id = form.get("client_id") or ""
    if assertion is not None:
        if form.get("client_assertion_type") != assertions.TYPE:
            raise invalid_request("this client_assertion_type is not known")
        subject = assertions.read_subject(assertion) or ""
        if client_id not in {"", subject}:
            raise invalid_client("the assertion is another client's")
        client_id = subject
    if not client_id:
        raise invalid_client("no client_id")
    return Presented(client_id, secret, assertion, by_header=False)


def _read_basic(header: str) -> tuple[str, str]:
    """Client id and secret, each form-encoded (RFC 6749 §2.3.1)."""
    if not header.lower().startswith(_SCHEME):
        raise invalid_client("only Basic authenticates clients", by_header=True)
    try:
        text = base64.b64decode(header[len(_SCHEME) :].strip(), validate=True).decode()
    except (binascii.Error, ValueError):
        raise invalid_client("the header cannot be read", by_header=True) from None
    client_id, colon, secret = text.partition(":")
    if not colon:
        raise invalid_client("the header cannot be read", by_header=True)
    return unquote_plus(client_id), unquote_plus(secret)

"""The keys of clients that sign: in their registration, in their document, or published apart."""

import logging
from collections.abc import Callable, Iterator

import orjson
from joserfc.jwk import KeySet

from fundstelle.accounts.oauth.clients import DOCUMENT, Client
from fundstelle.accounts.oauth.public_keys import import_public_keys
from fundstelle.errors import InvalidArgument
from fundstelle.net.client import NoAnswer
from fundstelle.oauth.client_documents import ClientDocuments, is_document_address
from fundstelle.oauth.document_fetch import KEY_SET, DocumentFetch
from fundstelle.oauth.errors import away
from fundstelle.oauth.kept_documents import KeptDocuments

LONGEST_AGE_S = 600  # a key that was taken out is refused after that
PAUSE_S = 60  # between two questions for a key that is not there
FAILURE_PAUSE_S = 5  # after a host that gave no answer
_MOST_SETS = 50  # a hundred RSA keys take half a megabyte

_log = logging.getLogger(__name__)


class ClientKeys:
    """Finds the keys of clients that authenticate by ``private_key_jwt``.

    Args:
        documents: of clients, which may hold their keys.
        fetch: fetches keys that are published apart; ``None`` = never.
        clock: seconds since the epoch.
    """

    def __init__(
        self,
        documents: ClientDocuments,
        fetch: DocumentFetch | None,
        clock: Callable[[], float],
    ) -> None:
        self._documents = documents
        self._sets = (
            None if fetch is None else KeptDocuments(fetch, KEY_SET, read_set, clock, _MOST_SETS)
        )

    def list(self, client: Client, sender: str) -> Iterator[KeySet]:
        """The client's keys; for whoever finds none that fits and goes on, as they are now.

        What was read within ``PAUSE_S`` is taken for how they are now: anybody can send what is
        signed by no key. There are none at all if the client has named none that may be fetched.

        Args:
            client: whose.
            sender: the network for whose sake they may be fetched.

        Raises:
            OAuthError: 503, they cannot be had.
        """
        before = None
        for most_age_s in (LONGEST_AGE_S, PAUSE_S):
            try:
                keys = self._find(client, sender, most_age_s)
            except (NoAnswer, InvalidArgument) as error:
                _log.info("the keys of a client were not read: %s", error)
                # They may have been the right ones: the client shall keep its tokens.
                raise away("the client's keys cannot be read now") from None
            if keys is None or keys == before:
                return
            yield keys
            before = keys

    def _find(self, client: Client, sender: str, most_age_s: float) -> KeySet | None:
        given = client.document.get("jwks")
        if isinstance(given, dict) and client.kind == DOCUMENT:
            client = self._documents.read(client.id, sender, most_age_s, FAILURE_PAUSE_S)
            given = client.document.get("jwks")
        if isinstance(given, dict):
            return KeySet([*import_public_keys(given)])
        address = client.document.get("jwks_uri")
        if self._sets is None or not isinstance(address, str) or not is_document_address(address):
            return None
        return self._sets.get(address, sender, most_age_s, FAILURE_PAUSE_S)


def read_set(_address: str, body: bytes) -> KeySet:
    """The keys of a JWK set; one without keys is one, too.

    Raises:
        InvalidArgument: it is none.
    """
    try:
        published = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise InvalidArgument("the set of keys is not JSON") from None
    if not isinstance(published, dict) or not isinstance(published.get("keys"), list):
        raise InvalidArgument("this is no set of keys")
    return KeySet([*import_public_keys(published)])

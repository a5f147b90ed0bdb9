"""Who was signed in with which cookie lately, so that they are not counted as strangers."""

import threading
from collections import OrderedDict

from fundstelle.accounts.secrets import hash_secret

_MOST_KNOWN = 10_000


class SignedIn:
    """Who was signed in with which cookie lately; cookies are kept as hashes."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, str] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, cookie: str, person: str) -> None:
        """A person is signed in with this cookie; the one not seen for longest is forgotten."""
        digest = hash_secret(cookie)
        with self._lock:
            self._known[digest] = person
            self._known.move_to_end(digest)
            if len(self._known) > _MOST_KNOWN:
                self._known.popitem(last=False)

    def discard(self, cookie: str) -> None:
        """Nobody is signed in with this cookie any more."""
        with self._lock:
            self._known.pop(hash_secret(cookie), None)

    def find(self, cookie: str) -> str | None:
        """The id of the person who was signed in with this cookie, if anybody was."""
        return self._known.get(hash_secret(cookie))

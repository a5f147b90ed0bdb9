"""Answers that nobody reads: how many bytes of them lie here for each seat.

Nothing is counted while bytes flow: a connection tells how much lies in it, and is asked only if it
held more than a little when its last answer was written.

A key is refused until it has read. Pages have no key: of a network of readers those connections end
in which an answer has lain longest, so that who comes new from there still gets a page.
"""

from collections.abc import Callable
from typing import Any

from fundstelle.web.messages import Scope

MOST_BYTES = 16 * 2**20
"""Of a seat, in one process. One more answer may lie beyond it: its size is known when it is made.

The largest answer has some hundred thousand bytes, a batch about a million, a page three.
"""
EXTENSION = "fundstelle.unread"
"""Of an ASGI scope: ``count`` gives the bytes in the connection, ``abort`` ends it at once."""

_LITTLE = 16 * 1024  # less may lie in each connection, of which there are a few hundred

Count = Callable[[], int]


class Unread:
    """The connections of each seat in which answers lie."""

    def __init__(self) -> None:
        self._held: dict[str, dict[Count, Callable[[], None]]] = {}  # longest first

    def is_too_much(self, seat: str) -> bool:
        """Whether so much of this seat lies unread that nothing more is worked out for it."""
        held = self._held.get(seat)
        return held is not None and self._measure(seat, held) > MOST_BYTES

    def note(self, seat: str, scope: Scope) -> None:
        """An answer was written: remember its connection if much lies in it."""
        extensions: dict[str, Any] = scope.get("extensions") or {}
        extension = extensions.get(EXTENSION)
        if extension is not None and extension["count"]() > _LITTLE:
            held = self._held.setdefault(seat, {})
            held.pop(extension["count"], None)
            held[extension["count"]] = extension["abort"]

    def make_room(self, seat: str) -> None:
        """End connections of this seat until no more than ``MOST_BYTES`` lie in them."""
        held = self._held.get(seat)
        if held is None:
            return
        lying = self._measure(seat, held)
        for count, abort in tuple(held.items()):
            if lying <= MOST_BYTES:
                return
            lying -= count()
            del held[count]
            abort()

    def sweep(self, _now: float = 0.0) -> None:
        """Forget the connections in which nothing lies any more."""
        for seat, held in tuple(self._held.items()):
            self._measure(seat, held)

    def _measure(self, seat: str, held: dict[Count, Callable[[], None]]) -> int:
        lying = 0
        for count in tuple(held):
            size = count()
            lying += size
            if not size:
                del held[count]
        if not held:
            del self._held[seat]
        return lying

"""Answers that nobody reads: how many bytes of them lie here for each seat.

Nothing is counted while bytes flow: a connection tells how much lies in it, and is asked only if it
held more than a little when its last answer was written.
"""

from collections.abc import Callable
from typing import Any

from fundstelle.web.messages import Scope

MOST_BYTES = 16 * 2**20
"""Of a seat, in one process. One more answer may lie beyond it: its size is known when it is made.

The largest answer has some hundred thousand bytes, a batch about a million.
"""
EXTENSION = "fundstelle.unread"
"""Of an ASGI scope: ``{"count": ...}``, a callable that gives the bytes in the connection."""

_LITTLE = 16 * 1024  # less may lie in each connection, of which there are a few hundred

Count = Callable[[], int]


class Unread:
    """The connections of each seat in which answers lie."""

    def __init__(self) -> None:
        self._held: dict[str, set[Count]] = {}

    def is_too_much(self, seat: str) -> bool:
        """Whether so much of this seat lies unread that nothing more is worked out for it."""
        held = self._held.get(seat)
        return held is not None and self._measure(seat, held) > MOST_BYTES

    def note(self, seat: str, scope: Scope) -> None:
        """An answer was written: remember its connection if much lies in it."""
        extensions: dict[str, Any] = scope.get("extensions") or {}
        extension = extensions.get(EXTENSION)
        if extension is not None and extension["count"]() > _LITTLE:
            self._held.setdefault(seat, set()).add(extension["count"])

    def sweep(self, _now: float = 0.0) -> None:
        """Forget the connections in which nothing lies any more."""
        for seat, held in tuple(self._held.items()):
            self._measure(seat, held)

    def _measure(self, seat: str, held: set[Count]) -> int:
        lying = 0
        for count in tuple(held):
            size = count()
            lying += size
            if not size:
                held.discard(count)
        if not held:
            del self._held[seat]
        return lying

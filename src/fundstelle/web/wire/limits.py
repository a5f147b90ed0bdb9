"""How much one client may send, and how long it may take. Seconds are turns of the sweeper."""

from dataclasses import dataclass, field

from fundstelle.web.wire.peers import Trusted

HEADERS = 128
HEAD_BYTES = 64 * 1024
"""All headers of a request together: names and values."""
URL_BYTES = 16 * 1024
PATH_BYTES = 2 * 1024
"""Of an address before its query: the longest of ours has some hundred, and to decode 16 KB takes a
millisecond on the event loop."""
QUERY_FIELDS = 64
"""Fields of an address: a form of ours has ten, and reading thousands takes milliseconds."""
PIECES = 1_000
PIECE_BYTES = 64
"""A body may come in so many chunks more than packets, or where they have so many bytes each."""
PIPELINED = 16
"""Requests that may wait on one connection behind the one that is being answered."""

HEAD_S = 10
"""From the first byte (or the connection) to the end of the headers."""
BODY_S = 15
KEEP_ALIVE_S = 5
"""How long a connection may rest between two requests."""
UNREAD_S = 30
"""How long a client may leave an answer lying; ``UNREAD_BYTES`` must go meanwhile."""
UNREAD_BYTES = 16 * 1024
UNSENT_BYTES = 64 * 1024
"""What the system may hold of an answer before the client takes it; the rest lies here, counted."""
LINGER_S = 5
"""How long what a refused client still sends is thrown away, so that it can read the refusal."""
LINGER_BYTES = 64 * 1_048_576

RESERVE = 64
"""Connections beyond the limit whose heads are read all the same: one may ask for the health."""
RESERVE_S = 2


@dataclass(frozen=True, slots=True)
class Limits:
    """What an operator sets, for each worker."""

    connections: int
    body_bytes: int
    trusted: Trusted = field(default_factory=Trusted)

    @property
    def raw_bytes(self) -> int:
        """Of a whole message as sent, with the framing of its chunks."""
        return 2 * (self.body_bytes + HEAD_BYTES)

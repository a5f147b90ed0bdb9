"""Connections to PostgreSQL on which no answer is waited for without end.

A server that is frozen still acknowledges what is sent to it: its kernel does. Neither its own
``statement_timeout`` nor any timeout of TCP ends such a wait, so the client has to.
"""

import time
from typing import Any

from psycopg import Connection, OperationalError
from psycopg.abc import RV, PQGen
from psycopg.rows import TupleRow

_MOMENT_S = 0.5


class NoAnswer(OperationalError):
    """The server has not answered in time; the connection is closed."""


class BoundedConnection(Connection[TupleRow]):
    """A connection that gives up on a server that does not answer, and is closed then."""

    usual_patience_s = 2.5  # a little more than the server's own timeout, whose answer says more
    ping_patience_s = 1.0  # who finds that it is dead still has to wait for a new one
    patience_s = usual_patience_s

    def wait(self, gen: PQGen[RV], *args: Any, **kwargs: Any) -> RV:
        """Run one exchange with the server to its end.

        Raises:
            NoAnswer: the server took too long.
        """
        try:
            return super().wait(_give_up(gen, self.patience_s), *args, **kwargs)
        except NoAnswer:
            self.pgconn.finish()
            raise


def _give_up(gen: PQGen[RV], patience_s: float) -> PQGen[RV]:
    """The same exchange, to its end; psycopg wakes it up ten times a second when nothing comes.

    The server ends a statement sooner, its rows with it: what goes on coming is no answer. What is
    there when time is over may have come while this process stood still: it is taken, in a moment.
    """
    deadline = time.monotonic() + patience_s
    is_over = False
    try:
        state = next(gen)
        while True:
            ready = yield state
            if time.monotonic() >= deadline:
                if is_over or not ready:
                    raise NoAnswer(f"no answer within {patience_s:g} s")
                is_over, deadline = True, time.monotonic() + _MOMENT_S
            state = gen.send(ready)
    except StopIteration as done:
        value: RV = done.value
        return value

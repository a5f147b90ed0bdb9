"""Answers lines from the build on this machine: the engine itself, no server and no key."""

from collections.abc import Callable
from itertools import count

from fundstelle.errors import CorpusError, NoCorpus
from fundstelle.mcp.engine import Engine
from fundstelle.mcp.errors import INTERNAL_ERROR, ProtocolError
from fundstelle.mcp.stdio.lines import Asked, split
from fundstelle.tools.spec import CallContext

_WHO = "stdio"


class Local:
    """Asks the engine of the live build, and that of the next one when it has been made live.

    Args:
        poll: gives a new engine when another build has been made live, else ``None``; raises
            ``CorpusError`` where there is none that can be opened.
    """

    def __init__(self, poll: Callable[[], Engine | None]) -> None:
        self._poll = poll
        self._engine: Engine | None = None
        self._numbers = count(1)

    def ask(self, asked: Asked) -> list[bytes]:
        """The lines that answer."""
        try:
            engine = self._refresh()
        except CorpusError as error:
            return asked.refuse(ProtocolError(INTERNAL_ERROR, str(error)))
        context = CallContext(f"{_WHO}-{next(self._numbers)}", _WHO)
        reply = engine.handle(asked.headers, asked.body, context, lambda _: None)
        return (split(reply.content_type.decode(), reply.body) or []) if reply.body else []

    def close(self) -> None:
        """Let go of the build."""
        if self._engine is not None:
            self._engine.close()

    def _refresh(self) -> Engine:
        """The engine to ask.

        Raises:
            CorpusError: there is no build, or none that can be opened, and was none before.
        """
        try:
            found = self._poll()
        except CorpusError:
            if self._engine is None:
                raise
            return self._engine  # as a server does: the last one goes on answering
        if found is not None:
            self.close()
            self._engine = found
        if self._engine is None:
            raise NoCorpus(
                "there is no corpus yet; build one with 'fundstelle ingest', or name the folder of"
                " one in FUNDSTELLE_DATA"
            )
        return self._engine

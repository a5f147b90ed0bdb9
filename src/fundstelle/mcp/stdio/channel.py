"""Moves lines between a client and who answers them; ends with the client's input."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

from fundstelle.mcp.stdio.lines import Answered, Asked, Conversation, refuse_long

AT_ONCE = 4
"""Requests under way to a server; a client that sends more waits."""

_PART_BYTES = 65_536

Ask = Callable[[Asked], list[bytes]]


class Channel:
    """One client's lines.

    Args:
        source: its lines.
        sink: the answers, one message a line; nothing else is ever written there.
        ask: answers one request.
        limit_bytes: of a line; what is longer is read past and refused.
    """

    def __init__(self, source: BinaryIO, sink: BinaryIO, ask: Ask, limit_bytes: int) -> None:
        self._source = source
        self._sink = sink
        self._ask = ask
        self._limit_bytes = limit_bytes
        self._conversation = Conversation()
        self._writing = threading.Lock()

    def run(self) -> None:
        """Answer one line after the other, in this thread.

        Raises:
            BrokenPipeError: the client reads no more.
        """
        for asked in self._iter_asked():
            self._answer(asked)

    def run_at_once(self, at_once: int = AT_ONCE) -> None:
        """Answer several at a time, in the order in which their answers come.

        A handshake is answered before the next line is read, since what follows depends on it.

        Raises:
            BrokenPipeError: the client reads no more.
        """
        places = threading.Semaphore(at_once)
        gone = threading.Event()

        def work(asked: Asked) -> None:
            try:
                self._answer(asked)
            except BrokenPipeError:
                gone.set()
            finally:
                places.release()

        with ThreadPoolExecutor(at_once, "stdio") as pool:
            for asked in self._iter_asked():
                places.acquire()
                if gone.is_set():
                    break
                if asked.method == "initialize":
                    work(asked)
                else:
                    pool.submit(work, asked)
        if gone.is_set():
            raise BrokenPipeError

    def _answer(self, asked: Asked) -> None:
        lines = self._ask(asked)
        self._conversation.learn(asked, lines)
        self._write(lines)

    def _iter_asked(self) -> Iterator[Asked]:
        for line in self._iter_lines():
            if line is None:
                self._write([refuse_long(self._limit_bytes)])
                continue
            try:
                yield self._conversation.read(line)
            except Answered as answered:
                self._write([answered.line])

    def _iter_lines(self) -> Iterator[bytes | None]:
        """Each line that is not empty; ``None`` for one that is too long."""
        while line := self._source.readline(self._limit_bytes + 2):
            whole = line.rstrip(b"\r\n")
            if len(whole) > self._limit_bytes:
                while not line.endswith(b"\n") and line:
                    line = self._source.readline(_PART_BYTES)
                yield None
            elif whole.strip():
                yield whole

    def _write(self, lines: list[bytes]) -> None:
        if lines:
            with self._writing:
                self._sink.write(b"".join(line + b"\n" for line in lines))
                self._sink.flush()

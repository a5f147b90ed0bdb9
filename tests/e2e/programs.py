"""Programs that ask for a browser: started with a home of their own, their words read as said."""

import os
import pty
import re
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Condition, Thread
from typing import IO

import pytest

_TIMEOUT_S = 60
_LINK = re.compile(r"http://127\.0\.0\.1:\d+/oauth/authorize\?[\x21-\x7e]+")
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07")


def find_codex(folder: Path) -> str:
    """Codex itself, without the launcher in front of it."""
    return str(next((folder / "node_modules" / "@openai").glob("codex-*/vendor/*/bin/codex")))


class Program:
    """A running program: what it has said so far, and what can be said to it."""

    def __init__(self, process: "subprocess.Popen[bytes]", output: IO[bytes]) -> None:
        self.process = process
        self._output = output
        self._said = b""
        self._more = Condition()
        self._reader = Thread(target=self._read)
        self._reader.start()

    def _read(self) -> None:
        while True:
            try:
                part = os.read(self._output.fileno(), 65_536)
            except OSError:  # how a terminal says that nobody writes to it any more
                part = b""
            with self._more:
                self._said += part
                self._more.notify_all()
            if not part:
                return

    @property
    def said(self) -> str:
        return _COLOURS.sub("", self._said.decode("utf-8", "replace"))

    def wait_for(self, pattern: "re.Pattern[str]") -> str:
        """The first that fits, with something after it, so that it is whole."""
        whole = re.compile(f"({pattern.pattern})\\s")
        with self._more:
            self._more.wait_for(
                lambda: whole.search(self.said) or not self._reader.is_alive(), _TIMEOUT_S
            )
        found = whole.search(self.said)
        if found is None:
            pytest.fail(f"{pattern.pattern} was not said, but:\n{self.said}")
        return found[1]

    def wait_for_link(self) -> str:
        """The address of our authorization endpoint that it wants opened."""
        return self.wait_for(_LINK)

    def say(self, line: str) -> None:
        """Write a line to it."""
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def wait(self) -> int:
        """Its exit code."""
        code = self.process.wait(timeout=_TIMEOUT_S)
        self._reader.join(timeout=_TIMEOUT_S)
        return code

    def close(self) -> None:
        """End it if it has not ended."""
        if self.process.stdin is not None:
            self.process.stdin.close()
        if self.process.poll() is None:
            self.process.terminate()
            try:
                self.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        self._reader.join()
        self._output.close()


def describe_environ(home: Path, **more: str) -> Mapping[str, str]:
    """An environment in which no program finds a browser or somebody's settings."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    return {**kept, "HOME": str(home), "BROWSER": "true", "NO_COLOR": "1", **more}


@contextmanager
def started(
    command: list[str], home: Path, *, terminal: bool = False, **environ: str
) -> Iterator[Program]:
    """A program with a home of its own, in a terminal if it wants one."""
    names = describe_environ(home, **environ)
    if terminal:
        ours, theirs = pty.openpty()
        output: IO[bytes] = os.fdopen(ours, "rb", buffering=0)
        process = subprocess.Popen(
            command, stdin=theirs, stdout=theirs, stderr=theirs, env=names, start_new_session=True
        )
        os.close(theirs)
    else:
        process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=names,
            start_new_session=True,
        )
        assert process.stdout is not None
        output = process.stdout
    program = Program(process, output)
    try:
        yield program
    finally:
        program.close()

"""A log whose reader stops reading: nobody waits, nothing is mixed, what is lost is said."""

import json
import logging
import os
import threading
from collections.abc import Iterator

import pytest

from fundstelle.web import pen
from fundstelle.web.pen import Pen, PenHandler
from fundstelle.web.request_log import RequestLog


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    reading, writing = os.pipe()
    yield reading, writing
    os.close(reading)
    os.close(writing)


def read_until(reading: int, end: bytes) -> bytes:
    found = b""
    while end not in found:
        found += os.read(reading, 1 << 16)
    return found


def test_lines_arrive_whole_and_in_order(pipe: tuple[int, int]) -> None:
    reading, writing = pipe
    one = Pen(writing)
    lines = [b"%d %s\n" % (number, b"x" * (number % 90)) for number in range(2_000)]
    for line in lines:
        one.write([line])
    assert read_until(reading, b"1999 " + b"x" * (1_999 % 90) + b"\n") == b"".join(lines)
    assert one.finish()


def test_requests_go_on_while_nobody_reads_the_log(pipe: tuple[int, int]) -> None:
    """A pipe holds 64 KB; the twenty thousand lines below come to some two megabytes."""
    reading, writing = pipe
    one = Pen(writing, most_bytes=200_000)
    log = RequestLog(one)
    done = threading.Event()

    def answer() -> None:
        for number in range(20_000):
            log.write({"request": log.next_id(), "number": number})
        done.set()

    threading.Thread(target=answer, daemon=True).start()
    assert done.wait(30), "an answer waits for the reader of the log"
    assert not one.finish(0.01)
    found = read_until(reading, b"lost_lines").decode()
    while not found.endswith("\n"):
        found += os.read(reading, 1 << 16).decode()
    assert one.finish()
    read = [json.loads(line) for line in found.splitlines()]
    lost = [line["lost_lines"] for line in read if "lost_lines" in line]
    numbers = [line["number"] for line in read if "number" in line]
    assert numbers == sorted(numbers)
    assert len(numbers) + sum(lost) == 20_000
    assert sum(lost) > 10_000


def test_a_log_that_is_closed_stops_nobody() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    one = Pen(writing)
    one.write([b"to nobody\n"])
    one.write([b"to nobody either\n"])
    assert one.finish()
    os.close(writing)


def test_where_no_thread_can_be_begun_the_next_line_tries_again(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = pipe
    one = Pen(writing)

    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    with monkeypatch.context() as patch:
        patch.setattr(threading.Thread, "start", refuse)
        one.write([b"first\n"])
    one.write([b"second\n"])
    assert one.finish()
    assert os.read(reading, 100) == b"first\nsecond\n"


def test_what_modules_say_goes_the_same_way(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, writing = pipe
    one = Pen(writing)
    monkeypatch.setattr(pen, "STDERR", one)
    handler = PenHandler()
    handler.handle(logging.makeLogRecord({"msg": "a %s with \udcff", "args": ("word",)}))
    handler.handle(logging.makeLogRecord({"msg": "%d", "args": ("no number",), "name": "some"}))
    assert one.finish()
    assert os.read(reading, 1_000) == (
        b"a word with \\udcff\na message of some could not be written\n"
    )

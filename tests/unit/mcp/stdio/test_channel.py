"""Lines in, answers out: bounded, in order where it matters, to the end of the input."""

import io
import json
import threading
from typing import cast

import pytest

from fundstelle.mcp.stdio.channel import Channel
from fundstelle.mcp.stdio.lines import Asked
from tests.protocol.client import legacy

LIMIT = 200


def echo(asked: Asked) -> list[bytes]:
    return [b'{"jsonrpc":"2.0","id":' + asked.id + b',"result":{}}'] if asked.id else []


class Counted(io.BytesIO):
    """Knows the most that was read at once."""

    most = 0

    def readline(self, size: int | None = -1, /) -> bytes:
        line = super().readline(size)
        self.most = max(self.most, len(line))
        return line


def encode(*messages: object) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in messages)


def test_an_endless_line_is_read_in_parts_and_refused_once() -> None:
    source = Counted(b"x" * 10_000_000 + b"\n" + encode(legacy("ping")))
    sink = io.BytesIO()
    Channel(source, sink, echo, LIMIT).run()
    refused, answered = map(json.loads, sink.getvalue().splitlines())
    assert "200 bytes" in refused["error"]["message"]
    assert answered["id"] == 1
    assert source.most <= 65_536


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
def test_a_line_as_long_as_may_be_is_taken_whatever_ends_it(end: bytes) -> None:
    empty = json.dumps(legacy("ping", {"a": ""})).encode()
    line = json.dumps(legacy("ping", {"a": "x" * (LIMIT - len(empty))})).encode()
    assert len(line) == LIMIT
    sink = io.BytesIO()
    Channel(io.BytesIO(line + end), sink, echo, LIMIT).run()
    assert json.loads(sink.getvalue())["id"] == 1


def test_several_are_under_way_at_once_but_nothing_overtakes_the_handshake() -> None:
    order: list[str] = []
    both = threading.Barrier(2)

    def ask(asked: Asked) -> list[bytes]:
        if asked.method == "ping":
            both.wait(10)  # breaks unless the two are asked at once
        order.append(asked.method)
        return echo(asked)

    source = encode(legacy("initialize"), legacy("ping", None, 2), legacy("ping", None, 3))
    sink = io.BytesIO()
    Channel(io.BytesIO(source), sink, ask, LIMIT).run_at_once(2)
    ids = [json.loads(line)["id"] for line in sink.getvalue().splitlines()]
    assert (order[0], ids[0], sorted(ids)) == ("initialize", 1, [1, 2, 3])


class Closed(io.BytesIO):
    def write(self, _: object, /) -> int:
        raise BrokenPipeError


def test_a_client_that_reads_no_more_ends_it() -> None:
    for run in (Channel.run, Channel.run_at_once):
        source = io.BytesIO(encode(*(legacy("ping", None, n) for n in range(50))))
        with pytest.raises(BrokenPipeError):
            run(Channel(source, cast("io.BytesIO", Closed()), echo, LIMIT))

"""Calls that do not end are cut; while calls take long, others are answered between them."""

import select
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.adversarial.attacker import build_head, call, connect, get
from tests.adversarial.endless_app import ENDLESS, PREFIX
from tests.e2e.server import find_free_port, wait_for
from tests.protocol.client import KEY

pytestmark = pytest.mark.e2e

SECRET = "Mandant Geheim"
CLIENTS = 8


@dataclass(frozen=True, slots=True)
class Endless:
    port: int
    log: Path


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Endless]:
    port = find_free_port()
    log = tmp_path_factory.mktemp("endless") / "log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.adversarial.endless_app", str(port)],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
        )
    try:
        wait_for(port, process)
        yield Endless(port, log)
    finally:
        process.terminate()
        process.wait(timeout=30)
    written = log.read_text(encoding="utf-8")
    assert SECRET not in written
    assert "Traceback" not in written


def _ask(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def _call(tool: str) -> dict[str, Any]:
    return _ask("tools/call", name=tool, arguments={"citation": SECRET})


@pytest.mark.parametrize("tool", ENDLESS)
def test_a_tool_that_does_not_end_is_cut_with_an_error_to_act_on(
    endless: Endless, tool: str
) -> None:
    result = call(endless.port, KEY, _call(tool)).json["result"]
    error = orjson.loads(result["content"][0]["text"])["error"]
    assert result["isError"] is True
    assert error["code"] == "INTERNAL"
    assert error["message"].endswith("try a shorter one")
    assert call(endless.port, KEY, _call("rest")).json["result"]["isError"] is False


@pytest.mark.parametrize(
    "message",
    [
        _ask("resources/read", uri=PREFIX + SECRET),
        _ask("prompts/get", name="p", arguments={"question": SECRET}),
        _ask(
            "completion/complete",
            ref={"type": "ref/prompt", "name": "p"},
            argument={"name": "question", "value": SECRET},
        ),
    ],
    ids=lambda message: message["method"],
)
def test_whatever_is_worked_out_is_cut(endless: Endless, message: dict[str, Any]) -> None:
    error = call(endless.port, KEY, message).json["error"]
    assert error["code"] == -32603
    assert error["message"].endswith("try a shorter one")


def test_a_batch_has_one_budget(endless: Endless) -> None:
    batch = [{**_call(tool), "id": tool} for tool in ("rest", "loop", "rest", "match")]
    answers = call(endless.port, KEY, batch).json
    first, cut, *left = answers
    assert not first["result"]["isError"]
    assert cut["id"] == "loop"
    assert cut["result"]["isError"]
    assert [answer["id"] for answer in left] == ["rest", "match"]
    assert all("alone" in answer["error"]["message"] for answer in left)  # nothing is left for them


def test_the_log_names_the_shape_of_what_took_long(endless: Endless) -> None:
    call(endless.port, KEY, _call("loop"))
    lines = endless.log.read_text(encoding="utf-8").splitlines()
    slow = [line for line in lines if "of the processor" in line]
    assert any(line.startswith("loop took ") for line in slow)
    assert slow[-1].endswith(f"its arguments: citation: text of {len(SECRET)}")


def test_the_health_is_told_between_two_long_calls(endless: Endless) -> None:
    """By the order of what comes back: no clock is asked."""
    body = orjson.dumps(_call("work"))
    head = build_head(
        endless.port,
        authorization=f"Bearer {KEY}",
        content_type="application/json",
        content_length=str(len(body)),
    )
    with ExitStack() as stack:
        clients = [stack.enter_context(connect(endless.port)) for _ in range(CLIENTS)]
        for client in clients:
            client.sendall(head + b"\r\n" + body)
        waiting = set(clients)
        passed = []
        while len(waiting) > 2:  # the first long call is answered: ask while the others wait
            _wait_for_one(waiting)
            before = len(waiting)
            assert get(endless.port, "/healthz").status == 200
            ready, _, _ = select.select(list(waiting), [], [], 0)
            passed.append(len(ready))
            assert before == len(waiting)
        # what was under way when it was asked, and what ended before the answer was read
        assert statistics.median(passed) <= 2


def _wait_for_one(waiting: set[Any]) -> None:
    ready, _, _ = select.select(list(waiting), [], [], 30)
    assert ready
    for client in ready:
        assert client.recv(65_536).startswith(b"HTTP/1.1 200")
        waiting.discard(client)

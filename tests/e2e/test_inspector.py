"""The MCP Inspector on the command line, in its three eras."""

import json
import os
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.conftest import Service
from tests.e2e.plan import ABSENT_RESOURCE, Outcome, check
from tests.node.install import ensure

pytestmark = pytest.mark.e2e

Inspect = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(params=["legacy", "auto", "modern"])
def inspect(request: pytest.FixtureRequest, service: Service, tmp_path: Path) -> Inspect:
    """Runs the Inspector once, with a home of its own: it keeps a catalogue there."""
    programs = ensure()
    launcher = programs.package("@modelcontextprotocol/inspector") / "clients/launcher/build"
    command = [str(programs.node), str(launcher / "index.js"), "--cli", service.url]
    command += ["--transport", "http", "--header", f"Authorization: Bearer {service.key}"]
    command += ["--protocol-era", request.param, "--stored-auth-only", "--format", "json", "-q"]

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [*command, *arguments],
            env={**os.environ, "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    return run


def test_it_finds_no_fault_with_the_tools(inspect: Inspect) -> None:
    done = inspect("--method", "tools/list", "--strict")
    assert done.returncode == 0, done.stderr


# "auto" asks as "modern" does once it knows that the server answers so
@pytest.mark.parametrize("inspect", ["legacy", "modern"], indirect=True)
def test_it_uses_everything_the_server_offers(inspect: Inspect, service: Service) -> None:
    plan = service.plan

    def ask(*arguments: str) -> dict[str, Any]:
        done = inspect("--method", *arguments)
        assert done.returncode == 0, (arguments, done.stderr, done.stdout)
        result: dict[str, Any] = json.loads(done.stdout)["result"]
        return result

    calls = {
        name: ("tools/call", "--tool-name", name, "--tool-args-json", json.dumps(arguments))
        for name, arguments in plan.calls.items()
    }
    reads = {uri: ("resources/read", "--uri", uri) for uri in plan.resources}
    prompts = {
        name: ("prompts/get", "--prompt-name", name, "--prompt-args", *_pairs(arguments))
        for name, arguments in plan.prompts.items()
    }
    lists = {
        method: (method,)
        for method in ("tools/list", "resources/list", "resources/templates/list", "prompts/list")
    }
    commands = {**calls, **reads, **prompts, **lists}
    with ThreadPoolExecutor(2) as pool:
        answers = dict(zip(commands, pool.map(lambda c: ask(*c), commands.values()), strict=True))
    refused = inspect("--method", "resources/read", "--uri", ABSENT_RESOURCE)
    outcome = Outcome(
        tools=[tool["name"] for tool in answers["tools/list"]["tools"]],
        calls={name: answers[name]["structuredContent"] for name in calls},
        texts={name: answers[name]["content"][0]["text"] for name in calls},
        resources=[resource["uri"] for resource in answers["resources/list"]["resources"]],
        templates=[
            template["uriTemplate"]
            for template in answers["resources/templates/list"]["resourceTemplates"]
        ],
        contents={uri: answers[uri]["contents"][0]["text"] for uri in reads},
        absent_is_error=refused.returncode != 0,
        prompts=[prompt["name"] for prompt in answers["prompts/list"]["prompts"]],
        messages={
            name: [message["content"]["text"] for message in answers[name]["messages"]]
            for name in prompts
        },
    )
    check(outcome, plan)


def _pairs(arguments: dict[str, str]) -> list[str]:
    return [f"{name}={value}" for name, value in arguments.items()]


def test_a_wrong_key_is_named_as_such(service: Service, tmp_path: Path) -> None:
    programs = ensure()
    launcher = programs.package("@modelcontextprotocol/inspector") / "clients/launcher/build"
    done = subprocess.run(
        [
            *(str(programs.node), str(launcher / "index.js"), "--cli", service.url),
            *("--transport", "http", "--header", "Authorization: Bearer sk-legal-wrong"),
            *("--stored-auth-only", "--format", "json", "-q", "--method", "tools/list"),
        ],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 3, (done.returncode, done.stderr)

"""``fundstelle stdio`` under real clients: over the build on this machine, and as a bridge.

The bundle's own bridge, which is for clients that bring Node.js, has to do the same.
"""

import asyncio
import json
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from fundstelle.clients.bundle import write_bundle
from fundstelle.clients.target import Target
from tests.e2e.bundles import install
from tests.e2e.conftest import Service
from tests.e2e.plan import Outcome, Plan, check, make_plan
from tests.e2e.server import FUNDSTELLE, find_free_port, run_fundstelle, running
from tests.e2e.test_python_sdk import use
from tests.integration.services.tls_publisher import make_certificate, publishing
from tests.node.install import ensure

pytestmark = pytest.mark.e2e

SCRIPT = Path(__file__).parent / "clients" / "typescript_stdio.mjs"
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
LEGACY = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")


@dataclass(frozen=True)
class Way:
    """A command, and the environment that it needs."""

    command: tuple[str, ...]
    environ: Mapping[str, str]
    plan: Plan

    @property
    def whole_environ(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("FUNDSTELLE_")}
        return {**kept, **self.environ}


@pytest.fixture(scope="module")
def data(invented: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of its own: the one that is shared must stay without accounts."""
    return shutil.copytree(invented, tmp_path_factory.mktemp("stdio") / "data")


@pytest.fixture(scope="module")
def service(data: Path) -> Iterator[Service]:
    key = run_fundstelle(data, "keys", "create", "stdio", "--rate", "unlimited").strip()
    with running(data) as port:
        url = f"http://127.0.0.1:{port}/mcp"
        yield Service(url, key, make_plan(url, key))


@pytest.fixture(params=["build", "bridge", "bundle"])
def way(request: pytest.FixtureRequest, service: Service, data: Path, tmp_path: Path) -> Way:
    if request.param == "bundle":
        return install_bundle(service, tmp_path, service.url, service.key)
    if request.param == "build":
        return Way((FUNDSTELLE, "stdio"), {"FUNDSTELLE_DATA": str(data)}, service.plan)
    command = (FUNDSTELLE, "stdio", "--url", service.url)
    return Way(command, {"FUNDSTELLE_KEY": service.key}, service.plan)


def install_bundle(service: Service, folder: Path, url: str, key: str) -> Way:
    bundle = write_bundle(Target("https://recht.example.org", ""))
    command, environ = install(bundle, folder / "bundle", url=url, key=key)
    return Way(tuple(command), environ, service.plan)


def say(way: Way, lines: Sequence[bytes | object]) -> list[Any]:
    """Write lines, close the input, and read all that comes; the program must end by itself."""
    sent = b"".join(
        (line if isinstance(line, bytes) else json.dumps(line).encode()) + b"\n" for line in lines
    )
    done = subprocess.run(
        way.command,
        input=sent,
        env=way.whole_environ,
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b"Traceback" not in done.stderr
    assert b"sk-legal-" not in done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def ask(method: str, number: object = 1, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


@pytest.mark.parametrize(
    ("mode", "revision"),
    [("auto", "2026-07-28"), ("legacy", "2025-11-25"), ("2026-07-28", "2026-07-28")],
)
def test_the_python_sdk_uses_everything(way: Way, mode: str, revision: str) -> None:
    async def visit() -> tuple[Outcome, str]:
        program, *arguments = way.command
        started = StdioServerParameters(command=program, args=arguments, env=way.whole_environ)
        async with Client(stdio_client(started), mode=mode) as client:
            return await use(client, way.plan), client.protocol_version

    outcome, spoken = asyncio.run(visit())
    assert spoken == revision
    check(outcome, way.plan)


@pytest.mark.parametrize("which", ["v1", "v2-legacy", "v2-auto", "v2-modern"])
def test_the_typescript_sdk_uses_everything(way: Way, which: str) -> None:
    programs = ensure()
    done = subprocess.run(
        [str(programs.node), str(SCRIPT), which, str(programs.folder), *way.command],
        input=way.plan.as_json(),
        env=way.whole_environ,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    check(Outcome(**json.loads(done.stdout)), way.plan)


@pytest.mark.parametrize("era", ["legacy", "auto", "modern"])
def test_the_inspector_finds_no_fault(way: Way, era: str, tmp_path: Path) -> None:
    programs = ensure()
    launcher = programs.package("@modelcontextprotocol/inspector") / "clients/launcher/build"
    config = tmp_path / "mcp.json"
    program, *arguments = way.command
    entry = {"type": "stdio", "command": program, "args": arguments, "env": way.whole_environ}
    config.write_text(json.dumps({"mcpServers": {"law": entry}}), "utf-8")
    done = subprocess.run(
        [
            *(str(programs.node), str(launcher / "index.js"), "--cli"),
            *("--config", str(config), "--server", "law", "--protocol-era", era),
            *("--format", "json", "-q", "--method", "tools/list", "--strict"),
        ],
        env={**os.environ, "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert len(json.loads(done.stdout)["result"]["tools"]) == 8


@pytest.mark.parametrize("version", LEGACY)
def test_every_legacy_revision_is_spoken(way: Way, version: str) -> None:
    hello = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t"}}
    call = {"name": "legal_search", "arguments": way.plan.calls["legal_search"]}
    answers = say(
        way,
        [
            ask("initialize", 1, **hello),
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            ask("tools/call", 2, **call),
            [ask("ping", 3)],
        ],
    )
    batch = next(each for each in answers if isinstance(each, list) or each.get("id") is None)
    single = {each["id"]: each for each in answers if each is not batch}
    assert single[1]["result"]["protocolVersion"] == version
    kinds = {block["type"] for block in single[2]["result"]["content"]}
    # what a revision does not know yet is not sent to it: the handshake was remembered
    assert ("resource_link" in kinds) == (version >= "2025-06-18")
    assert isinstance(batch, list) == (version == "2025-03-26")


def test_the_modern_revision_needs_no_handshake(way: Way) -> None:
    calls = {"name": "legal_lookup", "arguments": {"citation": way.plan.citation}, "_meta": META}
    answers = say(
        way,
        [
            ask("server/discover", "d", _meta=META),
            ask("tools/call", "c", **calls),
            ask("resources/read", "r", uri=way.plan.resources[-1] + "ß", _meta=META),
            ask("subscriptions/listen", "l", _meta=META),
        ],
    )
    by_id = {each["id"]: each for each in answers if "id" in each}
    assert by_id["d"]["result"]["supportedVersions"][0] == "2026-07-28"
    assert by_id["c"]["result"]["structuredContent"]["found"]
    assert by_id["r"]["error"]["code"] == -32602
    acknowledged = [each for each in answers if "method" in each]
    assert [each["method"] for each in acknowledged] == ["notifications/subscriptions/acknowledged"]
    assert by_id["l"]["result"]["resultType"] == "complete"


def test_bad_input_is_answered_and_what_follows_too(way: Way) -> None:
    answers = say(
        way,
        [
            b"not JSON",
            b'"\xff"',
            b"",
            b'{"jsonrpc":"2.0","id":7,"method":5}',
            b'{"jsonrpc":"2.0","id":8,"result":{}}',
            b"x" * 3_000_000,
            ask("ping", 9),
        ],
    )
    codes = [each["error"]["code"] for each in answers if "error" in each]
    assert codes == [-32700, -32700, -32600, -32600]
    assert [each["id"] for each in answers] == [None, None, 7, None, 9]
    assert "1048576 bytes" in answers[3]["error"]["message"]


def test_the_last_line_may_lack_its_end(way: Way) -> None:
    done = subprocess.run(
        way.command,
        input=json.dumps(ask("ping")).encode(),
        env=way.whole_environ,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert json.loads(done.stdout) == {"jsonrpc": "2.0", "id": 1, "result": {}}


def open_bridge(kind: str, service: Service, folder: Path, url: str, key: str) -> Way:
    if kind == "bundle":
        return install_bundle(service, folder, url, key)
    return Way((FUNDSTELLE, "stdio", "--url", url), {"FUNDSTELLE_KEY": key}, service.plan)


@pytest.mark.parametrize("kind", ["bridge", "bundle"])
@pytest.mark.parametrize(
    ("key", "says"),
    [
        ("", "there is no key"),
        ("sk-legal-" + "A" * 46, "unknown, expired or revoked"),
        ("zwei Wörter", "is no key"),
    ],
)
def test_a_key_that_does_not_do_is_an_error_that_says_what_to_do(
    service: Service, tmp_path: Path, kind: str, key: str, says: str
) -> None:
    way = open_bridge(kind, service, tmp_path, service.url, key)
    notified = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    (answer,) = say(way, [notified, ask("tools/list", "k")])
    assert answer["id"] == "k"
    assert says in answer["error"]["message"]


@pytest.mark.parametrize("kind", ["bridge", "bundle"])
def test_a_server_that_is_away_is_an_error_that_says_what_to_do(
    service: Service, tmp_path: Path, kind: str
) -> None:
    url = f"http://127.0.0.1:{find_free_port()}/mcp"
    way = open_bridge(kind, service, tmp_path, url, service.key)
    answers = say(way, [ask("initialize", 1), ask("tools/list", 2)])
    assert [each["id"] for each in answers] == [1, 2]
    assert all("check the address" in each["error"]["message"] for each in answers)


@pytest.mark.parametrize("kind", ["bridge", "bundle"])
def test_what_is_no_mcp_server_is_named_as_such(
    service: Service, tmp_path: Path, kind: str
) -> None:
    url = service.url.removesuffix("/mcp") + "/healthz"
    way = open_bridge(kind, service, tmp_path, url, service.key)
    (answer,) = say(way, [ask("ping")])
    assert "no MCP server" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("http://192.0.2.1/mcp", "https alone"),
        ("https://recht.example.org/mcp?key=x", "must be that of a server"),
        ("", "must be that of a server"),
    ],
)
def test_the_bundle_asks_no_address_that_it_may_not(
    service: Service, tmp_path: Path, url: str, says: str
) -> None:
    (answer,) = say(install_bundle(service, tmp_path, url, service.key), [ask("ping")])
    assert says in answer["error"]["message"]


@pytest.mark.parametrize("kind", ["bridge", "bundle"])
def test_nothing_is_sent_where_the_certificate_does_not_hold(
    service: Service, tmp_path: Path, kind: str
) -> None:
    with publishing(make_certificate(tmp_path, "localhost")) as network:
        network.publisher.say(b"{}")
        port = network.publisher.socket.getsockname()[1]
        way = open_bridge(kind, service, tmp_path, f"https://localhost:{port}/mcp", service.key)
        (answer,) = say(way, [ask("ping")])
        assert "certificate" in answer["error"]["message"]
        assert network.publisher.asked == []


def test_without_a_build_it_says_how_to_make_one(service: Service, tmp_path: Path) -> None:
    way = Way((FUNDSTELLE, "stdio"), {"FUNDSTELLE_DATA": str(tmp_path)}, service.plan)
    (answer,) = say(way, [ask("tools/list")])
    assert "fundstelle ingest" in answer["error"]["message"]


@pytest.mark.parametrize(
    "url", ["ftp://x/mcp", "recht.example.org", "https://x/mcp?key=1", "https://u:p@x/mcp"]
)
def test_an_address_that_cannot_be_asked_is_wrong_usage(url: str, tmp_path: Path) -> None:
    done = subprocess.run(
        [FUNDSTELLE, "stdio", "--url", url],
        input=b"",
        env={**os.environ, "FUNDSTELLE_DATA": str(tmp_path)},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 2
    assert not done.stdout

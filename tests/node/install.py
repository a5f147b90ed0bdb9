"""Install the Node programs that tests and benchmarks run, and a Node that is new enough.

``python -m tests.node.install`` installs what ``tests/node/package.json`` names into
``build/node/checks`` and prints the Node to run it with. ``ensure(package_json)`` does the same
from Python and does nothing when it is there already; benchmarks pass a ``package.json`` of their
own. Needs ``npm``; a Node older than the programs want is replaced, inside ``build/``, by the one
that the npm package ``node-<system>-<machine>`` carries.
"""

import fcntl
import hashlib
import json
import os
import platform
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build" / "node"
NODE_VERSION = "22.23.3"
OLDEST_NODE = (22, 19)

_INSTALL_TIMEOUT_S = 600


@dataclass(frozen=True, slots=True)
class Programs:
    """A Node and a folder of packages: run ``[node, folder / "node_modules" / …]``."""

    node: Path
    folder: Path

    def package(self, name: str) -> Path:
        """The folder of an installed package."""
        return self.folder / "node_modules" / name


def ensure(package_json: Path = HERE / "package.json", name: str = "checks") -> Programs:
    """Install once; later calls, also from other processes, find it done.

    Raises:
        FileNotFoundError: there is no npm.
        subprocess.CalledProcessError: npm failed; its message is on stderr.
    """
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        node = _find_node() or _install_node()
        folder = BUILD / name
        _install(package_json.read_bytes(), folder)
    return Programs(node, folder)


def _find_node() -> Path | None:
    found = shutil.which("node")
    if found is None:
        return None
    version = subprocess.run([found, "--version"], capture_output=True, text=True, check=True)
    major, minor = version.stdout.strip().lstrip("v").split(".")[:2]
    return Path(found) if (int(major), int(minor)) >= OLDEST_NODE else None


def _install_node() -> Path:
    machine = {"x86_64": "x64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    package = f"node-{sys.platform}-{machine}"
    folder = BUILD / "node"
    _install(
        json.dumps({"private": True, "dependencies": {package: NODE_VERSION}}).encode(), folder
    )
    return folder / "node_modules" / package / "bin" / "node"


def _install(package_json: bytes, folder: Path) -> None:
    stamp = folder / ".installed"
    wanted = hashlib.sha256(package_json).hexdigest()
    if stamp.exists() and stamp.read_text() == wanted:
        return
    npm = shutil.which("npm")
    if npm is None:
        raise FileNotFoundError("npm is needed for this check; install Node.js with npm")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "package.json").write_bytes(package_json)
    subprocess.run(
        [npm, "install", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"],
        cwd=folder,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"npm_config_loglevel": "error"},
        timeout=_INSTALL_TIMEOUT_S,
        check=True,
    )
    stamp.write_text(wanted)


if __name__ == "__main__":
    print(ensure().node)  # noqa: T201  # the answer of the command

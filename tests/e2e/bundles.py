"""The bundle as a client installs it: unpacked, its form filled in, its program started."""

import json
import zipfile
from pathlib import Path
from typing import Any

from tests.node.install import ensure


def install(bundle: bytes, folder: Path, **answers: str) -> tuple[list[str], dict[str, str]]:
    """The command, and the environment that belongs to it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "fundstelle.mcpb"
    path.write_bytes(bundle)
    with zipfile.ZipFile(path) as packed:
        packed.extractall(folder)
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    config: dict[str, Any] = manifest["server"]["mcp_config"]

    def fill(text: str) -> str:
        text = text.replace("${__dirname}", str(folder))
        for name, answer in answers.items():
            text = text.replace(f"${{user_config.{name}}}", answer)
        assert "${" not in text
        return text

    assert config["command"] == "node"
    command = [str(ensure().node), *map(fill, config["args"])]
    return command, {name: fill(value) for name, value in config["env"].items()}

"""The bundle is what the official packager takes, and asks for the key as a secret."""

import io
import json
import os
import subprocess
import zipfile
from pathlib import Path

import pytest

from fundstelle.clients.bundle import build_manifest, write_bundle
from fundstelle.clients.target import Target
from tests.node.install import ensure

pytestmark = pytest.mark.e2e

KEY = "sk-legal-" + "A" * 46
TARGET = Target("https://recht.example.org", KEY)


def run(folder: Path, *arguments: str) -> str:
    programs = ensure()
    cli = programs.package("@anthropic-ai/mcpb") / "dist" / "cli" / "cli.js"
    done = subprocess.run(
        [str(programs.node), str(cli), *arguments],
        cwd=folder,
        env={**os.environ, "HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_official_package_finds_the_manifest_valid(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps(build_manifest(TARGET)), "utf-8")
    assert "valid" in run(tmp_path, "validate", str(path)).lower()


def test_the_official_package_unpacks_it_and_packs_it_again(tmp_path: Path) -> None:
    (tmp_path / "fundstelle.mcpb").write_bytes(write_bundle(TARGET))
    run(tmp_path, "unpack", "fundstelle.mcpb", "unpacked")
    names = sorted(
        str(one.relative_to(tmp_path / "unpacked"))
        for one in (tmp_path / "unpacked").rglob("*")
        if one.is_file()
    )
    assert names == ["manifest.json", "server/bridge.js"]
    run(tmp_path, "pack", "unpacked", "again.mcpb")
    assert zipfile.is_zipfile(tmp_path / "again.mcpb")


def test_the_key_is_asked_for_as_a_secret_and_never_inside() -> None:
    asked = build_manifest(TARGET)["user_config"]
    assert asked["key"]["sensitive"] is True
    assert "default" not in asked["key"]
    assert asked["url"]["default"] == TARGET.url
    bundle = write_bundle(TARGET)
    with zipfile.ZipFile(io.BytesIO(bundle)) as packed:
        assert all(KEY.encode() not in packed.read(name) for name in packed.namelist())
    assert bundle == write_bundle(TARGET)

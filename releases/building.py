"""From a commit to the folder of a release; the same commit gives the same bytes."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory

from releases.checksums import sign, write_sums
from releases.errors import ReleaseError
from releases.version import read_version, require_section

REQUIREMENTS = "requirements.txt"
"""The dependencies with their hashes, under this name in the release."""


def build_release(checkout: Path, target: Path, key: Path | None, *, draft: bool) -> list[Path]:
    """Build what the checkout's commit holds into *target*, which is emptied before.

    Args:
        checkout: a git checkout; what is not committed stays outside.
        target: where wheel, sdist, requirements, bill of materials, hashes and signature go.
        key: an SSH key to sign with; ``None`` = no signature.
        draft: build although the changelog has no section of this version yet.

    Raises:
        ReleaseError: the changelog does not fit, there is no commit, or a tool has failed.
    """
    with TemporaryDirectory() as name:
        folder = Path(name)
        tree, built = folder / "tree", folder / "built"
        built.mkdir()
        epoch = _unpack(checkout, tree)
        version = read_version(tree)
        if not draft:
            require_section((tree / "CHANGELOG.md").read_text(encoding="utf-8"), version)
        _build(tree, built, epoch)
        shutil.copyfile(tree / "requirements/main.txt", built / REQUIREMENTS)
        _list_parts(tree, built / f"fundstelle-{version}.cdx.json", version)
        sums = write_sums(built)
        if key is not None:
            sign(sums, key)
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(built, target)
    return sorted(target.iterdir())


def _unpack(checkout: Path, tree: Path) -> int:
    """The files of the commit, in a folder of their own; gives its time, in seconds."""
    archive = tree.with_suffix(".tar")
    _run("git", "-C", str(checkout), "archive", "--output", str(archive), "HEAD")
    with tarfile.open(archive) as file:
        file.extractall(tree, filter="data")
    return int(_run("git", "-C", str(checkout), "log", "-1", "--format=%ct"))


def _build(tree: Path, built: Path, epoch: int) -> None:
    """The sdist, and the wheel from the sdist: so it is known to be whole."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(built), str(tree)]
    _run(*command, SOURCE_DATE_EPOCH=str(epoch))


def _list_parts(tree: Path, path: Path, version: str) -> None:
    """The bill of materials: what requirements/main.txt pins, with hashes, in CycloneDX."""
    _run(
        *(sys.executable, "-W", "ignore", "-m", "cyclonedx_py", "requirements"),
        *("--pyproject", str(tree / "pyproject.toml"), "--output-reproducible"),
        *("--output-format", "JSON", "--output-file", str(path)),
        str(tree / "requirements/main.txt"),
    )
    bill = json.loads(path.read_text(encoding="utf-8"))
    # The tool takes no version that is said outside pyproject.toml.
    bill["metadata"]["component"] |= {"version": version, "purl": f"pkg:pypi/fundstelle@{version}"}
    path.write_text(json.dumps(bill, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _run(*command: str, **environ: str) -> str:
    try:
        done = subprocess.run(
            command, env=os.environ | environ, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise ReleaseError(f"{command[0]} is missing: install it") from None
    if done.returncode:
        words = " ".join(command)
        raise ReleaseError(f"'{words}' failed:\n{(done.stdout + done.stderr).strip()}")
    return done.stdout

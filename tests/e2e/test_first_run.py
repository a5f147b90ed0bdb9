"""What a newcomer does: clone, ``make up``, paste the printed ``curl``."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.e2e.first_runs import call, find_free_port, greeted

pytestmark = pytest.mark.e2e

CHECKOUT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not (CHECKOUT / ".git").exists() or shutil.which("make") is None:
        pytest.skip("needs a git checkout and make")
    folder = tmp_path_factory.mktemp("first-run") / "fundstelle"
    subprocess.run(["git", "clone", "--quiet", str(CHECKOUT), str(folder)], check=True)
    return folder


def up(port: int) -> list[str]:
    return ["make", "up", f"PORT={port}"]


def test_two_runs_of_make_up_share_one_corpus_and_one_key(clone: Path) -> None:
    port = find_free_port()
    with greeted(up(port), clone) as first:
        assert "sk-legal-" not in first, "it is no terminal"
        assert "/join/" not in first
        (named,) = re.findall(r"access +(\S+)", first)
        access = Path(named)
        assert access.stat().st_mode & 0o777 == 0o600
        text = access.read_text()
        shown = re.search(r"sk-legal-[0-9A-Za-z]{46}", text)
        assert shown, text
        assert f"http://127.0.0.1:{port}/join/" in text
        assert f"http://127.0.0.1:{port}/mcp" in first
        assert "kein geltendes Recht" in first
        tools = call(port, shown.group(), "tools/list")["result"]["tools"]
        assert len(tools) == 8
        called = call(
            port, shown.group(), "tools/call", {"name": "legal_get_stats", "arguments": {}}
        )
        release = called["result"]["structuredContent"]["corpus_release"]
    with greeted(up(port), clone) as second:
        assert "sk-legal-" not in second
        assert release in second
        assert len(call(port, shown.group(), "tools/list")["result"]["tools"]) == 8

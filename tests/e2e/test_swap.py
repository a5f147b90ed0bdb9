"""A new build goes live while clients are asking: not one request may fail."""

import json
import shutil
import threading
import urllib.request
from pathlib import Path

import pytest

from tests.e2e.server import NOWHERE, run_fundstelle, running

pytestmark = pytest.mark.e2e

MOST_REQUESTS = 200_000  # far more than a swap takes; the test ends by itself either way


def ask(url: str, key: str) -> tuple[int, str]:
    call = {"name": "legal_get_stats", "arguments": {}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    request = urllib.request.Request(
        url,
        data=json.dumps(message).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=30) as response:
        result = json.load(response)["result"]
    return response.status, result["structuredContent"]["corpus_release"]


def test_a_build_made_live_under_load_fails_no_request(tmp_path: Path) -> None:
    data, other = tmp_path / "data", tmp_path / "other"
    run_fundstelle(data, "ingest", "--site", NOWHERE, "--source", str(write_law(tmp_path, "Eins")))
    run_fundstelle(other, "ingest", "--site", NOWHERE, "--source", str(write_law(tmp_path, "Zwei")))
    (new,) = (other / "builds").iterdir()
    old = (data / "active").read_text(encoding="ascii").strip()
    assert new.name != old
    key = run_fundstelle(data, "keys", "create", "swap", "--rate", "unlimited").strip()
    seen: list[tuple[int, str]] = []
    enough = threading.Event()

    def keep_asking(url: str) -> None:
        while not enough.is_set() and len(seen) < MOST_REQUESTS:
            seen.append(ask(url, key))
            if seen[-1][1] != old:
                enough.set()

    with running(data, "--workers", "2") as port:
        url = f"http://127.0.0.1:{port}/mcp"
        assert ask(url, key) == (200, old)
        shutil.copytree(new, data / "builds" / new.name)
        askers = [threading.Thread(target=keep_asking, args=(url,)) for _ in range(4)]
        for asker in askers:
            asker.start()
        run_fundstelle(data, "corpus", "activate", new.name)
        for asker in askers:
            asker.join(timeout=120)
    assert {status for status, _ in seen} == {200}
    assert {release for _, release in seen} == {old, new.name}


def write_law(folder: Path, word: str) -> Path:
    """One invented law in the official format; *word* makes the difference."""
    law = folder / word / "laws" / "swapg" / "BJNR000010020.xml"
    law.parent.mkdir(parents=True)
    law.write_text(
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<dokumente builddate="20200101000000" doknr="BJNR000010020">'
        '<norm builddate="20200101000000" doknr="BJNR000010020"><metadaten><jurabk>SwapG</jurabk>'
        '<ausfertigung-datum manuell="ja">2020-01-01</ausfertigung-datum>'
        "<langue>Gesetz zur Probe des Wechsels</langue></metadaten></norm>"
        '<norm builddate="20200101000000" doknr="BJNR000010020BJNE000100000"><metadaten>'
        "<jurabk>SwapG</jurabk><enbez>§ 1</enbez></metadaten><textdaten><text format='XML'>"
        f"<Content><P>Wort {word}.</P></Content></text></textdaten></norm></dokumente>",
        encoding="utf-8",
    )
    return folder / word

"""The official TypeScript SDK signs in by OAuth, in both of its generations, and refreshes."""

import json
import subprocess
from pathlib import Path
from queue import Queue
from urllib.parse import urlencode

import pytest

from tests.e2e.callback import listening
from tests.e2e.portal import Portal
from tests.node.install import ensure

pytestmark = pytest.mark.e2e

SCRIPT = Path(__file__).parent / "clients" / "typescript_oauth.mjs"


@pytest.mark.parametrize("which", ["v1", "v2"])
def test_it_signs_in_and_refreshes_once_with_a_new_token(portal: Portal, which: str) -> None:
    programs = ensure()
    answers: Queue[dict[str, str]] = Queue()
    with listening(answers) as port, portal.open() as tab:
        redirect = f"http://127.0.0.1:{port}/callback"
        command = [str(programs.node), str(SCRIPT), which, portal.mcp, redirect]
        with subprocess.Popen(
            [*command, str(programs.folder)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as program:
            assert program.stdout is not None
            line = program.stdout.readline()
            assert line, program.communicate()[1]
            tab.page.goto(json.loads(line)["link"])
            assert f"TypeScript {which}" in tab.page.inner_text("main")
            tab.decide()
            answer = answers.get(timeout=30)
            printed, complaints = program.communicate(urlencode(answer) + "\n", timeout=60)
    assert program.returncode == 0, complaints
    outcome = json.loads(printed)
    assert outcome["tools"] == outcome["again"]
    assert len(outcome["tools"]) == 8
    before, after = outcome["before"], outcome["after"]
    assert after["access_token"] != before["access_token"]
    assert after["refresh_token"] != before["refresh_token"]
    assert portal.call(after["access_token"], "tools/list")[0] == 200
    _reuse_the_first(portal, outcome["client"], before["refresh_token"], after)


def _reuse_the_first(portal: Portal, client_id: str, dead: str, living: dict[str, str]) -> None:
    """The one before the last has its 30 seconds; after another refresh it ends the grant."""

    def refresh(token: str) -> tuple[int, dict[str, str]]:
        asked = {"grant_type": "refresh_token", "refresh_token": token, "client_id": client_id}
        status, _, body = portal.ask("/oauth/token", asked)
        return status, json.loads(body)

    status, newest = refresh(living["refresh_token"])
    assert status == 200
    status, refused = refresh(dead)
    assert (status, refused["error"]) == (400, "invalid_grant")
    assert portal.call(newest["access_token"], "tools/list")[0] == 401

"""The official TypeScript SDK as a client, in both of its generations."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.e2e.conftest import Service
from tests.e2e.plan import Outcome, check
from tests.node.install import ensure

pytestmark = pytest.mark.e2e

SCRIPT = Path(__file__).parent / "clients" / "typescript_sdk.mjs"


@pytest.mark.parametrize("which", ["v1", "v2-legacy", "v2-auto", "v2-modern"])
def test_it_uses_everything_the_server_offers(service: Service, which: str) -> None:
    programs = ensure()
    done = subprocess.run(
        [str(programs.node), str(SCRIPT), which, service.url, str(programs.folder)],
        input=service.plan.as_json(),
        env={**os.environ, "KEY": service.key},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    check(Outcome(**json.loads(done.stdout)), service.plan)

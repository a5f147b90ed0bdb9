"""Strangers on the public pages of a real server: counted by where they come from, not say."""

import shutil
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.adversarial.attacker import Answer, get
from tests.e2e.server import started

NORM = "/n/de/demog/1"
ASKED = 12
AT_ONCE = 4  # half of what a minute gives


@pytest.mark.parametrize(("trusted", "counted_together"), [("", True), ("127.0.0.1", False)])
def test_whom_a_stranger_claims_to_be_counts_only_behind_a_proxy_of_ours(
    invented_data: Path, tmp_path: Path, trusted: str, counted_together: bool
) -> None:
    data = shutil.copytree(invented_data, tmp_path / "data")
    with started(data, pages_per_minute=str(2 * AT_ONCE), trusted_proxies=trusted) as server:
        claims = [f"198.51.{number}.7" for number in range(ASKED)]

        def ask(claim: str) -> Answer:
            return get(server.port, NORM, x_forwarded_for=claim)

        with ThreadPoolExecutor(ASKED) as pool:
            found = Counter(answer.status for answer in pool.map(ask, claims))
        if not counted_together:
            assert found == {200: ASKED}
            return
        assert found[200] >= AT_ONCE
        assert found[200] + found[429] == ASKED
        refused = [answer for answer in map(ask, claims) if answer.status == 429]
        assert refused, "asked faster than eight a minute"
        assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)
        assert get(server.port, "/sign-in").status == 200
        assert get(server.port, "/healthz").status == 200

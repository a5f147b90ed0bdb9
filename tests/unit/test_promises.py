"""The limits that ``docs/security-flow.md`` promises are those of the code."""

from pathlib import Path
from typing import Any

import pytest

from fundstelle.accounts.database import engines
from fundstelle.accounts.keys import cache as key_cache
from fundstelle.accounts.limits import shared_store
from fundstelle.accounts.oauth import refresh_tokens
from fundstelle.accounts.people import passwords
from fundstelle.ingest.graph import citing, references
from fundstelle.ingest.history import snapshots
from fundstelle.ingest.sources.files import limits, patience
from fundstelle.ingest.text import composing
from fundstelle.lookup.comparing import resemblance
from fundstelle.mcp import budget, engine, methods
from fundstelle.settings import Settings
from fundstelle.tar_members import MOST_HEADER_BYTES
from fundstelle.web.wire import limits as wire

ROOT = Path(__file__).parents[2]
KB, MB = 1 << 10, 1 << 20


@pytest.fixture(scope="module")
def promised() -> str:
    return " ".join((ROOT / "docs" / "security-flow.md").read_text(encoding="utf-8").split())


def test_the_limits_are_those_that_are_promised(promised: str) -> None:
    settings = Settings.from_env({})
    strangers, known = passwords._STRANGERS, passwords._KNOWN
    for words in (
        f"{wire.HEADERS} headers and {wire.HEAD_BYTES // KB} KB of them (431)",
        f"addresses of {wire.URL_BYTES // KB} KB",
        f"{wire.PATH_BYTES // KB} KB of path and {wire.QUERY_FIELDS} fields (414)",
        f"A head has {wire.HEAD_S} s, a body {wire.BODY_S} s,",
        f"rest between requests {wire.KEEP_ALIVE_S} s (408),",
        f"an answer that nobody reads {wire.UNREAD_S} s",
        f"`FUNDSTELLE_AUDIT_DAYS` ({settings.audit_days};",
        f"for a person {refresh_tokens._AT_ONCE} times at once,",
        f"and {refresh_tokens._A_MINUTE} times a minute beyond these, counted by each worker",
    ):
        assert words in promised, words
    assert f"for {_spell(key_cache.STALE_S / 60)} minutes; a revocation" in promised
    assert budget.BUDGET_S == 1, "a second of the processor is cut"
    assert methods._SLOW_S * 4 == budget.BUDGET_S, "beyond a quarter of it the log has the tool"
    assert engine.MAX_BATCH_BYTES == MB, "the first megabyte of answers"
    assert engine.MAX_BATCH_S * 4 == budget.BUDGET_S, "a quarter of a second of the processor"
    assert (_size(strangers.running), _size(known.running)) == (2, 1), "hashes at a time"
    assert (strangers.places - 2, known.places - 1) == (6, 4), "wait"
    assert f"to {snapshots.MAX_TOTAL_BYTES >> 30} GB, {snapshots.MAX_FILES:,} files" in promised
    stream = limits.MOST_DOCUMENTS
    assert f"to {stream.size_bytes >> 30} GB and {stream.files:,} files" in promised
    assert f"a file to {snapshots.MAX_FILE_BYTES // MB} MB" in promised
    assert f"names or attributes of more than {MOST_HEADER_BYTES // KB} KB" in promised
    assert f"below {limits.FREE_BYTES // MB} MB the ratio" in promised
    assert f"may take {patience.MOST_S:.0f} s of processor time" in promised
    assert f"{composing.MOST_MARKS} combining marks in a row" in promised
    assert f"{references.MOST_EDGES:,} references are kept" in promised
    assert citing._MOST_CITINGS == references.MOST_EDGES


def test_quotes_and_databases_have_the_limits_that_users_are_told() -> None:
    changes = " ".join((ROOT / "CHANGELOG.md").read_text(encoding="utf-8").split())
    differences, size = resemblance.MOST_DIFFERENCES, resemblance.MOST_BYTES
    assert f"at most {differences} differences, {size // KB} KB in all" in changes
    assert f"costs one call {shared_store.TIMEOUT_S} s" in changes
    assert f"nothing waits for it longer than {engines.TIMEOUT_S} to 3 s" in changes


def test_no_answer_of_a_shared_store_is_waited_for_longer() -> None:
    storage: Any = shared_store._connect("redis://127.0.0.1:1/0")
    options = storage.storage.connection_pool.connection_kwargs
    waits = [options["socket_timeout"], options["socket_connect_timeout"]]
    assert waits == [shared_store.TIMEOUT_S] * 2


def _size(semaphore: object) -> int:
    value: int = semaphore._value  # type: ignore[attr-defined]  # what is free, here all
    return value


def _spell(number: float) -> str:
    return {5: "five"}[int(number)]

from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy.exc import OperationalError, StatementError

from fundstelle.accounts.database.failures import describe


def test_what_cannot_be_made_a_parameter_is_no_failure_of_the_database() -> None:
    error = StatementError("it failed", "INSERT secret", {"name": "secret"}, TypeError("secret"))
    failure = describe(error, writing=True)
    assert (failure.refused, failure.away) == (True, False)
    assert "secret" not in f"{failure.kind} {failure.cause}"


@pytest.mark.parametrize(
    ("code", "room", "said"),
    [
        ("SQLITE_FULL", 1 << 30, "the disk that holds /data is full; free about 1 GB"),
        ("SQLITE_IOERR_SHMSIZE", 0, "the disk that holds /data is full; free about 1 GB"),
        ("SQLITE_IOERR_WRITE", 1 << 30, "disk I/O error (SQLITE_IOERR_WRITE); see what"),
        ("SQLITE_BUSY", 0, "disk I/O error"),
    ],
)
def test_a_disk_that_takes_nothing_more_is_named_with_what_to_do(
    monkeypatch: pytest.MonkeyPatch, code: str, room: int, said: str
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=room))
    origin = Exception("disk I/O error")
    origin.sqlite_errorname = code  # type: ignore[attr-defined]  # as the driver does
    error = OperationalError("INSERT secret", {"name": "secret"}, origin)
    cause = describe(error, writing=True, folder=Path("/data")).cause
    assert cause.startswith(said)
    assert "secret" not in cause
    assert describe(error, writing=True).cause == "disk I/O error"  # of no file: of no disk

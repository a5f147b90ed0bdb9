"""When the last backup of a data folder was made: a small file, so that the portal can say so."""

from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from fundstelle.accounts.database.traces import BACKED_UP
from fundstelle.disks import give_to_owner, read_small

TRACE = BACKED_UP  # the time alone: where the backup lies is nobody's business
_MOST_BYTES = 64


def leave_trace(data: Path, made: datetime) -> None:
    """Write the time down; a folder that cannot be written to keeps no backup from being made."""
    draft = data / f".{TRACE}.part"
    with suppress(OSError):
        draft.touch(0o600)
        draft.write_text(f"{made.astimezone(UTC).isoformat(timespec='seconds')}\n", "ascii")
        give_to_owner(draft, data)
        draft.replace(data / TRACE)


def read_trace(data: Path) -> datetime | None:
    """When that was; ``None`` where there was none, or it cannot be read."""
    with suppress(OSError, ValueError):
        made = datetime.fromisoformat(read_small(data / TRACE, _MOST_BYTES).decode("ascii").strip())
        return made if made.tzinfo else made.replace(tzinfo=UTC)
    return None

"""The pepper: the secret that stands between a stolen database and usable keys."""

import os
import secrets
from contextlib import suppress
from pathlib import Path

from fundstelle.disks import explain_refusal, read_small
from fundstelle.errors import AccountsError
from fundstelle.sharing import give_name

PEPPER_BYTES = 32
_MOST_BYTES = 4_096  # what is longer is none


def read_pepper(path: Path) -> bytes | None:
    """The pepper in *path*, or ``None`` if there is no such file.

    Raises:
        AccountsError: it cannot be read, or is not a pepper.
    """
    try:
        pepper = read_small(path, _MOST_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise AccountsError(f"{path} cannot be read ({error.strerror}); check its owner") from None
    if len(pepper) != PEPPER_BYTES:
        raise AccountsError(f"{path} is damaged; restore it from a backup")
    return pepper


def create_pepper(path: Path) -> bytes:
    """Write a new pepper that only its owner may read; if another process was first, read that.

    Raises:
        AccountsError: it cannot be written.
    """
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_bytes(PEPPER_BYTES))
            file.flush()
            os.fsync(file.fileno())
        with suppress(FileExistsError):
            give_name(draft, path)
    except OSError as error:
        raise AccountsError(explain_refusal(error, path.parent, path)) from None
    finally:
        draft.unlink(missing_ok=True)
    pepper = read_pepper(path)
    if pepper is None:
        raise AccountsError(f"{path} vanished while it was being created; try again")
    return pepper

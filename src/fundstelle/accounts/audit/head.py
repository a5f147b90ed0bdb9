"""The newest line as the server knows it, sealed with the pepper and kept in two places.

One place is a row of the database, the other a file in the data folder, which each server keeps for
itself: what it has seen cannot be taken back by who puts an older database in place.
"""

import fcntl
import hashlib
import hmac
import json
import logging
import os
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from fundstelle.accounts.audit.chain import START
from fundstelle.accounts.database.store import DATABASE
from fundstelle.disks import give_to_owner, require_file, sync_folder
from fundstelle.errors import AccountsError, UnreadHead
from fundstelle.sharing import give_name

HEAD_FILE = "audit-head"

_SIZE_BYTES = 512  # one sector: a disk writes it whole or not at all
_PATIENCE_S = 2.0  # others hold the lock while they read or write one sector

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Head:
    """Where the log begins and where it ends."""

    number: int  # of the newest line
    hash: str
    first: int = 0  # number of the oldest line that is kept; 1 in logs of the first version
    before: str = START  # what that line follows


_NOTHING = Head(-1, START)


class Sealer:
    """Seals heads with a key of its own derived from the pepper."""

    def __init__(self, pepper: bytes) -> None:
        self._key = hmac.digest(pepper, b"audit-head", "sha256")

    def seal(self, head: Head) -> str:
        """HMAC-SHA-256 over both ends of the log."""
        return self._compute(f"2:{head.number}:{head.hash}:{head.first}:{head.before}")

    def seal_first_version(self, head: Head) -> str:
        """The seal as the first version made it: it did not say where the log begins."""
        return self._compute(f"{head.number}:{head.hash}")

    def fits(self, head: Head, seal: str) -> bool:
        """Whether the seal was made for this head with this pepper."""
        return hmac.compare_digest(seal.encode(), self.seal(head).encode())

    def fits_first_version(self, head: Head, seal: str) -> bool:
        """The same for a seal of the first version, of whose logs nothing was ever removed.

        A server of that version may still be writing to a log that begins with line 0.
        """
        expected = self.seal_first_version(head).encode()
        is_whole = head.first in {0, 1} and head.before == START
        return is_whole and hmac.compare_digest(seal.encode(), expected)

    def _compute(self, text: str) -> str:
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()


def name_head_file(address: str) -> str:
    """The name of the file; one for each database that a data folder was used with."""
    if address.endswith(f"/{DATABASE}"):
        return f"{HEAD_FILE}.json"
    return f"{HEAD_FILE}-{hashlib.sha256(address.encode()).hexdigest()[:12]}.json"


class HeadFile:
    """The newest head that this server has seen.

    Processes of one server share the file. It is written after the database, so it may lag behind
    it, but what it says must be found there; a backup therefore copies it before the database. It
    is written in place and under a lock: to rename a file over another makes some file systems wait
    for the disk, which would be felt with each line.

    While the file cannot be read, what this process has seen itself takes its place; the file is
    then not written either, since nobody has compared what it says.
    """

    def __init__(
        self, path: Path, sealer: Sealer, has_run: Callable[[], bool] = lambda: False
    ) -> None:
        """A file; ``has_run`` tells whether there should be one, if the log has been begun."""
        self.path = path
        self._sealer = sealer
        self._has_run = has_run
        self._known: Head | None = None  # the newest that this process has read or written
        self._unread = self._unwritten = ""

    @property
    def trouble(self) -> str:
        """What keeps it from being read or written just now; empty if nothing does."""
        return self._unread or self._unwritten

    def is_missed(self) -> bool:
        """Whether there is none although this server has run before.

        Asked after the database has shown a line: the file is there before the first is.
        """
        return not self.trouble and self._has_run() and self._is_gone()

    def begin(self) -> None:
        """Make it, if it is not there, so that it is missed from now on. It has seen nothing yet.

        It appears whole: one that is empty is none of ours.
        """
        if not self._is_gone():
            return
        draft = self.path.with_name(f".{self.path.name}.{secrets.token_hex(8)}")
        try:
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "wb") as file:
                file.write(self._dump(_NOTHING))
                file.flush()
                os.fsync(file.fileno())
            give_to_owner(draft, self.path.parent)
            with suppress(FileExistsError):  # another process was first
                give_name(draft, self.path)
            sync_folder(self.path.parent)  # before the first line is on the disk
        except OSError as error:
            self._unwritten = self._complain("written", error)
        finally:
            with suppress(OSError):
                draft.unlink(missing_ok=True)

    def read(self) -> Head | None:
        """What it says; ``None`` if there is no such file, or it says nothing.

        Raises:
            UnreadHead: it is there and cannot be read, and this process has seen no line itself.
            AccountsError: it does not say what this server wrote.
        """
        try:
            written = self._read_whole()
        except FileNotFoundError:
            self._unread = ""
            return None
        except OSError as error:
            self._unread = self._complain("read", error)
            if self._known is None:
                raise UnreadHead(self._unread) from None
            return self._known
        self._unread = ""
        head = self._parse(written)
        if head is None:
            raise AccountsError(f"{self.path} was changed: it is not what this server wrote")
        if head == _NOTHING:
            return None
        self._keep(head)
        return head

    def look(self) -> None:
        """Find out whether it can be read, for who asks for ``trouble``."""
        with suppress(AccountsError):
            self.read()

    def write(self, head: Head) -> None:
        """Put a newer head in place. A failure is logged and holds nothing up."""
        self._keep(head)
        if self._unread:
            return
        content = self._dump(head)
        self.begin()
        try:
            descriptor = os.open(self.path, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
            try:
                require_file(descriptor, self.path)
                _lock(descriptor, fcntl.LOCK_EX)
                held = self._parse(os.pread(descriptor, 2 * _SIZE_BYTES, 0))
                if held is None or held.number < head.number:
                    os.pwrite(descriptor, content, 0)
                    os.ftruncate(descriptor, len(content))
            finally:
                os.close(descriptor)
        except OSError as error:
            self._unwritten = self._complain("written", error)
        else:
            self._unwritten = ""

    def _read_whole(self) -> bytes:
        descriptor = os.open(self.path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        try:
            require_file(descriptor, self.path)
            _lock(descriptor, fcntl.LOCK_SH)
            return os.read(descriptor, 2 * _SIZE_BYTES)
        finally:
            os.close(descriptor)

    def _keep(self, head: Head) -> None:
        if self._known is None or self._known.number < head.number:
            self._known = head

    def _is_gone(self) -> bool:
        try:
            self.path.lstat()
        except FileNotFoundError:
            return True
        except OSError:  # what cannot be seen may be there
            return False
        return False

    def _dump(self, head: Head) -> bytes:
        said = {**asdict(head), "seal": self._sealer.seal(head)}
        return json.dumps(said).encode().ljust(_SIZE_BYTES - 1) + b"\n"

    def _parse(self, written: bytes) -> Head | None:
        with suppress(ValueError, LookupError, TypeError, AttributeError, RecursionError):
            said = json.loads(written)
            seal = said.pop("seal")
            head = Head(**said)
            numbers, hashes = (head.number, head.first), (head.hash, head.before)
            is_typed = all(type(n) is int for n in numbers) and all(type(h) is str for h in hashes)
            if is_typed and self._sealer.fits(head, seal):
                return head
        return None

    def _complain(self, done: str, error: OSError) -> str:
        """Log a trouble once, for as long as it lasts; its words."""
        if not self.trouble:
            _log.error("the newest line of the audit log is not kept in %s: %s", self.path, error)
        return f"{self.path} cannot be {done} ({error.strerror or error})"


def _lock(descriptor: int, how: int) -> None:
    """Lock it; a lock that somebody never lets go of holds nobody up for long.

    Raises:
        OSError: others have held it for too long.
    """
    until = time.monotonic() + _PATIENCE_S
    while True:
        try:
            fcntl.flock(descriptor, how | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > until:
                raise
            time.sleep(0.002)
        else:
            return

"""Reads the build that is served whole, without being in the way.

Once a day on each machine, and at once where a request has met damage.
"""

import fcntl
import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from fundstelle.corpus.soundness.check import Finding, check_completely, check_quickly
from fundstelle.corpus.soundness.record import (
    FOLDER,
    Record,
    find_record,
    identify_build,
    keep_record,
)
from fundstelle.disks import explain_refusal, opened_lock

EVERY = timedelta(days=1)
DOUBTED_EVERY = timedelta(minutes=10)
"""Of a build that requests say is damaged, and whose check has found nothing."""

_LOOK_EVERY = timedelta(minutes=1)
_WORKING_SHARE = 0.2  # of one processor, at most
_LONGEST_PAUSE_S = 1.0
_NICER = 10  # of 19 steps

_log = logging.getLogger("fundstelle.corpus")


class CompleteCheck:
    """Checks the build that is served in a thread of its own.

    That is due when the last check is a day old, and when a request has met damage.

    What it finds is logged and kept (``record``), which changes ``choose.identify``: every process
    of the machine takes notice and serves the last sound build instead.

    Args:
        data_dir: the folder of builds.
        clock: the time, UTC.
    """

    def __init__(
        self, data_dir: Path, clock: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        self._data_dir = data_dir
        self._clock = clock
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None
        self._looked: tuple[str, datetime] | None = None

    def tick(self, release: str, *, doubted: bool = False) -> bool:
        """See to it that the build is checked if that is due; quick, for every second or so.

        ``doubted``: a request has met damage in it. Says whether that was looked at; it was not
        where a check is under way, which may be past the file.
        """
        now = self._clock()
        if self._thread is not None and self._thread.is_alive():
            return False
        if self._looked is not None and not doubted:
            before, at = self._looked
            if before == release and timedelta() <= now - at < _LOOK_EVERY:
                return True
        self._looked = release, now
        self._thread = threading.Thread(
            target=self._run, args=(release, doubted), name="complete-check", daemon=True
        )
        self._thread.start()
        return True

    def close(self) -> None:
        """End a check that is under way."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def check(self, release: str, *, doubted: bool = False) -> None:
        """Check the build if that is due and no other process is at it.

        ``doubted``: a request has met damage in it; what a quick check finds then counts at once.

        Raises:
            InterruptedError: ``close`` was called meanwhile.
            OSError: the data folder cannot be written.
        """
        folder = self._data_dir / FOLDER
        folder.mkdir(exist_ok=True)
        with opened_lock(folder / "lock") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            if not self._is_due(release, doubted=doubted):
                return
            build = self._data_dir / "builds" / release
            of = identify_build(self._data_dir, release)
            if doubted:
                _log.warning("a request met damage in build %s, which is read whole now", release)
                if seen := check_quickly(build):
                    self._keep(release, of, seen, doubted=True)
            findings = check_completely(build, self._pace())
            for finding in findings:
                _log.error("build %s is damaged: %s", release, finding)
            self._keep(release, of, findings, doubted=doubted)

    def _keep(self, release: str, of: str, findings: list[Finding], *, doubted: bool) -> None:
        # A build that was pruned or replaced meanwhile is none that anybody asks about.
        if of and of == identify_build(self._data_dir, release):
            record = Record(of, self._clock(), tuple(findings), doubted)
            keep_record(self._data_dir, release, record)

    def _is_due(self, release: str, *, doubted: bool) -> bool:
        record = find_record(self._data_dir, release)
        if record is None:
            return True
        age = self._clock() - record.checked_at
        if doubted and not record.findings:
            # The first time at once, whenever the daily check was. Where it finds nothing, the
            # fault is not in the files: they are not read again and again for it.
            return not record.doubted or not timedelta() <= age < DOUBTED_EVERY
        return not timedelta() <= age < EVERY

    def _run(self, release: str, doubted: bool) -> None:
        with suppress(OSError, AttributeError):  # a thread's own priority is a thing of Linux
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICER)
        try:
            self.check(release, doubted=doubted)
        except InterruptedError:
            return
        except OSError as error:
            why = explain_refusal(error, self._data_dir)
            _log.warning("the corpus build cannot be checked: %s", why)

    def _pace(self) -> Callable[[int], None]:
        """Waits between two pieces, so that the rest of the machine's time is for requests."""
        begun = time.perf_counter()

        def wait(_: int) -> None:
            nonlocal begun
            worked = time.perf_counter() - begun
            pause = min(worked * (1 / _WORKING_SHARE - 1), _LONGEST_PAUSE_S)
            if self._closing.wait(pause):
                raise InterruptedError
            begun = time.perf_counter()

        return wait

"""Reads the build that is served whole, once a day on each machine, without being in the way."""

import fcntl
import logging
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from fundstelle.corpus.soundness.check import check_completely
from fundstelle.corpus.soundness.record import (
    FOLDER,
    Record,
    find_record,
    identify_build,
    keep_record,
)
from fundstelle.disks import explain_refusal

EVERY = timedelta(days=1)

_LOOK_EVERY = timedelta(minutes=1)
_WORKING_SHARE = 0.2  # of one processor, at most
_LONGEST_PAUSE_S = 1.0
_NICER = 10  # of 19 steps

_log = logging.getLogger("fundstelle.corpus")


class CompleteCheck:
    """Checks the build that is served in a thread of its own, whenever the last check is a day old.

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

    def tick(self, release: str) -> None:
        """See to it that the build is checked if that is due; quick, for every second or so."""
        now = self._clock()
        if self._looked is not None:
            before, at = self._looked
            if before == release and timedelta() <= now - at < _LOOK_EVERY:
                return
        if self._thread is not None and self._thread.is_alive():
            return
        self._looked = release, now
        self._thread = threading.Thread(
            target=self._run, args=(release,), name="complete-check", daemon=True
        )
        self._thread.start()

    def close(self) -> None:
        """End a check that is under way."""
        self._closing.set()
        if self._thread is not None:
            self._thread.join(timeout=5)

    def check(self, release: str) -> None:
        """Check the build if that is due and no other process is at it.

        Raises:
            InterruptedError: ``close`` was called meanwhile.
            OSError: the data folder cannot be written.
        """
        folder = self._data_dir / FOLDER
        folder.mkdir(exist_ok=True)
        with (folder / "lock").open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                return
            if not self._is_due(release):
                return
            of = identify_build(self._data_dir, release)
            findings = check_completely(self._data_dir / "builds" / release, self._pace())
            # A build that was pruned or replaced meanwhile is none that anybody asks about.
            if of and of == identify_build(self._data_dir, release):
                for finding in findings:
                    _log.error("build %s is damaged: %s", release, finding)
                keep_record(self._data_dir, release, Record(of, self._clock(), tuple(findings)))

    def _is_due(self, release: str) -> bool:
        record = find_record(self._data_dir, release)
        return record is None or not timedelta() <= self._clock() - record.checked_at < EVERY

    def _run(self, release: str) -> None:
        with suppress(OSError, AttributeError):  # a thread's own priority is a thing of Linux
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICER)
        try:
            self.check(release)
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

"""What the log needs done from time to time, by every server process: see ``Keeper``."""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.retention import has_old_lines, is_time_known, prune
from fundstelle.accounts.audit.takeover import take_over
from fundstelle.accounts.timetable import run_later
from fundstelle.errors import AccountsError

PERIOD_S = 60.0

_DAY_S = 86_400
_DRIFT = timedelta(hours=1)  # more than that beside the ticks is a leap

_log = logging.getLogger(__name__)


class Keeper:
    """Writes the calls that ended processes left behind, and removes old lines once a day.

    Processes may do it at the same time: what one has done, the others find done. A clock that has
    leapt ahead removes nothing for a day: what is removed on its word cannot be had back.

    Args:
        log: the log.
        folder: of the spools.
        days: how long lines are kept; 0 = for ever.
        later: runs a task after some seconds, off the calling thread.
        ticks: monotonic, in seconds.
    """

    def __init__(
        self,
        log: AuditLog,
        folder: Path,
        days: int,
        later: Callable[[float, Callable[[], None]], None] = run_later,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log = log
        self._folder = folder
        self._days = days
        self._later = later
        self._ticks = ticks
        self._pruned_on = 0
        self._doubted: tuple[datetime, float] | None = None  # clock and ticks at the first doubt

    def start(self) -> None:
        """Begin at once, in the background."""
        self._later(0.0, self._run)

    def _run(self) -> None:
        try:
            self._work()
        except (AccountsError, OSError) as error:
            _log.warning("the audit log could not be tended: %s", error)
        finally:  # whatever happens, it is tried again
            self._later(PERIOD_S, self._run)

    def _work(self) -> None:
        self._log.look()
        try:
            take_over(self._folder, self._log)
        except OSError as error:  # it keeps nobody from the rest
            _log.warning("the audit log could not be tended: %s", error)
        today = int(self._log.clock() // _DAY_S)
        if not self._days or today == self._pruned_on:
            return
        if not has_old_lines(self._log, self._days) or self._is_clock_trusted():
            prune(self._log, self._days)
            self._pruned_on = today

    def _is_clock_trusted(self) -> bool:
        """Whether the log knows of the time, or this process has run for a day since it did not."""
        now, ticks = self._log.now(), self._ticks()
        if is_time_known(self._log):
            self._doubted = None
            return True
        since = self._doubted
        if since is None or now - since[0] > timedelta(seconds=ticks - since[1]) + _DRIFT:
            self._doubted = since = now, ticks
            _log.warning(
                "the audit log knows of nothing from a month to a day before %s, which is the time"
                " here: no old lines are removed for a day; see that the clock is right",
                now.date().isoformat(),
            )
        if ticks - since[1] < _DAY_S:
            return False
        self._doubted = None  # a leap after this is doubted for a day of its own
        return True

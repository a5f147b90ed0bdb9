"""What the log needs done from time to time, by every server process: see ``Keeper``."""

import logging
from collections.abc import Callable
from pathlib import Path

from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.retention import prune
from fundstelle.accounts.audit.takeover import take_over
from fundstelle.accounts.timetable import run_later
from fundstelle.errors import AccountsError

PERIOD_S = 60.0

_DAY_S = 86_400

_log = logging.getLogger(__name__)


class Keeper:
    """Writes the calls that ended processes left behind, and removes old lines once a day.

    Processes may do it at the same time: what one has done, the others find done.

    Args:
        log: the log.
        folder: of the spools.
        days: how long lines are kept; 0 = for ever.
        later: runs a task after some seconds, off the calling thread.
    """

    def __init__(
        self,
        log: AuditLog,
        folder: Path,
        days: int,
        later: Callable[[float, Callable[[], None]], None] = run_later,
    ) -> None:
        self._log = log
        self._folder = folder
        self._days = days
        self._later = later
        self._pruned_on = 0

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
        take_over(self._folder, self._log)
        today = int(self._log.clock() // _DAY_S)
        if self._days and today != self._pruned_on:
            prune(self._log, self._days)
            self._pruned_on = today

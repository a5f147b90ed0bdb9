"""Says to a search cluster, for as long as a server runs, that the builds here need their indexes.

The machine that makes builds drops the indexes that no build of its own names any more. It sees
none of the servers, which may serve an older build than any that it has.
"""

import logging
from collections.abc import Callable

from fundstelle.accounts.timetable import Task, run_later
from fundstelle.bootstrap.library import build_engine
from fundstelle.corpus import builds
from fundstelle.errors import FundstelleError, SearchUnavailable
from fundstelle.settings import Settings
from fundstelle.settings.reading import EMBEDDED

FIRST_S = 60.0  # after the start, which waits for no cluster
EVERY_S = 3_600.0  # a cluster that was away is told soon, and a build that came meanwhile is named

_log = logging.getLogger("fundstelle.search")


def keep_indexes(settings: Settings, later: Callable[[float, Task], None] = run_later) -> None:
    """Begin to name them; nothing where search is embedded.

    That it does not succeed is logged once, and once more after it has succeeded.

    Args:
        settings: where the builds are, and the cluster.
        later: runs a task after so many seconds.
    """
    told = None  # what is wrong, as it was logged

    def keep() -> None:
        nonlocal told
        try:
            problem = _try(settings)
            if problem is not None and problem != told:
                _log.warning(
                    "the search cluster was not told which indexes the builds here need (%s): those"
                    " that the machine that makes builds has no build of may be dropped",
                    problem,
                )
            told = problem
        finally:
            later(EVERY_S, keep)

    if settings.search != EMBEDDED:
        later(FIRST_S, keep)


def _try(settings: Settings) -> str | None:
    """Name them; what came instead, if anything."""
    try:
        build_engine(settings).keep(builds.list_indexes(settings.data))
    except SearchUnavailable as error:
        return error.kind
    except (FundstelleError, OSError) as error:
        return str(error)
    return None

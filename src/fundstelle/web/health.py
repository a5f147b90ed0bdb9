"""What a worker knows of its own state: for ``/readyz``, and each second for the metrics."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from fundstelle.accounts.audit.calls import CallLogState
from fundstelle.accounts.audit.log import AuditState
from fundstelle.accounts.database.availability import StoreState
from fundstelle.corpus.updates import Report
from fundstelle.web import metrics

NOT_NEWEST = "the build in use is not the one that is to be live"
AUDIT_BROKEN = "the audit log was found broken; 'fundstelle audit verify' says where"
AUDIT_NOT_COMPARED = (
    "what this server has seen of the audit log (audit-head) cannot be read or written: an older"
    " copy of it would not be found; 'fundstelle audit verify' says why"
)
CALLS_ENDANGERED = (
    "answered calls cannot be put down in audit-spool/ as they should, or files of it were removed"
    " within the last minute; 'fundstelle doctor' and the server's log say why"
)
ACCOUNTS_AWAY = "the accounts database does not answer"
ACCOUNTS_READ_ONLY = "the accounts database cannot be written to"
QUOTA_STORE_AWAY = "the shared quota store does not answer; each process counts on its own"


def _know_none() -> None:
    return None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a worker depends on; each is told from memory, at once.

    Attributes:
        newest: the release that is to be live, ``None`` if that is not known.
        stand: the Stand of the build in use.
        notices: what is wrong with that build, in words for everybody.
        accounts: what the accounts database last answered.
        quota_store: what the shared quota store last answered, ``None`` if there is none.
        calls: how the recording of tool calls stands, ``None`` if none are recorded.
        audit: how the audit log stands, ``None`` if there is none.
        update: what the last update of the corpus came to, ``None`` if there was none.
        today: the day that ages are counted to.
    """

    newest: Callable[[], str | None] = _know_none
    stand: Callable[[], date | None] = _know_none
    notices: Callable[[], Sequence[str]] = tuple
    accounts: Callable[[], StoreState | None] = _know_none
    quota_store: Callable[[], StoreState | None] = _know_none
    calls: Callable[[], CallLogState | None] = _know_none
    audit: Callable[[], AuditState | None] = _know_none
    update: Callable[[], Report | None] = _know_none
    today: Callable[[], date] = date.today


class Health:
    """Describes a worker to whoever probes it.

    Args:
        surroundings: what it depends on.
        problems: what does not work just now, in words for everybody.
    """

    def __init__(self, surroundings: Surroundings, problems: Mapping[str, str]) -> None:
        self._surroundings = surroundings
        self._problems = problems
        self._counted = 0, 0  # losses and breaks that the metrics have

    def list_problems(self, release: str) -> list[str]:
        """What does not work just now: no path, no address, no error's own words."""
        newest = self._surroundings.newest()
        found = [*self._problems, *self._surroundings.notices()]
        if newest is not None and newest != release:
            found.append(NOT_NEWEST)
        accounts = self._surroundings.accounts()
        if accounts is not None and not accounts.reachable:
            found.append(ACCOUNTS_AWAY)
        elif accounts is not None and not accounts.writable:
            found.append(ACCOUNTS_READ_ONLY)
        quota_store = self._surroundings.quota_store()
        if quota_store is not None and not quota_store.reachable:
            found.append(QUOTA_STORE_AWAY)
        found.extend(self._list_of_the_log())
        return found

    def _list_of_the_log(self) -> Iterator[str]:
        audit, calls = self._surroundings.audit(), self._surroundings.calls()
        if calls is not None and calls.is_endangered:
            yield CALLS_ENDANGERED
        if audit is not None and audit.breaks:
            yield AUDIT_BROKEN
        if audit is not None and not audit.is_comparable:
            yield AUDIT_NOT_COMPARED

    def describe(self, release: str) -> dict[str, Any]:
        """The body of ``/readyz`` of a worker that has a build."""
        problems = self.list_problems(release)
        newest = self._surroundings.newest()
        return {
            "status": "degraded" if problems else "ready",
            "corpus_release": release,
            **({"newest_release": newest} if newest not in {None, release} else {}),
            **({"problems": problems} if problems else {}),
        }

    def measure(self, release: str, now: float) -> None:
        """Bring the metrics of this worker up to date.

        Args:
            release: of the build in use, empty if there is none.
            now: seconds since the epoch.
        """
        here = self._surroundings
        if not self._problems:
            metrics.LAST_POLL.set(now)
        metrics.PROBLEMS.set(len(self.list_problems(release)))
        newest, stand, accounts = here.newest(), here.stand(), here.accounts()
        # Where it is not known which is to be live, nobody can say that it is this one.
        metrics.IS_NEWEST.set(newest == release)
        if stand is not None:
            metrics.STAND_AGE_DAYS.set((here.today() - stand).days)
        if (report := here.update()) is not None:
            metrics.UPDATE_FAILURES.set(report.count_failures())
            metrics.LAST_UPDATE.set(report.begun_at.timestamp())
        if accounts is not None:
            metrics.ACCOUNTS_REACHABLE.set(accounts.reachable)
            metrics.ACCOUNTS_WRITABLE.set(accounts.writable)
        quota_store = here.quota_store()
        if quota_store is not None:
            metrics.get_quota_store_reachable().set(quota_store.reachable)
        self._measure_log()

    def _measure_log(self) -> None:
        calls, audit = self._surroundings.calls(), self._surroundings.audit()
        lost, breaks = self._counted
        if calls is not None:
            metrics.CALLS_WAITING.set(calls.waiting)
            metrics.CALLS_LOST.inc(calls.lost - lost)
            lost = calls.lost
        if audit is not None:
            metrics.AUDIT_BREAKS.inc(audit.breaks - breaks)
            breaks = audit.breaks
        self._counted = lost, breaks

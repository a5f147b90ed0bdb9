"""Settings to the accounts database and its audit log."""

from collections.abc import Callable

from fundstelle.accounts.audit.keeper import Keeper
from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.spool import FOLDER as SPOOLS
from fundstelle.accounts.audit.takeover import note_removed
from fundstelle.accounts.audit.witness import Witness, open_witness
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.timetable import run_later
from fundstelle.settings import Settings


def open_accounts(settings: Settings, *, makes: bool = True) -> AccountsStore:
    """The accounts database of this server, made if it is not there and ``makes`` says so.

    Raises:
        AccountsError: it cannot be opened.
    """
    return AccountsStore.open(settings.data, settings.database_url, makes=makes)


def build_audit_log(settings: Settings, store: AccountsStore) -> AuditLog:
    """The log of this server for a command, which takes nothing down if that is switched off."""
    return _build(settings, store, _run_now_or_later, is_on=settings.audit != "off")


def open_audit_log(settings: Settings, store: AccountsStore) -> AuditLog:
    """The same for who tends the log that is there, whether anything is added to it or not."""
    return _build(settings, store, _run_now_or_later, is_on=True)


def start_audit_log(settings: Settings, store: AccountsStore) -> AuditLog:
    """The same for a server process, which also tends it."""
    audit = _build(settings, store, run_later, is_on=settings.audit != "off")
    if settings.audit == "calls":
        note_removed(store.folder / SPOOLS, audit)
    if settings.audit != "off":
        audit.begin()
        Keeper(audit, store.folder / SPOOLS, settings.audit_days).start()
    return audit


def _build(
    settings: Settings,
    store: AccountsStore,
    later: Callable[[float, Callable[[], None]], None],
    *,
    is_on: bool,
) -> AuditLog:
    tell = None
    if settings.audit_witness is not None:
        tell = Witness(open_witness(settings.audit_witness), settings.base_url, later).tell
    return AuditLog(store, is_on=is_on, tell=tell)


def _run_now_or_later(delay_s: float, task: Callable[[], None]) -> None:
    """What is due is done before the command goes on: with its process the threads end.

    What it finds broken is a line of the log from then on, and nobody else tells the witness.
    """
    if delay_s > 0:
        run_later(delay_s, task)
    else:
        task()

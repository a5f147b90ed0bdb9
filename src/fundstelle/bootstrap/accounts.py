"""Settings to the accounts database and its audit log."""

from fundstelle.accounts.audit.keeper import Keeper
from fundstelle.accounts.audit.log import AuditLog
from fundstelle.accounts.audit.spool import FOLDER as SPOOLS
from fundstelle.accounts.audit.witness import Witness, open_witness
from fundstelle.accounts.database.store import AccountsStore
from fundstelle.settings import Settings


def open_accounts(settings: Settings) -> AccountsStore:
    """The accounts database of this server.

    Raises:
        AccountsError: it cannot be opened.
    """
    return AccountsStore.open(settings.data, settings.database_url)


def build_audit_log(settings: Settings, store: AccountsStore) -> AuditLog:
    """The log of this server, which takes nothing down if that is switched off."""
    tell = None
    if settings.audit_witness is not None:
        tell = Witness(open_witness(settings.audit_witness), settings.base_url).tell
    return AuditLog(store, is_on=settings.audit != "off", tell=tell)


def start_audit_log(settings: Settings, store: AccountsStore) -> AuditLog:
    """The same for a server process, which also tends it."""
    audit = build_audit_log(settings, store)
    if settings.audit != "off":
        audit.begin()
        Keeper(audit, store.folder / SPOOLS, settings.audit_days).start()
    return audit

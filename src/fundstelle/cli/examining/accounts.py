"""The accounts database: what acts in it by itself."""

from collections.abc import Iterator

from fundstelle.accounts.database.foreign import NOT_OURS, find_foreign
from fundstelle.accounts.database.store import DATABASE, make_address
from fundstelle.cli.examining.findings import Finding
from fundstelle.errors import AccountsError
from fundstelle.settings import Settings


def examine_accounts(settings: Settings) -> Iterator[Finding]:
    """Whether anything acts in the database that no version of ours has made; nothing is made."""
    if settings.database_url is None and not (settings.data / DATABASE).is_file():
        return
    try:
        foreign = find_foreign(settings.database_url or make_address(settings.data))
    except AccountsError as error:
        remedy = "see that it runs, and that this environment has the settings of the server"
        yield Finding.wrong("accounts", str(error), remedy)
        return
    for one in foreign:
        yield Finding.note("accounts", f"the accounts database holds {NOT_OURS.format(one)}")
    if not foreign:
        yield Finding.ok("accounts", "nothing acts in the accounts database but what is ours")

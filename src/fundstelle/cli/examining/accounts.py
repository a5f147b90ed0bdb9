"""The accounts database: what acts in it by itself, and whether the pepper is its own."""

from collections.abc import Callable, Iterator

from fundstelle.accounts.database.foreign import NOT_OURS, find_foreign
from fundstelle.accounts.database.pepper_mark import compare_pepper
from fundstelle.accounts.database.store import DATABASE, PEPPER, make_address
from fundstelle.accounts.pepper import read_pepper
from fundstelle.cli.examining.findings import Finding
from fundstelle.errors import AccountsError
from fundstelle.settings import Settings


def examine_accounts(settings: Settings) -> Iterator[Finding]:
    """Whether a server could use the accounts, and what acts in them that no version of ours made.

    Nothing is made.
    """
    path = settings.data / PEPPER
    if settings.database_url is None and not (settings.data / DATABASE).is_file():
        yield from _examine_pepper(lambda: read_pepper(path))
        return
    url = settings.database_url or make_address(settings.data)
    try:
        foreign = find_foreign(url)
    except AccountsError as error:
        remedy = "see that it runs, and that this environment has the settings of the server"
        yield Finding.wrong("accounts", str(error), remedy)
        return
    for one in foreign:
        yield Finding.note("accounts", f"the accounts database holds {NOT_OURS.format(one)}")
    if not foreign:
        yield Finding.ok("accounts", "nothing acts in the accounts database but what is ours")
    yield from _examine_pepper(lambda: compare_pepper(url, path))


def _examine_pepper(see: Callable[[], object]) -> Iterator[Finding]:
    try:
        see()
    except AccountsError as error:
        remedy = "until then no server starts here, and no backup can be made"
        yield Finding.wrong("accounts", str(error), remedy)

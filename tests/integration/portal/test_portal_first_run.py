"""What admins see of their server: the first steps, and what the corpus holds."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from shutil import copytree

import pyotp
import pytest
from lxml.html import document_fromstring

from fundstelle.accounts.database.store import AccountsStore
from fundstelle.accounts.policies import Policies, Policy
from fundstelle.backup.create import create
from fundstelle.backup.trace import TRACE, leave_trace, read_trace
from fundstelle.corpus import builds, updates
from fundstelle.corpus.manifest import Rejected
from fundstelle.portal.holdings import count_held
from tests.integration.services.databases import Database
from tests.integration.sites.law_site import Browser, Site, open_law_site

STEPS = ("account", "factor", "invite", "connect", "corpus", "backup")


@pytest.fixture
def own(demonstration_data: Path, tmp_path: Path) -> Iterator[Site]:
    """A site with a data folder of its own."""
    data = tmp_path / "data"
    copytree(demonstration_data, data)
    with open_law_site(data, tmp_path / "accounts") as site:
        yield site


def list_done(browser: Browser) -> list[bool]:
    tree = document_fromstring(browser.get("/").text)
    items = tree.xpath("//section[@class='first-run']//li")
    return [one.xpath("string(span[1])") == "done" for one in items]


def test_first_steps_tick_themselves_off(own: Site) -> None:
    admin = own.visit(own.admin)
    assert list_done(admin) == [True, False, True, False, False, False]  # Max has joined
    factors = own.services.second_factors
    offer = factors.offer_totp("anna@example.org")
    factors.confirm_totp(own.admin, offer.sealed, pyotp.TOTP(offer.secret).now())
    _, key = own.services.keys.create("Laptop", user_id=own.member)
    own.services.keys._write_last_use({key.id: datetime.now(UTC).timestamp()})
    leave_trace(own.services.settings.data, datetime.now(UTC))
    assert list_done(admin) == [True, True, True, True, False, True]  # of invented law
    page = admin.get("/admin/corpus").text
    assert "Last made on" in page


def test_first_steps_are_for_admins_until_they_are_put_away(own: Site) -> None:
    admin, member = own.visit(own.admin), own.visit(own.member)
    assert list_done(member) == list_done(own.visit()) == []
    refused = member.send("/admin/first-run/away", "/account")
    assert refused.status_code == 404
    assert admin.http.post("/admin/first-run/away", data={"csrf": "x"}).status_code == 403
    assert len(list_done(admin)) == len(STEPS)
    own.services.policies.write(Policy(key_days=30))
    assert admin.send("/admin/first-run/away", "/").headers["location"] == "/"
    assert list_done(admin) == []
    assert own.services.policies.read() == Policy(key_days=30)
    own.services.policies.write(Policy())
    assert list_done(admin) == []


def test_the_list_is_put_away_in_either_database(tmp_path: Path, database: Database) -> None:
    store: AccountsStore = database.open(tmp_path)
    rules = Policies(store)
    assert not rules.is_put_away()
    rules.put_away()
    rules.put_away()
    assert rules.is_put_away()
    assert rules.read() == Policy()
    store.close()


def test_a_backup_leaves_the_time_and_nothing_else(tmp_path: Path, database: Database) -> None:
    data = tmp_path / "data"
    database.open(data).close()
    assert read_trace(data) is None
    target = tmp_path / "elsewhere.tar.zst"
    create(data, target, has_file=database.url is None, with_build=False)
    made = read_trace(data)
    assert made is not None
    assert abs((datetime.now(UTC) - made).total_seconds()) < 3_600
    assert (data / TRACE).read_text() == f"{made.isoformat()}\n"
    (data / TRACE).write_text("yesterday")
    assert read_trace(data) is None


def test_the_corpus_is_counted_as_it_is(own: Site) -> None:
    with own.services.library() as library:
        assert library is not None
        held = count_held(library)
        kinds = Counter(one.jurisdiction for one in library.store.statutes.values())
        decisions = library.store.manifest.decisions
    assert held.laws == kinds["de"] > 0
    assert held.acts == kinds["eu"]
    assert held.laws + held.land_laws + held.acts == kinds.total()
    for page in (own.visit().get("/"), own.visit(own.admin).get("/admin/corpus")):
        facts = document_fromstring(page.text).xpath("//dl[@class='facts'][1]")[0]
        shown = dict(
            zip(
                facts.xpath("dt/text()"), (d.text_content() for d in facts.xpath("dd")), strict=True
            )
        )
        assert shown["Federal laws and ordinances"] == str(held.laws)
        assert shown["Decisions of German and European courts"] == str(decisions)


def test_the_last_update_and_unusable_files_are_told(
    own: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = own.services.settings.data
    admin = own.visit(own.admin)
    assert "There was none yet" in admin.get("/admin/corpus").text
    outcomes = (
        updates.Outcome("gii", "Gazette <one>", 12, 3, stand=date(2026, 1, 2)),
        updates.Outcome("eurlex", "Other", problem="the host is away"),
    )
    report = updates.Report(datetime(2026, 1, 3, 4, 5, tzinfo=UTC), "x", outcomes)
    (data / updates.REPORT).write_bytes(updates.dump_report(report))
    read = builds.read_manifest
    unusable = (Rejected("laws/x.xml", "its root is <unknown>"),)
    monkeypatch.setattr(
        builds, "read_manifest", lambda folder: replace(read(folder), rejected=unusable)
    )
    page = admin.get("/admin/corpus").text
    assert "Gazette &lt;one&gt;" in page
    assert "the host is away" in page
    assert "1 sources or documents stayed as they were" in page
    assert '<code>laws/x.xml</code>: <span lang="en">its root is &lt;unknown&gt;</span>' in page

"""A key's calls by tool and day, and keys that end soon."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from lxml.html import document_fromstring

from fundstelle.accounts.usage import Usage
from tests.integration.services.databases import Database
from tests.integration.sites.law_site import Site

DAY_S = 86_400


def test_calls_are_told_by_tool_and_day(tmp_path: Path, database: Database) -> None:
    store = database.open(tmp_path)
    now = [datetime(2026, 12, 1, 12, tzinfo=UTC).timestamp()]
    usage = Usage(store, lambda: now[0], lambda _delay, _task: None)
    for tool in ("legal_lookup", "legal_lookup", "legal_search"):
        usage.note("usr_a", "key_a", tool)
    usage.note("usr_a", "key_b", "legal_search")
    usage.flush()
    now[0] += DAY_S
    usage.note("usr_a", "key_a", "legal_lookup")  # not written yet
    told = {str(day): dict(calls) for day, calls in usage.by_tool("key_a", 30).items()}
    assert told == {
        "2026-12-01": {"legal_lookup": 2, "legal_search": 1},
        "2026-12-02": {"legal_lookup": 1},
    }
    assert {str(day) for day in usage.by_tool("key_a", 1)} == {"2026-12-02"}
    store.close()


def test_the_page_of_a_key_is_for_its_owner_and_admins(site: Site) -> None:
    services = site.services
    _, key = services.keys.create("Laptop", user_id=site.member)
    services.usage.note(site.member, key.id, "legal_lookup")
    services.usage.note(site.member, key.id, "legal_lookup")
    services.usage.note(site.member, key.id, "legal_search")
    path = f"/keys/{key.id}/usage"
    member = site.visit(site.member)
    assert path in member.get("/keys").text
    for browser in (member, site.visit(site.admin)):
        tree = document_fromstring(browser.get(path).text)
        assert tree.xpath("//thead//code/text()") == ["legal_lookup", "legal_search"]
        assert tree.xpath("//tbody/tr[last()]/td/text()") == ["2", "1", "3"]
    _, other = services.keys.create("Other", user_id=site.admin)
    assert member.get(f"/keys/{other.id}/usage").status_code == 404
    assert member.get("/keys/key_none/usage").status_code == 404


@pytest.mark.parametrize(("days", "is_told"), [(13, True), (15, False), (None, False)])
def test_whoever_has_a_key_is_told_that_it_ends_soon(
    site: Site, days: int | None, is_told: bool
) -> None:
    expires = None if days is None else datetime.now(UTC) + timedelta(days=days)
    _, key = site.services.keys.create("Laptop", expires=expires, user_id=site.member)
    member = site.visit(site.member)
    pages = [member.get(path).text for path in ("/", "/keys", "/usage")]
    assert ["These keys expire within two weeks" in page for page in pages] == [is_told] * 3
    assert "These keys expire" not in site.visit(site.admin).get("/keys").text
    site.services.keys.revoke(key.id)
    assert "These keys expire" not in member.get("/keys").text

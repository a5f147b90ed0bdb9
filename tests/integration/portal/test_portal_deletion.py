"""Deleting a person: what is gone, what stays, and who may not be deleted."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from fundstelle.accounts.database.schema import metadata
from fundstelle.accounts.database.schema_oauth import grants
from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.people.people import User
from fundstelle.errors import InvalidArgument, NotFound
from tests.integration.services.databases import Database
from tests.integration.services.identity_provider import Provider
from tests.integration.sites.people_site import GOOD, Browser, Site, errors, open_site


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as site:
        yield site


def delete(site: Site, browser: Browser, name: str = "Max Mit", keys: str = "end") -> int:
    path = f"/admin/people/{site.member.id}/delete"
    return browser.send(path, name=name, keys=keys).status_code


def give_grant(site: Site) -> str:
    now = datetime.now(UTC)
    row = {
        "id": "grt_test",
        "user_id": site.member.id,
        "client_id": "https://client.example/id",
        "client_name": "Client",
        "host": "client.example",
        "scope": "law.read",
        "created": now,
        "expires": now + timedelta(days=1),
    }
    with site.services.keys._store.write() as connection:
        connection.execute(insert(grants).values(row))
    return "grt_test"


def read_all(site: Site) -> str:
    """Every row of every table."""
    with site.services.keys._store.read() as connection:
        return str([connection.execute(select(one)).all() for one in metadata.sorted_tables])


def test_a_person_is_gone_with_all_that_they_had(site: Site) -> None:
    plain, key = site.services.keys.create("Laptop of Max", user_id=site.member.id)
    site.add_app(site.member)
    site.services.second_factors.recovery.begin(site.member.id)
    grant_id = give_grant(site)
    assert site.services.grants.find_principal(grant_id) is not None
    link = site.services.people.create_password_link(site.member.id)
    member = site.open()
    cookie, _ = site.services.sessions.start(site.member.id, "Firefox")
    member.http.cookies.set("__Host-sid", cookie)
    assert member.is_signed_in()
    assert "max@kanzlei" in read_all(site)
    admin = site.sign_in(site.admin)
    page = admin.get(f"/admin/people/{site.member.id}/delete").text
    assert "The audit log keeps its lines" in page
    assert delete(site, admin) == 303
    assert site.services.people.find(site.member.id) is None
    assert not member.is_signed_in()
    assert site.services.people.find_link(link) is None
    assert site.services.keys.authenticate(plain) is None
    assert [(one.user_id, one.name) for one in site.services.keys.list()] == [
        (None, "(deleted person)")
    ]
    assert site.services.grants.find_principal(grant_id) is None
    assert site.open().send("/sign-in", email=site.member.email, password=GOOD).status_code == 422
    told = read_all(site)
    assert not [one for one in ("max@kanzlei", "Max Mit", "Laptop of") if one in told]
    [line] = site.list_events("person_deleted")
    assert (line["actor"], line["object"], line["details"]) == (
        site.admin.id,
        site.member.id,
        {"keys": "end"},
    )
    assert site.services.audit.verify().problem is None
    shown = admin.get("/admin/audit").text
    assert f"Ann Admin deleted a deleted person ({site.member.id})." in shown
    assert site.services.keys.get(key.id).revoked is not None


def test_keys_go_over_to_the_admin_who_deletes(site: Site) -> None:
    plain, key = site.services.keys.create("Server", user_id=site.member.id)
    _, ended = site.services.keys.create("Old", user_id=site.member.id)
    site.services.keys.revoke(ended.id)
    other = ApiKeys(site.services.keys._store)  # another process, which has seen them
    assert other.authenticate(plain) is not None
    assert delete(site, site.sign_in(site.admin), keys="take") == 303
    found = site.services.keys.authenticate(plain)
    assert found is not None
    assert found.seat == site.admin.id
    other.read_again()
    again = other.authenticate(plain)
    assert again is not None
    assert again.seat == site.admin.id
    held = {one.id: one.user_id for one in site.services.keys.list()}
    assert held == {key.id: site.admin.id, ended.id: None}


def test_nothing_is_deleted_without_the_name_or_a_choice(site: Site) -> None:
    admin = site.sign_in(site.admin)
    path = f"/admin/people/{site.member.id}/delete"
    assert list(errors(admin.send(path, name="Max", keys="end"))) == ["name"]
    assert list(errors(admin.send(path, name="Max Mit", keys="none"))) == ["keys-end"]
    own = admin.send(f"/admin/people/{site.admin.id}/delete", name="Ann Admin", keys="end")
    assert list(errors(own)) == ["name"]
    site.services.people.disable(site.member.id)
    assert list(errors(admin.send(path, name="Max Mit", keys="take"))) == ["keys-end"]
    site.age(minutes=20)
    form = {"csrf": admin.read_form("/sign-out", "/admin")["csrf"]}
    stale = admin.post(path, {**form, "name": "Max Mit", "keys": "end"})
    assert stale.headers["location"].startswith("/sign-in/confirm")
    assert site.services.people.find(site.member.id) is not None
    assert site.list_events("person_deleted") == []
    member = site.sign_in(_enable(site))
    assert member.get(path).status_code == 403


def _enable(site: Site) -> User:
    site.services.people.enable(site.member.id)
    return site.member


def test_the_last_admin_is_not_deleted(site: Site) -> None:
    people = site.services.people
    with pytest.raises(InvalidArgument):
        people.delete(site.admin.id)
    people.set_role(site.member.id, "admin")
    people.delete(site.admin.id, heir=site.member.id)
    assert [one.id for one in people.list()] == [site.member.id]
    with pytest.raises(NotFound):
        people.delete(site.admin.id)


def test_an_address_that_was_deleted_can_be_invited_again(site: Site) -> None:
    assert delete(site, site.sign_in(site.admin)) == 303
    secret = site.services.people.invite(site.member.email, "member", site.admin.id)
    assert site.services.people.accept(secret, "Max Neu", GOOD).id != site.member.id

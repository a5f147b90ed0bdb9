"""What is changed once has one line in the log, however many ask for it at the same moment."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from fundstelle.accounts.people.identities import Identities
from fundstelle.accounts.people.identity_provider import ProvenIdentity
from fundstelle.portal.provider import _note
from fundstelle.portal.scim.people import Directory
from tests.integration.services.databases import Database
from tests.integration.services.identity_provider import Provider
from tests.integration.sites.oauth_server import OAuth
from tests.integration.sites.people_site import Browser, Site, open_site

ASKING, ROUNDS = 4, 6
GROUP = "law-admins"


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as site:
        yield site


@pytest.fixture
def oauth(tmp_path: Path, database: Database) -> Iterator[OAuth]:
    oauth = OAuth(tmp_path, database=database)
    oauth.add_person()
    yield oauth
    oauth.store.close()


def at_once(ask: Callable[[int], object]) -> None:
    together = Barrier(ASKING)

    def wait(number: int) -> None:
        together.wait(30)
        ask(number)

    with ThreadPoolExecutor(ASKING) as pool:
        list(pool.map(wait, range(ASKING)))


def send(browsers: list[Browser], path: str, forms: list[dict[str, str]], number: int) -> None:
    browsers[number].post(path, forms[number])


def redeem(servers: list[OAuth], client_id: str, code: str, number: int) -> None:
    servers[number].redeem(client_id, code)


def promote(directory: Directory, body: Any, _: int) -> None:
    directory.patch_group("admin", body)


@pytest.mark.parametrize("whose", ["own", "anybody's"])
def test_a_key_that_is_revoked_by_several_has_one_line(site: Site, whose: str) -> None:
    browsers = [site.sign_in(site.admin) for _ in range(ASKING)]
    for number in range(ROUNDS):
        name = f"key {number}"
        _, key = site.services.keys.create(name, user_id=site.admin.id)
        path = f"/keys/{key.id}/revoke"
        page, fields = (path, {"name": name}) if whose == "own" else ("/admin/keys", {})
        path = path if whose == "own" else f"/admin{path}"
        forms = [{**browser.read_form(path, page), **fields} for browser in browsers]
        at_once(partial(send, browsers, path, forms))
    assert len(site.list_events("key_revoked")) == ROUNDS


def test_an_invitation_that_is_withdrawn_by_several_has_one_line(site: Site) -> None:
    browsers = [site.sign_in(site.admin) for _ in range(ASKING)]
    path = "/admin/people/withdraw"
    for number in range(ROUNDS):
        site.services.people.invite(f"neu{number}@kanzlei.example", "member", site.admin.id)
        forms = [browser.read_form(path, "/admin") for browser in browsers]
        at_once(partial(send, browsers, path, forms))
    assert len(site.list_events("invitation_withdrawn")) == ROUNDS


def test_a_code_that_comes_again_several_times_at_once_has_one_line(oauth: OAuth) -> None:
    servers = [oauth, *(oauth.open_again() for _ in range(ASKING - 1))]
    client_id = oauth.register()["client_id"]
    for _ in range(ROUNDS):
        code = oauth.authorize(client_id)
        assert oauth.redeem(client_id, code).status_code == 200
        at_once(partial(redeem, servers, client_id, code))
    events = [event for server in servers for event, _, _ in server.events]
    assert events.count("code_reused") == ROUNDS
    for server in servers[1:]:
        server.store.close()


def test_a_role_that_the_directory_gives_several_times_at_once_has_one_line(site: Site) -> None:
    directory = Directory(site.services, "https://law.test/scim/v2")
    for _ in range(ROUNDS):
        site.services.people.set_role(site.member.id, "member")
        member = {"value": site.member.id}
        body = {"Operations": [{"op": "add", "path": "members", "value": [member]}]}
        at_once(partial(promote, directory, body))
    assert len(site.list_events("person_admin")) == ROUNDS


def test_a_role_by_the_groups_of_sign_ins_at_once_has_one_line(site: Site) -> None:
    services = site.services
    ours = services.identities.provider
    identities = Identities(services.people._store, ours, site.clock, admin_group=GROUP)
    proven = ProvenIdentity(
        "https://elsewhere.example", "1", "eva@kanzlei.example", is_email_verified=True, name="Eva"
    )
    services.people.invite("eva@kanzlei.example", "member", site.admin.id)
    user = identities.sign_in(proven, may_join=False).user
    among = replace(proven, groups=frozenset({GROUP}))

    def sign_in(_: int) -> None:
        with services.audit.together() as note:
            _note(note, identities.sign_in(among, may_join=False))

    for _ in range(ROUNDS):
        services.people.set_role(user.id, "member")
        at_once(sign_in)
    assert len(site.list_events("person_admin")) == ROUNDS

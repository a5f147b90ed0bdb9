"""SCIM: what the firm's directory may do with its token, and what it may not."""

import asyncio
import json
import re
import threading
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import event

from fundstelle.accounts.limits.token_buckets import TokenBuckets
from fundstelle.errors import InvalidArgument
from tests.integration.services.databases import Database, only_on_sqlite
from tests.integration.services.identity_provider import Provider
from tests.integration.sites.oauth_server import BASE, Http
from tests.integration.sites.people_site import GOOD, HOST, Site, leave, open_site

ROOT = "/scim/v2"
PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"


DEEP: list[Any] = []
for _ in range(500):
    DEEP = [DEEP]
ADD = {"op": "add", "path": "members"}
CORE = "urn:ietf:params:scim:schemas:core:2.0:"
ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"


def off(path: str) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": False}


def leave_group(members: str) -> dict[str, Any]:
    return {"op": "remove", "path": f"members[{members}]"}


@dataclass
class Directory:
    """The directory, with its token."""

    http: Http
    token: str

    def __call__(self, method: str, path: str, body: object = None) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        return self.http(method, ROOT + path, headers=headers, json=body)

    def patch(self, path: str, *operations: dict[str, Any]) -> httpx.Response:
        return self("PATCH", path, {"schemas": [PATCH], "Operations": list(operations)})


@pytest.fixture
def site(tmp_path: Path, database: Database, provider: Provider) -> Iterator[Site]:
    with open_site(tmp_path, database, provider) as site:
        yield site


@pytest.fixture
def directory(site: Site) -> Directory:
    return Directory(Http(site.app), site.services.provisioning.create())


def test_the_token_is_made_by_an_admin_shown_once_and_ended(site: Site) -> None:
    admin = site.sign_in(site.admin)
    page = "/admin/provisioning"
    form = admin.read_form(page, page)
    shown = admin.post(page, form).text
    [token] = set(re.findall(r"fs-scim-[\w-]{43}", shown))
    assert token not in admin.get(page).text
    assert admin.post(page, form).status_code == 303, "the same form makes no other"
    directory = Directory(Http(site.app), token)
    assert directory("GET", "/Users").status_code == 200
    second = re.findall(r"fs-scim-[\w-]{43}", admin.send(page).text)[0]
    assert directory("GET", "/Users").status_code == 401
    directory.token = second
    assert directory("GET", "/Users").status_code == 200
    assert admin.send(f"{page}/end", page).status_code == 303
    assert directory("GET", "/Users").status_code == 401
    assert len(site.list_events("scim_token_created")) == 2
    assert len(site.list_events("scim_token_ended")) == 1
    exported = b"".join(site.services.audit.export_lines())
    assert token.encode() not in exported
    member = site.sign_in()
    assert member.get(page).status_code == 403
    site.age(minutes=20)
    stale = admin.post(page, admin.read_form(page, page))
    assert stale.headers["location"].startswith("/sign-in/confirm")


def test_the_token_is_stored_as_a_hash(
    site: Site, directory: Directory, tmp_path: Path, database: Database
) -> None:
    assert directory.token.encode() not in database.dump(tmp_path)
    assert site.services.policies.read() is not None


@only_on_sqlite
def test_nothing_is_told_without_the_token(site: Site, directory: Directory) -> None:
    for token in ("", "x", directory.token + "x", directory.token[:-1]):
        answer = Directory(directory.http, token)("GET", "/Users")
        assert answer.status_code == 401
        assert answer.headers["www-authenticate"] == 'Bearer realm="scim"'
        assert "ann@" not in answer.text
    signed_in = site.sign_in(site.admin)
    assert signed_in.get(f"{ROOT}/Users").status_code == 401, "a session is no token"
    statuses = {Directory(directory.http, "x")("GET", "/Users").status_code for _ in range(300)}
    assert statuses == {401, 429}
    assert directory("GET", "/Users").status_code == 200


@only_on_sqlite
def test_wrong_tokens_beyond_the_count_of_their_network_ask_the_database_nothing(
    site: Site, directory: Directory, monkeypatch: pytest.MonkeyPatch
) -> None:
    provisioning, now = site.services.provisioning, [0.0]
    asked: list[float] = []
    read = provisioning._read

    def read_and_count() -> str | None:
        asked.append(now[0])
        return read()

    monkeypatch.setattr(provisioning, "_clock", lambda: now[0])
    monkeypatch.setattr(provisioning, "_read", read_and_count)
    monkeypatch.setattr(TokenBuckets, "look", lambda *_: 30.0)
    monkeypatch.setattr(TokenBuckets, "take", lambda *_: 30.0)
    wrong = Directory(directory.http, directory.token + "x")

    def count(who: Directory, times: int, status: int) -> int:
        asked.clear()
        answers = [who("GET", "/Users") for _ in range(times)]
        assert {answer.status_code for answer in answers} == {status}
        return len(asked)

    assert count(wrong, 5, 429) == 1
    assert count(directory, 1, 200) > 0, "it has the same address"
    now[0] += 1.9
    assert count(wrong, 5, 429) == 0
    now[0] += 0.2
    assert count(wrong, 5, 429) == 1
    renewed = Directory(directory.http, provisioning.create())
    assert count(renewed, 1, 429) == 0
    now[0] += 2.1
    assert count(renewed, 1, 200) > 0
    provisioning.end()
    assert count(renewed, 1, 429) == 1


CORE = "urn:ietf:params:scim:schemas:core:2.0:"
CHARACTERISTICS = {
    "name",
    "type",
    "multiValued",
    "description",
    "required",
    "mutability",
    "returned",
}


def iter_attributes(attributes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for each in attributes:
        yield each
        yield from iter_attributes(each.get("subAttributes", []))


@only_on_sqlite
def test_the_schemas_say_what_users_and_groups_have(directory: Directory) -> None:
    listed = directory("GET", "/Schemas?count=1&startIndex=2").json()  # which are passed over
    assert listed["totalResults"] == listed["itemsPerPage"] == len(listed["Resources"]) == 2
    types = directory("GET", "/ResourceTypes").json()["Resources"]
    assert [one["schema"] for one in types] == [one["id"] for one in listed["Resources"]]
    for one, kind in zip(listed["Resources"], types, strict=True):
        assert one["meta"]["location"] == f"{BASE}{ROOT}/Schemas/{one['id']}"
        for address, same in ((one["meta"]["location"], one), (kind["meta"]["location"], kind)):
            assert directory("GET", address.removeprefix(BASE + ROOT)).json() == same
        resource = directory("GET", kind["endpoint"]).json()["Resources"][0]
        named = {each["name"] for each in one["attributes"]}
        assert {*resource} - {"schemas", "id", "meta"} <= named
        for each in iter_attributes(one["attributes"]):
            assert {*each} >= CHARACTERISTICS, each
            assert (each["type"] == "complex") == ("subAttributes" in each)
    assert directory("GET", f"/Schemas/{CORE}user".replace("core", "CORE")).json()["name"] == "User"
    for missing in (f"/Schemas/{CORE}Device", "/ResourceTypes/Device"):
        answer = directory("GET", missing)
        assert (answer.status_code, answer.json()["status"]) == (404, "404")
    for path in ("/Schemas", "/ResourceTypes"):
        assert directory("GET", f'{path}?filter=name eq "User"').status_code == 403
        assert Directory(directory.http, "x")("GET", path).status_code == 401
    config = directory("GET", "/ServiceProviderConfig").json()
    assert config["meta"]["location"] == f"{BASE}{ROOT}/ServiceProviderConfig"


def test_a_person_is_created_found_disabled_and_deleted(site: Site, directory: Directory) -> None:
    wanted = {"userName": "Neu@Kanzlei.example", "name": {"givenName": "Nele", "familyName": "Neu"}}
    made = directory("POST", "/Users", wanted)
    assert made.status_code == 201
    user_id = made.json()["id"]
    assert made.headers["location"] == f"{BASE}{ROOT}/Users/{user_id}"
    assert made.headers["content-type"] == "application/scim+json"
    told = {name: made.json()[name] for name in ("userName", "displayName", "active")}
    assert told == {"userName": "neu@kanzlei.example", "displayName": "Nele Neu", "active": True}
    again = directory("POST", "/Users", wanted)
    assert (again.status_code, again.json()["scimType"]) == (409, "uniqueness")
    found = directory("GET", '/Users?filter=userName eq "NEU@kanzlei.example"').json()
    assert [one["id"] for one in found["Resources"]] == [user_id]
    none = directory("GET", '/Users?filter=userName eq "no@kanzlei.example"').json()
    assert (none["totalResults"], none["Resources"]) == (0, [])
    plain, _ = site.services.keys.create("Laptop", user_id=user_id)
    path = f"/Users/{user_id}"
    off = directory.patch(path, {"op": "Replace", "path": "active", "value": "False"})
    assert off.json()["active"] is False
    assert site.services.keys.authenticate(plain) is None
    on = directory.patch(path, {"op": "replace", "value": {"active": True}})
    assert on.json()["active"] is True
    assert site.services.keys.authenticate(plain) is not None
    unchanged = directory("PUT", path, {"userName": "neu@kanzlei.example", "displayName": "Nele N"})
    assert (unchanged.json()["displayName"], unchanged.json()["active"]) == ("Nele N", True)
    [renamed] = site.list_events("profile_changed")
    assert (renamed["actor"], renamed["object"]) == ("scim", user_id)
    assert renamed["details"] == {}, "names are for the list of people, not for the log"
    other = directory("PUT", path, {"userName": "ann@kanzlei.example", "active": True})
    assert (other.status_code, other.json()["scimType"]) == (400, "mutability")
    assert directory("DELETE", path).status_code == 204
    assert directory("GET", path).status_code == 404
    assert site.services.keys.authenticate(plain) is None
    events = ("person_provisioned", "person_disable", "person_enable", "person_deleted")
    assert {line["actor"] for name in events for line in site.list_events(name)} == {"scim"}
    assert [len(site.list_events(name)) for name in events] == [1, 1, 1, 1]


def test_groups_are_roles_and_the_last_admin_stays_one(site: Site, directory: Directory) -> None:
    member, admin = ({"value": one.id} for one in (site.member, site.admin))
    listed = directory("GET", "/Groups").json()
    assert [one["id"] for one in listed["Resources"]] == ["admin", "member"]
    path = "/Groups/admin"
    last = directory.patch(path, {"op": "remove", "path": "members", "value": [admin]})
    assert last.status_code == 409
    assert directory("DELETE", f"/Users/{site.admin.id}").status_code == 409
    off = {"op": "replace", "path": "active", "value": False}
    assert directory.patch(f"/Users/{site.admin.id}", off).status_code == 409
    both = directory.patch(path, {"op": "add", "path": "members", "value": [member]}).json()
    assert {one["value"] for one in both["members"]} == {site.member.id, site.admin.id}
    gone = f'members[value eq "{site.member.id}"]'
    one = directory.patch(path, {"op": "remove", "path": gone}).json()
    assert [each["value"] for each in one["members"]] == [site.admin.id]
    title = directory("GET", '/Groups?filter=displayName eq "Fundstelle members"').json()
    assert [each["value"] for each in title["Resources"][0]["members"]] == [site.member.id]


@only_on_sqlite
@pytest.mark.parametrize(
    ("asked", "status"),
    [
        (("GET", '/Users?filter=name sw "a"', None), 400),
        (("GET", "/Users/usr_none", None), 404),
        (("GET", "/Groups/none", None), 404),
        (("POST", "/Users", {"userName": "no address"}), 400),
        (("POST", "/Users", {"userName": 7}), 400),
        (("POST", "/Users", [1]), 400),
        (("POST", "/Users", {"userName": "a@b.example", "active": "maybe"}), 400),
        (("POST", "/Users", {"userName": "a@b.example", "displayName": "x" * 70_000}), 413),
        (("PATCH", "/Users/{member}", {}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [1]}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [{"op": "test"}]}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [{"op": "add"}] * 101}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [{"op": "add", "value": 1}]}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [{"op": DEEP, "path": "active"}]}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [{"op": "add", "path": DEEP}]}), 400),
        (("PATCH", "/Groups/admin", {"Operations": [{**ADD, "value": [{"value": DEEP}]}]}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [off("active.value")]}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [off(f"{CORE}Group:active")]}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [off(f"{CORE}User:active:x")]}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [off("urn:example:active")]}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [off(" active")]}), 400),
        (("PATCH", "/Users/{member}", {"Operations": [{"op": "remove", "path": "active"}]}), 400),
        (("PUT", "/Users/{member}", {"active": False, "Active": True}), 400),
        (("PUT", "/Users/{member}", {f"{CORE}Usr:active": False}), 400),
        (("PUT", "/Users/{member}", {f"{CORE}User": False}), 400),
        (("PATCH", "/Groups/admin", {"Operations": [{**ADD, "path": "members.value"}]}), 400),
        (("PATCH", "/Groups/admin", {"Operations": [leave_group('display eq "x"')]}), 400),
        (("PATCH", "/Groups/admin", {"Operations": [leave_group('value eq "usr_none"')]}), 404),
        (("DELETE", "/Groups/admin", None), 405),
    ],
)
def test_what_cannot_be_read_is_refused_and_changes_nothing(
    site: Site, directory: Directory, asked: tuple[str, str, object], status: int
) -> None:
    method, path, body = asked
    before = site.services.people.list()
    answer = directory(method, path.format(member=site.member.id), body)
    assert answer.status_code == status
    if status != 405:
        assert answer.json()["status"] == str(status)
    assert site.services.people.list() == before


USER = f"{CORE}User"
ENDINGS: list[tuple[str, dict[str, Any]]] = [
    (method, body)
    for name in ("active", "Active", f"{USER}:active", f"{USER.upper()}:ACTIVE")
    for method, body in (
        ("PATCH", {"Operations": [off(name)]}),
        ("PATCH", {"Operations": [{"op": "Replace", "value": {name: False}}]}),
        ("PATCH", {"Operations": [{"Op": "add", "Path": name, "Value": "False"}]}),
        ("PUT", {"userName": "max@kanzlei.example", name: False}),
        ("POST", {"userName": "eva@kanzlei.example", name: False}),
    )
]
ENDINGS += [
    ("PATCH", {"Operations": [{"op": "replace", "path": USER, "value": {"active": False}}]}),
    ("PATCH", {"Operations": [{"op": "replace", "value": {USER: {"Active": False}}}]}),
    ("PATCH", {"Operations": [off(f"{ENTERPRISE}:department"), off("active")]}),
    ("PUT", {USER: {"ACTIVE": "False"}, ENTERPRISE: {"department": "x"}, "urn:x:y": {}}),
    ("POST", {f"{USER}:userName": "eva@kanzlei.example", "ACTIVE": False}),
]


@only_on_sqlite
@pytest.mark.parametrize(("method", "body"), ENDINGS, ids=range(len(ENDINGS)))
def test_an_ending_counts_however_the_attribute_is_written(
    site: Site, directory: Directory, method: str, body: dict[str, Any]
) -> None:
    if method == "PUT":
        body = {name: site.member.email if name == "userName" else body[name] for name in body}
    path = "/Users" if method == "POST" else f"/Users/{site.member.id}"
    answer = directory(method, path, body)
    assert (answer.is_success, answer.json()["active"]) == (True, False)
    ended = site.services.people.find(answer.json()["id"])
    assert ended is not None
    assert ended.disabled is not None


@only_on_sqlite
@pytest.mark.parametrize("name", ["members", "Members", f"{CORE}Group:members"])
def test_members_come_and_go_however_they_are_written(
    site: Site, directory: Directory, name: str
) -> None:
    comes = {"op": "Add", "path": name, "value": [{"Value": site.member.id}]}
    gone = {"op": "remove", "path": f'{name}[Value Eq "{site.member.id}"]'}
    without_path = {"op": "remove", "value": {name: [{"value": site.member.id}]}}
    for end in (gone, without_path):
        shown = directory.patch("/Groups/admin", comes).json()["members"]
        assert {one["value"] for one in shown} == {site.member.id, site.admin.id}
        shown = directory.patch("/Groups/admin", end).json()["members"]
        assert [one["value"] for one in shown] == [site.admin.id]


def test_what_is_no_id_is_not_there(site: Site, directory: Directory) -> None:
    nobody = {"op": "add", "path": "members", "value": [{"value": f"{site.member.id}\0"}]}
    assert directory.patch("/Groups/admin", nobody).status_code == 404
    assert directory.patch("/Groups/admin", leave_group('value eq "a\0b"')).status_code == 404
    for path in ("/Users/a%00b", "/Users/" + "a" * 5_000):
        assert directory("GET", path).status_code in {400, 404}
        assert directory("PUT", path, {"active": False}).status_code in {400, 404}
    assert directory("GET", '/Users?filter=userName eq "a%00@kanzlei.example"').status_code == 400
    for name in ("userName", "displayName"):
        made = {"userName": "eva@kanzlei.example"} | {name: "eva\0@kanzlei.example"}
        assert directory("POST", "/Users", made).status_code < 500


@only_on_sqlite
def test_what_the_server_can_is_said_and_lists_have_pages(site: Site, directory: Directory) -> None:
    config = directory("GET", "/ServiceProviderConfig").json()
    assert (config["patch"]["supported"], config["bulk"]["supported"]) == (True, False)
    pages = [directory("GET", f"/Users?startIndex={n}&count=1").json() for n in (1, 2)]
    assert [(page["totalResults"], page["itemsPerPage"]) for page in pages] == [(2, 1)] * 2
    told = {page["Resources"][0]["id"] for page in pages}
    assert told == {site.admin.id, site.member.id}
    assert directory("GET", "/Users?count=0").json()["Resources"] == []
    assert directory("GET", "/Users?count=-1").json()["Resources"] == []
    far, zeros = "9" * 400, "0" * 400
    for asked, start, held in (
        *(("startIndex=0", 1, 2), ("startIndex=-7", 1, 2), (f"startIndex=-{far}", 1, 2)),
        *((f"startIndex={zeros}2", 2, 1), ("startIndex=&count=", 1, 2)),
        *((f"startIndex={far}", 1_000_000, 0), (f"count={far}", 1, 2), (f"count=-{far}", 1, 0)),
    ):
        page = directory("GET", f"/Users?{asked}").json()
        assert (page["startIndex"], len(page["Resources"])) == (start, held), asked
    for name in ("startIndex", "count"):
        for odd in ("1e3", "abc", "1.0", "%2B1", "0x1", "--1", "-", "1%202", "%D9%A1", "%C2%B2"):
            refused = directory("GET", f"/Users?{name}={odd}")
            assert (refused.status_code, refused.json()["scimType"]) == (400, "invalidValue"), odd


def test_whom_the_directory_sends_signs_in_at_the_provider(
    site: Site, directory: Directory, provider: Provider
) -> None:
    made = directory("POST", "/Users", {"userName": "eva@kanzlei.example"}).json()
    provider.claims = {"email_verified": False}
    assert site.open().get(leave(site.open(), provider)).status_code == 303  # another browser
    browser = site.open()
    assert browser.get(leave(browser, provider)).status_code == 403
    provider.claims = {}
    browser = site.open()
    assert browser.get(leave(browser, provider)).status_code == 303
    assert browser.is_signed_in()
    [identity] = site.services.identities.list(made["id"])
    assert identity.subject == provider.person["sub"]
    provider.claims = {"sub": "somebody else"}
    other = site.open()
    assert other.get(leave(other, provider)).status_code == 403, "it is taken over once"
    provider.claims = {"sub": "a third", "email": site.member.email}
    third = site.open()
    assert third.get(leave(third, provider)).status_code == 403, "they have a password"


def test_people_are_provisioned_by_address_once(site: Site) -> None:
    made = site.services.people.provision("neu@kanzlei.example", "\u200b")
    assert (made.name, made.role, made.has_password) == ("neu", "member", False)
    with pytest.raises(InvalidArgument):
        site.services.people.provision("NEU@kanzlei.example", "Neu")


NAMES = ["Eva \u200b Beck", "Eva \N{WOMAN}\u200d\N{PERSONAL COMPUTER}", "x" * 101, "key_abcdefgh"]


@only_on_sqlite
@pytest.mark.parametrize("name", NAMES, ids=range(len(NAMES)))
def test_whoever_can_be_created_can_be_disabled(directory: Directory, name: str) -> None:
    wanted = {"userName": "Äva@kanzlei.example", "displayName": name}
    made = directory("POST", "/Users", wanted)
    assert made.status_code == 201
    path = f"/Users/{made.json()['id']}"
    for form in ("NFC", "NFD"):
        body = {**wanted, "userName": unicodedata.normalize(form, wanted["userName"])}
        for active in (False, True):
            answer = directory("PUT", path, {**body, "active": active})
            assert (answer.status_code, answer.json()["active"]) == (200, active)
    rename = {"op": "replace", "path": "displayName", "value": name}
    off = {"op": "replace", "path": "active", "value": False}
    answer = directory.patch(path, rename, off)
    assert (answer.status_code, answer.json()["active"]) == (200, False)
    assert answer.json()["displayName"] == made.json()["displayName"]


@only_on_sqlite
def test_what_is_refused_has_changed_nothing(site: Site, directory: Directory) -> None:
    """RFC 7644 §3.5.2: all operations of a request, or none."""
    path = f"/Users/{site.member.id}"
    off = {"op": "replace", "path": "active", "value": False}
    other = {"op": "replace", "path": "userName", "value": "else@kanzlei.example"}
    assert directory.patch(path, off, other).status_code == 400
    member, nobody = {"value": site.member.id}, {"value": "usr_nope"}
    both = {"op": "add", "path": "members", "value": [member, nobody]}
    assert directory.patch("/Groups/admin", both).status_code == 404
    gone = f'members[value eq "{site.admin.id}"]'
    makes = {"op": "add", "path": "members", "value": [nobody]}
    assert (
        directory.patch("/Groups/admin", {"op": "remove", "path": gone}, makes).status_code == 404
    )
    told = {one.id: (one.role, one.disabled) for one in site.services.people.list()}
    assert told == {site.admin.id: ("admin", None), site.member.id: ("member", None)}
    lines = {one["event"] for one in site.services.audit.export() if one["actor"] == "scim"}
    assert lines == set()


def test_the_last_admin_gives_way_to_another_in_one_request(
    site: Site, directory: Directory
) -> None:
    gone = {"op": "remove", "path": f'members[value eq "{site.admin.id}"]'}
    comes = {"op": "add", "path": "members", "value": [{"value": site.member.id}]}
    answer = directory.patch("/Groups/admin", gone, comes)
    assert [one["value"] for one in answer.json()["members"]] == [site.member.id]
    assert [len(site.list_events(one)) for one in ("person_admin", "person_member")] == [1, 1]


def test_who_has_nothing_to_sign_in_with_is_not_the_last_admin(
    site: Site, directory: Directory, provider: Provider
) -> None:
    made = directory("POST", "/Users", {"userName": "eva@kanzlei.example"}).json()
    comes = {"op": "add", "path": "members", "value": [{"value": made["id"]}]}
    assert directory.patch("/Groups/admin", comes).status_code == 200
    off = {"op": "replace", "path": "active", "value": False}
    assert directory.patch(f"/Users/{site.admin.id}", off).status_code == 409
    browser = site.open()
    assert browser.get(leave(browser, provider)).status_code == 303
    assert directory.patch(f"/Users/{site.admin.id}", off).status_code == 200


def sign_up(site: Site, email: str) -> httpx.Response:
    policies = site.services.policies
    policies.write(replace(policies.read(), open_sign_up=True))
    return site.open().send("/sign-up", email=email, name="Eva", password=GOOD)


def test_an_address_that_was_invited_is_not_given_to_whoever_types_it(site: Site) -> None:
    people = site.services.people
    secret = people.invite("eva@kanzlei.example", "admin", site.admin.id)
    answer = sign_up(site, "Eva@kanzlei.example")
    assert answer.status_code == 422
    assert "This address has been invited" in answer.text
    assert people.accept(secret, "Eva", GOOD).role == "admin"


def test_whom_nobody_has_asked_for_is_nobody_to_the_directory(
    site: Site, directory: Directory
) -> None:
    """It knows people by an address, which whoever signs up need not have."""
    assert sign_up(site, "eva@kanzlei.example").status_code == 303
    user = site.services.people.find_by_email("eva@kanzlei.example")
    assert user is not None
    refused = directory("POST", "/Users", {"userName": "eva@kanzlei.example"})
    assert refused.status_code == 409
    assert "signed up" in refused.json()["detail"]
    found = directory("GET", '/Users?filter=userName eq "eva@kanzlei.example"').json()
    assert found["totalResults"] == 0
    assert user.id not in directory("GET", "/Groups").text + directory("GET", "/Users").text
    comes = {"op": "add", "path": "members", "value": [{"value": user.id}]}
    assert directory.patch("/Groups/admin", comes).status_code == 404
    off = {"op": "replace", "path": "active", "value": False}
    assert directory.patch(f"/Users/{user.id}", off).status_code == 404
    site.services.people.set_role(user.id, "admin", site.admin.id)  # who has seen who it is
    assert user.id in directory("GET", "/Groups/admin").text


@only_on_sqlite
def test_a_body_that_comes_after_the_end_of_the_token_changes_nothing(
    site: Site, directory: Directory
) -> None:
    path = f"{ROOT}/Groups/admin"
    comes = {"op": "add", "path": "members", "value": [{"value": site.member.id}]}
    body = json.dumps({"schemas": [PATCH], "Operations": [comes]}).encode()
    headers = [(b"host", HOST.encode()), (b"authorization", f"Bearer {directory.token}".encode())]
    scope = {"type": "http", "method": "PATCH", "path": path, "raw_path": path.encode()}
    scope |= {"query_string": b"", "headers": headers, "client": ("203.0.113.5", 1)}
    said: list[Any] = []

    async def receive() -> dict[str, Any]:
        site.services.provisioning.end()
        return {"type": "http.request", "body": body, "more_body": False}

    async def send(event: dict[str, Any]) -> None:
        said.append(event.get("status"))

    asyncio.run(site.app(scope, receive, send))
    assert said[0] == 401
    user = site.services.people.find(site.member.id)
    assert user is not None
    assert user.role == "member"


@only_on_sqlite
def test_a_name_that_is_no_text_is_passed_over(directory: Directory) -> None:
    for number, part in enumerate((["x"], {"y": 1}, DEEP, 7)):
        name = {"givenName": part, "familyName": "Beck"}
        made = directory("POST", "/Users", {"userName": f"e{number}@k.example", "name": name})
        assert (made.status_code, made.json()["displayName"]) == (201, "Beck")


@only_on_sqlite
@pytest.mark.parametrize("network", ["203.0.113.", "2001:db8:0:1::"])
def test_too_many_of_a_network_at_once_are_asked_to_come_back(
    site: Site, directory: Directory, network: str
) -> None:
    services, going, go_on = site.services, threading.Semaphore(0), threading.Event()
    matches = services.provisioning.matches

    def wait(token: str) -> bool:
        going.release()
        go_on.wait(60)
        return matches(token)

    async def ask(number: int) -> httpx.Response:
        transport = httpx.ASGITransport(site.app, client=(f"{network}{number}", 1))
        headers = {"Authorization": f"Bearer {directory.token}", "Host": HOST}
        async with httpx.AsyncClient(transport=transport, base_url=BASE) as client:
            return await client.get(f"{ROOT}/Users", headers=headers)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services.provisioning, "matches", wait)

        async def crowd() -> list[int]:
            asked = [asyncio.create_task(ask(number)) for number in range(1, 21)]
            refused, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED, timeout=10)
            go_on.set()
            answers = await asyncio.gather(*asked)
            assert refused, "all of them have a thread"
            assert all(one.result().headers["retry-after"] == "1" for one in refused)
            return [answer.status_code for answer in answers]

        statuses = asyncio.run(crowd())
    assert set(statuses) == {200, 503}


@only_on_sqlite
@pytest.mark.parametrize(
    ("operations", "name"),
    [
        ([("name", {"givenName": "Eva", "familyName": "Neu"})], "Eva Neu"),
        ([("name", {"formatted": "Dr. Eva Neu", "familyName": "Neu"})], "Dr. Eva Neu"),
        ([(None, {"name": {"givenName": "Eva", "familyName": "Neu"}})], "Eva Neu"),
        ([("name.givenName", "Eva"), ("name.familyName", "Neu")], "Eva Neu"),
        ([("name.formatted", "Eva Neu")], "Eva Neu"),
        ([("displayName", "E. Neu"), ("name.formatted", "Eva Neu")], "E. Neu"),
        ([("name.familyName", "Neu")], "Eva Beck"),
    ],
)
def test_a_name_changes_however_its_parts_are_sent(
    directory: Directory, operations: list[tuple[str | None, object]], name: str
) -> None:
    body = {"userName": "e@k.example", "displayName": "Eva Beck"}
    path = f"/Users/{directory('POST', '/Users', body).json()['id']}"
    sent = [
        {"op": "replace", "value": value, **({"path": where} if where else {})}
        for where, value in operations
    ]
    assert directory.patch(path, *sent).json()["displayName"] == name


def test_who_is_renamed_and_disabled_in_one_request_takes_the_keys_first(
    site: Site, directory: Directory
) -> None:
    changed: list[str] = []

    def note(_c: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.startswith("UPDATE"):
            changed.append(statement.split()[1])

    event.listen(site.services.audit.store._engine, "before_cursor_execute", note)
    name = {"op": "replace", "path": "displayName", "value": "Eva Neu"}
    path = f"/Users/{site.member.id}"
    assert directory.patch(path, name, off("active")).status_code == 200
    assert changed.index("key_revision") < changed.index("users")


def put(path: str, value: object, action: str = "replace") -> dict[str, Any]:
    return {"op": action, "path": path, "value": value}


WORK = 'emails[type eq "work"]'
UNCHANGEABLE = [
    (put(f"{WORK}.value", "new@x.example"), "mutability"),
    (put("emails", [{"value": "new@x.example", "type": "work"}]), "mutability"),
    (put("Emails", [{"Value": "max@kanzlei.example"}, {"value": "new@x.example"}]), "mutability"),
    (put(f"{WORK}.primary", "False"), "mutability"),
    ({"op": "remove", "path": "emails"}, "mutability"),
    (put("groups", [{"value": "admin"}], "add"), "mutability"),
    (put("groups", []), "mutability"),
    ({"op": "remove", "path": 'groups[value eq "member"]'}, "mutability"),
    (put("id", "z"), "mutability"),
    (put(f"{CORE}User:id", "z"), "mutability"),
    (put("meta.created", "2020-01-01T00:00:00Z"), "mutability"),
    ({"op": "replace", "value": {"id": "z"}}, "mutability"),
    (put("roles", [{"value": "admin"}], "add"), "mutability"),
    (put('roles[primary eq "True"].value', "admin", "add"), "mutability"),
    (put("password", "correct horse battery"), "mutability"),
    (put("entitlements", []), "mutability"),
    (put("foo", 1), "invalidPath"),
    (put("displayName.foo", "x"), "invalidPath"),
    (put("userName.value", "x"), "invalidPath"),
    (put("name.foo", "x"), "invalidPath"),
    ({"op": "add", "value": {"foo": 1}}, "invalidPath"),
]


@only_on_sqlite
@pytest.mark.parametrize(("operation", "kind"), UNCHANGEABLE, ids=range(len(UNCHANGEABLE)))
def test_a_change_that_is_not_made_is_refused(
    site: Site, directory: Directory, operation: dict[str, Any], kind: str
) -> None:
    path = f"/Users/{site.member.id}"
    name = put("displayName", "Max Neu")
    for more in ([], [name], [put("active", value=True)], [off("active"), put("active", "True")]):
        answer = directory.patch(path, *more, operation)
        assert (answer.status_code, answer.json().get("scimType")) == (400, kind)
    shown = directory("GET", path).json()
    assert (shown["active"], shown["displayName"]) == (True, site.member.name)


@only_on_sqlite
@pytest.mark.parametrize("operation", [one for one, _ in UNCHANGEABLE])
def test_what_is_not_kept_keeps_nobody_from_being_disabled(
    site: Site, directory: Directory, operation: dict[str, Any]
) -> None:
    """A directory sends ``emails`` that are not the ``userName`` with every change."""
    path = f"/Users/{site.member.id}"
    before = directory("GET", path).json()
    for sent in ((off("active"), operation), (operation, put("active", "False"))):
        directory.patch(path, put("active", value=True))
        answer = directory.patch(path, *sent)
        assert (answer.status_code, answer.json()) == (200, before | {"active": False})


@only_on_sqlite
def test_what_is_so_already_and_what_is_not_kept_stops_no_change(
    site: Site, directory: Directory
) -> None:
    """As directories send a person whole: Entra ID by paths, Okta as values or a PUT."""
    path = f"/Users/{site.member.id}"
    shown = directory("GET", path).json()
    email = site.member.email
    sent = [
        put(f"{WORK}.value", email.upper(), "Add"),
        put(f"{WORK}.primary", "True", "add"),
        put("emails", shown["emails"]),
        put("groups", shown["groups"]),
        *[put(one, "x") for one in ("title", "externalId", "preferredLanguage", "name.middleName")],
        put('phoneNumbers[type eq "work"].value', "+49 30 1"),
        put('addresses[type eq "work"].formatted', "Am Markt 1"),
        put(f"{ENTERPRISE}:department", "Zivilrecht"),
        {"op": "replace", "value": {"id": shown["id"], "meta": shown["meta"], "title": "x"}},
        {"op": "remove", "path": "name.familyName"},
    ]
    for operation in sent:
        answer = directory.patch(path, operation, off("active"))
        assert (answer.status_code, answer.json()["active"]) == (200, False), operation
        directory.patch(path, put("active", value=True))
    assert directory("GET", path).json() == shown
    body = {**shown, "id": "z", "groups": [], "roles": [{"value": "admin"}], "title": "x"}
    assert directory("PUT", path, body).json() == shown
    renamed = put("displayName", "Others")
    assert directory.patch("/Groups/admin", renamed).status_code == 200
    assert directory.patch("/Groups/admin", put("foo", 1)).json()["scimType"] == "invalidPath"

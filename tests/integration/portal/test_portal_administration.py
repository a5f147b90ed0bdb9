"""Administration: invitations that wait, changes that are asked about, the log as sentences."""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from lxml.html import document_fromstring
from sqlalchemy import update

from fundstelle.accounts.database.schema_people import links
from fundstelle.accounts.keys.reach import EVERYTHING, read_reach
from fundstelle.errors import NotFound
from fundstelle.portal.frame.texts import load_texts
from fundstelle.tools.registry import TOOL_NAMES
from tests.integration.sites.law_site import Browser, Site, find_settings

LINK = re.compile(r"/join/[\w-]{43}")


def read_forms(browser: Browser, action: str) -> list[dict[str, str]]:
    """What the forms of the page of people send to an address, each with its hidden fields."""
    tree = document_fromstring(browser.get("/admin").text)
    return [
        {one.get("name"): one.get("value") or "" for one in form.xpath(".//input[@name]")}
        for form in tree.xpath("//form[@action=$action]", action=action)
    ]


def test_an_invitation_waits_to_be_renewed_or_withdrawn(site: Site) -> None:
    browser = site.visit(site.admin)
    [empty] = read_forms(browser, "/admin/people/invite")
    sent = {**empty, "email": "neu@example.org", "role": "member"}
    shown = browser.http.post("/admin/people/invite", data=sent).text
    [first] = set(LINK.findall(shown))
    page = browser.get("/admin").text
    assert "neu@example.org" in page
    assert first not in page
    renewal = read_forms(browser, "/admin/people/invite")[0]
    [second] = set(LINK.findall(browser.http.post("/admin/people/invite", data=renewal).text))
    gone, there = (site.visit().get(link) for link in (first, second))
    assert (gone.status_code, there.status_code) == (404, 200)
    [withdrawal] = read_forms(browser, "/admin/people/withdraw")
    assert browser.http.post("/admin/people/withdraw", data=withdrawal).status_code == 303
    assert site.visit().get(second).status_code == 404
    assert "neu@example.org" not in browser.get("/admin").text
    assert site.list_events()[-3:] == ["person_invited"] * 2 + ["invitation_withdrawn"]
    browser.http.post("/admin/people/withdraw", data=withdrawal)
    assert site.list_events()[-1:] == ["invitation_withdrawn"]
    assert site.list_events().count("invitation_withdrawn") == 1


def test_to_load_the_page_anew_does_not_spoil_the_link_it_shows(site: Site) -> None:
    browser = site.visit(site.admin)
    [empty] = read_forms(browser, "/admin/people/invite")
    sent = {**empty, "email": "neu@example.org", "role": "member"}
    [link] = set(LINK.findall(browser.http.post("/admin/people/invite", data=sent).text))
    again = browser.http.post("/admin/people/invite", data=sent)
    assert (again.status_code, again.headers["location"]) == (303, "/admin#invitations")
    assert site.visit().get(link).status_code == 200
    path = f"/admin/people/{site.member}/password"
    shown = browser.send(path, f"/admin/people/{site.member}").text
    [password] = set(LINK.findall(shown))
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', shown))
    assert browser.http.post(path, data=hidden).status_code == 200  # another form: another link
    assert site.visit().get(password).status_code == 404


def test_an_invitation_that_has_expired_is_shown_as_such_and_one_accepted_is_not(
    site: Site,
) -> None:
    people = site.services.people
    people.invite("alt@example.org", "member", site.admin)
    with people._store.write() as connection:
        then = datetime.now(UTC) - timedelta(days=1)
        expired = update(links).where(links.c.email == "alt@example.org").values(expires=then)
        connection.execute(expired)
    secret = people.invite("da@example.org", "admin")
    people.accept(secret, "Da", "noch ein langes Kennwort")
    [one] = site.services.invitations.list()
    assert (one.email, one.made_by, one.has_expired(datetime.now(UTC))) == (
        "alt@example.org",
        "Anna",
        True,
    )
    assert "expired" in site.visit(site.admin).get("/admin").text


@pytest.mark.parametrize("action", ["disable", "admin"])
def test_a_change_of_access_is_asked_about_first(site: Site, action: str) -> None:
    browser = site.visit(site.admin)
    path = f"/admin/people/{site.member}/{action}"
    assert f'href="{path}"' in browser.get("/admin").text
    before = site.list_events()
    page = browser.get(path)
    assert page.status_code == 200
    assert "Max" in page.text
    assert site.list_events() == before
    assert browser.send(path).status_code == 303
    assert site.list_events()[-1] == f"person_{action}"
    assert browser.get(f"/admin/people/{site.member}/promote").status_code == 404
    assert browser.get(f"/admin/people/usr_x/{action}").status_code == 404


def test_the_log_is_read_as_sentences_by_kind_person_and_day(site: Site) -> None:
    browser = site.visit(site.admin)
    audit = site.services.audit
    _, key = site.services.keys.create("Laptop", user_id=site.member)
    audit.record("key_created", site.member, key.id)
    audit.record("tool_called", key.id, "legal_lookup")
    audit.record("limits_changed", site.admin)
    audit.record("an_event_to_come", "usr_gone", "x")
    shown = browser.get("/admin/audit").text
    assert "Max created the key “Laptop” (Max)." in shown
    assert "an_event_to_come: a deleted person (usr_gone), x" in shown
    assert "legal_lookup" not in shown
    calls = browser.get("/admin/audit?kind=calls").text
    assert "key “Laptop” (Max) called legal_lookup." in calls
    assert "changed the rules" not in calls
    of_max = browser.get(f"/admin/audit?kind=all&person={site.member}").text
    assert "legal_lookup" in of_max
    assert "Max created the key" in of_max
    assert "changed the rules" not in of_max
    [box] = document_fromstring(shown).xpath("//input[@id='find']/@value")
    assert box == ""  # what the log was asked for is no question about the law
    today = audit.now().date()
    for query, is_there in (
        (f"since={today - timedelta(days=1)}&until={today + timedelta(days=1)}", True),
        (f"until={today - timedelta(days=2)}", False),
        (f"since={today + timedelta(days=2)}", False),
        ("since=&until=", True),
        ("since=0001-01-01&until=9999-12-31", True),
        ("since=9999-12-31", False),
        ("until=0001-01-01", False),
    ):
        assert ("changed the rules" in browser.get(f"/admin/audit?{query}").text) == is_there
        download = browser.get(f"/admin/audit.jsonl?{query}").text
        assert ('"limits_changed"' in download) == is_there
        assert ('"tool_called"' in download) == is_there, "of no kind in particular, all"
    part = browser.get(f"/admin/audit.jsonl?kind=calls&person={site.member}")
    assert [line.count("tool_called") for line in part.text.splitlines()] == [1]
    assert "audit-part.jsonl" in part.headers["content-disposition"]
    assert "hat den Schlüssel „Laptop“" in site.visit(site.admin, "de").get("/admin/audit").text


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("kind=y", "“y” (kind) is not known here. Possible: events, calls, all."),
        ("since=gestern", "“gestern” (since) is no day."),
        ("until=20250101", "“20250101” (until) is no day."),
        ("until=2025-02-30", "“2025-02-30” (until) is no day."),
        ("since=2025-01-02&until=2025-01-01", "is after the last day, 1 Jan 2025."),
        ("kind=calls&kind=all", "“kind” is in the address several times"),
    ],
)
def test_a_part_of_the_log_that_cannot_be_read_is_not_the_whole_log(
    site: Site, query: str, said: str
) -> None:
    browser = site.visit(site.admin)
    for path in ("/admin/audit", "/admin/audit.jsonl"):
        answer = browser.get(f"{path}?{query}")
        assert answer.status_code == 400
        assert said in answer.text
        assert "log_begun" not in answer.text


def test_the_log_of_everything_is_the_whole_log(site: Site) -> None:
    site.services.audit.record("tool_called", "key_x", "legal_lookup")
    browser = site.visit(site.admin)
    whole = browser.get("/admin/audit.jsonl")
    for query in ("kind=all", "kind=&person=&since=&until=", "lang=de"):
        download = browser.get(f"/admin/audit.jsonl?{query}")
        assert download.text == whole.text
        assert "audit.jsonl" in download.headers["content-disposition"]


def find_last(site: Site) -> dict[str, Any]:
    *_, line = site.services.audit.export()
    return line


def test_the_line_of_changed_rules_names_them_with_their_values(site: Site) -> None:
    browser = site.visit(site.admin)
    browser.send("/admin/limits", key_days="90", public_pages="on", open_sign_up="on")
    line = find_last(site)
    assert (line["event"], line["object"]) == ("limits_changed", "key_days open_sign_up")
    assert line["details"] == {
        "changed": {
            "key_days": {"before": 0, "after": 90},
            "open_sign_up": {"before": False, "after": True},
        }
    }
    shown = site.visit(site.admin, "de").get("/admin/audit").text
    assert "Konten für jede Person: nein → ja" in shown
    assert "in Tagen, 0 = ohne Grenze: 0 → 90" in shown
    browser.send("/admin/limits", key_days="90", public_pages="on", open_sign_up="on")
    assert find_last(site) == line, "what changed nothing is not in the log"
    browser.send("/admin/limits", key_days="0", public_pages="on")


def test_a_form_made_before_another_change_undoes_nothing(site: Site) -> None:
    anna, other = site.visit(site.admin), site.visit(site.admin)
    hidden = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
    stale = dict(hidden.findall(anna.get("/admin/limits").text))
    other.send("/admin/limits", key_days="30", public_pages="on")
    before, line = site.services.policies.read(), find_last(site)
    for made_of in (stale, {"csrf": stale["csrf"]}):
        refused = anna.http.post("/admin/limits", data={**made_of, "key_days": "365"})
        assert refused.status_code == 409
        assert "Nothing was saved: the rules are no longer those" in refused.text
        assert '<option value="30" selected>' in refused.text
    assert (site.services.policies.read(), find_last(site)) == (before, line)
    again = dict(hidden.findall(refused.text))
    sent = {**again, "key_days": "0", "public_pages": "on"}
    assert anna.http.post("/admin/limits", data=sent).status_code == 303
    assert site.services.policies.read().key_days == 0


def test_limits_of_a_person_are_changed_and_logged_as_rules_are(site: Site) -> None:
    anna, other = site.visit(site.admin), site.visit(site.admin)
    page = f"/admin/people/{site.member}"
    hidden = re.compile(r'type="hidden" name="(\w+)" value="([^"]*)"')
    stale = dict(hidden.findall(anna.get(page).text.partition("/limits")[2]))
    assert other.send(f"{page}/limits", page, rate_per_minute="600").status_code == 303
    line = find_last(site)
    assert (line["event"], line["object"]) == ("person_limits", site.member)
    assert line["details"] == {"changed": {"rate_per_minute": {"before": None, "after": 600}}}
    shown = other.get("/admin/audit").text
    assert "the limits of Max (calls per minute, 0 = no limit: default → 600)." in shown
    refused = anna.http.post(f"{page}/limits", data={**stale, "calls_per_month": "5"})
    assert refused.status_code == 409
    assert 'value="600"' in refused.text
    wrong = anna.http.post(f"{page}/limits", data={**stale, "calls_per_month": "x"})
    assert wrong.status_code == 422
    kept = dict(hidden.findall(wrong.text.partition("/limits")[2]))
    assert kept["made_of"] == stale["made_of"], "what was typed is over what was shown"
    held = site.services.people.find(site.member)
    assert held is not None
    assert (held.rate_per_minute, held.calls_per_month) == (600, None)
    assert find_last(site) == line
    other.send(f"{page}/limits", page, rate_per_minute="", calls_per_month="")


def test_older_entries_follow_on_further_pages(site: Site) -> None:
    browser = site.visit(site.admin)
    for number in range(230):
        site.services.audit.record("limits_changed", site.admin, str(number))
    seen: list[int] = []
    path = "/admin/audit"
    while path:
        tree = document_fromstring(browser.get(path).text)
        seen += [int(one.text) for one in tree.xpath("//td[@class='number']")]
        path = next(iter(tree.xpath("//a[@rel='next']/@href")), "")
    assert seen == sorted(set(seen), reverse=True)
    assert len(seen) == len(site.list_events())


EVENT = re.compile(r"[a-z]+(_([a-z]+|\.\+))+")
RECORDING = {"record": 0, "recording": 0, "note": 0, "_audit": 0, "audit": 0}
"""What takes the name of an event, and at which place."""


def find_wrappers(tree: ast.Module) -> dict[str, int]:
    """Functions of a module that pass on to the log an event that they were given."""
    found = dict(RECORDING)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for _ in functions:
        before = len(found)
        for function in functions:
            names = [one.arg for one in function.args.args if one.arg not in {"self", "cls"}]
            for argument in iter_named(function, found):
                if isinstance(argument, ast.Name) and argument.id in names:
                    found.setdefault(function.name, names.index(argument.id))
        if len(found) == before:
            break
    return found


def iter_named(tree: ast.AST, places: dict[str, int]) -> Iterator[ast.expr]:
    """The arguments that name an event."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            place = places.get(getattr(node.func, "attr", getattr(node.func, "id", "")))
            if place is not None and len(node.args) > place:
                yield node.args[place]


def list_texts(tree: ast.Module, argument: ast.expr) -> list[ast.expr]:
    """What an argument may be: itself, or all that its name is bound to in the module."""
    if not isinstance(argument, ast.Name):
        return [argument]
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign)
        and any(getattr(name, "id", "") == argument.id for name in ast.walk(node.targets[0]))
    ]


def iter_events() -> Iterator[str]:
    """The events that the code records; with ``.+`` where a part of the name is put in."""
    root = Path(str(files("fundstelle")))
    for path in sorted(root.rglob("*.py")):
        tree = ast.parse(path.read_text("utf-8"))
        for argument in iter_named(tree, find_wrappers(tree)):
            for text in list_texts(tree, argument):
                yield from filter(EVENT.fullmatch, iter_written(text))


def iter_written(text: ast.expr) -> Iterator[str]:
    """What an expression may give, with ``.+`` where something is put in."""
    if isinstance(text, ast.Constant):
        yield str(text.value)
    elif isinstance(text, ast.JoinedStr):
        yield "".join(
            str(getattr(one, "value", "")) if isinstance(one, ast.Constant) else ".+"
            for one in text.values
        )
    elif isinstance(text, ast.IfExp):
        yield from (*iter_written(text.body), *iter_written(text.orelse))
    elif isinstance(text, ast.Tuple):
        yield from (one for part in text.elts for one in iter_written(part))


def test_every_event_has_its_sentence() -> None:
    events = set(iter_events())
    assert {"person_disable", "person_.+", "factors_reset", "factor_added"} <= events
    assert {"password_link_created", "sign_in_failed", "profile_changed"} <= events
    earlier = {"person_role_changed", "person_disabled", "person_enabled", "second_factors_removed"}
    told = "\n".join(load_texts()["en"])
    missing = [
        event
        for event in sorted(events | earlier)
        if not re.search(rf"^audit\.{event}$", told, re.MULTILINE)
    ]
    assert not missing


def test_the_log_knows_whose_a_key_was_when_its_row_is_swept(site: Site) -> None:
    audit = site.services.audit
    audit.record("key_created", site.member, "key_first")
    audit.record("key_rotated", site.member, "key_first", replaced_by="key_second")
    audit.record("consent_given", site.member, "grant_swept", client="https://app.example/c.json")
    audit.record("key_created", "system", "key_line")
    for actor in ("key_first", "key_second", "grant_swept", "key_line"):
        audit.record("tool_called", actor, f"legal_of_{actor}")
    browser = site.visit(site.admin)
    shown = browser.get("/admin/audit?kind=calls").text
    for sentence in (
        "key “key_first” (Max) called legal_of_key_first.",
        "key “key_second” (Max) called legal_of_key_second.",
        "https://app.example/c.json (Max) called legal_of_grant_swept.",
        "key “key_line” called legal_of_key_line.",
    ):
        assert sentence in shown
    for path in ("/admin/audit", "/admin/audit.jsonl"):
        of_max = browser.get(f"{path}?kind=calls&person={site.member}").text
        assert set(re.findall(r"legal_of_(\w+)", of_max)) == {
            "key_first",
            "key_second",
            "grant_swept",
        }


def test_of_an_unknown_person_nothing_is_found_and_of_one_who_has_left_their_lines(
    site: Site,
) -> None:
    site.services.audit.record("person_joined", "usr_left", "usr_left")
    browser = site.visit(site.admin)
    for person in ("usr_x", site.admin.removeprefix("usr_"), "system", "x" * 5_000):
        shown = browser.get(f"/admin/audit?kind=all&person={person}").text
        assert "No entries that fit." in shown
        assert browser.get(f"/admin/audit.jsonl?kind=all&person={person}").text == ""
    left = browser.get("/admin/audit?person=usr_left").text
    assert "a deleted person (usr_left) joined." in left
    assert '<option value="usr_left" selected>a deleted person (usr_left)</option>' in left


def test_people_of_one_name_are_told_apart_by_their_address(site: Site) -> None:
    people = site.services.people
    user = people.find(site.admin)
    assert user is not None
    site.visit(site.member).send("/account/profile", "/account", name="  ANNA ")
    [line] = [one for one in site.services.audit.export() if one["event"] == "profile_changed"]
    assert (line["actor"], line["object"]) == (site.member, site.member)
    assert line["details"] == {}
    member = people.find(site.member)
    assert member is not None
    shown = site.visit(site.admin).get("/admin/audit").text
    assert f"the name of ANNA, {member.email} was changed." in shown
    for one in (user, member):
        assert f">{one.name}, {one.email}</option>" in shown
    german = site.visit(site.admin, "de").get("/admin/audit").text
    assert f"Der Name von ANNA, {member.email} wurde geändert." in german
    site.visit(site.member).send("/account/profile", "/account", name="ANNA", language="de")
    assert site.list_events().count("profile_changed") == 1


def test_nothing_in_the_log_says_who_somebody_was_who_is_deleted(site: Site) -> None:
    member = site.services.people.find(site.member)
    assert member is not None
    site.visit(site.member).send("/account/profile", "/account", name="Maximiliane")
    browser = site.visit(site.admin)
    browser.send(f"/admin/people/{site.member}/delete", keys="end", name="Maximiliane")
    assert site.services.people.find(site.member) is None
    logged = b"".join(site.services.audit.export_lines()).decode()
    for told in (logged, browser.get("/admin/audit").text):
        assert site.member in told
        assert not [one for one in (member.name, "Maximiliane", member.email) if one in told]


def test_what_a_key_did_before_it_was_taken_over_was_not_done_by_who_took_it(site: Site) -> None:
    audit, services = site.services.audit, site.services
    _, key = services.keys.create("Notebook", user_id=site.member)
    audit.record("key_created", site.member, key.id)
    audit.record("tool_called", key.id, "legal_before")
    browser = site.visit(site.admin)
    browser.send(f"/admin/people/{site.member}/delete", keys="take", name="Max")
    assert services.people.find(site.member) is None
    audit.record("tool_called", key.id, "legal_after")
    [line] = [one for one in audit.export() if one["event"] == "key_taken_over"]
    assert (line["actor"], line["object"]) == (site.admin, key.id)
    shown = browser.get("/admin/audit?kind=calls").text
    assert f"key “Notebook” (a deleted person ({site.member})) called legal_before." in shown
    assert "key “Notebook” (Anna) called legal_after." in shown
    for person, called in ((site.admin, "legal_after"), (site.member, "legal_before")):
        for path in ("/admin/audit", "/admin/audit.jsonl"):
            told = browser.get(f"{path}?kind=calls&person={person}").text
            assert set(re.findall(r"legal_(?:before|after)", told)) == {called}


def test_a_key_that_ended_with_its_person_tells_no_network(site: Site) -> None:
    reach = read_reach(["legal_lookup"], ["192.0.2.77"], TOOL_NAMES)
    _, key = site.services.keys.create("Notebook", user_id=site.member, reach=reach)
    site.services.people.delete(site.member)
    assert site.services.keys.get(key.id).reach is EVERYTHING
    assert site.services.keys.get(key.id).revoked is not None


def test_an_admin_who_is_none_any_more_changes_nobody(site: Site) -> None:
    people = site.services.people
    people.set_role(site.member, "admin")
    people.set_role(site.admin, "member")
    for act in (people.disable, people.enable, partial(people.set_role, role="member")):
        with pytest.raises(NotFound):
            act(site.member, by=site.admin)
    with pytest.raises(NotFound):
        people.delete(site.member, by=site.admin)


def test_what_changes_nothing_has_no_line(site: Site) -> None:
    browser = site.visit(site.member)
    token = browser.get("/account").text
    fields = dict(re.findall(r'type="hidden" name="(csrf)" value="([^"]*)"', token))
    site.services.audit.begin()  # as a server does
    before = site.list_events()
    for path, more in (
        ("/account/totp/remove", {}),
        ("/account/sessions/end", {}),
        ("/account/identities/end", {"issuer": "x", "subject": "y"}),
    ):
        assert browser.http.post(path, data={**fields, **more}).status_code == 303, path
    assert site.list_events() == before
    people = site.services.people
    assert not people.enable(site.member)
    assert not people.set_role(site.member, "member")


def test_a_name_is_escaped_once(site: Site) -> None:
    site.services.people.set_name(site.member, "Müller & <b>{count}")
    site.services.audit.record("person_disable", site.admin, site.member)
    shown = site.visit(site.admin).get("/admin/audit").text
    assert "disabled Müller &amp; &lt;b&gt;{count}." in shown


def test_times_are_given_in_one_zone_with_its_name(site: Site) -> None:
    site.services.audit.record("limits_changed", site.admin)
    shown = {lang: site.visit(site.admin, lang).get("/admin/audit").text for lang in ("de", "en")}
    assert re.search(r"\d\d:\d\d:\d\d ME?S?Z", shown["de"])
    assert re.search(r"\d\d:\d\d:\d\d CES?T", shown["en"])
    assert len({re.findall(r"(\d\d):\d\d:\d\d", page)[0] for page in shown.values()}) == 1


def test_the_footer_says_whose_server_it_is_and_only_what_is_true(site: Site) -> None:
    plain = site.visit().get("/sign-in").text
    assert "Questions and keys never leave it" in plain
    assert "Legal notice" not in plain
    told = find_settings(
        site.services.settings.data,
        firm="Kanzlei Muster & Partner",
        imprint_url="https://kanzlei.example/impressum",
        privacy_url="https://kanzlei.example/datenschutz?x=1&y=2",
        embedder="https://model.example/v1/embeddings",
        embedder_model="m",
    )
    object.__setattr__(site.services, "settings", replace(told))
    shown = site.visit().get("/sign-in").text
    assert "never leave it" not in shown
    assert "Search questions go to the language model" in shown
    assert "Kanzlei Muster &amp; Partner" in shown
    assert 'href="https://kanzlei.example/impressum"' in shown

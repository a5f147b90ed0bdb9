"""A key's reach: chosen in the portal or at the command line, kept by rotation, known to all."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from fundstelle.accounts.keys.api_keys import ApiKeys
from fundstelle.accounts.keys.reach import EVERYTHING, Reach, load_reach, read_reach
from fundstelle.cli.accounts.keys import keys as command
from fundstelle.settings import Settings
from fundstelle.tools.registry import TOOL_NAMES
from tests.integration.services.databases import Database
from tests.integration.sites.law_site import Site

NEW = "/keys/new"
CHOICE = {"name": "Scanner", "expiry": "30", "reach": "some", "legal_lookup": "on"}


def test_every_process_knows_what_a_key_is_for(tmp_path: Path, database: Database) -> None:
    store = database.open(tmp_path)
    made = ApiKeys(store)
    networks = ["192.0.2.0/24", "2001:db8::/32"]
    reach = read_reach(["legal_lookup"], networks, TOOL_NAMES, decisions=False)
    plain, record = made.create("Scanner", reach=reach)
    whole, _ = made.create("Laptop")
    assert record.reach == made.get(record.id).reach == reach
    assert {key.id: key.reach for key in made.list()}[record.id] == reach
    other = ApiKeys(store)
    for presented, wanted in ((plain, reach), (whole, EVERYTHING)):
        principal = other.authenticate(presented)
        assert principal is not None
        assert principal.reach == wanted
    again, new = made.rotate(record.id)
    assert new.reach == reach
    other.read_again()
    principal = other.authenticate(again)
    assert principal is not None
    assert principal.reach == reach
    made.close()


def test_tools_and_networks_are_chosen_with_the_key(site: Site) -> None:
    browser = site.visit(site.member)
    sent = browser.send(NEW, **CHOICE, networks="192.0.2.0/24, 198.51.100.7", decisions="none")
    assert sent.status_code == 200
    [key] = site.services.keys.list(site.member)
    networks = ["192.0.2.0/24", "198.51.100.7"]
    assert key.reach == read_reach(["legal_lookup"], networks, TOOL_NAMES, decisions=False)
    shown = browser.get("/keys").text
    assert "legal_lookup · 192.0.2.0/24, 198.51.100.7/32 · Without court decisions" in shown


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"legal_lookup": "off"}, "Choose at least one tool."),
        ({"networks": "kanzlei.example"}, "These are no addresses or networks, or more than 20."),
    ],
)
def test_a_choice_that_cannot_be_meant_is_shown_again(
    site: Site, changed: dict[str, str], told: str
) -> None:
    browser = site.visit(site.member)
    answer = browser.send(NEW, **{**CHOICE, **changed})
    assert answer.status_code == 422
    assert told in answer.text
    assert 'value="some" id="some" checked' in answer.text
    assert site.services.keys.list(site.member) == ()


def test_without_a_choice_a_key_is_for_everything(site: Site) -> None:
    site.visit(site.member).send(NEW, name="Laptop", expiry="30", reach="all")
    [key] = site.services.keys.list(site.member)
    assert key.reach is EVERYTHING or key.reach == EVERYTHING


@pytest.mark.parametrize(("overlap", "state"), [("hour", "replaced, still valid"), ("now", "")])
def test_a_key_that_was_replaced_says_so_while_it_is_good(
    site: Site, overlap: str, state: str
) -> None:
    browser = site.visit(site.member)
    plain, key = site.services.keys.create("Laptop", user_id=site.member)
    browser.send(f"/keys/{key.id}/rotate", overlap=overlap)
    shown = browser.get("/keys").text
    assert ("replaced, still valid" in shown) == bool(state)
    assert (site.services.keys.authenticate(plain) is not None) == bool(state)
    assert f'href="/keys/{key.id}/rotate"' not in shown
    assert (f'href="/keys/{key.id}/revoke"' in shown) == bool(state)


def test_the_command_line_makes_such_keys_and_lists_them(tmp_path: Path) -> None:
    settings = Settings.from_env({"FUNDSTELLE_DATA": str(tmp_path)})
    run = CliRunner().invoke
    asked = ["create", "Scanner", "--tool", "legal_lookup", "--network", "192.0.2.0/24"]
    assert run(command, asked, obj=settings).exit_code == 0
    assert run(command, ["create", "x", "--tool", "legal_guess"], obj=settings).exit_code == 2
    [listed] = json.loads(run(command, ["list", "--json"], obj=settings).stdout)
    assert listed["reach"] == {"tools": ["legal_lookup"], "networks": ["192.0.2.0/24"]}
    assert run(command, ["create", "Laws", "--no-decisions"], obj=settings).exit_code == 0
    listed = json.loads(run(command, ["list", "--json"], obj=settings).stdout)
    [laws] = [one for one in listed if one["name"] == "Laws"]  # of one second, in any order
    assert laws["reach"] == {"tools": None, "networks": [], "decisions": False}


def test_a_reach_stored_before_decisions_could_be_left_out_has_them() -> None:
    assert load_reach({"tools": None, "networks": ["192.0.2.0/24"]}).decisions
    limited = Reach(decisions=False)
    assert load_reach(limited.dump()) == limited

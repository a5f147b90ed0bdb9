"""The cards of the Connect page: ways instead of a row, and nothing on them that leaks."""

import ast
import json
import shlex
import tomllib
from urllib.parse import unquote

import pytest
import yaml

from fundstelle.clients.catalogue import CLIENTS
from fundstelle.clients.files import Form
from fundstelle.clients.target import Target
from fundstelle.portal.connecting.connector import write_definition
from fundstelle.portal.connecting.guide import Guide, Reach, Step
from fundstelle.portal.connecting.guides import GUIDES, find_guide

KEY = "sk-legal-" + "A" * 46
TARGET = Target("https://recht.example.org", KEY)
SIGNS_IN = "connect.way_oauth"
# these are asked for a key by their own forms before they offer to sign in
KEY_FIRST = {"open-webui", "n8n"}


def list_steps(guide: Guide) -> list[Step]:
    return [step for way in guide.ways for step in way.steps]


def test_the_programs_are_there() -> None:
    assert {guide.slug for guide in GUIDES} >= {
        *(client.slug for client in CLIENTS),
        *("le-chat", "langdock", "open-webui", "n8n", "m365-copilot", "other"),
    }
    assert len({guide.slug for guide in GUIDES}) == len(GUIDES)


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.slug)
def test_no_link_carries_the_key(guide: Guide) -> None:
    for step in list_steps(guide):
        if step.link is not None:
            assert KEY not in unquote(step.link(TARGET))


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.slug)
def test_signing_in_comes_first_and_shows_no_key(guide: Guide) -> None:
    titles = [way.title for way in guide.ways]
    if SIGNS_IN in titles and guide.slug not in KEY_FIRST:
        assert titles[0] == SIGNS_IN
    for way in guide.ways:
        shown = [step.code(TARGET) for step in way.steps if step.code]
        if not way.takes_key:
            assert not any(KEY in text or "FUNDSTELLE_KEY" in text for text in shown)
        else:
            assert any(KEY in text for text in shown) or "input:" in "".join(shown)


def parse(step: Step, text: str) -> None:
    """Read it as what it looks like; what is nothing of that is one line without blanks."""
    if step.file is not None and step.file.form is Form.TOML:
        tomllib.loads(text)
    elif step.file is not None and step.file.form is Form.YAML:
        assert isinstance(yaml.safe_load(text), dict)
    elif text.startswith("{"):
        json.loads(text)
    elif text.startswith("import asyncio"):
        ast.parse(text)
    elif text.startswith("import {"):
        assert text.count("{") == text.count("}")
    elif " " in text:
        for line in text.replace("\\\n", " ").replace("^\n", " ").splitlines():
            assert len(shlex.split(line)) > 1
    else:
        assert "\n" not in text


@pytest.mark.parametrize("guide", GUIDES, ids=lambda guide: guide.slug)
def test_every_snippet_can_be_read(guide: Guide) -> None:
    for step in list_steps(guide):
        for write in (step.code, step.windows):
            if write is not None:
                parse(step, write(TARGET))


def test_a_way_over_the_internet_is_not_shown_where_it_leads_nowhere() -> None:
    guide = find_guide("claude-desktop")
    assert guide
    titles = [way.title for way in guide.list_ways(TARGET)]
    assert titles[0] == "connect.way_public"
    here = Target("http://127.0.0.1:8000", KEY)
    assert [way.title for way in guide.list_ways(here)] == titles[1:]
    assert all(guide.list_ways(here) for guide in GUIDES)


def test_a_variable_is_set_on_windows_too() -> None:
    steps = [step for guide in GUIDES for step in list_steps(guide)]
    for step in steps:
        if step.code and step.code(TARGET).startswith("export "):
            assert step.windows
            assert step.windows(TARGET).startswith("setx ")


def test_the_web_asks_from_the_internet() -> None:
    reach = {guide.slug: guide.reach for guide in GUIDES}
    assert {slug for slug, where in reach.items() if where is Reach.INTERNET} == {
        *("claude-ai", "chatgpt", "le-chat", "langdock", "m365-copilot", "copilot-studio")
    }


@pytest.mark.parametrize("oauth", [False, True])
def test_the_connector_is_what_power_platform_imports(*, oauth: bool) -> None:
    document = json.loads(write_definition("https://recht.example.org", oauth=oauth))
    assert (document["swagger"], document["host"]) == ("2.0", "recht.example.org")
    operation = document["paths"]["/mcp"]["post"]
    assert operation["x-ms-agentic-protocol"] == "mcp-streamable-1.0"
    (scheme,) = document["securityDefinitions"].values()
    assert scheme["type"] == ("oauth2" if oauth else "apiKey")
    assert list(document["security"][0]) == list(document["securityDefinitions"])

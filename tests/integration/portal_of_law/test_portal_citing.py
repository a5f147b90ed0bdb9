"""Lists of citing decisions say what sets the texts held apart from those that they applied."""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import orjson
import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.lookup.addresses import norm_path
from fundstelle.lookup.library import Library
from fundstelle.portal.public import decision
from fundstelle.portal.public.opening import today
from fundstelle.portal.reasons import tell
from fundstelle.settings import Settings
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext
from tests.integration.sites.law_site import Browser, Site

DECISION = "/d/de/olg-musterstadt/7-u-902-24/2025-01-14/urteil"
TAG = re.compile(r"<[^>]+>")
APART = re.compile(r"applied|earlier law of")


@pytest.fixture
def held(demonstration_data: Path) -> Iterator[Library]:
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(demonstration_data)}))
    yield library
    library.close()


def ask(library: Library, name: str, **arguments: Any) -> list[str]:
    """What assistants are warned of that concerns the decisions' own time."""
    tools = {one.name: one for one in build_registry(library, today=today, base_url="").tools}
    called = tools[name].call(arguments, CallContext("", ""))
    answer: dict[str, Any] = orjson.loads(called.structured or b"{}")
    return [one for one in answer["warnings"] if APART.search(one)]


def read(browser: Browser, path: str) -> str:
    page = browser.get(path)
    assert page.status_code == 200, path
    return " ".join(unescape(TAG.sub(" ", page.text)).split())


def test_lists_of_decisions_say_what_assistants_are_told_of_them(site: Site, held: Library) -> None:
    browser = site.visit(language="de")
    told = 0
    store = held.store
    ids = [n.norm_id for law in store.statutes for n in store.list_norms(law)]
    for cited_id in (*store.statutes, *ids):
        if not held.decisions.list_citing_ordinals(cited_id):
            continue
        path = norm_path(cited_id)
        for limit, page in ((4, path), (20, f"{path}/decisions")):
            if limit == 4 and cited_id in store.statutes:
                continue  # the page of a law leads to the list alone
            warnings = ask(held, "legal_find_citing_decisions", cited_norm=cited_id, limit=limit)
            words = read(browser, page) if warnings else ""
            for warning in warnings:
                german = tell(warning, "de")
                assert german.language == "de", warning
                assert german.text in words, page
            told += len(warnings)
    assert told


def test_what_is_doubtful_of_a_decision_stands_on_its_page(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = "The collection gives the day 01.01.2020; the text itself says 15.03.2022, given here."
    monkeypatch.setattr(decision, "warn_of_decision", lambda *_: (known, "Odd, and not told."))
    page = site.visit(language="de").get(DECISION).text
    assert "<p>Die Sammlung nennt den 01.01.2020; der Text selbst nennt den 15.03.2022" in page
    assert '<p lang="en">Odd, and not told.</p>' in page

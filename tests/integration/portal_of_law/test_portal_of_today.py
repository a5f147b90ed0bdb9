"""Pages without a day are of the law of today, as a lookup without one is."""

import re
from datetime import UTC, date, datetime
from html import unescape
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.portal.public import opening
from fundstelle.settings import Settings
from fundstelle.tools.registry import build_tools
from fundstelle.tools.spec import CallContext
from tests.integration.sites.law_site import Site

EARLIER, LATER = date(2025, 6, 1), date(2026, 6, 1)
TAG = re.compile(r"<[^>]+>")
WORD = re.compile(r"[^\W\d_]{2,}")
OUT = ("Diese Norm ist aufgehoben.", "noch nicht in Kraft.", "wurde noch nicht gesehen.")


def set_today(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    moment = datetime(day.year, day.month, day.day, 12, tzinfo=UTC)
    clock = SimpleNamespace(now=lambda _zone: moment)
    monkeypatch.setattr(opening, "datetime", clock)


def read(site: Site, path: str) -> str:
    page = site.visit(site.member, "de").get(path)
    assert page.status_code == 200
    return " ".join(unescape(TAG.sub(" ", page.text)).split())


@pytest.mark.parametrize("day", [EARLIER, LATER])
def test_a_page_without_a_day_shows_what_a_lookup_of_today_gives(
    site: Site, invented: Path, monkeypatch: pytest.MonkeyPatch, day: date
) -> None:
    set_today(monkeypatch, day)
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(invented)}))
    tools = {tool.name: tool for tool in build_tools(library, lambda: day)}
    compared = 0
    for statute_id in library.store.statutes:
        for norm in library.store.list_norms(statute_id):
            called = tools["legal_lookup"].call({"citation": norm.norm_id}, CallContext("", ""))
            answer: dict[str, Any] = orjson.loads(called.structured or b"")
            page = read(site, f"/n/{norm.norm_id}")
            is_out = any(words in page for words in OUT)
            assert is_out == (not answer["found"]), norm.norm_id
            if answer["found"]:
                words = WORD.findall(answer["norm"]["content"])
                assert set(words) <= set(WORD.findall(page)), norm.norm_id
                compared += 1
    library.close()
    assert compared > 20


def test_a_text_to_come_is_a_link_on_the_page_of_today(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_today(monkeypatch, EARLIER)
    page = site.visit(site.member, "de").get("/n/de/demog/3").text
    assert "unberührt" not in page
    assert "Für die Tage ab dem 01.01.2026 ist ein anderer Text im Bestand." in page
    assert 'href="/n/de/demog/3?as_of=2026-01-01">Zum kommenden Text' in page
    assert "Ein älterer Text" not in page
    law = site.visit(site.member, "de").get("/n/de/demog").text
    assert 'href="/n/de/demog?as_of=2026-01-01">Zum kommenden Inhalt' in law
    assert 'href="/n/de/demog/3">' in law
    to_come = site.visit(site.member, "de").get("/n/de/demog?as_of=2026-01-01").text
    assert 'href="/n/de/demog/3?as_of=2026-01-01">' in to_come

    set_today(monkeypatch, LATER)
    page = site.visit(site.member, "de").get("/n/de/demog/3").text
    assert "unberührt" in page
    assert "kommenden" not in page

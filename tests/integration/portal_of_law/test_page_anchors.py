"""Where ``page_url`` leads: to a page that is there, and to the unit in it."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from html import unescape
from pathlib import Path
from urllib.parse import unquote, urlsplit

import orjson
import pytest

from fundstelle.corpus.decisions import DecisionStore
from fundstelle.law.norms import Fassung
from fundstelle.lookup.addresses import name_anchors, name_passage
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import format_steps, get_steps, insert_path
from fundstelle.portal.reading import Block, is_cut, read_decision, read_norm
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext
from tests.integration.sites.law_site import Site, open_law_site
from tests.integration.sites.oauth_server import BASE

pytestmark = pytest.mark.corpus

TODAY = date(2026, 5, 2)
TAG = re.compile(r"<[^>]+>")
ID = re.compile(r'id="([^"]*)"')
WORDS = 12  # characters that are compared


def list_places(blocks: Iterable[Block]) -> Iterator[tuple[str, str]]:
    """Each anchor of a page and the words that it stands before."""
    for block in blocks:
        words = "".join(run.text for run in block.runs)
        if block.anchor:
            yield block.anchor, words
        for run in block.runs:
            for anchor in run.anchors:
                yield anchor, words[words.index(run.text) :] if run.text else ""
        for row, anchors in zip(block.rows, block.row_anchors, strict=False):
            for anchor in anchors:
                yield anchor, " | ".join(row)


def list_fassungen(library: Library, every: int) -> Iterator[Fassung]:
    for statute_id in library.store.statutes:
        for norm in library.store.list_norms(statute_id)[::every]:
            fassung = library.store.find_fassung(norm.norm_id)
            if fassung is not None and fassung.segments and not is_cut(fassung.text):
                yield fassung


def test_the_page_of_a_norm_has_an_anchor_for_each_of_its_parts(library: Library) -> None:
    parts = off = 0
    for fassung in list_fassungen(library, 2):
        places = list(list_places(read_norm(fassung, [])))
        names = name_anchors(fassung.segments)
        assert sorted(anchor for anchor, _ in places) == sorted(names), fassung.norm_id
        shown = dict(places)
        for segment, name in zip(fassung.segments, names, strict=True):
            begin = fassung.text[segment.start : segment.start + WORDS].partition("\n")[0]
            off += begin not in shown[name]
            parts += 1
    assert parts > 10_000
    assert off < parts / 1_000  # cells of a table that is written in several lines


def test_the_page_of_a_decision_has_an_anchor_for_each_randnummer(library_of_all: Library) -> None:
    decisions: DecisionStore = library_of_all.decisions
    for decision in decisions.get_by_ordinal(range(decisions.count())):
        text = decisions.find_text(decision.decision_id)
        assert text is not None
        anchors = {anchor for anchor, _ in list_places(read_decision(text, []))}
        assert {name_passage(one.number) for one in text.passages} <= anchors


@pytest.fixture
def library_of_all(every_source: Path, tmp_path: Path) -> Iterator[Library]:
    with (
        open_law_site(every_source, tmp_path) as site,
        site.services.searchable() as opened,
    ):
        assert opened is not None
        yield opened


def list_citations(library: Library) -> Iterator[str]:
    """Norms of every law, every third with its last part; decisions, with and without a Rn."""
    for statute_id in library.store.statutes:
        law = library.store.statutes[statute_id].abbreviation
        for at, norm in enumerate(library.store.list_norms(statute_id)[3:200:7]):
            fassung = library.store.find_fassung(norm.norm_id)
            if fassung is None:
                continue
            yield norm.norm_id
            if fassung.segments and at % 3 == 0:
                last = format_steps(get_steps(fassung.segments, len(fassung.segments) - 1))
                yield insert_path(norm.citation, last, law)
    for decision in library.decisions.get_by_ordinal(range(0, library.decisions.count(), 20)):
        yield decision.decision_id
        yield f"{decision.citation} Rn. 2"


def test_addresses_in_answers_lead_to_the_unit(every_source: Path, tmp_path: Path) -> None:
    followed = anchors = 0
    with (
        open_law_site(every_source, tmp_path, pages_per_minute="0") as site,
        site.services.searchable() as library,
    ):
        assert library is not None
        tools = build_registry(library, today=lambda: TODAY, base_url=BASE).tools
        lookup = next(tool for tool in tools if tool.name == "legal_lookup")
        browser = site.visit()
        for citation in list_citations(library):
            called = lookup.call({"citation": citation}, CallContext("", ""))
            answer = orjson.loads(called.structured or b"{}")
            if "norm" not in answer:
                continue
            address = urlsplit(answer["norm"]["page_url"])
            assert answer["norm"]["page_url"].startswith(f"{BASE}/")
            page = browser.get(f"{address.path}?{address.query}")
            assert page.status_code == 200, (citation, address)
            followed += 1
            if address.fragment:
                ids = {unescape(one) for one in ID.findall(page.text)}
                assert unquote(address.fragment) in ids, (citation, address)
                anchors += 1
    assert followed > 200
    assert anchors > 50


def test_an_older_text_has_an_address_of_its_own(site: Site) -> None:
    with site.services.library() as library:
        assert library is not None
        tools = build_registry(library, today=lambda: TODAY, base_url=BASE).tools
        lookup = next(tool for tool in tools if tool.name == "legal_lookup")
        changed = [
            (norm.norm_id, heads)
            for statute_id in library.store.statutes
            for norm in library.store.list_norms(statute_id)
            if len(heads := library.store.list_fassungen(norm.norm_id)) > 1
        ]
        assert changed
        browser = site.visit()
        for norm_id, (older, *_) in changed:
            asked = {"citation": norm_id, "as_of": older.stand.isoformat()}
            called = lookup.call(asked, CallContext("", ""))
            norm = orjson.loads(called.structured or b"{}")["norm"]
            address = urlsplit(norm["page_url"])
            shown = unescape(TAG.sub("", browser.get(f"{address.path}?{address.query}").text))
            newest = unescape(TAG.sub("", browser.get(address.path).text))
            words = norm["content"].split("\n")[0]
            assert words in shown
            assert "An older text, last seen on" in shown
            assert "An older text" not in newest
        day = browser.get(f"{address.path}?day=1900-01-01")
        assert "No text of that day" in day.text
        assert browser.get(f"{address.path}?day=morgen").status_code == 400

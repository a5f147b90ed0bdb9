"""Pages say what assistants are told: why there is no text, what is missing, and how old it is."""

import re
from datetime import UTC, datetime
from html import unescape
from typing import Any

import orjson
import pytest

from fundstelle.lookup.answers import CODES
from fundstelle.lookup.library import Library
from fundstelle.portal.frame.texts import load_texts
from fundstelle.portal.holdings import describe_sources
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext
from tests.integration.sites.law_site import Browser, Site

MAIN = re.compile(r"<main.*?</main>", re.DOTALL)
MISS = re.compile(r'<div class="notice bad" id="miss">.*?</div>', re.DOTALL)
LINK = re.compile(r'href="([^"]+)"')
TODAY = datetime.now(UTC).date()


def read(page: str) -> str:
    """The words of a page."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", page)).split())


def ask(library: Library, name: str, **arguments: Any) -> dict[str, Any]:
    tools = build_registry(library, today=lambda: TODAY, base_url="").tools
    tool = next(tool for tool in tools if tool.name == name)
    called = tool.call(arguments, CallContext("", ""))
    answer: dict[str, Any] = orjson.loads(called.structured or b"{}")
    return answer


def test_every_miss_that_is_no_misreading_has_its_sentence() -> None:
    wanted = {f"miss.{status}" for status, code in CODES.items() if code != "INVALID_CITATION"}
    for texts in load_texts().values():
        assert wanted <= texts.keys()


@pytest.mark.parametrize("path", ["/n/de/demog/999", "/search?q=§ 999 DemoG"])
@pytest.mark.parametrize("language", ["de", "en"])
def test_a_norm_that_is_not_there_is_told_with_the_extent_of_its_law(
    site: Site, path: str, language: str
) -> None:
    browser = site.visit(None, language)
    page = browser.get(path)
    assert page.status_code == (404 if path.startswith("/n/") else 200)
    (block,) = MISS.findall(page.text)
    with site.services.library() as library:
        assert library is not None
        miss = ask(library, "legal_lookup", citation="§ 999 DemoG")
    words = read(block)
    assert ("gibt es nicht" if language == "de" else "does not exist") in words
    for name in ("first", "last", "nearest_before"):
        assert miss["evidence"][name]["citation"] in words
    assert all(one["citation"] in words for one in miss["suggestions"])
    links = LINK.findall(block)
    assert links
    assert {browser.get(link).status_code for link in links} == {200}
    assert '<ol class="hits"' not in page.text, "hits of the law are no answer"


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/n/de/nirgendsg/1", "this law is not known here"),
        ("/d/ECLI:DE:BGH:2000:X", "is not held here; that does not say that it does not exist"),
        ("/n/" + "a" * 5_000, "Check the address"),
    ],
)
def test_an_address_without_a_text_says_what_is_known(site: Site, path: str, said: str) -> None:
    page = site.visit().get(path)
    assert page.status_code == 404
    assert said in read(page.text)


def test_a_search_shows_what_assistants_are_warned_of(site: Site) -> None:
    browser = site.visit()
    with site.services.searchable() as library:
        assert library is not None
        answers = {
            query: ask(library, "legal_search", query=query, response_format="detailed")
            for query in (
                "Hundesteuer",
                "Wann ist die Revision nach § 999 DemoG zulässig",
                "Zahnrad",
                "Revision",
            )
        }
    for query, answer in answers.items():
        words = read(browser.get(f"/search?q={query}").text)
        for warning in answer["warnings"]:
            assert " ".join(warning.split()) in words, query
        is_missed = "does not exist" in " ".join(answer["warnings"])
        unsure = answer["confidence"] == "low" and not is_missed
        assert ("The first hit is not sure" in words) == unsure
        assert all(hit["citation"] in words for hit in answer["hits"])


@pytest.mark.parametrize("query", ["Schwarzfahren", "Revision"])
def test_a_word_is_not_taken_for_a_law_that_is_unknown(site: Site, query: str) -> None:
    assert MISS.findall(site.visit().get(f"/search?q={query}").text) == []


def test_what_the_sources_lack_and_their_age_stand_beside_them(site: Site) -> None:
    with site.services.library() as library:
        assert library is not None
        stats = ask(library, "legal_get_stats")["stats"]
        sources = describe_sources(library.store.manifest, TODAY)
    gaps = [gap for source in stats["sources"] for gap in source["known_gaps"]]
    assert gaps
    for browser, path in (
        (site.visit(), "/"),
        (site.visit(site.admin), "/admin/corpus"),
    ):
        page = browser.get(path).text
        assert page.count('class="state soon"') == len(gaps)
        for source in sources:
            assert f"{source.age_days:,} days ago" in read(page)


def list_norm_ids(library: Library) -> list[str]:
    return [
        norm.norm_id
        for statute_id in library.store.statutes
        for norm in library.store.list_norms(statute_id)
        if library.store.find_fassung(norm.norm_id) is not None
    ][::3]


def check_norm(browser: Browser, library: Library, norm_id: str) -> bool:
    """Whether page and answer agree on a norm; ``True`` if it was found."""
    answer = ask(library, "legal_lookup", citation=norm_id, response_format="detailed")
    if "norm" not in answer:
        return False
    words = read(browser.get(f"/n/{norm_id}").text)
    warned = any("last seen at" in warning for warning in answer["warnings"])
    assert ("last seen at" in words) == warned, norm_id
    for note in (*answer["norm"].get("validity_notes", ()),):
        assert " ".join(note["text"].split()) in words, norm_id
    for note in answer["norm"].get("footnotes", ()):
        assert " ".join(note.split()) in words, norm_id
    days = answer["norm"]["provenance"]
    assert ("First seen" in words) == ("first_seen" in days)
    assert ("Not seen on" in words) == ("not_seen_before" in days)
    return True


def test_pages_of_norms_have_the_days_and_warnings_that_answers_have(site: Site) -> None:
    browser = site.visit()
    with site.services.library() as library:
        assert library is not None
        assert sum(check_norm(browser, library, one) for one in list_norm_ids(library)) > 5

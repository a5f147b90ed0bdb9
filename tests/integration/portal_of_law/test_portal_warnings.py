"""What assistants are warned of beside a text or a comparison, its page says, too."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from html import unescape
from typing import Any
from urllib.parse import quote

import orjson
import pytest
from babel.dates import format_date

from fundstelle.lookup.dating.days import find_floor
from fundstelle.lookup.library import Library
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext
from tests.integration.sites.law_site import Site, open_law_site

pytestmark = pytest.mark.corpus

DAY = timedelta(days=1)
TODAY = date(2026, 5, 2)
ISO = re.compile(r"\d{4}-\d\d-\d\d")
TAG = re.compile(r"<[^>]+>")
# What assistants are told in words that only an answer has, and what stands on the page for it.
OTHER_WORDS = (
    (r"compare_to: .+ not yet in force on ([^;]+);.+", r"\1: This provision is not yet in force."),
    (r"compare_to: .+ was not there yet on .+", "This provision has not been seen yet."),
    (r"compare_to: .+ was still to come .+", "This provision has not been seen yet."),
    (r"compare_to: .+ repealed.+", "This provision is repealed."),
    (r"compare_to: .+", "No text of that day is held here."),
    (r"No provision of .+ asked for is another on .+", "The same on both days"),
    (r"The versions differ in ([\d,]+) places; .+", r"of \1 changes"),
)
# Of the length of an answer, of other parts of it, and of another tool.
OF_ANSWERS = re.compile(r"max_chars|legal_lookup|footnote|is a heading; the table of contents")

Call = Callable[..., dict[str, Any]]


@pytest.fixture(scope="module")
def site(library: Library, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The site over nineteen laws that were looked at twice."""
    assert library.store.statutes
    base = tmp_path_factory.getbasetemp()
    built = next(f for each in (base, base.parent) if (f := each / "once-nineteen-laws").exists())
    with open_law_site(built, tmp_path_factory.mktemp("warned"), pages_per_minute="0") as opened:
        yield opened


@pytest.fixture(scope="module")
def call(library: Library) -> Call:
    tools = build_registry(library, today=lambda: TODAY, base_url="").tools
    named = {tool.name: tool for tool in tools}

    def answer(name: str, **arguments: Any) -> dict[str, Any]:
        called = named[name].call(arguments, CallContext("", ""))
        found: dict[str, Any] = orjson.loads(called.structured or b"{}")
        return found

    return answer


def list_pairs(library: Library, statute_id: str) -> list[tuple[date, date]]:
    """Days before the first look, of it, between the two, of the last, and behind it."""
    statute = library.store.statutes[statute_id]
    floor, stand = find_floor(library, statute), statute.stand
    between = floor + (stand - floor) / 2
    early = floor - 30 * DAY
    return [
        *((floor, floor + DAY), (floor, between), (between, between + DAY), (floor, stand)),
        *((between, stand), (between, stand + DAY), (stand, stand + DAY), (early, between)),
        *((stand + DAY, stand + 300 * DAY), (floor, date.max), (between, date.max)),
    ]


def find_unsaid(page: str, warnings: list[str]) -> list[str]:
    """The warnings that a page has no words for."""
    shown = " ".join(unescape(TAG.sub("", page)).split())
    return [
        warning
        for warning in warnings
        if not OF_ANSWERS.search(warning) and not any(one in shown for one in _put(warning))
    ]


def leave_out_earlier(warnings: list[str], first: date, last: date) -> list[str]:
    """Changes up to the later day are those up to the earlier one, too: the page names it alone."""
    until = "changes between then and {} are not in this text."
    if not any(one.endswith(until.format(last.isoformat())) for one in warnings):
        return warnings
    return [one for one in warnings if not one.endswith(until.format(first.isoformat()))]


def _put(warning: str) -> Iterator[str]:
    """The words for it on a page: the same, or those that only the page has."""
    dated = ISO.sub(lambda day: write(date.fromisoformat(day[0])), warning)
    yield dated
    for pattern, words in OTHER_WORDS:
        found = re.fullmatch(pattern, dated)
        if found:
            yield found.expand(words)


def write(day: date) -> str:
    return format_date(day, "medium", "en_GB")


def build_path(norm_id: str, days: Mapping[str, date]) -> str:
    asked = "&".join(f"{name}={day.isoformat()}" for name, day in days.items())
    return f"/n/{quote(norm_id)}?{asked}"


def name_days(**days: date) -> dict[str, str]:
    return {name: day.isoformat() for name, day in days.items()}


def test_the_page_of_a_law_says_what_assistants_are_warned_of(
    site: Site, library: Library, call: Call
) -> None:
    browser = site.visit(language="en")
    said: set[str] = set()
    for statute_id in library.store.statutes:
        for first, last in list_pairs(library, statute_id):
            for days in ({"as_of": last, "compare_to": first}, {"as_of": last}):
                answer = call("legal_get_toc", law_abbreviation=statute_id, **name_days(**days))
                path = build_path(statute_id, days)
                if not answer.get("law"):
                    continue  # a miss, which the page says in its own words
                assert find_unsaid(browser.get(path).text, answer["warnings"]) == [], path
                said.update(answer["warnings"])
    for words in ("may have come before", "may have been so", "last seen at", "No provision of"):
        assert any(words in one for one in said), words


def test_the_page_of_a_norm_says_what_assistants_are_warned_of(
    site: Site, library: Library, call: Call
) -> None:
    browser = site.visit(language="en")
    said: set[str] = set()
    store = library.store
    for statute_id in store.statutes:
        norms = store.list_norms(statute_id)
        changed = [one for one in norms if len(store.list_fassungen(one.norm_id)) > 1]
        for norm in (*norms[5::400], *changed[:4]):
            for first, last in list_pairs(library, statute_id):
                for days in (
                    {"as_of": last, "compare_to": first},
                    {"as_of": first, "compare_to": last},
                    {"as_of": first},
                    {"as_of": last},
                ):
                    asked = {"norm_id": norm.norm_id, "include": [], **name_days(**days)}
                    answer = call("legal_get_context", **asked)
                    if not answer["found"] or ("diff" not in answer and "compare_to" in days):
                        continue
                    path = build_path(norm.norm_id, days)
                    warnings = leave_out_earlier(answer["warnings"], first, last)
                    assert find_unsaid(browser.get(path).text, warnings) == [], path
                    said.update(answer["warnings"])
    for words in ("This is the text of", "last seen at"):
        assert any(words in one for one in said), words


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", "an welchem Tag dazwischen er sich änderte, ist hier nicht bekannt"),
        ("en", "on which day between it changed is not known here"),
    ],
)
def test_the_same_text_on_two_days_between_looks_is_said_to_be_unsure(
    site: Site, library: Library, language: str, words: str
) -> None:
    norms = library.store.list_norms("de/bgb")
    changed = next(n for n in norms if len(library.store.list_fassungen(n.norm_id)) > 1)
    path = f"/n/{changed.norm_id}?compare_to=2025-04-01&as_of=2025-12-01"
    page = site.visit(language=language).get(path).text
    assert page.count(words) == 2  # of either day

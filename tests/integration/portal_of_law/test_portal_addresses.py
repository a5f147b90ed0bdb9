"""What an address asks for is done or said to be unreadable: nothing else is shown in its place."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from fundstelle.portal.public import parts
from tests.integration.sites.law_site import Site

LAW, NORM = "/n/de/demog", "/n/de/demog/3"
CITING = f"{NORM}/decisions"
DECISION = "/d/de/olg-musterstadt/7-u-902-24/2025-01-14/urteil"
SEARCH = "/search?q=Papierdrachen"
NO_DAYS = (
    "2025-02-30",
    "01.01.2020",
    "2020",
    "gestern",
    "2020-01-01 ",
    "20200101",
    "2025-W01-1",
    "9999-99-99",
    "٢٠٢٠-٠١-٠١",
)


def ask(path: str, **parameters: str) -> str:
    return f"{path}{'&' if '?' in path else '?'}{urlencode(parameters)}"


@pytest.mark.parametrize("day", NO_DAYS)
def test_no_page_shows_another_day_for_one_that_cannot_be_read(site: Site, day: str) -> None:
    browser = site.visit(language="de")
    for path in (LAW, NORM, f"{LAW}/gliederung-010", SEARCH):
        for name in ("as_of", "day"):
            answer = browser.get(ask(path, **{name: day}))
            assert answer.status_code == 400
            assert f"„{day}“ ({name}) ist kein Tag." in answer.text
            assert f'<input type="date" name="{name}" required>' in answer.text
            assert answer.headers["cache-control"] == "no-store"
    for path in (LAW, NORM):
        for asked in ({"compare_to": day}, {"compare_to": day, "as_of": "2026-01-01"}):
            assert browser.get(ask(path, **asked)).status_code == 400
    asked = {"compare_to": "2026-01-01", "as_of": day}
    assert browser.get(ask(NORM, **asked)).status_code == 400


def test_a_field_that_a_form_sends_empty_is_not_there(site: Site) -> None:
    browser = site.visit()
    for path in (
        ask(NORM, as_of="", compare_to="", part=""),
        ask(LAW, as_of="", contents="", page=""),
        ask(SEARCH, as_of="", kind="", law="", list="", page=""),
        ask(CITING, court="", year="", page=""),
        ask("/laws", name="", letter="", page=""),
    ):
        assert browser.get(path).status_code == 200


def test_of_two_days_none_is_chosen(site: Site) -> None:
    browser = site.visit()
    for path in (
        f"{NORM}?as_of=2026-01-01&as_of=2025-01-01",
        f"{NORM}?as_of=2026-01-01&day=2025-01-01",
    ):
        answer = browser.get(path)
        assert answer.status_code == 400
        assert "several times" in answer.text
    assert browser.get(f"{NORM}?as_of=2026-01-01&day=2026-01-01").status_code == 200


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (f"{SEARCH}&kind=foo", "Possible: statute, regulation, directive, decision."),
        (f"{SEARCH}&list=0", "Possible: 1."),
        (f"{SEARCH}&page=0", "is no whole number from 1 on"),
        (f"{SEARCH}&page=-1", "is no whole number from 1 on"),
        (f"{SEARCH}&page=zwei", "is no whole number from 1 on"),
        (f"{SEARCH}&page={'9' * 4_000}", "is no whole number from 1 on"),
        ("/search?q=x", "at least 2 characters"),
        (f"/search?q={'x' * 1_001}", "has 1,001 characters; at most 1,000 are read"),
        (f"{SEARCH}&law={'x' * 101}", "at most 100 are read"),
        (f"{CITING}?year=abcd", "is no year"),
        (f"{CITING}?year=25", "is no year"),
        (f"{CITING}?year=0000", "is no year"),
        (f"{CITING}?page=x", "is no whole number"),
        ("/laws?letter=Ω", "Possible: A, B, C,"),
        (f"/laws?name={'x' * 201}", "at most 200 are read"),
        (f"{LAW}?contents=all", "Possible: entire."),
        (f"{LAW}?page=x", "is no whole number"),
        (f"{NORM}?part=x", "Possible: 1–1, all."),
        (f"{DECISION}?part=0", "Possible: 1–1, all."),
    ],
)
def test_a_value_that_is_none_is_said_and_not_dropped(site: Site, path: str, said: str) -> None:
    answer = site.visit().get(path)
    assert answer.status_code == 400
    assert said in unescape(answer.text)


def test_pages_of_people_say_it_too(site: Site) -> None:
    admin = site.visit(site.admin)
    for path in (
        *("/account?done=x", "/account?problem=x", "/apps?done=x", "/keys?done=x"),
        *("/keys/new?client=x", "/admin/limits?done=x", f"/admin/people/{site.member}?done=x"),
        "/sign-in/confirm?problem=x",
    ):
        answer = admin.get(path)
        assert answer.status_code == 400, path
        assert "“x”" in answer.text


def test_what_was_sent_is_shown_as_text_and_the_rest_of_it_is_kept(site: Site) -> None:
    answer = site.visit().get(ask("/search", q="<b>Drachen", as_of="<i>", law="DemoG"))
    assert "<b>" not in answer.text
    assert "<i>" not in answer.text
    assert '<input type="hidden" name="q" value="&lt;b&gt;Drachen">' in answer.text
    assert 'href="/search?q=%3Cb%3EDrachen&amp;law=DemoG">Show without' in answer.text


@pytest.mark.parametrize(
    "path", [SEARCH, CITING, "/laws?letter=D", "/laws", LAW, CITING + "?year=1800"]
)
@pytest.mark.parametrize("page", ["2", "999", "999999999"])
def test_a_page_past_the_end_says_so_and_leads_to_the_last(
    site: Site, path: str, page: str
) -> None:
    answer = site.visit().get(ask(path, page=page))
    assert answer.status_code == 404
    assert f"“{page}” (page) is past the end: it is shown up to 1." in answer.text
    links = [unescape(one) for one in re.findall(r'<p><a href="([^"]+)">To the', answer.text)]
    assert [site.visit().get(link).status_code for link in links] == [200, 200]


def test_a_part_past_the_end_says_so(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_WHOLE", 100)
    monkeypatch.setattr(parts, "_WEIGHT", 150)
    monkeypatch.setattr(parts, "_LEAST", 0)
    browser = site.visit()
    count = len(set(re.findall(r"part=(\d+)", browser.get(NORM).text)))
    assert count > 1
    assert browser.get(f"{NORM}?part={count}").status_code == 200
    past = browser.get(f"{NORM}?part={count + 1}")
    assert past.status_code == 404
    assert f"it is shown up to {count}." in past.text
    assert browser.get(f"{DECISION}?part=99").status_code == 404


@pytest.mark.parametrize(
    "asked", ["court=XYZ", "court=%3Cb%3E", "year=1800", "year=9999", "court=XYZ&year=2025"]
)
def test_a_filter_without_hits_finds_none_and_the_whole_stays_said(site: Site, asked: str) -> None:
    browser = site.visit()
    assert browser.get(CITING).text.count("<blockquote") == 2
    page = browser.get(f"{CITING}?{asked}").text
    assert "<blockquote" not in page
    assert "0 of 2 decisions" in page
    assert "No decision in the corpus cites it" not in page
    assert page.count(" selected>") == asked.count("=")
    some = browser.get(f"{CITING}?year=2025").text
    assert "1 of 2 decisions" in some
    assert browser.get(f"{CITING}?court=XYZ&page=2").status_code == 404


def test_a_norm_under_its_former_address_keeps_what_is_asked_of_it(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    with site.services.library() as library:
        assert library is not None
        held = library.store.find_norm("de/demog/3")
    monkeypatch.setattr(
        type(library.store), "find_norm", lambda _, norm_id: held if "demog" in norm_id else None
    )
    answer = site.visit().get("/n/de/demog/3-alt?compare_to=2025-01-01&as_of=2026-01-01&part=1")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{NORM}?compare_to=2025-01-01&as_of=2026-01-01&part=1"


def test_a_number_with_zeros_in_front_leads_to_the_page(site: Site) -> None:
    answer = site.visit().get(f"{NORM.removesuffix('3')}003?as_of=2026-01-01")
    assert answer.status_code == 303
    assert answer.headers["location"] == f"{NORM}?as_of=2026-01-01"

"""Pages and feeds that say what the law was on other days."""

import re
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from lxml import etree

from fundstelle.accounts.policies import Policy
from fundstelle.lookup.library import Library
from tests.integration.sites.law_site import Site, open_law_site
from tests.integration.sites.oauth_server import BASE

pytestmark = pytest.mark.corpus

ATOM = {"a": "http://www.w3.org/2005/Atom"}
BEFORE, AFTER = "2025-03-31", "2026-04-29"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture(scope="module")
def of_two_looks(
    library: Library, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Site, Library]]:
    """The site over nineteen laws that were looked at twice."""
    assert library.store.statutes
    base = tmp_path_factory.getbasetemp()
    built = next(f for each in (base, base.parent) if (f := each / "once-nineteen-laws").exists())
    accounts = tmp_path_factory.mktemp("times")
    with open_law_site(built, accounts, pages_per_minute="100000") as site:
        yield site, library


def read_feed(text: bytes) -> etree._Element:
    """A feed that has all that RFC 4287 asks of one."""
    feed = etree.fromstring(text)
    assert feed.tag == "{http://www.w3.org/2005/Atom}feed"
    assert len(feed.xpath("a:author/a:name", namespaces=ATOM)) == 1
    assert len(feed.xpath("a:link[@rel='self']", namespaces=ATOM)) == 1
    for one in [feed, *feed.xpath("a:entry", namespaces=ATOM)]:
        assert one.xpath("a:id", namespaces=ATOM)[0].text.startswith(BASE)
        assert one.xpath("a:title", namespaces=ATOM)[0].text
        assert MOMENT.fullmatch(one.xpath("a:updated", namespaces=ATOM)[0].text)
    ids = [each.text for each in feed.xpath("a:entry/a:id", namespaces=ATOM)]
    assert len(ids) == len(set(ids)) <= 100
    days = [each.text for each in feed.xpath("a:entry/a:updated", namespaces=ATOM)]
    assert days == sorted(days, reverse=True)
    return feed


@pytest.mark.parametrize("language", ["de", "en"])
def test_a_feed_of_all_laws_and_one_of_each_name_what_changed(
    of_two_looks: tuple[Site, Library], language: str
) -> None:
    site, _ = of_two_looks
    browser = site.visit(language=language)
    answer = browser.get("/changes.atom")
    assert answer.headers["content-type"].startswith("application/atom+xml")
    everything = read_feed(answer.content)
    laws = everything.xpath("a:entry/a:title", namespaces=ATOM)
    assert any(each.text.startswith("BGB: ") for each in laws)

    one = read_feed(browser.get("/n/de/bgb/changes.atom").content)
    (entry,) = one.xpath("a:entry", namespaces=ATOM)
    assert entry.findtext("a:updated", namespaces=ATOM) == f"{AFTER}T00:00:00Z"
    assert "§ " in entry.findtext("a:summary", namespaces=ATOM)
    page = entry.find("a:link", namespaces=ATOM).get("href").removeprefix(BASE)
    assert browser.get(page).status_code == 200


def test_a_reader_that_has_the_newest_feed_is_told_so_alone(
    of_two_looks: tuple[Site, Library],
) -> None:
    site, _ = of_two_looks
    browser = site.visit()
    for path in ("/changes.atom", "/n/de/bgb/changes.atom"):
        tag = browser.get(path).headers["etag"]
        for sent in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            asked = {"If-None-Match": sent, "Accept-Language": "en"}
            answer = browser.http.get(path, headers=asked)
            assert (answer.status_code, answer.content) == (304, b"")
            assert answer.headers["etag"] == tag
        asked = {"If-None-Match": '"another"', "Accept-Language": "en"}
        assert browser.http.get(path, headers=asked).status_code == 200
    assert browser.get("/n/de/nothing/changes.atom").status_code == 404


def test_feeds_are_kept_for_people_where_the_pages_are(
    of_two_looks: tuple[Site, Library],
) -> None:
    site, _ = of_two_looks
    site.services.policies.write(Policy(public_pages=False))
    try:
        assert site.visit().get("/changes.atom").headers["location"].startswith("/sign-in")
        signed_in = site.visit(site.member).get("/changes.atom")
        assert signed_in.status_code == 200
        assert signed_in.headers["cache-control"] == "no-store"
    finally:
        site.services.policies.write(Policy(public_pages=True))


def list_changed(library: Library) -> list[str]:
    """Provisions of the BGB with two texts."""
    store = library.store
    norms = store.list_norms("de/bgb")
    return [n.norm_id for n in norms if len(store.list_fassungen(n.norm_id)) > 1]


def test_a_norm_shows_its_texts_and_two_of_them_side_by_side(
    of_two_looks: tuple[Site, Library],
) -> None:
    site, library = of_two_looks
    browser = site.visit(language="de")
    for norm_id in list_changed(library)[:20]:
        path = f"/n/{quote(norm_id)}"
        page = browser.get(path).text
        assert f'href="{path}?as_of={AFTER}&amp;compare_to={BEFORE}"' in page
        beside = browser.get(f"{path}?as_of={AFTER}&compare_to={BEFORE}").text
        assert "<ins>" in beside or "<del>" in beside
        words = {
            mark: "".join(re.findall(rf"<{mark}>(.*?)</{mark}>", beside, re.DOTALL))
            for mark in ("del", "ins")
        }
        assert words["del"] != words["ins"]
        assert browser.get(f"{path}?as_of={BEFORE}&compare_to={AFTER}").text.count("<tr>") == (
            beside.count("<tr>")
        )


def test_a_law_shows_what_changed_in_it_and_its_contents_on_a_day(
    of_two_looks: tuple[Site, Library],
) -> None:
    site, library = of_two_looks
    browser = site.visit(language="de")
    changes = browser.get(f"/n/de/bgb?as_of={AFTER}&compare_to={BEFORE}").text
    for norm_id in list_changed(library)[:20]:
        assert f'href="/n/{norm_id}?as_of={AFTER}&amp;compare_to={BEFORE}"' in changes
    older = browser.get("/n/de/bgb?as_of=2025-06-01&contents=entire").text
    assert 'href="/n/de/bgb/823?as_of=2025-06-01"' in older
    assert "Inhalt am 01.06.2025" in older
    assert "/n/de/bgb/changes.atom" in browser.get("/n/de/bgb").text


@pytest.mark.parametrize(
    "path",
    [
        "/n/de/bgb?compare_to=1990-01-01",
        "/n/de/bgb?as_of=2027-01-01&compare_to=2026-12-01",
        "/n/de/bgb/823?compare_to=1990-01-01",
    ],
)
def test_days_that_the_corpus_does_not_know_are_said_to_be_so(
    of_two_looks: tuple[Site, Library], path: str
) -> None:
    page = of_two_looks[0].visit(language="de").get(path)
    assert page.status_code == 200
    assert "Der Bestand weiß von diesen Tagen nichts" in page.text


def test_a_search_of_a_day_leads_to_the_texts_of_that_day(
    of_two_looks: tuple[Site, Library],
) -> None:
    found = of_two_looks[0].visit().get("/search?q=§ 823 BGB&as_of=2025-06-01&list=1").text
    assert 'href="/n/de/bgb/823?as_of=2025-06-01"' in found
    assert 'name="as_of" value="2025-06-01"' in found

"""The ways through the law: from what is written to the text, along it, and to what cites it."""

import re
from html import unescape

import pytest

from fundstelle.portal.public import parts
from tests.integration.sites.law_site import Site

TAG = re.compile(r"<[^>]+>")
LINK = re.compile(r'href="(/[nd]/[^"#]*)(?:#[^"]*)?"')
ID = re.compile(r'id="([^"]*)"')
DECISION = "/d/de/olg-musterstadt/7-u-902-24/2025-01-14/urteil"
PAGES = (
    "/",
    "/laws",
    "/laws?letter=D",
    "/laws?name=muster",
    "/search",
    "/search?q=Drachen",
    "/search?q=§ 999 DemoG",
    "/n/de/demog",
    "/n/de/demog/3",
    "/n/de/demog/5",
    "/n/de/demog/999",
    "/n/de/demog/gliederung-010",
    "/n/de/demog/3/decisions",
    "/check",
    DECISION,
)


def read(page: str) -> str:
    """The words of a page."""
    return " ".join(unescape(TAG.sub(" ", page)).split())


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("language", ["de", "en"])
def test_every_page_has_a_field_to_search_and_no_script_or_style_of_its_own(
    site: Site, path: str, language: str
) -> None:
    page = site.visit(language=language).get(path)
    header = re.search(r'<header class="site">.*?</header>', page.text, re.DOTALL)
    assert header
    assert header[0].count('<form action="/search"') == 1
    assert "unsafe" not in page.headers["content-security-policy"]
    assert re.findall(r"<script(?! src=)|<style| style=| on\w+=", page.text) == []
    assert len(ID.findall(page.text)) == len(set(ID.findall(page.text)))


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("DemoG", "/n/de/demog"),
        ("demog", "/n/de/demog"),
        ("3 demog", "/n/de/demog/3"),
        ("§ 4 Abs. 1 Satz 2 DemoG", "/n/de/demog/4#abs-1-satz-2"),
        ("OLG Musterstadt 7 U 902/24", DECISION),
    ],
)
def test_a_citation_leads_to_its_text_at_once(site: Site, written: str, path: str) -> None:
    browser = site.visit()
    answer = browser.get(f"/search?q={written}")
    assert answer.status_code == 303
    assert answer.headers["location"] == path
    assert browser.get(path).status_code == 200
    assert browser.get(f"/search?q={written}&list=1").status_code == 200, "hits, if asked for"


def test_what_is_not_as_it_is_cited_is_said_beside_the_hits(site: Site) -> None:
    answer = site.visit().get("/search?q=OLG Musterstadt, Beschluss - 7 U 902/24")
    assert answer.status_code == 200
    assert "not a Beschluss" in answer.text
    assert f'href="{DECISION}' in answer.text


def test_hits_of_the_name_of_a_law_answer_nothing_where_its_norm_is_missed(site: Site) -> None:
    for written in ("999 demog", "demog 999"):
        page = site.visit().get(f"/search?q={written}").text
        assert 'id="miss"' in page
        assert '<ol class="hits"' not in page


@pytest.mark.parametrize("written", ["§§ 3, 4 DemoG", "Drachen", "§ 999 DemoG"])
def test_what_is_no_single_citation_leads_nowhere(site: Site, written: str) -> None:
    assert site.visit().get(f"/search?q={written}").status_code == 200


def test_hits_are_filtered_by_law_and_kind_and_show_the_words(site: Site) -> None:
    browser = site.visit()
    everything = browser.get("/search?q=Papierdrachen").text
    assert "<mark>Papierdrachen</mark>" in everything
    assert 'href="/search?q=Papierdrachen&amp;kind=decision"' in everything
    of_law = browser.get("/search?q=Papierdrachen&law=MusterV").text
    assert '<a href="/n/de/demog/' not in of_law
    decisions = browser.get("/search?q=Papierdrachen&kind=decision").text
    assert '<h2><a href="/d/' in decisions
    assert '<h2><a href="/n/' not in decisions
    assert "14 Jan 2025</p>" in decisions, "a day as the reader writes it"
    assert '<details class="unfolded" open>' in decisions, "filters that hold are not folded away"
    assert '<details class="unfolded">' in everything
    assert 'name="law" value="MusterV"' in of_law, "the next search keeps the filter"
    wrong = browser.get("/search?q=Papierdrachen&law=<b>NichtG")
    assert wrong.status_code == 200
    assert "is no law here" in wrong.text
    assert "<b>Nicht" not in wrong.text
    assert browser.get("/search?q=Papierdrachen&kind=x").status_code == 400


def test_laws_are_listed_by_letter_and_by_words_of_their_names(site: Site) -> None:
    browser = site.visit()
    assert 'href="/n/de/demog"' in browser.get("/laws?letter=D").text
    assert 'href="/n/de/musterv"' not in browser.get("/laws?letter=D").text
    assert 'href="/n/de/musterv"' in browser.get("/laws?name=durchfuehrung").text
    assert "No law in the corpus" in browser.get("/laws?name=<script>").text
    assert "<script>" not in browser.get("/laws?name=<script>").text
    assert "No law in the corpus" in browser.get("/laws?name=§").text
    assert "No law in the corpus" in browser.get("/laws?letter=D&name=durchfuehrung").text
    assert 'href="/laws?letter=D"' in browser.get("/laws").text


def test_a_norm_is_linked_and_cited_in_its_parts(site: Site) -> None:
    page = site.visit(language="de").get("/n/de/demog/4").text
    assert 'href="#abs-1-satz-2" data-cite="§ 4 Abs. 1 Satz 2 DemoG"' in page
    assert 'id="abs-1-satz-2"' in page
    assert "Verbindlich ist allein" in page
    haftung = site.visit().get("/n/de/demog/3").text
    assert 'href="/n/de/demog/4#abs-1-satz-2"' in haftung, "references keep their Absatz"


def test_each_heading_above_a_norm_leads_to_what_stands_below_it(site: Site) -> None:
    browser = site.visit()
    page = browser.get("/n/de/demog/1").text
    trail = re.search(r'<nav class="trail".*?</nav>', page, re.DOTALL)
    assert trail
    paths = LINK.findall(trail[0])
    assert paths == ["/n/de/demog", "/n/de/demog/gliederung-010", "/n/de/demog/gliederung-010010"]
    below = browser.get(paths[-1])
    assert below.status_code == 200
    assert 'href="/n/de/demog/2"' in below.text
    assert 'href="/n/de/demog/9"' not in below.text


def test_the_print_of_a_norm_names_its_source_its_day_and_its_address(site: Site) -> None:
    page = site.visit(language="de").get("/n/de/demog/3").text
    imprint = re.search(r'<p class="imprint">(.*?)</p>', page, re.DOTALL)
    assert imprint
    words = read(imprint[1])
    assert words.startswith("§ 3 DemoG")
    assert "Stand 01.01.2026" in words
    assert words.endswith(f"{site.services.settings.base_url}/n/de/demog/3")


def test_all_decisions_that_cite_a_norm_are_listed_with_their_sentence(site: Site) -> None:
    browser = site.visit(language="de")
    beside = browser.get("/n/de/demog/3").text
    page = browser.get("/n/de/demog/3/decisions").text
    for shown in (beside, page):
        assert shown.count("<blockquote") == 2
        assert re.search(r"<blockquote[^>]*>[^<]+<mark>§ 3[^<]*</mark>", shown)
    by_court = browser.get("/n/de/demog/3/decisions?court=LG Musterstadt").text
    assert by_court.count("<blockquote") == 1
    assert "2 O 901/23" in by_court
    by_year = browser.get("/n/de/demog/3/decisions?year=2025").text
    assert by_year.count("<blockquote") == 1
    assert "7 U 902/24" in by_year
    assert browser.get("/n/de/demog/999/decisions").status_code == 404
    assert browser.get("/d/ECLI:DE:BGH:2000:X/decisions").status_code == 404
    assert "Entscheidungen, die DemoG zitieren" in browser.get("/n/de/demog/decisions").text


def test_a_decision_names_what_it_cites_and_begins_with_its_leitsatz(site: Site) -> None:
    browser = site.visit(language="de")
    page = browser.get(DECISION).text
    places = [page.index(f'<h2 id="{part}"') for part in ("leitsatz", "tenor")]
    assert places == sorted(places)
    cited = re.search(r"Zitierte Normen</summary>(.*?)</ul>", page, re.DOTALL)
    assert cited
    assert 'href="/n/de/demog/3' in cited[1]
    assert {browser.get(path).status_code for path in LINK.findall(cited[1])} == {200}
    older = browser.get("/d/de/lg-musterstadt/2-o-901-23/2024-03-05/urteil").text
    assert f'href="{DECISION}' in older, "who cites it"


def test_the_first_part_of_a_long_text_has_the_anchors_of_all(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = site.visit()
    whole = browser.get("/n/de/demog/3").text
    monkeypatch.setattr(parts, "_WHOLE", 100)
    monkeypatch.setattr(parts, "_WEIGHT", 150)
    monkeypatch.setattr(parts, "_LEAST", 0)
    first = browser.get("/n/de/demog/3").text
    second = browser.get("/n/de/demog/3?part=2").text
    anchors = {one for one in ID.findall(whole) if one.startswith("abs-")}
    assert anchors
    assert anchors <= set(ID.findall(first))
    assert "data-part" in first
    assert 'href="/n/de/demog/3?part=2"' in first
    assert 'rel="prev" href="/n/de/demog/3?part=1"' in second
    assert "data-part" not in second
    text = re.search(r'<div class="law".*', whole, re.DOTALL)
    assert text
    entire = browser.get("/n/de/demog/3?part=all").text
    assert read(text[0]) in read(entire)
    assert read(second) != read(first)

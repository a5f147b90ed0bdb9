"""A lawyer follows a link from an assistant's answer, reads on, and cites what stands there."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from tests.e2e.accessible import find_faults
from tests.e2e.browser import Tab
from tests.e2e.portal import Portal

pytestmark = pytest.mark.e2e

UNIT = "/n/de/demog/4#abs-1-satz-2"
CITED = "§ 4 Abs. 1 Satz 2 DemoG"
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
WORDS = {
    "de": ("Zitat kopieren", "Link kopieren", "gibt es nicht", "Entscheidungen, die"),
    "en": ("Copy citation", "Copy link", "does not exist", "Decisions that cite"),
}


@contextmanager
def reading(portal: Portal, language: str, device: Mapping[str, object]) -> Iterator[Tab]:
    with portal.open(signed_in=False, locale=language, **device) as tab:
        tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        yield tab


def read_clipboard(tab: Tab) -> str:
    copied: str = tab.page.evaluate("navigator.clipboard.readText()")
    return copied


@pytest.mark.parametrize("language", ["de", "en"])
@pytest.mark.parametrize("device", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_lawyer_follows_a_link_and_cites(
    portal: Portal, language: str, device: Mapping[str, object]
) -> None:
    copy_citation, copy_link, missing, citing = WORDS[language]
    with reading(portal, language, device) as tab:
        page = tab.page
        page.goto(portal.url + UNIT)
        assert page.get_attribute("html", "lang") == language
        assert page.locator("h1").inner_text().startswith("§ 4 DemoG")
        bar = page.locator(".citebar")
        assert bar.locator("strong").inner_text() == CITED
        bar.get_by_text(copy_citation).click()
        page.wait_for_selector("#status:not(:empty)")
        assert read_clipboard(tab) == CITED
        bar.get_by_text(copy_link).click()
        tab.wait_until(lambda: read_clipboard(tab) == portal.url + UNIT, "the copy of the link")
        page.keyboard.press("Escape")
        assert bar.count() == 0

        page.click(".law a[href^='/n/de/demog/2']")  # a reference, with its part
        page.wait_for_url("**/n/de/demog/2#nr-2-buchst-b")
        assert page.locator("#nr-2-buchst-b").is_visible()
        page.click(".trail a >> nth=-1")
        page.wait_for_url("**/gliederung-010010")
        page.click(".contents a[href$='/n/de/demog/2']")

        page.fill("#find", "3 demog")
        page.press("#find", "Enter")
        page.wait_for_url("**/n/de/demog/3")
        page.goto(f"{portal.url}/n/de/demog/3/decisions")
        assert citing in page.inner_text("h1")
        page.click(".cited a >> nth=0")
        page.wait_for_selector(".decision")
        page.fill("#find", "§ 999 DemoG")
        page.press("#find", "Enter")
        page.wait_for_selector("#miss")
        assert missing in page.inner_text("#miss")
        assert page.locator("#miss a").count() >= 2
        assert tab.violations == []
        assert tab.list_hosts() == {portal.url.removeprefix("http://")}


@pytest.mark.parametrize(
    "path",
    [
        "/laws",
        "/laws?letter=D",
        "/search?q=Papierdrachen&kind=decision",
        "/n/de/demog/999",
        "/n/de/demog/3",
        "/n/de/demog/4",
        "/n/de/demog/5",
        "/n/de/demog/gliederung-010",
        "/n/de/demog/3/decisions",
    ],
)
@pytest.mark.parametrize("language", ["de", "en"])
def test_pages_of_law_are_for_everybody(portal: Portal, path: str, language: str) -> None:
    with portal.open(signed_in=False, locale=language) as tab:
        tab.page.goto(portal.url + path)
        assert find_faults(tab.page) == {}
        assert tab.violations == []


def test_units_are_reached_and_cited_by_keyboard(portal: Portal) -> None:
    with reading(portal, "en", DESKTOP) as tab:
        tab.page.goto(f"{portal.url}/n/de/demog/4")
        tab.press_to("a[data-cite='§ 4 Abs. 1 Satz 2 DemoG']")
        opacity = tab.page.evaluate("getComputedStyle(document.activeElement).opacity")
        assert float(opacity) == 1
        tab.page.keyboard.press("Enter")
        assert tab.page.locator(".citebar strong").inner_text() == CITED


def test_a_name_of_a_unit_that_is_not_its_anchor_leads_to_it(portal: Portal) -> None:
    with reading(portal, "en", DESKTOP) as tab:
        tab.page.goto(f"{portal.url}/n/de/demog/4#abs-1-satz-2-nr-99")  # there is no such Nummer
        tab.page.wait_for_url("**/n/de/demog/4#abs-1-satz-2")
        assert tab.page.locator(".citebar strong").inner_text() == CITED


@pytest.mark.parametrize(
    ("asked", "shown", "cited"),
    [
        ("2#satz-1-nr-2", "2#nr-2", "§ 2 Satz 1 Nr. 2 DemoG"),
        ("2#satz-2-nr-2", "2#satz-2", "§ 2 Satz 2 DemoG"),  # Nr. 2 is one of Satz 1
        ("9#abs-1-satz-2-nr-2", "9#abs-1", "§ 9 Abs. 1 DemoG"),
    ],
)
def test_a_name_with_a_sentence_leads_to_no_part_of_another(
    portal: Portal, asked: str, shown: str, cited: str
) -> None:
    with reading(portal, "en", DESKTOP) as tab:
        tab.page.goto(f"{portal.url}/n/de/demog/{asked}")
        tab.page.wait_for_url(f"**/n/de/demog/{shown}")
        assert tab.page.locator(".citebar strong").inner_text() == cited


def test_the_law_is_read_and_found_without_a_script(portal: Portal) -> None:
    with portal.open(signed_in=False, java_script_enabled=False, locale="de") as tab:
        page = tab.page
        page.goto(portal.url + UNIT)
        assert page.locator("[id='abs-1-satz-2']").count() == 1
        assert page.locator("button[data-copy]").first.is_hidden()
        assert page.locator("#address").inner_text() == f"{portal.url}/n/de/demog/4"
        page.fill("#find", "DemoG")
        page.press("#find", "Enter")
        page.wait_for_url("**/n/de/demog")
        page.click(".contents a[href$='/n/de/demog/1']")
        assert page.locator("h1").inner_text().startswith("§ 1 DemoG")


def test_bold_items_of_the_navigation_do_not_move_the_others(portal: Portal) -> None:
    places = []
    with portal.open(signed_in=False, locale="de") as tab:
        for path in ("/n/de/demog", "/laws"):
            tab.page.goto(portal.url + path)
            box = tab.page.locator("header.site nav a").last.bounding_box()
            assert box
            places.append(round(box["x"]))
    assert places[0] == places[1]

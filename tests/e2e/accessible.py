"""What a page must do for everybody: axe-core finds nothing, and it fits 320 px."""

from functools import cache
from typing import Any

from playwright.sync_api import Page

from tests.node.install import HERE, Programs, ensure

_STANDARDS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_COLOURS = {"type": "rule", "values": ["color-contrast"]}  # nothing else depends on the scheme
_RUN = """async only => {
  const found = await axe.run(document, { runOnly: only });
  return found.violations.map(v => [v.id, ...v.nodes.map(n => n.html.slice(0, 160))]);
}"""
# Sideways scrolling belongs to the boxes around tables and code, never to the page.
_TOO_WIDE = """() => document.documentElement.scrollWidth <= document.documentElement.clientWidth
  ? [] : [...document.querySelectorAll('body *')]
    .filter(e => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('.scroll, pre'))
    .map(e => e.outerHTML.slice(0, 120))"""


def ensure_portal_programs() -> Programs:
    """axe-core and the programs that sign in, installed once."""
    return ensure(HERE / "portal" / "package.json", "portal")


@cache
def _read_axe() -> str:
    return (ensure_portal_programs().package("axe-core") / "axe.min.js").read_text("utf-8")


def find_faults(page: Page) -> dict[str, Any]:
    """What is wrong with the page shown, in light, in dark, and on a narrow screen."""
    page.evaluate(_read_axe())
    faults: dict[str, Any] = {}
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    if violations := page.evaluate(_RUN, _STANDARDS):
        faults["light"] = violations
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    if violations := page.evaluate(_RUN, _COLOURS):
        faults["dark"] = violations
    page.set_viewport_size({"width": 320, "height": 640})
    if too_wide := page.evaluate(_TOO_WIDE):
        faults["320 px"] = too_wide
    page.set_viewport_size({"width": 1280, "height": 720})
    return faults

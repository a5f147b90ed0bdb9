"""Takes pictures of the ten main pages, on invented law: ``python -m docs.take_screenshots``.

They stand in ``docs/pictures/`` and hold no official text: the corpus is the demonstration, on a
server of its own that is gone afterwards. Small on purpose: JPEG, 1280 by 800 points, and two of a
phone.
"""
# ruff: noqa: INP001 - a script beside the documents

import tempfile
from pathlib import Path

from tests.e2e.browser import chromium
from tests.e2e.portal import Portal, serving
from tests.support.invented import build_invented

TARGET = Path(__file__).with_name("pictures")
_DECISION = "/d/de/olg-musterstadt/7-u-902-24/2025-01-14/urteil"
_PAGES = {
    "start": "/",
    "laws": "/laws?letter=D",
    "contents": "/n/de/demog",
    "provision": "/n/de/demog/4#abs-1-satz-2",
    "synopsis": "/n/de/demog/3?as_of=2026-01-01&compare_to=2025-01-01",
    "decision": _DECISION,
    "citing": "/n/de/demog/3/decisions",
    "search": "/search?q=Papierdrachen",
    "miss": "/n/de/demog/999",
    "keys": "/keys?lang=de",
}
_ON_A_PHONE = ("provision", "search")
_DESK = {"width": 1280, "height": 800}
_PHONE = {"width": 390, "height": 844}
_QUALITY = 60  # of a JPEG; letters stay sharp


def take(portal: Portal, name: str, path: str, size: dict[str, int], suffix: str = "") -> Path:
    """One page, in German and light."""
    with portal.open(
        signed_in=name == "keys", locale="de", viewport=size, reduced_motion="reduce"
    ) as tab:
        tab.page.goto(f"{portal.url}{path}")
        target = TARGET / f"{name}{suffix}.jpg"
        tab.page.screenshot(path=target, type="jpeg", quality=_QUALITY)
    return target


def main() -> None:
    """Take all of them."""
    TARGET.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        corpus = Path(folder, "corpus")
        corpus.mkdir()
        build_invented(corpus)
        with serving(corpus, Path(folder, "served"), browser) as portal:
            for name, path in _PAGES.items():
                taken = [take(portal, name, path, _DESK)]
                if name in _ON_A_PHONE:
                    taken.append(take(portal, name, path, _PHONE, "-phone"))
                for picture in taken:
                    print(f"{picture.name}: {picture.stat().st_size:,} bytes")  # noqa: T201


if __name__ == "__main__":
    main()

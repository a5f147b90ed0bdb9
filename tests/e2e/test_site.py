"""The documentation as a site: its links hold, and nothing in it comes from anybody else."""

import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest

pytestmark = pytest.mark.e2e

CHECKOUT = Path(__file__).parents[2]
LOADED = {"img": "src", "script": "src", "iframe": "src", "link": "href", "source": "src"}


class Loads(HTMLParser):
    """What a browser fetches when it shows a page, and the classes of what is on it."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []
        self.classes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.classes.update((values.get("class") or "").split())
        if tag in LOADED:
            self.addresses.append(values.get(LOADED[tag]) or "")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built by ``make site``, where every warning is an error."""
    if shutil.which("make") is None:
        pytest.skip("needs make")
    folder: Path = tmp_path_factory.mktemp("site") / "site"
    done = subprocess.run(
        ["make", "site", f"PYTHON={sys.executable}", f"ARGS=--site-dir {folder}"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_a_link_that_leads_nowhere_is_an_error(site: Path, tmp_path: Path) -> None:
    assert site.is_dir(), "the environment is there"
    copy = tmp_path / "copy"
    shutil.copytree(CHECKOUT / "docs", copy / "docs")
    shutil.copytree(CHECKOUT / "requirements", copy / "requirements")
    for name in ("Makefile", "mkdocs.yml"):
        shutil.copy2(CHECKOUT / name, copy)
    (copy / "build").mkdir()
    (copy / "build" / "docs").symlink_to(CHECKOUT / "build" / "docs")
    with (copy / "docs" / "index.md").open("a", encoding="utf-8") as file:
        file.write("\n[nowhere](nowhere.md)\n")
    done = subprocess.run(
        ["make", "site", f"PYTHON={sys.executable}"],
        cwd=copy,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode
    assert "nowhere.md" in done.stdout + done.stderr


def test_every_guide_and_every_reference_is_a_page(site: Path) -> None:
    pages = {str(page.relative_to(site)) for page in site.rglob("*.html")}
    assert pages >= {
        *("index.html", "quick-start.html", "lawyers.html", "anwaelte.html", "admins.html"),
        *("developers.html", "proven.html", "tools.html", "commands.html", "settings.html"),
        *("vorlagen/tom.html", "vorlagen/auftragsverarbeitung.html", "vorlagen/brao-43e.html"),
        "adr/index.html",
    }
    assert (site / "search" / "search_index.json").is_file()


def test_no_page_asks_another_host_for_anything(site: Path) -> None:
    for page in site.rglob("*.html"):
        loads = Loads()
        loads.feed(page.read_text(encoding="utf-8"))
        assert loads.addresses, page
        assert not [each for each in loads.addresses if "//" in each], page
        # The theme fetches a program of another host for these alone.
        assert "mermaid" not in loads.classes, page
    for sheet in site.rglob("*.css"):
        text = sheet.read_text(encoding="utf-8")
        assert not re.findall(r"(?:url\(|@import\s*)[\"']?(?:https?:)?//", text), sheet

"""One version, and a changelog that speaks of it."""

import re
from pathlib import Path

import pytest
from releases.errors import ReleaseError
from releases.version import UNRELEASED, read_sections, read_version, require_section

import fundstelle

CHECKOUT = Path(__file__).parents[2]
CHANGELOG = (CHECKOUT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_version_is_said_in_one_place() -> None:
    assert read_version(CHECKOUT) == fundstelle.__version__
    assert 'dynamic = ["version"]' in (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")


def test_the_changelog_is_of_the_version_or_of_what_comes_next() -> None:
    sections = list(read_sections(CHANGELOG))
    assert sections[0] == UNRELEASED
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", each) for each in sections[1:])
    if sections[1:]:
        assert sections[1].split(" - ")[0] == fundstelle.__version__


@pytest.mark.parametrize(
    ("changelog", "wrong"),
    [
        ("# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2030-01-31\n\n- news\n", None),
        ("## Unreleased\n\n- more\n\n## 0.2.0 - 2030-01-31\n\n- news\n", "under Unreleased"),
        ("## Unreleased\n\n## 0.1.0 - 2030-01-31\n\n- news\n", "its newest is '0.1.0 - 2030"),
        ("## Unreleased\n\n## 0.2.0\n\n- news\n", "no section '## 0.2.0 - DAY'"),
        ("## Unreleased\n", "its newest is 'Unreleased'"),
    ],
)
def test_a_release_needs_its_section_on_top(changelog: str, wrong: str | None) -> None:
    if wrong is None:
        require_section(changelog, "0.2.0")
        return
    with pytest.raises(ReleaseError, match=wrong):
        require_section(changelog, "0.2.0")

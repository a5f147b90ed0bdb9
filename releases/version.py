"""The version, which ``fundstelle.__version__`` says once, and its section of the changelog."""

import ast
import re
from pathlib import Path

from releases.errors import ReleaseError

_HEADING = re.compile(r"^## (?P<title>.+)$", re.MULTILINE)
UNRELEASED = "Unreleased"


def read_version(tree: Path) -> str:
    """The version of the package in *tree*, without importing it.

    Raises:
        ReleaseError: it says none.
    """
    module = ast.parse((tree / "src/fundstelle/__init__.py").read_text(encoding="utf-8"))
    for statement in module.body:
        match statement:
            case ast.Assign([ast.Name("__version__")], ast.Constant(str() as version)):
                return version
    raise ReleaseError("src/fundstelle/__init__.py says no __version__")


def read_sections(changelog: str) -> dict[str, str]:
    """What stands under each heading of the changelog, the newest first: ``0.2.0 - 2030-01-31``."""
    headings = list(_HEADING.finditer(changelog))
    ends = [*(each.start() for each in headings[1:]), len(changelog)]
    return {
        each["title"].strip(): changelog[each.end() : end].strip()
        for each, end in zip(headings, ends, strict=True)
    }


def require_section(changelog: str, version: str) -> None:
    """See that the changelog speaks of this version, and of nothing newer.

    Raises:
        ReleaseError: it does not.
    """
    sections = read_sections(changelog)
    if sections.pop(UNRELEASED, ""):
        raise ReleaseError(
            f"CHANGELOG.md has entries under {UNRELEASED}: move them below '## {version} - DAY'"
        )
    newest = next(iter(sections), "")
    if not re.fullmatch(rf"{re.escape(version)} - \d{{4}}-\d\d-\d\d", newest):
        raise ReleaseError(
            f"CHANGELOG.md has no section '## {version} - DAY' on top; its newest is"
            f" '{newest or UNRELEASED}'"
        )

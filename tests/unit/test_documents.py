"""The documents speak of the code as it is."""

from pathlib import Path

import pytest
from docs import generate_commands

DOCS = Path(__file__).parents[2] / "docs"


def test_the_list_of_commands_is_current() -> None:
    written = generate_commands.TARGET.read_text(encoding="utf-8")
    assert written == generate_commands.render(), "run make docs"


def test_every_decision_is_in_the_list() -> None:
    listed = (DOCS / "adr" / "index.md").read_text(encoding="utf-8")
    missing = [
        f"- [{each.read_text(encoding='utf-8').splitlines()[0].lstrip('# ')}]({each.name})"
        for each in sorted((DOCS / "adr").glob("0*.md"))
        if f"]({each.name})" not in listed
    ]
    assert not missing, "docs/adr/index.md lacks these lines"


@pytest.mark.parametrize("path", sorted((DOCS / "vorlagen").glob("*.md")), ids=lambda p: p.name)
def test_every_paper_for_a_firm_says_that_it_is_no_legal_advice(path: Path) -> None:
    assert "Keine Rechtsberatung" in path.read_text(encoding="utf-8")[:200]

"""Pages belong together only within one release; a page of another one says so, in every tool."""

from typing import Any

import pytest

from tests.unit.tools.calling import DECLARED, call, find_tool
from tests.unit.tools.fakes import build_library

LIBRARY = build_library()
HERE = LIBRARY.store.manifest.release
OTHER = "f" * 16
PAGING = {
    "legal_search": [{"query": "Hammer"}, {"query": "Zahnrad"}],
    "legal_lookup": [
        {"citation": "§ 2 WzLeihG"},
        {"citation": "WzLeihG"},
        {"citation": "§ 77 WzLeihG"},
    ],
    "legal_get_context": [{"norm_id": "§ 2 WzLeihG"}, {"norm_id": "§ 77 WzLeihG"}],
    "legal_find_citing_decisions": [
        {"cited_norm": "§ 2 WzLeihG"},
        {"cited_norm": "§ 77 WzLeihG"},
    ],
    "legal_list_laws": [{}, {"search": "Zahnrad"}],
    "legal_get_toc": [
        {"law_abbreviation": "WzLeihG"},
        {"law_abbreviation": "WzLeihG", "compare_to": "1990-01-01"},
        {"law_abbreviation": "XyzG"},
    ],
}
CALLS = [(name, arguments) for name, table in PAGING.items() for arguments in table]


def test_every_tool_that_pages_can_be_told_the_release_of_the_page_before() -> None:
    for tool in (find_tool(LIBRARY, name) for name in DECLARED):
        takes = tool.input_schema["properties"]
        assert ("offset" in takes) == ("corpus_release" in takes) == (tool.name in PAGING)


@pytest.mark.parametrize(("name", "arguments"), CALLS)
@pytest.mark.parametrize("offset", [0, 1])
def test_a_page_of_the_same_release_says_nothing(
    name: str, arguments: dict[str, Any], offset: int
) -> None:
    plain = call(LIBRARY, name, **arguments, offset=offset)

    assert call(LIBRARY, name, **arguments, offset=offset, corpus_release=HERE) == plain


@pytest.mark.parametrize(("name", "arguments"), CALLS)
@pytest.mark.parametrize("offset", [0, 1])
def test_a_page_of_another_release_says_which_two(
    name: str, arguments: dict[str, Any], offset: int
) -> None:
    plain = call(LIBRARY, name, **arguments, offset=offset)
    told = call(LIBRARY, name, **arguments, offset=offset, corpus_release=OTHER)

    notice, *others = told["warnings"]
    assert HERE in notice
    assert OTHER in notice
    assert told == {**plain, "warnings": [notice, *plain["warnings"]]}
    assert others == plain["warnings"]

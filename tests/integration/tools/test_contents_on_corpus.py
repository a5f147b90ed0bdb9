"""All of federal law: the hint beside a law's contents leads to a text of it."""

from typing import Any

import orjson
import pytest

from fundstelle.lookup.library import Library
from fundstelle.tools import build_registry
from fundstelle.tools.spec import CallContext
from tests.integration.citations.test_relations_on_corpus import TODAY

SHARE = 10  # every tenth law
STEPS = 8  # headings on the way to a text

pytestmark = pytest.mark.corpus


@pytest.mark.parametrize("more", [{}, {"depth": 1}, {"limit": 2}])
def test_every_hint_of_contents_can_be_followed_to_a_text(
    whole: Library, more: dict[str, Any]
) -> None:
    registry = build_registry(whole, today=lambda: TODAY, base_url="http://localhost")
    tools = {tool.name: tool for tool in registry.tools}

    def call(name: str, **arguments: Any) -> dict[str, Any]:
        called = tools[name].call(arguments, CallContext("r", "p"))
        answer: dict[str, Any] = orjson.loads(called.structured or b"")
        return answer

    followed, astray = 0, []
    for law in [*list(whole.store.statutes)[::SHARE], "StGB", "SGB V", "BGB"]:
        answer = call("legal_get_toc", law_abbreviation=law, **more)
        for _ in range(STEPS):
            if "norm" in answer or "hint" not in answer:
                break
            followed += 1
            answer = call(answer["hint"]["tool"], **answer["hint"]["arguments"])
            if not answer["found"]:
                astray.append(law)
    assert followed > 500
    assert astray == []

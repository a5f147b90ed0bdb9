from typing import Any

import orjson
from hypothesis import given, settings
from hypothesis import strategies as st

from fundstelle.errors import InvalidInput
from fundstelle.tools import build_registry
from tests.unit.tools.calling import CONTEXT, find_nulls
from tests.unit.tools.fakes import TODAY, build_library

REGISTRY = build_registry(build_library(), today=lambda: TODAY, base_url="")
WORDS = st.sampled_from(
    ["WzLeihG", "§ 2 WzLeihG", "§ 99 WzLeihG", "hammer", "de/wzleihg/3", "Teil 1", "2025-01-01"]
)
PLAIN = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30) | WORDS
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)
CALLS = st.sampled_from(REGISTRY.tools).flatmap(
    lambda tool: st.tuples(
        st.just(tool),
        st.dictionaries(
            st.sampled_from([*tool.input_schema["properties"], "unknown"]),
            WORDS | VALUES,
            max_size=6,
        ).map(lambda given: dict.fromkeys(tool.input_schema.get("required", ()), "hammer") | given),
    )
)


@settings(max_examples=400, deadline=None)
@given(CALLS)
def test_any_arguments_give_an_answer_or_a_refusal_that_says_why(call: Any) -> None:
    tool, arguments = call
    refused: InvalidInput | None = None
    try:
        result = tool.call(arguments, CONTEXT)
    except InvalidInput as error:
        refused = error
    if refused is not None:
        assert refused.field
        assert len(refused.message) < 3_000
        return
    answer = orjson.loads(result.structured)
    assert list(find_nulls(answer, "$")) == []
    assert isinstance(answer["found"], bool)

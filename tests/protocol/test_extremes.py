"""Every argument, address, completion and prompt with what nobody sends: told what is wrong."""

from typing import Any

import orjson
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from fundstelle.tools import build_registry
from tests.protocol.client import build_app, legacy, send
from tests.protocol.requirements import proves
from tests.unit.tools.fakes import TODAY, build_library

APP = build_app()
REGISTRY = build_registry(build_library(), today=lambda: TODAY, base_url="")
REQUIRED: dict[str, dict[str, Any]] = {
    "legal_search": {"query": "Kauf"},
    "legal_lookup": {"citation": "§ 1 MusterG"},
    "legal_lookup_batch": {"citations": ["§ 1 MusterG"]},
    "legal_get_context": {"norm_id": "de/musterg/1"},
    "legal_find_citing_decisions": {"cited_norm": "§ 1 MusterG"},
    "legal_list_laws": {},
    "legal_get_toc": {"law_abbreviation": "MusterG"},
    "legal_get_stats": {},
}
ARGUMENTS = [
    (tool.name, name) for tool in REGISTRY.tools for name in tool.input_schema["properties"]
]
DAYS = ("9999-12-31", "0001-01-01", "9999-12-30", "0001-01-02", "0000-00-00", "9999-12-32")
DIGITS = st.integers(1, 480).map(lambda count: "9" * count) | st.sampled_from(("0", "²", "٣", "Ⅳ"))
FORMS = (
    *(
        "§ {} MusterG",
        "§ 1 Abs. {} MusterG",
        "§§ 1 bis {} MusterG",
        "§ 1 MusterG {}",
        "§ {} ff. MusterG",
    ),
    *("Art. {} DSGVO", "Anlage {} MusterG", "Erwägungsgrund {} DSGVO", "de/musterg/{}", "SGB {}"),
    *("eu/32016R0679/art_{}", "32016R{}", "ECLI:DE:BGH:2020:{}", "C-{}/14", "VI ZR {}/22", "{}"),
    *("BGBl. I {} S. 1", "BGBl. 2020 I Nr. {}", "NJW 2020, {}", "BGHZ {}, 1", "VO (EU) 2016/{}"),
    *(
        "BGH, Urteil vom 31.12.{}",
        "§ 1 MusterG vom 31.12.{}",
        "BT-Drs. 19/{}",
        "§ 1 Nr. 1 bis {} MusterG",
    ),
)
TEXTS = (
    st.builds(lambda form, digits: form.replace("{}", digits)[:500], st.sampled_from(FORMS), DIGITS)
    | st.sampled_from(DAYS)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
    | st.sampled_from(
        ("\0", "§" * 480, "(" * 480, "\u0301" * 480, "I" * 480, "1-" * 240, "%00", "../..")
    )
)
NUMBERS = st.sampled_from((-1, 0, 2**63, 2**64 - 1, -(2**63), 1e300, -0.0, 0.5, 5.0)) | st.integers(
    -(2**63), 2**64 - 1
)
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(("value", "$kind", "citation")), inner, max_size=2)
    ),
    max_leaves=4,
)
BOUNDED = settings(
    deadline=None, max_examples=400, suppress_health_check=[HealthCheck.too_slow], derandomize=True
)


def _check(method: str, params: object) -> None:
    answer = send(APP, orjson.dumps(legacy(method, params)))
    assert answer.status in {200, 413}, params
    error = answer.json.get("error", {}) if answer.status == 200 else {}
    assert error.get("code") != -32603, params
    assert b"INTERNAL" not in answer.body, params


@proves("malformed")
@BOUNDED
@given(st.sampled_from(ARGUMENTS), VALUES, st.sampled_from(DAYS))
@example(("legal_get_context", "compare_to"), "9999-12-31", "0001-01-01")
def test_no_value_of_an_argument_is_a_fault_of_ours(
    argument: tuple[str, str], value: Any, day: str
) -> None:
    tool, name = argument
    days = {other: day for known, other in ARGUMENTS if known == tool and other == "as_of"}
    arguments = {**REQUIRED[tool], **days, name: value}
    if name == "text":
        del arguments["citations"]
    _check("tools/call", {"name": tool, "arguments": arguments})


@proves("malformed", "unknown-resource")
@BOUNDED
@given(st.sampled_from(("", "legal://", *(t.prefix for t in REGISTRY.templates))), TEXTS)
def test_no_address_of_a_resource_is_a_fault_of_ours(prefix: str, text: str) -> None:
    _check("resources/read", {"uri": prefix + text})


@proves("malformed", "completion")
@BOUNDED
@given(
    st.sampled_from(
        [
            *({"type": "ref/prompt", "name": prompt.name} for prompt in REGISTRY.prompts),
            *({"type": "ref/resource", "uri": t.uri_template} for t in REGISTRY.templates),
        ]
    ),
    st.sampled_from(("citation", "norm_id", "celex", "abbreviation", "source_type", "court", "x")),
    TEXTS,
    TEXTS,
)
def test_no_completion_is_a_fault_of_ours(
    reference: dict[str, str], name: str, typed: str, settled: str
) -> None:
    argument = {"name": name, "value": typed}
    context = {"arguments": {"source_type": settled}}
    _check("completion/complete", {"ref": reference, "argument": argument, "context": context})


@proves("malformed", "unknown-prompt")
@BOUNDED
@given(st.sampled_from(REGISTRY.prompts), TEXTS)
def test_no_argument_of_a_prompt_is_a_fault_of_ours(prompt: Any, text: str) -> None:
    arguments = {each.name: text for each in prompt.arguments}
    _check("prompts/get", {"name": prompt.name, "arguments": arguments})

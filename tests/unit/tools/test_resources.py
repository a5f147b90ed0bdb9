from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import unquote

import orjson
import pytest

from fundstelle.errors import InvalidArgument
from fundstelle.tools import build_registry
from fundstelle.tools.answers.envelope import result
from fundstelle.tools.prompts import PROMPTS
from fundstelle.tools.resources import build_templates, read_domains
from fundstelle.tools.spec import UnknownResource
from tests.unit.lookup.test_versions import build_act
from tests.unit.tools.calling import CONTEXT
from tests.unit.tools.fakes import TODAY, build_library

LIBRARY = build_library()
REGISTRY = build_registry(LIBRARY, today=lambda: TODAY, base_url="http://localhost:8000")


def read(uri: str) -> str:
    for resource in REGISTRY.resources:
        if resource.uri == uri:
            text = resource.read(CONTEXT).text
            assert text
            return text
    template = next(each for each in REGISTRY.templates if uri.startswith(each.prefix))
    text = template.read(uri, CONTEXT).text
    assert text
    return text


def call(name: str, arguments: Mapping[str, str]) -> bytes | None:
    tool = next(tool for tool in REGISTRY.tools if tool.name == name)
    return tool.call(arguments, CONTEXT).structured


def test_there_are_three_free_resources_and_three_families_that_count() -> None:
    assert [(each.uri, each.free) for each in REGISTRY.resources] == [
        ("legal://rechtsrahmen", True),
        ("legal://filter_values", True),
        ("legal://eu_celex_registry", True),
    ]
    assert [(each.uri_template, each.free) for each in REGISTRY.templates] == [
        ("legal://norm/{+norm_id}", False),
        ("legal://law/{source_type}/{abbreviation}", False),
        ("legal://eu/celex/{celex}", False),
    ]


@pytest.mark.parametrize("norm_id", ["de/wzleihg/2", "de%2Fwzleihg%2F2"])
def test_a_norm_is_the_same_json_as_its_lookup(norm_id: str) -> None:
    looked_up = call("legal_lookup", {"citation": "de/wzleihg/2"})

    assert read(f"legal://norm/{norm_id}").encode() == looked_up


@pytest.mark.parametrize(
    ("uri", "tool", "named"),
    [
        ("legal://norm/de/wzleihg/2", "legal_lookup", {"citation": "de/wzleihg/2"}),
        ("legal://law/gii/wzleihg", "legal_get_toc", {"law_abbreviation": "wzleihg"}),
    ],
)
@pytest.mark.parametrize("day", ["2025-04-01", "2025-03-31"])
def test_a_day_may_stand_behind_an_address(
    uri: str, tool: str, named: dict[str, str], day: str
) -> None:
    assert read(f"{uri}?as_of={day}").encode() == call(tool, {**named, "as_of": day})


@pytest.mark.parametrize("day", ["1990-01-01", "morgen", ""])
def test_behind_an_address_another_day_is_unknown(day: str) -> None:
    with pytest.raises(UnknownResource):
        read(f"legal://norm/de/wzleihg/2?as_of={day}")


@pytest.mark.parametrize("abbreviation", ["wzleihg", "WzLeihG", "de/wzleihg", "de%2Fwzleihg"])
def test_a_law_is_the_same_json_as_its_contents(abbreviation: str) -> None:
    contents = call("legal_get_toc", {"law_abbreviation": unquote(abbreviation)})

    assert read(f"legal://law/gii/{abbreviation}").encode() == contents


def test_a_slash_may_be_of_an_abbreviation() -> None:
    toc = next(tool for tool in REGISTRY.tools if tool.name == "legal_get_toc")
    law = {"norm_id": "de/wz-leihg", "abbreviation": "Wz/LeihG"}
    named = replace(toc, call=lambda *_: result(True, 1, 1, 0, "r", own={"law": law}))
    template = build_templates(toc, named, ["gii"])[1]

    assert "Wz/LeihG" in (template.read("legal://law/gii/Wz/LeihG", CONTEXT).text or "")
    with pytest.raises(UnknownResource):
        template.read("legal://law/gii/Wz/LeihG/x", CONTEXT)


@pytest.mark.parametrize(
    ("uri", "status"),
    [
        ("legal://norm/de/wzleihg/99", "norm_does_not_exist"),
        ("legal://law/eurlex/wzleihg", "not_in_corpus"),
        ("legal://eu/celex/32016R0679", "outside_coverage"),
    ],
)
def test_what_is_not_there_is_unknown_with_the_miss_in_its_data(uri: str, status: str) -> None:
    with pytest.raises(UnknownResource) as unknown:
        read(uri)

    assert unknown.value.uri == uri
    assert unknown.value.data is not None
    assert unknown.value.data["status"] == status


@pytest.mark.parametrize(
    "uri",
    [
        "legal://norm/",
        "legal://law/gii/",
        "legal://law/gii",
        "legal://law/nowhere/bgb",
        "legal://law/gii/wzleihg/x",
        "legal://law/gii/de/wzleihg/x",
        "legal://law/gii/de/wzleihg/2",
        "legal://eu/celex/",
        "legal://eu/celex/WzLeihG",
        "legal://norm/" + "x" * 5_000,
    ],
)
def test_an_address_that_names_nothing_is_unknown(uri: str) -> None:
    with pytest.raises(UnknownResource):
        read(uri)


def test_the_map_of_the_law_has_fields_orders_and_mix_ups() -> None:
    domains = read_domains()

    assert len(domains) >= 25
    for domain in domains:
        assert domain["domain"]
        assert domain["domain_en"]
        assert domain["order"]
        assert domain["mix_ups"]
        assert len(domain["laws"]) >= 2
        assert all(law["scope"] and ("law" in law) != ("celex" in law) for law in domain["laws"])


def test_the_map_marks_what_is_not_held() -> None:
    assert "VVG *(nicht im Bestand)*" in read("legal://rechtsrahmen")


def test_filter_values_count_what_the_corpus_holds() -> None:
    filters = orjson.loads(read("legal://filter_values"))["filters"]

    assert filters["document_kind"][:2] == [
        {"value": "statute", "documents": 2},
        {"value": "regulation", "documents": 1},
    ]
    assert all(one["documents"] for values in filters.values() for one in values)
    assert filters["court"] == []


def test_the_registry_names_eu_acts_with_celex_and_address() -> None:
    acts = {act["celex"]: act for act in orjson.loads(read("legal://eu_celex_registry"))["acts"]}

    assert acts["32016R0679"]["abbreviation"] == "DSGVO"
    assert acts["32016R0679"]["url"].endswith("CELEX:32016R0679")


@pytest.mark.parametrize(
    ("reference", "argument", "typed", "values"),
    [
        ("legal://law/{source_type}/{abbreviation}", "abbreviation", "wz", ["WzLeihG"]),
        ("legal://law/{source_type}/{abbreviation}", "source_type", "eur",
         []),
        ("legal://law/{source_type}/{abbreviation}", "source_type", "g", ["gii"]),
        ("legal://norm/{+norm_id}", "norm_id", "de/", ["de/altwzg", "de/honigv-99", "de/wzleihg"]),
        ("legal://norm/{+norm_id}", "norm_id", "de/wzleihg/t",
         ["de/wzleihg/teil-1", "de/wzleihg/teil-2", "de/wzleihg/teil-2-kapitel-1"]),
        ("legal_research", "jurisdiction", "d", ["DE", "DE+EU"]),
        ("legal_research", "depth", "", ["thorough", "quick"]),
        ("legal_research", "court", "bv", []),
        ("citation_resolve", "citation", "§ 3 Wz", ["§ 3 WzLeihG"]),
        ("legal_research", "question", "x", []),
    ],
)  # fmt: skip
def test_completion_knows_laws_norms_and_filter_values(
    reference: str, argument: str, typed: str, values: list[str]
) -> None:
    assert list(REGISTRY.complete(reference, argument, typed, {}) or ()) == values


@pytest.mark.parametrize(
    "typed", ["eu/32016R", "EU/32016r0679", "eu/32016R0679/", "eu/32016r0679/A"]
)
def test_ids_of_eu_acts_are_completed_however_they_are_typed(typed: str) -> None:
    registry = build_registry(build_act(), today=lambda: TODAY, base_url="")
    found = list(registry.complete("legal://norm/{+norm_id}", "norm_id", typed, {}) or ())
    assert found
    assert all(each.startswith("eu/32016R0679") for each in found)
    assert all(each.lower().startswith(typed.lower()) for each in found)


def test_no_norm_is_decoded_to_complete_an_id(monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[str] = []
    store = build_library().store
    monkeypatch.setattr(type(store), "list_norms", lambda _, statute_id: decoded.append(statute_id))
    reference, typed = "legal://norm/{+norm_id}", "de/wzleihg/"
    assert REGISTRY.complete(reference, "norm_id", typed, {})
    assert decoded == []


def test_celex_numbers_are_completed() -> None:
    found = REGISTRY.complete("legal://eu/celex/{celex}", "celex", "32016R06", {})

    assert found is not None
    assert "32016R0679" in found


def test_an_unknown_reference_is_not_completed() -> None:
    assert REGISTRY.complete("legal://nowhere", "celex", "3", {}) is None


def test_there_are_three_prompts() -> None:
    assert [prompt.name for prompt in PROMPTS] == [
        "legal_research",
        "citation_resolve",
        "compare_de_eu",
    ]


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("legal_research", {"question": "Frist?"}, ["Frist?", "federal law and", "exceptions"]),
        ("legal_research", {"question": "Frist?", "jurisdiction": "eu", "depth": "quick"},
         ["European Union law,", "One search is enough"]),
        ("citation_resolve", {"citation": "§ 1 {X} BGB"}, ["§ 1 {X} BGB", "legal_lookup"]),
        ("compare_de_eu", {"topic": "Widerruf"}, ["Widerruf", "directive"]),
    ],
)  # fmt: skip
def test_prompts_carry_what_was_given(
    name: str, arguments: dict[str, str], words: list[str]
) -> None:
    prompt = next(prompt for prompt in PROMPTS if prompt.name == name)
    (message,) = prompt.get(arguments)

    assert message["role"] == "user"
    assert all(word in message["content"]["text"] for word in words)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("legal_research", {}),
        ("legal_research", {"question": " "}),
        ("legal_research", {"question": "x", "depth": "deep"}),
        ("legal_research", {"question": "x", "jurisdiction": "FR"}),
        ("citation_resolve", {"citation": "x" * 2_001}),
    ],
)
def test_prompts_refuse_what_does_not_fit(name: str, arguments: dict[str, str]) -> None:
    prompt = next(prompt for prompt in PROMPTS if prompt.name == name)

    with pytest.raises(InvalidArgument):
        prompt.get(arguments)


def test_the_instructions_name_tools_stand_and_server_briefly() -> None:
    instructions = REGISTRY.instructions

    assert "legal_lookup" in instructions
    assert "2025-03-31" in instructions
    assert "http://localhost:8000" in instructions
    assert len(instructions) < 2_500


def test_a_demonstration_says_so_in_its_instructions() -> None:
    demonstration = build_library(demonstration=True)
    registry = build_registry(demonstration, today=lambda: TODAY, base_url="")

    assert "kein geltendes Recht" in registry.instructions

import unicodedata
from datetime import date
from hashlib import sha256
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from fundstelle.errors import InvalidArgument
from fundstelle.tools import lookup
from fundstelle.tools.spec import CallContext, ToolResult
from tests.unit.lookup.invented import STAND, TODAY, build_library

LIBRARY = build_library()
TOOL = lookup.build_tool(LIBRARY, lambda: TODAY)
CONTEXT = CallContext("request", "principal")


def call(**arguments: Any) -> ToolResult:
    return TOOL.call(arguments, CONTEXT)


def ask(citation: str, **arguments: Any) -> dict[str, Any]:
    structured = call(citation=citation, **arguments).structured
    assert structured is not None
    answer: dict[str, Any] = orjson.loads(structured)
    assert TOOL.output_schema is not None
    Draft202012Validator(dict(TOOL.output_schema)).validate(answer)
    return answer


def test_a_provision_comes_with_its_text_its_law_and_its_source() -> None:
    answer = ask("§ 4 MusterG")
    norm = answer["norm"]

    assert answer["found"] is True
    assert (answer["count"], answer["total"], answer["has_more"]) == (1, 1, False)
    assert answer["as_of"] == TODAY.isoformat()
    assert norm["norm_id"] == "de/musterg/4"
    assert norm["citation"] == "§ 4 MusterG"
    assert norm["title"] == "Säge"
    assert norm["content"] == "Die Säge ist scharf. Ihre Zähne sind zu schränken."
    assert norm["law"]["abbreviation"] == "MusterG"
    assert norm["law"]["is_current"] is True
    assert norm["source_url"] == "https://www.gesetze-im-internet.de/musterg/__4.html"
    assert "segments" not in norm


def test_the_provenance_is_complete() -> None:
    provenance = ask("§ 4 MusterG", response_format="detailed")["norm"]["provenance"]

    assert set(provenance) == {
        "source_url",
        "source_name",
        "official_publication",
        "is_official_text",
        "version_date",
        "first_seen",
        "last_seen",
        "date_precision",
        "archive_floor",
        "retrieved_at",
        "text_sha256",
    }
    assert provenance["retrieved_at"] == "2026-04-30T12:00:00Z"
    assert provenance["version_date"] == STAND.isoformat()


def test_a_concise_unit_says_nothing_twice() -> None:
    answer = ask("§ 4 MusterG")

    assert answer["norm"] == {
        "norm_id": "de/musterg/4",
        "citation": "§ 4 MusterG",
        "title": "Säge",
        "content": "Die Säge ist scharf. Ihre Zähne sind zu schränken.",
        "law": {"abbreviation": "MusterG", "title": "Mustergesetz", "is_current": True},
        "source_url": "https://www.gesetze-im-internet.de/musterg/__4.html",
        "status": "in_force",
        "provenance": {
            "version_date": STAND.isoformat(),
            "text_sha256": answer["norm"]["provenance"]["text_sha256"],
        },
    }
    assert "parsed" not in answer
    assert ask("§ 4 MusterG", response_format="detailed")["parsed"]
    corrected = ask("Art. 4 MusterG")
    assert ("parsed" in corrected) == ("normalised_from" in corrected)


def test_the_hash_is_that_of_the_content_when_all_of_it_is_shown() -> None:
    norm = ask("§ 2 MusterG", response_format="detailed")["norm"]

    assert sha256(norm["content"].encode()).hexdigest() == norm["provenance"]["text_sha256"]
    assert (norm["content_start"], norm["content_end"]) == (0, len(norm["content"]))


def test_a_part_says_where_it_lies_and_that_the_hash_covers_the_whole() -> None:
    whole = ask("§ 2 MusterG")["norm"]
    part = ask("§ 2 Abs. 1 Nr. 2 MusterG", response_format="detailed")["norm"]

    assert part["citation"] == "§ 2 Abs. 1 Satz 1 Nr. 2 MusterG"
    assert whole["content"][part["content_start"] : part["content_end"]] == part["content"]
    assert part["lead_in"].startswith("(1) Wer Werkzeug")
    assert part["lead_out"] == "bevor er es zurückgibt."
    assert part["resolved_depth"] == "nr"
    assert part["provenance"]["hash_scope"] == "full_stored_text"
    assert part["provenance"]["text_sha256"] == whole["provenance"]["text_sha256"]


def test_what_cannot_be_cut_is_named_as_the_missing_rest() -> None:
    norm = ask("§ 1 Satz 1 Alt. 2 MusterG")["norm"]

    assert (norm["resolved_depth"], norm["missing_rest"]) == ("satz", "Alt. 2")


def test_segments_come_in_detailed_only_and_slice_the_stored_text() -> None:
    norm = ask("§ 2 MusterG", response_format="detailed")["norm"]

    assert norm["segments"][0]["label"] == "Abs. 1"
    assert all(s["text"] == norm["content"][s["start"] : s["end"]] for s in norm["segments"])


def test_several_units_are_several_norms_and_the_first_is_the_norm() -> None:
    answer = ask("§§ 1, 4 MusterG")

    assert [norm["citation"] for norm in answer["norms"]] == ["§ 1 MusterG", "§ 4 MusterG"]
    assert answer["norm"] == answer["norms"][0]
    assert (answer["count"], answer["total"]) == (2, 2)


def test_a_unit_of_a_list_that_is_not_there_is_a_miss_beside_the_others() -> None:
    answer = ask("§§ 1, 99 MusterG")

    assert answer["found"] is True
    assert [miss["status"] for miss in answer["misses"]] == ["norm_does_not_exist"]


def test_a_law_without_a_section_is_found_without_a_norm() -> None:
    answer = ask("MusterG")

    assert answer["found"] is True
    assert "norm" not in answer
    assert answer["law"]["norm_id"] == "de/musterg"
    assert answer["hint"]["tool"] == "legal_get_toc"


def test_a_miss_is_an_ordinary_answer() -> None:
    result = call(citation="§ 99 MusterG")
    answer = ask("§ 99 MusterG")

    assert not result.is_error
    assert answer["found"] is False
    assert (answer["code"], answer["status"]) == ("NORM_NOT_FOUND", "norm_does_not_exist")
    assert answer["evidence"]["last"] == {"citation": "§ 8 MusterG", "norm_id": "de/musterg/8"}
    assert answer["suggestions"][0]["norm_id"] == "de/musterg/8"
    assert answer["next_step"]
    assert "norm" not in answer


def test_a_long_text_is_cut_on_a_sentence_and_goes_on_at_next_offset() -> None:
    sentences = "".join(f"{{satz {n}|Satz {n} {'x' * 200}.}} " for n in range(1, 9)).strip()
    library = build_library(long=sentences)
    tool = lookup.build_tool(library, lambda: TODAY)

    def page(offset: int) -> dict[str, Any]:
        arguments = {"citation": "§ 9 MusterG", "max_chars": 500, "offset": offset}
        structured = tool.call(arguments, CONTEXT).structured
        assert structured is not None
        answer: dict[str, Any] = orjson.loads(structured)
        return answer

    first = page(0)
    assert "nothing stands behind 5000" in page(5_000)["warnings"][-1]
    pieces, offset = [], 0
    while True:
        answer = page(offset)
        pieces.append(answer["norm"]["content"])
        if not answer["has_more"]:
            break
        offset = answer["next_offset"]
        assert answer["hint"]["arguments"]["offset"] == offset

    fassung = library.store.find_fassung("de/musterg/9")
    assert fassung is not None
    assert "".join(pieces) == fassung.text
    assert all(len(piece) <= 500 for piece in pieces)
    assert first["norm"]["content"].endswith(".")


def test_the_day_after_the_stand_is_answered_with_a_warning() -> None:
    assert ask("§ 4 MusterG")["warnings"] == []
    warnings = ask("§ 4 MusterG", as_of="2027-01-01")["warnings"]

    assert len(warnings) == 1
    assert "2026-04-29" in warnings[0]


def test_the_same_question_gives_the_same_bytes() -> None:
    assert call(citation="§ 2 MusterG").structured == call(citation="§ 2 MusterG").structured


@pytest.mark.parametrize(
    ("citation", "quote", "status"),
    [
        ("§ 4 MusterG", "Die Säge ist scharf.", "verbatim"),
        ("§ 4 MusterG", "Säge ist [...] zu schränken", "verbatim"),
        ("§ 4 MusterG", "Die  Säge\nist scharf.", "normalised"),
        ("§ 4 MusterG", unicodedata.normalize("NFD", "Die Säge ist"), "normalised"),
        ("§ 4 MusterG", "Die Säge ist sehr scharf.", "altered"),
        ("§ 4 MusterG", "Die Feile ist rau.", "not_found"),
        ("§ 99 MusterG", "Die Säge ist scharf.", "no_text"),
        ("§ 2 Abs. 1 Nr. 1, Abs. 2 MusterG", "Näheres bestimmt", "verbatim"),
        ("§ 2 Abs. 1 Nr. 1, Abs. 2 MusterG", "Näheres  bestimmt", "normalised"),
        ("§ 2 Abs. 1 Nr. 1, Abs. 2 MusterG", "auch an Sonntagen", "not_found"),
        ("§§ 4, 4a MusterG", "Die Feile ist rau.", "verbatim"),
    ],
)
def test_a_quote_is_compared_with_the_cited_unit(citation: str, quote: str, status: str) -> None:
    assert ask(citation, quote=quote)["quote_check"]["status"] == status


def test_of_several_norms_the_one_that_has_the_quote_is_named() -> None:
    check = ask("§§ 4, 4a MusterG", quote="Die Feile ist rau.")["quote_check"]
    assert check["norm_id"] == "de/musterg/4a"
    assert "norm_id" not in ask("§§ 4, 4a MusterG", quote="Die Säge ist scharf.")["quote_check"]


@pytest.mark.parametrize(
    ("citation", "quote", "place"),
    [
        ("§ 4 MusterG", "Die Feile ist rau.", "§ 4a MusterG"),
        ("§ 2 Abs. 2 MusterG", "Das gilt auch an Sonntagen.", "§ 2 Abs. 1 Satz 2 MusterG"),
        ("§ 4 MusterG", "Werkzeug ist unantastbar.", "Art. 1 Abs. 1 GrundMG"),
        ("§ 99 MusterG", "Die Säge ist scharf.", "§ 4 MusterG"),
        ("§ 8 MusterG", "Leim klebt kalt.", "§ 8 MusterG"),
    ],
)
def test_a_quote_that_stands_elsewhere_is_placed(citation: str, quote: str, place: str) -> None:
    check = ask(citation, quote=quote)["quote_check"]

    assert check["status"] in {"not_found", "no_text", "altered"}
    assert check["elsewhere"][0]["citation"] == place


def test_a_quote_of_a_law_without_a_section_is_placed() -> None:
    check = ask("MusterG", quote="Die Säge ist scharf.")["quote_check"]
    assert check["status"] == "no_text"
    assert [place["norm_id"] for place in check["elsewhere"]] == ["de/musterg/4"]


def test_a_quote_of_an_older_text_is_placed_on_its_day() -> None:
    check = ask("§ 8 MusterG", quote="Leim klebt kalt.")["quote_check"]

    assert check["elsewhere"][0]["as_of"] == "2025-03-31"  # the last look that showed it


def test_a_changed_word_is_named() -> None:
    check = ask("§ 4 MusterG", quote="Die Säge ist stumpf.")["quote_check"]

    assert check["status"] == "altered"
    assert check["differences"] == [{"kind": "replaced", "quoted": "stumpf", "stored": "scharf"}]


def test_a_lost_negation_is_named_as_one() -> None:
    check = ask("§ 4 MusterG", quote="Die Säge ist nicht scharf.")["quote_check"]

    assert check["differences"] == [
        {"kind": "added", "quoted": "nicht", "stored": "", "negation": True}
    ]


def test_offsets_of_a_quote_count_in_the_stored_text() -> None:
    check = ask("§ 2 Abs. 1 Satz 2 MusterG", quote="auch an Sonntagen")["quote_check"]
    text = ask("§ 2 MusterG")["norm"]["content"]

    assert text[check["start"] : check["end"]] == "auch an Sonntagen" == check["matched_text"]
    assert check["segment"] == "Abs. 1 Satz 2"


def test_links_lead_to_the_norms_named() -> None:
    uris = [block["uri"] for block in call(citation="§§ 1, 4 MusterG").blocks]

    assert uris == ["legal://norm/de/musterg/1", "legal://norm/de/musterg/4"]


@pytest.mark.parametrize(
    ("arguments", "field"),
    [
        ({}, "citation"),
        ({"citation": "x" * 501}, "citation"),
        ({"citation": "§ 1 MusterG", "as_of": "gestern"}, "as_of"),
        ({"citation": "§ 1 MusterG", "max_chars": 499}, "max_chars"),
        ({"citation": "§ 1 MusterG", "quote": "x" * 2001}, "quote"),
        ({"citation": "§ 1 MusterG", "zitat": "x"}, "zitat"),
    ],
)
def test_a_wrong_argument_names_its_field(arguments: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidArgument) as error:
        call(**arguments)

    assert error.value.field == field


def test_a_future_day_of_a_law_no_longer_listed_is_doubly_warned_of() -> None:
    answer = ask("§ 1 AltMG", as_of=date(2028, 1, 1).isoformat())

    assert len(answer["warnings"]) == 2
    assert answer["norm"]["law"]["is_current"] is False


_OLD = "§ 8 MusterG in der bis 28.4.2026 geltenden Fassung"


@pytest.mark.parametrize(
    ("citation", "days", "texts"),
    [
        (f"§ 8 MusterG, {_OLD}", [None, "2026-04-28"], ["heiß", "kalt."]),
        (f"{_OLD}, § 8 MusterG", ["2026-04-28", None], ["kalt.", "heiß"]),
    ],
)
def test_the_day_that_one_of_several_citations_names_is_of_that_one(
    citation: str, days: list[str | None], texts: list[str]
) -> None:
    answer = ask(citation)

    assert answer["as_of"] == TODAY.isoformat()
    assert [norm.get("as_of") for norm in answer["norms"]] == days
    assert answer["norm"].get("as_of") == days[0]
    for norm, text in zip(answer["norms"], texts, strict=True):
        assert text in norm["content"]


def test_the_day_that_all_citations_name_is_that_of_the_answer() -> None:
    answer = ask(f"§§ 1, 8 {_OLD.removeprefix('§ 8 ')}")

    assert answer["as_of"] == "2026-04-28"
    assert [norm.get("as_of") for norm in answer["norms"]] == [None, None]


def test_a_miss_among_others_has_the_day_that_it_names() -> None:
    answer = ask("§ 8 MusterG, § 99 MusterG in der bis 28.4.2026 geltenden Fassung")

    assert answer["as_of"] == TODAY.isoformat()
    assert [miss["as_of"] for miss in answer["misses"]] == ["2026-04-28"]


def test_a_quote_is_checked_on_the_day_of_the_text_that_has_it() -> None:
    check = ask(f"§ 8 MusterG, {_OLD}", quote="Leim klebt kalt.")["quote_check"]

    assert check["status"] == "verbatim"


def test_what_is_missing_beside_a_law_by_its_name_is_told() -> None:
    answer = ask("BGBl. I 2001 S. 775; § 99 MusterG")
    assert answer["found"] is True
    assert answer["law"]["abbreviation"] == "MusterG"
    assert [miss["status"] for miss in answer["misses"]] == ["norm_does_not_exist"]
    assert "misses" not in ask("MusterG")


@pytest.mark.parametrize(
    ("written", "others"),
    [
        ("§ 1 GrundMG; BGBl. I 2001 S. 775", ["MusterG"]),
        ("§ 99 GrundMG; BGBl. I 2001 S. 775", ["MusterG"]),
        ("§ 4 MusterG; BGBl. I 2001 S. 775", []),
        ("MusterG", []),
    ],
)
def test_no_law_that_is_named_is_dropped(written: str, others: list[str]) -> None:
    told = [each for each in ask(written)["warnings"] if " is named, too" in each]
    assert [each.partition(" (de/")[0] for each in told] == others

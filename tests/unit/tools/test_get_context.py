import re
from dataclasses import replace
from datetime import date
from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from fundstelle.corpus.store import Reference
from fundstelle.tools import get_context
from fundstelle.tools.spec import CallContext, Tool
from tests.unit.lookup.decisions.test_texts import HeldDecisions
from tests.unit.lookup.invented import TODAY, InventedStore, build_library
from tests.unit.lookup.marked import digest
from tests.unit.tools.calling import call

LIBRARY = replace(build_library(), decisions=HeldDecisions())
TOOL = get_context.build_tool(LIBRARY, lambda: TODAY)


def ask(norm_id: str, tool: Tool = TOOL, **arguments: Any) -> dict[str, Any]:
    called = tool.call({"norm_id": norm_id, **arguments}, CallContext("r", "p"))
    assert called.structured is not None
    answer: dict[str, Any] = orjson.loads(called.structured)
    assert tool.output_schema is not None
    Draft202012Validator(dict(tool.output_schema)).validate(answer)
    return answer


def cite(rows: list[dict[str, Any]]) -> list[str]:
    return [row["citation"] for row in rows]


@pytest.mark.parametrize("reference", ["de/musterg/4", "§ 4 MusterG"])
def test_the_neighbours_stand_in_the_order_of_the_law(reference: str) -> None:
    answer = ask(reference)

    assert answer["center"]["citation"] == "§ 4 MusterG"
    assert cite(answer["before"]) == ["§ 2 MusterG", "§ 3 MusterG"]
    assert cite(answer["after"]) == ["§ 4a MusterG", "§§ 5 und 6 MusterG"]


def test_at_the_ends_of_a_law_there_is_nothing_more() -> None:
    assert ask("de/musterg/1", before=10)["before"] == []
    assert cite(ask("de/musterg/8", after=10)["after"]) == ["Anlage 1 MusterG"]
    assert ask("de/musterg/4", before=0, after=0)["before"] == []


def test_a_repealed_neighbour_is_named_without_text() -> None:
    repealed = ask("de/musterg/4")["before"][1]

    assert repealed["status"] == "repealed"
    assert "content" not in repealed


def test_only_what_is_asked_for_is_included() -> None:
    answer = ask("de/musterg/2", include=["references_out", "versions"])

    assert "before" not in answer
    assert answer["references_out"] == [
        {
            "citation": "§ 1 MusterG",
            "snippet": answer["references_out"][0]["snippet"],
            "norm_id": "de/musterg/1",
        }
    ]
    assert "§ 1" in answer["references_out"][0]["snippet"]
    assert len(answer["versions"]) == 1


def test_what_leads_nowhere_is_listed_member_by_member(monkeypatch: pytest.MonkeyPatch) -> None:
    words = "Art. 3 des Abkommens"
    references = [
        Reference("de/musterg/2", None, "", words, 0, 4),
        Reference("de/musterg/2", None, "", words, 0, 4),
        Reference("de/musterg/2", "de/musterg/1", "", "§ 1", 4, 6),
        Reference("de/musterg/2", None, "", words, 6, 8),  # once more in the text
    ]
    monkeypatch.setattr(LIBRARY.store, "list_references_from", lambda _norm_id: references)

    rows = ask("de/musterg/2", include=["references_out"])["references_out"]

    assert [(row["citation"], row.get("unresolved"), row.get("norm_id")) for row in rows] == [
        (words, True, None),
        (words, True, None),
        ("§ 1 MusterG", None, "de/musterg/1"),
    ]


def test_what_refers_to_a_provision_is_named_to_the_sentence() -> None:
    answer = ask("de/musterg/1", include=["references_in"])

    assert cite(answer["references_in"]) == ["§ 2 Abs. 1 Satz 1 MusterG"]
    assert answer["references_in_total"] == 1


def test_versions_and_their_difference_are_shown() -> None:
    answer = ask("de/musterg/8", include=["versions"], compare_to="2025-03-31")

    old, new = answer["versions"]
    assert (old["first_seen"], old["last_seen"]) == ("2025-03-31", "2025-03-31")
    assert (new["first_seen"], new["not_seen_before"]) == ("2026-04-29", "2025-03-31")
    assert [version["date_precision"] for version in (old, new)] == ["unknown", "unknown"]
    assert "valid_from" not in new  # a look is no commencement
    assert "valid_to" not in old
    assert answer["diff"] == {
        "from": "2025-03-31",
        "to": "2026-05-01",
        "changes": [
            {
                "kind": "changed",
                "segment": "",
                "before": "Leim klebt kalt.",
                "after": "Leim klebt heiß und kalt.",
                "words": [{"after": "heiß und"}],
            }
        ],
    }


def test_a_day_before_the_archive_is_not_compared_with() -> None:
    answer = ask("de/musterg/8", compare_to="1999-01-01")

    assert "diff" not in answer
    assert any("2025-03-31" in warning for warning in answer["warnings"])


def test_there_are_no_materials_and_it_says_so() -> None:
    warnings = ask("de/musterg/4", include=["materials"])["warnings"]

    assert any("materials" in warning for warning in warnings)


def test_a_miss_is_a_miss_here_too() -> None:
    answer = ask("§ 99 MusterG")

    assert answer["found"] is False
    assert answer["status"] == "norm_does_not_exist"


def test_texts_share_the_room_and_the_center_comes_first() -> None:
    long = "{satz 1|" + "Der Nagel hält. " * 80 + "}"
    tool = get_context.build_tool(build_library(long=long), lambda: TODAY)
    called = tool.call({"norm_id": "de/musterg/9", "max_chars": 500}, CallContext("r", "p"))
    assert called.structured is not None
    answer = orjson.loads(called.structured)

    assert len(answer["center"]["content"]) <= 500
    assert answer["hint"]["tool"] == "legal_lookup"
    assert answer["hint"]["arguments"]["offset"] == len(answer["center"]["content"])


def test_a_decision_stands_alone_and_has_one_text() -> None:
    parts = ["siblings", "parents", "references_out", "references_in", "versions"]
    answer = ask("BGH VI ZR 1/21 Rn. 2", include=parts, compare_to="2026-04-01")

    assert answer["center"]["content"] == "Er biss."
    assert (answer["before"], answer["after"], answer["parents"]) == ([], [], [])
    assert (answer["versions"], answer["diff"]["changes"]) == ([], [])
    assert answer["warnings"] == []


def test_a_change_is_shown_whole_or_named_without_its_text() -> None:
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    before, after = store.fassungen["de/musterg/8"]
    lines = [f"Satz {at} über Leim und Kleber." for at in range(40)]
    texts = ["\n".join(lines), "\n".join(line.replace("Kleber", "Kitt") for line in lines)]
    store.fassungen["de/musterg/8"] = (
        replace(before, text=texts[0], text_sha256=digest(texts[0])),
        replace(after, text=texts[1], text_sha256=digest(texts[1])),
    )
    days = {"as_of": "2026-05-01", "compare_to": "2025-03-31"}
    answer = call(library, "legal_get_context", norm_id="de/musterg/8", max_chars=3_000, **days)

    rows = answer["diff"]["changes"]
    assert len(rows) == 40
    left_out = [row for row in rows if row.get("left_out")]
    assert left_out
    for row in rows:
        if row not in left_out:
            assert row["before"] in lines
            assert row["after"] in texts[1].split("\n")
    assert any(each.startswith(f"{len(left_out)} of the changes") for each in answer["warnings"])


def test_what_is_behind_the_newer_of_two_texts_is_warned_of_whichever_day_is_named_first() -> None:
    days = ("2025-03-31", "2026-05-20")
    for as_of, compare_to in (days, days[::-1]):
        warnings = ask("de/musterg/8", as_of=as_of, compare_to=compare_to)["warnings"]
        assert sum("changes between then and 2026-05-20" in one for one in warnings) == 1


def test_two_days_between_the_same_looks_are_warned_of_once() -> None:
    answer = ask("de/musterg/8", as_of="2025-06-01", compare_to="2025-07-01")
    assert sum(one.startswith("This is the text of") for one in answer["warnings"]) == 1


def test_the_surroundings_are_of_the_day_that_the_first_citation_names() -> None:
    old = "§ 8 MusterG in der bis 28.4.2026 geltenden Fassung"
    for citation, day in ((f"{old}, § 8 MusterG", "2026-04-28"), (f"§ 4 MusterG, {old}", None)):
        assert ask(citation)["as_of"] == (day or "2026-05-01")


def build_changed(newest_from: date) -> Tool:
    """The tool over § 4 MusterG, whose text from that day on, and no other, refers to § 1."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    [held] = store.fassungen["de/musterg/4"]
    older, newer = "Die Säge kostet zehn Euro.", "Für die Säge gilt § 1. Sie ist scharf."
    before, after = (
        replace(held, text=text, text_sha256=digest(text), segments=()) for text in (older, newer)
    )
    store.fassungen["de/musterg/4"] = (
        replace(before, in_force_until=newest_from, stand=date(2025, 8, 25)),
        replace(after, in_force_from=newest_from),
    )
    at = newer.index("§ 1")
    store.references = [Reference("de/musterg/4", "de/musterg/1", "", "§ 1", at, at + 3)]
    return get_context.build_tool(library, lambda: TODAY)


@pytest.mark.parametrize(
    ("newest_from", "as_of"),
    [(date(2025, 9, 1), {"as_of": "2025-05-01"}), (date(2026, 9, 1), {})],
)
def test_references_are_those_of_the_text_that_is_read(
    newest_from: date, as_of: dict[str, str]
) -> None:
    tool = build_changed(newest_from)
    old = ask("§ 4 MusterG", tool, include=["references_out"], **as_of)
    assert old["center"]["content"] == "Die Säge kostet zehn Euro."
    assert old["references_out"] == []
    [told] = [one for one in old["warnings"] if one.startswith("references_out: ")]

    [day] = re.findall(r"as_of (\S+)", told)  # following it gives what it promises
    new = ask("§ 4 MusterG", tool, include=["references_out"], as_of=day)
    assert cite(new["references_out"]) == ["§ 1 MusterG"]
    assert not any("references" in one for one in new["warnings"])


def test_what_refers_in_another_text_than_that_of_the_day_is_told() -> None:
    def ask_in(newest_from: date, **as_of: str) -> list[str]:
        tool = build_changed(newest_from)
        answer = ask("§ 1 MusterG", tool, include=["references_in"], **as_of)
        assert cite(answer["references_in"]) == ["§ 4 MusterG"]
        assert answer["references_in_total"] == 1
        return [one for one in answer["warnings"] if one.startswith("references_in")]

    assert ask_in(date(2025, 9, 1)) == []
    of_newest, of_row = ask_in(date(2025, 9, 1), as_of="2025-05-01")
    assert "newest texts" in of_newest
    assert "§ 4 MusterG" in of_row

    [of_row] = ask_in(date(2026, 9, 1))  # that text is still to come
    assert "§ 4 MusterG" in of_row


def test_of_a_whole_law_it_is_said_what_is_told_of_provisions_alone() -> None:
    plain = ask("MusterG", include=["references_in"])
    asked = ask(
        "MusterG", include=["siblings", "versions", "references_in"], compare_to="2025-01-01"
    )

    (told,) = [warning for warning in asked["warnings"] if warning not in plain["warnings"]]
    assert told.startswith("siblings, versions, compare_to: only of a provision")
    assert asked["hint"] == {
        "tool": "legal_get_toc",
        "arguments": {**plain["hint"]["arguments"], "compare_to": "2025-01-01"},
    }
    assert not any("only of a provision" in warning for warning in ask("MusterG")["warnings"])

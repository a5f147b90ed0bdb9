from typing import Any

import orjson
import pytest
from jsonschema import Draft202012Validator

from fundstelle.errors import InvalidArgument
from fundstelle.lookup.allowance import MOST_MEMBERS
from fundstelle.lookup.comparing.effort import Effort
from fundstelle.lookup.provisions import MOST_TARGETS
from fundstelle.lookup.verdicts.check import MOST_SIGNS
from fundstelle.tools import lookup_batch
from fundstelle.tools.spec import CallContext
from tests.unit.lookup.invented import TODAY, build_library

LIBRARY = build_library()
TOOL = lookup_batch.build_tool(LIBRARY, lambda: TODAY)


def ask(*citations: str, **arguments: Any) -> dict[str, Any]:
    called = TOOL.call({"citations": list(citations), **arguments}, CallContext("r", "p"))
    assert called.structured is not None
    answer: dict[str, Any] = orjson.loads(called.structured)
    assert TOOL.output_schema is not None
    Draft202012Validator(dict(TOOL.output_schema)).validate(answer)
    return answer


def test_every_item_is_answered_in_order() -> None:
    answer = ask("§ 4 MusterG", "§ 99 MusterG", "", "MusterG", "§ 1 SGB", "§ 3 MusterG", "x" * 600)

    assert [row["found"] for row in answer["results"]] == [
        *(True, False, False, True, False, False, False)
    ]
    assert answer["summary"] == {
        "found": 2,
        "not_found": 5,
        "repealed": 1,
        "ambiguous": 1,
        "quotes_verbatim": 0,
        "quotes_failed": 0,
    }
    assert answer["count"] == answer["total"] == 7


def test_quotes_belong_to_citations_by_position() -> None:
    answer = ask(
        "§ 4 MusterG",
        "§ 1 MusterG",
        "§ 4a MusterG",
        "§ 99 MusterG",
        quotes=["Die Säge ist scharf.", "", "Die Feile ist glatt.", "Die Feile ist rau."],
    )
    checks = [row.get("quote_check", {}).get("status") for row in answer["results"]]

    assert checks == ["verbatim", None, "altered", "no_text"]
    assert answer["summary"]["quotes_verbatim"] == 1
    assert answer["summary"]["quotes_failed"] == 2


def test_more_quotes_than_citations_are_refused() -> None:
    with pytest.raises(InvalidArgument) as error:
        ask("§ 4 MusterG", quotes=["a", "b"])

    assert error.value.field == "quotes"


def test_short_texts_stay_whole_when_long_ones_are_cut() -> None:
    long = "{satz 1|" + "Der Nagel hält. " * 80 + "}"
    tool = lookup_batch.build_tool(build_library(long=long), lambda: TODAY)
    called = tool.call(
        {"citations": ["§ 9 MusterG", "§ 4 MusterG"], "max_chars": 600}, CallContext("r", "p")
    )
    assert called.structured is not None
    first, second = orjson.loads(called.structured)["results"]

    assert second["norm"]["content"] == "Die Säge ist scharf. Ihre Zähne sind zu schränken."
    assert len(first["norm"]["content"]) <= 550
    assert first["hint"]["arguments"] == {
        "citation": "§ 9 MusterG",
        "as_of": "2026-05-01",
        "offset": first["next_offset"],
        "corpus_release": orjson.loads(called.structured)["corpus_release"],
    }


def test_units_that_find_no_room_share_one_line() -> None:
    long = "{satz 1|" + "Der Nagel hält. " * 80 + "}"
    tool = lookup_batch.build_tool(build_library(long=long), lambda: TODAY)
    arguments = {"citations": ["§§ 1-9 MusterG"] * 20, "max_chars": 500}
    called = tool.call(arguments, CallContext("r", "p"))
    assert called.structured is not None
    first, *_, last = orjson.loads(called.structured)["results"]
    without, once = first["warnings"]
    assert without.startswith("§ 2 MusterG to § 9 MusterG (5 in all) come without text")
    assert once == "The text of § 1 MusterG is given once, in norm."
    [without] = last["warnings"]
    assert without.startswith("§ 1 MusterG to § 9 MusterG (6 in all) come without text")


def test_there_are_one_to_twenty_citations() -> None:
    for citations in ([], ["§ 1 MusterG"] * 21):
        with pytest.raises(InvalidArgument) as error:
            ask(*citations)

        assert error.value.field == "citations"


def test_a_quote_beyond_what_one_call_may_cost_is_left_and_that_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lookup_batch, "Effort", lambda: Effort(left=1_000))
    wrong = "Die Säge ist stumpf und sie bleibt es."
    answer = ask(*["§ 4 MusterG"] * 3, quotes=["Die Säge ist scharf.", wrong, wrong])

    exact, cut, left = answer["results"]
    assert exact["quote_check"]["status"] == "verbatim"
    assert exact["warnings"] == []
    assert "not looked for everywhere" in cut["warnings"][-1]
    assert cut["quote_check"]["status"] != "verbatim"
    assert "was not checked" in left["warnings"][-1]
    assert "quote_check" not in left
    assert answer["summary"]["quotes_failed"] == 1


def test_a_quote_whose_text_is_too_long_to_be_compared_too_is_left_and_the_next_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lookup_batch, "Effort", lambda: Effort(left=400_000))
    wrong = "Die Säge ist stumpf."
    quotes = [wrong, "Fahrrad " * 200, "Die Säge ist scharf."]
    first, left, last = ask(*["§ 4 MusterG"] * 3, quotes=quotes)["results"]

    assert "quote_check" in first
    assert "was not checked" in left["warnings"][-1]
    assert "quote_check" not in left
    assert last["quote_check"]["status"] == "verbatim"


def test_a_text_that_several_quotes_are_compared_with_is_read_once() -> None:
    effort = Effort()
    before = effort.left
    effort.take_comparison("x" * 1_000, "y")
    first = before - effort.left
    effort.take_comparison("x" * 1_000, "y")

    assert before - effort.left < first * 1.2


DRAFT = (
    "Nach § 4 MusterG gilt: „Die Säge ist nicht scharf.“ Dagegen „Die Feile ist rau.“"
    " (§ 4a MusterG). Unrichtig ist § 99 MusterG, weggefallen § 3 MusterG.\nNach § 5 des"
    " Mietvertrags gilt das nicht."
)


def judge(**arguments: Any) -> dict[str, Any]:
    called = TOOL.call(arguments, CallContext("r", "p"))
    answer: dict[str, Any] = orjson.loads(called.structured or b"")
    Draft202012Validator(dict(TOOL.output_schema or {})).validate(answer)
    return answer


def test_a_draft_is_judged_citation_by_citation() -> None:
    answer = judge(text="\n  " + DRAFT)
    rows = answer["results"]

    assert [(row["citation"], row["verdict"], row.get("quote")) for row in rows] == [
        ("§ 4 MusterG", "ok", "altered"),
        ("§ 4a MusterG", "ok", "verbatim"),
        ("§ 99 MusterG", "wrong", None),
        ("§ 3 MusterG", "repealed", None),
    ]
    for row in rows:
        assert ("\n  " + DRAFT)[row["start"] : row["end"]] == row["citation"]
    assert answer["unread"] == 1
    assert "§ 5 des Mietvertrags" in answer["warnings"][-1]
    counts = {"found": 2, "not_found": 2, "ok": 2, "wrong": 1, "repealed": 1, "quotes_failed": 1}
    assert counts.items() <= answer["summary"].items()


def test_quotations_that_no_citation_has_are_named_in_a_warning() -> None:
    draft = "  „Die Feile ist sehr alt.“ Nach § 4 MusterG ist das anders."
    assert judge(text=draft)["warnings"][-1] == (
        "1 quotation belongs to no citation that can be told and was not compared:"
        " 2 ('„Die Feile ist sehr alt.“ Nach')."
    )
    four = judge(text="Er sagte: „Die Feile ist sehr alt.“ " * 4)
    assert four["warnings"][-1].startswith("4 quotations belong to no citation that can be told")
    assert four["warnings"][-1].endswith(", ….")

    fitting = "„Die Säge ist stumpf.“\n§ 4 MusterG"
    answer = judge(text=fitting)
    assert answer["summary"]["quotes_failed"] == 1
    assert not [each for each in answer["warnings"] if "to no citation" in each]


def test_fifty_citations_are_judged_without_texts_and_twenty_looked_up() -> None:
    many = ["§ 4 MusterG", "§ 99 MusterG"] * 25
    answer = judge(citations=many, response_format="verdict", quotes=["", "Die Säge ist scharf."])

    assert answer["count"] == 50
    assert [row["verdict"] for row in answer["results"][:2]] == ["ok", "wrong"]
    assert answer["results"][1]["correct"] == "§ 4 MusterG"
    with pytest.raises(InvalidArgument) as error:
        ask(*many)
    assert error.value.field == "citations"


@pytest.mark.parametrize(
    "arguments",
    [{}, {"text": "§ 4 MusterG", "citations": ["§ 4 MusterG"]}, {"text": "a", "quotes": ["b"]}],
)
def test_citations_or_a_text_are_given(arguments: dict[str, Any]) -> None:
    with pytest.raises(InvalidArgument):
        TOOL.call(arguments, CallContext("r", "p"))


def test_a_verdict_takes_250_characters_at_most_beside_its_citation() -> None:
    long = ["§ 2 Abs. 1 Satz 1 Nr. 2 Buchst. c MusterG", "§ 1 Nirgendsgesetz", "x" * 600, "§ 1 SGB"]
    rows = judge(citations=long, response_format="verdict")["results"]

    assert all(len(row.get("why", "")) <= 160 for row in rows)
    assert all(len(orjson.dumps(row).decode()) <= 250 for row in rows)


def test_a_list_without_end_is_named_by_its_beginning() -> None:
    draft = "§ 1" + ", 2" * 150 + " MusterG"
    (row,) = judge(text=draft)["results"]

    assert len(row["citation"]) <= 120
    assert (row["start"], row["end"]) == (0, len(draft))
    assert len(orjson.dumps(row).decode()) <= 250


def test_a_draft_whose_first_part_cites_nothing_says_so() -> None:
    answer = judge(text="§ X " * 4_000)
    assert (answer["total"], answer["next_offset"]) == (0, 4 * MOST_SIGNS)
    assert answer["warnings"][0] == (
        f"No citation was read before character {4 * MOST_SIGNS};"
        f" send the text from character {4 * MOST_SIGNS} on for the rest."
    )


def test_what_is_left_of_a_draft_is_asked_for_with_its_rest() -> None:
    answer = judge(text="§ 4 MusterG, " * 160)

    assert (answer["count"], answer["total"], answer["has_more"]) == (150, 160, True)
    rest = judge(text=("§ 4 MusterG, " * 160)[answer["next_offset"] :])
    assert (rest["count"], rest["has_more"]) == (10, False)


@pytest.mark.parametrize(
    ("citation", "arguments", "count"),
    [
        ("§ 4 MusterG", {}, 0),
        ("§ 4 MusterG", {"as_of": "2027-01-01"}, 1),
        ("BGH VI ZR 1/21", {"as_of": "2027-01-01"}, 0),
    ],
)
def test_a_look_of_long_ago_is_warned_of_where_federal_law_is_cited(
    citation: str, arguments: dict[str, str], count: int
) -> None:
    alone = judge(citations=[citation], response_format="verdict", **arguments)
    draft = judge(text=f"Nach {citation} gilt das.", **arguments)

    for answer in (alone, draft):
        assert sum("last looked at" in each for each in answer["warnings"]) == count


def test_quotes_beyond_what_a_call_may_cost_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fundstelle.tools.verdicts.Effort", lambda: Effort(left=0))
    cited = ["§ 1 MusterG", "§ 4 MusterG"]
    answer = judge(citations=cited, quotes=["", "Die Säge"], response_format="verdict")

    assert "quote" not in answer["results"][1]
    assert answer["warnings"][-1].startswith("1 quote of citation 2 was not checked: those before")


NINETY = 90
MANY = build_library(many=NINETY)
LIST = f"§§ {', '.join(str(201 + number) for number in range(NINETY))} MusterG"
SHORT = "§§ 1, 2, 4, 4a MusterG"


def call_many(*citations: str, **arguments: Any) -> tuple[dict[str, Any], int]:
    """What is answered, and how many texts were read for it."""
    read = 0
    find_fassung = MANY.store.find_fassung

    def note(*asked: Any) -> Any:
        nonlocal read
        read += 1
        return find_fassung(*asked)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(MANY.store, "find_fassung", note)
        tool = lookup_batch.build_tool(MANY, lambda: TODAY)
        called = tool.call({"citations": list(citations), **arguments}, CallContext("r", "p"))
    answer: dict[str, Any] = orjson.loads(called.structured or b"")
    Draft202012Validator(dict(tool.output_schema or {})).validate(answer)
    return answer, read


def test_lists_of_hundreds_are_judged_as_far_as_one_call_may_and_named_beyond() -> None:
    citations = [*[LIST] * 20, SHORT, *[LIST] * 28, "§ 999 MusterG"]
    answer, read = call_many(*citations, response_format="verdict")
    rows = answer["results"]

    assert read <= MOST_MEMBERS + 50  # what is short is judged beyond it
    whole = MOST_MEMBERS // (NINETY + len(LIST) // 50)
    assert [row["verdict"] for row in rows[:whole]] == ["ok"] * whole
    cut = [number for number, row in enumerate(rows, 1) if "judged" in row]
    assert cut == [*range(whole + 1, 21), *range(22, 50)]
    assert f"Of citations {whole + 1} to 20, 22 to 49 not all was judged" in answer["warnings"][-1]
    for number in cut:
        assert rows[number - 1]["verdict"] == "unclear"
        assert rows[number - 1]["judged"] < NINETY
        assert "judged" in rows[number - 1]["why"]
    assert (rows[20]["verdict"], rows[49]["verdict"]) == ("ok", "wrong")


def test_no_more_is_said_of_a_quote_than_was_read() -> None:
    quotes = ["Leim Nummer 80 ist zäh.", *[""] * 6, "Leim Nummer 80 ist zäh.", "Die Säge ist rau."]
    citations = [*[LIST] * 8, "§§ 201, 202, 203, 204, 4 MusterG"]
    answer, _ = call_many(*citations, quotes=quotes, response_format="verdict")

    for row in answer["results"][-2:]:
        assert "judged" in row
        assert "quote" not in row
    assert any(
        each.startswith("2 quotes of citations 8 to 9 were not checked")
        for each in answer["warnings"]
    )


def test_a_wrong_one_among_those_judged_stays_wrong_where_more_is_named() -> None:
    citations = [*[LIST] * 8, "§§ 999, 1, 2, 4, 4a MusterG", "§§ 201 bis 260 MusterG"]
    answer, _ = call_many(*citations, response_format="verdict")
    wrong, span = answer["results"][8:]

    assert (wrong["verdict"], wrong["judged"]) == ("wrong", 4)
    assert (span["verdict"], span["judged"]) == ("unclear", 4)


def test_texts_of_lists_of_hundreds_are_looked_up_as_far_as_one_call_may() -> None:
    answer, read = call_many(*[LIST] * 20)

    assert read <= MOST_MEMBERS + 20 * MOST_TARGETS
    assert len(answer["results"][0]["norms"]) == MOST_TARGETS
    for row in answer["results"]:
        assert row["total"] >= MOST_TARGETS
        assert "Ask for the rest separately" in row["warnings"][0]


@pytest.mark.parametrize("response_format", ["concise", "verdict"])
def test_an_item_that_names_its_own_day_has_it(response_format: str) -> None:
    old = "§ 8 MusterG in der bis 28.4.2026 geltenden Fassung"
    absent = old.replace("8", "99", 1)
    answer = ask("§ 8 MusterG", old, absent, response_format=response_format)

    assert answer["as_of"] == TODAY.isoformat()
    days = [row.get("as_of") for row in answer["results"]]
    assert days == [None, "2026-04-28", "2026-04-28"]


def test_an_item_of_several_days_has_them_at_its_norms() -> None:
    old = "§ 8 MusterG in der bis 28.4.2026 geltenden Fassung"
    (row,) = ask(f"{old}, § 8 MusterG")["results"]

    assert "as_of" not in row
    assert [norm.get("as_of") for norm in row["norms"]] == ["2026-04-28", None]


def test_an_item_without_a_text_has_the_day_of_the_miss_that_it_shows() -> None:
    old = "§ 99 MusterG in der bis 28.4.2026 geltenden Fassung"
    rows = ask(f"{old}, § 98 MusterG", f"§ 98 MusterG, {old}")["results"]

    assert [row.get("as_of") for row in rows] == ["2026-04-28", None]


def test_what_is_missing_beside_a_law_by_its_name_is_told() -> None:
    [row] = ask("BGBl. I 2001 S. 775; § 99 MusterG")["results"]
    assert (row["found"], row["law"]["abbreviation"]) == (True, "MusterG")
    assert [miss["status"] for miss in row["misses"]] == ["norm_does_not_exist"]


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
    told = [each for each in ask(written)["results"][0]["warnings"] if " is named, too" in each]
    assert [each.partition(" (de/")[0] for each in told] == others


def test_each_of_several_misses_of_an_item_is_told() -> None:
    [row] = ask("§ 98 MusterG, § 99 MusterG")["results"]
    assert [each["reason"].partition(" does")[0] for each in row["misses"]] == [
        *("§ 98 MusterG", "§ 99 MusterG")
    ]

from fundstelle.lookup.comparing.differences import Difference
from fundstelle.lookup.comparing.quotes import QuoteCheck
from fundstelle.tools.answers.quotes import build_quote_check


def test_a_long_match_is_shown_by_its_beginning_and_end() -> None:
    shown = build_quote_check(QuoteCheck("verbatim", "a" * 5_000 + "z" * 5_000, 7, 10_007, ""))

    assert shown["matched_text"] == "a" * 2_000 + " [...] " + "z" * 2_000
    assert (shown["start"], shown["end"]) == (7, 10_007)


def test_differences_that_are_left_out_are_said() -> None:
    differences = (Difference("stets", ""),)
    assert "differences_left_out" not in build_quote_check(
        QuoteCheck("altered", "x", 0, 1, "", differences)
    )
    shown = build_quote_check(QuoteCheck("altered", "x", 0, 1, "", differences, left_out=12))
    assert shown["differences_left_out"] == 12

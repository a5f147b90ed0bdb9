"""A list item is quoted with the words that introduce its list, and never with another item's."""

import time

import pytest

from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.comparing.quotes import QuoteCheck, check_quote, choose_unit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from fundstelle.lookup.verdicts.quoted import say_joined
from fundstelle.portal.reasons import tell
from tests.unit.lookup.invented import TODAY, build_library

NAILS = (
    "{abs 1|{satz 1|(1) Nägel sind zu zählen.} {satz 2|Ein grober Fehler liegt vor, wenn der"
    " Schmied, ohne zu fragen,\n"
    "{nr 1|1. Nägel krumm schlägt oder verbiegt,}\n"
    "{nr 2|2. nicht genormte Nägel\n{buchst a|a) aus Blei oder}\n{buchst b|b) aus Holz,}\n"
    "verkauft oder}\n"
    "{nr 3|3. Nägel verliert,}\n"
    "sofern er dafür Geld nimmt.}}\n"
    "{abs 2|(2) Verboten sind\n{nr 1|1. Rost,}\n{nr 2|2. Bruch;}\nerlaubt sind\n"
    "{nr 3|3. Glanz,}\n{nr 4|4. Farbe.}}\n"
    "{abs 3|{satz 1|(3) Ein kleiner Fehler liegt vor, wenn der Schmied Nägel verliert.}}"
)
LIBRARY = build_library(NAILS)
FIRST = "Ein grober Fehler liegt vor, wenn der Schmied, ohne zu fragen,"


def open_unit(path: str, library: Library = LIBRARY) -> ProvisionHit:
    [hit] = resolve(library, f"§ 9 {path} MusterG", TODAY).hits
    assert isinstance(hit, ProvisionHit)
    return hit


def check(path: str, quote: str) -> QuoteCheck:
    return check_quote(LIBRARY, quote, open_unit(path), TODAY)


@pytest.mark.parametrize(
    ("path", "quote", "shown"),
    [
        ("Abs. 1 Satz 2 Nr. 1", f"{FIRST} Nägel krumm schlägt", f"{FIRST}\n1. Nägel krumm schlägt"),
        ("Abs. 1 Satz 2 Nr. 3", f"{FIRST} Nägel verliert", f"{FIRST} [...] Nägel verliert"),
        ("Abs. 1 Nr. 3", f"{FIRST} 3. Nägel verliert", f"{FIRST} [...] 3. Nägel verliert"),
        (
            "Abs. 1 Nr. 3",
            "wenn der Schmied, ohne zu fragen, Nägel verliert, sofern er dafür Geld nimmt.",
            "wenn der Schmied, ohne zu fragen, [...] Nägel verliert,\nsofern er dafür Geld nimmt.",
        ),
        (
            "Abs. 1 Satz 2 Nr. 3",
            "Ein grober Fehler […] wenn der Schmied […] Nägel verliert",
            f"{FIRST} [...] Nägel verliert",
        ),
        (
            "Abs. 1 Nr. 1",
            "Nägel krumm schlägt oder verbiegt, sofern er dafür Geld nimmt",
            "Nägel krumm schlägt oder verbiegt, [...] sofern er dafür Geld nimmt",
        ),
        (
            "Abs. 1 Nr. 2 Buchst. b",
            f"{FIRST} nicht genormte Nägel aus Holz",
            f"{FIRST} [...] nicht genormte Nägel [...] aus Holz",
        ),
        (
            "Abs. 1 Nr. 2 Buchst. b",
            f"{FIRST} 2. nicht genormte Nägel aus Holz",
            f"{FIRST} [...] 2. nicht genormte Nägel [...] aus Holz",
        ),
        (
            "Abs. 1 Nr. 2 Buchst. b",
            f"{FIRST} 2. nicht genormte Nägel b) aus Holz",
            f"{FIRST} [...] 2. nicht genormte Nägel [...] b) aus Holz",
        ),
        (
            "Abs. 1 Nr. 2 Buchst. a",
            "nicht genormte Nägel aus Blei",
            "nicht genormte Nägel\na) aus Blei",
        ),
    ],
)
def test_an_item_is_quoted_with_what_introduces_and_ends_its_list(
    path: str, quote: str, shown: str
) -> None:
    found = check(path, quote)
    assert (found.status, found.matched_text) == ("normalised", shown)
    assert found.joins == ("[...]" in shown)
    assert bool(say_joined(found)) == found.joins
    assert found.elsewhere == ()


@pytest.mark.parametrize(
    ("path", "quote"),
    [
        ("Abs. 1 Nr. 1", f"{FIRST} Nägel verliert"),  # of Nr. 3
        ("Abs. 1 Nr. 3", f"{FIRST} Nägel krumm schlägt"),
        ("Abs. 1 Nr. 3", f"{FIRST} Nägel krumm verliert"),
        ("Abs. 1 Nr. 3", "Nägel verliert, Ein grober Fehler liegt vor"),  # not in this order
        ("Abs. 1 Nr. 3", f"{FIRST} nicht Nägel verliert"),
        ("Abs. 1 Nr. 3", "Ein grober Fehler liegt vor, wenn der Schmied, Nägel verliert"),
        ("Abs. 1 Nr. 3", FIRST),  # nothing of the item
        ("Abs. 1 Nr. 3", f"{FIRST} […] sofern er dafür Geld nimmt"),
        ("Abs. 1 Nr. 3", f"{FIRST} sofern er dafür Geld nimmt"),
        ("Abs. 1 Nr. 3", "Nägel sind zu zählen. Nägel verliert"),
        # what ends the inner list stands between
        ("Abs. 1 Nr. 2 Buchst. b", "aus Holz, sofern er dafür Geld nimmt"),
        ("Abs. 1 Nr. 2 Buchst. b", "nicht genormte Nägel aus Blei"),
        ("Abs. 1 Satz 2", f"{FIRST} Nägel verliert"),  # leaves out without a mark
        ("Abs. 1", f"{FIRST} Nägel verliert"),
        ("Abs. 2 Nr. 3", "Verboten sind Glanz"),  # of the second list
        ("Abs. 2 Nr. 4", "Verboten sind Farbe"),
    ],
)
def test_words_of_another_item_or_in_another_order_are_not_accepted(path: str, quote: str) -> None:
    assert check(path, quote).status in {"altered", "not_found"}


def test_what_differs_is_told_against_the_item_in_its_frame() -> None:
    found = check("Abs. 1 Nr. 3", f"{FIRST} Stifte verliert")
    assert found.status == "altered"
    assert [(each.quoted, each.stored) for each in found.differences] == [("Stifte", "Nägel")]
    assert found.matched_text is not None
    assert found.matched_text.startswith(f"{FIRST} [...] Nägel")


def test_a_negation_that_a_mark_leaves_out_of_the_introduction_is_told() -> None:
    found = check("Abs. 1 Nr. 3", "wenn der Schmied […] Nägel verliert")
    assert (found.status, found.omitted) == ("normalised", ", ohne zu fragen,")


def test_of_several_items_cited_the_one_that_has_the_words_is_compared() -> None:
    hits = resolve(LIBRARY, "§ 9 Abs. 1 Satz 2 Nr. 1 bis 3 MusterG", TODAY).hits
    chosen = choose_unit(f"{FIRST} Nägel verliert", hits)
    assert chosen is not None
    assert isinstance(chosen, ProvisionHit)
    assert chosen.citation == "§ 9 Abs. 1 Satz 2 Nr. 3 MusterG"


def test_a_verdict_says_that_parts_between_are_left_out() -> None:
    resolution = resolve(LIBRARY, "§ 9 Abs. 1 Satz 2 Nr. 3 MusterG", TODAY)
    verdict = judge(LIBRARY, resolution, [f"{FIRST} Nägel verliert"])
    assert (verdict.verdict, verdict.correct) == ("ok", None)
    assert "stand between are left out" in verdict.why
    assert tell(verdict.why, "de").language == "de"


def test_a_list_of_thousands_of_items_costs_little() -> None:
    items = "\n".join(
        f"{{nr {number}|{number}. Nägel der Sorte {number % 7} verliert,}}"
        for number in range(1, 3_000)
    )
    library = build_library(f"{{abs 1|{{satz 1|(1) {'Wer ' * 500} wenn der Schmied\n{items}}}}}")
    hit = open_unit("Abs. 1 Satz 1 Nr. 2999", library)
    begin = time.thread_time()
    for quote in ("wenn der Schmied Nägel der Sorte 9 verliert", "Wer " * 400, "a [...] " * 200):
        check_quote(library, quote, hit, TODAY)
    assert time.thread_time() - begin < 2.0


def test_an_item_in_the_first_paragraph_of_another_has_the_words_before_both() -> None:
    library = build_library(
        "Der Schmied haftet für\n"
        "{nr 1|1. {uabs 1|Nägel, und zwar\n{buchst a|a) krumme,}\n{buchst b|b) lose;}}\n"
        "{uabs 2|Er haftet nicht für\n{buchst a|a) Rost,}\n{buchst b|b) Bruch.}}}"
    )
    for path, quote, status in (
        ("Nr. 1 Buchst. b", "Der Schmied haftet für Nägel, und zwar lose", "normalised"),
        ("Nr. 1 UAbs. 2 Buchst. b", "Er haftet nicht für Bruch.", "normalised"),
        ("Nr. 1 UAbs. 2 Buchst. b", "Der Schmied haftet für Bruch.", "altered"),
    ):
        hit = open_unit(path, library)
        assert check_quote(library, quote, hit, TODAY).status == status

"""What stands behind a citation in a draft and was not read makes it unclear."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.behind import doubt, doubt_unread
from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.judge import Verdict, judge
from tests.unit.lookup.decisions.test_texts import HeldDecisions
from tests.unit.lookup.invented import (
    FLOOR,
    STAND,
    TODAY,
    InventedStore,
    build_library,
    build_statute,
)
from tests.unit.lookup.test_recounted_annexes import build_act


@pytest.fixture
def library() -> Library:
    """With a MusterG 7 beside the MusterG."""
    library = build_library()
    assert isinstance(library.store, InventedStore)
    other = build_statute("MusterG 7", "Siebtes Mustergesetz")
    library.store.statutes = {**library.store.statutes, other.statute_id: other}
    return library


def ask(library: Library, citation: str, behind: str) -> Verdict:
    verdict = judge(library, resolve(library, citation, TODAY))
    return doubt(library, verdict, citation + behind, len(citation))


@pytest.mark.parametrize("citation", ["§ 4 MusterG", "§ 3 MusterG"])
def test_a_number_behind_a_name_that_other_laws_bear_with_numbers_is_not_passed_over(
    library: Library, citation: str
) -> None:
    assert ask(library, citation, "").verdict in {"ok", "repealed"}
    found = ask(library, citation, " 8 gilt.")

    assert found.verdict == "unclear"
    assert "“8”" in found.why


def test_a_number_that_counts_something_is_no_law_s(library: Library) -> None:
    assert ask(library, "§ 4 MusterG", " 1,5 Liter").verdict == "ok"
    assert ask(library, "§ 4 MusterG", " 2019").verdict == "ok"
    assert ask(build_library(), "§ 4 MusterG", " 8 Tage").verdict == "ok"


@pytest.mark.parametrize(
    "behind",
    [
        *(" (in der bis zum 31. Dezember 2001 geltenden Fassung)", " in der alten Fassung"),
        *(" in der für das Streitjahr 2009 geltenden Fassung", " idF des JStG 2008", " (RegE)"),
        *(" in der vom 1. Mai 2010 bis zum 3. Mai 2011 geltenden Fassung", ", aufgehoben,"),
        *(" (gültig bis 31.12.2010)", " (2009)", " (Ö)", " (Stand: 1. Mai 2010)", ", i.d.F. von"),
        *(", III", " III", " (III)", " (9)", "(9a)", " in Absatz 3", " in dessen Absatz 3"),
        *(" in den Absätzen 3 und 4", " in Abs. 3 Satz 2", ", dort in Nummer 7", " (in Ziff. 3)"),
        "/DDR",
        *(
            " damaliger Fassung",
            ", früherer Fassung",
            " (Fassung 2020)",
            " (alt)",
            " (bis 28.4.2026)",
        ),
        *(" (old version)", ", former version", " in its 2002 version", " (version 2002)", "-old"),
        *(" in the version in force until 31 December 2021", " in the version of 2002"),
        *(" as in force on 1 January 2023", " as of 1.1.2023", " (as amended in 2002)"),
        *(" as applicable until December 31, 2021", " as it stood in 2001", " von 2002"),
        *(" (Satz 99)", ", dort Satz 99", " (Abs. 2 Nr. 7)", ", insbesondere Nr. 9", " lit. z."),
    ],
)
def test_another_edition_or_a_part_behind_makes_it_unclear(library: Library, behind: str) -> None:
    found = ask(library, "§ 4 MusterG", f"{behind} gilt.")
    assert found.verdict == "unclear"
    assert found.why.startswith("Not read: what stands behind it")


@pytest.mark.parametrize(
    "behind",
    [
        *(" in the current version", " in the English version", ", as amended,", " as of right"),
        *(" as amended by Act of 25 June 2021", " von 2002 bis 2005", " as in force,"),
        *(" in der jeweils geltenden Fassung", " in der derzeit gültigen Fassung", " und die"),
        *(", II ZR 1/20", ", IX. Kapitel", "\n(1) Der Käufer", " (2) § 5 MusterG", " in Teil III"),
        *(". In der alten Fassung war das anders", " (siehe oben)", " verlangt 3 Tage", ""),
        *(
            " gilt seit 2009",
            " in der Praxis. Die alte Fassung",
            ". Satz 2",
            "; Abs. 2",
            " (siehe S. 5)",
        ),
    ],
)
def test_what_goes_on_with_the_sentence_leaves_it_as_it_is(library: Library, behind: str) -> None:
    assert ask(library, "§ 4 MusterG", behind).verdict == "ok"


@pytest.mark.parametrize(
    "behind",
    [
        *(" (juris Rn. 999)", ", Randnummer 999", ", insbesondere Rn. 999", ", Rdz. 999", "/999"),
        *(" sowie Rn. 999", " (dort Rnr. 9)", "; Rn. 9", " – juris, Rn. 9"),
    ],
)
def test_a_randnummer_behind_a_decision_makes_it_unclear(behind: str) -> None:
    plain = build_library()
    library = Library(plain.store, plain.index, plain.names, HeldDecisions())
    assert ask(library, "BGH VI ZR 1/21, Rn. 2", " zeigt das.").verdict == "ok"
    assert ask(library, "BGH VI ZR 1/21, Rn. 2", f"{behind} zeigt das.").verdict == "unclear"


def _check(text: str) -> list[Verdict]:
    return [each.verdict for each in check_draft(build_library(), text, TODAY).judged]


@pytest.mark.parametrize("day", [STAND, FLOOR])
def test_a_day_that_was_followed_is_read(day: date) -> None:
    words = f"§ 8 MusterG in der bis zum {day:%d.%m.%Y} geltenden Fassung"
    [found] = _check(f"{words} gilt.")

    assert found.verdict == judge(build_library(), resolve(build_library(), words, TODAY)).verdict
    assert "Not read" not in found.why


def test_a_range_of_days_was_not_followed() -> None:
    [found] = _check("§ 4 MusterG in der vom 1.1.2020 bis zum 31.12.2021 geltenden Fassung gilt.")

    assert (found.verdict, "Not read" in found.why) == ("unclear", True)


@pytest.mark.parametrize(
    "written",
    ["§ 3 MusterG in der Fassung des JStG 2020", "Der bis zum 31.12.2022 geltende § 3 MusterG"],
)
def test_another_text_of_what_is_repealed_is_not_judged(written: str) -> None:
    [drafted] = _check(f"{written} gilt.")
    listed = doubt_unread(judge(build_library(), resolve(build_library(), written, TODAY)))

    assert drafted.verdict == listed.verdict == "unclear"
    assert drafted.why.startswith("Not read: ")
    assert "is repealed" in drafted.why


@pytest.mark.parametrize("written", ["§ 3 MusterG (aufgehoben)", "Der aufgehobene § 3 MusterG"])
def test_what_is_said_to_be_repealed_is_repealed(written: str) -> None:
    [drafted] = _check(f"{written} gilt nicht.")
    listed = doubt_unread(judge(build_library(), resolve(build_library(), written, TODAY)))

    assert drafted.verdict == listed.verdict == "repealed"


def test_a_part_of_the_next_citation_is_read() -> None:
    text = "§ 4 MusterG, Nr. 3100 VV RVG und Nr. 3104 VV RVG"

    assert [each for each in _check(text) if "Not read" in each.why] == []


def test_a_place_behind_an_address_that_was_not_read_makes_it_unclear(library: Library) -> None:
    address = "http://data.europa.eu/eli/reg/2016/679/oj"
    known = judge(library, resolve(library, "§ 4 MusterG", TODAY))
    for behind, verdict in (("#d1e5-1", "unclear"), ("?x=1#d1e5", "unclear"), (") #5", "ok")):
        found = doubt(library, replace(known, citation=address), address + behind, len(address))
        assert found.verdict == verdict
    assert ask(library, "§ 4 MusterG", "#5").verdict == "ok"


@pytest.mark.parametrize(
    ("behind", "told"),
    [
        (" (VO (EU) 2016/679)", "“VO (EU) 2016/679”"),
        (" = VO (EU) 2016/679", "“VO (EU) 2016/679”"),
        (" (RL 93/13/EWG)", ""),
        (" und VO (EU) 2016/679", ""),
    ],
)
def test_the_number_of_another_act_behind_a_name_makes_it_unclear(behind: str, told: str) -> None:
    library = build_act("I", "II")
    found = check_draft(library, f"Das steht in Anhang I Muster-RL{behind}.", STAND).judged[0]

    assert found.verdict.verdict == ("unclear" if told else "ok")
    assert told in found.verdict.why

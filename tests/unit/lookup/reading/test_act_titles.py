"""An act of the Union is cited with its day, title and journal, and each of them is compared."""

from dataclasses import replace
from datetime import date

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.check import check_draft
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.lookup.invented import (
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_norm,
    build_statute,
)

ISSUED = "des Europäischen Parlaments und des Rates"
OF_COUNCIL = "OF THE EUROPEAN PARLIAMENT AND OF THE COUNCIL"
NEST, NEST_ID = "Verordnung (EU) 2019/7", "eu/32019R0007/art_6"
SUBJECT = "zum Schutz seltener Nester und zur Aufhebung der Richtlinie 95/4/EG (Nestverordnung)"

LOOSE = "zum Schutz von Nestern und zur Aufhebung der Richtlinie 95/4/EG"


def _make(celex: str, title: str, publication: str | None, language: str) -> Library:
    act = replace(
        build_statute("NestVO", title),
        statute_id=f"eu/{celex}",
        title=title,
        jurisdiction="eu",
        language=language,
        publication=publication,
        issued_on=date(2019, 3, 4),
        published_on=date(2019, 3, 20),
    )
    norm = replace(build_norm(act, "Art 6"), norm_id=f"eu/{celex}/art_6")
    store = InventedStore([act], [(norm, [build_fassung(norm, "Nester ruhen.")])])
    return Library(store, InventedIndex(store), LawNames.build(store.statutes.values()))


GERMAN = _make(
    "32019R0007", f"{NEST} {ISSUED} vom 4. März 2019 {SUBJECT}", "ABl. L 77, 2019, S. 12", "de"
)
ENGLISH = _make(
    "32019R0007",
    f"REGULATION (EU) 2019/7 {OF_COUNCIL} of 4 March 2019 on the protection of rare nests and"
    " repealing Directive 95/4/EC (‘Nest Regulation’)",
    None,
    "en",
)


def _ask(library: Library, written: str) -> tuple[str, str, str]:
    """What single lookup, list of verdicts and draft say; the draft cites it once, or it fails."""
    resolution = resolve(library, written, TODAY)
    single = "found" if not resolution.misses else resolution.misses[0].status
    [place] = check_draft(library, f"Es folgt aus {written}.", TODAY).judged
    return single, judge(library, resolution).verdict, place.verdict.verdict


@pytest.mark.parametrize("title", ["", " vom 4. März 2019", f" vom 4. März 2019 {SUBJECT}"])
@pytest.mark.parametrize(
    "journal",
    [
        "",
        " (ABl. L 77 vom 20.3.2019, S. 12)",
        " (ABl. 2019 L 77/12)",
        " (ABl. EU Nr. L 77 S. 12)",
        ", ABl. L 77 vom 20.3.2019, S. 12",
        " (OJ L 77, 20.3.2019, p. 12)",
    ],
)
def test_own_day_title_and_page_are_one_citation(title: str, journal: str) -> None:
    written = f"Art. 6 der {NEST} {ISSUED}{title}{journal}"

    assert _ask(GERMAN, written) == ("found", "ok", "ok")


@pytest.mark.parametrize(
    ("behind", "named"),
    [
        (" (ABl. L 77 vom 20.3.2019, S. 13)", "S. 13"),
        (" (ABl. L 78 vom 20.3.2019, S. 12)", "L 78"),
        (" (ABl. L 77 vom 20.3.2018, S. 12)", "2018"),
        (" der Kommission vom 4. März 2019", "der Kommission"),
        (f" {ISSUED} vom 5. März 2019", "5. März 2019"),
        (f" {ISSUED} vom 4. März 2019 über die Haltung von Hühnern", "Hühnern"),
        (f" {ISSUED} vom 4. März 2019 zum Schutz seltener Hühner", "Hühner"),
    ],
)
def test_what_is_of_another_act_is_named(behind: str, named: str) -> None:
    written = f"Art. 6 der {NEST}{behind}"

    assert _ask(GERMAN, written) == ("not_parseable", "unclear", "unclear")
    assert named in resolve(GERMAN, written, TODAY).misses[0].reason


@pytest.mark.parametrize(
    "behind",
    [
        " (ABl. L 77 vom 20.3.2019, S. 12)",
        f" {ISSUED} vom 4. März 2019 zum Schutz von Nestern",
        " vom 4. März 2019 zum Schutz von Nestern",
        f" {ISSUED} vom 4. März 2019 {LOOSE} (ABl. L 77 vom 20.3.2019, S. 12)",
    ],
)
def test_what_is_not_held_is_said_not_to_be_compared(behind: str) -> None:
    written = f"Art. 6 der {NEST}{behind}"

    assert _ask(ENGLISH, written) == ("found", "ok", "ok")
    assert "not compared" in judge(ENGLISH, resolve(ENGLISH, written, TODAY)).why


def test_who_issued_an_act_is_compared_in_any_language() -> None:
    council = _make("32007R0009", "Council Regulation (EC) No 9/2007 of 4 March 2019", None, "en")
    cited = "Art. 6 der Verordnung (EG) Nr. 9/2007"

    assert _ask(council, f"{cited} des Rates") == ("found", "ok", "ok")
    for other in ("der Kommission", ISSUED):
        assert _ask(council, f"{cited} {other}") == ("not_parseable", "unclear", "unclear")


@pytest.mark.parametrize("page", ["12", "13"])
@pytest.mark.parametrize("also", ["Art. 6 NestVO", "Art. 6 der Verordnung (EU) 2019/7"])
def test_what_else_is_cited_in_the_brackets_is_read_on_its_own(page: str, also: str) -> None:
    written = f"Art. 6 der {NEST} (ABl. L 77 vom 20.3.2019, S. {page}; vgl. auch {also})"
    first, second = check_draft(GERMAN, f"Es folgt aus {written}.", TODAY).judged

    assert first.verdict.verdict == ("ok" if page == "12" else "unclear")
    assert second.verdict.citation == also


def test_a_journal_without_pages_has_its_day() -> None:
    act = _make("32024R0007", f"Verordnung (EU) 2024/7 {ISSUED} vom 4. März 2019", None, "de")
    cited = "Art. 6 der Verordnung (EU) 2024/7 (ABl. L, 2024/7"

    assert _ask(act, f"{cited}, 20.3.2019)") == ("found", "ok", "ok")
    assert _ask(act, f"{cited}, 21.3.2019)") == ("not_parseable", "unclear", "unclear")


@pytest.mark.parametrize("library", [GERMAN, ENGLISH])
def test_a_title_that_is_printed_is_the_act(library: Library) -> None:
    [act] = library.store.statutes.values()
    for written in (act.title, f"Art. 6 of {act.title}"):
        assert not resolve(library, written, TODAY).misses
    [place] = check_draft(library, f"As in Article 6 of {act.title} it applies.", TODAY).judged
    assert (place.verdict.verdict, place.verdict.check) == ("ok", None)


def test_a_title_may_be_cut_off_where_its_words_allow_it() -> None:
    cut = f"Article 6 of Regulation (EU) 2019/7 {OF_COUNCIL.lower()} of 4 March 2019 on the"

    assert _ask(ENGLISH, f"{cut} protection of rare nests") == ("found", "ok", "ok")
    for other in ("keeping of hens", "application of Article 5 (3) of the Treaty"):
        assert _ask(ENGLISH, f"{cut} {other}") == ("not_parseable", "unclear", "unclear")


def test_a_title_without_a_number_is_the_act() -> None:
    title = "Rahmenbeschluss des Rates vom 4. März 2019 über seltene Nester"
    library = _make("32019F0009", title, None, "de")

    assert not resolve(library, title, TODAY).misses

"""The page of a text says all that assistants are warned of beside it, for the same day."""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from types import SimpleNamespace
from typing import Any, cast

import orjson
import pytest
from starlette.datastructures import QueryParams

from fundstelle.corpus.decisions import CitedKind, Citing
from fundstelle.law.application import Application
from fundstelle.law.decisions import Decision
from fundstelle.law.norms import GAPS, SEEN, DatePrecision, StandNote
from fundstelle.lookup.library import Library
from fundstelle.portal.frame.visits import Visit
from fundstelle.portal.notices import (
    Notice,
    list_notices_of_law,
    list_notices_of_text,
    list_notices_of_texts,
    tell_warnings,
)
from fundstelle.portal.public import decision as page
from fundstelle.portal.public import law as law_page
from fundstelle.portal.public import norm as norm_page
from fundstelle.portal.public.choosing import choose_text
from fundstelle.portal.reasons import write_days
from fundstelle.portal.times import compare_texts
from fundstelle.tools import build_registry
from fundstelle.tools.answers.applied import warn_of_cited
from tests.unit.corpus.decision_values import DECISION
from tests.unit.lookup.decisions.test_texts import GAPPED, HeldDecisions
from tests.unit.lookup.invented import FLOOR, STAND, TODAY, InventedStore, build_library
from tests.unit.tools.calling import CONTEXT

DAY = timedelta(days=1)
LAW = "de/musterg"
DAYS = (None, FLOOR - 30 * DAY, FLOOR, FLOOR + DAY, STAND - DAY, STAND, TODAY, TODAY + 300 * DAY)
# Of the length of an answer and other parts of it, and what the contents of a page show.
OF_ANSWERS = re.compile(r"max_chars|legal_lookup|footnote|is a heading; the table of contents")


def change_law(**changes: Any) -> Library:
    """The invented library, its MusterG another."""
    library = build_library()
    store = cast("InventedStore", library.store)
    store.statutes = {**store.statutes, LAW: replace(store.statutes[LAW], **changes)}
    return library


def make_act(*applications: Application, **changes: Any) -> Library:
    """MusterG as if it were an act of the Union, whose last look found its newest text."""
    old = date(2024, 7, 12)
    looked = StandNote("Stand", f"{SEEN}{old}, gesehen am {TODAY - DAY}")
    act: dict[str, Any] = {
        "jurisdiction": "eu",
        "source_type": "eurlex",
        "stand": old,
        "first_look": old,
        "in_force_from": old + 20 * DAY,
        "date_precision": DatePrecision.TEXT,
        "stand_notes": (looked,),
        "applications": applications,
        **changes,
    }
    library = change_law(**act)
    store = cast("InventedStore", library.store)
    for norm_id, held in store.fassungen.items():
        if norm_id.startswith(f"{LAW}/"):
            newest = replace(held[-1], stand=old, in_force_from=None)
            store.fassungen[norm_id] = (newest,)
    return library


GAPS_THEN = StandNote("Sonst", f"{GAPS} vom 2024-07-12 konnten gelesen werden.")
SOON, LAST = TODAY + 200 * DAY, TODAY + 500 * DAY
LIBRARIES: Mapping[str, Callable[[], Library]] = {
    "as it is": build_library,
    "excerpts": lambda: change_law(complete=False),
    "gaps": lambda: change_law(complete=False, stand_notes=(GAPS_THEN,)),
    "gaps that a later text has not": lambda: change_law(
        stand_notes=(GAPS_THEN, StandNote("Stand", f"{STAND}: ohne Rechtswirkung"))
    ),
    "left": lambda: change_law(stand=STAND - 60 * DAY),
    "changed before the first look": lambda: change_law(
        last_change=date(2015, 1, 1), first_look=FLOOR
    ),
    "name of Länder": lambda: change_law(abbreviation="LBG", title="Landbeschaffungsgesetz"),
    "act": make_act,
    "act that was never looked for again": lambda: make_act(stand_notes=()),
    "act to apply": lambda: make_act(Application("art_113", None, SOON, SOON, is_divided=False)),
    "act to apply in parts": lambda: make_act(
        Application("art_113", None, SOON, LAST, is_divided=True)
    ),
    "act that applies in parts": lambda: make_act(
        Application("art_113", None, TODAY - 90 * DAY, LAST, is_divided=True)
    ),
}


def visit_in(language: str) -> Visit:
    return Visit(cast("Any", None), cast("Any", SimpleNamespace()), cast("Any", None), language)


def ask(library: Library, tool: str, on: date | None, **arguments: Any) -> dict[str, Any]:
    tools = build_registry(library, today=lambda: TODAY, base_url="").tools
    called = {one.name: one for one in tools}[tool]
    given = {**arguments, **({"as_of": on.isoformat()} if on else {})}
    answer: dict[str, Any] = orjson.loads(called.call(given, CONTEXT).structured or b"{}")
    return answer


def list_unsaid(visit: Visit, warnings: list[str], notices: list[Notice]) -> list[str]:
    shown = " ".join(str(one.text) for one in notices)
    told = [write_days(one, visit.day) for one in warnings if not OF_ANSWERS.search(one)]
    return [one for one in told if one not in shown]


@pytest.mark.parametrize("kind", LIBRARIES)
def test_the_page_of_a_provision_gives_every_warning_of_a_lookup(kind: str) -> None:
    library = LIBRARIES[kind]()
    store = library.store
    english, german = visit_in("en"), visit_in("de")
    said: set[str] = set()
    for norm in (one for law in store.statutes for one in store.list_norms(law)):
        statute = store.statutes[norm.statute_id]
        for on in DAYS:
            answer = ask(library, "legal_lookup", on, citation=norm.norm_id)
            if not answer["found"]:
                continue
            fassung = choose_text(library, statute, norm, on, TODAY).fassung
            notices = list_notices_of_text(english, library, norm, fassung, on, TODAY)
            assert list_unsaid(english, answer["warnings"], notices) == [], (norm.norm_id, on)
            in_german = list_notices_of_text(german, library, norm, fassung, on, TODAY)
            assert len(in_german) == len(notices)
            assert {one.language for one in in_german} <= {"de"}, in_german
            said.update(answer["warnings"])
    assert said


@pytest.mark.parametrize("kind", LIBRARIES)
def test_the_page_of_a_law_gives_every_warning_of_its_name_and_contents(kind: str) -> None:
    library = LIBRARIES[kind]()
    english, german = visit_in("en"), visit_in("de")
    for statute in library.store.statutes.values():
        for on in DAYS:
            law = statute.statute_id
            named = ask(library, "legal_lookup", on, citation=law)
            contents = ask(library, "legal_get_toc", on, law_abbreviation=law)
            notices = list_notices_of_law(english, library, statute, on, TODAY)
            warnings = [*named["warnings"], *contents["warnings"]] if named["found"] else []
            assert list_unsaid(english, warnings, notices) == [], (law, on)
            in_german = list_notices_of_law(german, library, statute, on, TODAY)
            assert {one.language for one in in_german} <= {"de"}, in_german


@pytest.mark.parametrize("kind", LIBRARIES)
def test_two_texts_side_by_side_give_the_warnings_of_both_days(kind: str) -> None:
    library = LIBRARIES[kind]()
    english = visit_in("en")
    statute = library.store.statutes[LAW]
    norm = next(one for one in library.store.list_norms(LAW) if one.norm_id == f"{LAW}/8")
    for days in ((FLOOR + DAY, TODAY), (FLOOR + DAY, TODAY + 30 * DAY), (STAND - DAY, STAND)):
        both = compare_texts(library, statute, norm, days)
        assert both is not None
        notices = list_notices_of_texts(english, library, norm, days, both.texts)
        for on in days:
            answer = ask(library, "legal_lookup", on, citation=norm.norm_id)
            newer = [w for w in answer["warnings"] if "last seen at" not in w or on == days[-1]]
            newer = [w for w in newer if "the text is that of" not in w or on == days[-1]]
            assert not answer["found"] or list_unsaid(english, newer, notices) == [], (kind, days)


class Doubted(HeldDecisions):
    """A decision of which the collection says something else, and one without some numbers."""

    held = (replace(DECISION, doubts=("Its day is not sure.",), text_complete=False), GAPPED)


@pytest.mark.parametrize("decision", Doubted.held)
def test_the_page_of_a_decision_gives_every_warning_of_a_lookup(
    decision: Decision, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = replace(build_library(), decisions=Doubted())
    shown: dict[str, Any] = {}
    monkeypatch.setattr(page, "render", lambda _visit, _name, **context: shown.update(context))
    settings = SimpleNamespace(base_url="")
    request = SimpleNamespace(
        path_params={"decision_id": decision.decision_id}, query_params=QueryParams()
    )
    services = SimpleNamespace(settings=settings)
    visit = Visit(cast("Any", request), cast("Any", services), cast("Any", None), "en")

    page.show_decision(visit, library)

    answer = ask(library, "legal_lookup", None, citation=decision.decision_id)
    assert answer["warnings"]
    assert list_unsaid(visit, answer["warnings"], shown["notices"]) == []


class Citing8(HeldDecisions):
    """A decision of before the law was looked at, which cites two provisions of it."""

    held = (DECISION,)

    def list_citations(self, decision_id: str) -> list[Citing]:
        cited = (f"{LAW}/8", f"{LAW}/4", f"{LAW}/3")
        return [
            Citing(
                *(decision_id, CitedKind.NORM, one, "", "MusterG", 0, 4, "1", (0, 9)),
                inferred=False,
            )
            for one in cited
        ]


def test_the_provisions_cited_say_what_assistants_are_told_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = replace(build_library(), decisions=Citing8())
    shown: dict[str, Any] = {}
    monkeypatch.setattr(page, "render", lambda _visit, _name, **context: shown.update(context))
    request = SimpleNamespace(
        path_params={"decision_id": DECISION.decision_id}, query_params=QueryParams()
    )
    services = SimpleNamespace(settings=SimpleNamespace(base_url=""))
    for language in ("en", "de"):
        visit = Visit(cast("Any", request), cast("Any", services), cast("Any", None), language)
        page.show_decision(visit, library)
        told = shown["norm_notices"]
        ids = [f"{LAW}/8", f"{LAW}/4", f"{LAW}/3"]
        warnings = list(warn_of_cited(library, ids, DECISION, TODAY))
        assert len(warnings) >= 3
        assert len(told) == len(warnings)
        assert {one.language for one in told} == {language}
        if language == "en":
            assert list_unsaid(visit, warnings, told) == []


def test_of_the_newest_text_of_an_act_the_last_look_counts_and_not_its_own_day() -> None:
    visit = visit_in("en")
    for library, is_told in (
        (make_act(), False),
        (make_act(stand_notes=()), True),
    ):
        norm = library.store.find_norm(f"{LAW}/4")
        assert norm is not None
        fassung = library.store.find_fassung(norm.norm_id)
        notices = list_notices_of_text(visit, library, norm, fassung, None, TODAY)
        assert any("the text is that of 12 Jul 2024" in one.text for one in notices) is is_told
        of_law = list_notices_of_law(visit, library, library.store.statutes[LAW], None, TODAY)
        assert any("the text is that of 12 Jul 2024" in one.text for one in of_law) is is_told


@pytest.mark.parametrize("kind", ["as it is", "act", "act that was never looked for again"])
def test_the_stand_of_a_page_is_that_of_a_lookup(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = LIBRARIES[kind]()
    shown: dict[str, Any] = {}
    for module in (norm_page, law_page):
        monkeypatch.setattr(
            module, "render", lambda _visit, _name, **context: shown.update(context)
        )
        monkeypatch.setattr(module, "today", lambda: TODAY)
    for held_id in (LAW, f"{LAW}/4"):
        request = SimpleNamespace(path_params={"norm_id": held_id}, query_params=QueryParams())
        services = SimpleNamespace(settings=SimpleNamespace(base_url=""))
        visit = Visit(cast("Any", request), cast("Any", services), cast("Any", None), "en")
        norm_page.show_norm(visit, library)
        answer = ask(library, "legal_lookup", None, citation=f"{LAW}/4")
        assert shown["stand"].isoformat() == answer["norm"]["provenance"]["version_date"], held_id


def test_what_is_not_in_the_table_is_shown_in_english_and_what_is_gone_as_bad() -> None:
    (odd,) = tell_warnings(visit_in("de"), ["Nobody has told this before."])
    assert (odd.text, odd.language, odd.is_bad) == ("Nobody has told this before.", "en", False)
    library = build_library()
    gone = library.store.statutes["de/altmg"]
    notices = list_notices_of_law(visit_in("de"), library, gone, None, TODAY)
    assert [one.is_bad for one in notices if "verschwunden" in one.text] == [True]

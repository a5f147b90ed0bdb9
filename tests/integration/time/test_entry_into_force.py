"""Acts of the Union from build to answer: before their entry into force nothing says they apply."""

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from fundstelle.bootstrap.library import open_library
from fundstelle.law.norms import NormStatus
from fundstelle.lookup.answers import Miss, ProvisionHit
from fundstelle.lookup.dating.days import find_days
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.settings import Settings
from fundstelle.tools.registry import build_tools
from fundstelle.tools.spec import CallContext

TODAY = date(2026, 5, 1)
FEWEST = 25  # acts of which the day of entry is known, or one by which they were in force

pytestmark = pytest.mark.corpus


@pytest.fixture(scope="module")
def library(every_source: Path) -> Iterator[Library]:
    opened = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(every_source)}))
    yield opened
    opened.close()


def ask(library: Library, name: str, **arguments: object) -> dict[str, Any]:
    tool = next(tool for tool in build_tools(library, lambda: TODAY) if tool.name == name)
    structured = tool.call(arguments, CallContext("test", "test")).structured
    assert structured is not None
    answer: dict[str, Any] = orjson.loads(structured)
    return answer


def test_before_its_entry_into_force_nothing_says_that_an_act_is_in_force(
    library: Library,
) -> None:
    acts = [each for each in library.store.statutes.values() if each.in_force_from is not None]
    for act in acts:
        assert act.in_force_from is not None
        eve = act.in_force_from - timedelta(days=1)
        for norm in library.store.list_norms(act.statute_id):
            outcome = resolve(library, norm.norm_id, eve).outcomes[0]
            assert isinstance(outcome, Miss), norm.norm_id
            assert outcome.status in {"not_yet_in_force", "not_seen_yet", "outside_coverage"}
        page = {"law_abbreviation": act.statute_id, "as_of": eve.isoformat(), "limit": 500}
        contents = ask(library, "legal_get_toc", **page)
        assert contents["found"] or contents["status"] == "outside_coverage", contents
        statuses = {row.get("status") for row in contents.get("toc", ())}
        assert statuses <= {"not_yet_in_force", "not_seen_yet"}, act.statute_id
        query = {"query": act.title[:200], "as_of": eve.isoformat(), "source_type": "eurlex"}
        hits = ask(library, "legal_search", top_k=50, **query)["hits"]
        assert act.statute_id not in {hit["norm_id"].partition("/art")[0] for hit in hits}
    assert len(acts) >= FEWEST


def test_on_the_day_of_its_entry_the_texts_held_of_it_are_answered_with_that_day(
    library: Library,
) -> None:
    answered = 0
    for act in library.store.statutes.values():
        begins = act.in_force_from
        if begins is None or act.first_look is None or act.first_look > begins:
            continue  # no text of that time is held
        for norm in library.store.list_norms(act.statute_id):
            outcome = resolve(library, norm.norm_id, begins).outcomes[0]
            if isinstance(outcome, Miss):  # a later text brought it, or the first has deleted it
                first = library.store.list_fassungen(norm.norm_id)[0]
                is_gone = first.status is NormStatus.REPEALED and first.in_force_from is None
                assert outcome.status == ("repealed" if is_gone else "not_seen_yet"), norm.norm_id
                continue
            assert isinstance(outcome, ProvisionHit)
            days = find_days(library, act, outcome.fassung)
            assert days.basis in {"text", "treaty"}
            assert begins in {days.valid_from, (days.bounds or (None, None))[1]}
            answered += 1
    assert answered > 3_000

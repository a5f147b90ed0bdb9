"""Days, Stand and validity of all federal law: what answers say of them is known."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

import orjson
import pytest

from fundstelle.law.norms import DatePrecision, Fassung, Norm, NormKind, NormStatus, Statute
from fundstelle.lookup.dating.days import describe_days, find_days
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import is_newest_look
from fundstelle.lookup.validity.bearing import DECLARED
from fundstelle.lookup.validity.notes import find_validity
from fundstelle.tools import get_toc, lookup
from fundstelle.tools.registry import build_tools
from fundstelle.tools.spec import CallContext, Tool
from tests.integration.citations.test_relations_on_corpus import TODAY

pytestmark = pytest.mark.corpus

FEWEST_GRAVE = 50  # answers that are asked for as a client would
FEWEST_DATED = 200  # provisions of laws that say themselves when they came into force


def iter_texts(library: Library, step: int = 1) -> Iterator[tuple[Statute, Norm, Fassung]]:
    for _, norm, fassung in islice(library.store.iter_norms(), 0, None, step):
        yield library.store.statutes[norm.statute_id], norm, fassung


def test_a_day_in_force_is_never_a_day_of_a_look(library: Library, whole: Library) -> None:
    wrong = []
    dated = 0
    for held, step in ((library, 1), (whole, 16)):
        manifest = held.store.manifest
        looks = {look.stand for source in manifest.sources for look in source.snapshots}
        for statute, norm, fassung in iter_texts(held, step):
            days = find_days(held, statute, fassung)
            exact = fassung.date_precision is DatePrecision.EXACT
            dated += days.basis == "text"
            if days.valid_from is not None and not exact and days.basis != "text":
                wrong.append((norm.norm_id, "in force by nobody's word"))
            if days.basis == "publisher" and not exact:
                wrong.append((norm.norm_id, "no word of the publisher"))
            if {days.first_seen, days.last_seen, days.not_seen_before} - looks - {None}:
                wrong.append((norm.norm_id, "seen on a day without a look"))
            if fassung.in_force_from is not None and not exact:
                heads = held.store.list_fassungen(norm.norm_id)
                both = describe_days(manifest, statute, heads)
                if any(one.valid_from or one.valid_to for one in both):
                    wrong.append((norm.norm_id, "a look became a day in force"))

    assert dated > FEWEST_DATED
    assert wrong == []


def test_what_is_current_is_of_the_newest_look_and_waits_for_no_change(
    library: Library, whole: Library
) -> None:
    wrong = []
    currents = 0
    for held, step in ((library, 1), (whole, 16)):
        manifest = held.store.manifest
        for statute, norm, fassung in iter_texts(held, step):
            validity = find_validity(held, statute, fassung)
            currents += validity.is_current
            pending = any(note.kind == "pending_change" for note in validity.notes)
            told = is_newest_look(manifest, statute) and statute.listed
            if validity.is_current and (pending or not told or fassung.in_force_until is not None):
                wrong.append(norm.norm_id)

    assert currents > FEWEST_DATED
    assert wrong == []


def test_every_note_on_validity_is_in_the_short_answer_and_the_table_of_contents(
    whole: Library,
) -> None:
    tools = {tool.name: tool for tool in build_tools(whole, lambda: TODAY)}
    wrong = []
    shown = 0
    for statute, norm, fassung in iter_grave(whole):
        validity = find_validity(whole, statute, fassung)
        shown += 1
        answer = ask(tools[lookup.NAME], citation=norm.norm_id)
        kinds = [note["kind"] for note in answer["norm"].get("validity_notes", ())]
        if kinds != [note.kind for note in validity.notes]:
            wrong.append((norm.norm_id, kinds))
        if answer["norm"]["status"] != validity.status:
            wrong.append((norm.norm_id, answer["norm"]["status"]))
        if validity.status in DECLARED:
            norms = whole.store.list_norms(statute.statute_id)
            place = next(at for at, each in enumerate(norms) if each.norm_id == norm.norm_id)
            page = {"law_abbreviation": statute.statute_id, "offset": place, "limit": 1}
            rows = ask(tools[get_toc.NAME], **page)["toc"]
            if [(row["norm_id"], row["status"]) for row in rows] != [
                (norm.norm_id, validity.status)
            ]:
                wrong.append((norm.norm_id, rows))

    assert shown > FEWEST_GRAVE
    assert wrong == []


def iter_grave(library: Library) -> Iterator[tuple[Statute, Norm, Fassung]]:
    """What was declared void or incompatible, and some of what has no text."""
    empty = 0
    for statute, norm, fassung in iter_texts(library):
        if not fassung.notes or fassung.status is not NormStatus.IN_FORCE:
            continue
        if norm.kind is NormKind.OTHER or fassung.in_force_until is not None:
            continue
        if fassung.in_force_from is not None and fassung.in_force_from > TODAY:
            continue
        validity = find_validity(library, statute, fassung)
        empty += not fassung.text
        if validity.status in DECLARED or (not fassung.text and empty < FEWEST_GRAVE):
            yield statute, norm, fassung


def ask(tool: Tool, **arguments: object) -> dict[str, Any]:
    structured = tool.call(arguments, CallContext("test", "test")).structured
    assert structured is not None
    answer: dict[str, Any] = orjson.loads(structured)
    return answer

"""All of federal law: a law that an act of the Union shares its name with is not out of reach."""

from datetime import date

import orjson
import pytest

from fundstelle.law.citations import EuCitation
from fundstelle.lookup.answers import Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.reading.written import read
from fundstelle.tools import get_toc
from fundstelle.tools.spec import CallContext

pytestmark = pytest.mark.corpus

TODAY = date(2025, 4, 1)


def test_contents_are_found_by_source_and_suggested_without(whole: Library) -> None:
    tool = get_toc.build_tool(whole, lambda: TODAY)
    checked = 0
    wrong = []
    for statute in whole.store.statutes.values():
        name = statute.abbreviation
        reading = read(name, whole)
        if isinstance(reading, Miss) or not isinstance(reading.targets[0], EuCitation):
            continue
        if statute.jurisdiction != "de":
            continue
        checked += 1
        for asked in ({}, {"source_type": statute.source_type}):
            structured = tool.call(
                {"law_abbreviation": name, "limit": 1, **asked}, CallContext("test", "test")
            ).structured
            assert structured is not None
            answer = orjson.loads(structured)
            named = [each["norm_id"] for each in answer.get("suggestions", ())]
            if answer["found"]:  # without a source it may be the act
                named = [answer["law"]["norm_id"]] if asked else [statute.statute_id]
            if statute.statute_id not in named or (asked and not answer["found"]):
                wrong.append((name, asked, named))

    assert checked > 1
    assert wrong == []

"""The hand-kept names of laws over all of federal law."""

import pytest

from fundstelle.lookup.library import Library

pytestmark = pytest.mark.corpus


def test_no_name_of_the_table_takes_the_place_of_one_that_a_held_law_calls_itself(
    whole: Library,
) -> None:
    shadowed = []
    german = (s for s in whole.store.statutes.values() if s.jurisdiction != "eu")
    for statute in german:  # EU acts have a table of their own
        for name in {statute.abbreviation, *statute.abbreviations_juris}:
            known = whole.names.find(name)
            assert statute.statute_id in {law.statute_id for law in known}
            shadowed += [
                (name, law.abbreviation)
                for law in known
                if law.statute_id is None
                and not law.celex
                and name in {law.abbreviation, *law.aliases}
            ]
    assert shadowed == []

"""All of federal law: no part is denied whose label stands at the beginning of a printed line."""

import re
from collections.abc import Iterator

import pytest

from fundstelle.law.citations import PathStep
from fundstelle.law.norms import Fassung, Level, Norm, NormKind, NormStatus
from fundstelle.lookup.answers import Miss
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import LIST_ITEMS
from fundstelle.lookup.texts import LookupRequest, read_units
from tests.integration.citations.test_relations_on_corpus import TODAY

pytestmark = pytest.mark.corpus

_LABELS = re.compile(
    r"^(?:\| ?)*\((?P<abs>\d{1,2}[a-z]?)\)(?=\s|[A-ZÄÖÜ])|^(?P<nr>\d{1,3}[a-z]?)\.(?=\s)",
    re.MULTILINE,
)


def _list_labels(fassung: Fassung) -> Iterator[PathStep]:
    """The labels of the text, each as a step of a citation; a list item has its own above it."""
    items = {part.start for part in fassung.segments if part.level in LIST_ITEMS}
    for match in _LABELS.finditer(fassung.text):
        level = Level.ABSATZ if match["abs"] else Level.NUMMER
        if match.start() not in items:
            yield PathStep(level, match[match.lastgroup or ""])


def _list_denied(library: Library, norm: Norm) -> list[tuple[str, PathStep]]:
    """Absätze that are denied, and numbers that are in the only Absatz or in none."""
    fassung = library.store.find_fassung(norm.norm_id, TODAY)
    if fassung is None or fassung.status is not NormStatus.IN_FORCE:
        return []
    statute = library.store.statutes[norm.statute_id]
    question = LookupRequest(library, norm.citation, TODAY)
    absaetze = {part.value for part in fassung.segments if part.level is Level.ABSATZ}
    return [
        (norm.citation, step)
        for step in _list_labels(fassung)
        if step.level is Level.ABSATZ or not absaetze
        for outcome in read_units(question, statute, norm, [step])
        if isinstance(outcome, Miss) and outcome.status == "subunit_does_not_exist"
    ]


def test_no_part_is_denied_whose_label_is_printed(whole: Library) -> None:
    norms = [
        norm
        for _, norm, _ in whole.store.iter_norms()
        if norm.kind in {NormKind.SECTION, NormKind.ARTICLE}
    ]

    denied = [each for norm in norms for each in _list_denied(whole, norm)]

    assert len(norms) > 80_000
    assert denied == []

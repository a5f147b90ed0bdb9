"""A hit of a search says of its days what a lookup says of the same text."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from fundstelle.citations.laws.names import LawNames
from fundstelle.ingest.sources.registry import SOURCES
from fundstelle.law.norms import SEEN, Norm, StandNote, Statute
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve
from fundstelle.lookup.verdicts.judge import judge
from tests.unit.lookup.invented import (
    FLOOR,
    STAND,
    TODAY,
    InventedIndex,
    InventedStore,
    build_fassung,
    build_library,
    build_norm,
)
from tests.unit.tools import calling
from tests.unit.tools.calling import call

ENDS = (
    "changes between then and",
    "the text is that of",
    "on which day between",
    "if there were any",
)
LOOK = StandNote("Stand", f"{SEEN}{STAND}, gesehen am 2026-08-15")
DAYS = (FLOOR, date(2025, 12, 1), STAND, TODAY, date(2026, 9, 1))


def hold() -> Library:
    """MusterG, and three acts of the Union: never looked at, looked at, and last seen before."""
    library = build_library()
    store = library.store
    assert isinstance(store, InventedStore)
    german = store.statutes["de/musterg"]
    acts = [
        build_act(german, "32016R0679", ()),
        build_act(german, "32022R2065", (LOOK,)),
        replace(german, statute_id="de/frueherg", abbreviation="FrüherG", stand=FLOOR),
    ]
    contents = [(norm, store.fassungen[norm.norm_id]) for norm in store.norms]
    for act in acts:
        norm = build_article(act)
        held = replace(build_fassung(norm, "Leim ist frei zu handeln."), stand=act.stand)
        contents.append((norm, (held,)))
    held_by = InventedStore([*store.laws, *acts], contents)
    names = LawNames.build(held_by.statutes.values())
    return Library(held_by, InventedIndex(held_by), names, sources=SOURCES)


def build_act(law: Statute, celex: str, notes: tuple[StandNote, ...]) -> Statute:
    return replace(
        law,
        statute_id=f"eu/{celex}",
        abbreviation=f"VO {celex[-1]}",
        jurisdiction="eu",
        source_type="eurlex",
        stand_notes=notes,
        first_look=FLOOR,
    )


def build_article(act: Statute) -> Norm:
    number = "art_1" if act.jurisdiction == "eu" else "1"
    norm = build_norm(act, "Art 1" if act.jurisdiction == "eu" else "§ 1")
    return replace(norm, norm_id=f"{act.statute_id}/{number}", number=number)


def pick(answer: Mapping[str, Any]) -> set[str]:
    """The warnings on days, without the provision that a search puts before one."""
    return {
        warning.partition(": ")[2] if warning.partition(": ")[2].startswith("This is") else warning
        for warning in answer["warnings"]
        if any(end in warning for end in ENDS)
    }


@pytest.mark.parametrize("asked_on", ["day named", "today"])
@pytest.mark.parametrize("on", DAYS)
def test_it_has_the_same_stand_and_the_same_warnings(
    on: date, asked_on: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = hold()
    monkeypatch.setattr(calling, "TODAY", on)
    day = {"as_of": on.isoformat()} if asked_on == "day named" else {}
    compared = set()
    for _, norm, _ in library.store.iter_norms():
        asked = {"response_format": "detailed", **day}
        looked_up = call(library, "legal_lookup", citation=norm.norm_id, **asked)
        found = call(library, "legal_search", query=norm.norm_id, top_k=1, **asked)
        if not looked_up["found"] or not found["found"]:
            continue
        [hit] = found["hits"]
        assert hit["norm_id"] == norm.norm_id
        assert hit["version_date"] == looked_up["norm"]["provenance"]["version_date"]
        assert pick(found) == pick(looked_up), norm.norm_id
        batch = call(library, "legal_lookup_batch", citations=[norm.norm_id], **asked)
        around = call(library, "legal_get_context", norm_id=norm.norm_id, before=0, after=0, **day)
        for other in ({"warnings": [*batch["warnings"], *batch["results"][0]["warnings"]]}, around):
            assert pick(other) == pick(looked_up), norm.norm_id
        compared.add(norm.norm_id)
    assert {"eu/32016R0679/art_1", "eu/32022R2065/art_1", "de/frueherg/1"} <= compared
    assert "de/musterg/8" in compared


@pytest.mark.parametrize(("celex", "law"), [("32016R0679", "DSGVO"), ("32022R2065", "DSA")])
def test_a_verdict_on_a_later_day_names_no_look_that_never_was(celex: str, law: str) -> None:
    library = hold()
    written = f"Art. 1 {law} in der am 1.1.2030 geltenden Fassung"
    why = judge(library, resolve(library, written, TODAY)).why
    assert ("was last seen on 2026-08-15" in why) == (celex == "32022R2065")
    assert (f"the text is that of {STAND}; later" in why) == (celex == "32016R0679")

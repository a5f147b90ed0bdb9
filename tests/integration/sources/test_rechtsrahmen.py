"""The map of the fields of law against the official archives: each law in it, each section."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from fundstelle.citations.find import find
from fundstelle.ingest.records import ParsedAct, SourceFile
from fundstelle.ingest.sources.by_hand import find_collections
from fundstelle.ingest.sources.eu.eurlex import iter_acts
from fundstelle.law.citations import NormCitation
from fundstelle.law.identifiers import fold
from fundstelle.lookup.answers import Hit, LawHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve_target
from fundstelle.tools.resources import read_domains, render_rechtsrahmen

EURLEX = Path(__file__).parents[4] / "shared" / "corpus" / "eurlex.tar.zst"
# In force, but taken out of the archive; the publisher's table of contents lists them.
LEFT_OUT = {"FernUSG", "FreizügG/EU", "GewSchG", "KCanG", "KHEntgG"}
# The archive of EU law has no text of these.
NOT_IN_ARCHIVE = {
    *("32004R0261", "32006L0112", "32012R0650", "32014L0024", "32014R0596", "32015R0848"),
    *("32016L0680", "32017R0745", "32017R1001"),
}

pytestmark = pytest.mark.corpus


def iter_laws(key: str) -> Iterator[tuple[str, str]]:
    for domain in read_domains():
        for law in domain["laws"]:
            if key in law:
                yield law[key], law["scope"]


def test_every_federal_law_is_held_or_known_to_be_left_out(whole: Library) -> None:
    statutes = whole.store.statutes.values()
    held = {
        fold(name)
        for statute in statutes
        if statute.listed
        for name in (statute.abbreviation, *statute.abbreviations_juris)
    }
    missing = {law for law, _ in iter_laws("law") if fold(law) not in held}

    assert missing == LEFT_OUT
    for name in missing:
        (known, *_) = whole.names.find(name)
        assert whole.store.missing.find([name, *known.aliases, *known.long_names]) is not None


def test_every_section_of_the_map_exists(whole: Library) -> None:
    on = whole.store.manifest.stand
    for law, scope in iter_laws("law"):
        for found in find(scope, whole.names, law) if law not in LEFT_OUT else ():
            for target in found.targets:
                if not isinstance(target, NormCitation):
                    continue
                outcomes = resolve_target(whole, target, found.text, on)
                # a range may begin with a section that is repealed
                held = [one for one in outcomes if isinstance(one, Hit | LawHit)]
                assert held, (law, scope, found.text)


def test_laws_that_are_not_held_are_marked(whole: Library) -> None:
    lines = render_rechtsrahmen(whole).splitlines()
    marked = {line.split()[1] for line in lines if line.endswith(":") or "*(nicht im" in line}

    assert marked >= LEFT_OUT


@pytest.mark.skipif(not EURLEX.exists(), reason="eurlex.tar.zst is not beside the checkout")
def test_every_eu_act_is_held_or_known_to_be_left_out() -> None:
    (collection,) = find_collections(EURLEX)
    files = (
        SourceFile(entry.name, entry.name.rpartition("/")[0], entry.data)
        for entry in sorted(collection.files.entries(), key=lambda entry: entry.name)
    )
    held = {act.statute.statute_id for act in iter_acts(files) if isinstance(act, ParsedAct)}
    named = {celex for celex, _ in iter_laws("celex")}

    assert {celex for celex in named if f"eu/{celex}" not in held} == NOT_IN_ARCHIVE

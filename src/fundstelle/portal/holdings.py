"""What the sources of a build hold, how old that is, and what is missing, as pages show it."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from fundstelle.corpus.manifest import Manifest, SourceState
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import list_gaps

# The texts of the gaps that the ingestion writes; any other is shown as it is written.
_GAPS = (
    (re.compile(r"(?P<count>\d+) laws of the publisher's table of contents are not.*"), "missing"),
    (re.compile(r"a selection: .*"), "selection"),
    (re.compile(r"no table of contents of the publisher .*"), "no_contents"),
    (re.compile(r"(?P<count>\d+) files of this build could not be used"), "rejected"),
)


@dataclass(frozen=True, slots=True)
class Held:
    """How many texts of each kind a build holds; ``norms`` are those of laws and acts."""

    laws: int  # of the federation
    land_laws: int
    acts: int  # of the EU
    norms: int
    decisions: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Something missing: the ``key`` of its text and how many, or English ``words`` instead."""

    key: str = ""
    count: int = 0
    words: str = ""


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A source with its age in days and what it lacks."""

    state: SourceState
    age_days: int
    gaps: tuple[Gap, ...]


def count_held(library: Library) -> Held:
    """What is there, counted and not taken from what sources say that they brought.

    The statutes of a build are in memory: some thousands, a millisecond.
    """
    manifest = library.store.manifest
    kinds = Counter(statute.jurisdiction for statute in library.store.statutes.values())
    federal, acts = kinds.pop("de", 0), kinds.pop("eu", 0)
    return Held(federal, kinds.total(), acts, manifest.norms, manifest.decisions)


def describe_sources(manifest: Manifest, today: date) -> list[ShownSource]:
    """The sources of a build in its order."""
    return [
        ShownSource(
            state,
            max((today - state.stand).days, 0),
            tuple(_read_gap(words) for words in list_gaps(manifest, state)),
        )
        for state in manifest.sources
    ]


def _read_gap(words: str) -> Gap:
    for pattern, key in _GAPS:
        found = pattern.fullmatch(words)
        if found is not None:
            values: Mapping[str, str] = found.groupdict()
            return Gap(f"gap.{key}", int(values.get("count", 0)))
    return Gap(words=words)

"""The sources of law, each declared once; whoever needs to know of them asks here.

A declaration loads its adapter only when a build needs it: servers ask the registry, too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fundstelle.law.decisions import EU_DECISIONS, GERMAN_DECISIONS, Decision, DecisionSource
from fundstelle.law.sources import Kind, Selection, Source

if TYPE_CHECKING:
    from fundstelle.ingest.sources.adapter import CollectionAdapter, SnapshotAdapter


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ingested(Source):
    """A source whose files are known by their names."""

    begins: tuple[str, ...]  # the names of its folders and archives: "gii-2026-04-29.tar.zst"
    cache: str  # the folder of what was fetched


@dataclass(frozen=True, slots=True, kw_only=True)
class SnapshotSource(_Ingested):
    """Laws as they were on the days of snapshots; a later snapshot goes on from the earlier."""

    adapter: "Callable[[], SnapshotAdapter]"


@dataclass(frozen=True, slots=True, kw_only=True)
class CollectionSource(_Ingested):
    """Documents of any kind; a collection takes the place of the one before, or adds to it."""

    adapter: "Callable[[], CollectionAdapter]"


def _load_federal_law() -> "SnapshotAdapter":
    from fundstelle.ingest.sources.adapter import SnapshotAdapter
    from fundstelle.ingest.sources.gii import official_site, parse

    return SnapshotAdapter(parse.read_header, parse.parse_statute, official_site.fetch)


def _load_eu_law() -> "CollectionAdapter":
    from fundstelle.ingest.sources.adapter import CollectionAdapter, Continuation
    from fundstelle.ingest.sources.eu import cellar, cellar_updates, eurlex
    from fundstelle.ingest.sources.eu.succession import go_on

    continues = Continuation(eurlex.iter_acts, go_on)
    return CollectionAdapter(eurlex.iter_acts, cellar.fetch, cellar_updates.follow, continues)


def _load_courts() -> "CollectionAdapter":
    from fundstelle.ingest.sources.adapter import CollectionAdapter
    from fundstelle.ingest.sources.courts import adapters, ifg, rii, rii_portal

    return CollectionAdapter(
        *(adapters.iter_decisions, rii_portal.fetch, rii_portal.follow),
        is_shared=ifg.is_register,
        publisher=rii.SOURCE_TYPE,
    )


def _load_neuris() -> "CollectionAdapter":
    from fundstelle.ingest.sources.adapter import CollectionAdapter
    from fundstelle.ingest.sources.neuris import changelog, documents, portal

    return CollectionAdapter(
        *(documents.iter_documents, portal.fetch, changelog.follow),
        publisher=NEURIS.source_type,
    )


FEDERAL_LAW = SnapshotSource(
    selections=(Selection("gii", "German federal law"),),
    name="Gesetze im Internet",
    url="https://www.gesetze-im-internet.de/",
    jurisdiction="de",
    kinds=frozenset({Kind.STATUTES}),
    licence="Official works, free of copyright (§ 5 Abs. 1 UrhG).",
    begins=("gii",),
    cache="gii",
    adapter=_load_federal_law,
)
EU_LAW = CollectionSource(
    selections=(
        Selection("eurlex", "EU acts"),
        Selection(EU_DECISIONS, "CJEU and General Court"),
    ),
    name="EUR-Lex",
    url="https://eur-lex.europa.eu/",
    jurisdiction="eu",
    kinds=frozenset({Kind.STATUTES, Kind.DECISIONS}),
    licence="© European Union; reuse with acknowledgement (Decision 2011/833/EU).",
    begins=("eurlex",),
    cache="cellar",
    adapter=_load_eu_law,
)
COURTS = CollectionSource(
    selections=(Selection(GERMAN_DECISIONS, "German courts"),),
    name="Rechtsprechung",
    url="https://www.rechtsprechung-im-internet.de/",
    jurisdiction="de",
    kinds=frozenset({Kind.DECISIONS, Kind.SENTENCES}),
    licence="Official works, free of copyright (§ 5 Abs. 1 UrhG).",
    begins=("decisions", "rechtsprechung"),
    cache="rii",
    adapter=_load_courts,
)
# Off until it is asked for: it has the laws and decisions of the two portals that it is to replace.
NEURIS = CollectionSource(
    selections=(Selection("neuris", "new portal's laws"),),
    name="Rechtsinformationen des Bundes",
    url="https://testphase.rechtsinformationen.bund.de/",
    jurisdiction="de",
    kinds=frozenset({Kind.STATUTES, Kind.DECISIONS}),
    licence="Official works, free of copyright (§ 5 Abs. 1 UrhG).",
    begins=("neuris",),
    cache="neuris",
    adapter=_load_neuris,
)
SOURCES: tuple[SnapshotSource | CollectionSource, ...] = (FEDERAL_LAW, EU_LAW, COURTS, NEURIS)


def find(value: str) -> SnapshotSource | CollectionSource | None:
    """The source that a manifest, or a value of the filter ``source_type``, names."""
    return next((source for source in SOURCES if source.is_called(value)), None)


def find_collection(name: str) -> CollectionSource | None:
    """Of which source a file or folder of that name is a collection: ``decisions….tar.zst``."""
    found = (source for source in SOURCES if name.startswith(source.begins))
    return next((source for source in found if isinstance(source, CollectionSource)), None)


def list_sources_of(decision: Decision) -> set[str]:
    """What the manifest calls the sources that a decision came with, one or several."""
    return set(map(name_source_of, decision.sources))


def name_source_of(place: DecisionSource) -> str:
    """What the manifest calls the source of a publisher; courts' collections are of many."""
    return (find(place.source_type) or COURTS).source_type

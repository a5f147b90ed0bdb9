"""The federal laws of the live build, for who looks at their publisher."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import cached_property
from pathlib import Path

from fundstelle.citations.text.folding import fold_abbreviation
from fundstelle.corpus import builds
from fundstelle.corpus.ingestion import WholeStore
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.sources import registry
from fundstelle.ingest.sources.gii.doubts import HeldStatute
from fundstelle.law.norms import Statute


class StoredLaws:
    """Those of one build, as long as its store is open."""

    def __init__(self, store: WholeStore) -> None:
        self._store = store
        federal = registry.FEDERAL_LAW.source_type
        own = (s for s in store.statutes.values() if s.source_type == federal)
        self._held = {statute.publisher_id: statute for statute in own}

    def find(self, number: str) -> HeldStatute | None:
        """A law by its document number."""
        statute = self._held.get(number)
        if statute is None:
            return None
        return HeldStatute(statute, lambda: self._store.list_histories(statute.statute_id))

    def find_namesake(self, number: str, abbreviation: str) -> Statute | None:
        """Another law that is listed and goes by that abbreviation."""
        same = self._listed.get(fold_abbreviation(abbreviation), ())
        return next((one for one in same if one.publisher_id != number), None)

    @cached_property
    def _listed(self) -> dict[str, list[Statute]]:
        found: dict[str, list[Statute]] = {}
        for statute in self._held.values():
            if statute.listed:
                names = (statute.abbreviation, *statute.abbreviations_juris)
                for name in {*map(fold_abbreviation, names)}:
                    found.setdefault(name, []).append(statute)
        return found


@contextmanager
def reading_held(data: Path, live: Manifest) -> Iterator[StoredLaws]:
    """The laws of the live build, as long as the block lasts."""
    with closing(open_whole(builds.get_folder(data, live.release) / builds.DATABASE)) as store:
        yield StoredLaws(store)

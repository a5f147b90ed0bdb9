"""The federal laws of the live build, for who looks at their publisher."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.manifest import Manifest
from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.sources import registry
from fundstelle.ingest.sources.gii.doubts import FindHeld, HeldStatute


@contextmanager
def reading_held(data: Path, live: Manifest) -> Iterator[FindHeld]:
    """Finds them by document number, as long as the block lasts."""
    federal = registry.FEDERAL_LAW.source_type
    with closing(open_whole(builds.get_folder(data, live.release) / builds.DATABASE)) as store:
        own = (s for s in store.statutes.values() if s.source_type == federal)
        held = {statute.publisher_id: statute for statute in own}

        def find(number: str) -> HeldStatute | None:
            statute = held.get(number)
            if statute is None:
                return None
            return HeldStatute(statute, lambda: store.list_histories(statute.statute_id))

        yield find

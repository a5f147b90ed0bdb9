"""Laws that the publisher's table of contents names and no snapshot of the series held."""

from collections.abc import Collection

from fundstelle.corpus.missing import MissingLaw
from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.history.series import Start


def list_missing(start: Start, slugs: Collection[str] | None) -> list[MissingLaw]:
    """The laws of these slugs with their titles, by slug; newer titles go before older ones."""
    titles: dict[str, str] = {}
    if start.live is not None:
        store = open_whole(start.live.database)
        titles = {law.slug: law.title for law in store.missing.laws}
        store.close()
    for snapshot in start.snapshots:
        titles.update(snapshot.titles)
    return [MissingLaw(slug, titles[slug]) for slug in sorted(slugs or ()) if slug in titles]

"""From the references of a build to the priors of its search index."""

from array import array
from collections.abc import Iterable
from pathlib import Path

from fundstelle.corpus.ingestion import Edge, WholeStore
from fundstelle.corpus.opening import open_whole
from fundstelle.search.ranking.priors import build_priors, write_priors


class CitedNorms:
    """Collects who refers to whom while the references are found."""

    def __init__(self) -> None:
        self._citing = array("q")
        self._cited = array("q")

    def add(self, edges: Iterable[Edge]) -> None:
        """Note references; those to nothing held do not count."""
        for citing, cited, *_ in edges:
            if cited is not None:
                self._citing.append(citing)
                self._cited.append(cited)

    def write(self, database: Path, index: Path) -> None:
        """Write the priors of all norms beside the finished index."""
        store = open_whole(database, is_written=False)
        try:
            statutes = _list_statutes(store)
        finally:
            store.close()
        edges = zip(self._citing, self._cited, strict=True)
        write_priors(build_priors(edges, statutes), index)


def _list_statutes(store: WholeStore) -> "array[int]":
    """The number of every norm's statute, by ordinal: both follow the order of statute_id."""
    statutes = array("I")
    prefixes = [f"{statute_id}/" for statute_id in store.statutes]
    number = 0
    for _, norm_id in store.iter_ids():
        while not norm_id.startswith(prefixes[number]):
            number += 1
        statutes.append(number)
    return statutes

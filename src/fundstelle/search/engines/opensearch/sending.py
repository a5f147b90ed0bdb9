"""Sending texts to a new index, in requests that a small node can take, until it has them all.

A node that has no room for a moment refuses a request as a whole or single texts of it (429; while
it moves things about 503). Whoever writes hours of texts waits and sends them again: a text has its
place as its id, so that it changes nothing where it is there already.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

import orjson

from fundstelle.errors import CorpusError, SearchUnavailable
from fundstelle.search.engines.opensearch.cluster import Cluster, Gone

MOST_BYTES = 2 << 20  # of a request; 500 long decisions have 10 MB, many for a heap of 512 MB
MOST_TEXTS = 500
_BUSY = frozenset({429, 503})
_PAUSES_S = (1, 2, 4, 8, 15, 30, 60)

Line = dict[str, Any]


def send(
    cluster: Cluster,
    name: str,
    texts: Iterable[tuple[Line, Line]],
    pause: Callable[[float], None] = time.sleep,
) -> None:
    """Send texts, each as what is done and with what, to the index of that name.

    Raises:
        CorpusError: the cluster does not take one, or has had no room for some minutes.
        SearchUnavailable: it does not answer.
    """
    for batch in _batch(texts):
        _send(cluster, name, batch, pause)


def _batch(texts: Iterable[tuple[Line, Line]]) -> Iterator[Sequence[bytes]]:
    batch: list[bytes] = []
    size = 0
    for text in texts:
        written = b"".join(orjson.dumps(line) + b"\n" for line in text)
        if batch and (size + len(written) > MOST_BYTES or len(batch) == MOST_TEXTS):
            yield batch
            batch, size = [], 0
        batch.append(written)
        size += len(written)
    if batch:
        yield batch


def _send(
    cluster: Cluster, name: str, batch: Sequence[bytes], pause: Callable[[float], None]
) -> None:
    for wait_s in chain(_PAUSES_S, [None]):
        busy = _list_busy(cluster, name, batch)
        if not busy:
            return
        if wait_s is not None:
            pause(wait_s)
        batch = [batch[number] for number in busy]
    raise CorpusError(
        "the search cluster has had no room for texts for two minutes (status 429 or 503): give its"
        " nodes more memory, or build when they do less; then build again"
    )


def _list_busy(cluster: Cluster, name: str, batch: Sequence[bytes]) -> list[int]:
    """The numbers of those that were refused for a moment.

    Raises:
        CorpusError: one was refused for good.
    """
    shown = "errors,items.*.status,items.*.error.type"
    try:
        answer = cluster.work("POST", f"/{name}/_bulk", b"".join(batch), filter_path=shown)
    except Gone as error:
        raise SearchUnavailable("an index went while it was written") from error
    except SearchUnavailable as error:
        if error.status in _BUSY:
            return list(range(len(batch)))
        raise
    if not answer.get("errors", True):
        return []
    items = [item for each in answer.get("items", ()) for item in each.values()]
    refused = {number: item for number, item in enumerate(items) if not 200 <= item["status"] < 300}
    final = [item for item in refused.values() if item["status"] not in _BUSY]
    if final or len(items) != len(batch):
        why = final[0].get("error", {}).get("type", "no reason") if final else "no word of some"
        raise CorpusError(f"the search cluster did not take all texts ({why}); see its own log")
    return list(refused)

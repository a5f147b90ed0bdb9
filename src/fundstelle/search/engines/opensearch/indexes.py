"""The life of an index in a cluster: made, finished, pointed to, named, dropped.

Names are ``<prefix>-<what>-<day>-<random>``; the alias ``<prefix>-live`` leads to the texts of the
live build, for operators and other programs. Servers ask the index that their build names, so that
no request ever sees two builds.

Builds lie in many data folders, and nobody sees them all. So whoever has one says on its indexes
when that was (``named_at``, seconds since 1970), again and again; what nobody has named for a while
is dropped.
"""

import secrets
import time
from collections.abc import Collection
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from fundstelle.errors import CorpusError
from fundstelle.search.engines.opensearch.cluster import WORK_S, Cluster, Gone
from fundstelle.search.engines.opensearch.frequencies import FrequencyCounter
from fundstelle.search.engines.opensearch.texts import K1, B, adapt
from fundstelle.search.engines.stages.texts import FACETS, VALUES

GRACE_S = 3 * 86_400
"""How long an index stays after it was last named: servers may be away for a weekend."""

_AGAIN_S = 43_200  # the age of a mark from which on it is written anew: each is a state to spread
_MOST_VALUES = 2_000_000  # of one filter: ordinals of all that cite a norm
_FARTHEST = 1_000_000  # hits
_WITHOUT_FACTOR = 3  # OpenSearch from this version on scores without k1' + 1
_NUMBERS = ("ordinal", "position", "ancestor", "day", "year", "since", "until")
_INDEXED_ONLY = ("ancestor", "day", "since", "until")


def create(cluster: Cluster, kind: str) -> str:
    """A new empty index; gives its name."""
    day = datetime.now(UTC).strftime("%Y%m%d")
    name = f"{cluster.address.prefix}-{kind}-{day}-{secrets.token_hex(6)}"
    described = _describe(cluster.address.shards)
    described["mappings"] |= _mark(time.time())  # until its build is done, that names it
    cluster.work("PUT", f"/{name}", described)
    return name


def finish(cluster: Cluster, name: str, counted: FrequencyCounter) -> float:
    """Merge it, tell it how to weigh words, give it copies, and let nobody change it.

    Gives the factor that its scores lack.

    Raises:
        CorpusError: it does not hold what was written.
    """
    cluster.work("POST", f"/{name}/_refresh")
    held = cluster.work("GET", f"/{name}/_count").get("count")
    if held != counted.searchable:
        raise CorpusError(f"the search cluster holds {held} of {counted.searchable} texts")
    cluster.work("POST", f"/{name}/_forcemerge", max_num_segments=1)
    cluster.work("POST", f"/{name}/_flush")
    cluster.work("POST", f"/{name}/_close")
    k1, b = adapt(counted.texts, counted.worded)
    similar = {"index": {"similarity": {"words": {"type": "BM25", "k1": k1, "b": b}}}}
    cluster.work("PUT", f"/{name}/_settings", similar)
    cluster.work("POST", f"/{name}/_open")
    cluster.work("GET", f"/_cluster/health/{name}", wait_for_status="yellow", timeout="60s")
    copies = f"0-{cluster.address.replicas}" if cluster.address.replicas else "false"
    settings = {"index": {"auto_expand_replicas": copies, "blocks.write": True}}
    cluster.work("PUT", f"/{name}/_settings", settings)
    cluster.work(
        "GET",
        f"/_cluster/health/{name}",
        wait_for_status="green",
        wait_for_no_initializing_shards="true",
        timeout=f"{WORK_S / 2:.0f}s",
    )
    version = cluster.work("GET", "/")["version"]["number"]
    theirs = 1.0 if int(version.partition(".")[0]) >= _WITHOUT_FACTOR else k1 + 1
    return (K1 + 1) / theirs


def point(cluster: Cluster, name: str) -> None:
    """Let the alias lead to one index, and to no other, in one step."""
    alias = f"{cluster.address.prefix}-live"
    try:
        before = list(cluster.work("GET", f"/_alias/{alias}"))
    except Gone:
        before = []
    actions: list[dict[str, Any]] = [
        {"remove": {"index": one, "alias": alias}} for one in before if one != name
    ]
    actions.append({"add": {"index": name, "alias": alias}})
    cluster.work("POST", "/_aliases", {"actions": actions})


def name_again(cluster: Cluster, named: Collection[str], now: float) -> dict[str, float | None]:
    """Say of those ``named`` that a build names them at ``now``, and where no mark can be read.

    Gives all indexes there are with what their marks said before. A mark that is still fresh is
    left as it is, so that any number of servers write each only twice a day.

    Raises:
        SearchUnavailable: the cluster does not answer, or not to this user.
    """
    pattern = f"{cluster.address.prefix}-*"
    try:
        held = cluster.work("GET", f"/{pattern}/_mapping", filter_path="*.mappings._meta")
        names = list(cluster.work("GET", f"/{pattern}/_alias"))
    except Gone:
        return {}
    marks = {name: _read_mark(held.get(name), now) for name in sorted(names)}
    for name, mark in marks.items():
        if mark is None or (name in named and now - mark >= _AGAIN_S):
            with suppress(Gone):  # another has just dropped it
                cluster.work("PUT", f"/{name}/_mapping", _mark(now))
    return marks


def drop(
    cluster: Cluster, named: Collection[str], now: float, grace_s: float = GRACE_S
) -> list[str]:
    """Name those of the builds that are here, and drop those that nobody has named for a while.

    Gives the names of those dropped.

    Raises:
        SearchUnavailable: as ``name_again``.
    """
    dropped = []
    for name, mark in name_again(cluster, named, now).items():
        if name not in named and mark is not None and now - mark >= grace_s:
            with suppress(Gone):
                cluster.work("DELETE", f"/{name}")
                dropped.append(name)
    return dropped


def _mark(now: float) -> dict[str, Any]:
    return {"_meta": {"named_at": now}}


def _read_mark(held: dict[str, Any] | None, now: float) -> float | None:
    """When it was last named; ``None`` where no clock that goes right can have said so."""
    mark = (held or {}).get("mappings", {}).get("_meta", {}).get("named_at")
    return mark if isinstance(mark, int | float) and mark <= now + _AGAIN_S else None


def _describe(shards: int) -> dict[str, Any]:
    keyword = {name: {"type": "keyword", "doc_values": name in FACETS.values()} for name in VALUES}
    numbers = {
        name: {"type": "integer", "doc_values": name not in _INDEXED_ONLY} for name in _NUMBERS
    }
    return {
        "settings": {
            "index": {
                "number_of_shards": shards,
                "number_of_replicas": 0,
                "refresh_interval": -1,
                "max_terms_count": _MOST_VALUES,
                "max_result_window": _FARTHEST,
                "similarity": {"words": {"type": "BM25", "k1": K1, "b": B}},
            },
            "analysis": {
                "tokenizer": {"blanks": {"type": "whitespace", "max_token_length": 8_000}},
                "analyzer": {"blanks": {"type": "custom", "tokenizer": "blanks"}},
            },
        },
        "mappings": {
            "dynamic": "strict",
            "_source": {"enabled": False},
            "properties": {
                "terms": {
                    "type": "text",
                    "analyzer": "blanks",
                    "index_options": "freqs",
                    "similarity": "words",
                },
                **keyword,
                **numbers,
            },
        },
    }

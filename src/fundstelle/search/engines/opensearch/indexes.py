"""The life of an index in a cluster: made, finished, pointed to, dropped.

Names are ``<prefix>-<what>-<day>-<random>``; the alias ``<prefix>-live`` leads to the texts of the
live build, for operators and other programs. Servers ask the index that their build names, so that
no request ever sees two builds.
"""

import secrets
import time
from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from fundstelle.errors import CorpusError
from fundstelle.search.engines.opensearch.cluster import WORK_S, Cluster, Gone
from fundstelle.search.engines.opensearch.frequencies import FrequencyCounter
from fundstelle.search.engines.opensearch.texts import K1, B, adapt
from fundstelle.search.engines.stages.texts import FACETS, VALUES

GRACE_S = 3_600
"""How long an index stays after it was first seen that no build names it."""

_MOST_VALUES = 2_000_000  # of one filter: ordinals of all that cite a norm
_FARTHEST = 1_000_000  # hits
_WITHOUT_FACTOR = 3  # OpenSearch from this version on scores without k1' + 1
_NUMBERS = ("ordinal", "position", "ancestor", "day", "year", "since", "until")
_INDEXED_ONLY = ("ancestor", "day", "since", "until")


def create(cluster: Cluster, kind: str) -> str:
    """A new empty index; gives its name."""
    day = datetime.now(UTC).strftime("%Y%m%d")
    name = f"{cluster.address.prefix}-{kind}-{day}-{secrets.token_hex(6)}"
    cluster.work("PUT", f"/{name}", _describe(cluster.address.shards))
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


def drop(cluster: Cluster, named: Collection[str], grace_s: float = GRACE_S) -> list[str]:
    """Drop the indexes that no build names any more, a while after that was first seen.

    A server may still use the build that named it, for a moment. Gives the names of those dropped.
    """
    pattern = f"{cluster.address.prefix}-*"
    try:
        held = cluster.work("GET", f"/{pattern}/_mapping", filter_path="*.mappings._meta")
        names = list(cluster.work("GET", f"/{pattern}/_alias"))
    except Gone:
        return []
    now = time.time()
    dropped = []
    for name in sorted(set(names) - set(named)):
        seen = held.get(name, {}).get("mappings", {}).get("_meta", {}).get("unnamed_since")
        if seen is None and grace_s:
            mapping = {"_meta": {"unnamed_since": now}}
            cluster.work("PUT", f"/{name}/_mapping", mapping)
        elif now - (seen or 0) >= grace_s:
            cluster.work("DELETE", f"/{name}")
            dropped.append(name)
    return dropped


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

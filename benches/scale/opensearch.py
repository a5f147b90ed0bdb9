"""The live build searched by both engines: the same first ten, the same measures, what it costs.

python -m benches.scale.opensearch [--data FOLDER] [--address opensearch://127.0.0.1:9200]

Without an address three nodes of this machine are started, those of ``make scale``. The build's
texts are written into the cluster once, into a folder of this bench; what it has learnt is the
build's own. Questions are those of the development sets, and words in a row of held decisions.
"""

import argparse
import os
import random
import shutil
import sys
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from tests.scale.search.nodes import start_nodes

from benches.accuracy.confidence import is_locked
from benches.accuracy.search import OURS, SETS
from benches.results import write_results
from benches.scale.sizes import draw_questions
from fundstelle.bootstrap.library import open_library
from fundstelle.cli.evaluation.questions import Gold, read_questions
from fundstelle.corpus import builds
from fundstelle.ingest.ranking.documents import iter_decisions, iter_documents
from fundstelle.ingest.ranking.learned import iter_labelled, iter_sentences, read_guard, select
from fundstelle.ingest.ranking.periods import divide
from fundstelle.search.engines.opensearch.address import ClusterAddress
from fundstelle.search.engines.opensearch.engine import OpenSearchEngine
from fundstelle.search.engines.opensearch.storage import OpenSearchStorage
from fundstelle.search.engines.stages.sentences import FOLDER as SENTENCES
from fundstelle.search.engines.stages.sentences import write_sentences
from fundstelle.search.engines.tantivy import TantivyEngine
from fundstelle.search.index import SearchIndex, SearchRequest
from fundstelle.search.ranking.measures import average
from fundstelle.search.ranking.measures import measure as rate
from fundstelle.search.words.compounds import read_splitter
from fundstelle.search.words.german import GermanAnalyzer
from fundstelle.settings import Settings

WARM = 20  # questions before those that count
UNHURRIED_S = 60.0  # of a search: what is measured here is not what is given up


def prepare(engine: OpenSearchEngine, data: Path, folder: Path) -> dict[str, float]:
    """Write the live build's texts and sentences into the cluster; seconds that each took."""
    store = builds.open_active(data)
    build = builds.get_folder(data, store.manifest.release)
    folder.mkdir(parents=True)
    begun = time.perf_counter()
    parts = divide(store.decisions.list_days())
    decisions = iter_decisions(store.decisions, store.count_norms(), parts)
    engine.build(chain(iter_documents(store), decisions), folder)
    built = time.perf_counter()
    for name in ("priors.f32", "everyday.json", "ranker"):
        held = build / builds.INDEX / name
        (shutil.copytree if held.is_dir() else shutil.copy)(held, folder / name)
    if not (build / builds.INDEX / SENTENCES).exists():  # a build without decisions has none
        store.close()
        return {"texts_s": built - begun}
    runs = read_guard(file for file in SETS if "lay" not in file.name)
    labelled = iter_labelled(store, build / builds.DATABASE, runs)
    sentences = select(chain(iter_sentences(store, runs), labelled))
    analyzer = GermanAnalyzer(read_splitter())
    write_sentences(sentences, analyzer.analyse, folder, OpenSearchStorage(engine.cluster))
    learnt = len(np.load(build / builds.INDEX / SENTENCES / "sources.npy"))
    if learnt != len(sentences):
        print(f"the build has learnt from {learnt} sentences, this index has {len(sentences)}")
    store.close()
    return {"texts_s": built - begun, "sentences_s": time.perf_counter() - built}


def search_all(index: SearchIndex, queries: Sequence[str]) -> tuple[list[list[int]], list[float]]:
    """The first ten of each question, and milliseconds."""
    found, taken = [], []
    for query in queries:
        begin = time.perf_counter()
        hits = index.search(SearchRequest(query, limit=10)).hits
        taken.append((time.perf_counter() - begin) * 1e3)
        found.append([hit.ordinal for hit in hits])
    return found, taken


def search_words(
    indexes: tuple[SearchIndex, SearchIndex], queries: Sequence[str]
) -> dict[str, Any]:
    """Both, after some questions that warm them."""
    for index in indexes:
        search_all(index, queries[:WARM])
    (ours, ours_ms), (theirs, theirs_ms) = (search_all(index, queries) for index in indexes)
    return {
        "questions": len(queries),
        "same_first_ten": sum(one == other for one, other in zip(ours, theirs, strict=True)),
        "embedded_ms": show(ours_ms),
        "cluster_ms": show(theirs_ms),
    }


def measure_mb(engine: OpenSearchEngine) -> int:
    """Of all indexes of this bench, copies on other nodes counted once."""
    held = engine.cluster.work("GET", "/_stats/store")
    size: int = held["_all"]["primaries"]["store"]["size_in_bytes"]
    return size >> 20


def run(data: Path, address: ClusterAddress, folder: Path) -> dict[str, Any]:
    engine = OpenSearchEngine(address)
    results: dict[str, Any] = {}
    if not folder.exists():
        results["written"] = prepare(engine, data, folder)
        results["written"]["primaries_mb"] = measure_mb(engine)
        print(results["written"], flush=True)
    library = open_library(Settings.from_env({"FUNDSTELLE_DATA": str(data)}))
    index = builds.get_folder(data, library.store.manifest.release) / builds.INDEX
    embedded, cluster = TantivyEngine().open(index), engine.open(folder)
    files = [file for file in (*SETS, *sorted(OURS.glob("*.jsonl"))) if file.exists()]
    same = asked = 0
    if decisions := library.store.manifest.decisions:
        results["words_of_decisions"] = row = search_words(
            (embedded, cluster), draw_questions(library, decisions, random.Random(1))
        )
        print(row, flush=True)
    for file in files:
        questions = [one for one in read_questions(file) if not is_locked(one.qid)]
        gold = Gold(library, questions)
        queries = [question.query for question in questions]
        ours, ours_ms = search_all(embedded, queries)
        before = cluster.cluster.round_trips
        theirs, theirs_ms = search_all(cluster, queries)
        trips = cluster.cluster.round_trips - before
        alike = sum(one == other for one, other in zip(ours, theirs, strict=True))
        same, asked = same + alike, asked + len(questions)
        measured = {
            name: average(
                [rate(hits, gold.find(q)) for hits, q in zip(found, questions, strict=True)]
            )
            for name, found in (("embedded", ours), ("cluster", theirs))
        }
        results[file.name.partition(".")[0]] = row = {
            "questions": len(questions),
            "same_first_ten": alike,
            "measures": measured,
            "embedded_ms": show(ours_ms),
            "cluster_ms": show(theirs_ms),
            "round_trips": round(trips / max(len(questions), 1), 2),
        }
        print(file.name, row, flush=True)
    results["same_first_ten"] = round(same / asked, 4)
    print(f"the same first ten for {same} of {asked}")
    return results


def show(taken: Sequence[float]) -> dict[str, float]:
    return {f"p{one}": round(float(np.percentile(taken, one)), 1) for one in (50, 95, 99)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", type=Path, default=Path(os.environ.get("FUNDSTELLE_DATA", "data"))
    )
    parser.add_argument("--address", help="of a cluster; without it, nodes of this machine")
    parser.add_argument("--keep", default="opensearch", help="name of the results")
    parser.add_argument("--folder", type=Path, default=Path("build") / "scale-opensearch")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        named, folder = arguments.address, arguments.folder
        if named is None:  # what nodes of a moment hold ends with them, and so does the folder
            place = Path(stack.enter_context(TemporaryDirectory(prefix="fundstelle-scale-")))
            (place / "nodes").mkdir()
            named, folder = (
                stack.enter_context(start_nodes(place / "nodes")).address,
                place / "index",
            )
        address = replace(ClusterAddress.parse(named), timeout_s=UNHURRIED_S)
        results = run(arguments.data, address, folder)
    print(f"kept in {write_results(arguments.keep, results)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

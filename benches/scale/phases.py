"""Milliseconds of processor that a decision costs in each phase of a build, in one process.

python -m benches.scale.phases --data FOLDER [--decisions 300]

FOLDER is that of ``benches.scale.sizes --data``; its build says how much the rest costs.
"""

import argparse
import pickle
import tempfile
import time
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TypeVar

from benches.scale.generator import make_decision
from fundstelle.bootstrap.library import build_engine
from fundstelle.citations.find import find
from fundstelle.citations.laws.names import LawNames
from fundstelle.corpus import builds
from fundstelle.corpus.decision_rows import encode_decision
from fundstelle.corpus.ingestion import CorpusWriter, WholeStore
from fundstelle.corpus.opening import begin, open_whole
from fundstelle.ingest.build import workers
from fundstelle.ingest.ranking.documents import iter_decisions
from fundstelle.ingest.ranking.learned import Selection, iter_sentences
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.courts import rii
from fundstelle.search.index import CitingSentence

Result = TypeVar("Result")


def run(data: Path, decisions: int) -> None:
    """Print a line for each phase."""
    release = builds.get_live(data)
    assert release is not None
    database = builds.get_folder(data, release) / builds.DATABASE
    whole = open_whole(database)
    numbers = min(decisions, whole.decisions.count())

    def show(name: str, work: Callable[[], Result], of: int = numbers) -> Result:
        begun = time.process_time()
        result = work()
        print(f"{name:34}{(time.process_time() - begun) / of * 1e3:8.2f} ms", flush=True)
        return result

    files = [SourceFile("a.xml", "", make_decision(at, numbers)) for at in range(numbers)]
    parsed = show("parse", lambda: [rii.parse(file) for file in files])
    show("pack and read again", lambda: [pickle.loads(pickle.dumps(one)) for one in parsed])
    rows = show("encode", lambda: [encode_decision(one.decision, one.text) for one in parsed])
    with writing() as (writer, _):
        show("store", partial(exhaust, map(writer.add_decision, rows)))
    names = LawNames.build(whole.statutes.values())
    find(parsed[0].text.text, names)  # what is made once
    workers.find_citings(database, [0])
    show("find citations", lambda: [find(one.text.text, names) for one in parsed])
    found = show(
        "read, find and resolve citations",
        lambda: workers.find_citings(database, range(numbers))[0],
    )
    with writing() as (writer, _):
        show(
            "store citations",
            partial(exhaust, map(writer.add_citings, (one.rows for one in found))),
        )
    show("choose sentences, of all decisions", lambda: choose(whole), whole.decisions.count())
    with tempfile.TemporaryDirectory() as folder:
        documents = list(iter_decisions(whole.decisions, 0, {0: array("I", range(numbers))}))
        show("index", lambda: build_engine().build(documents, Path(folder)))
    with writing() as (writer, _):

        def take() -> None:
            writer.share_decisions(database)
            writer.index()

        show("take over as stored", take)
    show("count and hash", lambda: (whole.count_rows(), whole.hash_content()))
    show("check every text", whole.check)
    show("tree", whole.compute_root)


def choose(store: WholeStore) -> list[CitingSentence]:
    """As an ingestion does it, which reads few of them."""
    selection = Selection()
    exhaust(map(selection.offer, iter_sentences(store, frozenset(), selection.wants)))
    return selection.chosen


def exhaust(work: Iterable[None]) -> None:
    for _ in work:
        pass


@contextmanager
def writing() -> Iterator[tuple[CorpusWriter, Path]]:
    """A writer of a store that is thrown away, and its file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / builds.DATABASE
        writer = begin(path)
        yield writer, path
        writer.close()


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--decisions", type=int, default=300)
    given = parser.parse_args()
    run(given.data, given.decisions)


if __name__ == "__main__":
    main()

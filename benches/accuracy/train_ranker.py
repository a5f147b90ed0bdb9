"""Trains the ranking's default model anew and writes it into the package.

python -m benches.accuracy.train_ranker [--data FOLDER] [--guard QUESTIONS.jsonl.gz ...]

Learns from the live build: the sentences of its decisions and of its labelled collections, without
those that share eight words in a row with a question of the guard. The same build gives the same
model. Minutes on one core.
"""

import argparse
import os
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from fundstelle.corpus import builds
from fundstelle.ingest.ranking.learned import iter_labelled, iter_sentences, read_guard, select
from fundstelle.search.engines.stages.index import StagedIndex
from fundstelle.search.engines.stages.sentences import FOLDER, write_sentences
from fundstelle.search.engines.tantivy.storage import TantivyStorage
from fundstelle.search.index import CitingSentence
from fundstelle.search.ranking.training import train_default
from fundstelle.search.words.compounds import read_splitter
from fundstelle.search.words.german import GermanAnalyzer

EVAL = Path(__file__).parents[3] / "shared" / "eval"
SETS = (EVAL / "norm_questions.jsonl.gz", EVAL / "citing_sentences.jsonl.gz")
MODEL = Path(__file__).parents[2] / "src" / "fundstelle" / "search" / "data" / "ranker.txt"
READ = (  # what scoring reads of each tree; the rest only says how it was grown
    *("Tree", "num_leaves", "num_cat", "split_feature", "threshold", "decision_type"),
    *("left_child", "right_child", "leaf_value", "is_linear", "shrinkage"),
)
HEAD = ("tree_sizes",)  # would be wrong after rounding
NUMBER = re.compile(r"-?\d+\.\d+(?:e[-+]?\d+)?")


def prune(model: str) -> str:
    """The model without what scoring does not need, numbers with seven digits."""
    head, *trees = model.partition("end of trees")[0].split("\n\n")
    lines = [line for line in head.splitlines() if not line.startswith(HEAD)]
    return "\n".join([*lines, "", *chain.from_iterable(map(prune_tree, trees)), "end of trees", ""])


def prune_tree(tree: str) -> Iterator[str]:
    for line in filter(None, tree.splitlines()):
        if line.partition("=")[0] in READ:
            yield NUMBER.sub(lambda number: f"{float(number[0]):.7g}", line)
    if tree.strip():
        yield ""


def read_sentences(data: Path, guard: Sequence[Path]) -> tuple[Path, list[CitingSentence]]:
    """The index of the live build, and what may be learnt from it."""
    store = builds.open_active(data)
    folder = builds.get_folder(data, store.manifest.release)
    runs = read_guard(guard)
    database = folder / builds.DATABASE
    sentences = select(chain(iter_sentences(store, runs), iter_labelled(store, database, runs)))
    store.close()
    return folder / builds.INDEX, sentences


def train(folder: Path, sentences: Sequence[CitingSentence]) -> str:
    """The model, learnt beside the index in ``folder``, which stays as it is."""
    with TemporaryDirectory() as held:
        for path in folder.iterdir():
            if path.name != FOLDER:
                (Path(held) / path.name).symlink_to(path.resolve())
        analyzer = GermanAnalyzer(read_splitter())
        write_sentences(sentences, analyzer.analyse, Path(held), TantivyStorage())
        index = StagedIndex(Path(held), TantivyStorage())
        try:
            return prune(train_default(sentences, index.laws, index.describe))
        finally:
            index.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    held = Path(os.environ.get("FUNDSTELLE_DATA", "data"))
    parser.add_argument("--data", type=Path, default=held)
    parser.add_argument("--guard", type=Path, nargs="*", default=SETS)
    parser.add_argument("--out", type=Path, default=MODEL)
    arguments = parser.parse_args()
    folder, sentences = read_sentences(arguments.data, arguments.guard)
    print(f"{len(sentences):,} sentences", dict(Counter(one.collection for one in sentences)))
    arguments.out.write_text(train(folder, sentences), encoding="utf-8")
    print(f"kept in {arguments.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

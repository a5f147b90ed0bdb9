"""Trains the student of the package anew: about five minutes on two cores, 3 GB of memory.

python -m benches.student [--data FOLDER] [--guard QUESTIONS.jsonl.gz ...] [--out FOLDER]

Learns from the live build, which is best made of all of ../shared/corpus, and from the two tables
of the package. No sentence that shares eight words in a row with a question of the guard is read.
"""

import argparse
import os
import sys
from itertools import chain
from pathlib import Path

import numpy as np

from benches.student.fit import Floats, Plan, fit
from benches.student.pairs import Pairs
from benches.student.texts import Read, read_build
from fundstelle.search.meaning.student import write_student

EVAL = Path(__file__).parents[3] / "shared" / "eval"
SETS = (EVAL / "norm_questions.jsonl.gz", EVAL / "citing_sentences.jsonl.gz")
MODEL = Path(__file__).parents[2] / "src" / "fundstelle" / "search" / "data" / "student"


def count_shares(read: Read) -> Floats:
    """Of each term the share of texts that hold it."""
    counts = np.zeros(len(read.terms), np.float32)
    texts = (np.concatenate((n.heading, n.above, n.law, n.text)) for n in read.norms)
    for numbers in chain(texts, (numbers for numbers, _ in read.sentences)):
        counts[np.unique(numbers)] += 1
    shares: Floats = counts / np.float32(len(read.norms) + len(read.sentences))
    return shares


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    held = Path(os.environ.get("FUNDSTELLE_DATA", "data"))
    parser.add_argument("--data", type=Path, default=held)
    parser.add_argument("--guard", type=Path, nargs="*", default=SETS)
    parser.add_argument("--out", type=Path, default=MODEL)
    arguments = parser.parse_args()
    read = read_build(arguments.data, arguments.guard)
    print(
        f"{len(read.terms):,} terms, {len(read.norms):,} norms, {len(read.sentences):,} sentences"
    )
    vectors = fit(Pairs(read), count_shares(read), Plan())
    write_student(read.terms, vectors, arguments.out)
    print(f"kept in {arguments.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

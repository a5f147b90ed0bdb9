"""The words by which compounds are divided, counted in the texts of a build, for the package.

python -m benches.compounds --data FOLDER

Writes ``src/fundstelle/search/data/compounds.txt``; that of the package is from all of
``../shared/corpus``. Whoever changes it changes the terms of all texts: builds are made anew.
"""

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

from fundstelle.corpus import builds
from fundstelle.corpus.opening import open_whole
from fundstelle.ingest.ranking.documents import iter_decisions, iter_documents
from fundstelle.ingest.ranking.periods import divide
from fundstelle.search.index import HeldPart, SearchDocument
from fundstelle.search.words.compounds import CompoundSplitter
from fundstelle.search.words.german import STOP_WORDS, find_words

TO = Path(__file__).parents[1] / "src" / "fundstelle" / "search" / "data" / "compounds.txt"


def iter_texts(documents: Iterable[SearchDocument | HeldPart]) -> Iterator[str]:
    """The newest texts; neighbours share their law and most of their headings: those count once."""
    law = hierarchy = None
    for document in documents:
        assert isinstance(document, SearchDocument)  # none is taken from another index
        if document.law != law:
            yield (law := document.law)
        if document.hierarchy != hierarchy:
            yield (hierarchy := document.hierarchy)
        if document.searchable:
            yield from (document.citation, document.heading, document.text)
            yield from (document.matter, document.asked)


def main() -> None:
    """Count, and write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, required=True)
    data = parser.parse_args().data
    release = builds.get_live(data)
    if release is None:
        raise SystemExit(f"there is no build in {data}")
    counts: Counter[str] = Counter()
    with closing(open_whole(builds.get_folder(data, release) / builds.DATABASE)) as store:
        parts = divide(store.decisions.list_days())
        decisions = iter_decisions(store.decisions, store.count_norms(), parts)
        for text in iter_texts(chain(iter_documents(store), decisions)):
            counts.update(find_words(text))
    CompoundSplitter.train(
        (word, count) for word, count in counts.items() if word not in STOP_WORDS
    ).write(TO)


if __name__ == "__main__":
    main()

"""Learning beside a finished index: sentences are indexed, then the ranking is trained on them.

Where another index has learnt from the same sentences, by the same program, it is taken from there,
though a law may have other words since: a ranking learns how to weigh what is known of norms, and
no text by heart.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path

from fundstelle.search.engines.stages.index import StagedIndex
from fundstelle.search.engines.stages.sentences import FOLDER as SENTENCES
from fundstelle.search.engines.stages.sentences import write_sentences
from fundstelle.search.engines.stages.texts import Storage
from fundstelle.search.index import CitingSentence
from fundstelle.search.ranking.ranker import FOLDER as RANKER
from fundstelle.search.ranking.ranker import read_card, write_ranking
from fundstelle.search.ranking.training import learn
from fundstelle.search.words.compounds import read_splitter
from fundstelle.search.words.german import GermanAnalyzer


def take_learnt(other: Path, folder: Path) -> str:
    """What another index has learnt, for the one in ``folder``; says so in one line."""
    for name in (SENTENCES, RANKER):
        if (other / name).is_dir():
            shutil.copytree(other / name, folder / name)
    return f"ranking: {read_card(folder).get('use', 'none')}, as it was learnt before"


def learn_ranking(sentences: Sequence[CitingSentence], folder: Path, storage: Storage) -> str:
    """Write sentences, models and card beside the index; says in one line what is used."""
    if sentences:
        analyzer = GermanAnalyzer(read_splitter())
        write_sentences(sentences, analyzer.analyse, folder, storage)
    index = StagedIndex(folder, storage)
    learnt = learn(sentences, index.laws, index.describe)
    index.close()
    write_ranking(folder, learnt.card, learnt.model)
    figures = learnt.card.get("validation_mrr_at_10", learnt.card.get("reason"))
    return f"ranking: {learnt.card['use']}, {len(sentences):,} sentences, {figures}"

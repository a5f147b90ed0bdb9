"""Learning beside a finished index: sentences are indexed, then the ranking is trained on them."""

from collections.abc import Sequence
from pathlib import Path

from fundstelle.search.engines.stages.index import StagedIndex
from fundstelle.search.engines.stages.sentences import write_sentences
from fundstelle.search.engines.stages.texts import Storage
from fundstelle.search.index import CitingSentence
from fundstelle.search.ranking.ranker import write_ranking
from fundstelle.search.ranking.training import learn
from fundstelle.search.words.compounds import read_splitter
from fundstelle.search.words.german import GermanAnalyzer


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

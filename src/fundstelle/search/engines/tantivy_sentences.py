"""An index of sentences of decisions that cite norms: a court's words for what a norm governs."""

from array import array
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import tantivy

from fundstelle.search.engines.tantivy_files import give_usual_modes
from fundstelle.search.index import CitingSentence
from fundstelle.search.ranking.contexts import Contexts
from fundstelle.search.ranking.forward import Numbers

FOLDER = "sentences"
_HEAP = 200_000_000
_NEAR = 120  # sentences that are looked at
_SPARE = 4  # times as many are found where some are hidden

Hidden = Callable[[int], bool]
"""Whether the sentence of this number must not be seen: it is the question, or like it."""


def write_sentences(
    sentences: Sequence[CitingSentence], analyse: Callable[[str], list[str]], folder: Path
) -> None:
    """Index the sentences in their order, beside the index in ``folder``."""
    (held := folder / FOLDER).mkdir()
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    builder.add_unsigned_field("number", fast=True)
    index = tantivy.Index(builder.build(), str(held))
    writer = index.writer(heap_size=_HEAP, num_threads=1)
    starts, cited, sources = array("q", [0]), array("q"), array("q")
    for number, sentence in enumerate(sentences):
        document = tantivy.Document()
        document.add_unsigned("number", number)
        document.add_text("terms", " ".join(analyse(sentence.text)))
        writer.add_document(document)
        cited.extend(sentence.cited)
        starts.append(len(cited))
        sources.append(sentence.source)
    writer.commit()
    writer.wait_merging_threads()
    give_usual_modes(held)
    for name, values in (("starts", starts), ("cited", cited), ("sources", sources)):
        np.save(held / f"{name}.npy", np.array(values, np.int64))
    Contexts.build(sentences, analyse).write(held)


class SentenceIndex:
    """The sentences beside an opened index. Not shared between threads."""

    def __init__(self, folder: Path) -> None:
        held = folder / FOLDER
        index = tantivy.Index.open(str(held))
        self._schema = index.schema
        self._searcher = index.searcher()
        self.cited: Numbers = np.load(held / "cited.npy", mmap_mode="r").view(np.ndarray)
        starts = np.load(held / "starts.npy")
        self._cited_by = [part.tolist() for part in np.split(self.cited, starts[1:-1])]
        self.contexts = Contexts.read(held)
        self.sources: Numbers = np.load(held / "sources.npy", mmap_mode="r").view(np.ndarray)

    @staticmethod
    def exists(folder: Path) -> bool:
        """Whether there are sentences beside the index in ``folder``."""
        return (folder / FOLDER).is_dir()

    def __len__(self) -> int:
        return len(self.sources)

    def find_evidence(
        self, terms: Sequence[str], hidden: Hidden | None = None
    ) -> dict[int, list[float]]:
        """By ordinal the scores of the near sentences that cite it, best sentence first.

        A sentence that cites many norms says less of each.
        """
        any_term = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "terms", term, "freq"))
            for term in terms
        ]
        wanted = _NEAR if hidden is None else _NEAR * _SPARE
        hits = self._searcher.search(tantivy.Query.boolean_query(any_term), wanted).hits
        numbers: list[Any] = self._searcher.fast_field_values("number", [at for _, at in hits])
        near = zip((score for score, _ in hits), numbers, strict=True)
        seen = (hit for hit in near if hidden is None or not hidden(hit[1]))
        evidence: dict[int, list[float]] = {}
        for score, number in islice(seen, _NEAR):
            cited = self._cited_by[number]
            share = score / len(cited) ** 0.5
            for ordinal in cited:
                evidence.setdefault(ordinal, []).append(share)
        return evidence

    def close(self) -> None:
        """Release files."""
        self.__dict__.pop("_searcher", None)

"""An index of sentences of decisions that cite norms: a court's words for what a norm governs."""

from array import array
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from fundstelle.search.engines.stages.texts import Storage
from fundstelle.search.index import CitingSentence
from fundstelle.search.ranking.contexts import Contexts, Mask
from fundstelle.search.ranking.forward import Numbers

FOLDER = "sentences"
_NEAR = 120  # sentences that are looked at
_SPARE = 4  # times as many are found where some are hidden


def write_sentences(
    sentences: Sequence[CitingSentence],
    analyse: Callable[[str], list[str]],
    folder: Path,
    storage: Storage,
) -> None:
    """Index the sentences in their order, beside the index in ``folder``."""
    (held := folder / FOLDER).mkdir()
    storage.write_sentences((" ".join(analyse(one.text)) for one in sentences), held)
    starts, cited, sources = array("q", [0]), array("q"), array("q")
    for sentence in sentences:
        cited.extend(sentence.cited)
        starts.append(len(cited))
        sources.append(sentence.source)
    for name, values in (("starts", starts), ("cited", cited), ("sources", sources)):
        np.save(held / f"{name}.npy", np.array(values, np.int64))
    Contexts.build(sentences, analyse).write(held)


class SentenceIndex:
    """The sentences beside an opened index. Not shared between threads."""

    def __init__(self, folder: Path, storage: Storage) -> None:
        held = folder / FOLDER
        self.near = storage.open_sentences(held)
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

    def foresee(self, terms: Sequence[str]) -> None:
        """That ``find_evidence`` will be asked for these."""
        self.near.foresee(terms, _NEAR)

    def find_evidence(
        self, terms: Sequence[str], hidden: Mask | None = None
    ) -> dict[int, list[float]]:
        """By ordinal the scores of the near sentences that cite it, best sentence first.

        A sentence that cites many norms says less of each. Those that are ``hidden`` are not seen:
        they are the question, or like it.
        """
        wanted = _NEAR if hidden is None else _NEAR * _SPARE
        near = self.near.find(terms, wanted)
        seen = (hit for hit in near if hidden is None or not hidden[hit[1]])
        evidence: dict[int, list[float]] = {}
        for score, number in islice(seen, _NEAR):
            cited = self._cited_by[number]
            share = score / len(cited) ** 0.5
            for ordinal in cited:
                evidence.setdefault(ordinal, []).append(share)
        return evidence

    def close(self) -> None:
        """Release files."""
        self.near.close()

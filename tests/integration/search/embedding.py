"""A model without a model, and ``fundstelle embed`` with it as a process.

``python -m tests.integration.search.embedding DATA [gated]`` embeds the live build of DATA. Gated,
each batch waits for a line on the standard input.
"""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

from fundstelle.bootstrap import library
from fundstelle.cli import main
from fundstelle.search.meaning.embedder import Vector, Vectors
from fundstelle.settings import Settings

_DIMENSIONS = 48


class WordsEmbedder:
    """Texts that share words are near each other; nothing else is known of them."""

    def __init__(
        self, name: str = "words/1", before: Callable[[Sequence[str]], object] | None = None
    ) -> None:
        self.name = name
        self.embedded: list[str] = []
        self._before = before

    def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        return [self._embed(text) for text in texts]

    def _embed(self, text: str) -> Vector:
        vector = np.zeros(_DIMENSIONS, np.float32)
        for word in f"{self.name} {text}".lower().split():
            vector += np.random.default_rng(crc32(word.encode())).normal(size=_DIMENSIONS)
        unit: Vector = (vector / np.linalg.norm(vector)).astype(np.float32)
        return unit

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if self._before is not None:
            self._before(texts)
        self.embedded += texts
        return np.stack(self.embed_questions(texts))

    def close(self) -> None:
        """Nothing is open."""


def _wait(_: Sequence[str]) -> None:
    sys.stdin.readline()


if __name__ == "__main__":
    _, data, *gated = sys.argv
    os.environ["FUNDSTELLE_DATA"] = str(Path(data))
    before = _wait if gated else None

    def build(_: Settings, threads: int = 1) -> WordsEmbedder:
        return WordsEmbedder(f"words/{threads}", before)

    vars(library)["build_embedder"] = build
    sys.argv = ["fundstelle", "embed"]
    main()

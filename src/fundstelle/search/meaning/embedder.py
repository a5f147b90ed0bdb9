"""The port to a model that turns texts into vectors, for the second, semantic stage.

Vectors have unit length, so that the dot product of two is the cosine of their angle. Those of
different models mean nothing to each other: whoever keeps vectors keeps the model's name.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt

Vector = npt.NDArray[np.float32]
"""One row of unit length."""
Vectors = npt.NDArray[np.float32]
"""One row a text."""


class Embedder(Protocol):
    """A model for questions and for the passages that answer them.

    Every method raises ``EmbedderError`` where the model cannot be loaded or asked. Not shared
    between threads.
    """

    @property
    def name(self) -> str:
        """What tells this model, and how it is asked, from every other."""

    def embed_questions(self, texts: Sequence[str]) -> Sequence[Vector | None]:
        """The vectors of what one search asks, at once; ``None`` where its time was over."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts that may answer, in their order."""

    def close(self) -> None:
        """Release files and connections."""

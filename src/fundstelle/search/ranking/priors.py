"""How likely a norm is the one that is sought, before any question is asked.

Norms and laws that others refer to are the ones questions are about: Verzug is § 286 BGB, not the
rule on late fees of some fund. A prior multiplies a norm's score. It is kept beside the index as
one float a norm, by ordinal, and may be written after the index, when the references are known.
"""

from array import array
from collections.abc import Iterable, Sequence
from math import log1p
from pathlib import Path

_FILE = "priors.f32"
_LAW = 0.02  # for each e-fold of references to the law; both were tuned on development questions
_NORM = 0.1  # and of those to the norm


def build_priors(edges: Iterable[tuple[int, int]], statutes: Sequence[int]) -> "array[float]":
    """One prior a norm, by ordinal; 1.0 where nothing refers to it.

    ``edges`` lead from an ordinal to an ordinal, or to ``-1 - statute`` for a law as a whole;
    ``statutes`` holds the number of every norm's statute. A norm's references to itself and a
    law's references to itself do not make it better known.
    """
    norms = array("I", bytes(4 * len(statutes)))
    laws = array("I", bytes(4 * (max(statutes, default=-1) + 1)))
    for citing, cited in edges:
        law = statutes[cited] if cited >= 0 else -1 - cited
        if cited >= 0 and cited != citing:
            norms[cited] += 1
        if law != statutes[citing]:
            laws[law] += 1
    of_laws = [1 + _LAW * log1p(count) for count in laws]
    return array(
        "f",
        (
            of_laws[law] * (1 + _NORM * log1p(count))
            for law, count in zip(statutes, norms, strict=True)
        ),
    )


def write_priors(priors: "array[float]", folder: Path) -> None:
    """Keep them beside an index."""
    (folder / _FILE).write_bytes(priors.tobytes())


def read_priors(folder: Path) -> "array[float] | None":
    """Those beside an index, if they were written."""
    file = folder / _FILE
    return array("f", file.read_bytes()) if file.exists() else None

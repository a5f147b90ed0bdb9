"""A model behind a URL: the embeddings endpoint that OpenAI made and most model servers speak.

Source: OpenAI API reference, "Create embeddings" (``POST /v1/embeddings``).
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from urllib.parse import urlsplit

import numpy as np
import orjson

from fundstelle.errors import EmbedderError
from fundstelle.net.client import Answer, NoAnswer
from fundstelle.net.kept import KeptClient, TooMuch, TooSlow, Unreachable
from fundstelle.search.embedders.plain_text import (
    MOST_PASSAGE_CHARS,
    MOST_QUESTION_CHARS,
    to_plain,
)
from fundstelle.search.meaning.embedder import Vector, Vectors

_REST_S = 30.0  # in which an endpoint that failed is left alone, so that no search waits for it
_TRIES = 5
_LONGEST_WAIT_S = 60.0
_BATCH_TEXTS = 32  # what model servers take at once without being told to
_OK, _TOO_MANY, _SERVER_ERROR = 200, 429, 500
_MOST_BYTES = 1_048_576  # of an answer for each text; 16,000 numbers as JSON are a third of it


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the model is and how it wants to be asked.

    ``question_prefix`` and ``passage_prefix`` stand before every text, as the model's card says
    (those of the E5 family want ``query: `` and ``passage: ``). Redirects are not followed.
    """

    url: str = field(repr=False)
    model: str
    key: str | None = field(default=None, repr=False)
    question_prefix: str = ""
    passage_prefix: str = ""
    question_timeout_s: float = 2.0
    passage_timeout_s: float = 60.0


class EndpointEmbedder:
    """Asks an endpoint for vectors.

    Args:
        endpoint: where and how.
        clock: seconds, from any beginning.
        sleep: waits so many seconds.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._endpoint = endpoint
        self._clock = clock
        self._sleep = sleep
        self._rests_until = float("-inf")
        self._dimensions: int | None = None
        parts = urlsplit(endpoint.url)
        self._host = parts.netloc.rpartition("@")[2]
        self._path = parts.path
        self._headers = _list_headers(endpoint)
        self._client = KeptClient(endpoint.url, clock=clock)

    @property
    def name(self) -> str:
        """Host, path, model and prefixes: what the vectors depend on, and no secret."""
        asked = self._endpoint
        how = json.dumps(
            [asked.model, asked.question_prefix, asked.passage_prefix], ensure_ascii=False
        )
        return f"{self._host}{self._path} {how}"

    def embed_questions(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of questions, of which the first 2,000 characters each are sent, together.

        Raises:
            EmbedderError: the endpoint does not answer as it should, or failed in the last 30 s.
        """
        if self._clock() < self._rests_until:
            raise EmbedderError(
                f"the embeddings endpoint at {self._host} failed a moment ago;"
                f" it is left alone for {_REST_S:.0f} s"
            )
        prefix = self._endpoint.question_prefix
        asked = [prefix + to_plain(text, MOST_QUESTION_CHARS) for text in texts]
        try:
            vectors = self._ask(asked, self._endpoint.question_timeout_s)
        except _NoVectors as error:
            # One odd question says nothing about the endpoint: others may go on asking.
            if not error.is_of_text:
                self._rests_until = self._clock() + _REST_S
            raise
        return list(vectors)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """The vectors of passages, of which the first 8,000 characters each are sent.

        A busy endpoint is asked again, up to four times a batch of 32.

        Raises:
            EmbedderError: the endpoint does not answer as it should.
        """
        prefix = self._endpoint.passage_prefix
        sent = [prefix + to_plain(text, MOST_PASSAGE_CHARS) for text in texts]
        if not sent:
            return np.empty((0, self._dimensions or 0), np.float32)
        return np.concatenate([self._insist(batch) for batch in _iter_batches(sent)])

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _insist(self, texts: list[str]) -> Vectors:
        for tried in range(_TRIES - 1):
            try:
                return self._ask(texts, self._endpoint.passage_timeout_s)
            except _NoVectors as error:
                if not error.is_busy:
                    raise
                wait_s = 2.0**tried if error.wait_s is None else error.wait_s
            self._sleep(min(wait_s, _LONGEST_WAIT_S))
        return self._ask(texts, self._endpoint.passage_timeout_s)

    def _ask(self, texts: list[str], timeout_s: float) -> Vectors:
        body = orjson.dumps(
            {"model": self._endpoint.model, "input": texts, "encoding_format": "float"}
        )
        most_bytes = _MOST_BYTES * len(texts)
        try:
            answer = self._client.post(body, self._headers, timeout_s, most_bytes)
        except TooSlow:
            raise self._problem(f"does not answer within {timeout_s:g} s", is_busy=True) from None
        except TooMuch:
            raise self._problem("answers too much; check FUNDSTELLE_EMBEDDER") from None
        except Unreachable:
            raise self._problem("cannot be reached; start it or check the URL") from None
        except NoAnswer:
            raise self._problem("broke off; look at its log", is_busy=True) from None
        if answer.status != _OK:
            raise self._refusal(answer)
        vectors = _read_vectors(answer.body, len(texts))
        if vectors is None:
            raise self._problem("does not send vectors; check FUNDSTELLE_EMBEDDER")
        if self._dimensions not in {None, vectors.shape[1]}:
            raise self._problem("sends vectors of another size than before; embed anew")
        self._dimensions = vectors.shape[1]
        return vectors

    def _refusal(self, answer: Answer) -> "_NoVectors":
        """What a status means. The body is not repeated: it may hold the text."""
        status = answer.status
        said = f"answered {status}"
        if status in {400, 413, 422}:
            return self._problem(
                f"{said} to these texts; check the model, and let the server cut long texts",
                is_of_text=True,
            )
        if status in {401, 403}:
            return self._problem(f"{said}; check FUNDSTELLE_EMBEDDER_KEY")
        if status == _TOO_MANY or status >= _SERVER_ERROR:
            return self._problem(
                f"{said}; look at its log", is_busy=True, wait_s=_read_wait(answer.headers)
            )
        return self._problem(
            f"{said}; check FUNDSTELLE_EMBEDDER (redirects are not followed) and the model"
        )

    def _problem(
        self,
        what: str,
        *,
        is_busy: bool = False,
        is_of_text: bool = False,
        wait_s: float | None = None,
    ) -> "_NoVectors":
        error = _NoVectors(f"the embeddings endpoint at {self._host} {what}")
        error.is_busy = is_busy
        error.is_of_text = is_of_text
        error.wait_s = wait_s
        return error


class _NoVectors(EmbedderError):
    """An endpoint gave none; what that says about the next attempt."""

    is_busy = False  # another attempt may succeed
    is_of_text = False  # it lies in what was sent
    wait_s: float | None = None  # how long the endpoint asks to wait


def _list_headers(endpoint: Endpoint) -> Mapping[str, str]:
    headers = {"Content-Type": "application/json"}
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    return headers


def _iter_batches(texts: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(texts), _BATCH_TEXTS):
        yield texts[start : start + _BATCH_TEXTS]


def _read_vectors(body: bytes, count: int) -> Vectors | None:
    """The vectors of an answer in the order of their ``index``; ``None`` if they cannot be used."""
    try:
        rows = orjson.loads(body)["data"]
        by_index = {row["index"]: row["embedding"] for row in rows}
        if len(rows) != count or set(by_index) != set(range(count)):
            return None
        vectors = np.asarray([by_index[index] for index in range(count)], np.float64)
    except (ValueError, TypeError, LookupError, OverflowError):
        return None
    if vectors.ndim != 2 or not vectors.shape[1]:  # texts and numbers, and nothing within
        return None
    largest = np.abs(vectors).max(axis=1, keepdims=True)
    if not np.isfinite(largest).all() or not largest.all():
        return None
    vectors /= largest  # so that no square overflows
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32)


def _read_wait(headers: Mapping[str, str]) -> float | None:
    """``Retry-After`` in seconds (RFC 9110 §10.2.3), a date counted from the answer's own."""
    given = headers.get("retry-after", "").strip()
    if given.isascii() and given.isdigit():
        return float(given[:6])
    try:
        later = parsedate_to_datetime(given) - parsedate_to_datetime(headers["date"])
    except (ValueError, TypeError, KeyError):
        return None
    return max(0.0, later.total_seconds())

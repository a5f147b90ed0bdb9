"""The embedder behind a URL, against a real server on a loopback port."""

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from typing import NoReturn

import numpy as np
import orjson
import pytest

from fundstelle.errors import EmbedderError
from fundstelle.search.embedders.endpoint import Endpoint, EndpointEmbedder, _read_wait
from tests.integration.services.embeddings_server import EmbeddingsServer, Reply, serve

SECRET = "Mandant Zeppelin"
KEY = "geheim-123"


@pytest.fixture
def server() -> Iterator[EmbeddingsServer]:
    with serve() as service:
        yield service


class Clock:
    """A clock that the test turns; what is slept passes on it."""

    def __init__(self) -> None:
        self.now = 100.0
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def embedder(server: EmbeddingsServer, clock: Clock) -> Iterator[EndpointEmbedder]:
    endpoint = Endpoint(server.url, "modell", KEY, "query: ", "passage: ")
    with closing(EndpointEmbedder(endpoint, clock, clock.sleep)) as made:
        yield made


def rows(*vectors: object) -> bytes:
    data = [{"index": index, "embedding": vector} for index, vector in enumerate(vectors)]
    return orjson.dumps({"data": data})


def test_a_question_is_sent_with_prefix_model_and_key_and_comes_back_in_unit_length(
    server: EmbeddingsServer, embedder: EndpointEmbedder
) -> None:
    server.embed = lambda _: (3.0, 0.0, 4.0)
    vector = embedder.embed_questions(["Kündigungsfrist"])[0]
    assert vector.dtype == np.float32
    assert vector.tolist() == pytest.approx([0.6, 0.0, 0.8])
    (asked,) = server.asked
    assert asked.path == "/v1/embeddings"
    assert asked.headers["Authorization"] == f"Bearer {KEY}"
    assert asked.body == {
        "model": "modell",
        "input": ["query: Kündigungsfrist"],
        "encoding_format": "float",
    }


def test_passages_come_back_in_their_order_over_several_requests(
    server: EmbeddingsServer, embedder: EndpointEmbedder
) -> None:
    texts = ["x" * length for length in range(70)]
    vectors = embedder.embed_passages(texts)
    # The server answers in reverse; (3, 4, length) tells which text a vector is of.
    lengths = vectors[:, 2] / vectors[:, 0] * 3
    assert lengths.tolist() == pytest.approx([length + len("passage: ") for length in range(70)])
    assert np.linalg.norm(vectors, axis=1).tolist() == pytest.approx([1.0] * 70)
    assert [len(asked.texts) for asked in server.asked] == [32, 32, 6]


def test_no_passages_ask_nothing(server: EmbeddingsServer, embedder: EndpointEmbedder) -> None:
    assert embedder.embed_passages([]).shape[0] == 0
    assert not server.asked


def test_odd_texts_are_sent_as_text_and_long_ones_are_cut(
    server: EmbeddingsServer, embedder: EndpointEmbedder
) -> None:
    embedder.embed_questions(["a\0b\ud800" + "c" * 1_000_000])
    (text,) = server.asked[0].texts
    assert text.startswith("query: a b?ccc")
    assert len(text) == len("query: ") + 2_000


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"[]",
        b'{"data": 1}',
        b'{"data": []}',
        b'{"data": ["x"]}',
        b'{"data": [{"index": 1, "embedding": [1.0]}]}',
        b'{"data": [{"index": {}, "embedding": [1.0]}]}',
        b'{"data": [{"embedding": [1.0]}]}',
        b'{"data": [{"index": 0, "embedding": [NaN]}]}',
        rows([1.0], [1.0]),
        rows([]),
        rows([0.0, 0.0]),
        rows([1.0, None]),
        rows([[1.0]]),
        rows("AACAPw=="),
        rows({"a": 1}),
    ],
)
def test_an_answer_that_is_not_one_vector_is_refused(
    server: EmbeddingsServer, embedder: EndpointEmbedder, body: bytes
) -> None:
    server.replies = [Reply(body=body)]
    with pytest.raises(EmbedderError, match="does not send vectors"):
        embedder.embed_questions(["Frist"])


def test_rows_of_different_lengths_are_refused(
    server: EmbeddingsServer, embedder: EndpointEmbedder
) -> None:
    server.replies = [Reply(body=rows([1.0], [1.0, 2.0]))]
    with pytest.raises(EmbedderError, match="does not send vectors"):
        embedder.embed_passages(["eins", "zwei"])


def test_huge_numbers_are_brought_to_unit_length(
    server: EmbeddingsServer, embedder: EndpointEmbedder
) -> None:
    server.replies = [Reply(body=rows([1e300, -1e300]))]
    assert embedder.embed_questions(["Frist"])[0].tolist() == pytest.approx([0.5**0.5, -(0.5**0.5)])


def test_another_model_behind_the_same_url_is_noticed_by_its_size(
    server: EmbeddingsServer, embedder: EndpointEmbedder
) -> None:
    embedder.embed_questions(["Frist"])
    server.embed = lambda _: (1.0, 2.0)
    with pytest.raises(EmbedderError, match="another size"):
        embedder.embed_passages(["Frist"])


def test_more_bytes_than_vectors_can_have_are_not_read(
    server: EmbeddingsServer, embedder: EndpointEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fundstelle.search.embedders.endpoint._MOST_BYTES", 1_000)
    server.replies = [Reply(body=rows([1.0]) + b" " * 1_000)]
    with pytest.raises(EmbedderError, match="answers too much"):
        embedder.embed_questions(["Frist"])


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(400), "answered 400"),
        (Reply(401), "FUNDSTELLE_EMBEDDER_KEY"),
        (Reply(404), "FUNDSTELLE_EMBEDDER "),
        (Reply(429), "answered 429"),
        (Reply(500), "answered 500"),
        (Reply(307, headers={"Location": "/other"}), "redirects are not followed"),
        (Reply(body=rows([1.0]), cut=3), "broke off"),
    ],
)
def test_a_refusal_says_what_to_do_and_repeats_neither_text_nor_key(
    server: EmbeddingsServer, embedder: EndpointEmbedder, reply: Reply, said: str
) -> None:
    server.replies = [replace(reply, body=reply.body or f"{SECRET} {KEY}".encode())]
    with pytest.raises(EmbedderError, match=said) as caught:
        embedder.embed_questions([SECRET])
    assert "127.0.0.1" in str(caught.value)
    for hidden in (SECRET, KEY):
        assert hidden not in str(caught.value)
    assert len(server.asked) == 1


def test_a_question_that_is_not_answered_in_time_fails(
    server: EmbeddingsServer, clock: Clock
) -> None:
    server.replies = [Reply(hangs=True)]
    endpoint = Endpoint(server.url, "modell", question_timeout_s=0.05)
    with (
        closing(EndpointEmbedder(endpoint, clock)) as embedder,
        pytest.raises(EmbedderError, match="does not answer within"),
    ):
        embedder.embed_questions(["Frist"])


def test_parts_that_come_in_time_are_too_slow_all_together(server: EmbeddingsServer) -> None:
    minutes = iter(range(0, 6_000, 60))
    endpoint = Endpoint(server.url, "modell")
    with (
        closing(EndpointEmbedder(endpoint, lambda: float(next(minutes)))) as embedder,
        pytest.raises(EmbedderError, match="does not answer within"),
    ):
        embedder.embed_questions(["Frist"])


def test_a_head_that_drips_is_cut_off_however_steadily(
    server: EmbeddingsServer, clock: Clock
) -> None:
    """A search waits for it on the event loop, and everybody for the search."""
    server.replies = [Reply(body=rows([3.0, 4.0]), drips=500)]
    endpoint = Endpoint(server.url, "modell", question_timeout_s=0.3)
    with (
        closing(EndpointEmbedder(endpoint, sleep=clock.sleep)) as embedder,
        pytest.raises(EmbedderError, match="does not answer within"),
    ):
        embedder.embed_questions(["Frist"])


def test_a_question_is_answered_by_no_more_than_a_vector_has(
    server: EmbeddingsServer, embedder: EndpointEmbedder
) -> None:
    """Two megabytes would be read into half a million objects, while everybody waits."""
    server.replies = [Reply(body=b'{"data":[' + b"[]," * 700_000 + b"[]]}")]
    with pytest.raises(EmbedderError, match="answers too much"):
        embedder.embed_questions(["Frist"])


def test_a_connection_stays_open_between_questions(
    server: EmbeddingsServer, embedder: EndpointEmbedder
) -> None:
    for _ in range(3):
        embedder.embed_questions(["Frist"])
    assert len({asked.port for asked in server.asked}) == 1


def test_a_name_that_is_not_resolved_in_time_is_not_waited_for(
    server: EmbeddingsServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hang(*_: object, **__: object) -> NoReturn:
        server.closing.wait(30)
        raise OSError

    endpoint = Endpoint("http://model.internal/v1/embeddings", "modell", question_timeout_s=0.05)
    monkeypatch.setattr("socket.getaddrinfo", hang)
    with (
        closing(EndpointEmbedder(endpoint)) as embedder,
        pytest.raises(EmbedderError, match="does not answer within"),
    ):
        embedder.embed_questions(["Frist"])


def test_an_endpoint_that_failed_is_left_alone_for_half_a_minute(
    server: EmbeddingsServer, embedder: EndpointEmbedder, clock: Clock
) -> None:
    server.replies = [Reply(500)]
    with pytest.raises(EmbedderError, match="answered 500"):
        embedder.embed_questions(["Frist"])
    clock.now += 29.9
    with pytest.raises(EmbedderError, match="a moment ago"):
        embedder.embed_questions(["Frist"])
    assert len(server.asked) == 1
    clock.now += 0.2
    assert embedder.embed_questions(["Frist"])[0].shape == (3,)


def test_a_question_that_is_refused_does_not_stand_in_the_way_of_others(
    server: EmbeddingsServer, embedder: EndpointEmbedder
) -> None:
    server.replies = [Reply(413)]
    with pytest.raises(EmbedderError, match="answered 413"):
        embedder.embed_questions(["Frist"])
    assert embedder.embed_questions(["Frist"])[0].shape == (3,)


def test_nobody_behind_the_url_is_an_error_that_says_so(clock: Clock) -> None:
    with serve() as gone:
        url = gone.url
    with (
        closing(EndpointEmbedder(Endpoint(url, "modell"), clock, clock.sleep)) as embedder,
        pytest.raises(EmbedderError, match="cannot be reached"),
    ):
        embedder.embed_passages(["Frist"])
    assert not clock.slept


DATES = {
    "Date": "Wed, 21 Oct 2015 07:28:00 GMT",
    "Retry-After": "Wed, 21 Oct 2015 07:28:09 GMT",
}


@pytest.mark.parametrize(
    ("headers", "waits"),
    [
        ({}, [1.0, 2.0]),
        ({"Retry-After": "7"}, [7.0, 7.0]),
        ({"Retry-After": "86400"}, [60.0, 60.0]),
        ({"Retry-After": "soon"}, [1.0, 2.0]),
    ],
)
def test_a_busy_endpoint_is_asked_again_for_passages_when_it_says_so(
    server: EmbeddingsServer,
    embedder: EndpointEmbedder,
    clock: Clock,
    headers: dict[str, str],
    waits: list[float],
) -> None:
    server.replies = [Reply(429, headers=headers), Reply(503, headers=headers)]
    assert embedder.embed_passages(["Frist"]).shape == (1, 3)
    assert clock.slept == waits


def test_a_date_to_come_back_at_is_counted_from_the_answers_own() -> None:
    headers = {name.lower(): value for name, value in DATES.items()}
    assert _read_wait(headers) == 9.0
    assert _read_wait({**headers, "date": headers["retry-after"]}) == 0.0


def test_attempts_for_passages_come_to_an_end(
    server: EmbeddingsServer, embedder: EndpointEmbedder, clock: Clock
) -> None:
    server.replies = [Reply(503)] * 10
    with pytest.raises(EmbedderError, match="answered 503"):
        embedder.embed_passages(["Frist"])
    assert len(server.asked) == 5
    assert clock.slept == [1.0, 2.0, 4.0, 8.0]


def test_a_wrong_key_is_not_tried_again(
    server: EmbeddingsServer, embedder: EndpointEmbedder, clock: Clock
) -> None:
    server.replies = [Reply(401)]
    with pytest.raises(EmbedderError, match="FUNDSTELLE_EMBEDDER_KEY"):
        embedder.embed_passages(["Frist"])
    assert not clock.slept


def test_proxies_of_the_environment_are_not_used(
    server: EmbeddingsServer, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    for name in ("NO_PROXY", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
    with closing(EndpointEmbedder(Endpoint(server.url, "modell"), clock)) as embedder:
        assert embedder.embed_questions(["Frist"])[0].shape == (3,)


def test_without_a_key_none_is_sent(server: EmbeddingsServer, clock: Clock) -> None:
    with closing(EndpointEmbedder(Endpoint(server.url, "modell"), clock)) as embedder:
        embedder.embed_questions(["Frist"])
    assert "Authorization" not in server.asked[0].headers


def name_of(endpoint: Endpoint) -> str:
    with closing(EndpointEmbedder(endpoint)) as embedder:
        return embedder.name


BASE = Endpoint("http://tei:80/v1/embeddings", "e5", "k", "query: ", "passage: ")


@pytest.mark.parametrize(
    "change",
    [
        lambda base: replace(base, url="http://other:80/v1/embeddings"),
        lambda base: replace(base, url="http://tei:80/v2/embeddings"),
        lambda base: replace(base, model="bge"),
        lambda base: replace(base, question_prefix=""),
        lambda base: replace(base, passage_prefix="query: "),
    ],
)
def test_the_name_changes_with_what_the_vectors_depend_on(
    change: Callable[[Endpoint], Endpoint],
) -> None:
    assert name_of(change(BASE)) != name_of(BASE)


def test_the_name_holds_no_secret() -> None:
    secret = replace(BASE, url=f"http://anna:{KEY}@tei:80/v1/embeddings?key={KEY}", key=KEY)
    assert name_of(secret) == name_of(BASE)
    assert KEY not in repr(secret)

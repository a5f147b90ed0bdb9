"""What a body may hold: enough for every message, too little to hold the server up."""

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fundstelle.mcp.errors import PARSE_ERROR, ProtocolError
from fundstelle.mcp.jsonrpc import MOST_CONTAINERS, decode

_CHARACTERS = st.text(alphabet='[{"\\]} a', max_size=30)


@pytest.mark.parametrize("one", [b"[]", b"{}", b'{"a":[]}', b"[" * 100 + b"]" * 100])
def test_a_body_of_countless_small_containers_is_refused_before_it_is_built(one: bytes) -> None:
    body = b'{"params":[' + b",".join([one] * (MOST_CONTAINERS + 1)) + b"]}"
    with pytest.raises(ProtocolError, match="arrays and objects") as refused:
        decode(body)
    assert refused.value.code == PARSE_ERROR


def test_it_is_refused_however_it_goes_on() -> None:
    with pytest.raises(ProtocolError, match="arrays and objects"):
        decode(b"[" + b"[]," * MOST_CONTAINERS + b'"unfinished')


def test_brackets_in_texts_are_none() -> None:
    value = {"quotes": ["[" * MOST_CONTAINERS, '\\"{[' * MOST_CONTAINERS, "\\"], "a": [1]}
    assert decode(orjson.dumps(value)) == value


@given(st.lists(_CHARACTERS, max_size=20))
def test_whatever_texts_hold_the_rest_is_counted(texts: list[str]) -> None:
    filler = "{" * (MOST_CONTAINERS + 1)  # so that it is looked at
    assert decode(orjson.dumps([filler, *texts])) == [filler, *texts]
    body = orjson.dumps([filler, *texts, [[]] * MOST_CONTAINERS])
    with pytest.raises(ProtocolError, match="arrays and objects"):
        decode(body)

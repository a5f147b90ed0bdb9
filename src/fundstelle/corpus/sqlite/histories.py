"""Reads a statute of a build with all its fassungen: what the next build goes on from."""

from itertools import groupby

from fundstelle.corpus.rows import Row, decode_fassung
from fundstelle.corpus.sqlite import queries
from fundstelle.corpus.sqlite.connection import translated
from fundstelle.corpus.sqlite.reader import SqliteCorpusStore
from fundstelle.errors import CorpusError, DamagedBuild
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
        number - first: tuple(_decode(norms[number - first].norm_id, row[1:]) for row in group)
        for number, group in groupby(rows, lambda row: row[0] // queries.VERSIONS)
    }
    return [(norm, held.get(norm.position, ())) for norm in norms]


def _decode(norm_id: str, row: Row) -> Fassung:
    try:
        return decode_fassung(norm_id, row)
    except DamagedBuild as error:
        raise CorpusError(
            f"a text of {norm_id} in the live build is damaged; make another build live with"
            " 'fundstelle corpus activate', or begin anew with 'fundstelle ingest --fresh'"
        ) from error

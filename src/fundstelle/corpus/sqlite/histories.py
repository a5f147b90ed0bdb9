"""Reads a statute of a build with all its fassungen: what the next build goes on from."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby

from fundstelle.corpus.rows import (
    Row,
    check_text,
    decode_fassung,
    decode_headings,
    encode_headings,
)
from fundstelle.corpus.sqlite import enactments, queries
from fundstelle.corpus.sqlite.connection import translated
from fundstelle.corpus.sqlite.reader import SqliteCorpusStore
from fundstelle.corpus.stored import StoredTexts
from fundstelle.errors import CorpusError, DamagedBuild
from fundstelle.law.norms import Enactment, Fassung, Headings, Norm

_NOT_KNOWN = Headings(None)  # in builds that were made before headings were kept


def read_histories(
    store: SqliteCorpusStore, statute_id: str
) -> list[tuple[Norm, tuple[Fassung, ...]]]:
    """Every norm of a statute in document order, with its fassungen, oldest first.

    Raises:
        CorpusError: the build is damaged.
    """
    with translated(store.path):
        norms, first, span = _find_span(store, statute_id)
        rows = store.connection.execute(queries.HISTORIES, span).fetchall()
        former = _read_former(store, span)
        named = enactments.read_between(store.connection, span)
    held = {}
    for number, group in groupby(rows, lambda row: row[0] // queries.VERSIONS):
        *earlier, newest = group
        norm_id = norms[number - first].norm_id
        held[number - first] = (
            *(
                _decode(norm_id, row[1:], former.get(row[0], _NOT_KNOWN), named.get(row[0]))
                for row in earlier
            ),
            _decode(norm_id, newest[1:], None, named.get(newest[0])),
        )
    return [(norm, held.get(norm.position, ())) for norm in norms]


def read_stored(store: SqliteCorpusStore, statute_id: str) -> list[tuple[Norm, StoredTexts]] | None:
    """As ``read_histories``, the texts as they are stored; their hashes are checked.

    ``None`` where acts are known by which texts came: the days of these may change.

    Raises:
        CorpusError: the build is damaged.
    """
    with translated(store.path):
        norms, first, span = _find_span(store, statute_id)
        if enactments.read_between(store.connection, span):
            return None
        rows = store.connection.execute(queries.HISTORIES, span).fetchall()
        former = _read_former(store, span)
    held: dict[int, StoredTexts] = {}
    for number, group in groupby(rows, lambda row: row[0] // queries.VERSIONS):
        texts = list(group)
        norm_id = norms[number - first].norm_id
        for _, text, digest, *_ in texts:
            with _explained(norm_id):
                check_text(text, digest, norm_id)
        headings = [former.get(number, _NOT_KNOWN) for number, *_ in texts[:-1]]
        held[number - first] = StoredTexts(
            tuple(tuple(row[1:]) for row in texts),
            tuple((place, *encode_headings(one)) for place, one in enumerate(headings)),
        )
    if len(held) < len(norms):
        return None
    return [(norm, held[norm.position]) for norm in norms]


def iter_ended(store: SqliteCorpusStore) -> Iterator[tuple[int, Fassung]]:
    """Every fassung that ended, with the ordinal of its norm, by ordinal and oldest first.

    Its headings are ``None`` where they are those of the norm. The build must be a new one.
    """
    for number, *row, title, hierarchy in store.connection.execute(queries.ENDED):
        headings = None if hierarchy is None else decode_headings((title, hierarchy))
        yield number // queries.VERSIONS, decode_fassung("", tuple(row), headings)


def _find_span(
    store: SqliteCorpusStore, statute_id: str
) -> tuple[Sequence[Norm], int, tuple[int, int]]:
    """The norms of a statute, the ordinal of the first, and the numbers of all their texts."""
    norms = store.list_norms(statute_id)
    first = store.find_ordinal(norms[0].norm_id) if norms else None
    if first is None:
        return (), 0, (0, -1)
    return norms, first, (queries.versions(first)[0], queries.versions(first + len(norms) - 1)[1])


def _read_former(store: SqliteCorpusStore, span: tuple[int, int]) -> dict[int, Headings]:
    (known,) = store.connection.execute(queries.HAS_FORMER_HEADINGS).fetchone()
    if not known:
        return {}
    rows = store.connection.execute(queries.ALL_FORMER_HEADINGS, span)
    return {fassung: decode_headings(row) for fassung, *row in rows}


def _decode(
    norm_id: str, row: Row, headings: Headings | None, enactment: Enactment | None
) -> Fassung:
    with _explained(norm_id):
        return decode_fassung(norm_id, row, headings, enactment)


@contextmanager
def _explained(norm_id: str) -> Iterator[None]:
    try:
        yield
    except DamagedBuild as error:
        raise CorpusError(
            f"a text of {norm_id} in the live build is damaged; make another build live with"
            " 'fundstelle corpus activate', or begin anew with 'fundstelle ingest --fresh'"
        ) from error

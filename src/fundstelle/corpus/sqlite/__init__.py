"""The corpus store in one SQLite file: the only package that speaks SQL."""

from fundstelle.corpus.sqlite.decisions import SqliteDecisions
from fundstelle.corpus.sqlite.histories import read_histories
from fundstelle.corpus.sqlite.reader import SqliteCorpusStore
from fundstelle.corpus.sqlite.whole import SqliteBuild
from fundstelle.corpus.sqlite.writer import SqliteCorpusWriter

__all__ = [
    "SqliteBuild",
    "SqliteCorpusStore",
    "SqliteCorpusWriter",
    "SqliteDecisions",
    "read_histories",
]

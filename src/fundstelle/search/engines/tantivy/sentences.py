"""One index of sentences: their terms, by number."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import tantivy


def build_sentence_schema() -> tantivy.Schema:
    """The fields of a sentence."""
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("terms", tokenizer_name="whitespace", index_option="freq")
    builder.add_unsigned_field("number", fast=True)
    return builder.build()


class TantivySentences:
    """One opened index. Not shared between threads."""

    def __init__(self, folder: Path) -> None:
        index = tantivy.Index.open(str(folder))
        self._schema = index.schema
        self._searcher = index.searcher()

    def foresee(self, terms: Sequence[str], limit: int) -> None:
        """Nothing: what is asked is answered at once."""

    def find(self, terms: Sequence[str], limit: int) -> Sequence[tuple[float, int]]:
        """Score and number of the sentences that hold any of the terms, best first."""
        any_term = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self._schema, "terms", term, "freq"))
            for term in terms
        ]
        hits = self._searcher.search(tantivy.Query.boolean_query(any_term), limit).hits
        numbers: list[Any] = self._searcher.fast_field_values("number", [at for _, at in hits])
        return [(hit[0], number) for hit, number in zip(hits, numbers, strict=True)]

    def close(self) -> None:
        """Release files."""
        self.__dict__.pop("_searcher", None)

"""A search engine that keeps its documents as lines: the pipeline's tests need no more."""

import errno
from collections.abc import Iterable, Sequence
from pathlib import Path

from fundstelle.search.index import (
    CitingSentence,
    HeldPart,
    SearchDocument,
    SearchIndex,
    SearchRequest,
    SearchResult,
)
from fundstelle.search.meaning.embedder import Embedder


class LinesIndex:
    def __init__(self, folder: Path) -> None:
        self.lines = (folder / "lines.txt").read_text(encoding="utf-8").splitlines()

    def search(self, request: SearchRequest) -> SearchResult:
        return SearchResult((), sum(request.query in line for line in self.lines))

    def close(self) -> None:
        """Nothing is open."""


class LinesEngine:
    def build(
        self,
        documents: Iterable[SearchDocument | HeldPart],
        folder: Path,
        same: Path | None = None,  # noqa: ARG002 the port has it
    ) -> None:
        with (folder / "lines.txt").open("x", encoding="utf-8") as file:
            for document in documents:
                assert isinstance(document, SearchDocument), "it gives no parts"
                text = document.text.replace("\n", " ")
                shown = text if document.searchable else "-"
                file.write(f"{document.ordinal} {document.norm_id} {document.ancestors} {shown}\n")

    def list_parts(self, folder: Path) -> frozenset[int]:  # noqa: ARG002
        return frozenset()

    def learn(
        self,
        sentences: Sequence[CitingSentence],
        folder: Path,
        same: Path | None = None,  # noqa: ARG002 the port has it
    ) -> str:
        lines = (f"{one.source} {one.cited} {one.text}\n" for one in sentences)
        (folder / "sentences.txt").write_text("".join(lines), encoding="utf-8")
        return f"{len(sentences)} sentences"

    def verify(self, folder: Path) -> None:
        """All of it lies in the folder."""

    def keep(self, builds: Iterable[Path]) -> None:
        """All of it lies in the folder."""

    def settle(self, live: Path | None, builds: Iterable[Path]) -> Sequence[str]:  # noqa: ARG002
        return ()

    def open(
        self,
        folder: Path,
        embedder: Embedder | None = None,
        *,
        meaning: bool = True,  # noqa: ARG002 the port has it
    ) -> SearchIndex:
        assert embedder is None, "it knows no vectors"
        return LinesIndex(folder)


class FullDiskEngine(LinesEngine):
    def build(
        self,
        documents: Iterable[SearchDocument | HeldPart],
        folder: Path,
        same: Path | None = None,
    ) -> None:
        super().build(documents, folder, same)
        raise OSError(errno.ENOSPC, "No space left on device", str(folder))

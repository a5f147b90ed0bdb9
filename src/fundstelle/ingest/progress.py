"""How an ingestion tells what it is doing; who shows it is no concern of the pipeline."""

from typing import Protocol


class Progress(Protocol):
    """Told by the pipeline in the order of the work; phases follow each other."""

    def start(self, phase: str, total: int, unit: str) -> None:
        """A phase begins; ``total`` of ``unit`` are expected, 0 = not known."""

    def advance(self, count: int) -> None:
        """So many more are done."""

    def note(self, line: str) -> None:
        """Something a person should read: a rejected file, a gap, a fallback."""

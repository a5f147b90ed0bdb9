"""The index of former texts, beside that of the newest: what norms said until they were changed.

A norm of which several texts are held stands here once for each but the newest; one that is no
longer in force, or whose law has left its publisher's list, with its last one, too.
"""

from collections.abc import Iterator
from pathlib import Path

from fundstelle.search.engines.stages.texts import LAST_DAY, Clause, Storage, Texts
from fundstelle.search.index import SearchRequest

FOLDER = "former"
_TURN = "turn.txt"  # beside the index's own files


class FormerTexts:
    """The former texts of one opened index; ``turn`` is the last day on which one became another.

    From that day on the newest texts alone count.
    """

    def __init__(self, folder: Path, storage: Storage) -> None:
        self.texts: Texts = storage.open_texts(folder)
        self._turn = int((folder / _TURN).read_text(encoding="ascii"))

    def differs_on(self, as_of: int | None) -> bool:
        """Whether any text of that day (YYYYMMDD) may not be the newest."""
        return as_of is not None and as_of < self._turn

    def iter_clauses(self, request: SearchRequest) -> Iterator[Clause]:
        """As of the newest texts, and those of the day alone."""
        yield from self.texts.iter_clauses(request)
        if request.as_of is not None:
            yield self.texts.limit("since", 0, request.as_of)
            yield self.texts.limit("until", request.as_of + 1, LAST_DAY)


def open_former(folder: Path, storage: Storage) -> FormerTexts | None:
    """The former texts beside the index in ``folder``; ``None`` if it was built without."""
    held = folder / FOLDER
    return FormerTexts(held, storage) if (held / _TURN).is_file() else None


def note_turn(folder: Path, turn: int) -> None:
    """Write beside an index of former texts from when on the newest alone count."""
    (folder / _TURN).write_text(str(turn), encoding="ascii")

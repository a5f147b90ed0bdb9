"""What the quote checks of one call may cost together."""

from dataclasses import dataclass, field

_OF_SEARCH = 200_000
_OF_PLACE = 2_000
_OF_FOLDING = 400
_COMPARED = 6  # times as much as to look through a text


@dataclass(slots=True)
class Effort:
    """Characters that may still be looked through; other work counts as so many.

    One quote needs half of it at the very most, and twenty ordinary ones a tenth. ``is_cut`` says
    that something was left out.
    """

    left: int = 6_000_000
    is_cut: bool = False
    _read: set[int] = field(default_factory=set)  # hashes of the texts that were compared

    def take_search(self) -> bool:
        """For a question to the index."""
        return self._take(_OF_SEARCH)

    def take_place(self, text: str) -> bool:
        """For reading a text and looking for the very words."""
        return self._take(len(text) + _OF_PLACE)

    def take_folding(self, text: str) -> bool:
        """For looking for them without accidents of typography."""
        return self._take(len(text) + _OF_FOLDING)

    def take_comparison(self, text: str) -> None:
        """For comparing word by word, which is done in any case; a text is read only once."""
        known = hash(text) in self._read
        self._read.add(hash(text))
        self.left -= len(text) // 2 if known else _COMPARED * len(text)

    @property
    def is_spent(self) -> bool:
        """Whether no further quote can be checked."""
        return self.left <= 0

    def _take(self, characters: int) -> bool:
        if self.left <= 0:
            self.is_cut = True
            return False
        self.left -= characters
        return True

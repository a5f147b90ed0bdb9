"""What the quote checks of one call may cost together."""

from dataclasses import dataclass, field

# In units of about 10 ns of CPU time, measured on the longest annexes with hostile quotes.
_OF_SEARCH = 100_000
_OF_PLACE = 4_000
_OF_COMPARISON = 12  # for each character of a text that is read word by word ...
_OF_QUOTE = 400  # ... and for each of a quote that is looked for there
_OF_ANALYSIS = 250  # for each character that the index is asked for
_OF_FOLDING = 2  # for each character
_OF_TRY = 100  # for each place that may be inside a word: "a" stands in most words


class EffortSpent(Exception):
    """A quote cannot be compared with a text any more."""


@dataclass(slots=True)
class Effort:
    """Work that may still be done, in units of about 10 ns.

    The longest text there is can be compared with one quote, which needs nine tenths of it, and
    twenty ordinary quotes that stand nowhere need as much. ``is_cut`` says that something was
    left out.
    """

    left: int = 10_000_000
    is_cut: bool = False
    _read: set[int] = field(default_factory=set)  # hashes of the texts that were compared

    def take_search(self, words: str) -> bool:
        """For a question to the index."""
        return self._take(_OF_SEARCH + _OF_ANALYSIS * len(words))

    def take_place(self, text: str) -> bool:
        """For reading a text and looking for the very words."""
        return self._take(len(text) // 2 + _OF_PLACE)

    def take_folding(self, text: str) -> bool:
        """For looking for them without accidents of typography."""
        return self._take(_OF_FOLDING * len(text))

    def take_tries(self, count: int) -> None:
        """For the places that were looked at for a quote's parts, which is known afterwards."""
        self.left -= _OF_TRY * count

    def take_unit(self, text: str) -> None:
        """For looking for a quote where it was said to stand, which is done in any case."""
        self.left -= _OF_FOLDING * len(text)

    def may_compare(self, text: str, quote: str) -> bool:
        """Whether a further text can be compared; that it cannot is told."""
        suffices = self._measure(text, quote) <= self.left
        self.is_cut = self.is_cut or not suffices
        return suffices

    def take_comparison(self, text: str, quote: str) -> None:
        """For comparing word by word; a text is read only once.

        Raises:
            EffortSpent: there is not enough left. One quote of a call is always compared.
        """
        wanted = self._measure(text, quote)
        if self._read and wanted > self.left:
            raise EffortSpent
        self._read.add(hash(text))
        self.left -= wanted

    def _measure(self, text: str, quote: str) -> int:
        known = hash(text) in self._read
        return _OF_QUOTE * len(quote) + (0 if known else _OF_COMPARISON * len(text))

    @property
    def is_spent(self) -> bool:
        """Whether no further quote can be checked."""
        return self.left <= 0

    def _take(self, units: int) -> bool:
        if self.left <= 0:
            self.is_cut = True
            return False
        self.left -= units
        return True

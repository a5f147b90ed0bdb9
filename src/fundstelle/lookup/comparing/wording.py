"""Comparing a quoted wording with a text: exactly, normalised, or word by word.

Normalisation forgives white space, quotation marks, hyphens, Unicode form, what divides the
thousands of a number and the marks of the text's own footnotes, nothing else; every result points
into the text as stored.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from fundstelle.lookup.comparing.differences import Difference, put_gravest_first
from fundstelle.lookup.comparing.folding import (
    POWERS,
    find_origin,
    fold,
    holds_unseen,
    limit_marks,
    mend,
)
from fundstelle.lookup.comparing.note_marks import drop_note_marks
from fundstelle.lookup.comparing.resemblance import Resemblance, find_resemblance
from fundstelle.lookup.comparing.thousands import Undivided, is_large, join_thousands

_PLAIN = re.compile(r"[A-Za-zäöüÄÖÜß]{3,}")  # what folding leaves as it is
_TELLING = 3  # plain words of a quote that are looked for first, the longest
_CUTS = 8  # parts of a quote that are cut out of words, and told
_TRIES = 10_000  # places that are looked at for parts of whole words, of all parts together
_JOINED_CHARS = 25  # that are read again for their numbers at the cost of one of them

_JOINS = ".,/:\u00b7 \u00a0\u202f\u2009"  # what may stand within a number
_BLANKS = " \u00a0\u202f\u2009"
_GROUP = re.compile(r"\d{3}(?!\d)")
_BEFORE_GROUP = re.compile(r"(?<!\d)\d{1,3}$")  # what stands before it, but no year
_DASHES = "-\u2010\u2011\u2013"
_DENIAL = re.compile(r"(?:^|[\W_])(?:nicht|non)$", re.IGNORECASE)
_LONGEST_DENIAL = 6  # with what stands before it

ENOUGH = 0.6  # share of the quote's words from which it counts as altered

# A letter whose case the author of a quote changed so that it fits the own sentence: "[d]er".
_CHANGED_CASE = re.compile(r"(?<![\w\]])\[([^\W\d_])\](?=[^\W\d_])")
_STOPS = ".,;:!? "
_ELLIPSIS = re.compile(r"\[\s*(?:\.\s?\.\s?\.|…)\s*\]|\(\s*(?:\.\s?\.\s?\.|…)\s*\)")


@dataclass(frozen=True, slots=True)
class Match:
    """Where a quote stands in a text: offsets into the text, half-open.

    ``omitted`` are the words of the text at each ``[...]``.
    """

    start: int
    end: int
    verbatim: bool
    omitted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CutMatch:
    """Where the letters of a quote stand that begins or ends inside a word: ``ein`` in ``kein``."""

    start: int
    end: int
    differences: tuple[Difference, ...]


@dataclass(frozen=True, slots=True)
class Quote:
    """The parts between ``[...]`` as written and as they are compared; none is empty.

    ``telling`` are words that no accident of typography can alter. ``whole`` are the parts without
    the hyphens that end their lines; ``joined`` are those as they are compared, their numbers
    undivided, if any has four digits. ``unbracketed`` is the same with the letters that its author
    has set in brackets, "[d]er", as they stand in the original. ``opens`` and ``closes``: it begins
    or ends with ``[...]``. ``written`` is all of it.
    """

    parts: tuple[str, ...]
    folded: tuple[str, ...]
    telling: tuple[str, ...] = ()
    whole: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    unbracketed: "Quote | None" = None
    opens: bool = False
    closes: bool = False
    written: str = ""


def read_quote(written: str) -> Quote:
    """A quote by its parts, without the white space around them and those that say nothing."""
    quote = replace(_read_quote(written), written=written)
    if "[" not in written or not quote.parts:
        return quote
    original = _CHANGED_CASE.sub(lambda letter: letter[1].swapcase(), written)
    return quote if original == written else replace(quote, unbracketed=_read_quote(original))


def _read_quote(written: str) -> Quote:
    stripped = [part.strip() for part in _ELLIPSIS.split(limit_marks(written))]
    is_cut = len(stripped) > 1
    opens, closes = is_cut and not fold(stripped[0]), is_cut and not stripped[-1].strip(_STOPS)
    if closes:  # "[...]." ends so, too: which full stop it means is not said
        stripped.pop()
    said = [(part, words) for part in stripped if (words := fold(part))]
    parts, folded = tuple(part for part, _ in said), tuple(words for _, words in said)
    whole = tuple(map(mend, parts))
    shown = folded if whole == parts else tuple(map(fold, whole))
    plain = {word for part in shown for word in _PLAIN.findall(part)}
    telling = sorted(plain, key=lambda word: (-len(word), word))[:_TELLING]
    undivided = tuple(map(join_thousands, whole))
    joined = tuple(map(fold, undivided)) if any(map(is_large, undivided)) else ()
    return Quote(parts, folded, tuple(telling), whole, joined, opens=opens, closes=closes)


class Wording:
    """A text to compare quotes with; folded once, on demand."""

    def __init__(self, text: str, notes: int = 0) -> None:
        self.text = text
        self._tries = 0  # places that were looked at for parts of whole words
        self._notes = notes  # footnotes that it has
        self._folded: str | None = None
        self._joined: tuple[Wording, Undivided] | None = None

    def find(self, quote: Quote) -> Match | None:
        """The parts one after the other, exactly or normalised; each is whole words."""
        found = self._find_marked(quote)
        if found is None and (unmarked := self.unmark(quote)) is not quote:
            found = self._find_marked(unmarked)
            return found and replace(found, verbatim=False)
        return found

    def _find_marked(self, quote: Quote) -> Match | None:
        """With all marks of footnotes that it has."""
        found = self.find_exact(quote) or self.find_folded(quote.folded)
        if found is None and quote.whole != quote.parts:
            found = self.find_folded(tuple(map(fold, quote.whole)))
        if found is None and quote.joined:
            found = self._find_joined(quote)
        if found is None and quote.unbracketed is not None:
            found = self._find_marked(quote.unbracketed)
            return found and replace(found, verbatim=False)
        return found

    def pop_tries(self) -> int:
        """How many places were looked at for the parts of quotes since this was asked last."""
        tries, self._tries = self._tries, 0
        return tries

    def unmark(self, quote: Quote) -> Quote:
        """The quote without marks of footnotes that the text has; itself where it has none."""
        unmarked = drop_note_marks(quote.written, self._notes, self._fold())
        return quote if unmarked == quote.written else read_quote(unmarked)

    def find_cut(self, quote: Quote) -> CutMatch | None:
        """The parts one after the other where some of them are cut out of words."""
        spans = self._find_in_order(self.text, quote.parts, whole=False)
        if not spans:
            folded = self._find_in_order(self._fold(), quote.folded, whole=False)
            cut = [span for span in folded if not _is_whole(self._fold(), *span)][:_CUTS]
            edges = [*folded[:1], *cut, *folded[-1:]]
            spans = [find_origin(self.text, *span) for span in edges]
        if not spans:
            return None
        start, end = spans[0][0], spans[-1][1]
        cut = [span for span in dict.fromkeys(spans) if not _is_whole(self.text, *span)][:_CUTS]
        found = [each for span in cut for each in _find_cut_words(self.text, *span)]
        return CutMatch(start, end, tuple(put_gravest_first(found))) if found else None

    def may_hold(self, quote: Quote) -> bool:
        """Whether it is worth folding: no where a word that folding leaves alone is missing."""
        if all(word in self.text for word in quote.telling):
            return True
        return holds_unseen(self.text) or not unicodedata.is_normalized("NFKC", self.text)

    def find_exact(self, quote: Quote) -> Match | None:
        """The parts one after the other, exactly."""
        found = self._find_in_order(self.text, quote.parts)
        if not found:
            return None
        omitted = _list_between(self.text, found)
        return Match(found[0][0], found[-1][1], verbatim=True, omitted=omitted)

    def find_folded(self, wanted: Sequence[str]) -> Match | None:
        """The parts, which are folded, one after the other."""
        found = self._find_in_order(self._fold(), wanted)
        if not found and len(wanted) == 1 and wanted[0][:1] == '"' == wanted[0][-1:]:
            found = self._find_in_order(self._fold(), [wanted[0].strip('" ')])
        if not found:
            return None
        low, high = found[0][0], found[-1][1]
        start, end = find_origin(self.text, low, high)
        is_part = len(fold(self.text[start:end])) != high - low  # of a sign: "1" out of "¼"
        if is_part or not _is_whole(self.text, start, end):
            return None
        return Match(start, end, verbatim=False, omitted=_list_between(self._fold(), found))

    def _find_joined(self, quote: Quote) -> Match | None:
        """As ``find_folded``, with the numbers of the text undivided."""
        if self._joined is None:
            self._tries += len(self.text) // _JOINED_CHARS
            undivided = Undivided(self.text)
            self._joined = Wording(undivided.text), undivided
        joined, undivided = self._joined
        if undivided.is_stored and quote.joined == quote.folded:
            return None
        found = joined.find_folded(quote.joined)
        self._tries += joined.pop_tries()
        if found is None:
            return None
        start, end = undivided.locate(found.start), undivided.locate(found.end - 1) + 1
        return replace(found, start=start, end=end)

    def _find_in_order(
        self, text: str, parts: Sequence[str], *, whole: bool = True
    ) -> Sequence[tuple[int, int]]:
        """Where the parts stand one after the other; nothing where one does not.

        ``whole``: none begins or ends inside a word; ``_TRIES`` places of them are looked at.
        """
        spans: list[tuple[int, int]] = []
        end, most = 0, self._tries + _TRIES
        for part in parts:
            place = text.find(part, end) if part else -1
            while whole and place >= 0 and not _is_whole(text, place, place + len(part)):
                self._tries += 1
                place = text.find(part, place + 1) if self._tries < most else -1
            if place < 0:
                return ()
            end = place + len(part)
            spans.append((place, end))
        return spans

    def _fold(self) -> str:
        if self._folded is None:
            self._folded = fold(self.text)
        return self._folded

    def compare(self, quote: Quote) -> Resemblance | None:
        """The place whose words agree best with the quote's, in order; ``None`` without any."""
        return find_resemblance(self.text, (quote.unbracketed or quote).whole)


def _find_cut_words(text: str, start: int, end: int) -> list[Difference]:
    """Where a stretch begins or ends inside a word of the text: ``ein`` out of ``kein``."""
    cut = []
    for edge, inside in ((start, start), (end, end - 1)):
        if _is_inside(text, edge):
            word = _word_around(text, inside)
            low, high = max(word[0], start), min(word[1], end)
            cut.append(Difference(text[low:high], text[word[0] : word[1]]))
    return cut


def _word_around(text: str, place: int) -> tuple[int, int]:
    low, high = place, place + 1
    while _is_inside(text, low):
        low -= 1
    while _is_inside(text, high):
        high += 1
    return low, high


def _is_whole(text: str, start: int, end: int) -> bool:
    return not (_is_inside(text, start) or _is_inside(text, end))


def _is_inside(text: str, edge: int) -> bool:
    """Whether a place is inside a word or a number; a printed sentence number is none of a word."""
    if not 0 < edge < len(text):
        return False
    left, right = text[edge - 1], text[edge]
    if left.isalpha() and right.isalpha():
        return True  # of most places that are looked at
    if left.isdecimal() and right in POWERS:
        return True
    if _is_inside_number(text, edge) or _is_denied(text, edge):
        return True
    if not (left.isalpha() or left.isdecimal()) or not (right.isalpha() or right.isdecimal()):
        return False
    return not (left.isdecimal() and right.isupper())


def _is_inside_number(text: str, edge: int) -> bool:
    """``0,15``, ``1.4.2020``, ``2016/679``, ``10 500``, ``1½``: no part of it is that number."""
    left, right = text[edge - 1], text[edge]
    if left.isdecimal() and right.isnumeric() and not right.isdecimal():
        return True
    if left in _JOINS:
        return _joins(text, edge - 1)
    return right in _JOINS and _joins(text, edge)


def _is_denied(text: str, edge: int) -> bool:
    """``nicht-öffentlich``: both sides of the dash are one word, and neither is that."""
    dash = next((at for at in (edge - 1, edge) if text[at] in _DASHES), None)
    if dash is None or not text[dash + 1 : dash + 2].isalpha():
        return False
    return _DENIAL.search(text[max(0, dash - _LONGEST_DENIAL) : dash]) is not None


def _joins(text: str, at: int) -> bool:
    """Whether a sign stands within a number; a blank does before three digits and no more."""
    if not text[at - 1 : at].isdecimal():
        return False
    if text[at] in _BLANKS:
        before = _BEFORE_GROUP.search(text, max(0, at - 4), at)
        return before is not None and _GROUP.match(text, at + 1) is not None
    return text[at + 1 : at + 2].isdecimal()


def _list_between(text: str, spans: Sequence[tuple[int, int]]) -> tuple[str, ...]:
    """The words between each part and the next."""
    return tuple(text[before[1] : after[0]].strip() for before, after in pairwise(spans))

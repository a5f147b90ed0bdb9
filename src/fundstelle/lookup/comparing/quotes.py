"""Does a quoted wording stand in the cited unit, and if not, where does it stand?"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from fundstelle.lookup.answers import DecisionHit, Hit, ProvisionHit
from fundstelle.lookup.comparing.differences import Difference
from fundstelle.lookup.comparing.effort import Effort
from fundstelle.lookup.comparing.elsewhere import Finding, find_elsewhere, name_segment
from fundstelle.lookup.comparing.framed import Framed, Lists, show_spans
from fundstelle.lookup.comparing.omissions import (
    find_turning,
    find_turning_before,
    find_turning_behind,
    list_left_out,
)
from fundstelle.lookup.comparing.resemblance import Resemblance
from fundstelle.lookup.comparing.wording import (
    ENOUGH,
    CutMatch,
    Match,
    Quote,
    Wording,
    read_quote,
)
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import format_steps, get_steps

_NEARLY_ALL = 0.9  # of the quote's words in the unit: they need no frame
_FAR_MORE = 0.1

STATUSES = ("verbatim", "normalised", "altered", "not_found", "no_text")


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """Offsets point into the stored text of the cited norm; ``segment`` is the path below it.

    ``held_id`` is that of the norm or decision, of several cited the one that has the words.
    ``left_out`` counts the differences that are not told, since they are too many. ``omitted`` are
    words with a negation or exception that the quote leaves out at a ``[...]``, or of the sentence
    where it begins or ends. ``joins``: words of a list item are quoted with those around its list,
    and other parts of the list stand between them; then ``matched_text`` has a mark there.
    """

    status: str
    matched_text: str | None = None
    start: int | None = None
    end: int | None = None
    segment: str | None = None
    differences: tuple[Difference, ...] = ()
    elsewhere: tuple[Finding, ...] = ()
    left_out: int = 0
    omitted: str = ""
    held_id: str | None = None
    joins: bool = False


def check_quote(
    library: Library, written: str, hit: Hit | None, on: date, effort: Effort | None = None
) -> QuoteCheck:
    """Compare a quote with the cited unit; ``hit`` is ``None`` where the citation was a miss.

    Several quotes of one call share an ``effort``, which tells what was left out.

    Raises:
        EffortSpent: the quote does not stand in the unit as written or normalised, and the
            effort does not suffice to compare it word by word. A first quote never raises it.
    """
    effort = effort or Effort()
    quote = read_quote(written)
    if not quote.parts:
        return QuoteCheck("not_found" if hit else "no_text")
    if hit is None:
        return QuoteCheck("no_text", elsewhere=find_elsewhere(library, quote, None, on, effort))
    said = _Said(hit, quote, effort)
    return said.find() or said.find_altered(library, on)


class _Said:
    """A unit that a quote is said to stand in; a list item comes with the words around its list."""

    def __init__(self, hit: Hit, quote: Quote, effort: Effort) -> None:
        self._hit = hit
        self._quote = quote
        self._effort = effort
        self._unit = _read_unit(hit)
        self._frames = _list_frames(hit)

    def find(self) -> QuoteCheck | None:
        """The quote as written or normalised."""
        self._effort.take_unit(self._unit.text)
        match = self._unit.find(self._quote)
        self._effort.take_tries(self._unit.pop_tries())
        if match is not None:
            return _report(self._hit, match, self._quote)
        for framed in self._frames:
            self._effort.take_unit(framed.text)
            match = framed.find(self._quote)
            self._effort.take_tries(framed.wording.pop_tries())
            if match is not None:
                return _report_framed(self._hit, framed, match, self._quote)
        return None

    def find_altered(self, library: Library, on: date) -> QuoteCheck:
        """What differs from the words of the unit, and where those of the quote stand."""
        quote = self._unit.unmark(self._quote)
        near: Resemblance | CutMatch | None = self._unit.find_cut(quote)
        wide = None
        if near is None:
            near, wide = self._compare(quote)
        elsewhere = find_elsewhere(library, quote, self._hit, on, self._effort)
        if near is None:
            return QuoteCheck("not_found", elsewhere=elsewhere, held_id=self._hit.held_id)
        first = self._hit.start
        spans = [(first + near.start, first + near.end)]
        if wide is not None:
            spans = wide.locate(near.start, near.end)
        return _report_altered(self._hit, spans, near, elsewhere)

    def _compare(self, quote: Quote) -> tuple[Resemblance | None, Framed | None]:
        """What is most like the quote; with its frame where that has far more of the words."""
        self._effort.take_comparison(self._unit.text, quote.written)
        near = self._unit.compare(quote)
        share = 0.0 if near is None else near.share
        least = max(ENOUGH, share + _FAR_MORE)
        framed = next(iter(self._frames), None) if share < _NEARLY_ALL else None
        if framed is not None and self._effort.may_compare(framed.text, quote.written):
            self._effort.take_comparison(framed.text, quote.written)
            wide = Wording(framed.text).compare(quote)
            is_more = wide is not None and wide.share >= least and wide.differences
            if wide is not None and is_more and framed.reaches(wide.start, wide.end):
                return wide, framed
        return (near, None) if share >= ENOUGH else (None, None)


def choose_unit(written: str, hits: Sequence[Hit], effort: Effort | None = None) -> Hit | None:
    """Of several units cited the one that has the words, else the first.

    Those of the first provision come first. Where the ``effort`` is spent the units that follow
    are not looked at.
    """
    if not hits:
        return None
    first = hits[0]
    ordered = sorted(hits, key=lambda hit: hit.held_id != first.held_id)
    known = {(hit.held_id, hit.start, hit.end): hit for hit in reversed(ordered)}
    cited = list(known.values())[::-1]
    if len(cited) == 1:
        return first
    quote = read_quote(written)
    effort = effort or Effort()
    held: list[tuple[Hit, Match]] = []
    for hit in cited:
        unit = _read_unit(hit)
        if not effort.take_folding(unit.text):
            break
        match = unit.find(quote)
        effort.take_tries(unit.pop_tries())
        if match is not None:
            held.append((hit, match))
    verbatim = next((hit for hit, match in held if match.verbatim), None)
    if verbatim is not None or held:
        return verbatim or held[0][0]
    return next((hit for hit in cited if _holds_framed(hit, quote, effort)), first)


def _holds_framed(hit: Hit, quote: Quote, effort: Effort) -> bool:
    for framed in _list_frames(hit):
        if not effort.take_folding(framed.text):
            return False
        found = framed.find(quote)
        effort.take_tries(framed.wording.pop_tries())
        if found is not None:
            return True
    return False


def _list_frames(hit: Hit) -> Sequence[Framed]:
    """The list item that was cited, with the words around its list."""
    if isinstance(hit, DecisionHit) or hit.unit < 0:
        return ()
    return Lists(hit.text, hit.segments).frame(hit.unit)


def _read_unit(hit: Hit) -> Wording:
    notes = len(hit.fassung.footnotes) if isinstance(hit, ProvisionHit) else 0
    return Wording(hit.text[hit.start : hit.end], notes)


def _report(hit: Hit, match: Match, quote: Quote) -> QuoteCheck:
    start, end = hit.start + match.start, hit.start + match.end
    return QuoteCheck(
        "verbatim" if match.verbatim else "normalised",
        hit.text[start:end],
        start,
        end,
        name_segment(hit.segments, start, end),
        omitted=_find_omitted(hit, (hit.start, hit.end), (start, end), match, quote),
        held_id=hit.held_id,
    )


def _report_framed(hit: Hit, framed: Framed, match: Match, quote: Quote) -> QuoteCheck:
    """Never verbatim: the words are the law's, but do not stand side by side in it."""
    spans = framed.locate(match.start, match.end)
    quoted = spans[0][0], spans[-1][1]
    around = framed.pieces[0].start, framed.pieces[-1].end
    return QuoteCheck(
        "normalised",
        show_spans(hit.text, spans),
        *quoted,
        format_steps(get_steps(hit.segments, framed.unit)),
        omitted=_find_omitted(hit, around, quoted, match, quote),
        held_id=hit.held_id,
        joins=len(spans) > 1,
    )


def _find_omitted(
    hit: Hit, unit: tuple[int, int], quoted: tuple[int, int], match: Match, quote: Quote
) -> str:
    """Words with a negation or exception that the quote leaves out of what was cited."""
    before, behind = list_left_out(hit.text, hit.segments, unit, quoted)
    said = hit.text[quoted[0] : quoted[1]]
    told = (
        find_turning(before) if quote.opens else find_turning_before(before, said),
        *map(find_turning, match.omitted),
        find_turning(behind) if quote.closes else find_turning_behind(behind, said),
    )
    return next(filter(None, told), "")


def _report_altered(
    hit: Hit,
    spans: Sequence[tuple[int, int]],
    near: Resemblance | CutMatch,
    elsewhere: tuple[Finding, ...],
) -> QuoteCheck:
    start, end = spans[0][0], spans[-1][1]
    return QuoteCheck(
        "altered",
        show_spans(hit.text, spans),
        start,
        end,
        name_segment(hit.segments, start, end),
        near.differences,
        elsewhere,
        near.left_out if isinstance(near, Resemblance) else 0,
        held_id=hit.held_id,
        joins=len(spans) > 1,
    )

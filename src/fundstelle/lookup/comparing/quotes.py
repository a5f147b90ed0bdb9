"""Does a quoted wording stand in the cited unit, and if not, where does it stand?"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from fundstelle.lookup.answers import Hit
from fundstelle.lookup.comparing.differences import Difference
from fundstelle.lookup.comparing.effort import Effort
from fundstelle.lookup.comparing.elsewhere import Finding, find_elsewhere, name_segment
from fundstelle.lookup.comparing.omissions import list_left_out
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

STATUSES = ("verbatim", "normalised", "altered", "not_found", "no_text")


@dataclass(frozen=True, slots=True)
class QuoteCheck:
    """Offsets point into the stored text of the cited norm; ``segment`` is the path below it.

    ``held_id`` is that of the norm or decision, of several cited the one that has the words.
    ``left_out`` counts the differences that are not told, since they are too many. ``omitted`` are
    words with a negation that the quote leaves out at a ``[...]``; where that begins or ends it,
    those of the sentence.
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
    unit = Wording(hit.text[hit.start : hit.end])
    effort.take_unit(unit.text)
    match = unit.find(quote)
    if match is not None:
        return _report(hit, match, quote)
    cut = unit.find_cut(quote)
    if cut is not None:
        elsewhere = find_elsewhere(library, quote, hit, on, effort)
        return _report_altered(hit, cut, elsewhere)
    effort.take_comparison(unit.text, written)
    near = unit.compare(quote)
    elsewhere = find_elsewhere(library, quote, hit, on, effort)
    if near is None or near.share < ENOUGH:
        return QuoteCheck("not_found", elsewhere=elsewhere, held_id=hit.held_id)
    return _report_altered(hit, near, elsewhere, near.left_out)


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
        text = hit.text[hit.start : hit.end]
        if not effort.take_folding(text):
            break
        match = Wording(text).find(quote)
        if match is not None:
            held.append((hit, match))
    return next((hit for hit, match in held if match.verbatim), held[0][0] if held else first)


def _report(hit: Hit, match: Match, quote: Quote) -> QuoteCheck:
    start, end = hit.start + match.start, hit.start + match.end
    status = "verbatim" if match.verbatim else "normalised"
    segment = name_segment(hit.segments, start, end)
    left_out = list(match.omitted)
    if quote.opens or quote.closes:
        before, behind = list_left_out(hit.text, hit.segments, (hit.start, hit.end), (start, end))
        left_out = [before if quote.opens else "", *left_out, behind if quote.closes else ""]
    denied = (words for words in left_out if Difference("", words).negation)
    omitted = next(denied, "")
    return QuoteCheck(
        status, hit.text[start:end], start, end, segment, omitted=omitted, held_id=hit.held_id
    )


def _report_altered(
    hit: Hit, near: Resemblance | CutMatch, elsewhere: tuple[Finding, ...], left_out: int = 0
) -> QuoteCheck:
    start, end = hit.start + near.start, hit.start + near.end
    return QuoteCheck(
        "altered",
        hit.text[start:end],
        start,
        end,
        name_segment(hit.segments, start, end),
        near.differences,
        elsewhere,
        left_out,
        held_id=hit.held_id,
    )

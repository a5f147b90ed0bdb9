"""A quote check as the tools show it."""

from typing import Any

from fundstelle.lookup.answers import Resolution
from fundstelle.lookup.comparing.effort import Effort
from fundstelle.lookup.comparing.quotes import STATUSES, QuoteCheck, check_quote, choose_unit
from fundstelle.lookup.library import Library
from fundstelle.tools.answers import schema as s

_LONGEST_MATCH = 4_000  # characters; a quote has 2,000, but [...] may stand for anything
_LEFT_OUT = " [...] "
_NOT_SOUGHT = (
    "The quote was not looked for everywhere: the text it was compared with is too long for that."
)


def check_alone(
    library: Library, quote: str, resolution: Resolution, warnings: list[str]
) -> dict[str, Any]:
    """The JSON of the check of a call's only quote; warns where something was left out."""
    effort = Effort()
    unit = choose_unit(quote, resolution.hits, effort)
    check = check_quote(library, quote, unit, resolution.on, effort)
    if effort.is_cut:
        warnings.append(_NOT_SOUGHT)
    return build_quote_check(check)


def build_quote_check(check: QuoteCheck) -> dict[str, Any]:
    """The JSON of a quote check; offsets count in the full stored text of the norm."""
    shown: dict[str, Any] = {"status": check.status}
    if check.matched_text is not None:
        shown["matched_text"] = _shorten(check.matched_text)
        shown["start"] = check.start
        shown["end"] = check.end
    if check.segment:
        shown["segment"] = check.segment
    shown["differences"] = [
        {"quoted": each.quoted, "stored": each.stored} for each in check.differences
    ]
    if check.left_out:
        shown["differences_left_out"] = check.left_out
    shown["elsewhere"] = [
        {"citation": each.citation, "norm_id": each.norm_id, "as_of": each.as_of}
        for each in check.elsewhere
    ]
    return shown


def _shorten(text: str) -> str:
    """A long stretch by its beginning and end, as one would quote it."""
    half = _LONGEST_MATCH // 2
    return text if len(text) <= _LONGEST_MATCH else text[:half] + _LEFT_OUT + text[-half:]


def quote_check_schema() -> s.Schema:
    """The schema of a quote check."""
    difference = {
        "quoted": s.text("Words of the quote; empty if the quote lacks them."),
        "stored": s.text("Words of the text; empty if the text lacks them."),
    }
    place = {
        "citation": s.text("Where the wording stands."),
        "norm_id": s.text("Its id."),
        "as_of": s.day("A day on which it stood there."),
    }
    return s.record(
        "Whether the quote stands in the cited unit; only verbatim is verified.",
        {
            "status": s.choice(
                "normalised = but for white space, quotation marks, hyphens; partial = only most"
                " of its words; no_text = the citation has no text to compare with.",
                STATUSES,
            ),
            "matched_text": s.text(
                "The words of the text that were compared; [...] in a long stretch of them."
            ),
            "start": s.integer("Their offset in the full stored text."),
            "end": s.integer("Their end, exclusive."),
            "segment": s.text("The smallest part that contains them."),
            "differences": s.array(
                "Words that differ, at most 50; for verbatim only words cut at the quote's ends.",
                s.record("A difference.", difference),
            ),
            "differences_left_out": s.integer("Differences that are not listed."),
            "elsewhere": s.array(
                "Where it stands word for word, if not here.", s.record("A place.", place)
            ),
        },
        ["status"],
    )

"""A quote check as the tools show it."""

from collections.abc import Sequence
from datetime import date
from typing import Annotated, NotRequired, TypedDict

from fundstelle.lookup.answers import Hit, Resolution
from fundstelle.lookup.comparing.corrected import say_which_wording
from fundstelle.lookup.comparing.differences import KINDS, Difference
from fundstelle.lookup.comparing.effort import Effort
from fundstelle.lookup.comparing.quotes import STATUSES, QuoteCheck, check_quote, choose_unit
from fundstelle.lookup.library import Library
from fundstelle.lookup.verdicts.beyond import say_unread, spare_unread
from fundstelle.lookup.verdicts.quoted import say_joined
from fundstelle.lookup.withheld import tell_withheld
from fundstelle.tools.answers.schema import Values

_LONGEST_MATCH = 4_000  # characters; a quote has 2,000, but [...] may stand for anything
_LEFT_OUT = " [...] "
_NOT_SOUGHT = (
    "The quote was not looked for everywhere: the text it was compared with is too long for that."
)


class ShownDifference(TypedDict):
    """Words that differ, whole on both sides."""

    kind: Annotated[str, "What the quote does with the text.", Values(KINDS)]
    quoted: Annotated[str, "Words of the quote; empty if the quote lacks them."]
    stored: Annotated[str, "Words of the text; empty if the text lacks them."]
    negation: NotRequired[Annotated[bool, "True: a negation was added or lost."]]
    number: NotRequired[Annotated[bool, "True: a number is another."]]


class ShownFind(TypedDict):
    """A place where a wording stands."""

    citation: Annotated[str, "Where the wording stands."]
    norm_id: Annotated[str, "Its id."]
    as_of: Annotated[date, "A day on which it stood there."]


class ShownQuoteCheck(TypedDict):
    """Whether a quote stands in the cited unit."""

    status: Annotated[
        str,
        "normalised = but for white space, quotation marks, hyphens, thousands separators, footnote"
        " marks, or a list item joined with its lead_in; altered = words differ; no_text = the"
        " citation has no text to compare with.",
        Values(STATUSES),
    ]
    matched_text: NotRequired[
        Annotated[str, "The words of the text that were compared; [...] in a long stretch of them."]
    ]
    start: NotRequired[Annotated[int, "Their offset in the full stored text."]]
    end: NotRequired[Annotated[int, "Their end, exclusive."]]
    norm_id: NotRequired[
        Annotated[str, "Of several cited, the one that has them, if not the first."]
    ]
    segment: NotRequired[Annotated[str, "The smallest part that contains them."]]
    omitted: NotRequired[
        Annotated[
            str, "Words with a negation or exception that the quote leaves out: tell the user."
        ]
    ]
    differences: Annotated[
        list[ShownDifference],
        "At most 50; a changed negation, number or modal verb stands first.",
    ]
    differences_left_out: NotRequired[Annotated[int, "Differences that are not listed."]]
    elsewhere: Annotated[list[ShownFind], "Where it stands word for word, if not here."]


IS_VERIFIED = (
    "Whether the quote stands in the cited unit; only verbatim without omitted is verified."
)


def check_alone(
    library: Library, quote: str, resolution: Resolution, warnings: list[str]
) -> ShownQuoteCheck:
    """The JSON of the check of a call's only quote; warns where something was left out."""
    effort = Effort()
    unit = choose_unit(quote, resolution.hits, effort)
    check = check_quote(library, quote, unit, resolution.get_day(unit), effort)
    check = spare_unread(check, resolution)
    warnings += filter(None, [say_unread(check, resolution), say_joined(check)])
    if effort.is_cut:
        warnings.append(_NOT_SOUGHT)
    warnings += say_which_wording(resolution.hits, quote)
    if check.status == "not_found":  # it may be a decision's
        warnings += tell_withheld(library)
    return build_quote_check(check, resolution.hits)


def build_quote_check(check: QuoteCheck, cited: Sequence[Hit] = ()) -> ShownQuoteCheck:
    """The JSON of a quote check; offsets count in the full stored text of the norm."""
    shown: ShownQuoteCheck = {
        "status": check.status,
        "differences": [_build_difference(each) for each in check.differences],
        "elsewhere": [
            {"citation": each.citation, "norm_id": each.norm_id, "as_of": each.day}
            for each in check.elsewhere
        ],
    }
    if check.matched_text is not None:
        shown["matched_text"] = cut_middle(check.matched_text)
    if check.start is not None and check.end is not None:
        shown["start"] = check.start
        shown["end"] = check.end
    if check.matched_text is not None and cited and check.held_id != cited[0].held_id:
        shown["norm_id"] = check.held_id or ""
    if check.segment:
        shown["segment"] = check.segment
    if check.omitted:
        shown["omitted"] = cut_middle(check.omitted)
    if check.left_out:
        shown["differences_left_out"] = check.left_out
    return shown


def _build_difference(difference: Difference) -> ShownDifference:
    shown: ShownDifference = {
        "kind": difference.kind,
        "quoted": difference.quoted,
        "stored": difference.stored,
    }
    if difference.negation:
        shown["negation"] = True
    if difference.number:
        shown["number"] = True
    return shown


def cut_middle(text: str, most: int = _LONGEST_MATCH) -> str:
    """A long stretch by its beginning and end, as one would quote it."""
    half = most // 2
    return text if len(text) <= most else text[:half] + _LEFT_OUT + text[-half:]

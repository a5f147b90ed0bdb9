"""The words quoted from a citation: the check of the worst, and what is to be said of it."""

from collections.abc import Sequence

from fundstelle.law.citations import DecisionCitation
from fundstelle.lookup.answers import DecisionHit, Resolution
from fundstelle.lookup.comparing.differences import Difference
from fundstelle.lookup.comparing.effort import Effort, EffortSpent
from fundstelle.lookup.comparing.quotes import QuoteCheck, check_quote, choose_unit
from fundstelle.lookup.library import Library

FAILED = frozenset({"altered", "not_found"})  # quotes that are not in the text as they are written
_LONGEST_OMITTED = 70
_TRUE = ("normalised", "verbatim")
_GRAVITY = (*FAILED, "no_text", *_TRUE)


def check_quotes(
    library: Library, resolution: Resolution, quotes: Sequence[str], effort: Effort
) -> tuple[QuoteCheck | None, int]:
    """The worst of the quotes, and how many were not looked at."""
    checks: list[QuoteCheck] = []
    for number, quote in enumerate(quotes):
        if effort.is_spent:
            return _find_worst(checks), len(quotes) - number
        unit = choose_unit(quote, resolution.hits, effort)
        try:
            day = resolution.get_day(unit)
            checks.append(check_quote(library, quote, unit, day, effort))
        except EffortSpent:
            return _find_worst(checks), len(quotes) - number
    return _find_worst(checks), 0


def _find_worst(checks: Sequence[QuoteCheck]) -> QuoteCheck | None:
    """One that leaves out a negation is graver than any other that is true to its words."""

    def rank(check: QuoteCheck) -> tuple[bool, int]:
        is_true = check.status in _TRUE
        return is_true and not check.omitted, _GRAVITY.index(check.status)

    return min(checks, key=rank, default=None)


def find_place(library: Library, check: QuoteCheck, resolution: Resolution) -> str | None:
    """Where the words stand on the day asked, if that is not where they are said to stand.

    What holds them on another day is no place for them on this one. A decision that has the words
    of a law is not what should have been cited, nor the reverse.
    """
    cited = {hit.citation for hit in resolution.hits}
    days = {resolution.on, *map(resolution.get_day, resolution.outcomes)}
    cites_decision = any(
        isinstance(each, DecisionCitation | DecisionHit)
        for each in (*resolution.targets, *resolution.hits)
    )
    return next(
        (
            each.citation
            for each in check.elsewhere
            if each.citation not in cited
            and each.day in days
            and cites_decision == (library.store.find_norm(each.norm_id) is None)
        ),
        None,
    )


def explain(check: QuoteCheck, placed: str | None) -> str:
    """What is wrong with the words quoted, in a sentence; empty if nothing is."""
    if placed:
        return f"The quoted words stand in {placed}."
    if check.elsewhere:
        found = check.elsewhere[0]
        return f"The quoted words stand in {found.citation} as of {found.day.isoformat()}."
    if check.status == "not_found":
        return "The quoted words were not found there, nor elsewhere."
    if check.status == "altered" and check.differences:
        return say_difference(check.differences[0])
    return say_joined(check)


def say_joined(check: QuoteCheck) -> str:
    """That a list item is quoted with the words around its list, though others stand between."""
    if check.status != "normalised" or not check.joins:
        return ""
    return (
        f"The quote joins {check.segment} and the words around its list; the parts of the list"
        " that stand between are left out."
    )


def say_omitted(words: str) -> str:
    """That a quote leaves out a negation or an exception, in a sentence."""
    what = "a negation" if is_negation(words) else "an exception"
    return f"The quote is true to its words, but leaves out {what}: „{shorten_omitted(words)}“."


def is_negation(words: str) -> bool:
    """Whether words that are left out deny; else they except."""
    return Difference("", words).negation


def shorten_omitted(words: str) -> str:
    """The words left out, as one may show them; an ellipsis where they are many."""
    return words if len(words) <= _LONGEST_OMITTED else "…"


def say_difference(difference: Difference) -> str:
    """One difference in a sentence."""
    of = "negation" if difference.negation else "number" if difference.number else ""
    turned = f" ({of})" if of else ""
    if difference.kind == "added":
        return f"Quoted, but not in the text: „{difference.quoted}“{turned}."
    if difference.kind == "removed":
        return f"In the text, but not quoted: „{difference.stored}“{turned}."
    return f"Quoted „{difference.quoted}“, the text has „{difference.stored}“{turned}."

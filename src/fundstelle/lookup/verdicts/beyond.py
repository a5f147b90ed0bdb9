"""Words quoted from more provisions than an answer reads: nothing says that they are not there."""

from fundstelle.lookup.answers import Resolution
from fundstelle.lookup.comparing.quotes import QuoteCheck
from fundstelle.lookup.verdicts.quoted import FAILED


def spare_unread(check: QuoteCheck, resolution: Resolution) -> QuoteCheck:
    """The check; without a text where the words failed and may stand in what was not read."""
    if not resolution.is_cut or check.status not in FAILED:
        return check
    return QuoteCheck("no_text", elsewhere=check.elsewhere)


def say_unread(check: QuoteCheck, resolution: Resolution) -> str:
    """That words were compared with the first provisions alone; nothing where that is not so."""
    count = len(resolution.hits)
    if not count or not resolution.is_cut or check.status != "no_text":
        return ""
    return f"The quote is not in the first {count} of what is cited; the rest was not read for it."

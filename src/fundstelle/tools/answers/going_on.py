"""The call that goes on with a text that was cut."""

from datetime import date

from fundstelle.tools.answers.envelope import hint
from fundstelle.tools.inputs.parameters import LANGUAGE
from fundstelle.tools.spec import JsonObject

GOES_ON = "The text goes on: "  # begins the warning beside such a call


def go_on(written: str, on: date, language: str, offset: int, release: str) -> JsonObject:
    """The call of ``legal_lookup`` that gives the very next characters of the first text.

    It asks the same once more: ``written`` and ``on`` are the citation and the day that were asked,
    ``language`` the one that was read in, be it a quote that chose it. ``offset`` counts from the
    beginning of the unit.
    """
    chosen = None if language == LANGUAGE.default else language
    return hint(
        "legal_lookup",
        citation=written,
        as_of=on,
        language=chosen,
        offset=offset,
        corpus_release=release,
    )

"""A draft, citation by citation."""

from dataclasses import dataclass, replace
from datetime import date

from fundstelle.lookup.comparing.effort import Effort
from fundstelle.lookup.comparing.languages import choose_language
from fundstelle.lookup.library import Library
from fundstelle.lookup.resolve import resolve_found
from fundstelle.lookup.verdicts.before import doubt_former
from fundstelle.lookup.verdicts.behind import doubt
from fundstelle.lookup.verdicts.drafts import find_sign, read_draft
from fundstelle.lookup.verdicts.judge import Verdict, judge
from fundstelle.lookup.verdicts.lent_courts import lend_courts
from fundstelle.lookup.verdicts.parallel import join_pages

MOST_CITATIONS = 150
MOST_UNITS = 500  # a list names up to twenty
MOST_SIGNS = 3_000  # of citations, read in one call; a page of a commentary has a hundred


@dataclass(frozen=True, slots=True)
class JudgedPlace:
    """A verdict and where its citation stands in the draft; offsets are half-open."""

    start: int
    end: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class DraftCheck:
    """The verdicts on the first citations of a draft, in its order.

    ``total`` counts all of them, ``unread`` are offsets of what looks like a citation and was not
    read as one, ``unowned`` of quotations that were compared with nothing: no citation has them, or
    they are too long. ``is_cut``: a quotation was not looked for everywhere. ``rest``: where so
    many signs of citations stood before that nothing behind was read, or counted. ``judged_to``:
    where the last that was judged ends, with what is quoted from it.
    """

    judged: tuple[JudgedPlace, ...]
    total: int
    unread: tuple[int, ...]
    is_cut: bool = False
    rest: int | None = None
    unowned: tuple[int, ...] = ()
    judged_to: int = 0

    @property
    def next_start(self) -> int | None:
        """Where the rest of the draft begins; ``None`` if all of it was judged."""
        if self.judged and len(self.judged) < self.total:
            return self.judged_to
        return self.rest


def check_draft(  # noqa: PLR0913 - the last three bound what it may cost
    library: Library,
    text: str,
    on: date,
    *,
    language: str = "de",
    most: int = MOST_CITATIONS,
    most_units: int = MOST_UNITS,
    shared: bool = True,
) -> DraftCheck:
    """Judge the citations of a draft as of ``on``: the first ``most``, of some ``most_units``.

    ``shared``: all quotations share what one call may cost; else each may cost as much, which is
    for who checks a text of their own.
    """
    rest = find_sign(text, MOST_SIGNS) if shared else None
    reading = read_draft(text[:rest], library.names, library.decisions)
    judged: list[JudgedPlace] = []
    known: dict[object, Verdict] = {}  # the same citation with the same words, only once
    effort = Effort()
    is_cut = False
    units = judged_to = 0
    places = lend_courts(library, join_pages(library.decisions, text, reading.places))
    for place in places[:most]:
        if units >= most_units:
            break
        found = place.found
        read = replace(found, end=place.end, text=text[found.start : place.end])
        key = read.text, found.targets, place.quotes
        verdict = known.get(key)
        if verdict is None:
            effort = effort if shared else Effort()
            of_quotes = choose_language(language, place.quotes)
            resolution = resolve_found(library, read, on, of_quotes)
            verdict = judge(library, resolution, place.quotes, effort, inferred=found.inferred)
            verdict = replace(verdict, citation=found.text)
            units += verdict.units
            is_cut = is_cut or effort.is_cut
            known[key] = verdict
        following = places[len(judged) + 1 :][:1]
        verdict = doubt(
            library,
            verdict,
            text,
            place.end,
            read=found.targets,
            further=following[0].found.start if following else None,
        )
        verdict = doubt_former(verdict, found, text)
        judged.append(JudgedPlace(found.start, found.end, verdict))
    if judged:
        behind = (each.found.start for each in places[len(judged) :])
        judged_to = min(places[len(judged) - 1].whole, next(behind, len(text)))
    unread, unowned = reading.unread, reading.unowned
    return DraftCheck(tuple(judged), len(places), unread, is_cut, rest, unowned, judged_to)

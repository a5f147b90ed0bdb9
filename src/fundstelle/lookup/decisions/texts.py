"""Court decisions: from a docket or ECLI to the words, down to a Randnummer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from string import ascii_lowercase

from fundstelle.citations.decisions.courts import find_last_court
from fundstelle.citations.decisions.signs import is_of_one_court
from fundstelle.corpus.decisions import DecisionStore
from fundstelle.law.citations import DecisionCitation, PathStep, Target
from fundstelle.law.decisions import Decision, DecisionText, PartKind, Passage, docket_core
from fundstelle.law.norms import Level, Segment
from fundstelle.lookup.answers import DecisionHit, Evidence, Miss, Place, Suggestion
from fundstelle.lookup.decisions.kinds import keep_kind
from fundstelle.lookup.decisions.passages import cut_own, cut_printed, list_passages, split_id
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import reasons as misses
from fundstelle.lookup.parts.following import NoUnit, find_units
from fundstelle.lookup.parts.units import format_steps

MOST_CANDIDATES = 5

_DOTTED = re.compile(r"\d{1,3}[a-z]? [A-Z][A-Za-z]{0,2} \d{1,5}\.\d\d")
_MOST_PASSAGES = 20
_MOST_GAPS = 12
_OPENING = frozenset({PartKind.HEAD, PartKind.LEITSATZ, PartKind.ORIENTIERUNGSSATZ, PartKind.TENOR})


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a decision or a heading in it, for its outline; ``size`` in characters."""

    label: str
    start: int
    size: int
    level: int
    first_passage: str | None
    last_passage: str | None


def resolve_decision(
    library: Library, written: str, target: DecisionCitation, targets: Sequence[Target] = ()
) -> Sequence[DecisionHit | Miss]:
    """The decision, or the Randnummern named with it; candidates where several may be meant.

    ``targets`` is everything that is cited with it.
    """
    meant = drop_guessed_court(written, target)
    found = find_meant(library, written, meant)
    if not found:
        near = _list_near(library, meant)[:MOST_CANDIDATES]
        return [misses.decision_not_held(written, meant, near)]
    cited = [one for one in targets if isinstance(one, DecisionCitation)]
    if not target.ecli and len(cited) <= 1:  # beside others no kind is known to be said of it
        found = keep_kind(written, held := found)
        if not found:
            return [misses.decision_not_held(written, meant, held[:MOST_CANDIDATES])]
    if len(found) > 1 or is_shared(meant):
        return [_ambiguous(written, meant, found)]
    return open_at(library, written, found[0], targets, target)


def open_at(
    library: Library,
    written: str,
    decision: Decision,
    targets: Sequence[Target] = (),
    target: Target | None = None,
) -> list[DecisionHit | Miss]:
    """The decision, cut to the Randnummern that are written of it; each of a list.

    ``target`` led to it, of all the ``targets`` of the citation.
    """
    hit = open_decision(library, decision)
    numbers = list_passages(cut_own(library.decisions, written, decision, targets, target))
    if not numbers:
        return [hit]
    held = {segment.value for segment in hit.segments}
    # "Rn. 58f" is 58 and the next, if there is no Rn. 58f
    firsts = [
        (first, last)
        if first in held
        else (first.rstrip("f"), last or first[len(first.rstrip("f")) :])
        for first, last in numbers
    ]
    cut: list[DecisionHit | Miss] = [
        _cut(hit, written, first, last or None)
        for first, last in dict.fromkeys(firsts[:_MOST_PASSAGES])
    ]
    if len(firsts) > _MOST_PASSAGES:
        cut.append(misses.too_many_passages(written, decision, _MOST_PASSAGES))
    return cut


def find_as_printed(library: Library, written: str) -> Sequence[DecisionHit | Miss]:
    """The one decision that answers cite just so, with or without Randnummern; else nothing.

    The grammar does not read every Aktenzeichen that courts use, and of some decisions only the
    collection and its number are known.
    """
    found = list_as_printed(library.decisions, written)
    return open_at(library, written, found[0]) if len(found) == 1 else []


def list_as_printed(decisions: DecisionStore, written: str) -> list[Decision]:
    """Every decision that answers cite just so, with or without Randnummern."""
    return decisions.list_printed(cut_printed(written))


def find_by_id(library: Library, written: str) -> DecisionHit | None:
    """The decision that an id or ECLI names."""
    decision = library.decisions.find(written)
    return None if decision is None else open_decision(library, decision)


def find_by_id_at(library: Library, written: str) -> Sequence[DecisionHit | Miss]:
    """The Randnummern behind the id of a decision: ``de/bgh/…/urteil Rn. 5``."""
    named = split_id(written)
    decision = library.decisions.find(named) if named else None
    return [] if decision is None else open_at(library, written, decision)


def find_meant(library: Library, written: str, target: DecisionCitation) -> Sequence[Decision]:
    """As ``find_decisions``; the Aktenzeichen is read to its end in what is written."""
    return _find_written_out(library, written, target) or find_decisions(library, target)


def find_decisions(library: Library, target: DecisionCitation) -> Sequence[Decision]:
    """Every decision that a citation can mean, newest first."""
    decisions = library.decisions
    if target.ecli:
        decision = decisions.find(target.ecli)
        if decision is not None:
            return [decision]
    if not target.docket:
        return []
    found = _keep_meant(decisions.list_by_docket(target.docket), target)
    if found or not (target.court and target.issued_on):
        return found
    # Court and day tell which of the decisions under that number is meant.
    return _keep_meant(decisions.list_by_core(target.docket), target)


def drop_guessed_court(written: str, target: DecisionCitation) -> DecisionCitation:
    """A dot before the year is how the BVerwG writes, but courts of Berlin and others do, too.

    Where no court is written, it is none of the citation.
    """
    if target.court != "BVerwG" or target.ecli or not _DOTTED.fullmatch(target.docket or ""):
        return target
    named = find_last_court(written, 0, len(written))
    return replace(target, court=None) if named is None else target


def is_shared(meant: DecisionCitation) -> bool:
    """Whether nothing but an Aktenzeichen is cited, and that of a form which many courts give.

    That only one of them has a decision here says nothing of the others.
    """
    if meant.ecli or meant.court or meant.issued_on or not meant.docket:
        return False
    return not is_of_one_court(meant.docket)


def _find_written_out(
    library: Library, written: str, target: DecisionCitation
) -> Sequence[Decision]:
    """Those whose Aktenzeichen stands there to its end, which the grammar cuts: "10 U 61/23 e"."""
    if not target.docket:
        return []
    longer = _keep_meant(_list_longer(library, target.docket), target)
    return [one for one in longer if any(_is_written(written, docket) for docket in one.dockets)]


def _list_longer(library: Library, docket: str) -> list[Decision]:
    """Those whose Aktenzeichen goes on behind this one, or behind its year: "7 K 805/08.F (3)"."""
    core = docket_core(docket)
    found = library.decisions.list_by_core(docket)
    return [*found, *library.decisions.list_by_core(core)] if core else found


def _is_written(written: str, docket: str) -> bool:
    marks = (r"\s?[./]\s?" if mark in "./" else re.escape(mark) for mark in "".join(docket.split()))
    spaced = r"\s*".join(marks)
    return re.search(rf"{spaced}(?![^\W_])", written, re.IGNORECASE) is not None


def _list_near(library: Library, target: DecisionCitation) -> Sequence[Decision]:
    """Decisions of that court and Aktenzeichen of other days, then those where it goes on."""
    if not target.docket:
        return []
    undated = replace(target, issued_on=None)
    same = _keep_meant(library.decisions.list_by_docket(target.docket), undated)
    same = same if target.court else []
    return [*same, *_keep_meant(library.decisions.list_by_core(target.docket), undated)]


def _keep_meant(found: Sequence[Decision], target: DecisionCitation) -> Sequence[Decision]:
    if target.court:
        found = [one for one in found if one.court == target.court]
    if target.issued_on:
        day = date.fromisoformat(target.issued_on)
        found = [one for one in found if one.issued_on in {day, None}]
    return found


def open_decision(library: Library, decision: Decision) -> DecisionHit:
    """The whole decision, its Randnummern as segments."""
    text = library.decisions.find_text(decision.decision_id)
    assert text is not None, "a build holds the words of each of its decisions"
    return DecisionHit(
        decision,
        text,
        tuple(
            Segment(Level.RANDNUMMER, each.number, each.start, each.end, each.body, -1)
            for each in text.passages
        ),
        decision.issued_on or library.store.manifest.stand,
        decision.citation,
        0,
        len(text.text),
        warn_of_decision(decision, text),
    )


def warn_of_decision(decision: Decision, text: DecisionText) -> tuple[str, ...]:
    """What is to be said of a decision as a whole, and of the text that is held of it."""
    return (*_warn(decision), *(_warn_of_gaps(text) if decision.text_complete else ()))


def _warn(decision: Decision) -> tuple[str, ...]:
    shortened = "The publisher shortened this decision; the full text is not held here."
    return (*decision.doubts, *(() if decision.text_complete else (shortened,)))


def _warn_of_gaps(text: DecisionText) -> tuple[str, ...]:
    """Which Randnummern cannot be told in the text held, where some can."""
    missing = [
        str(before + 1) if after == before + 2 else f"{before + 1}-{after - 1}"
        for before, after in pairwise((0, *map(_count, text.passages)))
        if after > before + 1
    ]
    if not missing:
        return ()
    named = ", ".join(missing[:_MOST_GAPS]) + (", …" if len(missing) > _MOST_GAPS else "")
    return (f"Where these Randnummern begin cannot be told in the text held: {named}.",)


def _count(passage: Passage) -> int:
    return int(passage.number.rstrip(ascii_lowercase))


def _warn_of_end(whole: DecisionHit, last: int) -> tuple[str, ...]:
    """Whether what is cited may run on into a Randnummer that cannot be told."""
    passages = whole.decision_text.passages
    if last + 1 >= len(passages):
        return ()
    here, after = passages[last], passages[last + 1]
    if _count(after) <= _count(here) + 1 or here.end + 1 < after.start:
        return ()
    following = _count(here) + 1
    return (f"Where Rn. {following} begins cannot be told; Rn. {here.number} may run on into it.",)


def _cut(whole: DecisionHit, written: str, first: str, last: str | None) -> DecisionHit | Miss:
    segments = whole.segments
    step = PathStep(Level.RANDNUMMER, first, last)
    units = find_units(segments, [step], complete=True)
    if isinstance(units, NoUnit):
        return _no_passage(whole, written, units.step.value)
    start, end = segments[units.found[0]].start, segments[units.found[-1]].end
    warnings = [*_warn(whole.decision), *_warn_of_end(whole, units.found[-1])]
    if last in {"f", "ff"} and len(units.found) == 1:
        warnings.append(f"Nothing follows Rn. {first} there.")
    return replace(
        whole,
        citation=f"{whole.citation}, {format_steps([step])}",
        start=start,
        end=end,
        warnings=tuple(warnings),
    )


def _no_passage(whole: DecisionHit, written: str, number: str) -> Miss:
    passages = whole.segments
    suggestion = Suggestion(whole.citation, whole.held_id, "the decision as a whole")
    step = "Look the decision up without the Randnummer for its outline."
    if not passages:
        reason = f"The text held of {whole.citation} has no Randnummern."
        return Miss(written, "not_in_corpus", reason, step, suggestions=(suggestion,))
    untold = _find_untold(whole, written, number)
    if untold is not None:
        return untold
    first, last = (
        Place(f"{whole.citation}, Rn. {segment.value}", whole.held_id)
        for segment in (passages[0], passages[-1])
    )
    reason = (
        f"{whole.citation} has no Rn. {number}; it has Rn. {passages[0].value} to"
        f" {passages[-1].value}."
    )
    evidence = Evidence(first=first, last=last)
    return Miss(written, "subunit_does_not_exist", reason, step, evidence, (suggestion,))


def _find_untold(whole: DecisionHit, written: str, number: str) -> Miss | None:
    """The miss for a Randnummer that is printed but cannot be told; ``None`` if there is none."""
    wanted = int(number.rstrip(ascii_lowercase))
    passages = whole.decision_text.passages
    before = [each.number for each in passages if _count(each) < wanted]
    after = [each.number for each in passages if _count(each) > wanted]
    if not after or any(_count(each) == wanted for each in passages):
        return None
    behind = f"between Rn. {before[-1]} and Rn. {after[0]}" if before else f"before Rn. {after[0]}"
    near = [*before[-1:], *after[:1]]
    return Miss(
        written,
        "not_in_corpus",
        f"Where Rn. {number} of {whole.citation} begins cannot be told in the text held; it"
        f" stands {behind}.",
        "Read the Randnummern beside it, or the decision as a whole.",
        suggestions=tuple(
            Suggestion(f"{whole.citation}, Rn. {one}", whole.held_id, f"Rn. {one}") for one in near
        ),
    )


def _ambiguous(written: str, target: DecisionCitation, found: Sequence[Decision]) -> Miss:
    cited, count = target.docket or target.ecli, len(found)
    reason = (
        f"{count} decisions are held under {cited}."
        if count > 1
        else f"Many courts give numbers such as {cited}, and none is named; held here is one of"
        f" the {found[0].court}."
    )
    return Miss(
        written,
        "ambiguous",
        reason,
        "Ask again with court and date, or with the id of the one that is meant.",
        suggestions=tuple(
            Suggestion(one.citation, one.decision_id, one.title or one.court)
            for one in found[:MOST_CANDIDATES]
        ),
    )


def find_opening_end(text: DecisionText) -> int:
    """Where head, Leitsatz and Tenor end, if the decision begins with them; else 0."""
    end = 0
    for part in text.parts:
        if part.kind not in _OPENING:
            break
        end = part.end
    return end


def list_outline(text: DecisionText) -> list[Section]:
    """The parts of a decision and the headings in its reasons, in order, with their sizes."""
    marks = [(part.start, 0, part.label or _name(part.kind)) for part in text.parts]
    starts = {mark[0] for mark in marks}
    marks += [
        (each.start, each.level, text.text[each.start : each.end].strip())
        for each in text.headings
        if each.start not in starts
    ]
    marks.sort()
    rows = []
    for place, (start, level, label) in enumerate(marks):
        following = [other[0] for other in marks[place + 1 :] if other[1] <= level]
        end = following[0] if following else len(text.text)
        inside = [each.number for each in text.passages if start <= each.start < end]
        first, last = (inside[0], inside[-1]) if inside else (None, None)
        rows.append(Section(label, start, end - start, level, first, last))
    return rows


def _name(kind: PartKind) -> str:
    return kind.value.replace("_", " ").replace("ue", "ü").capitalize()

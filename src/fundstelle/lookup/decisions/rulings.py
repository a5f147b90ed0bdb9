"""Court decisions: from a docket or ECLI to the words, down to a Randnummer."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from fundstelle.law.citations import DecisionCitation, PathStep
from fundstelle.law.decisions import Decision, DecisionText, DecisionType, PartKind
from fundstelle.law.norms import (
    DatePrecision,
    Fassung,
    Level,
    Norm,
    NormKind,
    NormStatus,
    Segment,
    Statute,
)
from fundstelle.lookup.answers import (
    Evidence,
    Hit,
    Miss,
    Outcome,
    Place,
    Ruling,
    Suggestion,
)
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import reasons as misses
from fundstelle.lookup.units import NoUnit, find_units, format_steps

MOST_CANDIDATES = 5

# "Rn. 12", "RdNr 17", "Rz. 13 bis 15", "Tz. 19"
_PINPOINT = re.compile(
    r"\b(?:Rn|Rdn|RdNr|Rdnr|Randnr|Randnummern?|Rz|Tz|para(?:graph)?s?)\.?\s*"
    r"(?P<first>\d+[a-z]?)(?:\s*(?:-|–|bis|to)\s*(?P<last>\d+[a-z]?))?",
    re.IGNORECASE,
)
_WORDS = {
    DecisionType.URTEIL: "Urteil",
    DecisionType.BESCHLUSS: "Beschluss",
    DecisionType.GERICHTSBESCHEID: "Gerichtsbescheid",
    DecisionType.VERFUEGUNG: "Verfügung",
    DecisionType.BESCHEID: "Bescheid",
    DecisionType.GUTACHTEN: "Gutachten",
    DecisionType.SCHLUSSANTRAEGE: "Schlussanträge",
    DecisionType.OTHER: "Entscheidung",
}
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


def cite_decision(decision: Decision) -> str:
    """``BGH, Urteil vom 15.03.2022 - VI ZR 1/21``."""
    word = _WORDS[decision.decision_type]
    day = f" vom {decision.issued_on:%d.%m.%Y}" if decision.issued_on else ""
    dockets = f" - {', '.join(decision.dockets)}" if decision.dockets else ""
    return f"{decision.court}, {word}{day}{dockets}"


def resolve_decision(library: Library, written: str, target: DecisionCitation) -> Outcome:
    """The decision, or the Randnummern named with it; candidates where several may be meant."""
    found = find_decisions(library, target)
    if not found:
        return misses.decision_not_held(written, target)
    if len(found) > 1:
        return _ambiguous(written, target, found)
    return open_at(library, written, found[0])


def open_at(library: Library, written: str, decision: Decision) -> Outcome:
    """The decision, cut to the Randnummern that are written."""
    hit = open_decision(library, decision)
    pinpoint = _PINPOINT.search(written)
    return hit if pinpoint is None else _cut(hit, written, pinpoint["first"], pinpoint["last"])


def find_by_id(library: Library, written: str) -> Hit | None:
    """The decision that an id or ECLI names."""
    decision = library.decisions.find(written)
    return None if decision is None else open_decision(library, decision)


def find_decisions(library: Library, target: DecisionCitation) -> Sequence[Decision]:
    """Every decision that a citation can mean, newest first."""
    decisions = library.decisions
    if target.ecli:
        decision = decisions.find(target.ecli)
        if decision is not None:
            return [decision]
    if not target.docket:
        return []
    found = decisions.list_by_docket(target.docket)
    if target.court:
        found = [one for one in found if one.court == target.court]
    if target.issued_on:
        day = date.fromisoformat(target.issued_on)
        found = [one for one in found if one.issued_on in {day, None}]
    return found


def open_decision(library: Library, decision: Decision) -> Hit:
    """The whole decision in the shape of a norm, its Randnummern as segments."""
    text = library.decisions.find_text(decision.decision_id)
    assert text is not None, "a build holds the words of each of its decisions"
    stand = decision.issued_on or library.store.manifest.stand
    url = next((source.url for source in decision.sources if source.url), "")
    statute = Statute(
        statute_id=decision.decision_id,
        slug="",
        publisher_id=decision.sources[0].publisher_id if decision.sources else "",
        abbreviation=decision.court,
        abbreviations_juris=(),
        abbreviation_official=None,
        title=decision.title or cite_decision(decision),
        short_title=None,
        issued_on=decision.issued_on,
        publication=None,
        stand_notes=(),
        document_kind="decision",
        listed=True,
        source_url=url,
        stand=stand,
        norm_count=0,
        source_type=decision.source_type,
        jurisdiction=decision.jurisdiction,
        language=decision.language,
    )
    norm = Norm(
        norm_id=decision.decision_id,
        statute_id=decision.decision_id,
        position=0,
        kind=NormKind.DECISION,
        number="",
        number_end=None,
        label=decision.dockets[0] if decision.dockets else decision.decision_id,
        title=decision.title,
        citation=cite_decision(decision),
        level=1,
        parent_id=None,
        hierarchy=(),
        status=NormStatus.IN_FORCE,
        publisher_id=statute.publisher_id,
    )
    return Hit(
        statute,
        norm,
        _build_fassung(text, stand),
        norm.citation,
        0,
        len(text.text),
        ruling=Ruling(decision, text),
        warnings=_warn(decision),
    )


def _warn(decision: Decision) -> tuple[str, ...]:
    if decision.text_complete:
        return ()
    return ("The publisher shortened this decision; the full text is not held here.",)


def _build_fassung(text: DecisionText, stand: date) -> Fassung:
    segments = tuple(
        Segment(Level.RANDNUMMER, each.number, each.start, each.end, each.body, -1)
        for each in text.passages
    )
    return Fassung(
        norm_id=text.decision_id,
        text=text.text,
        text_sha256=text.text_sha256,
        segments=segments,
        tables=(),
        footnotes=(),
        notes=(),
        in_force_from=None,
        in_force_until=None,
        date_precision=DatePrecision.UNKNOWN,
        stand=stand,
    )


def _cut(whole: Hit, written: str, first: str, last: str | None) -> Outcome:
    segments = whole.fassung.segments
    step = PathStep(Level.RANDNUMMER, first, last)
    units = find_units(segments, [step], complete=True)
    if isinstance(units, NoUnit):
        return _no_passage(whole, written, first)
    start, end = segments[units.found[0]].start, segments[units.found[-1]].end
    return replace(
        whole,
        citation=f"{whole.citation}, {format_steps([step])}",
        start=start,
        end=end,
        unit=units.found[0] if len(units.found) == 1 else -1,
    )


def _no_passage(whole: Hit, written: str, number: str) -> Miss:
    passages = whole.fassung.segments
    suggestion = Suggestion(whole.citation, whole.norm.norm_id, "the decision as a whole")
    step = "Look the decision up without the Randnummer for its outline."
    if not passages:
        reason = f"The text held of {whole.citation} has no Randnummern."
        return Miss(written, "not_in_corpus", reason, step, suggestions=(suggestion,))
    first, last = (
        Place(f"{whole.citation}, Rn. {segment.value}", whole.norm.norm_id)
        for segment in (passages[0], passages[-1])
    )
    reason = (
        f"{whole.citation} has no Rn. {number}; it has Rn. {passages[0].value} to"
        f" {passages[-1].value}."
    )
    evidence = Evidence(first=first, last=last)
    return Miss(written, "subunit_does_not_exist", reason, step, evidence, (suggestion,))


def _ambiguous(written: str, target: DecisionCitation, found: Sequence[Decision]) -> Miss:
    return Miss(
        written,
        "ambiguous",
        f"{len(found)} decisions are held under {target.docket or target.ecli}.",
        "Ask again with court and date, or with the id of the one that is meant.",
        suggestions=tuple(
            Suggestion(cite_decision(one), one.decision_id, one.title or one.court)
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

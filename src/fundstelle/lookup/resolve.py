"""From a written reference and a day to the exact words, or to the miss."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from fundstelle.citations.format import format_citation
from fundstelle.citations.laws.versions import AS_OF, UNTIL
from fundstelle.law.citations import (
    DecisionCitation,
    EuCitation,
    FoundCitation,
    GazetteCitation,
    NormCitation,
    ReporterCitation,
    Target,
)
from fundstelle.law.identifiers import is_id
from fundstelle.law.norms import Level, NormKind
from fundstelle.lookup.acts import find_in_edition, resolve_eu
from fundstelle.lookup.answers import (
    DecisionHit,
    LawHit,
    Miss,
    Outcome,
    ProvisionHit,
    Resolution,
)
from fundstelle.lookup.dating.in_time import ask_for_version
from fundstelle.lookup.dating.newer import warn_of_newer
from fundstelle.lookup.decisions.contradictions import list_contradictions, say_unknown_day
from fundstelle.lookup.decisions.pages import drop_same, resolve_page
from fundstelle.lookup.decisions.texts import (
    find_as_printed,
    find_by_id,
    find_by_id_at,
    resolve_decision,
)
from fundstelle.lookup.labels import is_cited_so, prefer_printed
from fundstelle.lookup.library import Library
from fundstelle.lookup.members import resolve_member
from fundstelle.lookup.misses import laws as law_misses
from fundstelle.lookup.misses import reasons as misses
from fundstelle.lookup.misses.unread import miss_anchor, miss_unread
from fundstelle.lookup.parts.printed import prefer_printed_unit
from fundstelle.lookup.parts.units import format_steps
from fundstelle.lookup.provisions import MOST_TARGETS, Found, resolve_german
from fundstelle.lookup.reading.annexed import find_anchor, is_named
from fundstelle.lookup.reading.decision_forms import is_decision_id
from fundstelle.lookup.reading.own_words import list_foreign
from fundstelle.lookup.reading.pages import Page, read_page
from fundstelle.lookup.reading.written import Reading, read
from fundstelle.lookup.texts import (
    NO_BOUND,
    LookupRequest,
    cut_anchored,
    read_norm,
    read_units,
)
from fundstelle.lookup.whole import warn_of_law
from fundstelle.lookup.withheld import is_withheld, miss_withheld

_DENIED = frozenset({"norm_does_not_exist", "subunit_does_not_exist"})


def resolve(
    library: Library, written: str, on: date, language: str = "de", *, most: int = NO_BOUND
) -> Resolution:
    """Every unit that ``written`` means, as it stood on ``on``; the first ``most`` of a list.

    A day named by the citation itself ("in der am … geltenden Fassung") goes before ``on``.
    """
    written = written.strip()
    question = LookupRequest(library, written, on, language, most)
    page = read_page(written, library.base_url)
    if page is not None:
        return _resolve_page(question, page)
    named = _find_by_id(question) if is_id(written) else None
    if named is not None:
        return Resolution(written, (), (named,), 1, on)
    if is_id(written) and (cut := find_by_id_at(library, written)):
        return Resolution(written, (), tuple(cut), len(cut), on)
    return _resolve_read(question, read(written, library))


def _resolve_page(question: LookupRequest, page: Page) -> Resolution:
    """What a page of this server shows, and of it the part that its anchor names."""
    library, written, on = question.library, question.written, page.on or question.on
    found = resolve(library, page.reference, on, question.language, most=question.most)
    outcomes = found.outcomes
    if page.anchor and not page.is_passage and isinstance(outcomes[0], ProvisionHit):
        asked = replace(question, on=on)
        outcomes = (cut_anchored(asked, outcomes[0], page.anchor),)
    return replace(found, written=written, outcomes=outcomes)


def _resolve_read(question: LookupRequest, reading: Reading | Miss) -> Resolution:
    """As ``resolve``, of what is no id and has been read."""
    library, written, on = question.library, question.written, question.on
    resolution = (
        Resolution(written, (), (reading,), 1, on)
        if isinstance(reading, Miss)
        else _resolve_reading(question, reading)
    )
    if is_cited_so(resolution):
        return resolution
    if len(resolution.outcomes) > 1 or isinstance(resolution.outcomes[0], Miss):
        printed = find_as_printed(library, written)
        if printed:
            return Resolution(written, (), tuple(printed), len(printed), on)
    resolution = prefer_printed_unit(question, prefer_printed(question, resolution))
    if is_withheld(library, resolution):
        return Resolution(written, (), (miss_withheld(written),), 1, on)
    return resolution


def _find_by_id(question: LookupRequest) -> Outcome | None:
    """The norm or decision of that very id; of an EU act in the language wanted."""
    library, written = question.library, question.written
    norm = library.store.find_norm(written)
    if norm is not None:
        norm = find_in_edition(library, norm, question.language)
        statute = library.store.statutes[norm.statute_id]
        return misses.add_age(read_norm(question, statute, norm), library, statute)
    if library.withheld is not None and is_decision_id(written):
        return miss_withheld(written)
    return find_by_id(library, written)


def resolve_found(
    library: Library, found: FoundCitation, on: date, language: str = "de"
) -> Resolution:
    """Every unit that a citation in a text means.

    As ``resolve`` takes its words alone, unless the text around says more of them: which law or
    which court is meant.
    """
    alone = read(found.text, library)
    question = LookupRequest(library, found.text, on, language)
    if isinstance(alone, Reading) and alone.targets == found.targets:
        if is_id(found.text):
            return resolve(library, found.text, on, language)
        return _resolve_read(question, alone)  # a long list is read once
    return _resolve_reading(question, Reading(found.targets, found.normalised))


def resolve_target(
    library: Library, target: Target, written: str, on: date, language: str = "de"
) -> Sequence[Outcome]:
    """What one citation found in a text comes to; ``written`` are its words there."""
    question = LookupRequest(library, written, on, language)
    return _resolve_on_its_day(question, target, Reading((target,))).outcomes


def _resolve_reading(question: LookupRequest, reading: Reading) -> Resolution:
    outcomes: list[Outcome] = []
    beyond: list[Outcome] = []
    doubts: list[str] = []
    total = unread = left = 0  # meant; not shown; not looked up at all
    shown = min(MOST_TARGETS, question.most)
    for number, target in enumerate(reading.targets):
        if len(outcomes) >= shown:
            unread = len(reading.targets) - number
            rest = reading.targets[number:]
            asked = replace(question, most=question.most - len(outcomes))
            absent = sum(isinstance(each, Miss) for each in outcomes)
            named, left_out = _resolve_named(asked, rest, reading, absent)
            beyond += named
            left += left_out
            break
        asked = replace(question, most=question.most - len(outcomes))
        found = _resolve_on_its_day(asked, target, reading)
        fresh = list(found.outcomes)
        if isinstance(target, ReporterCitation | DecisionCitation):  # parallel, or joined cases
            fresh = drop_same(outcomes, fresh)
        total += len(fresh) + found.beyond
        left += found.beyond if asked.most < MOST_TARGETS else 0
        room = shown - len(outcomes)
        outcomes += fresh[:room]
        beyond += (each for each in fresh[room:] if not _is_within(each))
        doubts += found.notes
    on = _find_common_day(outcomes) or question.on
    outcomes = _compare_anchor(replace(question, on=on), reading, outcomes)
    not_understood = _list_unread(reading, outcomes)
    if not_understood:
        unread_misses = tuple(miss_unread(question.written, not_understood, outcomes))
        normalised = tuple(dict.fromkeys((*reading.normalised, *doubts)))
        return Resolution(
            question.written, reading.targets, unread_misses, len(unread_misses), on, normalised
        )
    warnings: tuple[str, ...] = ()
    total += unread
    if total > len(outcomes):
        first = (
            f"{'At least ' if unread else ''}{total} provisions are meant; the first"
            f" {len(outcomes)} are given. Ask for the rest separately."
        )
        warnings = (first,)
    return Resolution(
        question.written,
        reading.targets,
        (*outcomes, *(each for each in beyond if isinstance(each, Miss))),
        total,
        on,
        tuple(dict.fromkeys((*reading.normalised, *doubts))),
        warnings,
        tuple(each for each in beyond if not isinstance(each, Miss)),
        left,
        tuple(dict.fromkeys(doubts)),
    )


def _resolve_named(
    question: LookupRequest, targets: Sequence[Target], reading: Reading, absent: int
) -> tuple[list[Outcome], int]:
    """What is named beyond what an answer shows, and how many are not looked up for the bound.

    Of a range its ends, and nothing of what follows; nothing more once as much is ``absent`` as
    an answer shows.
    """
    named: list[Outcome] = []
    for number, target in enumerate(targets):
        if absent >= MOST_TARGETS:
            break
        if len(named) >= question.most:
            return named, len(targets) - number
        for end in _list_ends(target):
            outcomes = _resolve_on_its_day(question, end, reading).outcomes
            absent += sum(isinstance(each, Miss) for each in outcomes)
            named += outcomes
    return named, 0


def _list_ends(target: Target) -> list[Target]:
    """What of a range or behind "ff." is named; any other target itself."""
    if not isinstance(target, NormCitation | EuCitation):
        return [target]
    if not target.number_end and not target.follow:
        return [target]
    first = replace(target, number_end=None, follow=None, path=())
    return [first, replace(first, number=target.number_end)] if target.number_end else [first]


def _is_within(outcome: Outcome) -> bool:
    return isinstance(outcome, Miss | ProvisionHit) and outcome.within


def _list_unread(reading: Reading, outcomes: Sequence[Outcome]) -> list[str]:
    """The parts of a reference that are in no target and no name of what was found."""
    found = (outcome for outcome in outcomes if not isinstance(outcome, Miss))
    return list_foreign(reading.unparsed, found)


def _compare_anchor(
    question: LookupRequest, reading: Reading, outcomes: list[Outcome]
) -> list[Outcome]:
    """``Anlage 1 zu § 99`` of a law without a § 99, or of an annex that is headed as one to § 3."""
    (first, *others), names = outcomes, question.library.names
    if not others and isinstance(first, Miss) and first.status == "norm_does_not_exist":
        return [_find_by_anchor(question, reading) or first]
    if others or not isinstance(first, ProvisionHit) or first.norm.kind is not NormKind.ANNEX:
        return outcomes
    anchors = find_anchor(question.written, reading.targets, names)
    judged = (_judge_anchor(question, anchor, reading, first) for anchor in anchors)
    return next((each for each in judged if each is not None), outcomes)


def _judge_anchor(
    question: LookupRequest, anchor: NormCitation, reading: Reading, annex: ProvisionHit
) -> list[Outcome] | None:
    """What an annex comes to that is cited by a section; ``None`` = it is the one."""
    named = is_named(anchor, annex, question.library.names)
    if named:
        return _read_behind_anchor(question, anchor, reading.targets[0], annex)
    if (meant := _find_anchored(question, anchor, reading.targets[0], annex)) is not None:
        return [meant]
    told = resolve_german(question, anchor, annex.statute).outcomes
    missing = [each for each in told if isinstance(each, Miss) and each.status in _DENIED]
    if missing:
        return list(missing[:1])
    if named is False:
        section = " ".join(filter(None, (anchor.number, format_steps(anchor.path))))
        sign = "Art." if anchor.unit == "Art" else "§"
        return [miss_anchor(question.written, f"zu {sign} {section}", annex)]
    return None


def _read_behind_anchor(
    question: LookupRequest, anchor: NormCitation, cited: Target, annex: ProvisionHit
) -> list[Outcome] | None:
    """``Anhang zu § 3 Abs. 3 Nr. 5``: of the annex, where § 3 Abs. 3 has no Nr. 5."""
    told = resolve_german(question, anchor, annex.statute).outcomes
    if not isinstance(told[0], Miss) or told[0].status != "subunit_does_not_exist":
        return None
    depth = len(anchor.path)
    least = 1 if anchor.path and anchor.path[0].level == Level.ABSATZ else 0  # its heading has it
    above = told
    while depth > least and isinstance(above[0], Miss):
        depth -= 1
        shorter = replace(anchor, path=anchor.path[:depth])
        above = resolve_german(question, shorter, annex.statute).outcomes
    if depth == len(anchor.path):
        return None
    path = cited.path if isinstance(cited, NormCitation) else ()
    units = read_units(question, annex.statute, annex.norm, (*path, *anchor.path[depth:]))
    if all(isinstance(each, ProvisionHit) and not each.rest for each in units):
        return units
    return list(told[:1])


def _find_by_anchor(question: LookupRequest, reading: Reading) -> ProvisionHit | None:
    """``Anlage zu § 4 der 16. BImSchV``: the only one of its annexes that is headed so."""
    library, target = question.library, reading.targets[0]
    if len(reading.targets) != 1 or not isinstance(target, NormCitation) or target.number:
        return None
    if target.unit != "Anlage" or target.law is None:
        return None
    ids = {one.statute_id for one in library.names.find(target.law) if one.statute_id}
    statute = library.store.statutes.get(ids.pop()) if len(ids) == 1 else None
    anchors = find_anchor(question.written, reading.targets, library.names)
    if statute is None or len(anchors) != 1:
        return None
    hits, asked = [], ask_for_version(question, statute, target)
    for norm in library.store.list_norms(statute.statute_id, NormKind.ANNEX):
        [outcome, *_] = read_units(asked, statute, norm, target.path)
        if isinstance(outcome, ProvisionHit) and is_named(anchors[0], outcome, library.names):
            hits.append(outcome)
    return hits[0] if len(hits) == 1 else None


def _find_anchored(
    question: LookupRequest, anchor: NormCitation, cited: Target, found: ProvisionHit
) -> ProvisionHit | None:
    """Of several annexes of one designation the one that is headed with that section."""
    word, *number = found.norm.label.split()
    for norm in question.library.store.list_norms(found.norm.statute_id, NormKind.ANNEX):
        other, *numbered = norm.label.split()
        is_meant = word == other or (other in question.written and word not in question.written)
        if norm.norm_id == found.norm.norm_id or numbered != number or not is_meant:
            continue
        path = cited.path if isinstance(cited, NormCitation) else ()
        [outcome, *_] = read_units(question, found.statute, norm, path)
        if isinstance(outcome, ProvisionHit) and is_named(anchor, outcome, question.library.names):
            return outcome
    return None


def _resolve_on_its_day(question: LookupRequest, target: Target, reading: Reading) -> Found:
    """As ``_resolve_target``, on the day that the citation names, if it does; which is kept."""
    named = _read_day(target)
    until = (getattr(target, "version", None) or "").startswith(UNTIL)
    asked = question if named is None else replace(question, on=named, until=until)
    found = _resolve_target(asked, target, reading)
    found = replace(found, outcomes=warn_of_newer(target, found.outcomes))
    day = found.on or named
    if day is None:
        return found
    dated = [
        each if isinstance(each, DecisionHit) else replace(each, on=each.on or day)
        for each in found.outcomes
    ]
    return replace(found, outcomes=dated)


def _find_common_day(outcomes: Sequence[Outcome]) -> date | None:
    """The day that the citation names for all of them; ``None`` where it is not one."""
    days = {None if isinstance(each, DecisionHit) else each.on for each in outcomes}
    return days.pop() if len(days) == 1 else None


def _resolve_target(question: LookupRequest, target: Target, reading: Reading) -> Found:
    if isinstance(target, NormCitation | EuCitation):
        return resolve_member(
            question.written, target, lambda one: _resolve_provision(question, one, reading)
        )
    if isinstance(target, DecisionCitation | ReporterCitation):
        if question.library.withheld is not None:
            return Found([miss_withheld(question.written)])
        return _resolve_decision(question, target, reading)
    if isinstance(target, GazetteCitation):
        return Found([_resolve_gazette(question, target)])
    name = format_citation(target) if len(reading.targets) > 1 else question.written
    return Found([misses.document_not_held(name)])


def _resolve_provision(
    question: LookupRequest, target: NormCitation | EuCitation, reading: Reading
) -> Found:
    if isinstance(target, EuCitation):
        return resolve_eu(question, target)
    return resolve_german(question, target, reading.statute)


def _resolve_decision(
    question: LookupRequest, target: DecisionCitation | ReporterCitation, reading: Reading
) -> Found:
    if isinstance(target, ReporterCitation):
        pages, notes = resolve_page(question.library, question.written, target, reading.targets)
        return Found(pages, notes=notes)
    found = resolve_decision(question.library, question.written, target, reading.targets)
    doubted = [
        misses.add_doubts(one, reading.normalised) if isinstance(one, Miss) else one
        for one in found
    ]
    told = _compare_decision(question.written, target, reading, found)
    return Found([_add_unknown_day(one, target) for one in doubted], notes=told)


def _add_unknown_day(outcome: Outcome, target: DecisionCitation) -> Outcome:
    """A decision that is held without its day says so where it is cited by one."""
    if not isinstance(outcome, DecisionHit):
        return outcome
    unknown = say_unknown_day([target], outcome.decision)
    return replace(outcome, warnings=(unknown, *outcome.warnings)) if unknown else outcome


def _compare_decision(
    written: str, target: DecisionCitation, reading: Reading, found: Sequence[Outcome]
) -> list[str]:
    """What is said of the one decision that is cited, and is not so."""
    cited = [one for one in reading.targets if isinstance(one, DecisionCitation)]
    others = [one for one in cited if one is not target]
    held = {one.decision.decision_id: one.decision for one in found if isinstance(one, DecisionHit)}
    return [
        note
        for decision in held.values()
        for note in list_contradictions(written, target, decision, others)
    ]


def _resolve_gazette(question: LookupRequest, target: GazetteCitation) -> Outcome:
    statutes = question.library.published.find(target)
    if len(statutes) == 1:
        return LawHit(statutes[0], warn_of_law(question.library, statutes[0], question.on))
    if statutes:
        return law_misses.several_laws(question.written, question.written, statutes)
    return misses.gazette_not_held(question.written, target)


def _read_day(target: Target) -> date | None:
    version = getattr(target, "version", None)
    if not version or not version.startswith((AS_OF, UNTIL)):
        return None
    try:
        return date.fromisoformat(version.partition(":")[2])
    except ValueError:
        return None

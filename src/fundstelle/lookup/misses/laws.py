"""Misses for laws: no name, a name of several, one that is unknown, gone, or missing here."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from fundstelle.citations.laws.name import LawName
from fundstelle.corpus.missing import MissingLaw
from fundstelle.law.citations import NormCitation
from fundstelle.law.decisions import Decision
from fundstelle.law.norms import Statute
from fundstelle.lookup.answers import Evidence, Means, Miss, NextCall, Suggestion
from fundstelle.lookup.dating.days import find_floor
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses.reasons import SUGGESTIONS, shorten
from fundstelle.lookup.reading.numbers import find_numbered

FORMER = "of the law that had the name before"  # why a provision is suggested
OTHER = "another law of that name: "
NAMESAKE = "of the law of that name that has it"
_NAMES_WRITTEN_OUT = 14
_NATURES = {
    "administrative": "is an administrative regulation and no law",
    "recommendations": "is a catalogue of recommendations and no law",
    "private rules": "is no law: private rules, which bind where a contract takes them up",
    "collective agreement": "is a collective agreement and no law",
    "treaty": "is a known treaty",
    "Land": "is law of a Land",
    "named of a Land": "is named as law of a Land",  # whether there is one is not known
    "Länder": "is the name of laws of several Länder, and which one is meant is not said",
}


def no_law_named(written: str) -> Miss:
    """A section or part without its law."""
    return Miss(
        written,
        "ambiguous",
        f"{shorten(written)} names no law, and which one is meant is not guessed.",
        "Ask again with the law, as in '§ 5 BGB'.",
    )


def several_laws(
    written: str,
    name: str,
    statutes: Sequence[Statute],
    target: NormCitation | None = None,
    library: Library | None = None,
) -> Miss:
    """One name, several laws."""
    names = [statute.abbreviation for statute in statutes]
    more = ", …" if len(names) > _NAMES_WRITTEN_OUT else ""
    return Miss(
        written,
        "ambiguous",
        f"{name} can mean several laws: {', '.join(names[:_NAMES_WRITTEN_OUT])}{more}.",
        "Ask again with the law that is meant.",
        suggestions=tuple(_suggest(statute, target, library) for statute in statutes[:SUGGESTIONS]),
    )


def unknown_bearer(
    several: Miss, name: str, statutes: Sequence[Statute], library: Library, on: date
) -> Miss:
    """A name that went on to another law between two looks, and nobody says on which day."""
    gone = max((each for each in statutes if each.stand < on), key=lambda each: each.stand)
    came = min((each for each in statutes if each.stand >= on), key=partial(find_floor, library))
    names = " or ".join(s.abbreviation for s in sorted(statutes, key=lambda each: each.stand))
    return replace(
        several,
        reason=f"Whether {name} was {names} on {on.isoformat()} is not known here:"
        f" {gone.abbreviation} was last seen at the publisher on {gone.stand.isoformat()}, and"
        f" {came.abbreviation} first on {find_floor(library, came).isoformat()}.",
    )


def _suggest(statute: Statute, target: NormCitation | None, library: Library | None) -> Suggestion:
    """The provision in that law if it has one of that number, else the law."""
    title = statute.short_title or statute.title
    if target is not None and target.number is not None and library is not None:
        number, unit = target.number, target.unit
        norm = find_numbered(library.store, statute.statute_id, number, unit)
        if norm is not None:
            return Suggestion(norm.citation, norm.norm_id, title)
    return Suggestion(statute.abbreviation, statute.statute_id, title)


def law_unknown(written: str, name: str, library: Library) -> Miss:
    """No law of that name; near names are only suggested."""
    near = [
        statute
        for law in library.names.suggest(name, SUGGESTIONS)
        if law.statute_id and (statute := library.store.statutes.get(law.statute_id))
    ]
    return Miss(
        written,
        "law_unknown",
        f"No law is known here by the name {shorten(name)}.",
        ("Check the abbreviation; ", Means.FIND_LAW, " searches all laws held."),
        suggestions=tuple(
            Suggestion(
                statute.abbreviation,
                statute.statute_id,
                f"similar name: {statute.short_title or statute.title}",
            )
            for statute in near
        ),
        hint=NextCall(Means.FIND_LAW, name),
    )


def decision_no_law(written: str, decision: Decision) -> Miss:
    """A decision where a law is asked for."""
    return Miss(
        written,
        "law_unknown",
        f"{decision.citation} is a decision and no law.",
        ("", Means.READ, " gives its text."),
        hint=NextCall(Means.READ, decision.decision_id),
    )


def law_not_held(written: str, law: LawName) -> Miss:
    """A law, or what is cited like one, that is known by name, but not in this build."""
    is_what = _NATURES.get(law.nature or "", "is a known law")
    return Miss(
        written,
        "not_in_corpus",
        f"{law.abbreviation} {is_what}, and this corpus does not hold it; that says nothing about"
        " whether the provision exists.",
        ("Consult the official publication; ", Means.FIND_LAW, " shows what is held."),
    )


def law_missing(written: str, name: str, missing: MissingLaw) -> Miss:
    """A law in force that the publisher lists, but the source of this build lacks."""
    called = name if name == missing.title else f"{name} ({missing.title})"
    return Miss(
        written,
        "known_missing",
        f"{called} is a law in the publisher's table of contents, but its text is not in the"
        " source of this corpus; that says nothing about whether the provision exists.",
        f"Read it at the publisher: {missing.url}",
    )


def law_repealed(written: str, law: LawName, library: Library, on: date | None) -> Miss:
    """A law that is no more, whose text is not held."""
    ended = date.fromisoformat(law.valid_until or "")
    if on is not None and on < ended:
        return law_before_archive(written, law, ended, library)
    heirs = _list_heirs(law, library)
    after = f"; it was replaced by {', '.join(law.successors)}" if law.successors else ""
    return Miss(
        written,
        "repealed",
        f"{law.abbreviation} no longer applies since {ended.isoformat()}{after}. Its text is not"
        " held here.",
        "Look the subject up in the law that replaced it; the numbers there are others."
        if heirs
        else "Consult the Bundesgesetzblatt for its last text.",
        Evidence(repealed_on=ended, archive_floor=library.store.manifest.archive_floor),
        tuple(
            Suggestion(
                heir.abbreviation,
                heir.statute_id,
                f"replaced {law.abbreviation} on {ended.isoformat()}; not the same numbers",
            )
            for heir in heirs
        ),
        NextCall(Means.CONTENTS, heirs[0].statute_id) if heirs else None,
    )


def law_before_archive(written: str, law: LawName, ended: date, library: Library) -> Miss:
    """A law that still applied on the day asked; no text of that time is held."""
    floor = library.store.manifest.archive_floor
    return Miss(
        written,
        "outside_coverage",
        f"{law.abbreviation} applied until {ended.isoformat()}, and the corpus knows no day before"
        f" {floor.isoformat()}.",
        "Consult the Bundesgesetzblatt for the text of that time.",
        Evidence(repealed_on=ended, archive_floor=floor),
    )


def _list_heirs(law: LawName, library: Library) -> list[Statute]:
    statutes = library.store.statutes
    known = [found for name in law.successors for found in library.names.find(name)[:1]]
    return [statutes[i] for one in known if (i := one.statute_id or "") in statutes][:SUGGESTIONS]

"""From the citation of an EU act and a day to its units, or to the miss."""

import re
from collections.abc import Sequence
from dataclasses import replace

from fundstelle.corpus.store import CorpusStore
from fundstelle.law.citations import (
    EuCitation,
    NormCitation,
    PathStep,
)
from fundstelle.law.norms import Level, Norm, Statute
from fundstelle.lookup.answers import LawHit, Miss, Outcome, ProvisionHit
from fundstelle.lookup.dating.in_time import (
    add_doubt,
    ask_for_version,
    choose_edition,
    write_eu_id,
)
from fundstelle.lookup.dating.law_on_day import read_law
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import reasons as misses
from fundstelle.lookup.misses.norms import miss_norm
from fundstelle.lookup.provisions import (
    Found,
    bound_span,
    cap,
    read_span,
    resolve_in_time,
)
from fundstelle.lookup.reading.act_titles import list_uncompared
from fundstelle.lookup.reading.divided import list_counts
from fundstelle.lookup.reading.laws import find_german_namesake, list_held
from fundstelle.lookup.reading.spans import list_between
from fundstelle.lookup.texts import LookupRequest, read_units

_NOT_HELD = "not_in_corpus"
_OTHER = {"de": "en", "en": "de"}
_LANGUAGES = {"de": "German", "en": "English"}
_ANNEX = "annex"
_FIRST = frozenset({"1", "I"})  # the only annex is that, too
_NUMMER = re.compile(r"\b(?:Anhang|Anh\.|Annex)s?\s*(?:Nrn?|Nummern?|Ziff(?:er)?)\b", re.IGNORECASE)


def resolve_eu(question: LookupRequest, target: EuCitation) -> Found:
    """EU acts have the same shape: ``eu/32016R0679/art_6``."""
    namesake = find_german_namesake(question.library, question.written, target)
    if namesake is not None:
        wanted = NormCitation(
            namesake.abbreviation,
            "§",
            target.number,
            target.number_end,
            target.follow,
            target.path,
            target.version,
        )
        note = f"the German {namesake.abbreviation} has §§, the EU act of that name has articles"
        found = resolve_in_time(namesake, question, wanted)
        return replace(found, notes=(*found.notes, note))
    statute = find_edition(question.library, target.celex, question.language)
    if statute is None:
        named = _find_german(question, target)
        if named is not None:
            return Found([read_law(question, named)], notes=[_say_german(named)])
        return Found([misses.eu_not_held(question.written, target, question.library)])
    found = _resolve_in_edition(question, statute, target)
    if all(isinstance(one, Miss) and one.status == _NOT_HELD for one in found.outcomes):
        found = _ask_other_edition(question, statute, target) or found
    notes = list_uncompared(question.library, question.written, target.celex)
    return replace(found, outcomes=[_add_notes(one, notes) for one in found.outcomes])


def _find_german(question: LookupRequest, target: EuCitation) -> Statute | None:
    """The law of the Federation of just that name (GGV), where no provision is asked for."""
    if target.number is not None or target.unit is not None:
        return None
    known = question.library.names.find(question.written.rstrip(" .,;"))
    held = list_held(question.library, [law for law in known if not law.celex])
    return held[0] if len(held) == 1 else None


def _say_german(statute: Statute) -> str:
    name = statute.abbreviation
    return f"the German {name} is held, the EU act of that name is not"


def _add_notes(outcome: Outcome, notes: Sequence[str]) -> Outcome:
    if not notes or not isinstance(outcome, ProvisionHit | LawHit):
        return outcome
    return replace(outcome, warnings=(" ".join(notes), *outcome.warnings))


def _ask_other_edition(
    question: LookupRequest, statute: Statute, target: EuCitation
) -> Found | None:
    """What an edition that is not held whole lacks, from that in the other language."""
    other = find_edition(question.library, target.celex, _OTHER[statute.language])
    if other is None or other.language == statute.language:
        return None
    found = _resolve_in_edition(question, other, target)
    lacks, has = (_LANGUAGES[one.language] for one in (statute, other))
    said = (
        f"The {lacks} text of {statute.abbreviation} that is held does not have this;"
        f" the {has} one is given."
    )
    hits = [one for one in found.outcomes if isinstance(one, ProvisionHit)]
    if len(hits) < len(found.outcomes):
        return None
    outcomes = [replace(hit, warnings=(said, *hit.warnings), instead=True) for hit in hits]
    return replace(found, outcomes=outcomes)


def _resolve_in_edition(question: LookupRequest, statute: Statute, target: EuCitation) -> Found:
    asked = ask_for_version(question, statute, target)
    told = choose_edition(asked, statute, target)
    if isinstance(told, Miss):
        return Found([told])
    asked = asked if told is None else replace(asked, on=told)
    found = (
        Found([read_law(asked, statute)])
        if target.number is None and target.unit is None
        else _resolve_in_act(asked, statute, target)
    )
    found = replace(found, outcomes=add_doubt(asked, found.outcomes))
    return found if told is None else replace(found, on=told)


def _resolve_in_act(question: LookupRequest, statute: Statute, target: EuCitation) -> Found:
    store = question.library.store
    written = _read_only_annex(question, statute, target)
    target = _recount_annex(question, statute, written)
    if target != written:
        note = f"{written.unit} {written.number} was read as {target.number}"
        found = _resolve_in_act(question, statute, target)
        return replace(found, notes=(*found.notes, note))
    norm_id = write_eu_id(statute, target)
    number = norm_id.rpartition("/")[2]
    unit = number.partition("_")[0]
    norm = store.find_norm(norm_id)
    if norm is None:
        return Found([miss_norm(question, target, statute, number)])
    if target.number_end or target.follow:
        end = store.find_norm(f"{statute.statute_id}/{unit}_{(target.number_end or '').lower()}")
        if target.number_end and end is None:
            beyond = replace(target, number=target.number_end, number_end=None, path=())
            return Found([miss_norm(question, beyond, statute, f"{unit}_{target.number_end}")])
        span = list_between(store, norm, end, target.follow or "ff", bound_span(question))
        return read_span(question, statute, target, span)
    return cap(read_units(question, statute, norm, target.path))


def _read_only_annex(question: LookupRequest, statute: Statute, target: EuCitation) -> EuCitation:
    """``Anhang Nr. 1`` of an act whose only annex bears no number: a part of that."""
    number, store = target.number, question.library.store
    if target.unit != "Anhang" or store.find_norm(f"{statute.statute_id}/{_ANNEX}") is None:
        return target
    if number and any(_has_annex(store, statute, one) for one in list_counts(number.lower())):
        return target  # it is not the only one ("ANNEX -I" beside "ANNEX I")
    if number is not None and _NUMMER.search(question.written):
        step = PathStep(Level.NUMMER, number, target.number_end or target.follow)
        path = (step, *target.path)
        return replace(target, number=None, number_end=None, follow=None, path=path)
    return replace(target, number=None) if number in _FIRST else target


def _recount_annex(question: LookupRequest, statute: Statute, target: EuCitation) -> EuCitation:
    """``Anhang 3`` of an act that counts its annexes in Roman; ``I`` may also be a letter."""
    store = question.library.store
    if target.unit != "Anhang" or not target.number or _has_annex(store, statute, target.number):
        return target
    other = _count_otherwise(store, statute, target.number)
    if other is None or _has_annex(store, statute, "a"):
        return target
    if target.number_end is None:
        return replace(target, number=other.upper())
    end = _count_otherwise(store, statute, target.number_end)
    return target if end is None else replace(target, number=other.upper(), number_end=end.upper())


def _count_otherwise(store: CorpusStore, statute: Statute, number: str) -> str | None:
    low = number.lower()
    digits = low.rstrip("abcdefgh") if low[:1].isdecimal() else low  # "2a" is IIa
    counts = [one + low[len(digits) :] for one in list_counts(digits)[1:]]
    return next((each for each in counts if _has_annex(store, statute, each)), None)


def _has_annex(store: CorpusStore, statute: Statute, number: str) -> bool:
    return store.find_norm(f"{statute.statute_id}/{_ANNEX}_{number.lower()}") is not None


def find_edition(library: Library, celex: str, language: str) -> Statute | None:
    """An EU act in the language wanted, else in the one that is held.

    ``32016R0679:en``, as ids have it, names an edition itself.
    """
    statutes = library.store.statutes
    return statutes.get(f"eu/{celex}:{language}") or statutes.get(f"eu/{celex}")


def find_in_edition(library: Library, norm: Norm, language: str) -> Norm:
    """The same provision of an EU act in the language wanted, where that edition has it."""
    jurisdiction, _, rest = norm.norm_id.partition("/")
    act, _, number = rest.partition("/")
    edition = find_edition(library, act, language) if jurisdiction == "eu" else None
    same = edition and library.store.find_norm(f"{edition.statute_id}/{number}")
    return same or norm

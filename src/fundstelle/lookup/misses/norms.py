"""Misses for provisions: the law is held, the number is not."""

from collections.abc import Callable
from datetime import date
from functools import partial

from fundstelle.law.citations import EuCitation, NormCitation
from fundstelle.law.norms import Level, NormKind, Statute
from fundstelle.lookup.answers import Evidence, Means, Miss, NextCall
from fundstelle.lookup.dating.days import find_floor
from fundstelle.lookup.dating.lacking import find_lack
from fundstelle.lookup.library import Library
from fundstelle.lookup.misses import other_days, unprinted
from fundstelle.lookup.misses import reasons as misses
from fundstelle.lookup.misses.editions import several_annexes
from fundstelle.lookup.parts.units import format_steps
from fundstelle.lookup.reading.divided import list_parts
from fundstelle.lookup.reading.land_names import is_land_name
from fundstelle.lookup.reading.numbers import KINDS
from fundstelle.lookup.texts import LookupRequest

_WRITTEN_OUT = {"Erwg": "Erwägungsgrund"}
_AROUND = ("Präambel", "Eingangsformel", "Schlussformel", "Inhaltsübersicht")  # the provisions
_FRAME = (NormKind.HEADING, NormKind.OTHER, NormKind.CONTENTS)  # around provisions, none itself


def miss_norm(
    question: LookupRequest, target: NormCitation | EuCitation, statute: Statute, number: str
) -> Miss:
    """Why a law that is held has nothing under that number."""
    library, written, on = question.library, question.written, question.on
    citation = format_missing(library, statute, target)
    if on < (floor := find_floor(library, statute)):
        return other_days.before_archive(written, citation, None, on, floor)
    if (gap := _find_gap(library, statute, target, on)) is not None:
        return gap(written, statute, citation)
    if target.version == "aF":
        return _older_number(written, statute, citation, library)
    if target.unit in {"Anlage", "Anhang", "Protokoll"}:
        return _miss_annex(question, target, statute, citation)
    if target.unit == "Erwg":
        return misses.recital_missing(written, statute, citation, library)
    return _miss_number(question, statute, (number, KINDS.get(target.unit or "")), citation)


def _miss_annex(
    question: LookupRequest, target: NormCitation | EuCitation, statute: Statute, citation: str
) -> Miss:
    library, written = question.library, question.written
    annexes = library.store.list_norms(statute.statute_id, NormKind.ANNEX)
    if isinstance(target, NormCitation) and (parts := list_parts(annexes, target.number or "")):
        return several_annexes(written, statute, citation, parts)
    return misses.annex_missing(written, statute, citation, library)


def _miss_number(
    question: LookupRequest, statute: Statute, place: tuple[str, NormKind | None], citation: str
) -> Miss:
    library, written = question.library, question.written
    if is_land_name(statute):
        return misses.land_law_not_held(written, statute, citation)
    skipped = unprinted.find_skipped(library, statute, *place)
    if skipped is not None:
        return skipped(written, statute, citation)
    return misses.norm_missing(written, statute, place, citation, library)


def _find_gap(
    library: Library, statute: Statute, target: NormCitation | EuCitation, on: date
) -> Callable[[str, Statute, str], Miss] | None:
    """The miss for what the publisher may well have and this corpus does not hold."""
    lack = find_lack(statute, on, NormKind.RECITAL if target.unit == "Erwg" else None)
    if lack is not None:
        return partial(misses.part_not_held, lack=lack.kind)
    if _lacks_recitals(library, statute, target):
        return misses.part_not_held
    if isinstance(target, EuCitation) and target.unit in _AROUND:
        return _not_held_alone
    return None if _has_contents(library, statute) else _contents_not_held


def _lacks_recitals(library: Library, statute: Statute, target: NormCitation | EuCitation) -> bool:
    """Whether a recital is cited of an act whose preamble is not held."""
    if target.unit != "Erwg":
        return False
    return not library.store.list_norms(statute.statute_id, NormKind.RECITAL)


def format_missing(library: Library, statute: Statute, target: NormCitation | EuCitation) -> str:
    """The citation of what is not there, with the sign that the law uses."""
    sign = _WRITTEN_OUT.get(target.unit or "", target.unit or "§")
    if sign in KINDS:
        first, _ = library.store.find_ends(statute.statute_id, KINDS[sign])
        is_article = first.kind is NormKind.ARTICLE if first is not None else sign == "Art"
        sign = "Art." if is_article else "§"
    nested = format_steps([step for step in target.path if step.level == Level.SECTION])
    number = (target.number or "").replace("/", " § ")  # the end of "Art. 229 §§ 5 bis 99"
    return " ".join(filter(None, (sign, number, nested, statute.abbreviation)))


def _has_contents(library: Library, statute: Statute) -> bool:
    """Whether anything of the law is held but its head: of most treaties the title is all."""
    store, statute_id = library.store, statute.statute_id
    first, _ = store.find_ends(statute_id)  # of its numbers, which are kept
    return first is not None or any(
        entry.kind not in _FRAME for entry in store.list_outline(statute_id)
    )


def _contents_not_held(written: str, statute: Statute, citation: str) -> Miss:
    """The publisher gives only the head of the law, so nothing in it is denied."""
    gazette = f"{statute.publication}, or " if statute.publication else ""
    return Miss(
        written,
        "not_in_corpus",
        f"{citation} is not in this corpus: of {statute.abbreviation} the publisher's file has"
        " only the head, no provisions; that says nothing about whether the provision exists.",
        f"Consult {gazette}the publisher: {statute.source_url or statute.publisher_id}",
    )


def _not_held_alone(written: str, statute: Statute, citation: str) -> Miss:
    """What stands around the provisions of an EU act."""
    return Miss(
        written,
        "not_in_corpus",
        f"{citation} is not in this corpus: of an EU act its articles, its annexes and, where the"
        " source has them, its recitals are held.",
        f"Consult the publisher: {statute.source_url or statute.publisher_id}",
        hint=NextCall(Means.CONTENTS, statute.statute_id),
    )


def _older_number(written: str, statute: Statute, citation: str, library: Library) -> Miss:
    """``a.F.`` of a number that the law no longer has."""
    floor = library.store.manifest.archive_floor
    return Miss(
        written,
        "repealed",
        f"{citation} a.F. is a text that no longer applies: {statute.abbreviation} has no such"
        f" provision today, and no text before {floor.isoformat()} is held.",
        "Consult the Bundesgesetzblatt for the text of that time.",
        Evidence(archive_floor=floor),
        hint=NextCall(Means.CONTENTS, statute.statute_id),
    )

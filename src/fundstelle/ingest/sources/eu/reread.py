"""A text that is held, read again by another program: what is otherwise now is no amendment.

A later text is compared with the one before it, so both must be read by the same program. Where the
text before is to be had, it takes the words that it has now; else a note says from which day on the
texts were read otherwise.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from fundstelle.ingest.program import hash_folders
from fundstelle.ingest.records import ParsedAct
from fundstelle.law.corrigenda import is_announced
from fundstelle.law.norms import (
    READ_ANEW,
    Fassung,
    Norm,
    NormKind,
    NormStatus,
    StandNote,
)
from fundstelle.lookup.dating.lacking import read_lack
from fundstelle.lookup.reading.years import list_consolidated, read_consolidated

_READERS = ("ingest/sources/eu", "ingest/text")
_KEPT = frozenset({NormKind.ARTICLE, NormKind.ANNEX})


def hash_reader() -> str:
    """SHA-256 of what reads EU acts in this program."""
    return hash_folders(*_READERS)


def can_reread(before: ParsedAct, after: ParsedAct, day: date) -> bool:
    """Whether ``after``, of the day of the newest text held, tells it anew as a whole.

    So it does where another program read that text, and where it is held in part alone.
    """
    if not after.statute.complete:
        return False
    is_other = before.statute.read_by != after.statute.read_by
    _, own = _split_notes(before, day)
    return is_other or any(read_lack(note) for note in own)


def reread(before: ParsedAct, after: ParsedAct, day: date) -> ParsedAct:
    """``before``, which is recalled, with the words and headings that its newest text has now.

    What that text was said to have, and has not as it is read now, leaves the history, but for an
    article or annex that texts before have, too: it ends with them, unless its words stand under
    another number now. An end leaves that the text was said to bring to what it has, and an
    amendment between words that are the same now. The notes of that day leave, too, for ``after``
    brings them again.
    """
    fresh = {
        norm.number: (norm, fassungen[-1])
        for norm, fassungen in after.norms
        if norm.status is NormStatus.IN_FORCE
    }
    known = (one for one in list_consolidated(before.statute) if one < day)
    earlier_day = max(known, default=before.statute.issued_on)
    words_now = {fassung.text_sha256 for _, fassung in fresh.values()}
    histories = []
    for norm, fassungen in before.norms:
        *earlier, last = fassungen
        if last.in_force_until == day and norm.number in fresh:
            histories.append((norm, (*earlier, replace(last, in_force_until=None))))
        elif last.in_force_until is not None or last.stand != day:
            histories.append((norm, fassungen))
        elif norm.number in fresh:
            found, words = fresh[norm.number]
            anew = replace(norm, label=found.label, title=found.title)
            histories.append((anew, _join(anew, earlier, _take_words(last, words))))
        elif last.in_force_from != day and norm.kind in _KEPT and last.text_sha256 not in words_now:
            histories.append((norm, (*earlier, replace(last, stand=earlier_day or last.stand))))
        elif earlier or norm.kind is NormKind.RECITAL:
            kept = tuple(earlier) or fassungen
            histories.append((norm, kept))
    others, _ = _split_notes(before, day)
    statute = replace(before.statute, stand_notes=tuple(others))
    return replace(before, statute=statute, norms=tuple(histories))


def note_reading(before: ParsedAct, after: ParsedAct, day: date | None) -> tuple[StandNote, ...]:
    """What is to be noted where ``after``, of that day, was read by another program."""
    if day is None or before.statute.read_by == after.statute.read_by:
        return ()
    if all(one.stand >= day for _, fassungen in before.norms for one in fassungen):
        return ()
    words = "die Texte davor las eine andere Version des Programms."
    return (StandNote("Sonst", f"{READ_ANEW}{day.isoformat()}: {words}"),)


def _join(norm: Norm, earlier: Sequence[Fassung], last: Fassung) -> tuple[Fassung, ...]:
    """The fassungen of a norm: the last is one with that before it where nothing was amended."""
    if not earlier or earlier[-1].in_force_until != last.in_force_from:
        return (*earlier, last)
    *others, before = earlier
    title = before.headings.title if before.headings else norm.title
    if (before.text_sha256, title) != (last.text_sha256, norm.title):
        return (*earlier, last)
    whole = replace(before, stand=last.stand, in_force_until=None, headings=None)
    return (*others, _take_words(whole, last))


def _take_words(held: Fassung, read: Fassung) -> Fassung:
    return replace(
        held,
        text=read.text,
        text_sha256=read.text_sha256,
        segments=read.segments,
        tables=read.tables,
        footnotes=read.footnotes,
    )


def _split_notes(act: ParsedAct, day: date) -> tuple[list[StandNote], list[StandNote]]:
    """The notes, and apart those of the newest text, of that day, that are not of corrigenda."""
    others: list[StandNote] = []
    own: list[StandNote] = []
    is_own = False
    for note in act.statute.stand_notes:
        is_own = is_own or read_consolidated(note) == day
        (own if is_own and not is_announced(note.text) else others).append(note)
    return others, own

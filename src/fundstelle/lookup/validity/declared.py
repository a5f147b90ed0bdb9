"""What a note of the publisher says that the Constitutional Court declared, and of which parts.

A note names a part and the Fassung that was judged before its first colon, and says the rest behind
it: ``§ 4 Abs. 2 Satz 1 idF d. G v. 1.2.2003 I 4: Mit GG unvereinbar …``.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from fundstelle.citations.parse import parse
from fundstelle.citations.text.dates import read_date
from fundstelle.law.citations import NormCitation, PathStep
from fundstelle.law.norms import Level

VOID, INCOMPATIBLE = "void", "incompatible"
MARKED = re.compile(r"\(\+\+\+(?P<words>[^+]*+(?:\+(?!\+\+)[^+]*+)*+)(?<!\()\+\+\+\)?")
MOST_READ = 40_000  # characters of a note; the publisher's longest has 17,908

_COURT = re.compile(r"\b[Nn]ichtig\b|\b[Uu]nvereinbar(?:keit)?\b|\b[Nn]icht vereinbar\b")
_VOID = re.compile(r"\b[Nn]ichtig\b")
# A note is about one provision after another: "§ 8 Abs. 1 Nr. 3 u. 4: … § 8 Abs. 1 Nr. 1: …".
_SIGN = r"(?:Art|Anl|Abschn)\.? |§§? ?|Anlagen? "
_CLAUSE = re.compile(rf"(?:(?<=\s)|^)(?=(?:{_SIGN})[\dIVX](?:(?!GG|BVerf)[^:+]){{0,150}}: )")
_HEAD = re.compile(rf"(?P<place>(?:{_SIGN})[\dIVX][^:]*): (?P<words>.*)", re.DOTALL)
_FASSUNG = re.compile(r",? ?(?P<fassung>(?:jeweils )?idF .*|\(F\. [^)]*\))$")
_FORMERLY = re.compile(r" \((?:früher|jetzt)[^)]*\)")
_LEFT_OUT = re.compile(r" Auslassung\b")
_ABOVE = re.compile(r"^Abschn\. [IVX]+ (?=Art)")
_NUMBER = re.compile(rf"^(?:{_SIGN})[\dIVX]+(?: ?[a-z](?!\w))?(?: § ?\d+[a-z]*)?\s*")
_DAY = re.compile(r"\b\d{1,2}\.\d{1,2}\.\d{4}\b")
# What is void is an earlier change, a law that is referred to, or a former text.
_OTHER = re.compile(
    r"^(?:Frühere )?(?:Änd\.|Änderung )|^Aufgeh\.|\bKursivdruck\b|\bdadurch gilt\b"
    r"|^Außer Kraft\b|\bwar die\b"
)
# A later law mended it, or changed the part after the decision: the text held was not judged.
_MENDED = re.compile(r"[Uu]msetzung der Anforderungen|\bBVerfGE\b.*; idF d\. ")
# Not the words named, but what they mean with others or in some cases.
_LIMITED = re.compile(
    rf"\b[Ss]oweit\b|\b[Ii]nsoweit\b|\b[Tt]eilweise\b|\b[Ii]Vm §|^(?:{_SIGN})[\dIVX]"
    r"|\bmit Ausnahme\b|\bUnvereinbarkeit\b"
)


@dataclass(frozen=True, slots=True)
class Declaration:
    """One clause of a note.

    ``kind`` is VOID, INCOMPATIBLE or empty: what was declared is no text of the provision.
    ``paths`` are the parts named, ``None`` where they cannot be read; empty: the whole provision.
    ``place`` are the words for them and for the Fassung that was judged, ``judged`` its day.
    """

    kind: str
    text: str
    place: str
    paths: tuple[tuple[PathStep, ...], ...] | None
    is_limited: bool  # only with other provisions, or for some cases
    is_former: bool  # by the note's own words the text has changed since
    judged: date | None


def speaks_of_court(text: str) -> bool:
    """Whether a note says that something is void or incompatible with the Constitution."""
    return ("ichtig" in text or "vereinbar" in text) and _COURT.search(text) is not None


def read_note(note: str) -> tuple[Declaration, ...]:
    """What a note says of the Constitutional Court, clause by clause."""
    note = note[:MOST_READ]
    return _read(note) if speaks_of_court(note) else ()


@lru_cache(maxsize=1_000)
def _read(note: str) -> tuple[Declaration, ...]:
    return tuple(_judge(clause) for clause in _iter_clauses(MARKED.sub("", note).strip()))


def _iter_clauses(note: str) -> Iterator[str]:
    starts = [0]
    for found in _CLAUSE.finditer(note):
        # what has no colon before it is the beginning of the same place: "§ 21 iVm", "Art. IX"
        if ": " in note[starts[-1] : found.start()]:
            starts.append(found.start())
    for start, end in zip(starts, [*starts[1:], len(note)], strict=True):
        clause = " ".join(note[start:end].split())
        if speaks_of_court(clause):
            yield clause


def _judge(clause: str) -> Declaration:
    head = _HEAD.fullmatch(clause)
    place, words = (head["place"], head["words"]) if head else ("", clause)
    if _OTHER.search(words) or "Kursivdruck" in place:
        return Declaration("", clause, "", (), is_limited=False, is_former=False, judged=None)
    fassung = _FASSUNG.search(place)
    named = _FORMERLY.sub("", place[: fassung.start()] if fassung else place)
    paths = _read_place(_LEFT_OUT.sub("", named))
    days = [read_date(day) for day in _DAY.findall(fassung["fassung"] if fassung else "")]
    return Declaration(
        kind=VOID if _VOID.search(words) else INCOMPATIBLE,
        text=clause,
        place=_NUMBER.sub("", _ABOVE.sub("", _FORMERLY.sub("", place))).strip(),
        paths=paths,
        is_limited=_LIMITED.search(words) is not None
        or " iVm " in place
        or _LEFT_OUT.search(place) is not None,
        is_former=_MENDED.search(clause) is not None,
        judged=max((date.fromisoformat(day) for day in days if day), default=None),
    )


def _read_place(place: str) -> tuple[tuple[PathStep, ...], ...] | None:
    """The parts of the provision that a place names first; of others ("iVm § 22") nothing is said.

    ``None`` where something in the place is not read.
    """
    if not place:
        return ()
    law = "EGBGB" if "Art" in place else "BGB"  # a name is needed for reading; it may be any
    read = parse(f"{_ABOVE.sub('', place)} {law}")
    targets = [each for each in read.targets if isinstance(each, NormCitation)]
    if read.unparsed or not targets or len(targets) < len(read.targets):
        return None
    number = (targets[0].unit, targets[0].number)
    own = [each for each in targets if (each.unit, each.number) == number]
    if any(each.number_end for each in targets):
        return ()
    paths = tuple(_below_section(each.path) for each in own)
    if any(step.level == Level.ABSATZ for path in paths for step in path[1:]):
        return None  # "Nr. 1 Abs. 2": texts are not cut into Absätze below a Nummer
    return () if () in paths else paths


def _below_section(path: tuple[PathStep, ...]) -> tuple[PathStep, ...]:
    """``Art. IX § 4`` is a section of its own."""
    return path[1:] if path and path[0].level == Level.SECTION else path

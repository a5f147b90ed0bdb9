"""Whether a text applies, by the notes that its publisher puts beside it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from fundstelle.corpus.manifest import Manifest
from fundstelle.law.corrigenda import is_announced, shorten_correction
from fundstelle.law.norms import SEEN, Fassung, NormStatus, StandNote, Statute
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import is_newest_look

KINDS = (
    "void",
    "incompatible",
    "pending_change",
    "corrigendum",
    "applicability",
    "not_displayed",
)
_LONGEST = 600
_MOST_READ = 40_000  # characters of a note; the publisher's longest has 17,908
_COURT = re.compile(r"\b[Nn]ichtig\b|\b[Uu]nvereinbar\b|\b[Nn]icht vereinbar\b")
_VOID = re.compile(r"\b[Nn]ichtig\b")
# A note is about one provision after another: "§ 8 Abs. 1 Nr. 3 u. 4: … § 8 Abs. 1 Nr. 1: …".
_SIGN = r"(?:Art|Anl|Abschn)\.? |§§? ?|Anlagen? "
_CLAUSE = re.compile(rf"(?:(?<=\s)|^)(?=(?:{_SIGN})[\dIVX](?:(?!GG|BVerf)[^:+]){{0,150}}: )")
_HEAD = re.compile(rf"(?P<place>(?:{_SIGN})[\dIVX][^:]*): (?P<words>.*)", re.DOTALL)
_WHOLE = re.compile(rf"(?:(?:{_SIGN})[\dIVX]++(?: ?[a-z](?!\w))?+(?: (?:idF |\().*)?+ ?+)++")
# What is void is an earlier change, a law that is referred to, or a former text.
_OTHER = re.compile(
    r"^(?:Frühere )?(?:Änd\.|Änderung )|^Aufgeh\.|\bKursivdruck\b|\bdadurch gilt\b"
    r"|^Außer Kraft\b|\bwar die\b"
)
_MENDED = re.compile(r"[Uu]msetzung der Anforderungen")
_LIMITED = re.compile(r"\b[Ss]oweit\b|\bteilweise\b|\binsoweit\b")
_PENDING = re.compile(r"\bnoch nicht (?:berücksichtigt|eingearbeitet)\b")
_MARKED = re.compile(r"\(\+\+\+(?P<words>[^+]*+(?:\+(?!\+\+)[^+]*+)*+)(?<!\()\+\+\+\)?")
_APPLIES = re.compile(
    r"(?:[Aa]nwendung|[Gg]eltung|[Aa]nwendbarkeit|[Nn]ichtanwendung) (?:vgl|gem|d|s)\b"
)
_NOT_SHOWN = re.compile(r"nicht (?:darstellba|erfa(?:ß|ss)t|abgedruckt|wiedergegeben)|Text der Anl")


@dataclass(frozen=True, slots=True)
class ValidityNote:
    """What a note says on whether, or from when to when, a text applies: of a kind of ``KINDS``.

    ``status`` is what it makes of the text, where it makes something of it.
    """

    kind: str
    text: str
    status: NormStatus | None = None
    places: bool = False  # a note on the statute that names places: of no others is it true


@dataclass(frozen=True, slots=True)
class Validity:
    """Whether a text applies: its status, the notes on it, and whether it is the newest there is.

    ``is_current`` needs the newest look, and no note of changes that are not in the text.
    """

    status: NormStatus
    notes: Sequence[ValidityNote]
    is_current: bool


def find_validity(library: Library, statute: Statute, fassung: Fassung) -> Validity:
    """What is known of a text of that statute."""
    of_law = _find_head(library, statute)
    notes: Sequence[ValidityNote] = ()
    if fassung.notes or of_law or statute.stand_notes:
        notes = _list_notes(statute.stand_notes, of_law, fassung.notes, bool(fassung.text))
    status = _find_status(statute, fassung.status, notes)
    return Validity(status, notes, _is_current(library.store.manifest, statute, fassung, notes))


def list_currency_notes(statute: Statute) -> list[ValidityNote]:
    """The notes on a statute as a whole: changes that its text lacks, the end of its force."""
    return list(_list_currency(statute.stand_notes))


def _find_head(library: Library, statute: Statute) -> tuple[ValidityNote, ...]:
    """What the Constitutional Court said of the statute as a whole stands at its head."""
    known = library.head_notes.get(statute.statute_id)
    if known is None:
        head = library.store.find_fassung(f"{statute.statute_id}/vorspann")
        known = tuple(text for text in head.notes if _speaks_of_court(text)) if head else ()
        library.head_notes[statute.statute_id] = known
    return _read_head(known)


@lru_cache(maxsize=1_000)
def _read_head(texts: tuple[str, ...]) -> tuple[ValidityNote, ...]:
    return tuple(note for text in texts for note in _read_court(text))


@lru_cache(maxsize=2_000)
def _list_notes(
    stand_notes: tuple[StandNote, ...],
    of_law: tuple[ValidityNote, ...],
    notes: tuple[str, ...],
    has_text: bool,
) -> tuple[ValidityNote, ...]:
    """The gravest first."""
    found = [
        *(note for text in notes for note in _read_court(text)),
        *(note for note in of_law if note.status),
        *(note for note in _list_currency(stand_notes) if not note.places),
        *(
            ValidityNote("corrigendum", _shorten(said))
            for text in notes
            if (said := text if is_announced(text) else shorten_correction(text))
        ),
    ]
    if not has_text:
        found += [
            ValidityNote("not_displayed", _shorten(text))
            for text in notes
            if _NOT_SHOWN.search(text) or "Fundstelle" in text
        ]
    applies = [
        marked[0]
        for text in notes
        if "(+++" in text
        for marked in _MARKED.finditer(text[:_MOST_READ])
        if _APPLIES.search(marked["words"])
    ]
    if applies:
        words = " ".join(each.strip("(+) \n") for each in applies)
        found.append(ValidityNote("applicability", _shorten(words)))
    found = list({note.text: note for note in found}.values())
    return tuple(sorted(found, key=lambda note: KINDS.index(note.kind)))


@lru_cache(maxsize=10_000)
def _list_currency(notes: tuple[StandNote, ...]) -> tuple[ValidityNote, ...]:
    """What a law's notes say of changes that its text lacks, and of the end of its force."""
    return tuple(_iter_currency(notes))


def _iter_currency(notes: Iterable[StandNote]) -> Iterator[ValidityNote]:
    for note in notes:
        if _PENDING.search(note.text):
            yield ValidityNote("pending_change", _shorten(note.text))
        elif note.kind == "Aufh":
            yield ValidityNote("applicability", _shorten(note.text))
        elif is_announced(note.text):
            names_places = "eingearbeitet: " in note.text
            yield ValidityNote("corrigendum", _shorten(note.text), places=names_places)


def _read_court(note: str) -> Iterator[ValidityNote]:
    """What a note says of the Constitutional Court, clause by clause."""
    note = note[:_MOST_READ]
    if not _speaks_of_court(note):
        return
    note = _MARKED.sub("", note).strip()
    starts = [0, *(found.start() for found in _CLAUSE.finditer(note) if found.start())]
    for start, end in zip(starts, [*starts[1:], len(note)], strict=True):
        clause = " ".join(note[start:end].split())
        if _speaks_of_court(clause):
            yield _judge(clause)


def _speaks_of_court(text: str) -> bool:
    return ("ichtig" in text or "vereinbar" in text) and _COURT.search(text) is not None


def _judge(clause: str) -> ValidityNote:
    head = _HEAD.fullmatch(clause)
    words = head["words"] if head else clause
    text = _shorten(clause)
    if _OTHER.search(words) or (head and "Kursivdruck" in head["place"]):
        return ValidityNote("applicability", text)
    if _VOID.search(words):
        is_whole = head is None or _WHOLE.fullmatch(head["place"]) is not None
        whole = is_whole and not _LIMITED.search(words)
        return ValidityNote("void", text, NormStatus.VOID if whole else NormStatus.PARTLY_VOID)
    mended = _MENDED.search(clause)  # by a later law: the text held is no longer the one judged
    return ValidityNote("incompatible", text, None if mended else NormStatus.INCOMPATIBLE)


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: text.rfind(" ", 0, _LONGEST)] + " …"


def find_status(
    library: Library, statute: Statute, status: NormStatus, notes: Sequence[str]
) -> NormStatus:
    """The status of a text: what the publisher says of it, and what its notes make of that."""
    found = [each for text in notes for each in _read_court(text)]
    return _find_status(statute, status, [*found, *_find_head(library, statute)])


def _find_status(statute: Statute, status: NormStatus, notes: Sequence[ValidityNote]) -> NormStatus:
    if status is not NormStatus.IN_FORCE:
        return status
    order = (NormStatus.VOID, NormStatus.PARTLY_VOID, NormStatus.INCOMPATIBLE)
    said = {note.status for note in notes}
    for declared in order:
        if declared in said:
            return declared
    return NormStatus.IN_FORCE if statute.listed else NormStatus.REMOVED


def is_law_current(manifest: Manifest, statute: Statute) -> bool:
    """Whether the newest look showed the law, and nothing says that changes are missing.

    Of acts of the Union no look shows all; what is held is the newest only where a consolidated
    text was seen at the publisher as such (``ingest.sources.eu``).
    """
    if not statute.listed or not is_newest_look(manifest, statute):
        return False
    if statute.jurisdiction == "eu" and not any(
        note.text.startswith(f"{SEEN}{statute.stand.isoformat()}") for note in statute.stand_notes
    ):
        return False
    return all(
        note.kind not in {"pending_change", "corrigendum"}
        for note in _list_currency(statute.stand_notes)
    )


def _is_current(
    manifest: Manifest, statute: Statute, fassung: Fassung, notes: Sequence[ValidityNote]
) -> bool:
    if fassung.in_force_until is not None or not is_law_current(manifest, statute):
        return False
    if statute.jurisdiction == "eu" and fassung.stand < statute.stand:
        return False  # a recital, which consolidated texts leave out
    return all(note.kind != "pending_change" for note in notes)

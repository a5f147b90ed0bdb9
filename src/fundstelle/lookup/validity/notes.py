"""Whether a text applies, by the notes that its publisher puts beside it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from fundstelle.corpus.manifest import Manifest
from fundstelle.law.corrigenda import is_announced, shorten_correction
from fundstelle.law.norms import (
    ENDED,
    SEEN,
    DatePrecision,
    Enactment,
    Fassung,
    NormStatus,
    StandNote,
    Statute,
)
from fundstelle.lookup.answers import ProvisionHit
from fundstelle.lookup.library import Library
from fundstelle.lookup.sources import is_newest_look
from fundstelle.lookup.validity.bearing import DECLARED, WHOLE, About, Shown, weigh
from fundstelle.lookup.validity.declared import (
    MARKED,
    MOST_READ,
    Declaration,
    read_note,
    speaks_of_court,
)

KINDS = (
    "void",
    "incompatible",
    "pending_change",
    "corrigendum",
    "applicability",
    "not_displayed",
)
_LONGEST = 600
_PENDING = re.compile(r"\bnoch nicht (?:berücksichtigt|eingearbeitet)\b")
_APPLIES = re.compile(
    r"(?:[Aa]nwendung|[Gg]eltung|[Aa]nwendbarkeit|[Nn]ichtanwendung) (?:vgl|gem|d|s)\b"
)
_NOT_SHOWN = re.compile(r"nicht (?:darstellba|erfa(?:ß|ss)t|abgedruckt|wiedergegeben)|Text der Anl")

_PARLIAMENT = "Deutscher Bundestag - DIP"


@dataclass(frozen=True, slots=True)
class ValidityNote:
    """What a note says on whether, or from when to when, a text applies: of a kind of ``KINDS``.

    ``status`` is what it makes of the text, where it makes something of it. ``about`` and
    ``parts`` (with the Fassung, as the publisher names them) are of what the Constitutional Court
    declared.
    """

    kind: str
    text: str
    status: NormStatus | None = None
    places: bool = False  # a note on the statute that names places: of no others is it true
    about: About = About.THIS
    parts: str = ""
    source: str | None = None  # None = the statute's own


@dataclass(frozen=True, slots=True)
class Validity:
    """Whether a text applies: its status, the notes on it, and whether it is the newest there is.

    ``is_current`` needs the newest look, and no note of changes that are not in the text.
    """

    status: NormStatus
    notes: Sequence[ValidityNote]
    is_current: bool


def find_validity(
    library: Library, statute: Statute, fassung: Fassung, span: tuple[int, int] | None = None
) -> Validity:
    """What is known of a text of that statute, or of the part of it between two offsets.

    What was declared of one part of a provision is not said of another.
    """
    of_law = _find_head(library, statute)
    notes: Sequence[ValidityNote] = ()
    if fassung.notes or of_law or statute.stand_notes:
        others = _list_notes(statute.stand_notes, fassung.notes, bool(fassung.text))
        if span == (0, len(fassung.text)):
            span = None
        told = _list_declared(statute, fassung.notes, Shown(fassung.segments, span))
        found = {note.text: note for note in (*told, *of_law, *others)}.values()
        notes = tuple(sorted(found, key=lambda note: KINDS.index(note.kind)))
    if (enactment := fassung.enactment) is not None and _is_disputed(fassung, enactment):
        record = ValidityNote("applicability", _tell_record(enactment), source=_PARLIAMENT)
        notes = (*notes, record)
    status = _find_status(statute, fassung.status, notes)
    return Validity(status, notes, _is_current(library.store.manifest, statute, fassung, notes))


def find_validity_of_hit(library: Library, hit: ProvisionHit) -> Validity:
    """What is known of the unit that was cited."""
    return find_validity(library, hit.statute, hit.fassung, (hit.start, hit.end))


def _is_disputed(fassung: Fassung, enactment: Enactment) -> bool:
    """Whether the publisher's note says another day of commencement than parliament's record."""
    said = enactment.said
    by_note = fassung.date_precision is DatePrecision.EXACT
    return by_note and said is not None and said != fassung.in_force_from


def _tell_record(enactment: Enactment) -> str:
    assert enactment.said is not None
    day = f"{enactment.said.day}.{enactment.said.month}.{enactment.said.year}"
    return (
        f"Nach den Angaben des Bundestages zu {', '.join(enactment.acts)} in Kraft getreten am"
        f" {day}; der Vermerk des Herausgebers am Text nennt einen anderen Tag"
    )


def list_currency_notes(statute: Statute) -> list[ValidityNote]:
    """The notes on a statute as a whole: changes that its text lacks, the end of its force."""
    return list(_list_currency(statute.stand_notes))


def _find_head(library: Library, statute: Statute) -> tuple[ValidityNote, ...]:
    """What the Constitutional Court said of the statute as a whole.

    It stands at its head, or among the notes on its Stand.
    """
    known = library.head_notes.get(statute.statute_id)
    if known is None:
        head = library.store.find_fassung(f"{statute.statute_id}/vorspann")
        known = tuple(text for text in head.notes if speaks_of_court(text)) if head else ()
        library.head_notes[statute.statute_id] = known
    known += tuple(note.text for note in statute.stand_notes if speaks_of_court(note.text))
    if not known:
        return ()
    # what it names as its place is the statute
    said = (replace(one, paths=(), place="") for text in known for one in read_note(text))
    weighed = (_weigh(one, statute, WHOLE) for one in said)
    return tuple(note for note in weighed if note.status)


def _list_declared(statute: Statute, notes: Iterable[str], shown: Shown) -> list[ValidityNote]:
    """What the notes on a provision say of the Constitutional Court, for the part shown."""
    return [_weigh(one, statute, shown) for note in notes for one in read_note(note)]


def _weigh(declaration: Declaration, statute: Statute, shown: Shown) -> ValidityNote:
    status, about = weigh(declaration, statute, shown)
    kind = declaration.kind if status else "applicability"
    return ValidityNote(
        kind, _shorten(declaration.text), status, about=about, parts=declaration.place
    )


@lru_cache(maxsize=2_000)
def _list_notes(
    stand_notes: tuple[StandNote, ...], notes: tuple[str, ...], has_text: bool
) -> tuple[ValidityNote, ...]:
    """What no court has said."""
    found = [
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
        for marked in MARKED.finditer(text[:MOST_READ])
        if _APPLIES.search(marked["words"])
    ]
    if applies:
        words = " ".join(each.strip("(+) \n") for each in applies)
        found.append(ValidityNote("applicability", _shorten(words)))
    return tuple(found)


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


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: text.rfind(" ", 0, _LONGEST)] + " …"


def find_status(
    library: Library, statute: Statute, status: NormStatus, notes: Sequence[str]
) -> NormStatus:
    """The status of a text: what the publisher says of it, and what its notes make of that."""
    found = _list_declared(statute, notes, WHOLE)
    return _find_status(statute, status, [*found, *_find_head(library, statute)])


def _find_status(statute: Statute, status: NormStatus, notes: Sequence[ValidityNote]) -> NormStatus:
    if status is not NormStatus.IN_FORCE:
        return status
    said = {note.status for note in notes}
    for declared in DECLARED:
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
    if any(note.text.startswith(ENDED) for note in statute.stand_notes):
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

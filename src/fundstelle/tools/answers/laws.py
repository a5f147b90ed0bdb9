"""A law as the tools show it: its row in lists, its last change, its place in answers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Annotated, NotRequired, TypedDict

from fundstelle.law.identifiers import fold
from fundstelle.law.lands import JURISDICTIONS
from fundstelle.law.norms import Statute
from fundstelle.lookup.addresses import norm_path
from fundstelle.lookup.answers import LawHit, ProvisionHit, Resolution
from fundstelle.lookup.dating.changed_laws import ChangedLaw
from fundstelle.lookup.dating.days import find_stand_of_law
from fundstelle.lookup.library import Library
from fundstelle.lookup.validity.bearing import About
from fundstelle.lookup.validity.notes import ValidityNote, is_law_current, list_currency_notes
from fundstelle.tools.answers.schema import Values
from fundstelle.tools.answers.units import ShownValidity

CHANGE_KINDS = ("issued", "republished", "amended")
FEWER_SECTIONS = 12  # named of a law
MOST_SECTIONS = 100  # in detailed
LAW_STATUSES = ("in_force", "removed")

# "Zuletzt geändert durch Art. 14 G v. 23.10.2024 I Nr. 323"
_ACT_DATE = re.compile(r"\bv\. ?(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\b")
_CHANGES = {"Stand": "amended", "Hinweis": "amended", "Neuf": "republished"}


@dataclass(frozen=True, slots=True)
class LastChange:
    """Day of the newest act that changed a law (its Ausfertigung), and what it did."""

    day: date
    kind: str

    def show(self) -> "ShownChange":
        """As answers have it."""
        return {"date": self.day, "kind": self.kind}


class ShownChange(TypedDict):
    """The newest act that changed a law."""

    date: Annotated[date, "Day of that act."]
    kind: Annotated[str, "What it did.", Values(CHANGE_KINDS)]


class ShownChanged(TypedDict):
    """What changed in a law in the period asked for."""

    seen: NotRequired[Annotated[date, "Newest look in it that showed another text."]]
    version_date: NotRequired[Annotated[date, "Newest version in it, where no look is known."]]
    valid_from: NotRequired[Annotated[date, "Newest first day in force, where something says so."]]
    is_new: NotRequired[Annotated[bool, "Only true: the law itself was first seen in it."]]
    sections: NotRequired[
        Annotated[list[str], "Numbers of the provisions that changed, the first of many."]
    ]
    count: NotRequired[Annotated[int, "How many changed, where not all are named."]]


class ListedLaw(TypedDict):
    """A law in tables of contents and lists; rows of short lists leave some out."""

    norm_id: Annotated[str, "Id of the law."]
    abbreviation: Annotated[str, "The abbreviation lawyers use."]
    title: Annotated[str, "Official title."]
    source_type: Annotated[str, "Source: a value of the filter source_type."]
    jurisdiction: Annotated[str, f"Jurisdiction, such as {', '.join(JURISDICTIONS[:3])}."]
    document_kind: NotRequired[Annotated[str, "statute or regulation."]]
    version_date: Annotated[date, "Stand: the day the text was taken for."]
    celex: NotRequired[Annotated[str, "CELEX number of an EU act."]]
    norm_count: Annotated[int, "Provisions of the law."]
    status: Annotated[
        str, "removed = no longer in the publisher's table of contents.", Values(LAW_STATUSES)
    ]
    source_url: NotRequired[Annotated[str, "Where the publisher shows it."]]
    official_publication: NotRequired[Annotated[str, "Where it was promulgated."]]
    validity_notes: NotRequired[Annotated[list[ShownValidity], "Notes on the whole law."]]
    last_change: NotRequired[Annotated[ShownChange, "The newest act that changed it."]]
    changed: NotRequired[Annotated[ShownChanged, "With changed_since or changed_until."]]


class NamedLaw(TypedDict):
    """A law that was looked up without a section."""

    norm_id: Annotated[str, "Id of the law."]
    abbreviation: Annotated[str, "The abbreviation lawyers use."]
    title: Annotated[str, "Official title."]
    source_type: Annotated[str, "Source: a value of the filter source_type."]
    jurisdiction: Annotated[str, "Jurisdiction."]
    document_kind: Annotated[str, "statute or regulation."]
    version_date: Annotated[date, "Stand of the law."]
    norm_count: Annotated[int, "Provisions of the law."]
    is_current: Annotated[bool, "Shown by the newest look, and no change is known to be missing."]
    source_url: Annotated[str, "Where the publisher shows it."]
    page_url: NotRequired[Annotated[str, "Its contents on this server, permanently."]]
    official_publication: NotRequired[Annotated[str, "Where it was promulgated."]]
    validity_notes: NotRequired[
        Annotated[list[ShownValidity], "Changes that its text lacks, the end of its force."]
    ]
    last_change: NotRequired[Annotated[ShownChange, "The newest act that changed it."]]


def find_last_change(statute: Statute) -> LastChange | None:
    """The newest change that the publisher's Stand notes name; else the law's own issue."""
    changes = [LastChange(statute.issued_on, "issued")] if statute.issued_on else []
    for note in statute.stand_notes:
        if note.kind in _CHANGES:
            changes += [LastChange(day, _CHANGES[note.kind]) for day in _read_dates(note.text)]
    return max(changes, key=lambda change: change.day, default=None)


def _read_dates(text: str) -> Iterable[date]:
    for found in _ACT_DATE.finditer(text):
        try:
            yield date(int(found[3]), int(found[2]), int(found[1]))
        except ValueError:  # a misprint in the note
            continue


def get_status(statute: Statute) -> str:
    """Whether the publisher still lists the law."""
    return "in_force" if statute.listed else "removed"


def describe_law(statute: Statute) -> ListedLaw:
    """A law in full, as tables of contents show it."""
    law: ListedLaw = {
        "norm_id": statute.statute_id,
        "abbreviation": statute.abbreviation,
        "title": statute.title,
        "source_type": statute.source_type,
        "jurisdiction": statute.jurisdiction,
        "document_kind": statute.document_kind,
        "version_date": find_stand_of_law(statute)[0],
        "norm_count": statute.norm_count,
        "status": get_status(statute),
        "source_url": statute.source_url,
    }
    if statute.jurisdiction == "eu":
        law["celex"] = statute.slug
    notes = list_currency_notes(statute)
    if notes:
        law["validity_notes"] = show_validity(statute, notes)
    _add_history(law, statute)
    return law


def _add_history(law: ListedLaw | NamedLaw, statute: Statute) -> None:
    """Where it was promulgated and what changed it last, where that is known."""
    if statute.publication:
        law["official_publication"] = statute.publication
    change = find_last_change(statute)
    if change is not None:
        law["last_change"] = change.show()


def describe_briefly(statute: Statute) -> ListedLaw:
    """A law as a row of a short list."""
    law = describe_law(statute)
    law.pop("document_kind")
    law.pop("source_url")
    law.pop("validity_notes", None)
    law.pop("official_publication", None)
    return law


def describe_changed(library: Library, changed: ChangedLaw, most: int) -> ShownChanged:
    """What changed in a law, at most so many of its provisions by their numbers."""
    shown: ShownChanged = {}
    if changed.seen is not None:
        shown["seen"] = changed.seen
    if changed.version_date is not None:
        shown["version_date"] = changed.version_date
    if changed.valid_from is not None:
        shown["valid_from"] = changed.valid_from
    if changed.is_new:
        shown["is_new"] = True
    first = sorted(changed.ordinals)[:most]
    if first:
        shown["sections"] = [norm.number for norm in library.store.get_norms_by_ordinal(first)]
    if len(changed.ordinals) > most:
        shown["count"] = len(changed.ordinals)
    return shown


def warn_of_period(library: Library, first: date, last: date) -> list[str]:
    """A warning where texts were not looked at in the whole of a period."""
    manifest = library.store.manifest
    if manifest.archive_floor < first and last <= manifest.stand:
        return []
    floor, stand = manifest.archive_floor.isoformat(), manifest.stand.isoformat()
    known = f"Changes of texts are known from {floor} to {stand} here"
    return [f"{known}; of other days a law's last amending act alone."]


def describe_named(library: Library, statute: Statute) -> NamedLaw:
    """A law named without a section."""
    notes = list_currency_notes(statute)
    law: NamedLaw = {
        "norm_id": statute.statute_id,
        "abbreviation": statute.abbreviation,
        "title": statute.title,
        "source_type": statute.source_type,
        "jurisdiction": statute.jurisdiction,
        "document_kind": statute.document_kind,
        "version_date": find_stand_of_law(statute)[0],
        "norm_count": statute.norm_count,
        "is_current": is_law_current(library.store.manifest, statute),
        "source_url": statute.source_url,
    }
    if library.base_url:
        law["page_url"] = library.base_url + norm_path(statute.statute_id)
    if notes:
        law["validity_notes"] = show_validity(statute, notes)
    _add_history(law, statute)
    return law


def warn_of_other_laws(resolution: Resolution) -> list[str]:
    """Each law that is named without a provision and is not what the answer shows, by its name."""
    hits, first = resolution.hits, resolution.outcomes[0]
    shown = {hit.statute.statute_id for hit in hits if isinstance(hit, ProvisionHit)}
    if not hits and isinstance(first, LawHit):
        shown.add(first.statute.statute_id)
    named = [one for one in (*resolution.outcomes, *resolution.unshown) if isinstance(one, LawHit)]
    others = {one.statute.statute_id: one for one in named if one.statute.statute_id not in shown}
    return [line for one in others.values() for line in (_say_named(one.statute), *one.warnings)]


def _say_named(statute: Statute) -> str:
    named = f"{statute.abbreviation} ({statute.statute_id}) is named, too, without a provision;"
    return f"{named} look it up alone."


def show_validity(statute: Statute, notes: Iterable[ValidityNote]) -> list[ShownValidity]:
    """Notes of the publisher of a statute."""
    source = f"publisher ({statute.source_type})"
    return [_show_note(note, source) for note in notes]


def _show_note(note: ValidityNote, source: str) -> ShownValidity:
    shown: ShownValidity = {"kind": note.kind, "text": note.text, "source": note.source or source}
    if note.about is not About.THIS:
        shown["about"] = note.about
    if note.parts:
        shown["parts"] = note.parts
    return shown


def fold_names(statute: Statute) -> str:
    """Everything a law is called, folded, for searching in it."""
    names = (
        statute.abbreviation,
        *statute.abbreviations_juris,
        statute.abbreviation_official or "",
        statute.short_title or "",
        statute.title,
    )
    return "\n".join(fold(name) for name in dict.fromkeys(names) if name)

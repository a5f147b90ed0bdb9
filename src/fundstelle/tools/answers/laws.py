"""A law as the tools show it: its row in lists, its last change, its place in answers."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from fundstelle.law.identifiers import fold
from fundstelle.law.norms import Statute
from fundstelle.tools.answers import schema as s
from fundstelle.tools.parameters import JURISDICTIONS, SOURCE_TYPES

CHANGE_KINDS = ("issued", "republished", "amended")
LAW_STATUSES = ("in_force", "removed")

# "Zuletzt geändert durch Art. 14 G v. 23.10.2024 I Nr. 323"
_ACT_DATE = re.compile(r"\bv\. ?(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\b")
_CHANGES = {"Stand": "amended", "Hinweis": "amended", "Neuf": "republished"}


@dataclass(frozen=True, slots=True)
class LastChange:
    """Day of the newest act that changed a law (its Ausfertigung), and what it did."""

    day: date
    kind: str


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


def describe_law(statute: Statute) -> dict[str, Any]:
    """A law in full, as tables of contents show it."""
    law: dict[str, Any] = {
        "norm_id": statute.statute_id,
        "abbreviation": statute.abbreviation,
        "title": statute.title,
        "source_type": statute.source_type,
        "jurisdiction": statute.jurisdiction,
        "document_kind": statute.document_kind,
        "version_date": statute.stand,
        "norm_count": statute.norm_count,
        "status": get_status(statute),
        "source_url": statute.source_url,
    }
    if statute.jurisdiction == "eu":
        law["celex"] = statute.slug
    if statute.publication:
        law["official_publication"] = statute.publication
    change = find_last_change(statute)
    if change is not None:
        law["last_change"] = {"date": change.day, "kind": change.kind}
    return law


def describe_briefly(statute: Statute) -> dict[str, Any]:
    """A law as a row of a list."""
    full = describe_law(statute)
    for name in ("document_kind", "source_url", "official_publication"):
        full.pop(name, None)
    return full


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


def law_properties() -> dict[str, s.Schema]:
    """The properties of ``describe_law`` for output schemas."""
    return {
        "norm_id": s.text("Id of the law."),
        "abbreviation": s.text("The abbreviation lawyers use."),
        "title": s.text("Official title."),
        "source_type": s.choice("Source.", SOURCE_TYPES),
        "jurisdiction": s.text(f"Jurisdiction, such as {', '.join(JURISDICTIONS[:3])}."),
        "document_kind": s.text("statute or regulation."),
        "version_date": s.day("Stand: the day the text was taken for."),
        "celex": s.text("CELEX number of an EU act."),
        "eli": s.text("ELI, where the publisher gives one."),
        "norm_count": s.integer("Provisions of the law."),
        "status": s.choice(
            "removed = no longer in the publisher's table of contents.", LAW_STATUSES
        ),
        "source_url": s.text("Where the publisher shows it."),
        "official_publication": s.text("Where it was promulgated."),
        "last_change": s.record(
            "The newest act that changed it.",
            {"date": s.day("Day of that act."), "kind": s.choice("What it did.", CHANGE_KINDS)},
        ),
    }

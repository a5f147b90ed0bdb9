"""Plain values that tests vary with ``dataclasses.replace`` or ``make_norm``."""

import hashlib
from datetime import UTC, date, datetime

from fundstelle.corpus.manifest import Manifest, Rejected, SnapshotState, SourceState
from fundstelle.corpus.rows import SCHEMA_VERSION
from fundstelle.law.identifiers import build_norm_id
from fundstelle.law.norms import (
    DatePrecision,
    Fassung,
    Norm,
    NormKind,
    NormStatus,
    Statute,
)

STAND = date(2025, 1, 1)

STATUTE = Statute(
    statute_id="de/musterg",
    slug="musterg",
    publisher_id="BJNR900000001",
    abbreviation="MusterG",
    abbreviations_juris=("MusterG",),
    abbreviation_official="MusterG",
    title="Mustergesetz, ein erfundenes Gesetz",
    short_title=None,
    issued_on=date(2020, 1, 1),
    publication="Muster-BGBl. I 2020 S. 1",
    stand_notes=(),
    document_kind="statute",
    listed=True,
    source_url="https://example.org/musterg",
    stand=STAND,
    norm_count=1,
    source_type="gii",
)


def make_norm(number: str, position: int = 0, statute_id: str = "de/musterg") -> Norm:
    """A section of that number."""
    return Norm(
        norm_id=build_norm_id(statute_id, number),
        statute_id=statute_id,
        position=position,
        kind=NormKind.SECTION,
        number=number,
        number_end=None,
        label=f"§ {number}",
        title=None,
        citation=f"§ {number} MusterG",
        level=1,
        parent_id=None,
        hierarchy=(),
        status=NormStatus.IN_FORCE,
        publisher_id=f"BJNR900000001BJNE{position:09d}",
    )


def make_fassung(norm_id: str, text: str, stand: date = STAND) -> Fassung:
    """A version of that text, of unknown beginning."""
    return Fassung(
        norm_id=norm_id,
        text=text,
        text_sha256=hashlib.sha256(text.encode()).hexdigest(),
        segments=(),
        tables=(),
        footnotes=(),
        notes=(),
        in_force_from=None,
        in_force_until=None,
        date_precision=DatePrecision.UNKNOWN,
        stand=stand,
    )


NORM = make_norm("1")
FASSUNG = make_fassung(NORM.norm_id, "Erfunden.")

MANIFEST = Manifest(
    release="0" * 16,
    sha256="0" * 64,
    stand=STAND,
    archive_floor=STAND,
    built_at=datetime(2025, 1, 2, tzinfo=UTC),
    schema_version=SCHEMA_VERSION,
    statutes=1,
    norms=1,
    fassungen=1,
    references=0,
    characters=9,
    sources=(
        SourceState(
            name="Muster",
            source_type="gii",
            url="https://example.org/",
            stand=STAND,
            items=1,
            sha256="1" * 64,
            retrieved_at=datetime(2025, 1, 1, tzinfo=UTC),
            complete=True,
            known_gaps=("eine Lücke",),
            snapshots=(SnapshotState("gii-2025-01-01", STAND, "1" * 64, 1),),
            missing=("fehlg",),
        ),
    ),
    rejected=(Rejected("a.xml", "it is not XML"),),
)

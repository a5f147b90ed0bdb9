"""From the outline of a law to its norms: numbers, ids, citations, segments."""

import hashlib
from collections import Counter
from collections.abc import Sequence
from datetime import date

from fundstelle.ingest.sources.gii.designations import Designation
from fundstelle.ingest.sources.gii.outline import NormEntry, Outline
from fundstelle.ingest.text.segments import build_segments
from fundstelle.law.identifiers import build_norm_id
from fundstelle.law.norms import (
    DatePrecision,
    Fassung,
    Norm,
    NormKind,
    NormStatus,
    Segment,
)


def build_norms(
    outline: Outline, statute_id: str, abbreviation: str, stand: date
) -> tuple[tuple[Norm, Fassung], ...]:
    """Every norm of a law with its text on the day *stand*, in document order."""
    names = _name_all(outline.entries)
    ids = {
        id(entry): build_norm_id(statute_id, number)
        for entry, (number, _) in zip(outline.entries, names, strict=True)
    }
    built = []
    for position, (entry, (number, cited)) in enumerate(zip(outline.entries, names, strict=True)):
        named = entry.designation
        norm = Norm(
            norm_id=ids[id(entry)],
            statute_id=statute_id,
            position=position,
            kind=named.kind,
            number=number,
            number_end=named.number_end,
            label=named.label,
            title=entry.title or None,
            citation=f"{cited} {abbreviation}",
            level=len(entry.above) + 1,
            parent_id=ids[id(entry.above[-1])] if entry.above else None,
            hierarchy=tuple(_format_heading(above) for above in entry.above),
            status=entry.status,
            publisher_id=entry.publisher_id,
        )
        built.append((norm, _build_fassung(norm, entry, stand)))
    return tuple(built)


def _format_heading(entry: NormEntry) -> str:
    label, title = entry.designation.label, entry.title
    return f"{label} {title}" if title and title != label else label


def _build_fassung(norm: Norm, entry: NormEntry, stand: date) -> Fassung:
    text = entry.draft.text
    return Fassung(
        norm_id=norm.norm_id,
        text=text,
        text_sha256=hashlib.sha256(text.encode()).hexdigest(),
        segments=_build_segments(norm, entry),
        tables=entry.draft.tables,
        footnotes=entry.footnotes,
        notes=entry.notes,
        in_force_from=None,
        in_force_until=None,
        date_precision=DatePrecision.UNKNOWN,
        stand=stand,
        status=norm.status,
    )


def _build_segments(norm: Norm, entry: NormEntry) -> tuple[Segment, ...]:
    if norm.kind is NormKind.CONTENTS or norm.status is not NormStatus.IN_FORCE:
        return ()
    return build_segments(entry.draft, is_annex=norm.kind is NormKind.ANNEX)


def _name_all(entries: Sequence[NormEntry]) -> list[tuple[str, str]]:
    """Number and citation (without the law) of each norm; no number occurs twice.

    Where the §§ of a law start anew below each Artikel they are named with it: ``229/5``,
    ``Art. 229 § 5``. Where a law has both § 5 and Artikel 5, the kind of which it has more keeps
    the plain number; the other becomes ``art-5`` or ``par-5``. What still occurs twice gets
    ``~2``, ``~3`` in document order.
    """
    nested = _is_nested(entries)
    minor = _find_minor(entries, nested=nested)
    plain = {
        entry.designation.number
        for entry in entries
        if entry.designation.kind is not minor and entry.designation.kind in _COUNTED
    }
    seen: Counter[str] = Counter()
    names = []
    for entry in entries:
        number, cited = _name(entry, nested=nested)
        if entry.designation.kind is minor and number in plain:
            number = f"{_PREFIXES[minor]}-{number}"
        seen[number] += 1
        names.append((number if seen[number] == 1 else f"{number}~{seen[number]}", cited))
    return names


_COUNTED = (NormKind.SECTION, NormKind.ARTICLE)
_PREFIXES = {NormKind.SECTION: "par", NormKind.ARTICLE: "art"}


def _name(entry: NormEntry, *, nested: bool) -> tuple[str, str]:
    named: Designation = entry.designation
    if nested and named.kind is NormKind.SECTION and entry.article:
        return f"{entry.article.lower()}/{named.number}", f"Art. {entry.article} {named.cited}"
    return named.number, named.cited


def _is_nested(entries: Sequence[NormEntry]) -> bool:
    """Whether some § number occurs below two Artikel."""
    articles: dict[str, str] = {}
    for entry in entries:
        named = entry.designation
        if (
            named.kind is NormKind.SECTION
            and entry.article
            and articles.setdefault(named.number, entry.article) != entry.article
        ):
            return True
    return False


def _find_minor(entries: Sequence[NormEntry], *, nested: bool) -> NormKind | None:
    """The rarer kind, §§ or Artikel, where a law has both side by side."""
    counts = Counter(
        entry.designation.kind
        for entry in entries
        if entry.designation.kind in _COUNTED
        and not (nested and entry.article and entry.designation.kind is NormKind.SECTION)
    )
    if len(counts) < len(_COUNTED):
        return None
    if counts[NormKind.SECTION] >= counts[NormKind.ARTICLE]:
        return NormKind.ARTICLE
    return NormKind.SECTION

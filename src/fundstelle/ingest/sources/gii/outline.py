"""The outline of a law: the flat list of ``norm`` elements, each put under its heading.

The hierarchy follows from order and from ``gliederungskennzahl``, three digits a level.
"""

import re
from dataclasses import dataclass, field

from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.gii.designations import (
    Designation,
    read_article,
    read_designation,
)
from fundstelle.ingest.sources.gii.status import read_status
from fundstelle.ingest.sources.gii.text import GiiText, read_inline, read_notes
from fundstelle.ingest.text.lines import Draft, collapse
from fundstelle.law.norms import NormKind, NormStatus

FRONT = "vorspann"  # number of what the header norm says: notes, official remarks

_OUTSIDE = frozenset({NormKind.ANNEX, NormKind.FORMULA, NormKind.CONTENTS})
_ANNEXES = re.compile(r"(?:Anlage|Anhang|Anhänge)")
_STROKE = "-"  # how the publisher writes "no designation"


@dataclass(slots=True, eq=False)
class NormEntry:
    """One norm of the outline, still without its id."""

    publisher_id: str
    designation: Designation
    title: str
    draft: Draft
    footnotes: tuple[str, ...]
    notes: tuple[str, ...]
    status: NormStatus
    above: list["NormEntry"] = field(default_factory=list)  # headings, from the outermost inwards
    code: str = ""  # gliederungskennzahl of a heading
    article: str | None = None  # number of the Artikel that holds it, or that it is


@dataclass(frozen=True, slots=True)
class Outline:
    """All norms of a law in order, and the element of its header."""

    header: _Element
    entries: list[NormEntry]


def read_outline(file: SourceFile, root: _Element) -> Outline:
    """Read every norm and find the headings above it.

    Raises:
        RejectedFile: there is no norm at all.
    """
    norms = root.findall("norm")
    if not norms:
        raise RejectedFile(file.name, "it holds no norm")
    reader = _OutlineReader()
    front = _read_front(norms[0])
    entries = [*([front] if front else []), *(reader.read(norm) for norm in norms[1:])]
    holding = {id(above) for entry in entries for above in entry.above}
    living = {
        id(above)
        for entry in entries
        if entry.status is not NormStatus.REPEALED
        for above in entry.above
    }
    for entry in entries:
        _settle(entry, holds_norms=id(entry) in holding)
        if id(entry) in living and entry.status is NormStatus.REPEALED:
            entry.status = NormStatus.IN_FORCE  # only the heading's own words are gone
    return Outline(norms[0], entries)


def _read_front(norm: _Element) -> NormEntry | None:
    named = Designation(NormKind.OTHER, FRONT, None, "Vorspann", "Vorspann")
    entry = _read_entry(norm, named, "")
    return entry if entry.draft.text or entry.footnotes or entry.notes else None


class _OutlineReader:
    """Keeps the headings that are open."""

    def __init__(self) -> None:
        self._open: list[NormEntry] = []

    def read(self, norm: _Element) -> NormEntry:
        metadata = norm.find("metadaten")
        unit = None if metadata is None else metadata.find("gliederungseinheit")
        code = "" if unit is None else collapse(unit.findtext("gliederungskennzahl") or "")
        name = "" if unit is None else collapse(unit.findtext("gliederungsbez") or "")
        enbez = "" if metadata is None else collapse(metadata.findtext("enbez") or "")
        if unit is not None and not enbez:
            return self._read_heading(norm, unit, code, "" if name == _STROKE else name)
        title = "" if metadata is None else read_inline(metadata.find("titel"))
        entry = _read_entry(norm, read_designation(enbez, title), title)
        self._place(entry, code, has_unit=unit is not None)
        entry.article = read_article(name) or _article_above(entry)
        return entry

    def _read_heading(self, norm: _Element, unit: _Element, code: str, name: str) -> NormEntry:
        title = read_inline(unit.find("gliederungstitel"))
        label = name or title or "Überschrift"
        named = Designation(NormKind.HEADING, f"gliederung-{code}", None, label, label)
        entry = _read_entry(norm, named, title)
        self._open = [above for above in self._open if _holds(above.code, code)]
        entry.article = read_article(name)
        if entry.article:  # no Artikel stands inside another, whatever the code says
            articles = [at for at, above in enumerate(self._open) if above.article]
            del self._open[articles[0] if articles else len(self._open) :]
        entry.above = list(self._open)
        entry.code = code
        self._open.append(entry)
        return entry

    def _place(self, entry: NormEntry, code: str, *, has_unit: bool) -> None:
        above = self._open
        if has_unit:
            above = [a for a in above if a.code == code or _holds(a.code, code)]
        elif entry.designation.kind in _OUTSIDE:
            annexes = [at for at, a in enumerate(above) if _ANNEXES.match(a.designation.label)]
            above = above[: annexes[-1] + 1] if annexes else []
        entry.above = list(above)


def _holds(outer: str, inner: str) -> bool:
    return len(outer) < len(inner) and inner.startswith(outer)


def _article_above(entry: NormEntry) -> str | None:
    return next((a.article for a in reversed(entry.above) if a.article), None)


def _read_entry(norm: _Element, designation: Designation, title: str) -> NormEntry:
    reader = GiiText()
    text = norm.find("textdaten/text")
    comments = norm.find("textdaten/fussnoten")
    draft = Draft("", (), ()) if text is None else reader.read(text)
    notes = [*reader.notes, *([] if comments is None else read_notes(comments))]
    return NormEntry(
        publisher_id=str(norm.get("doknr") or "").strip(),
        designation=designation,
        title=title,
        draft=draft,
        footnotes=tuple(reader.footnotes),
        notes=tuple(notes),
        status=read_status(title, draft.text, is_range=designation.is_range),
    )


def _settle(entry: NormEntry, *, holds_norms: bool) -> None:
    """A heading ``Art 3`` that holds no norm is the Artikel itself; ``§ 3`` with words the §.

    ``Art 27 bis 37 (weggefallen)`` that holds none stands for all of them.
    """
    named = entry.designation
    if named.kind is not NormKind.HEADING:
        return
    if entry.article is None:
        several = named if holds_norms else read_designation(named.label, entry.title)
        is_range = several.kind is NormKind.ARTICLE and several.is_range
        if is_range and entry.status is NormStatus.REPEALED:
            entry.designation = several
            return
        section = read_designation(named.label, entry.title) if entry.draft.text else named
        if section.kind is NormKind.SECTION and not holds_norms:
            entry.designation = section
        return
    cited = f"Art. {entry.article}"
    kind = NormKind.HEADING if holds_norms else NormKind.ARTICLE
    entry.designation = Designation(kind, entry.article.lower(), None, named.label, cited)

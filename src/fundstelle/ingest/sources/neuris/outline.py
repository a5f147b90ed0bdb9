"""The outline of an expression: its provisions with their words, each below its headings."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date

from lxml.etree import _Element

from fundstelle.errors import RejectedFile
from fundstelle.ingest.sources.gii.designations import (
    Designation,
    read_article,
    read_designation,
)
from fundstelle.ingest.sources.gii.norms import build_norms
from fundstelle.ingest.sources.gii.outline import FRONT, NormEntry, Outline
from fundstelle.ingest.sources.gii.status import read_status
from fundstelle.ingest.sources.neuris.expression import Expression, Period
from fundstelle.ingest.sources.neuris.text import LegalDocText, read_inline
from fundstelle.ingest.text.lines import Draft
from fundstelle.law.identifiers import to_id
from fundstelle.law.norms import Fassung, Norm, NormKind, NormStatus

_GROUPS = frozenset(
    {
        *("book", "part", "chapter", "subchapter", "section", "subsection", "title", "subtitle"),
        *("tome", "division", "subdivision", "subpart", "hcontainer"),
    }
)
_QUOTED = frozenset({"quotedStructure", "quotedText"})
_NAMED = frozenset({"num", "heading"})  # read as label and title
_SINGLE = {"inhaltsuebersicht": "Inhaltsübersicht", "eingangsformel": "Eingangsformel"}
_ANNEX_NUMBER, _ANNEX_SCOPE = "anlageregelungstext-num", "anlageregelungstext-bezug"


@dataclass(frozen=True, slots=True)
class Provisions:
    """The norms of one expression, in order, and the period of each that its element names."""

    norms: tuple[tuple[Norm, Fassung], ...]
    periods: tuple[Period | None, ...]


@dataclass(slots=True)
class _Entries:
    """What was read so far."""

    expression: Expression
    found: list[NormEntry] = field(default_factory=list)
    periods: list[Period | None] = field(default_factory=list)
    by_element: dict[str, NormEntry] = field(default_factory=dict)  # by eId

    def add(
        self, element: _Element, named: Designation, title: str, above: Sequence[NormEntry]
    ) -> NormEntry:
        """Read an element as one provision."""
        return self.put(element, named, title, above, _NAMED)

    def put(
        self,
        element: _Element,
        named: Designation,
        title: str,
        above: Sequence[NormEntry],
        without: frozenset[str],
    ) -> NormEntry:
        """As ``add``; children with the tags of ``without`` are read elsewhere."""
        reader = LegalDocText()
        draft = reader.read(element, without=without)
        heading = element.find("heading")
        if heading is not None:  # for its footnotes
            reader.read_line(heading)
        entry = NormEntry(
            publisher_id=element.get("eId") or "",
            designation=named,
            title=title,
            draft=draft,
            footnotes=tuple(reader.footnotes),
            notes=tuple(reader.notes),
            status=read_status(title, draft.text, is_range=named.is_range),
            above=list(above),
        )
        self.keep(entry, self.expression.periods.get((element.get("period") or "").lstrip("#")))
        return entry

    def keep(self, entry: NormEntry, period: Period | None = None) -> None:
        """Put an entry behind the others."""
        self.found.append(entry)
        self.periods.append(period)
        if entry.publisher_id:
            self.by_element.setdefault(entry.publisher_id, entry)


def read_provisions(
    expression: Expression,
    annexes: Sequence[Expression],
    statute: tuple[str, str],
    stand: date,
) -> Provisions:
    """Every provision of an expression; ``statute`` is its id and abbreviation.

    Raises:
        RejectedFile: it holds no text.
    """
    entries = _Entries(expression)
    act = expression.root
    _read_front(entries, act.find("preface"))
    _read_framed(entries, act.find("preamble"), "Präambel")
    body = act.find("body")
    if body is not None:
        _read_body(entries, body, ())
    _read_framed(entries, act.find("conclusions"), "Schlussformel")
    for attached in act.findall("attachments/attachment/doc"):
        _read_annex(entries, attached)
    for annex in annexes:
        _read_annex(entries, annex.root)
    for document in (act, *(annex.root for annex in annexes)):
        _read_notes(entries, document)
    _drop_empty_front(entries)
    if not any(entry.draft.text or entry.title for entry in entries.found):
        raise RejectedFile(expression.name, "it holds no text")
    norms = build_norms(Outline(act, entries.found), *statute, stand)
    if len({norm.norm_id for norm, _ in norms}) < len(norms):
        raise RejectedFile(expression.name, "two of its norms would share an id")
    return Provisions(norms, tuple(entries.periods))


def _read_front(entries: _Entries, preface: _Element | None) -> None:
    """What stands beside the title: the day of issue, a footnote of the title."""
    if preface is None:
        return
    entry = entries.put(preface, _FRONT, "", (), frozenset({"longTitle"}))
    reader = LegalDocText()
    for title in preface.iterchildren("longTitle"):
        reader.read_line(title)
    entry.footnotes = (*reader.footnotes, *entry.footnotes)
    entry.notes = (*reader.notes, *entry.notes)


def _drop_empty_front(entries: _Entries) -> None:
    front = entries.found[0] if entries.found else None
    if front is None or front.designation.number != FRONT:
        return
    if not (front.draft.text or front.footnotes or front.notes):
        del entries.found[0], entries.periods[0]


_FRONT = Designation(NormKind.OTHER, FRONT, None, "Vorspann", "Vorspann")


def _read_framed(entries: _Entries, framed: _Element | None, called: str) -> None:
    """The preamble or the conclusions: formulas, the table of contents."""
    for part in () if framed is None else framed:
        name = _SINGLE.get(part.get("refersTo") or "", called)
        title = read_inline(part.find("heading"))
        entries.add(part, read_designation(name, title), "" if title == name else title, ())
    if framed is not None and (framed.text or "").strip():
        reader = LegalDocText()
        draft = reader.read(framed, without=frozenset(str(each.tag) for each in framed))
        entries.keep(_build_bare(read_designation(called, ""), draft))


def _read_body(
    entries: _Entries, element: _Element, above: Sequence[NormEntry], *, is_read: bool = False
) -> None:
    """The provisions below an element, and, unless ``is_read``, what stands between them."""
    for child in element:
        if child.tag in _NAMED:
            continue
        if child.tag == "article":
            _read_article(entries, child, above)
        elif _has_provisions(child):
            heading = _read_heading(entries, child, above)
            _read_body(entries, child, (*above, *heading), is_read=bool(heading))
        elif child.tag in _GROUPS:
            _read_heading(entries, child, above)
        elif is_read:
            continue  # the words of the heading
        elif "".join(child.itertext()).strip() or child.find(".//img") is not None:
            entries.add(child, read_designation("", read_inline(child.find("heading"))), "", above)


def _has_provisions(element: _Element) -> bool:
    """Whether a § stands below it that is its own, and not one that it quotes."""
    for article in element.iter("article", *_GROUPS):
        if article is not element and not any(a.tag in _QUOTED for a in article.iterancestors()):
            return True
    return False


def _read_heading(
    entries: _Entries, element: _Element, above: Sequence[NormEntry]
) -> tuple[NormEntry, ...]:
    """The heading that an element is; none where it has neither number nor title."""
    label = read_inline(element.find("num"))
    title = read_inline(element.find("heading"))
    if not label and not title:
        if element.tag in _GROUPS and not _has_provisions(element):
            entries.add(element, read_designation("", ""), "", above)
        return ()
    shown = label or title
    path = "-".join(to_id(one.designation.label) for one in above if one.designation.label)
    number = "-".join(filter(None, ("gliederung", path, to_id(shown))))
    named = Designation(NormKind.HEADING, number, None, shown, shown)
    provisions = frozenset({"article", *_GROUPS}) if _has_provisions(element) else frozenset[str]()
    entry = entries.put(element, named, title, above, _NAMED | provisions)
    entry.article = read_article(label) or _find_article(above)
    return (entry,)


def _read_article(entries: _Entries, element: _Element, above: Sequence[NormEntry]) -> None:
    label = read_inline(element.find("num"))
    if _has_provisions(element):  # §§ below an Artikel
        heading = _read_heading(entries, element, above)
        _read_body(entries, element, (*above, *heading), is_read=bool(heading))
        return
    title = read_inline(element.find("heading"))
    entry = entries.add(element, read_designation(label, title), title, above)
    entry.article = _find_article(above)


def _find_article(above: Sequence[NormEntry]) -> str | None:
    return next((one.article for one in reversed(above) if one.article), None)


def _read_annex(entries: _Entries, document: _Element) -> None:
    """An annex: its number and what it belongs to are its title, all else its text."""
    inlines = list(document.iterfind("preface//inline"))
    label = next((read_inline(e) for e in inlines if e.get("refersTo") == _ANNEX_NUMBER), "")
    scope = next((read_inline(e) for e in inlines if e.get("refersTo") == _ANNEX_SCOPE), "")
    preface, body = document.find("preface"), document.find("mainBody")
    titles = [] if preface is None else list(preface.iter("docTitle"))
    whole = read_inline(titles[0]) if titles else ""
    rest = whole.replace(label, "", 1).replace(scope, "", 1).strip() if label else whole
    title = " ".join(filter(None, (scope, rest if label else "")))
    named = read_designation(label or whole or "Anlage", title)
    if body is None:
        entries.keep(_build_bare(named, Draft("", (), ()), title))
        return
    entry = entries.put(body, named, title, (), frozenset())
    if preface is not None:
        reader = LegalDocText()
        reader.read_line(preface)
        entry.footnotes = (*reader.footnotes, *entry.footnotes)
        entry.notes = (*reader.notes, *entry.notes)


def _build_bare(named: Designation, draft: Draft, title: str = "") -> NormEntry:
    return NormEntry("", named, title, draft, (), (), NormStatus.IN_FORCE)


def _read_notes(entries: _Entries, document: _Element) -> None:
    """The publisher's notes, each at the provision that it names, else at the law or annex."""
    for note in document.iterfind("meta/notes/note"):
        text = read_inline(note)
        if not text:
            continue
        place = (note.get("placementBase") or "").lstrip("#")
        entry = _find_place(entries, place)
        if entry is None and document is not entries.expression.root:
            entry = entries.found[-1]
        if entry is None:
            entry = next((one for one in entries.found if one.designation.number == FRONT), None)
        if entry is None:
            entry = _build_bare(_FRONT, Draft("", (), ()))
            entries.found.insert(0, entry)
            entries.periods.insert(0, None)
        entry.notes = (*entry.notes, text)


def _find_place(entries: _Entries, place: str) -> NormEntry | None:
    """The provision with that eId, or the one around the element that has it."""
    for cut in _iter_cuts(place):
        if cut in entries.by_element:
            return entries.by_element[cut]
    return None


def _iter_cuts(place: str) -> Iterator[str]:
    while place:
        yield place
        place = place.rpartition("_")[0]

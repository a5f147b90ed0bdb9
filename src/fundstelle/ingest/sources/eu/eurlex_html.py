"""EU acts as EUR-Lex shows them: the XHTML of the Official Journal, and the plain HTML of old acts.

The XHTML names the role of each paragraph by its class (``oj-ti-art``, ``oj-normal`` …; without
``oj-`` in older files) and sets list items as tables of two columns. The plain HTML has nothing but
``<p>``: there a paragraph's first words tell its role.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date

from lxml import etree, html

from fundstelle.citations.text.dates import read_date
from fundstelle.ingest.sources.eu.act import (
    ActText,
    Unit,
    name_annex,
    name_article,
    name_recital,
    settle_annexes,
)
from fundstelle.ingest.sources.eu.blocks import ActBlock, tidy
from fundstelle.ingest.sources.eu.eurlex_lists import nest
from fundstelle.ingest.sources.eu.eurlex_tables import (
    list_rows,
    read_cell,
    read_items,
    read_picture,
    read_words,
)
from fundstelle.ingest.text.signs import is_mark
from fundstelle.law.norms import NormKind

_PARAGRAPH = re.compile(r"(\d+[a-z]{0,2}\.|\(\d+[a-z]{0,2}\))\s+(?=\S)")
_COUNT = re.compile(r"\d{1,3}\.")
_ITEM = re.compile(r"(\([a-z]{1,2}\)|\([ivxl]{1,7}\)|[a-z]\)|[—–-](?=\s))\s*")
_ARTICLE = re.compile(r"(?:Article|Artikel)\s+(?:\d+[a-z]?|[IVXL]+)")
_HEADING = re.compile(
    r"(?P<word>PART|TITLE|CHAPTER|SECTION|TEIL|TITEL|KAPITEL|ABSCHNITT)\s+"
    r"(?:[IVXLC]+|\d+|[A-Z]{3,8})\b",
    re.IGNORECASE,
)
_LEVELS = {
    "part": 1,
    "teil": 1,
    "title": 2,
    "titel": 2,
    "chapter": 3,
    "kapitel": 3,
    "section": 4,
    "abschnitt": 4,
}
_ANNEXED = re.compile(r"(?:ANNEX|ANHANG|PROTOCOL|PROTOKOLL|DECLARATIONS?|ERKLÄRUNG)(?:\s|$)")
# What stands behind the annexes of the treaties, under words of its own.
_BEHIND = {
    "declarations": "declarations",
    "erklärungen": "declarations",
    "tables of equivalences": "equivalences",
    "übereinstimmungstabellen": "equivalences",
    "annexes": "",
    "anhänge": "",
}
_RULE = re.compile(r"[-–—_*]{5,}")
_PROTOCOL = re.compile(r"PROTO[CK]OLL? \((?:No|Nr\.?)\s*(\d+)\)")
_WHEREAS = re.compile(r"(?:Whereas|In der Erwägung)[ ,]", re.IGNORECASE)
_ENDING = re.compile(
    r"(?:Done at|Geschehen zu)\s|This (?:Regulation|Decision) shall be binding in its entirety"
    r"|Dieser? (?:Verordnung|Beschluss) ist in allen (?:ihren|seinen) Teilen verbindlich"
)
_NOTE = re.compile(r"\(\s*[\d⁰¹²³⁴-⁹]+\s*\)\s*")
_TITLE_CHARS = 200


def looks_like_act(data: bytes) -> bool:
    """Whether a file is one of EUR-Lex' pages of an act."""
    head = data[:4_000].lower()
    return b"<html" in head and (
        b"oj-hd" in data[:20_000] or b"texteonly" in data.lower() or (b"hd-ti" in data[:20_000])
    )


def read_act(tree: html.HtmlElement, act: ActText) -> ActText:
    """Fill ``act`` with the recitals, articles, headings and annexes of a page."""
    reader = _Reader(act)
    body = tree.find("body")
    inner = tree.xpath("//*[@id='TexteOnly']")
    for element in inner or ([body] if body is not None else [tree]):
        reader.walk(element)
    act.units = settle_annexes(_drop_empty_headings(reader.finish()))
    act.published_on = act.published_on or _find_day_of_journal(tree)
    return act


def _find_day_of_journal(tree: html.HtmlElement) -> date | None:
    """``4.5.2016`` in the head of a page."""
    for place in tree.iter("p", "{*}p"):
        if (place.get("class") or "").removeprefix("oj-") == "hd-date":
            day = read_date(read_words(place).strip())
            return date.fromisoformat(day) if day else None
    return None


@dataclass(slots=True)
class _Reader:
    """Goes through a page once, from top to bottom."""

    act: ActText
    units: list[Unit] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    cited_notes: list[tuple[Unit, str]] = field(default_factory=list)
    unit: Unit | None = None
    started: bool = False  # an article was seen
    annexed: bool = False
    ended: bool = False
    heading: Unit | None = None  # waits for its title
    recitals: int = 0
    title: list[str] = field(default_factory=list)
    tabled: set[int] = field(default_factory=set)  # identities of list items set as tables

    def finish(self) -> list[Unit]:
        for unit, note in self.cited_notes:
            if note in self.notes and self.notes[note] not in unit.footnotes:
                unit.footnotes.append(self.notes[note])
        for unit in self.units:
            unit.blocks = list(nest(unit.blocks, self.tabled))
        if self.title and not self.act.title:
            self.act.title = tidy(" ".join(self.title))
        return self.units

    def walk(self, element: etree._Element) -> None:
        """Read what an element holds."""
        for child in element:
            if not isinstance(child.tag, str):
                continue
            tag = child.tag.lower()
            if tag == "p" and not child.findall(".//p"):
                self._read_paragraph(child)
            elif tag == "table":
                self._read_table(child)
            elif tag == "img":
                self._add_picture(read_picture(child))
            elif tag not in {"script", "style", "head", "hr"}:
                self.walk(child)

    def _read_paragraph(self, element: etree._Element) -> None:
        role = (element.get("class") or "").removeprefix("oj-")
        words = read_words(element)
        if not words or role.startswith("hd-") or _RULE.fullmatch(words):
            return
        if role == "note":
            self._keep_note(element, words)
        elif role == "ti-art" or (not role and _ARTICLE.fullmatch(words)):
            self._open_article(words)
        elif role == "sti-art":
            if self.unit is not None and self.unit.kind is NormKind.ARTICLE:
                self.unit.title = tidy(f"{self.unit.title} {words}")
        elif self._is_annex(words, role):
            self._open_annex(words)
        elif role.startswith("ti-section") or (not role and _HEADING.match(words)):
            self._open_heading(words)
        elif role == "doc-ti" and not self.annexed:
            if not self.started:
                self.title.append(words)
        else:
            self._add(element, words, plain=not role)

    def _is_annex(self, words: str, role: str) -> bool:
        if not role and self.annexed and _fold_title(words) in _BEHIND:
            return True
        is_title = role in {"", "doc-ti", "ti-annex"}
        return is_title and self.started and _ANNEXED.match(words) is not None

    def _keep_note(self, element: etree._Element, words: str) -> None:
        for anchor in element.iter("a"):
            name = anchor.get("id") or anchor.get("name")
            if name:
                self.notes[name] = _NOTE.sub("", words, count=1)
                return

    def _open_article(self, words: str) -> None:
        number = name_article(words)
        if number is None or self.annexed:
            self._append(ActBlock(words))
            return
        self.started, self.ended, self.heading = True, False, None
        self.unit = Unit(NormKind.ARTICLE, number, words)
        self.units.append(self.unit)

    def _open_annex(self, words: str) -> None:
        if self.annexed and _fold_title(words) in _BEHIND:
            self._open_behind(_BEHIND[_fold_title(words)], words)
            return
        protocol = _PROTOCOL.match(words)
        number = f"protocol_{protocol[1]}" if protocol else name_annex(words) or ""
        self.annexed, self.ended = True, False
        label = words if len(words) < _TITLE_CHARS else words[:40]
        self.unit = Unit(NormKind.ANNEX, number, label)
        if label != words:
            self.unit.blocks.append(ActBlock(words))
        self.units.append(self.unit)

    def _open_behind(self, number: str, words: str) -> None:
        """What stands behind the annexes; their common heading is nothing by itself."""
        self.unit = None
        if number:
            taken = sum(unit.number.startswith(number) for unit in self.units)
            number = f"{number}-{taken + 1}" if taken else number
            self.unit = Unit(NormKind.ANNEX, number, words.rstrip(" [*]"))
            self.units.append(self.unit)

    def _open_heading(self, words: str) -> None:
        found = _HEADING.match(words)
        if self.annexed:
            self._append(ActBlock(words))
        elif found is None:
            if self.heading is not None:
                self.heading.title = tidy(f"{self.heading.title} {words}")
        else:
            level = _LEVELS[found["word"].lower()]
            unit = Unit(NormKind.HEADING, f"div_{len(self.units)}", found[0], level=level)
            unit.title = tidy(words[found.end() :])
            self.units.append(unit)
            self.heading, self.unit = unit, None

    def _add(self, element: etree._Element, words: str, *, plain: bool) -> None:
        """A paragraph of text: of a recital, an article or an annex."""
        if self.ended or (_ENDING.match(words) and not self.annexed):
            self.ended = True
            return
        if is_mark(words):
            self._add_picture(words)
        elif not self.started and not self.annexed:
            self._add_recital(words)
        elif self.unit is None:
            if self.heading is not None and plain:
                self.heading.title = tidy(f"{self.heading.title} {words}")
        elif plain and self._is_title(words):
            self.unit.title = words
        else:
            self._append(_read_block(words))
        self._find_notes(element)

    def _add_picture(self, mark: str) -> None:
        """A picture or formula alone; it is no title, and what stands at the end is a signature."""
        if not self.ended:
            self._append(ActBlock(mark))

    def _is_title(self, words: str) -> bool:
        """Plain HTML: a short line without a full stop behind the article's number."""
        unit = self.unit
        assert unit is not None
        short = len(words) < _TITLE_CHARS and words[-1] not in ".;:,—"
        is_new = unit.kind is NormKind.ARTICLE and not unit.title and not unit.blocks
        return is_new and short and _read_block(words).label == ""

    def _add_recital(self, words: str) -> None:
        number = _PARAGRAPH.match(words)
        if number is not None and number[1].startswith("("):
            label = number[1]
            self._open_recital(name_recital(label), label, words[number.end() :])
        elif _WHEREAS.match(words) and len(words) > len("Whereas: "):
            self._open_recital(f"recital_{self.recitals + 1}", "", words)
        elif self.unit is not None and self.unit.kind is NormKind.RECITAL and words[-1] == ";":
            self.unit.blocks.append(ActBlock(words))
        else:
            self.unit = None

    def _open_recital(self, number: str | None, label: str, words: str) -> None:
        self.recitals += 1
        number = number or f"recital_{self.recitals}"
        self.unit = Unit(NormKind.RECITAL, number, label)
        if words:
            self.unit.blocks.append(ActBlock(words))
        self.units.append(self.unit)

    def _append(self, block: ActBlock, *, tabled: bool = False) -> None:
        if self.unit is None:
            return
        self.unit.blocks.append(block)
        if tabled:
            self.tabled.add(id(block))

    def _is_next_paragraph(self, label: str) -> bool:
        """Whether ``3.`` goes on behind paragraph 2: one that is a list is set as a table, too."""
        if self.unit is None or self.unit.kind is not NormKind.ARTICLE:
            return False
        counted = (one for one in reversed(self.unit.blocks) if _COUNT.fullmatch(one.label))
        last = next(counted, None)
        if last is None or last.is_item or _COUNT.fullmatch(label) is None:
            return False
        return int(label[:-1]) == int(last.label[:-1]) + 1

    def _find_notes(self, element: etree._Element) -> None:
        if self.unit is None:
            return
        for anchor in element.iter("a"):
            target = (anchor.get("href") or "").lstrip("#")
            if target:
                self.cited_notes.append((self.unit, target))

    def _read_table(self, table: etree._Element) -> None:
        items = list(read_items(table))
        if not items:
            rows = list_rows(table)
            if rows:
                self._append(ActBlock(rows=rows))
            return
        for label, cell in items:
            blocks = read_cell(cell)
            if not self.started and not self.annexed:
                self._open_recital(name_recital(label), label, "")
                if self.unit is not None:
                    self.unit.blocks += blocks
            else:
                has_words = bool(blocks) and not blocks[0].label and not blocks[0].rows
                first = blocks.pop(0) if has_words else ActBlock()
                is_item = not self._is_next_paragraph(label)
                block = ActBlock(first.words, label, is_item=is_item, below=[*first.below, *blocks])
                self._append(block, tabled=True)
            self._find_notes(cell)


def _fold_title(words: str) -> str:
    """``Tables of equivalences [*]`` without the sign of its footnote."""
    return words.lower().rstrip(" ()[]*")


def _read_block(words: str) -> ActBlock:
    """A paragraph with its number, or a list item, by its first words."""
    number = _PARAGRAPH.match(words)
    if number is not None:
        return ActBlock(words[number.end() :], number[1])
    item = _ITEM.match(words)
    if item is not None and item.end() < len(words):
        return ActBlock(words[item.end() :], item[1], is_item=True)
    return ActBlock(words)


def _drop_empty_headings(units: list[Unit]) -> Iterator[Unit]:
    """Headings of a table of contents have no article below them."""
    for place, unit in enumerate(units):
        if unit.kind is NormKind.HEADING:
            following = units[place + 1 :]
            below = next(
                (
                    other
                    for other in following
                    if other.kind is not NormKind.HEADING or other.level <= unit.level
                ),
                None,
            )
            if below is None or below.kind is not NormKind.ARTICLE:
                continue
        yield unit

"""EU acts in Formex 4: ``ACT`` and ``CONS.ACT``.

Source: Formex manual (Publications Office of the EU), elements PREAMBLE, CONSID, ENACTING.TERMS,
DIVISION, ARTICLE, PARAG, ALINEA, LIST, ITEM, NP, DLIST, TBL, CONS.ANNEX, NOTE, QUOT.START, FT.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date

from lxml import etree

from fundstelle.errors import RejectedFile
from fundstelle.ingest.sources.eu.act import (
    ActText,
    Unit,
    name_annex,
    name_article,
    name_recital,
    settle_annexes,
)
from fundstelle.ingest.sources.eu.blocks import ActBlock, tidy
from fundstelle.ingest.sources.eu.deletions import GONE
from fundstelle.ingest.sources.files.nesting import check_kin, iter_outermost
from fundstelle.ingest.text.signs import UNREAD, mark_picture, raise_characters
from fundstelle.ingest.text.tables import Cell, build_cell, lay_out
from fundstelle.law.norms import NormKind

_CONTAINERS = frozenset(
    {"LIST", "TBL", "DLIST", "P", "ALINEA", "PARAG", "GR.SEQ", "QUOT.S", "NP", "ITEM", "CONSID"}
)
_MOST_ANNEXES = 3  # around an annex: those of agreements that are annexes themselves
_CLOSE_UP = "\ue000"  # inside a quotation mark: no blank here
_CLOSED_UP = re.compile(rf"\s*{_CLOSE_UP}\s*")
_OPENED = re.compile(r"\( (?=[„‚“‘«])")  # a line break of the file, not of the text
_CELEX = re.compile(r"3\d{4}[A-Z]{1,2}\d{4}|1\d{4}[EMP]")
# Files of before 2010 give the year in two digits: 306L0112.
_SHORT_CELEX = re.compile(r"^3(\d{2})([A-Z]{1,2}\d{4})$")
_FIRST_YEAR = 52  # of the Union's law, in two digits
_THOUSANDS = re.compile(r"(?<=\d)(?=(?:\d{3})+(?!\d))")  # the files have numbers without blanks
_COLUMN = re.compile(r"[1-9][0-9]{0,2}")
_INCLUDED = "INCL.ELEMENT"
_DOCUMENT = "FORMEX.DOC"
CALLED = f'{_INCLUDED}[@TYPE="{_DOCUMENT}"]'
"""Path of what calls for another file, the words of which stand there."""

_DROPPED = frozenset({"NOTE", "INCLUSIONS"})


def find_root(tree: etree._Element) -> etree._Element | None:
    """The act in a document, wrapped or not; ``None`` if there is none."""
    if tree.tag in {"ACT", "CONS.ACT"}:
        return tree
    return next(tree.iter("CONS.ACT", "ACT"), None)


def _lengthen(short: re.Match[str]) -> str:
    century = "19" if int(short[1]) >= _FIRST_YEAR else "20"
    return f"3{century}{short[1]}{short[2]}"


def read_act(root: etree._Element, celex: str | None, name: str) -> ActText | None:
    """An act; ``None`` where its number cannot be told.

    Raises:
        RejectedFile: it gives numbers of several acts, of which it would take one's place, or
            its annexes stand in each other without end.
    """
    check_kin(root, name, _MOST_ANNEXES, "CONS.ANNEX", "ANNEX")
    own = root.findtext(".//FAM.COMP/BIB.DATA/NO.CELEX")
    own = _SHORT_CELEX.sub(_lengthen, own) if own else None
    given = [number for number in (own, celex, _build_celex(root)) if number]
    if not given:
        return None
    number = given[0]
    if _CELEX.fullmatch(number) is None or len({_get_place(each) for each in given}) > 1:
        raise RejectedFile(name, f"it gives the numbers {' and '.join(given)[:80]}")
    info = root.find("INFO.CONSLEG")
    begins = read_day(info.get("START.DATE")) if info is not None else None
    dates = root.findall(".//BIB.DATA/DATE") or root.findall("BIB.INSTANCE/DATE")
    titles = root.find(".//FAM.COMP/BIB.DATA/TITLE/TI")
    title = titles if titles is not None else root.find("TITLE/TI")
    units = list(_iter_units(root))
    return ActText(
        celex=number,
        language=read_language(root) or "de",
        title=read_words(title) if title is not None else number,
        issued_on=read_day(dates[0].get("ISO")) if dates else None,
        publication=cite_journal(root),
        consolidated_on=begins,
        units=settle_annexes(unit for unit in units if not unit.is_gone),
        gone=settle_annexes(unit for unit in units if unit.is_gone),
        name=name,
        published_on=_find_day_of_journal(root),
        repealed_by=_find_end(root),
    )


def _find_end(root: etree._Element) -> str | None:
    """What ended the act, of which a consolidated text of that day has no words left."""
    info = root.find("INFO.CONSLEG")
    if info is None or info.get("END") != "REPEALED":
        return None
    by = info.get("SOURCE.END") or ""
    return by if _CELEX.fullmatch(by) else ""


def read_annexes(root: etree._Element, name: str) -> list[Unit]:
    """An ``ANNEX`` that is a document of its own, with the annexes that stand in it.

    Raises:
        RejectedFile: they stand in each other without end.
    """
    check_kin(root, name, _MOST_ANNEXES, "CONS.ANNEX", "ANNEX")
    return [_read_annex(annex) for annex in root.iter("CONS.ANNEX", "ANNEX")]


def read_language(root: etree._Element) -> str | None:
    """The language that a document says it is in: ``de``."""
    said = root.findtext(".//LG.DOC")
    return said.lower() if said else None


def _get_place(celex: str) -> str:
    """Year and number of an act, or a treaty: sectors and kinds of act are told less surely."""
    return celex if celex[0] == "1" else celex[1:5] + celex[-4:]


def _build_celex(root: etree._Element) -> str | None:
    number = root.find(".//BIB.INSTANCE/NO.DOC")
    if number is None:
        return None
    year, current = number.findtext("YEAR"), number.findtext("NO.CURRENT")
    words = read_words(root.find("TITLE/TI")) if root.find("TITLE/TI") is not None else ""
    kinds = (("verordnung", "R"), ("regulation", "R"), ("richtlinie", "L"), ("directive", "L"))
    kind = next((sign for word, sign in kinds if word in words[:60].lower()), "D")
    return f"3{year}{kind}{int(current):04d}" if year and current else None


def cite_journal(root: etree._Element) -> str | None:
    """Where a document is printed: ``ABl. L 119, 2016, S. 1``."""
    for path in (".//BIB.INSTANCE.CONS/DOCUMENT.REF.CONS", ".//BIB.INSTANCE/DOCUMENT.REF"):
        place = root.find(path)
        if place is not None and place.findtext("NO.OJ"):
            series, number = place.findtext("COLL"), place.findtext("NO.OJ")
            page = place.findtext("PAGE.FIRST")
            return f"ABl. {series} {number}, {place.findtext('YEAR')}, S. {page}"
    return None


def _find_day_of_journal(root: etree._Element) -> date | None:
    """The day of the Official Journal, which a consolidated text names of the act it is of."""
    day = root.find(".//FAM.COMP/BIB.DATA/BIB.INSTANCE.CONS/DATE")
    return read_day(day.get("ISO")) if day is not None else None


def iter_journals(root: etree._Element) -> Iterator[tuple[tuple[str, int, int], date]]:
    """The issues of the Official Journal that a document cites by series, number and year."""
    for cited in root.iter("REF.DOC.OJ"):
        number, day = cited.get("NO.OJ") or "", read_day(cited.get("DATE.PUB"))
        if day is not None and number.isdecimal():
            yield (cited.get("COLL") or "", int(number), day.year), day


def read_day(text: str | None) -> date | None:
    """``20160427``; ``None`` for what is no day."""
    try:
        return date.fromisoformat(f"{text[:4]}-{text[4:6]}-{text[6:8]}") if text else None
    except ValueError:
        return None


def _iter_units(root: etree._Element) -> Iterator[Unit]:
    for recital in iter_outermost(root, "CONSID"):
        point = recital.find("NP")
        if point is None:
            continue
        label = tidy(point.findtext("NO.P") or "")
        number = name_recital(label)
        if number is not None:
            unit = Unit(NormKind.RECITAL, number, label)
            unit.blocks = _read_rest(point, unit)
            yield unit
    terms = next(root.iter("ENACTING.TERMS"), None)
    if terms is not None:
        yield from _iter_division(terms, "", 1)
    yield from map(_read_annex, root.iter("CONS.ANNEX", "ANNEX"))


def _iter_division(division: etree._Element, path: str, level: int) -> Iterator[Unit]:
    inside = 0
    for child in division:
        if child.tag == "DIVISION" and child.get(GONE):
            yield from _iter_division(child, path, level)
        elif child.tag == "DIVISION":
            inside += 1
            number = f"{path}.{inside}" if path else f"div_{inside}"
            label, title = _read_titles(child)
            yield Unit(NormKind.HEADING, number, label, title, level)
            yield from _iter_division(child, number, level + 1)
        elif child.tag == "ARTICLE":
            unit = _read_article(child)
            if unit is not None:
                yield unit


def _read_titles(place: etree._Element) -> tuple[str, str]:
    title = place.find("TITLE")
    if title is None:
        return "", ""
    words = [read_words(each) for each in (title.find("TI"), title.find("STI")) if each is not None]
    return words[0] if words else "", " ".join(words[1:])


def _read_article(article: etree._Element) -> Unit | None:
    heading = article.find("TI.ART")
    label = read_words(heading) if heading is not None else ""
    number = name_article(label) or _number_by_identifier(article)
    if number is None:
        return None
    unit = Unit(NormKind.ARTICLE, number, label, is_gone=article.get(GONE) is not None)
    titles = article.findall("STI.ART")
    unit.title = " ".join(read_words(title) for title in titles)
    for note in article.iter("NOTE"):
        unit.footnotes.append(read_words(note))
    for child in article:
        if child.tag not in {"TI.ART", "STI.ART"}:
            unit.blocks += read_blocks(child)
    return unit


def _number_by_identifier(article: etree._Element) -> str | None:
    digits = (article.get("IDENTIFIER") or "").lstrip("0")
    return f"art_{digits.lower()}" if digits else None


def _read_annex(annex: etree._Element) -> Unit:
    label, title = _read_titles(annex)
    number = name_annex(label) or ""
    is_gone = annex.get(GONE) is not None
    unit = Unit(NormKind.ANNEX, number, label or "Anhang", title, is_gone=is_gone)
    contents = annex.find("CONTENTS")
    for child in contents if contents is not None else annex:
        if child.tag not in {"TITLE", "BIB.INSTANCE"}:
            unit.blocks += read_blocks(child)
    unit.footnotes += [read_words(note) for note in annex.iter("NOTE")]
    return unit


def _read_rest(point: etree._Element, unit: Unit) -> list[ActBlock]:
    unit.footnotes += [read_words(note) for note in point.iter("NOTE")]
    blocks: list[ActBlock] = []
    for child in point:
        if child.tag != "NO.P":
            blocks += read_blocks(child)
    return blocks


def read_blocks(element: etree._Element) -> list[ActBlock]:
    """What an element holds, in order."""
    if not isinstance(element.tag, str) or element.tag in _DROPPED:
        return []
    reader = _READERS.get(element.tag)
    if reader is not None:
        return reader(element)
    return _read_mixed(element)


def _read_mixed(element: etree._Element) -> list[ActBlock]:
    """Words and blocks side by side: each run of words is a paragraph."""
    blocks: list[ActBlock] = []
    for part in iter_mixed(element, lambda child: child.tag in _CONTAINERS):
        blocks += [ActBlock(part)] if isinstance(part, str) else read_blocks(part)
    return blocks


def iter_mixed(
    element: etree._Element, is_block: Callable[[etree._Element], bool]
) -> Iterator[str | etree._Element]:
    """What an element holds, in order: its blocks, and the words between them as they are read."""
    words = element.text or ""
    for child in element:
        if isinstance(child.tag, str) and is_block(child):
            if _tidy(words):
                yield _tidy(words)
            yield child
            words = child.tail or ""
        else:
            words += _read_inline(child) + _read_tail(child)
    if _tidy(words):
        yield _tidy(words)


def _read_paragraph(element: etree._Element) -> list[ActBlock]:
    label = read_words(element.find("NO.PARAG")) if element.find("NO.PARAG") is not None else ""
    inside: list[ActBlock] = []
    for child in element:
        if child.tag != "NO.PARAG":
            inside += read_blocks(child)
    if inside and not inside[0].label and not inside[0].rows:
        first, *rest = inside
        return [ActBlock(first.words, label, below=[*first.below, *rest])]
    return [ActBlock("", label, below=inside)]


def _read_list(element: etree._Element) -> list[ActBlock]:
    return [block for child in element for block in read_blocks(child)]


def _read_item(element: etree._Element) -> list[ActBlock]:
    """An item, with or without its number."""
    point = element.find("NP") if element.tag == "ITEM" else element
    if point is None:
        inside = _read_mixed(element)
        return [ActBlock(inside[0].words, is_item=True, below=inside[1:])] if inside else []
    label = read_words(point.find("NO.P")) if point.find("NO.P") is not None else ""
    inside = [block for child in point if child.tag != "NO.P" for block in read_blocks(child)]
    if point is not element:
        inside += [block for child in element if child is not point for block in read_blocks(child)]
    if inside and not inside[0].label and not inside[0].rows:
        return [
            ActBlock(inside[0].words, label, is_item=True, below=[*inside[0].below, *inside[1:]])
        ]
    return [ActBlock("", label, is_item=True, below=inside)]


def _read_definition(element: etree._Element) -> list[ActBlock]:
    label = read_words(element.find("PREFIX")) if element.find("PREFIX") is not None else ""
    term = element.find("TERM")
    words = read_words(term) if term is not None else ""
    inside: list[ActBlock] = []
    for child in element.findall("DEFINITION"):
        inside += _read_mixed(child)
    if inside and not inside[0].label:
        words = tidy(f"{words} {inside[0].words}")
        inside = [*inside[0].below, *inside[1:]]
    return [ActBlock(words, label, is_item=True, below=inside)]


def _read_sequence(element: etree._Element) -> list[ActBlock]:
    """A part of an annex under a title of its own."""
    label, title = _read_titles(element)
    words = tidy(f"{label} {title}")
    blocks = [ActBlock(words)] if words else []
    for child in element:
        if child.tag != "TITLE":
            blocks += read_blocks(child)
    return blocks


def _read_table(element: etree._Element) -> list[ActBlock]:
    blocks = []
    title = element.find("TITLE")
    if title is not None:
        blocks.append(ActBlock(read_words(title)))
    grid = lay_out(
        [list(map(_read_cell, row.findall("CELL"))) for row in iter_outermost(element, "ROW")]
    )
    notes = element.find("GR.NOTES")
    if grid:
        blocks.append(ActBlock(rows=[list(row) for row in grid]))
    if notes is not None:
        blocks.append(ActBlock(read_words(notes)))
    return blocks


def _read_included(element: etree._Element) -> list[ActBlock]:
    """A picture or formula, or words of another file; some have the words of a form in them."""
    words = (block for content in element.iterchildren("IMG.CNT") for block in _read_list(content))
    return [ActBlock(_mark_included(element)), *words]


def _mark_included(element: etree._Element, words: str = "") -> str:
    return UNREAD if element.get("TYPE") == _DOCUMENT else mark_picture(words)


def _read_cell(cell: etree._Element) -> Cell:
    place = cell.get("COL") or ""
    first = int(place) - 1 if _COLUMN.fullmatch(place) else None
    return build_cell(read_words(cell), cell.get("COLSPAN"), cell.get("ROWSPAN"), first)


_READERS = {
    "PARAG": _read_paragraph,
    "LIST": _read_list,
    "DLIST": _read_list,
    "ITEM": _read_item,
    "NP": _read_item,
    "DLIST.ITEM": _read_definition,
    "GR.SEQ": _read_sequence,
    "TBL": _read_table,
    _INCLUDED: _read_included,
}


def read_words(element: etree._Element) -> str:
    """The words of an element on one line, quotation marks put back, footnotes left out."""
    return _tidy(_read_inline(element, inside=True))


def _read_inline(element: etree._Element, *, inside: bool = False) -> str:
    if not isinstance(element.tag, str) or (element.tag in _DROPPED and not inside):
        return ""
    if element.tag == "QUOT.START":
        return _read_mark(element) + _CLOSE_UP
    if element.tag == "QUOT.END":
        return _CLOSE_UP + _read_mark(element)
    if element.tag == _INCLUDED:
        return _mark_included(element, tidy("".join(element.itertext())))
    parts = [element.text or ""]
    for child in element:
        parts += (_read_inline(child), _read_tail(child))
    words = "".join(parts)
    if element.tag == "FT" and element.get("TYPE") == "NUMBER":
        return _THOUSANDS.sub(" ", words)
    return raise_characters(words) if _is_raised(element) else words


def _is_raised(element: etree._Element) -> bool:
    return element.tag == "EXPONENT" or "SUP" in (
        element.get("TYPE") if element.tag == "HT" else None,
        element.get("LOC") if element.tag == "IND" else None,
    )


def _read_mark(element: etree._Element) -> str:
    """The quotation mark that an element stands for, by its code in hexadecimal digits.

    Raises:
        ValueError: the code is that of no sign that is printed: half a character, a control.
    """
    code = element.get("CODE") or "22"
    mark = chr(int(code, 16))
    if not mark.isprintable():
        raise ValueError(f"{element.tag} has the code {code[:8]}, which is no quotation mark")
    return mark


def _read_tail(child: etree._Element) -> str:
    """What follows an element; the line break that some files have behind a mark is none."""
    tail = child.tail or ""
    if child.tag in {"QUOT.START", "QUOT.END"}:
        return tail.removeprefix("\n")
    return " " + tail if child.tag in {"P", "TI", "STI"} else tail


def _tidy(words: str) -> str:
    return _OPENED.sub("(", tidy(_CLOSED_UP.sub("", words)))

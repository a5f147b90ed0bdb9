"""Text that pdftotext made of a print: page by page, headers and footers taken off.

A page ends with a form feed. Only lines at the edges of a page go, and only if they are page
numbers, addresses or dates of a print, or come back on other pages.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

_EDGE = 5  # lines at the top and at the bottom that may be furniture
_LONGEST = 130
_FEWEST = 3  # pages on which a line must come back
_SHARE = 0.2
_SHORTEST = 5
_OWN_PAGE = re.compile(
    r"[-–—]\s?\d{1,3}\s?[-–—]|(?:Seite\s+)?\d{1,3}\s?(?:von|of)\s?\d{1,3}"
    r"|Seite\s+\d{1,3}|Page \d{1,3}|\d{1,2}/\d{1,2}|[-–—]\s?\d{1,3}"
)
_PRINT = re.compile(
    r"https?://\S+(?:\s+[\d.]{8,10})?(?:\s+\d+)?|\d{1,2}\.\d{1,2}\.\d{4}(?:[\s,]+\d{1,2}:\d{2}(?::\d\d)?)?"
    r"|EUR-Lex - \w+ - \w+|InfoCuria|CURIA - Dokumente|Druckvorschau - Bürgerservice"
)
_UNCLOSED = re.compile(r"[-–—]\s?\d{2,6}")
_LETTERED = re.compile(r"[-–—](\d{1,3})(?=[^\W\d_]{2})")  # "-2Tatbestand"
_MOST_UNCOUNTED = 5
_COUNTED = re.compile(r"Seite \d{1,3} von \d{1,3}")  # wherever pdftotext puts it
_BARE = re.compile(r"\d{1,4}")
_ONCE = re.compile(
    r"Avis juridique important|WICHTIGER RECHTLICHER HINWEIS: .*|Haftungsausschluss.*"
)


def read_pages(text: str) -> list[list[str]]:
    """The lines of each page without its furniture; blank lines stay, as they part paragraphs."""
    pages = [page.split("\n") for page in text.split("\f")]
    repeated = _find_repeated(pages)
    bare = _find_bare(pages)
    return [_strip_page(page, index, repeated, bare) for index, page in enumerate(pages)]


def _list_edges(page: Sequence[str]) -> tuple[list[int], list[int]]:
    """The places of the first and of the last lines with text; bare numbers do not count."""
    filled = [place for place, line in enumerate(page) if line.strip()]
    return _take_edge(page, filled), _take_edge(page, filled[::-1])


def _take_edge(page: Sequence[str], places: Sequence[int]) -> list[int]:
    edge: list[int] = []
    lines = 0
    for place in places:
        lines += _BARE.fullmatch(page[place].strip()) is None
        if lines > _EDGE:
            break
        edge.append(place)
    return edge


def _fold(line: str) -> str:
    return re.sub(r"\d+", "#", " ".join(line.split()))


def _find_repeated(pages: Sequence[Sequence[str]]) -> set[str]:
    """Lines, their digits aside, that come back at the edges of many pages."""
    counts: Counter[str] = Counter()
    for page in pages:
        top, bottom = _list_edges(page)
        counts.update({_fold(page[place]) for place in {*top, *bottom}})
    filled = sum(any(line.strip() for line in page) for page in pages)
    least = max(_FEWEST, _SHARE * filled)
    return {
        line
        for line, count in counts.items()
        if count >= least and _SHORTEST <= len(line) <= _LONGEST and _is_running(line)
    }


def _is_running(line: str) -> bool:
    """A running title: not the end of a sentence, not a list item, not mere marks."""
    letters = sum(character.isalpha() for character in line)
    return letters >= _FEWEST and line[0].isupper() and not line.endswith((".", ",", ";", ":"))


def _find_bare(pages: Sequence[Sequence[str]]) -> tuple[int | None, int | None]:
    """How far page numbers without marks at the top and the bottom are ahead of the page.

    ``None`` where there are none on most pages.
    """
    return _find_offset(pages, 0), _find_offset(pages, 1)


def _find_offset(pages: Sequence[Sequence[str]], side: int) -> int | None:
    offsets: Counter[int] = Counter()
    filled = 0
    for index, page in enumerate(pages):
        edge = _list_edges(page)[side][:1]
        filled += bool(edge)
        if edge and _BARE.fullmatch(page[edge[0]].strip()):
            offsets[int(page[edge[0]]) - index] += 1
    if not offsets:
        return None
    offset, count = offsets.most_common(1)[0]
    return offset if count >= max(_FEWEST - 1, filled * 0.4) else None


def _strip_page(
    page: Sequence[str], index: int, repeated: set[str], bare: tuple[int | None, int | None]
) -> list[str]:
    lines = ["" if _COUNTED.fullmatch(line.strip()) else line for line in page]
    for places, offset in zip(_list_edges(lines), bare, strict=True):
        dropped = list(_iter_furniture(lines, places, index, repeated, offset))
        for place in dropped:
            lines[place] = ""
    top = _list_edges(lines)[0][:1]
    if top and index:
        lines[top[0]] = _strip_glued(lines[top[0]], index + 1)
    return lines


def _iter_furniture(
    lines: Sequence[str],
    places: Iterable[int],
    index: int,
    repeated: set[str],
    offset: int | None,
) -> Iterable[int]:
    """From the edge inwards, up to the first line that is text."""
    for place in places:
        line = " ".join(lines[place].split())
        number = offset is not None and _BARE.fullmatch(line) and int(line) == index + offset
        known = _OWN_PAGE.fullmatch(line) or _PRINT.fullmatch(line) or _ONCE.fullmatch(line)
        if _UNCLOSED.fullmatch(line) and _strip_glued(line, index + 1) != line:
            return  # "-45" on page 4 is Rn. 5, too
        if number or known or _fold(line) in repeated:
            yield place
        elif not _BARE.fullmatch(line):  # a Randnummer in the margin
            return


def _strip_glued(line: str, page: int) -> str:
    """``-3hat der 6. Senat`` on page 3; the number runs into the text where a line was joined."""
    stripped = line.lstrip()
    if not stripped.startswith(("-", "–", "—")):
        return line
    for printed in (page, page - 1, page + 1):
        behind = r"(?=\D|\d\.|\d{1,3}(?:\s|$))"
        match = re.match(rf"[-–—]\s?{printed}(?:\s?[-–—])?{behind}\s?", stripped)
        if match is not None and match.end() < len(stripped):
            return stripped[match.end() :]
    glued = _LETTERED.match(stripped)  # pages before the first one counted
    if glued is not None and page - _MOST_UNCOUNTED <= int(glued[1]) < page:
        return stripped[glued.end() :]
    return line

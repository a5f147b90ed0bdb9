"""Lines of a print put together again to paragraphs."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from fundstelle.ingest.sources.decision_text.headings import find_part, is_enumerator

_STEP = 4  # characters; lines of one print differ by so much
_SHORTEST = 40  # shorter ones are headings, names, ends of paragraphs
_FULL = 0.72
_ENDS = (".", ":", ";", "!", "?", "“", "”", '"', ")", "«")
_JOINERS = re.compile(r"(?:und|oder|bzw\.?|sowie|noch|als|wie|bis|u\.|o\.)(?:\W|$)")
_ITEM = re.compile(r"(?:[-–•]|\(?[a-z0-9]{1,3}[.)]|\([a-z0-9]{1,3}\)|[IVX]{1,5}\.)\s+\S")
_MARK = re.compile(r"[-–•]|\(?[a-z0-9]{1,2}[.)]")


def join_pages(pages: Iterable[Sequence[str]]) -> list[str]:
    """All lines; a sentence that goes on over the page is not parted by a blank line."""
    lines: list[str] = []
    for page in pages:
        new = trim(page)
        if not new:
            continue
        if lines and not goes_on(lines[-1], new[0]):
            lines.append("")
        lines += new
    return lines


def trim(page: Sequence[str]) -> list[str]:
    """The lines of a page without the blank ones at its edges."""
    lines = [line.strip() for line in page]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def goes_on(last: str, first: str) -> bool:
    """Whether a sentence goes on from the last line of a page to the first of the next."""
    if last.endswith("-"):
        return True
    return not last.endswith(_ENDS) and (first[:1].islower() or len(last) > len("Klägerin") * 5)


def find_width(lines: Sequence[str]) -> int:
    """How long a full line is: the most frequent length.

    Not the longest: pdftotext makes one line of two where a word was parted between them.
    """
    lengths = Counter(len(line) // _STEP for line in lines if len(line) >= _SHORTEST)
    return (lengths.most_common(1)[0][0] + 1) * _STEP if lengths else 0


def join_lines(lines: Sequence[str], width: int) -> Iterator[str]:
    """The paragraphs of a run of lines.

    A paragraph ends at a blank line, and where the first word of the next line would have had room.
    """
    paragraph = ""
    last = ""  # the line before; "" after a blank line
    gap = False
    for line in lines:
        if not line:
            gap = True
            continue
        if paragraph and is_new(paragraph, last, line, width, gap=gap):
            yield paragraph
            paragraph = line
        else:
            paragraph = glue(paragraph, line) if paragraph else line
        last, gap = line, False
    if paragraph:
        yield paragraph


def is_new(paragraph: str, last: str, line: str, width: int, *, gap: bool) -> bool:
    """Whether a line begins a paragraph; ``last`` is the one before, ``gap`` parts the two."""
    if _is_heading(paragraph) or _is_heading(line):
        return True
    if _MARK.fullmatch(paragraph) and (line[:1].islower() or not gap):
        return False
    ends = last.endswith(_ENDS)
    if last.endswith("-") and len(last) > 1 and last[-2].isalpha():
        return False
    if gap:
        return ends or not line[:1].islower() or len(last) < width * _FULL
    if line[:1].islower():
        return False
    room = len(last) + 1 + len(line.split(maxsplit=1)[0]) <= width * _FULL
    return room or (ends and _ITEM.match(line) is not None)


def _is_heading(text: str) -> bool:
    return find_part(text) is not None or (is_enumerator(text) and text[0].isupper())


def glue(before: str, after: str) -> str:
    """Two lines as one; a word parted at the end of a line is put together."""
    if not before.endswith("-") or len(before) < 2 or not before[-2].isalpha():
        return f"{before} {after}"
    if after[:1].isupper() or after[:1].isdigit():
        return before + after
    if _JOINERS.match(after):
        return f"{before} {after}"
    return before[:-1] + after

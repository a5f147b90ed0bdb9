"""The text of a printed decision as paragraphs with parts, Randnummern and headings."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.decision_text.headings import find_part, is_enumerator, split_heading
from fundstelle.ingest.sources.decision_text.pdf_lines import (
    find_width,
    glue,
    join_lines,
    join_pages,
)
from fundstelle.ingest.sources.decision_text.pdf_margin import Margin, read_margin
from fundstelle.ingest.sources.decision_text.pdf_numbers import are_in_place, find_numbers
from fundstelle.ingest.sources.decision_text.pdf_pages import read_pages
from fundstelle.ingest.sources.decision_text.record import find_signatures
from fundstelle.ingest.sources.decision_text.text import DecisionWriter, count_chars
from fundstelle.ingest.sources.decision_text.xml import check_size
from fundstelle.ingest.text.composing import TooManyMarks, compose
from fundstelle.law.decisions import DecisionText, PartKind


class Paragraph(NamedTuple):
    """Words with their Randnummer; ``closes`` if that of the paragraph before does not hold on."""

    text: str
    number: str | None = None
    closes: bool = False


_RIGHT_MARGIN = "justiz.nrw.de"  # its pages print the numbers where pdftotext reads them too late
_SHORT = 30  # characters of an entry in a list of contents
_SUBJECTS = ("Sachgebiet:", "Rechtsquelle:", "Rechtsquellen:", "Fachpresse:")  # notes of the BVerwG
_OPENING = frozenset({PartKind.HEAD, PartKind.LEITSATZ, PartKind.ORIENTIERUNGSSATZ})
_BEFORE_TENOR = (
    "für Recht erkannt:",
    "beschlossen:",
    "entschieden:",
    "für Recht erkannt",
    "Beschluss:",
)
_SHOWN = 0x20
_BREAKS = "\t\n\r\f\v"
_MOST_UNSEEN = 0.05  # prints whose font does not say which letters it draws


def decode_text(file: SourceFile) -> str:
    """The text of a file in UTF-8.

    Raises:
        RejectedFile: it is empty, too large, binary or in another encoding.
    """
    check_size(file)
    try:
        text = compose(file.data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RejectedFile(file.name, f"it is not valid UTF-8 ({error})") from None
    except TooManyMarks as error:
        raise RejectedFile(file.name, str(error)) from None
    if "\0" in text:
        raise RejectedFile(file.name, "it is no text")
    shown = "".join(c if ord(c) >= _SHOWN or c in _BREAKS else "\0" for c in text)
    if shown.count("\0") > _MOST_UNSEEN * len(shown):
        raise RejectedFile(file.name, "its letters cannot be read: the print names none")
    return shown.replace("\0", " ").replace("\r\n", "\n")


def write_print(text: str, decision_id: str, *, dotted: bool = False) -> DecisionText:
    """The words of a print; ``dotted`` for courts that number paragraphs ``1.``."""
    pages = read_pages(text)
    lines = join_pages(pages)
    width = find_width(lines)
    numbers = find_numbers(lines, dotted=dotted)
    on_the_right = _RIGHT_MARGIN in text
    in_place = not on_the_right and are_in_place(lines, numbers)
    margin = None
    if on_the_right or (numbers and not in_place):
        margin = read_margin(pages, width, known=on_the_right)
    writer = DecisionWriter()
    if margin is not None:
        _write(writer, _part_headings(_iter_beside(margin)))
    else:
        behind = _list_behind(lines, numbers if in_place else {}, width, numbers)
        _write(writer, _part_headings(behind))
    return writer.finish(decision_id, count_chars(text.replace("\f", "\n")))


def _list_behind(
    lines: Sequence[str],
    placed: Mapping[int, tuple[int, int]],
    width: int,
    printed: Mapping[int, tuple[int, int]],
) -> list[Paragraph]:
    """Paragraphs behind numbers of a left margin; of what is only printed the number goes."""
    paragraphs: list[Paragraph] = []
    run: list[str] = []
    number: str | None = None
    for place, line in enumerate(lines):
        if place not in printed:
            run.append(line)
            continue
        value, end = printed[place]
        if place in placed:
            paragraphs += _iter_paragraphs(run, number, width)
            run, number = [], str(value)
        run += [line[end:]] if line[end:] else []
    paragraphs += _iter_paragraphs(run, number, width)
    return paragraphs


def _iter_beside(margin: Margin) -> Iterator[Paragraph]:
    """Paragraphs beside numbers of a right margin."""
    words = ""
    begun = 0
    for place, line in enumerate(margin.lines):
        if not line:
            continue
        if place in margin.starts and words:
            yield _name_beside(margin, begun, words)
            words = ""
        begun = begun if words else place
        words = glue(words, line) if words else line
    if words:
        yield _name_beside(margin, begun, words)


def _name_beside(margin: Margin, begun: int, words: str) -> Paragraph:
    number = margin.numbers.get(begun)
    return Paragraph(words, None if number is None else str(number), begun in margin.closed)


def _iter_paragraphs(lines: Sequence[str], number: str | None, width: int) -> Iterator[Paragraph]:
    """The paragraphs of one Randnummer; the first bears it."""
    for paragraph in join_lines(lines, width):
        yield Paragraph(paragraph, number)
        number = None


def _part_headings(paragraphs: Iterable[Paragraph]) -> list[Paragraph]:
    """Headings in lines of their own; one with a Randnummer shares it with what follows."""
    parted: list[Paragraph] = []
    for paragraph in paragraphs:
        split = split_heading(paragraph.text)
        if split is None:
            parted.append(paragraph)
        else:
            parted += [paragraph._replace(text=split[0]), Paragraph(split[1])]
    return parted


def _write(writer: DecisionWriter, paragraphs: Sequence[Paragraph]) -> None:
    begun = _find_parts([each.text for each in paragraphs])
    for place, (text, number, closes) in enumerate(paragraphs):
        kind = begun.get(place)
        if closes:
            writer.end_passage()
        if kind is not None and find_part(text) is kind:
            writer.begin_part(kind, text, number)
            continue
        if kind is not None:
            writer.begin_part(kind)
        if is_enumerator(text) and text[0].isupper():
            writer.add_heading(text, number)
        else:
            writer.add(text, number)


def _find_parts(texts: Sequence[str]) -> dict[int, PartKind]:
    """Where parts begin: at their headings, at notes on the subject, at the judges' names."""
    begun: dict[int, PartKind] = {}
    named = {place: find_part(text) for place, text in enumerate(texts)}
    latest = {kind: place for place, kind in named.items() if kind is not None}
    for place, text in enumerate(texts):
        opening = place and _OPENING.issuperset(begun.values())
        if opening and texts[place - 1].endswith(_BEFORE_TENOR):
            begun[place] = PartKind.TENOR
        kind = named[place]
        if kind is not None and not _is_listed(texts, place, latest):
            begun[place] = kind
        elif begun and text.startswith(_SUBJECTS):
            last = begun[max(begun)]
            begun |= {place: PartKind.HEAD} if last is not PartKind.HEAD else {}
    notes = [place for place, kind in begun.items() if kind is PartKind.HEAD]
    end = notes[0] if notes else len(texts)
    signatures = find_signatures(texts[:end])
    if begun and min(begun) < signatures < end and signatures not in begun:
        begun[signatures] = PartKind.SIGNATURES
    return begun


def _is_listed(texts: Sequence[str], place: int, latest: Mapping[PartKind, int]) -> bool:
    """Whether a heading stands in a list of contents: others are near, and it comes again."""
    own = find_part(texts[place])
    if own is None or latest[own] == place:
        return False
    for step in (1, -1):
        for text in texts[
            place + step : place + 3 * step if place + 3 * step >= 0 else None : step
        ]:
            if find_part(text) not in {None, own}:
                return True
            if len(text) > _SHORT:
                break
    return False

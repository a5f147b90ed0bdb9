"""The text of a printed decision as paragraphs with parts, Randnummern and headings."""

import unicodedata
from collections.abc import Iterator, Sequence

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.decision_headings import find_part, is_enumerator
from fundstelle.ingest.sources.decision_text import DecisionWriter, count_chars
from fundstelle.ingest.sources.decision_xml import check_size
from fundstelle.ingest.sources.pdf_lines import find_width, join_lines, join_pages
from fundstelle.ingest.sources.pdf_numbers import are_in_place, find_numbers
from fundstelle.ingest.sources.pdf_pages import read_pages
from fundstelle.law.decisions import DecisionText, PartKind

Paragraph = tuple[str, str | None]  # words and Randnummer

_RIGHT_MARGIN = "justiz.nrw.de"  # its pages print the numbers where pdftotext reads them too late
_SHORT = 30  # characters of an entry in a list of contents
_SUBJECTS = ("Sachgebiet:", "Rechtsquelle:", "Rechtsquellen:", "Fachpresse:")  # notes of the BVerwG
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
        text = unicodedata.normalize("NFC", file.data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise RejectedFile(file.name, f"it is not valid UTF-8 ({error})") from None
    if "\0" in text:
        raise RejectedFile(file.name, "it is no text")
    shown = "".join(c if ord(c) >= _SHOWN or c in _BREAKS else "\0" for c in text)
    if shown.count("\0") > _MOST_UNSEEN * len(shown):
        raise RejectedFile(file.name, "its letters cannot be read: the print names none")
    return shown.replace("\0", " ").replace("\r\n", "\n")


def write_print(text: str, decision_id: str, *, dotted: bool = False) -> DecisionText:
    """The words of a print; ``dotted`` for courts that number paragraphs ``1.``."""
    lines = join_pages(read_pages(text))
    width = find_width(lines)
    numbers = find_numbers(lines, dotted=dotted)
    in_place = _RIGHT_MARGIN not in text and are_in_place(lines, numbers)
    paragraphs: list[Paragraph] = []
    run: list[str] = []
    number: str | None = None
    for place, line in enumerate(lines):
        if place not in numbers:
            run.append(line)
            continue
        value, end = numbers[place]
        rest = line[end:]
        if in_place:
            paragraphs += _iter_paragraphs(run, number, width)
            run, number = [], str(value)
        run += [rest] if rest else []
    paragraphs += _iter_paragraphs(run, number, width)
    writer = DecisionWriter()
    _write(writer, paragraphs)
    return writer.finish(decision_id, count_chars(text.replace("\f", "\n")))


def _iter_paragraphs(lines: Sequence[str], number: str | None, width: int) -> Iterator[Paragraph]:
    """The paragraphs of one Randnummer; the first bears it."""
    for paragraph in join_lines(lines, width):
        yield paragraph, number
        number = None


def _write(writer: DecisionWriter, paragraphs: Sequence[Paragraph]) -> None:
    in_head = True
    for place, (text, number) in enumerate(paragraphs):
        kind = find_part(text)
        if kind is not None and not _is_listed(paragraphs, place):
            writer.begin_part(kind, text, number)
            in_head = False
        elif is_enumerator(text) and text[0].isupper():
            writer.add_heading(text, number)
        else:
            if text.startswith(_SUBJECTS) and not in_head:
                writer.begin_part(PartKind.HEAD)
                in_head = True
            writer.add(text, number)


def _is_listed(paragraphs: Sequence[Paragraph], place: int) -> bool:
    """Whether a heading stands in a list of contents: headings follow or precede at once."""
    for step in (1, -1):
        for other in (place + step, place + 2 * step):
            if not 0 <= other < len(paragraphs):
                break
            text = paragraphs[other][0]
            if find_part(text) is not None and find_part(text) is not find_part(
                paragraphs[place][0]
            ):
                return True
            if len(text) > _SHORT:
                break
    return False

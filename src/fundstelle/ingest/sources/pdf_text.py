"""The text of a printed decision as paragraphs with parts, Randnummern and headings."""

from collections.abc import Sequence

from fundstelle.errors import RejectedFile
from fundstelle.ingest.records import SourceFile
from fundstelle.ingest.sources.decision_headings import find_part, is_enumerator
from fundstelle.ingest.sources.decision_text import DecisionWriter, count_chars
from fundstelle.ingest.sources.decision_xml import check_size
from fundstelle.ingest.sources.pdf_lines import find_width, join_lines, join_pages
from fundstelle.ingest.sources.pdf_numbers import are_in_place, find_numbers
from fundstelle.ingest.sources.pdf_pages import read_pages
from fundstelle.law.decisions import DecisionText

_SHOWN = 0x20
_BREAKS = "\t\n\r\f\v"


def decode_text(file: SourceFile) -> str:
    """The text of a file in UTF-8.

    Raises:
        RejectedFile: it is empty, too large, binary or in another encoding.
    """
    check_size(file)
    try:
        text = file.data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RejectedFile(file.name, f"it is not valid UTF-8 ({error})") from None
    if "\0" in text:
        raise RejectedFile(file.name, "it is no text")
    shown = (c if ord(c) >= _SHOWN or c in _BREAKS else " " for c in text)
    return "".join(shown).replace("\r\n", "\n")


def write_print(text: str, decision_id: str, *, dotted: bool = False) -> DecisionText:
    """The words of a print; ``dotted`` for courts that number paragraphs ``1.``."""
    lines = join_pages(read_pages(text))
    width = find_width(lines)
    numbers = find_numbers(lines, dotted=dotted)
    in_place = are_in_place(lines, numbers)
    writer = DecisionWriter()
    run: list[str] = []
    number: str | None = None
    for place, line in enumerate(lines):
        if place not in numbers:
            run.append(line)
            continue
        value, end = numbers[place]
        rest = line[end:]
        if not in_place:
            run += [rest] if rest else []
            continue
        _write(writer, run, number, width)
        run, number = [rest] if rest else [], str(value)
    _write(writer, run, number, width)
    return writer.finish(decision_id, count_chars(text.replace("\f", "\n")))


def _write(writer: DecisionWriter, lines: Sequence[str], number: str | None, width: int) -> None:
    """The paragraphs of one Randnummer."""
    for paragraph in join_lines(lines, width):
        kind = find_part(paragraph)
        if kind is not None:
            writer.begin_part(kind, paragraph)
        elif is_enumerator(paragraph) and paragraph[0].isupper():
            writer.add_heading(paragraph, number)
            number = None
        else:
            writer.add(paragraph, number)
            number = None
    if number is not None:
        writer.keep(number)

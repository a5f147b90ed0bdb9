"""The words of a decision put together line by line, with its parts, Randnummern and headings."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fundstelle.ingest.sources.decision_text.headings import find_levels
from fundstelle.ingest.text.composing import compose
from fundstelle.law.decisions import DecisionText, Heading, Part, PartKind, Passage

# soft hyphen, zero-width blanks, byte order mark: they are no characters of the text
# Control characters too: a terminal would obey them. Those that are white space become a blank.
_CONTROLS = [code for code in (*range(32), *range(127, 160)) if not chr(code).isspace()]
_INVISIBLE = re.compile(f"[\u00ad\u200b-\u200d\u2060\ufeff{''.join(map(chr, _CONTROLS))}]")


def tidy(text: str) -> str:
    """NFC, one blank for any white space, nothing invisible."""
    # an expression, since ``str.translate`` looks every umlaut up
    return " ".join(_INVISIBLE.sub("", compose(text)).split())


def count_chars(text: str) -> int:
    """Characters without white space, counted as they would be stored."""
    return len(tidy(text).replace(" ", ""))


_FIRST = "1"
_Begun = tuple[PartKind, str | None, int]  # of a part: kind, label, start


@dataclass(slots=True)
class _Open:
    """A numbered paragraph that has begun; it ends where the next one, or another part, begins."""

    number: str
    start: int
    part: int


@dataclass(slots=True)
class DecisionWriter:
    """Takes the paragraphs of a decision in their order.

    What is printed but kept elsewhere than in the text, as a Randnummer or a title, is counted
    with ``keep``.
    """

    kept: int = 0
    _lines: list[str] = field(default_factory=list)
    _length: int = 0
    _parts: list[_Begun] = field(default_factory=list)
    _passages: list[Passage] = field(default_factory=list)
    _open: _Open | None = None
    _headings: list[tuple[int, int]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been written."""
        return not self._lines

    def begin_part(
        self, kind: PartKind, label: str | None = None, number: str | None = None
    ) -> None:
        """What follows belongs to this part; ``label``, if printed, is its first line.

        Courts that number every paragraph number this line as well.
        """
        self._close()
        self._parts.append((kind, label, self._length))
        if label is not None:
            self.add(label, number)

    def add(self, text: str, number: str | None = None, *, added: int = 0) -> None:
        """One paragraph; ``number`` is its Randnummer, ``added`` what the source has not."""
        line = tidy(text)
        if number is not None:
            self.keep(number)
        if not line:
            return
        if number == _FIRST and self._parts and self._parts[-1][0] is PartKind.TENOR:
            self.begin_part(PartKind.FULL_TEXT)  # courts do not number what they order
        if number is not None:
            self._begin_passage(number)
        self._add_line(line)
        self.kept -= added

    def add_heading(self, text: str, number: str | None = None) -> None:
        """A heading inside a part; a Randnummer before it ends here."""
        line = tidy(text)
        if not line:
            return
        self._close()
        start = self._length
        self.add(line, number)
        self._headings.append((start, start + len(line)))

    def end_passage(self) -> None:
        """The Randnummer before does not hold for what follows."""
        self._close()

    def keep(self, text: str) -> None:
        """Count characters that are kept as a field of the record."""
        self.kept += count_chars(text)

    def finish(self, decision_id: str, source_chars: int) -> DecisionText:
        """The whole. Text before the first part is its head; empty parts are left out."""
        self._close()
        text = "\n".join(self._lines)
        parts, places = self._tile(len(text))
        passages = tuple(
            Passage(p.number, p.start, p.end, p.body, places[p.part]) for p in self._passages
        )
        levels = find_levels([text[start:end] for start, end in self._headings])
        headings = tuple(
            Heading(start, end, level)
            for (start, end), level in zip(self._headings, levels, strict=True)
        )
        digest = hashlib.sha256(text.encode()).hexdigest()
        return DecisionText(
            decision_id, text, digest, parts, passages, headings, source_chars, self.kept
        )

    def _add_line(self, line: str) -> None:
        if not self._parts:
            self._parts.append((PartKind.HEAD, None, self._length))
        self._lines.append(line)
        self._length += len(line) + 1
        self.kept += len(line.replace(" ", ""))

    def _begin_passage(self, number: str) -> None:
        self._close()
        if not self._parts:
            self._parts.append((PartKind.HEAD, None, self._length))
        self._open = _Open(number, self._length, len(self._parts) - 1)

    def _close(self) -> None:
        if self._open is not None:
            opened, end = self._open, self._length - 1
            passage = Passage(opened.number, opened.start, end, opened.start, opened.part)
            self._passages.append(passage)
            self._open = None

    def _tile(self, length: int) -> tuple[tuple[Part, ...], list[int]]:
        """The parts that hold text, and the place among them of each part that was begun."""
        parts: list[Part] = []
        places = []
        self._parts = _name_unheaded(self._parts)
        starts = [min(start, length) for _, _, start in self._parts]
        for (kind, label, start), end in zip(self._parts, [*starts, length][1:], strict=False):
            last = parts[-1] if parts else None
            if start < end and last and (kind, label) == (last.kind, None):
                parts[-1] = Part(kind, last.label, last.start, end)
            elif start < end:
                parts.append(Part(kind, label, start, end))
            places.append(max(len(parts) - 1, 0))
        return tuple(parts), places


def _name_unheaded(parts: Sequence[_Begun]) -> list[_Begun]:
    """What the number after a Tenor begins: the Tatbestand where only the reasons are headed.

    Where a heading for it follows, the numbers are those of the Tenor.
    """
    named: list[_Begun] = []
    for place, (kind, label, start) in enumerate(parts):
        after = parts[place + 1][0] if place + 1 < len(parts) else None
        if (kind, label) != (PartKind.FULL_TEXT, None) or not named:
            named.append((kind, label, start))
        elif after is PartKind.ENTSCHEIDUNGSGRUENDE:
            named.append((PartKind.TATBESTAND, None, start))
        elif after in {PartKind.TATBESTAND, PartKind.GRUENDE}:
            named.append((PartKind.TENOR, None, start))  # goes on
        else:
            named.append((kind, label, start))
    return named


_NUMBER = re.compile(r"\d{1,4}[a-z]?")


def read_number(text: str | None) -> str | None:
    """A Randnummer as printed: ``12``, ``12a``; ``None`` if it is something else."""
    written = tidy(text or "").strip("[]()")
    return written if _NUMBER.fullmatch(written) else None

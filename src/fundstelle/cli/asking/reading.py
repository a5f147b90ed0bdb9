"""A text as a lawyer reads it: indented lists, wrapped lines, the cited unit marked."""

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby, pairwise

import click

from fundstelle.law.norms import Level, NormKind, NormStatus, Segment
from fundstelle.lookup.answers import DecisionHit, Hit, ProvisionHit
from fundstelle.lookup.dating.days import find_days, find_floor
from fundstelle.lookup.library import Library
from fundstelle.lookup.parts.units import LIST_ITEMS, format_steps
from fundstelle.lookup.sources import build_source_url
from fundstelle.lookup.validity.bearing import DECLARED, About
from fundstelle.lookup.validity.notes import Validity, find_validity_of_hit

_NARROWEST, _WIDEST = 40, 100
_MARGIN = 2  # the mark and a blank
_STEP = 4  # of a list in a list
_LONG = 4_000  # characters; of a longer provision only what surrounds the cited unit is shown
_CUT = "[…]"
_STATUSES = {
    NormStatus.REPEALED: "nicht in Kraft",
    NormStatus.FUTURE: "nicht in Kraft",
    NormStatus.VOID: "nichtig",
    NormStatus.PARTLY_VOID: "teilweise nichtig",
    NormStatus.INCOMPATIBLE: "mit dem Grundgesetz unvereinbar",
    NormStatus.PARTLY_INCOMPATIBLE: "teilweise mit dem Grundgesetz unvereinbar",
}
_KINDS = {
    "void": "Nichtig",
    "incompatible": "Unvereinbar mit dem Grundgesetz",
    "pending_change": "Änderung nicht eingearbeitet",
    "corrigendum": "Berichtigung",
    "applicability": "Anwendung",
    "not_displayed": "Nicht wiedergegeben",
}
_ABOUT = {
    About.PART: "betrifft nur {parts}",
    About.UNKNOWN: "welcher Teil gemeint ist, ist hier nicht bekannt",
    About.NAMED: "betrifft {parts}; ob das der heutige Wortlaut ist, ist hier nicht bekannt",
    About.OTHER: "betrifft nicht das Zitierte, sondern {parts}",
    About.FORMER: "betrifft eine frühere Fassung",
}
_FRAME = 400  # characters of the words before a list that lead to the cited item


def find_width() -> int:
    """Columns of the terminal; 80 where there is none."""
    return max(_NARROWEST, min(shutil.get_terminal_size((80, 24)).columns, _WIDEST))


def print_hits_read(library: Library, hits: Sequence[Hit]) -> None:
    """Every provision and decision once, with all cited units of it marked."""
    pages = [list(group) for _, group in groupby(hits, key=lambda hit: hit.held_id)]
    for number, page in enumerate(pages):
        if number:
            click.echo()
        _Page(library, page).print()


def wrap(text: str, width: int, first: str = "", following: str | None = None) -> list[str]:
    """Lines of at most ``width`` columns; words longer than a line stay whole."""
    lines = textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=first if following is None else following,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [first.rstrip()]


def format_day(day: date) -> str:
    """``31.03.2025``."""
    return f"{day:%d.%m.%Y}"


@dataclass(frozen=True, slots=True)
class _Line:
    """A stretch of the text that is written on lines of its own."""

    start: int
    end: int
    marked: bool
    depth: int  # lists that it stands in
    hang: int  # columns of the number of the innermost list item
    opens: Level | None  # the part that begins with it


class _Page:
    """One provision or decision and the units of it that were cited."""

    def __init__(self, library: Library, hits: Sequence[Hit]) -> None:
        self._library = library
        self._hits = hits
        self._hit = hits[0]
        self._width = find_width()
        self._marks = [(hit.start, hit.end) for hit in hits if not hit.is_whole]
        terminal = sys.stdout.isatty()
        self._sign = "▌" if terminal and _speaks_unicode() else ">"

    def print(self) -> None:
        self._print_head()
        click.echo()
        shown = _choose(self._hit, self._marks)
        end = 0
        for start, stop in shown:
            if start > end:
                click.echo(" " * _MARGIN + _CUT)
            for line in _iter_lines(self._hit, start, stop, self._marks):
                if line.opens is Level.ABSATZ and line.start > start:
                    click.echo()
                self._print_line(line)
            end = stop
        if end < len(self._hit.text.rstrip()):
            click.echo(" " * _MARGIN + _CUT)
        click.echo()
        self._print_source()

    def _print_head(self) -> None:
        hit = self._hit
        held = hit.decision if isinstance(hit, DecisionHit) else hit.norm
        cited = ", ".join(dict.fromkeys(hit.citation for hit in self._hits))
        title = f"{cited}  {held.title}" if held.title else cited
        for line in wrap(title, self._width, following="    "):
            click.secho(line, bold=True)
        for text in _list_head(hit):
            for line in wrap(text, self._width, following="  ") if text else ():
                click.secho(line, dim=True)
        click.secho(_describe_stand(self._library, hit, self._hits), dim=True)

    def _print_line(self, line: _Line) -> None:
        text = self._hit.text[line.start : line.end].strip()
        if not text:
            return
        margin = f"{self._sign} " if line.marked else "  "
        indent = " " * (_STEP * line.depth)
        hanging = indent + " " * line.hang
        first = indent if line.opens in LIST_ITEMS else hanging
        for piece in wrap(text, self._width - _MARGIN, first, hanging):
            click.secho(margin + piece, bold=line.marked or None)

    def _print_source(self) -> None:
        hit = self._hit
        if isinstance(hit, DecisionHit):
            url = hit.decision.source_url
        else:
            url = build_source_url(hit.statute, hit.norm)
        if url:
            click.secho(f"Quelle: {url}", dim=True)
        for note in _list_notes(self._library, hit, self._hits):
            for line in wrap(note, self._width, "! ", "  "):
                click.secho(line, fg="yellow")


def _list_head(hit: Hit) -> tuple[str, ...]:
    """Where a provision stands."""
    if isinstance(hit, DecisionHit):
        return ()
    return hit.statute.title, " › ".join(hit.norm.hierarchy)


def _describe_stand(library: Library, hit: Hit, cited: Sequence[Hit]) -> str:
    if isinstance(hit, DecisionHit):
        return f"Stand {format_day(hit.stand)}"
    fassung = hit.fassung
    days = find_days(library, hit.statute, fassung)
    parts = [f"Stand {format_day(days.stand)}"]
    if days.valid_from is not None:
        parts.append(f"in Kraft seit {format_day(days.valid_from)}")
    if days.valid_to is not None:
        parts.append(f"außer Kraft seit {format_day(days.valid_to)}")
    if days.not_seen_before is not None and days.first_seen is not None:
        first, without = format_day(days.first_seen), format_day(days.not_seen_before)
        parts.append(f"zuerst gesehen am {first}, noch nicht am {without}")
    if days.gone_on is not None:
        parts.append(f"am {format_day(days.gone_on)} nicht mehr")
    if hit.named_change is not None:
        first = format_day(find_floor(library, hit.statute))
        change = format_day(hit.named_change)
        parts.append(f"erst am {first} gesehen; das Gesetz nennt keine Änderung nach dem {change}")
    status = _find_gravest(library, cited).status
    if status in _STATUSES:
        parts.append(_STATUSES[status])
    return " · ".join(parts)


def _find_gravest(library: Library, cited: Sequence[Hit]) -> Validity:
    """What is known of the one of the cited units of a provision of which the worst is known."""
    known = [find_validity_of_hit(library, hit) for hit in cited if isinstance(hit, ProvisionHit)]
    order = (*DECLARED, *(each.status for each in known))
    return min(known, key=lambda each: order.index(each.status))


def _speaks_unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def _choose(hit: Hit, marks: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The stretches to show: all of a short text; of a long one the parts around the marks."""
    whole = (0, len(hit.text))
    if not marks or len(hit.text) <= _LONG:
        return [whole]
    shown: list[tuple[int, int]] = []
    for start, end in sorted(marks):
        for stretch in _surround(hit, start, end):
            if shown and stretch[0] <= shown[-1][1] + 1:
                shown[-1] = (shown[-1][0], max(shown[-1][1], stretch[1]))
            else:
                shown.append(stretch)
    return shown


def _surround(hit: Hit, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The words that lead to the unit, then the outermost part around it that is not too long."""
    for segment in hit.segments:
        if segment.start <= start and end <= segment.end:
            if segment.end - segment.start <= _LONG:
                yield segment.start, segment.end
                return
            line = hit.text.find("\n", segment.start)
            stop = min(line if line >= 0 else start, start, segment.start + _FRAME)
            yield segment.start, stop
    yield start, end


def _iter_lines(
    hit: Hit, start: int, stop: int, marks: Sequence[tuple[int, int]]
) -> Iterator[_Line]:
    """The stored lines, divided where a mark begins or ends inside one."""
    edges = {edge for mark in marks for edge in mark}
    text = hit.text
    breaks = {at + 1 for at in range(start, stop) if text[at] == "\n"}
    places = sorted({start, stop} | {e for e in breaks | edges if start < e < stop})
    depths = _Depths(hit.segments)
    for low, high in pairwise(places):
        marked = any(begin <= low and high <= end + 1 for begin, end in marks)
        yield _Line(low, high, marked, *depths.read(low))


class _Depths:
    """Where in the lists of a text a place stands. Places are asked in their order."""

    def __init__(self, segments: Sequence[Segment]) -> None:
        self._ahead = list(reversed(segments))
        self._around: list[Segment] = []

    def read(self, place: int) -> tuple[int, int, Level | None]:
        """How many lists, the columns of the innermost number, and what begins there."""
        while self._ahead and self._ahead[-1].start <= place:
            self._around.append(self._ahead.pop())
        self._around = [segment for segment in self._around if place < segment.end]
        items = [segment for segment in self._around if segment.level in LIST_ITEMS]
        hang = items[-1].body - items[-1].start if items else 0
        opening = [segment.level for segment in self._around if segment.start == place]
        outermost = next((level for level in opening if level is Level.ABSATZ), None)
        return len(items), hang, outermost or (opening[-1] if opening else None)


def _list_notes(library: Library, hit: Hit, cited: Sequence[Hit]) -> Iterator[str]:
    """What a reader must know of the text beside it."""
    if isinstance(hit, DecisionHit):
        if not hit.decision.text_complete:
            yield "Der Herausgeber hat die Entscheidung gekürzt."
        return
    if not hit.statute.listed:
        yield (
            f"{hit.statute.abbreviation} steht nicht mehr im Inhaltsverzeichnis des Herausgebers"
            "; ob es noch gilt, ist hier nicht bekannt."
        )
    for note in _find_gravest(library, cited).notes:
        about = f" ({_ABOUT[note.about].format(parts=note.parts)})" if note.about in _ABOUT else ""
        yield f"{_KINDS[note.kind]}{about}: {note.text}"
    if hit.rest:
        yield (
            f"{format_steps(hit.rest)} ist im amtlichen Text nicht bezeichnet und lässt sich nicht"
            " herausschneiden; gezeigt ist der Teil darüber."
        )
    if hit.alternatives:
        names = ", ".join(place.citation for place in hit.alternatives)
        yield f"Ebenso bezeichnet: {names}."
    if hit.norm.kind is NormKind.HEADING:
        yield f"{hit.norm.citation} ist eine Überschrift."

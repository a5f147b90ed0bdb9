"""Corrigenda of EU acts in Formex: what they say is misprinted, put right where it stands.

Source: Formex manual, elements CORR, CORRECTION, OLD.CORR ("Anstatt"), NEW.CORR ("muss es
heißen"). Both quote the words with "…" for what is left out.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import chain, islice

from lxml import etree

from fundstelle.ingest.sources.eu.act import ActText, Unit
from fundstelle.ingest.sources.eu.blocks import ActBlock
from fundstelle.ingest.sources.eu.formex import read_blocks, read_words
from fundstelle.ingest.sources.files.nesting import iter_outermost
from fundstelle.law.corrigenda import format_announced, format_correction

_PLACE = re.compile(
    r"(?P<kind>Artikel|Erwägungsgrund|Article|Recital)\s+(?P<number>\d+[a-z]?)(?P<below>.*)"
)
_KINDS = {"Artikel": "art", "Article": "art", "Erwägungsgrund": "recital", "Recital": "recital"}
_HEADING = re.compile(r"Überschrift|\b[Tt]itle\b|\b[Hh]eading\b")
_LABEL = re.compile(r"[„“”\"]?(?:\(\d+[a-z]?\)|\d+\.|[a-z]\))\s+")
_QUOTED = re.compile(r"^\W*[„“\"](?P<words>.*)[“”\"][.,;]*$", re.DOTALL)
_LEFT_OUT = re.compile(r"\s*…\s*")
_INNER = str.maketrans("‚‘", "„“")  # inside a quotation: of the text itself, the outer ones
_MOST = 2_000  # pieces of text that one corrigendum replaces; the longest known has some 60
_LONGEST_PLACE = 200  # characters; each piece that is replaced is noted with its place
_LONGEST_PIECE = 4_000  # characters
_NAMED = 20  # places that could not be put right


@dataclass(frozen=True, slots=True)
class Correction:
    """Words that are misprinted and those that must stand there, with what is left out cut off."""

    place: str  # "Artikel 15 Absatz 4"
    unit: str  # "art_15"
    is_heading: bool
    pairs: tuple[tuple[str, str], ...]


@dataclass(slots=True)
class Corrigendum:
    """A corrigendum in one language; ``open_places`` could not be put right."""

    celex: str
    number: str  # "32016R0679R(02)"
    language: str
    issued_on: date | None
    publication: str | None
    corrections: tuple[Correction, ...] = ()
    open_places: list[str] = field(default_factory=list)

    def name_open_places(self) -> str:
        """The first of them, and how many more there are."""
        more = len(self.open_places) - _NAMED
        named = "; ".join(self.open_places[:_NAMED])
        return f"{named}; und {more} weitere" if more > 0 else named


def list_corrections(root: etree._Element) -> Iterator[Correction | str]:
    """The corrections of a ``CORR``; the place of one that is told in another way."""
    left = _MOST
    for element in iter_outermost(root, "CORRECTION"):
        described = element.find("DESCRIPTION")
        words = read_words(described) if described is not None else ""
        place = _PLACE.search(words)
        old, new = element.find("OLD.CORR"), element.find("NEW.CORR")
        if left <= 0 or place is None or old is None or new is None:
            yield words[:_LONGEST_PLACE]
            continue
        pairs = _pair(_read_quoted(old), _read_quoted(new))
        left -= len(pairs)
        if not pairs or left < 0 or max(map(len, chain(*pairs))) > _LONGEST_PIECE:
            yield words[:_LONGEST_PLACE]
            continue
        yield Correction(
            words[place.start() :][:_LONGEST_PLACE].strip(),
            f"{_KINDS[place['kind']]}_{place['number']}",
            _HEADING.search(place["below"]) is not None,
            pairs,
        )


def _read_quoted(element: etree._Element) -> list[str]:
    """The paragraphs that are quoted, without the marks around them; a label stands before each."""
    quoted = element.find("QUOT.S")
    if quoted is None:  # "Anstatt „…“"
        words = [read_words(element)]
        found = _QUOTED.search(words[0][words[0].find("„") :])
        return [found["words"]] if found else []
    words = [
        " ".join(filter(None, (block.label, block.words)))
        for block in _flatten(read_blocks(quoted))
    ]
    words = [each for each in words if each]
    if words:
        words[0] = words[0].lstrip('„“"')
        words[-1] = re.sub(r"[“”\"][.,;]*$", "", words[-1])
    return [each.translate(_INNER) for each in words]


def _flatten(blocks: Sequence[ActBlock]) -> Iterator[ActBlock]:
    for block in blocks:
        yield block
        yield from _flatten(block.below)


def _pair(old: Sequence[str], new: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """What differs, piece by piece; nothing where old and new are not cut up alike."""
    if len(old) != len(new):
        old, new = ["\n".join(old)], ["\n".join(new)]
    pairs: list[tuple[str, str]] = []
    for before, after in zip(old, new, strict=True):
        pieces = [_LEFT_OUT.split(each) for each in _drop_label(before, after)]
        if len(pieces[0]) != len(pieces[1]):
            return ()
        pairs += [pair for pair in zip(*pieces, strict=True) if pair[0] and pair[0] != pair[1]]
    return tuple(pairs)


def _drop_label(before: str, after: str) -> tuple[str, str]:
    """Both without the label they begin with: a text does not have it among its words.

    What only one begins with is a change itself, or no label: ``25. Mai 2018``.
    """
    found = [_LABEL.match(each) for each in (before, after)]
    label = found[0][0] if found[0] and found[1] and found[0][0] == found[1][0] else ""
    return before[len(label) :], after[len(label) :]


def correct(text: ActText, corrigendum: Corrigendum) -> None:
    """Put right what the corrigendum says, each place once and only where it is unmistakable.

    A unit keeps the words of each correction among its notes.
    """
    units = {unit.number: unit for unit in text.units}
    for correction in corrigendum.corrections:
        unit = units.get(correction.unit)
        done = unit is not None and [
            pair for pair in correction.pairs if _replace(unit, correction, *pair)
        ]
        if unit is None or not done or len(done) < len(correction.pairs):
            corrigendum.open_places.append(correction.place)
            if unit is not None:
                unit.notes.append(
                    format_announced(
                        corrigendum.number,
                        corrigendum.publication,
                        corrigendum.issued_on,
                        correction.place,
                    )
                )
        for old, new in done or ():
            assert unit is not None
            unit.notes.append(
                format_correction(
                    *(corrigendum.number, corrigendum.publication, correction.place, old, new),
                    issued_on=corrigendum.issued_on,
                )
            )


def _replace(unit: Unit, correction: Correction, old: str, new: str) -> bool:
    """Whether the words stand in the unit just once, and were replaced."""
    wanted = re.compile(r"\s*".join(re.escape(sign) for sign in old if not sign.isspace()))
    if correction.is_heading:
        if wanted.fullmatch(unit.title) is None:
            return False
        unit.title = new
        return True
    places = (
        (block, match) for block in _flatten(unit.blocks) for match in wanted.finditer(block.words)
    )
    found = list(islice(places, 2))
    if len(found) != 1:
        return False
    block, match = found[0]
    block.words = block.words[: match.start()] + new + block.words[match.end() :]
    return True

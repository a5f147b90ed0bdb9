"""Laws named in a text without a provision: "das Grundgesetz", "nach dem KSchG"."""

import re
from collections.abc import Iterator, Sequence

from fundstelle.citations.drafts import LawReference
from fundstelle.citations.suffix import LawReader
from fundstelle.citations.unknown import NO_LAWS

_CANDIDATE = re.compile(
    r"[A-ZÄÖÜ](?<![\w/§.-][A-ZÄÖÜ])(?:[a-zäöüß-]*?(?:gesetz(?:buch)?(?:e?s)?|ordnung|buche?s?|konvention)"
    r"|[A-Za-zäöüß]*[A-ZÄÖÜ][A-Za-zÄÖÜäöüß]*)(?![^\W_]|[-/][A-Za-zäöü])"
)
_ADJECTIVE = re.compile(r"(?<!\w)[A-ZÄÖÜ][a-zäöüß]+(?:e[smnr]?)\s$")
_INFLECTED = ("Gesetzbuch", "Buch", "Sozialgesetzbuch", "Richtergesetz")
_SHORTEST = 3
_SHORT = frozenset({"GG", "AO"})


def find_mentions(
    text: str, laws: LawReader, taken: Sequence[tuple[int, int]]
) -> Iterator[tuple[int, LawReference]]:
    """Known laws outside the spans ``taken`` (sorted), and where each begins."""
    place = 0
    floor = 0
    for match in _CANDIDATE.finditer(text):
        start = match.start()
        while place < len(taken) and taken[place][1] <= start:
            place += 1
        if start < floor or (place < len(taken) and taken[place][0] < match.end()):
            continue
        law = _read(text, match, laws)
        if law is not None:
            yield law
            floor = law[1].end


def _read(text: str, match: re.Match[str], laws: LawReader) -> tuple[int, LawReference] | None:
    written = match[0]
    start = match.start()
    if written in NO_LAWS or (len(written) < _SHORTEST and written not in _SHORT):
        return None
    if written.startswith(_INFLECTED):
        adjective = _ADJECTIVE.search(text, max(0, start - 24), start)
        if adjective is not None:
            start = adjective.start()
    law = laws.read_name(start)
    if law is None or not law.known or law.end < match.end():
        return None
    return start, law

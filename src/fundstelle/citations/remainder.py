"""What stands in a string beside the citations read in it, and what of that says nothing.

Passed over are words without which the citation would be the same: "siehe", "vgl.", "i. S. d.",
articles, prepositions. Whatever else is left was not read.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fundstelle.citations.decisions.margins import GROUNDS, HEADNOTES, MARGIN, PAGES
from fundstelle.citations.decisions.pinpoints import complete_decisions
from fundstelle.citations.laws.versions import WORDING
from fundstelle.citations.norms.levels import LEVEL_OF
from fundstelle.citations.norms.scan import Hit
from fundstelle.citations.text.dates import DATE, read_date
from fundstelle.citations.text.tables import read_words
from fundstelle.law.citations import DecisionCitation, EuCitation, NormCitation, ReporterCitation

_TOKEN = re.compile(
    r"(?P<signal>i\.?\s?[SV]\.?\s?[dvm](?:\.|(?![^\W_]))|(?:m\.?\s?w\.?\s?N|a\.?\s?a\.?\s?O"
    r"|st\.?\s?Rspr|s\.\s?[ao]|u\.\s?a|z\.\s?B|d\.\s?h)(?:\.|(?![^\W_])))"
    r"|[^\W_]+|§+"
)
# Beside a decision: its day, the place in it, where it can be read.
_NUMBERS = (
    r"\d+[a-z]?(?:\s?f{1,2}\.?)?(?:\s*(?:,|;|-|bis|to|und|and)\s*\d+[a-z]?(?:\s?f{1,2}\.?)?)*"
)
_BESIDE = re.compile(rf"{DATE}|(?<![^\W_]){MARGIN}\s*{_NUMBERS}(?!\w)", re.IGNORECASE)
# Behind a page of a collection or journal: another one of it.
_PAGE_BESIDE = re.compile(rf"(?<![^\W_])S\.?\s*{_NUMBERS}(?!\w)", re.IGNORECASE)
# Days in a list, of which the last is that of the number behind it; and one that stands behind.
_OF_DAY = r"(?:(?:\w*(?:urteile?|beschl(?:uss|üsse))\s)?(?:vom|v\.)\s)"
_DAY_BEFORE = re.compile(
    rf"(?P<first>{DATE})(?=\s?(?:,|und|u\.|sowie|bzw\.)\s{_OF_DAY}?(?P<second>{DATE}))",
    re.IGNORECASE,
)
_DAY_BEHIND = re.compile(rf"(?:;|\bund|\bsowie)\s{_OF_DAY}(?P<day>{DATE})", re.IGNORECASE)
# What leads to no place in a decision that is held, though it belongs to the citation.
_LEITSATZ = rf"(?<![^\W_]){HEADNOTES}"
_UNREAD_LEITSATZ = re.compile(_LEITSATZ)
_UNREAD_PLACE = re.compile(
    r"(?:(?<![^\W_])(?:Ziff(?:er)?|Nrn?|Abs(?:atz)?|Z)|§§?)\.?\s?\d+[a-z]?(?![\w/])"
    rf"|{_LEITSATZ}|{GROUNDS}|(?<![^\W_])(?<!\d{{4}}\s)(?<!\d{{4}},\s){PAGES}|(?<=\s[–-]\s)\d{{1,4}}\Z"
)
# Not the decision that is cited, but the one before it.
_OTHER_INSTANCE = re.compile(
    r"(?<![^\W_])(?P<word>Vorinstanz(?:en)?)\s(?:zu[mr]?|von|de[rs])(?![^\W_])", re.IGNORECASE
)
_SEPARATORS = frozenset({"", " ", ", ", "; ", " - ", ".", " ("})  # usual, and silent
_NUMBERING = re.compile(r"\s*\(?\d{1,2}[.)]\s")  # of a list that the citation was copied from
_ADDRESS = re.compile(r"https?://\S+$")
_PLACE_IN_ADDRESS = re.compile(r"(?:art|para?|abs|anhang|annex)[_=-]?\d", re.IGNORECASE)
_OF_ACT = re.compile(r"/eli/|//eur-lex\.", re.IGNORECASE)
_LONGEST_LEVEL = len("anhang_")
_LONGEST_ADDRESS = 500
_DECIDED = (DecisionCitation, ReporterCitation)


class Unread(NamedTuple):
    """A piece of the clean text that no citation took."""

    start: int
    end: int


def find_unread(text: str, hits: Sequence[Hit]) -> list[Unread]:
    """The pieces of ``text`` that carry a meaning and are in none of ``hits``, in their order.

    Which wording a law is cited in ("in der Fassung vom …") is no part of a target, and so unread.
    """
    first, law = hits[0], hits[0].law
    days = list(_find_days(text, hits)) if isinstance(first.targets[0], _DECIDED) else []
    is_all_read = law is None or (law.name_end == law.end and law.unread is None)
    if first.end - first.start == len(text) and is_all_read:
        return days  # as most are
    unread = sorted((*_find_unread(text, hits), *days))
    if unread and any(isinstance(hit.targets[0], _DECIDED) for hit in hits):
        completed = complete_decisions(text, hits)
        unread = [*_find_unread(text, completed), *_find_places(text, hits, completed), *days]
        unread.sort()
    return unread


def _find_days(text: str, hits: Sequence[Hit]) -> Iterator[Unread]:
    """Days of further decisions under one number: ``vom 4.4.2019 und 3.1.2018 - 2 O 9/18``."""
    decided = [one for hit in hits for one in hit.targets if isinstance(one, DecisionCitation)]
    read = {one.issued_on for one in decided} - {None}
    if not read:
        return
    places = {each.span("first") for each in _DAY_BEFORE.finditer(text)}
    places |= {each.span("second") for each in _DAY_BEFORE.finditer(text)}
    if not isinstance(hits[-1].targets[0], ReporterCitation):
        places |= {each.span("day") for each in _DAY_BEHIND.finditer(text, hits[-1].end)}
    for start, end in sorted(places):
        if read_date(text[start:end]) not in read:
            yield Unread(start, end)


def _find_places(text: str, hits: Sequence[Hit], completed: Sequence[Hit]) -> Iterator[Unread]:
    """Places in a decision that nothing reads: ``- VI ZR 1/21, Ziff. 3``, ``Leitsatz 2``."""
    for hit, whole in zip(hits, completed, strict=True):
        if isinstance(hit.targets[0], _DECIDED):
            is_page = isinstance(hit.targets[0], ReporterCitation)  # what it counts is its own
            places = _UNREAD_LEITSATZ if is_page else _UNREAD_PLACE
            for place in places.finditer(text[: whole.end], hit.end):
                yield Unread(*place.span())


def _find_unread(text: str, hits: Sequence[Hit]) -> Iterator[Unread]:
    numbering = _NUMBERING.match(text) if hits[0].start else None
    done, decided, paged = numbering.end() if numbering else 0, False, False
    for hit in hits:
        is_decision = not isinstance(hit.targets[0], NormCitation | EuCitation)
        yield from _trim(text, done, hit.start, decided=decided or is_decision, paged=paged)
        done, decided = max(done, hit.end), is_decision
        paged = is_decision and not isinstance(hit.targets[-1], DecisionCitation)
        law = hit.law
        if law is not None and law.unread is not None:
            yield Unread(*law.unread)
        if law is not None and 0 < law.name_end < law.end:
            wording = WORDING.search(text, law.name_end, law.end)
            if wording is not None and wording["of"]:
                yield Unread(*wording.span("clause"))
    yield from _trim(text, done, len(text), decided=decided, paged=paged, ends=not decided)


def _trim(  # noqa: PLR0913 - the last three say what the gap stands between
    text: str, start: int, end: int, *, decided: bool, paged: bool, ends: bool = False
) -> Iterator[Unread]:
    """What is left of a gap without the silent words at its ends; beside a decision its name is.

    ``paged``: behind a page, of which others may follow. A letter that ``ends`` the text behind a
    norm may be of its number or a Buchstabe.
    """
    gap = text[start:end]
    if gap in _SEPARATORS:
        return
    if decided and (other := _OTHER_INSTANCE.search(gap)):
        yield Unread(start + other.start(), start + other.end("word"))
    if decided:
        gap = _BESIDE.sub(lambda match: " " * len(match[0]), gap)
    if paged:
        gap = _PAGE_BESIDE.sub(lambda match: " " * len(match[0]), gap)
    tokens = list(_TOKEN.finditer(gap))
    loud = [token for token in tokens if not _is_silent(token)]
    if ends and tokens and _is_letter(tokens[-1]) and tokens[-1] not in loud:
        loud.append(tokens[-1])
    if not loud or (decided and _is_name(loud) and not _UNREAD_LEITSATZ.search(gap)):
        return
    piece = Unread(start + loud[0].start(), start + loud[-1].end())
    if not _is_of_address(text, piece):
        yield piece


def _is_of_address(text: str, piece: Unread) -> bool:
    """Whether a piece belongs to an address that was read, and names no place in the act."""
    before = _ADDRESS.search(text, max(0, piece.start - _LONGEST_ADDRESS), piece.start)
    written = text[piece.start : piece.end]
    named = text[max(0, piece.start - _LONGEST_LEVEL) : piece.end]
    if before is not None and "#" in before[0] and _OF_ACT.search(before[0]):
        return False  # the place in it
    if before is not None and "/eli/" in before[0] and "?" not in before[0]:
        return False  # each part of such an address says what is meant
    return before is not None and " " not in written and not _PLACE_IN_ADDRESS.search(named)


def _is_silent(token: re.Match[str]) -> bool:
    return token["signal"] is not None or token[0].casefold() in read_words("silent")


def _is_letter(token: re.Match[str]) -> bool:
    return len(token[0]) == 1 and token[0].isalpha()


def _is_name(loud: Sequence[re.Match[str]]) -> bool:
    """Whether words behind a decision can be what it is called: "Google Spain", "Planet49"."""
    return all(token[0][0].isalpha() and token[0].casefold() not in LEVEL_OF for token in loud)

"""Titles of laws in full: "Gesetz zur Förderung der Jugend vom 1. Mai 2001 (BGBl. I S. 7)"."""

import re

from fundstelle.citations.dates import DATE

_BEGIN = re.compile(
    r"(?:Gesetz(?:es)?|(?:Landes)?[Vv]erordnung|Übereinkommens?|Abkommens?|Vertrage?s?|Konvention)\s+"
    r"(?:über|zur|zum|zu\s+de[mnr]|betreffend|gegen|für|zwischen)\s+"
)
# What a title consists of; the first word of another kind ends it.
_WORDS = re.compile(
    r"(?:(?:[A-ZÄÖÜ0-9„\"][\w.-]*+[“\"]?|(?:über|zu[rm]?|de[rsmn]|die|das|von|vo[mr]|und|oder|sowie|i[nm]|a[mn]"
    r"|auf|aus|bei|mit|nach|für|gegen|durch|zwischen|einer|eines|betreffend|ab|an|bis|aufgrund"
    r"|[a-zäöüß]{3,}-|(?!w[uae]rden\b|haben\b|hatten\b|seien\b|sollen\b|k[oö]nn|müssen|dürfen|können|wollen|aufgehob"
    r"|wieder\b|keiner?\b|eben)[a-zäöüß-]{2,}(?:en|er|es|em|e))(?![\w/]))(?:,?\s+(?=[^\W_„\"]))?)++"
)
_BREAK = re.compile(r"\.\s(?=[A-ZÄÖÜ])|\svom?\s\d")
_TRAILING = re.compile(
    r"(?:[\s,]+(?:über|zu[rm]?|de[rsmn]|die|das|von|vo[mr]|und|oder|sowie|i[nm]|a[mn]|auf|aus|bei|mit"
    r"|nach|für|gegen|durch|zwischen|einer|eines|e[rs]|deren|ihren?))+$|[\s,.]+$"
)
_REACH = 400
_GAZETTE = (
    r"(?:[A-ZÄÖÜ][\w.]*\s)?"
    r"(?:\w*?GBl|\w*GVBl|GVOBl|ABl|Amtsbl|BAnz|GMBl|Bundesgesetzblatt|G[SV](?:\s|\.))"
)
_PRINTED = (
    rf"(?:\s?\((?:{_GAZETTE})[^()]{{0,160}}\)|\s?<(?:{_GAZETTE})[^<>]{{0,160}}>|\s?\[(?:{_GAZETTE})[^][]{{0,160}}\]"
    rf"|\s?[,-]\s{_GAZETTE}\.?\s?(?:\d{{4}},?\s)?(?:I+,?\s)?(?:\d{{4}},?\s)?(?:S\.?\s|Nr\.?\s)?\d+)"
)
_SHORT_NAME = (
    r"(?:\s(?:\([A-ZÄÖÜ][^()]{1,60}\)|<[A-ZÄÖÜ][^<>]{1,60}>|[-–]\s[A-ZÄÖÜ][^-–,;()]{1,40}\s[-–]))"
)
_WORDING = r"(?:,?\s(?:idF|i\.\s?d\.\s?F\.|in\s+der\s+Fassung)(?:\s+der(?:\s+Bekanntmachung)?)?)"
_AMENDED = rf"(?:,\s(?:zuletzt\s)?geändert\sdurch\s[^;()<>]{{4,90}}?{DATE}{_PRINTED})"
_ENACTED = re.compile(
    rf"{_WORDING}?\s+(?:vom|v\.)\s+{DATE}(?!\s?{_SHORT_NAME}?{_PRINTED})"
    rf"|{_SHORT_NAME}?{_WORDING}?\s+(?:vom|v\.)\s+{DATE}{_SHORT_NAME}?(?P<printed>{_PRINTED}){_AMENDED}?"
)


def read_title(text: str, pos: int) -> int | None:
    """Where the title that begins at ``pos`` ends, without its date; ``None`` if none begins."""
    begin = _BEGIN.match(text, pos)
    if begin is None:
        return None
    words = _WORDS.match(text, begin.end(), begin.end() + _REACH)
    if words is None:
        return None
    stop = _BREAK.search(text, begin.end(), words.end() + 2)
    end = min(words.end(), stop.start()) if stop else words.end()
    title = text[begin.end() : end]
    while (shorter := _TRAILING.sub("", title)) != title:
        title = shorter
    return begin.end() + len(title) if len(title) > 3 else None


def read_enactment(text: str, pos: int, *, printed: bool) -> int:
    """Where "vom 1. Mai 2001 (BGBl. I S. 7)" behind a name ends; ``pos`` if none stands there.

    ``printed`` takes the date only with the gazette: behind an abbreviation a date may belong to
    another thing.
    """
    match = _ENACTED.match(text, pos)
    if match is None or (printed and match["printed"] is None):
        return pos
    return match.end()

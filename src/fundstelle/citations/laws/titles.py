"""Titles of laws in full: "Gesetz zur Förderung der Jugend vom 1. Mai 2001 (BGBl. I S. 7)"."""

import re

from fundstelle.citations.text.dates import DATE

_BEGIN = re.compile(
    r"(?:(?:Gesetz(?:es)?|(?:Landes)?[Vv]erordnung|Übereinkommens?|Abkommens?|Konvention"
    r"|Rahmenvereinbarung)\s+(?:über|zur|zum|zu\s+de[mnr]|betreffend|gegen|für(?!\salle))\s+"
    r"|Abkommens?\szwischen\s)"
)
# What a title consists of; the first word of another kind ends it.
_WORDS = re.compile(
    r"(?:(?:[A-ZÄÖÜ0-9„\"][\w.-]*+[“\"]?|(?:über|zu[rm]?|de[rsmn]|die|das|von|vo[mr]|und|oder|sowie|i[nm]|a[mn]"
    r"|auf|aus|bei|mit|nach|für|gegen|durch|zwischen|einer|eines|betreffend|ab|an|bis|aufgrund"
    r"|[a-zäöüß]{3,}-|[a-zäöüß]{4,}(?=\s[a-zäöüß]{3,}(?:en|er|es|em|e)\s[A-ZÄÖÜ])|(?!(?:um)?genannte|umgesetzt|umbenannt|diene|beziehe|g[ei]lte?n?\b|w[uae]rden\b|haben\b|hatten\b|seien\b|sollen\b|k[oö]nn|müssen|dürfen|können|wollen|aufgehob"
    r"|wieder\b|keiner?\b|eben)[a-zäöüß-]{2,}(?:en|er|es|em|e))(?![\w/]))(?:,?\s+(?!B[TR]-?\s?Dr|A?Bl|BGBl)(?=[^\W_„\"]))?)++"
)
# A sentence ends, a date follows, or the next line begins with the label of an item.
_BREAK = re.compile(
    r"\.\s(?=[A-ZÄÖÜ])|\svom?\s\d|\n\s*(?:\d{1,3}[a-z]?\.|[a-z]{1,3}\)|\(\d{1,3}[a-z]?\))\s"
)
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
    rf"|\s\((?:(?:idF|in\sder\sFassung)\s(?:des\s\w+\s|der\s\w+\s)?)?vom\s{DATE},?(?:\s-)?\s"
    rf"(?P<inner>{_GAZETTE})[^()]{{0,60}}\)|(?P<bare>{_PRINTED})"
)
_LEADS_ON = frozenset(" ,(<[\n")


_ONLY_DATE = re.compile(rf"Gesetz(?:es)?(?=\svom\s{DATE}{_PRINTED})")
_TITLED = re.compile(r"(?:Gesetz(?:es)?|[Vv]erordnung|Übereinkommens?|Abkommens?|Konvention)\s")
_UNION_PRINTED = re.compile(
    r"\s\((?:ABl|Abl)[^()]{4,90}\)|,\sABl\w*\.?\s(?:Nr\.\s)?[LC]\s\d+(?:,?\sS\.\s\d+)?"
)
_SUBJECT = re.compile(r"\s(?:über|zur|zum|zu|betreffend|mit|für)\s")


def read_title(text: str, pos: int) -> int | None:
    """Where the title that begins at ``pos`` ends, without its date; ``None`` if none begins."""
    begin = _BEGIN.match(text, pos)
    if begin is None:
        only = _ONLY_DATE.match(text, pos)
        return only.end() if only else None
    return _read_words(text, begin.end())


def _read_words(text: str, pos: int) -> int | None:
    words = _WORDS.match(text, pos, pos + _REACH)
    if words is None:
        return None
    stop = _BREAK.search(text, max(0, pos - 1), words.end() + 2)
    title = text[pos : min(words.end(), stop.start()) if stop else words.end()]
    while (shorter := _TRAILING.sub("", title)) != title:
        title = shorter
    return pos + len(title) if len(title) > 3 else None


def read_enactment(text: str, pos: int, *, printed: bool) -> int:
    """Where "vom 1. Mai 2001 (BGBl. I S. 7)" behind a name ends; ``pos`` if none stands there.

    ``printed`` takes the date only with the gazette: behind an abbreviation a date may belong to
    another thing.
    """
    if text[pos : pos + 1] not in _LEADS_ON:
        return pos
    match = _ENACTED.match(text, pos)
    if match is None or (printed and match.lastgroup is None):
        return pos
    return match.end()


def read_subject(text: str, pos: int) -> int:
    """Where the words of a title from "über" on end; ``pos`` if none stand there."""
    subject = _SUBJECT.match(text, pos)
    return pos if subject is None else _read_words(text, subject.end()) or pos


def read_journal(text: str, pos: int) -> int:
    """Where the place in the Official Journal behind an EU act ends; ``pos`` if there is none."""
    printed = _UNION_PRINTED.match(text, pos)
    return printed.end() if printed else pos


def is_title(written: str) -> bool:
    """Whether a law is named by its title, not by a word or an abbreviation."""
    return _TITLED.match(written) is not None

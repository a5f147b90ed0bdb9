"""Text whose line breaks are lost: parts, Randnummern and paragraphs found by what stands glued."""

import re
from collections.abc import Iterator

from fundstelle.ingest.sources.decision_headings import find_part
from fundstelle.ingest.sources.decision_numbers import Candidate, find_run
from fundstelle.ingest.sources.decision_text import DecisionWriter, count_chars
from fundstelle.law.decisions import DecisionText

_FURNITURE = re.compile(
    r"\s*Diesen Link können Sie kopieren und verwenden, wenn Sie genau dieses Dokument verlinken"
    r" möchten:\s*https?://\S+|^weitere Fundstellen \.\.\.|^Diese Entscheidung wird zitiert"
)
_RUN = re.compile(r"(?<![\d/§])\d{1,4}")
_ENDS = '.:;!?)"“”]»–-*'
_OPENS = '"„“(»–-[…*'
_HEADINGS = (
    r"Tenor|Tatbestand|Entscheidungsgründe|Gründe|Rechtsmittelbelehrung|Rechtsbehelfsbelehrung"
    r"|(?:Amtlicher\s|Amtliche\s)?Leits(?:atz|ätze)|Orientierungss(?:atz|ätze)"
    r"|T\sa\st\sb\se\ss\st\sa\sn\sd|G\sr\sü\sn\sd\se|T\sA\sT\sB\sE\sS\sT\sA\sN\sD|G\sR\sÜ\sN\sD\sE"
    r"|E\sn\st\ss\sc\sh\se\si\sd\su\sn\sg\ss\s?g\sr\sü\sn\sd\se|TATBESTAND|ENTSCHEIDUNGSGRÜNDE|GRÜNDE"
    r"|E\sN\sT\sS\sC\sH\sE\sI\sD\sU\sN\sG\sS\s?G\sR\sÜ\sN\sD\sE"
)
# glued to what stands before or at the beginning, and to what follows
_HEADING = re.compile(
    rf"(?:(?<=[.!?:;)“”\"»\]\d€])|(?<=\s\s)|^)\s*(?P<label>{_HEADINGS})\s?:?"
    r"(?=[A-ZÄÖÜ„\"(\d]|\s{2}|\s*$|\s[IVXA-Z1]\.)"
)
_FIRST = re.compile(rf"\s*(?P<label>{_HEADINGS})\s?:?")
_LOST_BREAK = re.compile(
    r"(?<=[a-zäöüß]{4}[.:;])(?=[A-ZÄÖÜ„][a-zäöü]+\s)|(?<=[a-zäöüß)][.:;])\s{3,}(?=[A-ZÄÖÜ„(\d])"
    r"|(?<=[a-zäöüß]{4}\.)(?=(?:[IVX]{1,4}|\d{1,2})\.\s?[A-ZÄÖÜ])|(?<=\D\s[IVX]\.)(?=[A-ZÄÖÜ][a-z]+\s)"
)
_ENUMERATED = re.compile(r"(?:\d{1,2}|[IVX]{1,4}|[A-Za-z])[.)]")
_STRONG, _WEAK = 2.0, 1.0


def write_run(text: str, decision_id: str) -> DecisionText:
    """The words of a text in one line."""
    cleaned = _FURNITURE.sub("", text)
    writer = DecisionWriter()
    start, number = 0, None
    for each in find_run(_iter_candidates(cleaned)):
        _write(writer, cleaned[start : each.start], number)
        start, number = each.end, str(each.number)
    _write(writer, cleaned[start:], number)
    return writer.finish(decision_id, count_chars(text))


def _write(writer: DecisionWriter, text: str, number: str | None) -> None:
    """What stands between two Randnummern."""
    left = number
    for label, words in _split_headings(text, first=writer.is_empty):
        if label is not None:
            kind = find_part(label)
            assert kind is not None, "every heading in the pattern names a part"
            if left is not None and not words.strip():
                writer.keep(left)
                left = None
            writer.begin_part(kind, label)
        for paragraph in _LOST_BREAK.split(words):
            if paragraph.strip():
                writer.add(paragraph, left)
                left = None
    if left is not None:
        writer.keep(left)


def _split_headings(text: str, *, first: bool) -> Iterator[tuple[str | None, str]]:
    """Each heading of a part with what follows it; ``None`` for what stands before the first."""
    found = list(_HEADING.finditer(text))
    opening = _FIRST.match(text) if first else None
    if opening is not None and (not found or found[0].start("label") > opening.start("label")):
        found.insert(0, opening)
    yield None, text[: found[0].start()] if found else text
    for place, each in enumerate(found):
        end = found[place + 1].start() if place + 1 < len(found) else len(text)
        yield each["label"], text[each.end() : end]


def _iter_candidates(text: str) -> Iterator[Candidate]:
    """Numbers that may be Randnummern; ``415. Die`` is 41 and ``5. Die`` as well."""
    for run in _RUN.finditer(text):
        before = _rate_before(text, run.start())
        if before < 0:
            continue
        for end in range(run.end(), run.start(), -1):
            after = _rate_after(text, end, run.end())
            if after < 0 or before + after < _STRONG + _WEAK / 2 or text[run.start()] == "0":
                continue
            yield Candidate(run.start(), end, int(text[run.start() : end]), before + after)


def _rate_before(text: str, start: int) -> float:
    """How much what stands before speaks for a Randnummer; negative: against it."""
    if start == 0:
        return _WEAK
    last = text[start - 1]
    if last in _ENDS:
        return _STRONG
    if last.isalpha():
        return _STRONG - 0.5
    if last == "," and not text[max(0, start - 2)].isdigit():
        return _WEAK
    if last.isspace():
        wide = text[max(0, start - 2) : start].isspace() and start > 1
        ended = text[:start].rstrip()[-1:] in _ENDS
        return (_WEAK if wide else 0.0) + (0.5 if ended else -0.5)
    return -1.0


def _rate_after(text: str, end: int, run_end: int) -> float:
    """The same for what follows; the digits up to ``run_end`` may number the paragraph itself."""
    if end < run_end:
        return _WEAK + 0.5 if _ENUMERATED.match(text, end) else -1.0
    following = text[end : end + 2]
    if not following.strip():
        return _WEAK if not text[end:].strip() or len(following) > 1 else 0.0
    first = following[0]
    if first.isupper() or first in _OPENS:
        return _STRONG
    if first.islower():
        return _WEAK
    if first.isspace():
        return 0.5 if following[1].isupper() or following[1] in _OPENS else -1.0
    return -1.0

"""Text whose line breaks are lost: parts, Randnummern and paragraphs found by what stands glued."""

import re
from collections.abc import Iterator

from fundstelle.ingest.sources.decision_text.headings import find_part, is_enumerator
from fundstelle.ingest.sources.decision_text.numbers import Candidate, fill_gaps, find_run
from fundstelle.ingest.sources.decision_text.text import DecisionWriter, count_chars
from fundstelle.law.decisions import DecisionText

_FURNITURE = re.compile(
    r"(?<!\s)\s*+Diesen Link können Sie kopieren und verwenden, wenn Sie genau dieses Dokument"
    r" verlinken möchten:\s*https?://\S+|^weitere Fundstellen \.\.\."
    r"|^Diese Entscheidung wird zitiert"
)
_RUN = re.compile(r"(?<![\d/§])\d{1,4}")
_ENDS = '.:;!?)"“”]»–-*€'
_OPENS = '"„“(»–-[…*§'
_HEADINGS = (
    r"Tenor|Tatbestand|Entscheidungsgründe|Gründe|Rechtsmittelbelehrung|Rechtsbehelfsbelehrung"
    r"|(?:Amtlicher\s|Amtliche\s)?Leits(?:atz|ätze)|Orientierungss(?:atz|ätze)"
    r"|T\sa\st\sb\se\ss\st\sa\sn\sd|G\sr\sü\sn\sd\se|T\sA\sT\sB\sE\sS\sT\sA\sN\sD|G\sR\sÜ\sN\sD\sE"
    r"|E\sn\st\ss\sc\sh\se\si\sd\su\sn\sg\ss\s?g\sr\sü\sn\sd\se|TATBESTAND|ENTSCHEIDUNGSGRÜNDE|GRÜNDE"
    r"|E\sN\sT\sS\sC\sH\sE\sI\sD\sU\sN\sG\sS\s?G\sR\sÜ\sN\sD\sE"
)
# glued to what stands before or at the beginning, and to what follows
_HEADING = re.compile(
    rf"(?:(?:(?<=[.!?:;)“”\"»\]\d€])|^)\s*+|(?<=\s\s))(?P<label>(?:{_HEADINGS})(?:\s?[:;])?)"
    r"(?=[A-ZÄÖÜ„\"(\d]|\s{2}|\s*$|\s[IVXA-Z1]\.|(?<=:)\s[A-ZÄÖÜ„\"])"
)
_FIRST = re.compile(rf"\s*(?P<label>(?:{_HEADINGS})(?:\s?[:;])?)")
_LOST_BREAK = re.compile(
    r"(?<=[a-zäöüß]{4}[.:;])(?=[A-ZÄÖÜ„][a-zäöü]+\s)|(?<=[a-zäöüß)][.:;])\s{3,}(?=[A-ZÄÖÜ„(\d])"
    r"|(?<=[a-zäöüß]{4}\.)(?=(?:[IVX]{1,4}|\d{1,2})\.\s?[A-ZÄÖÜ])|(?<=\D\s[IVX]\.)(?=[A-ZÄÖÜ][a-z]+\s)"
)
_LAST_HEADING = re.compile(r"(?<=[.:;)])\s*(?:[IVX]{1,4}|[A-D])\.\s*$")
_GLUED_YEAR = re.compile(r"(?<=\.)(?:19|20)\d\d(?=\d{1,3}\D)")
_RUN_HERE = re.compile(r"\d{1,3}")
_ENUMERATED = re.compile(r"(?:\d{1,2}|[IVX]{1,4}|[A-Za-z])[.)]")
_BEFORE_MOTION = re.compile(r"(?:beantrag\w+|sinngemäß|ebenfalls|vorgetragen)(?:\s–)?[,:]\s+$")
_BEFORE_REASONS = re.compile(r"(?:Tatbestand|Entscheidungsgründe|Gründe):?\s+$")
_ENDED = re.compile(r"(?:(?:[a-zäöüß)]{4}|\b(?:ist|hat|war|sei))[.:;?!]|[“”\"»])\s+$")
_FAINT = re.compile(
    r"(?<!\d)(?P<glue>(?:19|20)\d\d|(?<=[^\W\d_])|(?<=[.,:;!?)“”\"»•'%€]))?"
    r"(?P<number>[1-9]\d{0,4})(?!\d)"
)
_FAINT_END = re.compile(
    r"[^\W\d_]|[„\"“(»–•-]|\s(?!(?:Uhr|DM|EUR|Euro|Abs|Satz|Nr|Prozent)\b)(?:[A-ZÄÖÜ][a-zäöüß]{2}|[„\"(§])"
    r"|\d{1,2}\.(?:\s|\d\s)|\s\d{1,2}\.\s"
)
_REACH = 40
_STRONG, _WEAK, _LEAST, _AGAINST = 2.0, 1.0, -0.5, -9.0
_ENOUGH = 1.5


def write_run(text: str, decision_id: str) -> DecisionText:
    """The words of a text in one line."""
    cleaned = _FURNITURE.sub("", text)
    writer = DecisionWriter()
    start, number = 0, None
    run = find_run(_iter_candidates(cleaned))
    for each in fill_gaps(run, _iter_faint(cleaned)) if run else run:
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
            writer.begin_part(kind, label, left)
            left = None
        for paragraph in _iter_paragraphs(words):
            if is_enumerator(paragraph):
                writer.add_heading(paragraph, left)
            else:
                writer.add(paragraph, left)
            left = None
    if left is not None:
        writer.keep(left)


def _iter_paragraphs(words: str) -> Iterator[str]:
    for paragraph in _LOST_BREAK.split(words):
        last = _LAST_HEADING.search(paragraph)  # "… wird verwiesen.II."
        before = paragraph[: last.start()] if last else paragraph
        if before.strip():
            yield before.strip()
        if last:
            yield last[0].strip()


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
    for year in _GLUED_YEAR.finditer(text):
        run = _RUN_HERE.match(text, year.end())
        if run is not None and _rate_after(text, run.end(), run.end()) >= 0:
            yield Candidate(run.start(), run.end(), int(run[0]), _STRONG)
    for run in _RUN.finditer(text):
        before = _rate_before(text, run.start())
        if before < _LEAST or run[0].startswith("0"):
            continue
        for end in range(run.end(), run.start(), -1):
            score = before + _rate_after(text, end, run.end())
            if score >= _ENOUGH:
                yield Candidate(run.start(), end, int(text[run.start() : end]), score)


def _iter_faint(text: str) -> Iterator[Candidate]:
    """Numbers glued to what stands before or after them, as no other numbers of a text are."""
    for found in _FAINT.finditer(text):
        digits = found["number"]
        glued = found["glue"] is not None
        for length in range(len(digits), 0, -1):
            end = found.start("number") + length
            if _FAINT_END.match(text, end) and (glued or not text[end].isspace()):
                yield Candidate(found.start("number"), end, int(digits[:length]), 0.0)


def _rate_before(text: str, start: int) -> float:
    """How much what stands before speaks for a Randnummer; below ``_LEAST``: against it."""
    last = text[start - 1 : start]
    if not last:
        return _WEAK
    if last in _ENDS:  # "Abs. 2.15Die", not "14.12.2005"
        return 0.4 if last == "." and text[max(0, start - 2)].isdigit() else _STRONG
    if last.isalpha() or (last == "," and not text[max(0, start - 2)].isdigit()):
        return _STRONG - 0.5
    if not last.isspace():
        return _AGAINST
    return _rate_gap(text[max(0, start - _REACH) : start])


def _rate_gap(before: str) -> float:
    """The same where white space parts it from the words before."""
    if _BEFORE_MOTION.search(before) or _BEFORE_REASONS.search(before):
        return _STRONG
    wide = _WEAK if before[-2:].isspace() else 0.0
    return wide + (_WEAK if _ENDED.search(before) else _LEAST)


def _rate_after(text: str, end: int, run_end: int) -> float:
    """The same for what follows; the digits up to ``run_end`` may number the paragraph itself."""
    if end < run_end:
        return _STRONG - 0.5 if _ENUMERATED.match(text, end) else _AGAINST
    following = text[end : end + 2]
    if not following.strip():
        return _WEAK if not text[end:].strip() or len(following) > 1 else 0.0
    first, second = following[0], following[1:]
    if first.isupper() or first in _OPENS:
        return _STRONG
    if first.islower():
        return _STRONG if second.isalpha() or _ENUMERATED.match(text, end) else _AGAINST
    if first.isspace():
        return 0.5 if second.isupper() or second in _OPENS or second.isdigit() else 0.0
    return _AGAINST

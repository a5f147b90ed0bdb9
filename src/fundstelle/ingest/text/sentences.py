"""Where sentences begin in German and English statutory text.

Source: Handbuch der Rechtsförmlichkeit on how sentences are counted; the abbreviations are those
of the federal texts. A colon never ends a sentence.
"""

import re
from collections.abc import Sequence
from importlib import resources

from fundstelle.ingest.text.lines import Line, LineKind

_CANDIDATE = re.compile(
    r"[.!?](?P<close>(?:(?<!\.\.) (?=[“”]\s))?[)\]“”»«\"'’‘]*)"
    r"(?:\s+|(?P<glued>(?<=[a-zäöüß0-9)]{3}\.)(?=[A-ZÄÖÜ][a-zäöüß])))"
    r"(?=(?P<open>[„\"»«‚‘'(\[]*)(?P<next>[A-ZÄÖÜ§0-9]))"
)
_WORD = re.compile(r"[\wÄÖÜäöüß-]+")
_YEAR_DIGITS = 4
_OPEN = ":,;–-"  # a line that ends so is no whole sentence
_CLOSING = '“”"'
_QUOTED_END = '“”«"’ '  # behind the full stop of words that are quoted: an oath, a warning
_REACH = 5_000  # characters; a bracket further away encloses nothing, and time stays linear
_ROMAN = re.compile(r"[IVXLC]+")
_NO_TABLE = re.compile(r"\(Inhalt: nicht darstellbar[^()]*\)\s*")  # the publisher left it out
_NOUN = "art"  # "the state of the art."; the abbreviation of Artikel has a capital
_DROPPED = ("(weggefallen)", "(aufgehoben)", "weggefallen", "aufgehoben")
_DOTTED = re.compile(r"(?:[A-Za-zÄÖÜäöü]{1,3}\.)+[A-Za-zÄÖÜäöü]{1,3}")


def _read_words() -> dict[str, frozenset[str]]:
    table = resources.files("fundstelle.ingest").joinpath("data/sentence_words.tsv")
    words: dict[str, set[str]] = {}
    for row in table.read_text(encoding="utf-8").splitlines()[1:]:
        kind, word = row.split("\t")
        words.setdefault(kind, set()).add(word)
    return {kind: frozenset(found) for kind, found in words.items()}


_WORDS = _read_words()
_MONTHS = _WORDS["month"]
_ABBREVIATIONS = _WORDS["abbreviation"]  # never the last word: a number or a name follows
_MAY_END = _WORDS["may_end"]  # abbreviations that may be the last word: what follows decides
_BEFORE_NUMBER = _WORDS["before_number"]  # "Absatz 2." ends a sentence, "am 2." does not
_BEFORE_LETTER = _WORDS["before_letter"]
_BEFORE_ROMAN = _WORDS["before_roman"]  # English: no ordinal has a full stop there
_STARTERS = _WORDS["starter"]  # written with a capital only because a sentence begins with them


def find_starts(text: str, start: int, end: int) -> list[int]:
    """Offsets in ``text[start:end]`` at which a further sentence begins; *start* is not among them.

    A full stop inside brackets or quotation marks that close in the same stretch ends nothing.
    """
    starts = []
    begun = start
    for match in _CANDIDATE.finditer(text, start, end):
        if match.end() >= end:
            break
        if is_end(text, begun, match) and not _is_enclosed(text, begun, match.end("close"), end):
            begun = match.end()
            starts.append(begun)
    return starts


def ends_between(text: str, start: int, line_start: int, line_end: int) -> bool:
    """Whether a sentence begun at *start* ends before the line that starts at *line_start*."""
    for match in _CANDIDATE.finditer(text, max(start, line_start - 8), line_end):
        if match.end() == line_start:
            return is_end(text, start, match)
        if match.start() >= line_start:
            break
    return False


def is_end(text: str, begun: int, match: re.Match[str]) -> bool:
    """Whether the full stop of a candidate ends the sentence begun at *begun*."""
    at = match.start()
    if match["glued"] is not None and _read_following(text, match) not in _STARTERS:
        return False  # a dot inside a name
    if text[at] != "." or match["close"]:
        return True
    low = max(begun, at - _REACH)
    word_at = max(text.rfind(" ", low, at), text.rfind("\n", low, at), low - 1) + 1
    word = text[word_at:at].lstrip("(„[\"'‚»/")
    if not word:
        return True
    if word_at == begun and word[0].isdigit() and len(word) < _YEAR_DIGITS:
        return False  # the number of an unmarked list item
    if word.endswith("."):
        word = "usw"  # an ellipsis
    following = _read_following(text, match)
    if word.rpartition("/")[2].isdigit() and (word.isdigit() or following in _MONTHS):
        return _ends_after_number(word, _word_before(text, begun, word_at), following)
    return _ends_after_word(word, _word_before(text, begun, word_at), following)


def _read_following(text: str, match: re.Match[str]) -> str:
    """The word, the digit or the section sign after the full stop of a candidate."""
    following = match["next"]
    if following.isdigit() or following == "§":
        return following
    named = _WORD.match(text, match.end() + len(match["open"]))
    return named[0] if named else following


def _word_before(text: str, begun: int, word_at: int) -> str:
    end = word_at
    while end > begun and text[end - 1].isspace():
        end -= 1
    low = max(begun, end - _REACH)
    return text[max(text.rfind(" ", low, end), low - 1) + 1 : end].strip('.,;()„“"')


def _ends_after_number(word: str, before: str, following: str) -> bool:
    if following in _MONTHS or following.isdigit():
        return False
    if len(word) >= _YEAR_DIGITS or following in _STARTERS or following == "§":
        return True
    return before in _BEFORE_NUMBER


def _ends_after_word(word: str, before: str, following: str) -> bool:
    lower = word.lower()
    starts = following in _STARTERS or following == "§"
    if len(word) == 1 and word.isalpha():
        return _ends_after_letter(word, before, following, starts=starts)
    if _ROMAN.fullmatch(word):
        return starts or before in _BEFORE_ROMAN
    if lower in _MAY_END or word == _NOUN or _DOTTED.fullmatch(word):
        return starts
    return lower not in _ABBREVIATIONS


def _ends_after_letter(word: str, before: str, following: str, *, starts: bool) -> bool:
    if before in _BEFORE_LETTER:
        return starts or (len(following) > 1 and following.lower() not in _ABBREVIATIONS)
    if before.isdigit():
        return starts  # "§ 7 g."
    return starts and following != "§" and (word.isupper() or word == "f")


def _is_enclosed(text: str, begun: int, at: int, end: int) -> bool:
    begun, end = max(begun, at - _REACH), min(end, at + _REACH)
    if text.count("(", begun, at) > text.count(")", begun, at) and text.find(")", at, end) >= 0:
        return True
    opened = text.count("„", begun, at)
    if not opened:
        return _opens(text, text.rfind('"', begun, at), begun) and text.find('"', at, end) >= 0
    closed = sum(text.count(mark, begun, at) for mark in _CLOSING)
    return opened > closed and any(text.find(mark, at, end) >= 0 for mark in _CLOSING)


def _opens(text: str, mark: int, begun: int) -> bool:
    """Whether the mark, of a form that opens and closes alike, opens a quotation there."""
    if mark < begun or text[mark + 1 : mark + 2].isspace():
        return False
    return mark == begun or text[mark - 1] in " \n("


def split_lines(
    text: str, lines: Sequence[Line], depth: int, body: int
) -> list[tuple[str, int, int]]:
    """Value, start and end of each sentence of an Absatz or list item.

    Its own text stands at *depth* and begins at *body*; deeper lines and table rows belong to the
    sentence before them. A list behind the label is the first sentence, unless it is all there is.
    Without a label it may be the provisions themselves, and only printed numbers tell. A table that
    comes first stands before all of them, unless words in small letters go on behind a label's.
    """
    lines = lines[_count_rows(lines) :]
    is_whole = bool(lines) and lines[0].depth > depth  # a section or an annex that is its list
    lines = [line for line in lines if line.end > body]
    words = lines[_count_rows(lines) :]
    lines = lines if words and text[words[0].start].islower() else words
    own = [line for line in lines if line.depth == depth and line.kind is not LineKind.ROW]
    if not own:
        return []
    body = max(body, lines[0].start)
    starts = _numbered(text, own, body)
    if not starts and not is_whole:
        starts = _counted(text, lines, depth, body)
    if not starts:
        return []
    ends = [*(_line_or_blank(text, start) for _, start in starts[1:]), lines[-1].end]
    return [
        (value, start, end) for (value, start), end in zip(starts, ends, strict=True) if end > start
    ]


def _count_rows(lines: Sequence[Line]) -> int:
    """How many table rows stand before any text."""
    return next((at for at, line in enumerate(lines) if line.kind is not LineKind.ROW), len(lines))


def _line_or_blank(text: str, start: int) -> int:
    """Where the sentence before the one at *start* ends: without the blank between them."""
    end = start
    while end and text[end - 1].isspace():
        end -= 1
    return end


def _numbered(text: str, own: Sequence[Line], body: int) -> list[tuple[str, int]]:
    """The printed numbers; those of a text that is only quoted do not count."""
    marks = [
        (value, at)
        for line in own
        for at, value in line.marks
        if at < line.end and not _is_enclosed(text, body, at, own[-1].end)
    ]
    if not marks:
        return []
    if marks[0][1] <= body or marks[0][0] == "1":
        return marks
    return [("1", body), *marks]


def _counted(text: str, lines: Sequence[Line], depth: int, body: int) -> list[tuple[str, int]]:
    starts = [body]
    before: Line | None = None
    for line in lines:
        if line.depth == depth and line.kind is not LineKind.ROW:
            if before is not None and _begins_sentence(text, starts[-1], before, line, depth):
                starts.append(line.start)
            starts.extend(find_starts(text, max(body, line.start), line.end))
        if before is None or line.depth == depth or not _is_dropped(text, line):
            before = line
    return [(str(number), start) for number, start in enumerate(starts, start=1)]


def _is_dropped(text: str, line: Line) -> bool:
    """Whether a list item only tells that it was repealed."""
    return line.kind is LineKind.ITEM and text[line.body : line.end] in _DROPPED


def _ends_with_table(text: str, begun: int, at: int) -> bool:
    """Whether the publisher's note in the place of a table stands before *at*."""
    opened = text.rfind("(", max(begun, at - _REACH), at)
    return opened >= 0 and _NO_TABLE.fullmatch(text, opened, at) is not None


def _begins_sentence(text: str, begun: int, before: Line, line: Line, depth: int) -> bool:
    """Whether a line starts a new sentence after what stands before it."""
    if not any(character.isalnum() for character in text[line.start : line.end]):
        return False
    first = text[line.start]
    if before.kind is LineKind.ROW or _ends_with_table(text, begun, line.start):
        return not first.islower()
    last = text[before.end - 1]
    if first.islower() or last in _OPEN:
        return (
            before.depth == depth
            and before.kind is LineKind.PARAGRAPH
            and last in ".!?"
            and (line.kind is LineKind.PARAGRAPH)
        )
    if before.depth > depth:
        return text[before.start : before.end].rstrip(_QUOTED_END)[-1:] in {".", "!", "?"}
    if line.kind is LineKind.PARAGRAPH:
        return True
    return ends_between(text, begun, line.start, line.end)

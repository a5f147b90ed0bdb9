"""Where sentences begin in German statutory text.

Source: Handbuch der Rechtsförmlichkeit on how sentences are counted; the abbreviations are those
of the federal texts. A colon never ends a sentence.
"""

import re
from importlib import resources

_CANDIDATE = re.compile(
    r"[.!?](?P<close>[)\]“”»«\"'’‘]*)\s+(?=(?P<open>[„\"»«‚‘'(\[]*)(?P<next>[A-ZÄÖÜ§0-9]))"
)
_WORD = re.compile(r"[\wÄÖÜäöüß-]+")
_YEAR_DIGITS = 4
_ROMAN = re.compile(r"[IVXLC]+")
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
    if text[at] != "." or match["close"]:
        return True
    word_at = max(text.rfind(" ", begun, at), text.rfind("\n", begun, at), begun - 1) + 1
    word = text[word_at:at].lstrip("(„[\"'‚»/")
    if not word:
        return True
    if word_at == begun and word[0].isdigit() and len(word) < _YEAR_DIGITS:
        return False  # the number of an unmarked list item
    if word.endswith("."):
        word = "usw"  # an ellipsis
    following = match["next"]
    if not following.isdigit() and following != "§":
        named = _WORD.match(text, match.end() + len(match["open"]))
        following = named[0] if named else following
    if word.isdigit():
        return _ends_after_number(word, _word_before(text, begun, word_at), following)
    return _ends_after_word(word, _word_before(text, begun, word_at), following)


def _word_before(text: str, begun: int, word_at: int) -> str:
    end = word_at
    while end > begun and text[end - 1].isspace():
        end -= 1
    return text[max(text.rfind(" ", begun, end), begun - 1) + 1 : end].strip('.,;()„“"')


def _ends_after_number(word: str, before: str, following: str) -> bool:
    if following in _MONTHS or following.isdigit():
        return False
    if len(word) >= _YEAR_DIGITS or following in _STARTERS or following == "§":
        return True
    return before in _BEFORE_NUMBER


def _ends_after_word(word: str, before: str, following: str) -> bool:
    lower = word.lower()
    starts = following in _STARTERS
    if len(word) == 1 and word.isalpha():
        if before in _BEFORE_LETTER or (before.isdigit() and word.islower()):
            return not following.isdigit() and (starts or word.islower())
        return starts and (word.isupper() or word == "f")
    if lower in _MAY_END:
        return starts or following == "§"
    if lower in _ABBREVIATIONS:
        return False
    if _DOTTED.fullmatch(word) or _ROMAN.fullmatch(word):
        return starts or following == "§"
    return True


def _is_enclosed(text: str, begun: int, at: int, end: int) -> bool:
    if text.count("(", begun, at) > text.count(")", begun, at) and text.find(")", at, end) >= 0:
        return True
    opened = text.count("„", begun, at)
    if not opened:
        return False
    closed = sum(text.count(mark, begun, at) for mark in '“”"')
    return opened > closed and any(text.find(mark, at, end) >= 0 for mark in '“”"')

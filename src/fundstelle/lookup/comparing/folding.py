"""Texts without typographic accidents, and the way back to the text as stored.

White space of any kind becomes one blank; quotation marks, hyphens and dashes become one sign
each; what cannot be seen goes; Unicode form is NFKC. A small digit beside a digit stays what it is:
10² is not 102, and ¹9 not 19.
"""

import re
import unicodedata
from collections.abc import Iterator

_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_UNSEEN = dict.fromkeys(map(ord, _INVISIBLE))
# With those that NFKC makes such signs of: it comes after them.
_QUOTES = "'‘’‚‛“”„‟«»‹›`´′″‴⁗〝〞＂＇｀\u1fef"
_DASHES = "‐‑‒–—―−﹣－⁻₋︱︲﹘"
_BLANKS = "\n\t\r\v\f\x1c\x1d\x1e\x1f\x85\u1680\u2028\u2029"  # those that NFKC leaves
_BLANKS += "|｜"  # between the cells of a row: our own sign, which no quotation has
_SIGNS = dict.fromkeys(_QUOTES, '"') | dict.fromkeys(_DASHES, "-")
_FOLD = _SIGNS | dict.fromkeys(_INVISIBLE, "") | dict.fromkeys(_BLANKS, " ")
_REPLACED = re.compile(f"[{re.escape(''.join(_FOLD))}]")
_BLOCK = 10_000  # characters
_CLUSTER = re.compile(r"[^\u0300-\u036f][\u0300-\u036f]*|[\u0300-\u036f]+", re.DOTALL)


_SMALL = "⁰¹²³⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉"
_SMALL_DIGITS = re.compile(f"[{_SMALL}]+")
_DIGITS = frozenset("0123456789")
# NFKC leaves these as they are; nobody writes them.
_STAND_INS = "".join(chr(0xE000 + place) for place in range(len(_SMALL)))
_KEPT = str.maketrans(_SMALL, _STAND_INS)
POWERS = frozenset(_SMALL + _STAND_INS)
"""Small digits, as they are written and as they are compared beside another digit."""

# A word that goes on in the next line; "Ein- und Ausfuhr" is none.
_BROKEN = re.compile(
    r"(?<=[^\W\d_])[-\u2010\u2011\u00ad\u00ac]\s{1,9}(?=[a-zäöüß])"
    r"(?!(?:und|oder|bzw|sowie|noch|bis|beziehungsweise|als|wie|and|or|to)(?!\w))"
)
_BROKEN_AT_HYPHEN = re.compile(r"(?<=[^\W_][-\u2010\u2011])\s{1,9}(?=[A-ZÄÖÜ\d])")


def mend(written: str) -> str:
    """What somebody has written, with the words whole that a line's end divides: ``Kündi-gung``."""
    return _BROKEN_AT_HYPHEN.sub("", _BROKEN.sub("", written))


_MOST_MARKS = 30  # behind one letter; no language comes near (UAX #15, "Stream-Safe Text Format")
_MANY_SIGNS = re.compile(rf"[^\w\s\x00-\x7f]{{{_MOST_MARKS + 1},}}")  # marks may be among them


def limit_marks(written: str) -> str:
    """What somebody has written, with few marks on a letter.

    To bring marks into their order takes the square of their number, each time that it is done.
    """
    return written if written.isascii() else _MANY_SIGNS.sub(_leave_out_marks, written)


def _leave_out_marks(found: re.Match[str]) -> str:
    kept = []
    marks = 0
    for sign in found[0]:
        marks = marks + 1 if unicodedata.combining(sign) else 0
        if marks <= _MOST_MARKS:
            kept.append(sign)
    return "".join(kept)


def fold(text: str) -> str:
    """The text as it is compared, without blanks at its ends."""
    for sign, folded in _FOLD.items():  # far quicker than one pass, for most signs are not there
        text = text.replace(sign, folded)
    text = _keep_powers(text)
    if not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    return " ".join(text.split()) if "  " in text else text.strip()


def fold_word(word: str) -> str:
    """A word or a single sign without accidents of typography."""
    if word.isascii():
        return _SIGNS.get(word, word)
    word = _keep_powers(word)
    return _SIGNS.get(word) or unicodedata.normalize("NFKC", word)


def _keep_powers(text: str) -> str:
    """The text with other signs for small digits that stand beside a digit, one for one."""
    # far quicker than to look at each sign, for most texts have none
    if text.isascii() or not any(map(text.__contains__, _SMALL)):
        return text
    return _SMALL_DIGITS.sub(_keep_beside_digit, text)


def _keep_beside_digit(found: re.Match[str]) -> str:
    text, (start, end) = found.string, found.span()
    is_beside = text[max(start - 1, 0)] in _DIGITS or text[end : end + 1] in _DIGITS
    return found[0].translate(_KEPT) if is_beside else found[0]


def holds_unseen(text: str) -> bool:
    """Whether there are characters that cannot be seen."""
    return any(sign in text for sign in _INVISIBLE)


def strip_unseen(text: str) -> str:
    """NFC, without characters that cannot be seen."""
    return unicodedata.normalize("NFC", text.translate(_UNSEEN))


def find_origin(text: str, start: int, end: int) -> tuple[int, int]:
    """Offsets in ``fold(text)`` as offsets in ``text``; all half-open.

    Only the lines that hold them are read sign by sign.
    """
    first = last = None
    for line, origin, folded, length in _iter_lines(text, start, end):
        if first is None and start < folded + length:
            first = origin + _trace(line, start - folded)
        if end <= folded + length:
            last = origin + _trace(line, end - 1 - folded) + 1
            break
    assert first is not None
    assert last is not None
    return first, last


def _iter_lines(text: str, start: int, end: int) -> Iterator[tuple[str, int, int, int]]:
    """Lines with where they begin, here and folded, and their folded length.

    Blocks of lines that hold neither ``start`` nor the last sign are passed as one.
    """
    folded = origin = 0
    while origin <= len(text):
        border = text.find("\n", origin + _BLOCK)
        block = text[origin : border if border >= 0 else len(text)]
        length = len(fold(block))
        if any(folded <= place < folded + length for place in (start, end - 1)):
            inside = folded
            place = origin
            for line in block.split("\n"):
                size = len(fold(line))
                yield line, place, inside, size
                inside += size + 1 if size else 0
                place += len(line) + 1
        folded += length + 1 if length else 0
        origin += len(block) + 1


def _trace(line: str, place: int) -> int:
    """Where the sign at ``place`` of the folded line comes from."""
    blank = True  # leading white space goes
    origin = 0
    for cluster in _CLUSTER.finditer(line):
        for one in _fold_cluster(cluster.group()):
            if one == " " and blank:
                continue
            blank = one == " "
            origin = cluster.start()
            if place == 0:
                return origin
            place -= 1
    return origin


def _fold_cluster(cluster: str) -> str:
    """One character with its accents as the folded text has it; white space is one blank."""
    replaced = _REPLACED.sub(lambda found: _FOLD[found.group()], cluster)
    composed = unicodedata.normalize("NFKC", replaced)
    return " " if composed.isspace() else composed

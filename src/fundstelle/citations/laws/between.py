"""What may stand between a provision and its law and changes nothing: ``§ 1, Abs. 2, **AktG**``."""

import re
from collections.abc import Callable
from typing import NamedTuple

from fundstelle.citations.drafts import Draft, LawReference
from fundstelle.citations.norms.path import skip_blanks

PREPOSITION = re.compile(
    r"\s*(?P<word>d\.(?=\s+(?-i:[A-ZÄÖÜ\d]))|des|der|dem|den|dieses|dieser|diesem|of\s+the|of|zum|zur|vom|von|im|the"
    r"|(?:[mds]?ein|unser|ihr)e[rs])\s+"
    r"(?P<rest>(?:(?:neuen|alten|geltenden|früheren|genannten|zitierten|deutschen|German|Council|Commission"
    r"|am\s\d{1,2}\.\s?\w{3,9}\s\d{4}\sin\sKraft\s(?:getretenen|tretenden))\s+)?)",
    re.IGNORECASE,
)
OWN_SIGN = re.compile(r"[^\S\n]*:?[^\S\n]*(?:§|Art(?:ikel|\.)?[^\S\n]*\d)")
"""Behind a law that begins a citation of its own: ``VwGO § 80 Abs. 5\\nStVG § 3 Abs. 1``."""

_OF_OTHER = re.compile(
    r"\s*of\s+(?:that|those|these|such)\s+"
    r"(?:Regulation|Directive|Decision|Treaty|Act|Code|Law|Convention|Agreement|Protocol|Article)"
)
_JOINS = frozenset({"of", "of the", "to", "zu"})  # "§ 112a, des EBRG" is the next of a list
_OPENS_PHRASE = frozenset({"the", "im", "dem", "den", "vom", "von"})  # of another clause
_TO_ANNEX = re.compile(r"\s+(?P<word>to|zu)\s+(?:the\s+|de[rmn]\s+)?(?:(?:Council|Commission)\s+)?")
_SILENT = re.compile(
    r"\s*(?:"
    r"(?P<comma>,)"
    r"|(?P<dash>(?<=\s)-(?=\s))"
    r"|(?:jeweils|respectively|as\s+the\s+case\s+may\s+be)(?![^\W_])"
    r"|(?P<unread>(?:a\.\s?E\.?|aE|am\s+Ende|in\s+fine)(?![^\W_]))"
    r")"
)
_TITLE = re.compile(r"\s*(\([A-ZÄÖÜan][^()\[\]§\d\n]{1,80}\))")
_OPENING = re.compile(r"\s*([*_„“”\"»«'‚‘’\[(<]{1,4})")
_CLOSING = re.compile(r"[*_„“”\"»«'‚‘’\])>]{1,4}")
_BRACKETS = {"(": ")", "[": "]", "<": ">"}
_END = re.compile(r"\s*(?:$|[.,;:)\]\n]|-\s)")


class _Between(NamedTuple):
    """What was passed: where it ends, which signs it holds, and the words that may say something.

    ``unread`` are "a. E." or a title in brackets, of which nothing is looked up.
    """

    end: int
    comma: bool = False
    dash: bool = False
    unread: tuple[int, int] | None = None


def _pass_silent(text: str, pos: int) -> _Between:
    """Behind all that says nothing of the provision."""
    comma = dash = False
    unread: tuple[int, int] | None = None
    while (match := _SILENT.match(text, pos)) is not None:
        comma = comma or match["comma"] is not None
        dash = dash or match["dash"] is not None
        if match["unread"] is not None:
            unread = (unread[0] if unread else match.start("unread"), match.end("unread"))
        pos = match.end()
    return _Between(pos, comma, dash, unread)


def _pass_title(text: str, pos: int) -> _Between | None:
    """Behind words in brackets, such as the title of a section."""
    match = _TITLE.match(text, pos)
    if match is None:
        return None
    behind = _pass_silent(text, match.end())
    return behind._replace(unread=match.span(1))


def _pass_opening(text: str, pos: int) -> tuple[int, str]:
    """Behind quotation marks, brackets or emphasis that open at ``pos``, and these."""
    match = _OPENING.match(text, pos)
    return (match.end(), match[1]) if match is not None else (pos, "")


def _find_closing(text: str, pos: int, opened: str) -> int | None:
    """Where what ``opened`` is closed at ``pos``, ``None`` if it is not."""
    if not opened:
        return pos
    match = _CLOSING.match(text, pos)
    if match is None or len(match[0]) < len(opened):
        return None
    closed = match[0][: len(opened)]
    pairs = zip(opened, reversed(closed), strict=True)
    if any(_BRACKETS.get(one, other) != other for one, other in pairs):
        return None
    return pos + len(opened)


def _is_closed(text: str, pos: int) -> bool:
    """Whether a phrase ends at ``pos``."""
    return _END.match(text, pos) is not None


def read_past(
    text: str, pos: int, last: Draft, read_name: Callable[[int], LawReference | None]
) -> LawReference | None:
    """A known law behind what changes nothing: ``, of the GDPR``, ``a. E. AktG``, ``„AktG“``.

    A comma or a dash may end the phrase: a law named there with no word that joins it is that of
    the provision only if such commas divide the citation, or the phrase ends behind the law.
    """
    between = _pass_silent(text, pos)
    law = _read_behind(text, pos, between, last, read_name)
    titled = _pass_title(text, between.end) if law is None else None
    return law if titled is None else _read_behind(text, pos, titled, last, read_name)


def _read_behind(
    text: str,
    pos: int,
    between: _Between,
    last: Draft,
    read_name: Callable[[int], LawReference | None],
) -> LawReference | None:
    to_annex = _TO_ANNEX.match(text, between.end) if last.unit == "Anlage" else None
    preposition = to_annex or PREPOSITION.match(text, between.end)
    begin = preposition.end() if preposition is not None else between.end
    place, opened = _pass_opening(text, begin)
    if place == pos:
        return None
    place = skip_blanks(text, place)
    gap = text[pos:place]
    if "\n" in gap and (opened or between.dash or gap.count("\n") > 1):
        return None  # a heading, or the next item of a list
    law = read_name(place) if text[place : place + 1].isalpha() else None
    end = _find_closing(text, law.end, opened) if law is not None and law.known else None
    if law is None or end is None or OWN_SIGN.match(text, law.end):
        return None
    word = " ".join(preposition["word"].casefold().split()) if preposition is not None else ""
    closed = not word and law.unit in {None, last.unit} and _is_closed(text, law.end)
    divided = bool(last.path) and "," in text[last.start : last.end]
    if not _joins(between, word, closed=closed, divided=divided):
        return None
    name_end = end if opened else law.name_end
    return law._replace(end=end, name_end=name_end, unread=between.unread)


def _joins(between: _Between, word: str, *, closed: bool, divided: bool) -> bool:
    """Whether the law behind is that of the provision, by the ``word`` that leads to it.

    ``closed``: the phrase ends behind the law. ``divided``: commas divide the provision.
    """
    if between.dash and not closed:
        return False  # "§ 93 - im BGB steht davon nichts"
    if (between.comma or between.unread) and word in _OPENS_PHRASE:
        return False  # "Article 5(1), point (b), the AI Act does not"
    # "no. 5178/08, § 62, ECHR 2008" is a page of its reports
    return not between.comma or word in _JOINS or divided or closed


def is_of_other(text: str, pos: int) -> bool:
    """Whether an act follows that is only pointed at: ``, of that Regulation``."""
    between = _pass_silent(text, pos)
    return between.comma and _OF_OTHER.match(text, between.end) is not None

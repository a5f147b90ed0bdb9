"""What a quote leaves out where it begins or ends: the rest of that sentence.

At a ``[...]`` that is all of it. Without one most quotes are parts of a sentence that go on in the
writer's own words; only what says the opposite of the quote is told: a negation in the clause that
was cut, or an exception right behind it. What is quoted must say something, for which it needs a
verb: of „erhebliche Nachteile für das Gemeinwohl“ nothing is denied.
"""

import re
from collections.abc import Sequence

from fundstelle.law.norms import Level, Segment
from fundstelle.lookup.comparing.differences import Difference

# Behind a word that no abbreviation is: "Abs. 1", "gem. § 5" and "z. B." go on.
_BORDER = re.compile(r"(?<=[^\W\d_]{4})[.!?][\"“”»«)]*\s+(?=[^\W\d_a-zäöü]|[(„»\"§\d])")

_NEGATION = re.compile(
    r"(?<!\w)(?:nicht(?!\s(?:nur|lediglich|allein|bloß|zuletzt)(?!\w))|nichts|nie|niemals|weder"
    r"|kein(?:e[mnrs]?|erlei|esfalls|eswegs)?|niemand(?:e[mns])?|not(?!\sonly(?!\w))|no|none|never"
    r"|neither|nor|nobody|cannot)(?!\w)",
    re.IGNORECASE,
)
# The subject of a sentence, of whatever clause the quote is.
_NOBODY = re.compile(
    r"(?:\(\w{1,4}\)\s|\d{1,3}[.)]\s)?(?:Kein(?:e[mnrs]?)?|Niemand|Nichts|Weder|No|None|Nobody"
    r"|Neither|Nothing)(?!\w)"
)
_EXCEPTION = re.compile(r"(?<!\w)(?:es sei denn|ausgenommen|unless|except)(?!\w)", re.IGNORECASE)
_EXCEPTED = re.compile(
    r"\s*[,;]?\s*(?:es sei denn|au(?:ß|ss)er(?!\s(?:Kraft|Betracht|Ansatz|Acht)(?!\w))|ausgenommen"
    r"|unless|except|(?:wenn|soweit|sofern|solange)\s(?:[^\W\d_]+\s){0,6}?(?:nicht|keine?[mnrs]?)"
    r"|(?:jedoch\s)?nicht(?!\s(?:aber|jedoch|dagegen|nur|lediglich|allein)))(?!\w)",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,;:–—\n()]")
_VERB = re.compile(
    r"(?<!\w)(?!(?:mit|nicht|seit|statt|selbst|sonst|erst|fast|jetzt|zuletzt|insgesamt|bereit|bekannt"
    r"|ge(?!hört|nügt|bührt|nießt|langt|währt|schieht|stattet|winnt|rät)\w+)(?!\w))"
    r"(?:[a-zäöü]\w{1,20}t|sind|waren|werden|wurden?|haben|hatten|kann|können|darf|dürfen|muss|muß"
    r"|müssen|soll|sollen|gelten|bleiben|bedarf|bedürfen|finden|stehen|haften|entfallen|endete?n?"
    r"|wäre|hätte|würde|sei|seien|war|hatte|wurde|is|are|was|were|has|have|had|shall|may|can|will"
    r"|should|applies|apply|does|do)(?!\w)"
)

_MOST = 2_000  # characters that are looked at before a place and behind it


def list_left_out(
    text: str, segments: Sequence[Segment], unit: tuple[int, int], quoted: tuple[int, int]
) -> tuple[str, str]:
    """The words of the unit's text before and behind those quoted, in the same sentences.

    Offsets count in ``text``, half-open. A sentence is one that is marked, else one that ends with
    a full stop; of a very long one what is nearest.
    """
    (first, last), (start, end) = unit, quoted
    begins, _ = _find_sentence(text, segments, unit, start)
    _, ends = _find_sentence(text, segments, unit, max(start, end - 1))
    return text[max(first, begins) : start].strip(), text[end : min(last, ends)].strip()


def find_turning(words: str) -> str:
    """The words that a ``[...]`` leaves out, if a negation or an exception is among them."""
    return words if Difference("", words).negation or _EXCEPTION.search(words) else ""


def find_turning_before(words: str, quoted: str) -> str:
    """What is cut off in front of a quote without a mark and denies it; else nothing."""
    if not _VERB.search(quoted):
        return ""
    clause = _CLAUSE.split(words)[-1]
    if _NEGATION.search(clause):
        return clause.strip()
    return words if _NOBODY.match(words) else ""


def find_turning_behind(words: str, quoted: str) -> str:
    """The same of what is cut off behind it, or the exception that begins there."""
    if not _VERB.search(quoted):
        return ""
    if _EXCEPTED.match(words):
        return words.strip(" ,;")
    clause = _CLAUSE.split(words, maxsplit=1)[0]
    return clause.strip() if _NEGATION.search(clause) else ""


def _find_sentence(
    text: str, segments: Sequence[Segment], unit: tuple[int, int], place: int
) -> tuple[int, int]:
    """The sentence that a place is in."""
    around = [
        (each.start, each.end)
        for each in segments
        if each.level == Level.SATZ and each.start <= place < each.end
    ]
    if around:
        return min(around, key=lambda span: span[1] - span[0])
    first, last = max(unit[0], place - _MOST), min(unit[1], place + _MOST)
    borders = (match.end() for match in _BORDER.finditer(text, first, last))
    before, behind = first, last
    for border in borders:
        if border > place:
            behind = border
            break
        before = border
    return before, behind

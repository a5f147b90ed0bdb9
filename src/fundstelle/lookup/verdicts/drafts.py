"""The citations of a draft, each with the quotations that belong to it.

A quotation belongs to a citation of its own sentence: to the one that follows in brackets or
directly, else to the one before it, else to the next; where there is none, to the citation that
stands alone on the line beside it. In a list whose citations lead their quotations (``§ 1: „…“,
§ 2: „…“``) what follows directly is that of the next.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from fundstelle.citations.decisions.apart import add_what_is_apart
from fundstelle.citations.find import find
from fundstelle.citations.laws.land_laws import give_to_lands
from fundstelle.citations.laws.names import LawNames
from fundstelle.citations.laws.own_names import give_own_names
from fundstelle.corpus.decisions import DecisionStore
from fundstelle.law.citations import EuCitation, FoundCitation, NormCitation
from fundstelle.lookup.verdicts.lines import cut_sources, find_by_line
from fundstelle.lookup.verdicts.printed import find_printed
from fundstelle.lookup.verdicts.quotations import MOST_CHARS, Quotation, find_quotations

_REACH = 1_000  # characters between a quotation and its citation
_MONTH = r"(?:Jan|Feb|Mär|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez)"
_ENDS = re.compile(
    r"(?<![\s.(]\w)(?<!\b[A-ZÄÖÜ])(?<!\d)[.!?][)\]“”\"«»]*\s+(?=[A-ZÄÖÜ„»“\"(])"
    rf"|\d[.!?]\s+(?!{_MONTH})(?=[A-ZÄÖÜ„»])|\n\s*\n"
)
# A run of blanks with a line's end in it, looked at from its beginning alone.
_BREAK = r"[^\S\n]*+\n\s*+"
_SET_OFF = re.compile(rf"(?<=:){_BREAK}|(?<!\s){_BREAK}(?=[(–—])")
_SHORT = re.compile(
    r"(?:Abs|Nrn?|Art|Buchst|lit|Halbs|Alt|vgl|bzw|ggf|usw|ff|BGBl|ABl|Dr|Prof|Mio|Mrd|Rn|Rz|Tz"
    r"|Anm|Aufl|Urt|Beschl|Az|st|Rspr|Hs|Var|Ziff|Kap|gem|sog|insb|insbes|ca|Satz|i\.V\.m|Hrsg)\.$",
    re.IGNORECASE,
)
_LONGEST_SHORT = 8
_NEXT = re.compile(
    r"[\s,;:]*+[(\[–—-]?\s*+(?:(?:vgl\.?|s\.|siehe|so|nach|gemäß|gem\.|in|aus|laut|see|under)\s)?\s*+"
)
# What introduces a quotation behind a citation: "§ 1: …", "§ 1 lautet: …", "nach § 1 gilt …".
_LEAD = re.compile(
    r"(?!\s*(?:und|oder|sowie|bzw)\b)(?=[^\n]*?[^\W\d_]|\s?[:–—-]|\t)"
    r"[^\n,;.!?()\[\]]{1,60}?(?:,\s(?:dass|daß|wonach)\s)?(?::\s*)?"
)
_OPENS = re.compile(r"\s*[(\[]")
_BRACKET = re.compile(  # "(so auch § 1", "(st. Rspr., vgl. nur BGH", but not "(anders § 1"
    r"\s*[(\[](?!\s*(?:anders|abweichend|entgegen|nicht|im\sGegensatz|a\.?\s?A\b|contra|unlike|but)\b)"
    r"[^()\[\]\n]{0,60}"
)
_LAWS = (NormCitation, EuCitation)
_CLOSED = re.compile(r"[.!?]\s*$")
_LOOKS = re.compile(
    r"§+|(?<!\w)[Aa]rt(?:\.|ikeln?)\s*\d|(?<!\w)ECLI:"
    r"|(?P<case>(?<!\w)(?:A[zZ]\.:?\s*\w|(?:Urt(?:eil|\.)|Beschl(?:uss|\.))\s+v(?:om|\.)\s*\d))"
    r"|(?<!\w)(?:[Ss]ection|Abs(?:\.|atz))\s\d"
)
_BESIDE = 120  # characters from the date of a decision to its docket


@dataclass(frozen=True, slots=True)
class CitedPlace:
    """A citation where it stands in the draft, and the words quoted from it.

    ``whole`` is where it ends, or the last of its quotations.
    """

    found: FoundCitation
    quotes: tuple[str, ...]
    whole: int


@dataclass(frozen=True, slots=True)
class DraftReading:
    """What a draft cites, in its order; ``unread`` are offsets of what only looks like it.

    ``unowned`` are offsets of quotations that are compared with nothing: no citation can be told
    to have them, or they are too long.
    """

    places: tuple[CitedPlace, ...]
    unread: tuple[int, ...]
    unowned: tuple[int, ...]


def read_draft(text: str, names: LawNames, decisions: DecisionStore | None = None) -> DraftReading:
    """Every citation of a draft. A law that is only named ("nach dem BGB") is none.

    Of ``decisions`` also what is cited with a number that the grammar does not read.
    """
    found = give_own_names(text, give_to_lands(text, find(text, names)), names)
    unread = list(_iter_unread(text, found))
    if decisions is not None and unread:
        printed = list(find_printed(decisions, text, unread))
        unread = [at for at in unread if not any(each.start <= at < each.end for each in printed)]
        found = sorted((*found, *printed), key=lambda each: each.start)
    found = _add_what_is_apart(text, found)
    cited = [each for each in found if _is_citation(each)]
    quotations, owners = _own(text, cited)
    inside: list[Quotation] = []
    words: dict[int, list[str]] = {}
    ends = [each.end for each in cited]
    for quotation, owner in zip(quotations, owners, strict=True):
        if owner is not None:
            inside.append(quotation)
            words.setdefault(owner, []).append(quotation.words)
            ends[owner] = max(ends[owner], quotation.end)
    places = [
        CitedPlace(each, tuple(words.get(number, ())), ends[number])
        for number, each in enumerate(cited)
        if not (each.inferred and _is_within(each, inside))
    ]
    unowned = [each.start for each, owner in zip(quotations, owners, strict=True) if owner is None]
    return DraftReading(tuple(places), tuple(unread), tuple(unowned))


def _own(
    text: str, cited: Sequence[FoundCitation]
) -> tuple[Sequence[Quotation], Sequence[int | None]]:
    """The quotations, and the number of the citation of each."""
    quoted = [each for each in find_quotations(text) if not _is_in_citation(each, cited)]
    quotations, sources = cut_sources(text, cited, quoted)
    owning = [
        number
        for number, each in enumerate(cited)
        if not (each.inferred and _is_within(each, quotations))
    ]
    own = [cited[number] for number in owning]
    found = find_by_line(text, own, quotations, _find_owners(text, own, quotations))
    owners: list[int | None] = []
    for number, (quotation, owner) in enumerate(zip(quotations, found, strict=True)):
        owned = sources.get(number, None if owner is None else owning[owner])
        owners.append(owned if len(quotation.words) <= MOST_CHARS else None)
    return quotations, owners


def _add_what_is_apart(text: str, found: Sequence[FoundCitation]) -> list[FoundCitation]:
    """Each with what belongs to it as far as the next; none runs into another."""
    whole: list[FoundCitation] = []
    low = 0
    for number, each in enumerate(found, 1):
        high = found[number].start if number < len(found) else len(text)
        whole.append(add_what_is_apart(text, each, low, high))
        low = whole[-1].end
    return whole


def find_sign(text: str, number: int) -> int | None:
    """Where the sign of that number stands, from 0, of those that look like a citation."""
    found = next(islice(_LOOKS.finditer(text), number, None), None)
    return None if found is None else found.start()


def _is_citation(found: FoundCitation) -> bool:
    first = found.targets[0]
    if isinstance(first, NormCitation):
        return first.unit is not None or first.number is not None
    if isinstance(first, EuCitation):
        return first.number is not None or any(sign.isdigit() for sign in found.text)
    return True


def _is_in_citation(quotation: Quotation, cited: Sequence[FoundCitation]) -> bool:
    """Whether the marks are those of the title of an act: ``(‘European Climate Law’)``."""
    at = bisect_right(cited, quotation.start, key=lambda each: each.start) - 1
    return at >= 0 and quotation.end <= cited[at].end


def _is_within(found: FoundCitation, quotations: Sequence[Quotation]) -> bool:
    at = bisect_right(quotations, found.start, key=lambda each: each.start) - 1
    return at >= 0 and found.end <= quotations[at].end


def _find_owners(
    text: str, cited: Sequence[FoundCitation], quotations: Sequence[Quotation]
) -> list[int | None]:
    """For each quotation the number of its citation."""
    if not (cited and quotations):
        return [None] * len(quotations)
    bare = _blank(text, cited)
    ends = _SentenceEnds(bare)
    starts = [each.start for each in cited]
    owners: list[int | None] = []
    led: int | None = None  # the citation that leads the quotation behind
    for quotation in reversed(quotations):
        before = bisect_left(starts, quotation.start) - 1
        after = bisect_left(starts, quotation.end)
        follows = after < len(cited) and ends.are_joined(quotation.end, starts[after])
        if follows and _CLOSED.search(quotation.words):
            follows = bare[quotation.end : starts[after]].lstrip()[:1] in {*"(,;–—-["}
        precedes = before >= 0 and ends.are_joined(cited[before].end, quotation.start)
        is_next = follows and any(
            each.fullmatch(bare, quotation.end, starts[after]) for each in (_NEXT, _BRACKET)
        )
        is_led = precedes and _LEAD.fullmatch(bare, cited[before].end, quotation.start) is not None
        if is_led and is_next:
            is_led = led == after or _ends_with_colon(bare, cited, quotation, (before, after))
            is_led = is_led and not _OPENS.match(bare, quotation.end)
        led = before if is_led else None
        if is_next and not is_led:
            owners.append(after)
        elif precedes:
            owners.append(before)
        else:
            owners.append(after if follows else None)
    return owners[::-1]


def _ends_with_colon(
    bare: str, cited: Sequence[FoundCitation], quotation: Quotation, around: tuple[int, int]
) -> bool:
    """``§ 1: „…“, § 2``, or ``§ 1 lautet: „…“`` and § 2 in the next line.

    Not so of ``Zu § 1: „…“, BGH, NJW 2020, 1``: there the decision is the source.
    """
    before, after = (cited[number] for number in around)
    if isinstance(before.targets[0], _LAWS) != isinstance(after.targets[0], _LAWS):
        return False
    words = bare[before.end : quotation.start].strip()
    return words == ":" or (words[-1:] == ":" and "\n" in bare[quotation.end : after.start])


def _blank(text: str, cited: Sequence[FoundCitation]) -> str:
    """The text without what is cited, so that its dots end no sentence.

    Nor does a blank line behind a colon or before a bracket, as quotations are set off with.
    """
    pieces, end = [], 0
    for each in cited:
        if each.start >= end:
            pieces += [text[end : each.start], "x" * (each.end - each.start)]
            end = each.end
    bare = "".join([*pieces, text[end:]])
    return _SET_OFF.sub(lambda match: " " * len(match[0]), bare)


class _SentenceEnds:
    """Where the sentences of a draft end: found once, however many quotations it has."""

    def __init__(self, text: str) -> None:
        found = [match for match in _ENDS.finditer(text) if _ends_sentence(text, match)]
        self._starts = [match.start() for match in found]
        self._ends = [match.end() for match in found]

    def are_joined(self, start: int, end: int) -> bool:
        """Whether two places are in one sentence."""
        if end - start > _REACH:
            return False
        first = bisect_left(self._starts, start)
        return first == len(self._ends) or self._ends[first] > end


def _ends_sentence(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - _LONGEST_SHORT) : match.start() + 1]
    return match[0][0] == "\n" or not _SHORT.search(before)


def _iter_unread(text: str, found: Sequence[FoundCitation]) -> Iterator[int]:
    """Where a sign of citations stands in none of those found."""
    starts = [each.start for each in found]
    for match in _LOOKS.finditer(text):
        at = bisect_right(starts, match.start()) - 1
        if at >= 0 and match.start() < found[at].end:
            continue
        if match["case"] and at + 1 < len(starts) and starts[at + 1] < match.end() + _BESIDE:
            between = text[match.end() : starts[at + 1]]
            if not _ENDS.search(between) and "§" not in between:
                continue  # the docket behind it was read
        yield match.start()

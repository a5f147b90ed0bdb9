"""Numbers in a list that no word calls section or Absatz, as far as the words alone tell."""

import re

from fundstelle.citations.drafts import Draft
from fundstelle.citations.norms.levels import LETTER_LEVELS, LEVEL_OF, RANK
from fundstelle.citations.norms.path import ROMAN, match_step
from fundstelle.citations.text.dates import MONTH
from fundstelle.law.citations import PathStep, Repeats
from fundstelle.law.norms import Level

# After these a number counts something else: days, but not "§§ 1, 2 MaisPflSchMV".
COUNTED = re.compile(
    rf"\s*(?:%|€|\.\s?{MONTH}"
    r"|\s(?:(?:Monat|Jahr|Tag|Woche|Stunde|Minute)[a-zäöüß]*(?!\w)|(?:Euro|EUR|DM)\b|Prozent|v\.\s?H"
    rf"|vom\s+Hundert|Mio|Mal\b|{MONTH}|[A-Z][A-Za-z]{{0,4}}\s+\d+/))"
    r"|/\d|\.\d|\.\s+[a-zäöü]"
)
# One "Art." stands before several; behind a Nummer a number counts Nummern.
_BELOW_ARTICLE = frozenset({Level.ABSATZ, Level.SATZ})
_FAR = 9  # a bare number so far above the last value is a section
_APART = re.compile(r"\bi\s?\.?\s?V|Verb|conj", re.IGNORECASE)
# More is a section, or a Nummer behind one of as many digits: "Anlage 1 Nr. 3100, 3104 RVG".
_MOST_BELOW = 99
_DOTTED = re.compile(r"\d{1,4}(?:\.\d{1,3})+[a-z]?(?![^\W_]|\.\d)")


def match_dotted(text: str, last: Draft, pos: int) -> re.Match[str] | None:
    """The next number behind a dotted one: ``Anlage 1 Nr. 1.6.2, 1.6.3``."""
    if not last.path or "." not in last.path[-1].value:
        return None
    match = _DOTTED.match(text, pos)
    return None if match is None or COUNTED.match(text, match.end()) else match


def place_number(text: str, last: Draft, number: str, end: int) -> int | None:
    """Which step of ``last.path`` a bare number repeats; ``None`` for a new section."""
    path = last.path
    # a number repeats no letter: "§ 3 Nr. 1 a) und 4" are two Nummern
    counted = [i for i, step in enumerate(path) if step.level not in LETTER_LEVELS]
    if not counted:
        return None
    digits = re.match(r"\d+", number)
    section = re.match(r"\d+", last.number or "")
    assert digits is not None
    value = int(digits[0])
    current = int(section[0]) if section else 0
    if value > _MOST_BELOW:
        return _place_large(last, counted, above=value > current)
    step = match_step(text, end)
    below = LEVEL_OF[step[1].casefold()] if step else None
    heads = {"§"} if last.unit == "Anlage" else {"abs", "§"}  # in an annex Nummern have Absätze
    if below in heads or ROMAN.match(text, end) or (value > current and last.plural):
        return None
    far = _is_far(path[counted[-1]], value)
    found = find_level(path, below) if below else None
    if found is not None:
        return found - 1 if found else None
    if last.plural and (far or (value == current and number != digits[0])):
        return None
    return counted[-1]


def _place_large(last: Draft, counted: list[int], *, above: bool) -> int | None:
    """The step that a number of three digits or more repeats: one that has as many.

    No law has so many annexes; behind "§§" a number *above* that of the section is a section.
    """
    large = [i for i in counted if _count(last.path[i]) > _MOST_BELOW]
    if last.unit == "Anlage":
        return (large or counted)[-1]
    return large[-1] if large and not (last.plural and above) else None


def _is_far(step: PathStep, value: int) -> bool:
    reached = _count(step)
    return not reached < value <= reached + _FAR


def _count(step: PathStep) -> int:
    """The number that a step reaches to; 0 for one without digits."""
    digits = re.match(r"\d+", step.to or step.value)
    return int(digits[0]) if digits else 0


def find_repeated(last: Draft, draft: Draft) -> Repeats | None:
    """What the bare number of a section may be a further value of: ``§§ 2 Abs. 1, 3``."""
    if not last.path:
        return last.repeats if not draft.path else None
    counted = [i for i, step in enumerate(last.path) if step.level not in LETTER_LEVELS]
    if not counted or not last.number or last.number_end or not draft.plural:
        return None
    path = tuple(last.path[: counted[-1] + 1])
    below = RANK[draft.path[0].level] if draft.path else _MOST_BELOW
    is_part = below > RANK[path[-1].level] and len(draft.number or "") <= len("99a")
    return (last.number, path) if is_part else None


def announces_several(last: Draft, place: int, value: str, joint: str) -> bool:
    """Whether a bare number may be another section as well as a further value at ``place``.

    One "Art." stands before several, whose numbers rise: after ``Art. 6 Abs. 1`` a 13 is one, but
    no 3 or 7, which are Absätze until the law has none. Far above the part before, it is one
    whether they rise or not: ``Art. 100 Abs. 1, 93 GG``. "i. V. m." joins provisions.
    """
    if last.plural:
        return True
    step = last.path[place]
    if last.unit != "Art" or last.path[0].level == "§" or step.level not in _BELOW_ARTICLE:
        return False
    is_next = is_above(last, value) and not step.plural
    # behind 13 a 14 is the next one
    is_another = is_next and (step.several or is_far(step, value))
    digits = re.match(r"\d+", value)
    is_beyond = digits is not None and int(digits[0]) > _count(step) + _FAR and not step.plural
    return is_another or is_beyond or _APART.search(joint) is not None


def is_above(last: Draft, value: str) -> bool:
    """Whether a bare number is above that of the section or Artikel before."""
    digits, section = re.match(r"\d+", value), re.match(r"\d+", last.number or "")
    return bool(digits and section and int(digits[0]) > int(section[0]))


def is_far(step: PathStep, value: str) -> bool:
    """Whether a bare number is no further value of ``step``, as far as lists of them go."""
    digits = re.match(r"\d+", value)
    return digits is not None and _is_far(step, int(digits[0]))


def find_level(path: list[PathStep], level: str | None) -> int | None:
    """The last place of ``level`` in ``path``."""
    for place in range(len(path) - 1, -1, -1):
        if path[place].level == level:
            return place
    return None

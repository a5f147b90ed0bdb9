"""The miss for a part that a section does not have: what was asked, and what is there."""

import re

from fundstelle.law.norms import Fassung, Level, Norm
from fundstelle.lookup.answers import Evidence, Means, Miss, NextCall, Place, Suggestion
from fundstelle.lookup.misses.gone import find_word
from fundstelle.lookup.parts.following import NoUnit
from fundstelle.lookup.parts.units import WORDS, format_steps, get_steps, insert_path

JOINED = "the number that bears the letter"  # why a part is suggested

_SUGGESTIONS = 5
_NAMES_WRITTEN_OUT = 12


_REPEALED = re.compile(
    r"[(\[]?(?:weggefallen|aufgehoben|entfallen|gestrichen|gegenstandslos)[)\]]?[.,;]?",
    re.IGNORECASE,
)


def is_repealed(fassung: Fassung, unit: int) -> bool:
    """Whether all that is left of a part is the word that says it is gone."""
    part = fassung.segments[unit]
    if "-" in part.value and not fassung.text[part.body : part.end].strip():
        return True  # "(2) bis (4)" without a word
    return part.end - part.body < 20 and bool(
        _REPEALED.fullmatch(fassung.text[part.body : part.end].strip())
    )


def unit_repealed(written: str, norm: Norm, citation: str, printed: str) -> Miss:
    """The part was there once; its number is kept, and ``printed`` is what stands behind it."""
    return Miss(
        written,
        "repealed",
        f"{citation} is repealed{find_word(printed)}; since when is not known here.",
        (
            *("Read the section as a whole; ", Means.CONTEXT),
            " with versions shows older texts held.",
        ),
        suggestions=(Suggestion(norm.citation, norm.norm_id, "the section as a whole"),),
        hint=NextCall(Means.READ, norm.norm_id),
    )


def unit_missing(written: str, norm: Norm, fassung: Fassung, gap: NoUnit, law: str) -> Miss:
    """The section is there, the part of it is not."""
    cite = _UnitNames(norm, fassung, law)
    asked = cite.below(gap.parent, format_steps((gap.step,)))
    parent = cite.of(gap.parent)
    ends = (gap.existing[0], gap.existing[-1]) if gap.existing else ()
    places = [Place(cite.of(unit), norm.norm_id) for unit in ends]  # there may be hundreds between
    suggestions = [Suggestion(norm.citation, norm.norm_id, "the section as a whole")]
    exists = _say_what_exists(fassung, gap)
    if gap.joined is not None:
        suggestions.append(Suggestion(cite.of(gap.joined), norm.norm_id, JOINED))
        exists += f"; {cite.of(gap.joined)} is a number of its own"
    suggestions += [
        Suggestion(cite.of(unit), norm.norm_id, "the part of that name in another place")
        for unit in gap.elsewhere[:_SUGGESTIONS]
    ]
    if places:
        suggestions.append(Suggestion(places[-1].citation, norm.norm_id, "the last that exists"))
    return Miss(
        written,
        "subunit_does_not_exist",
        f"{asked} does not exist: {parent} {exists}.",
        "Read the section as a whole and cite the part that is there.",
        Evidence(places[0] if places else None, places[-1] if places else None),
        tuple(suggestions[:_SUGGESTIONS]),
        NextCall(Means.READ, norm.norm_id),
    )


def row_missing(written: str, norm: Norm, asked: str, rows: tuple[int, int]) -> Miss:
    """A number before the first row of a schedule, or behind its last."""
    return Miss(
        written,
        "subunit_does_not_exist",
        f"{norm.citation} has no {asked}: its rows run from {rows[0]} to {rows[1]}.",
        "Read the annex as a whole and cite a row that is there.",
        suggestions=(Suggestion(norm.citation, norm.norm_id, "the annex as a whole"),),
        hint=NextCall(Means.READ, norm.norm_id),
    )


class _UnitNames:
    """How the parts of one norm are cited."""

    def __init__(self, norm: Norm, fassung: Fassung, law: str) -> None:
        self._norm = norm
        self._fassung = fassung
        self._law = law

    def of(self, unit: int) -> str:
        return self.below(unit, "")

    def below(self, unit: int, path: str) -> str:
        steps = format_steps(get_steps(self._fassung.segments, unit))
        return insert_path(self._norm.citation, " ".join(filter(None, (steps, path))), self._law)


def _say_what_exists(fassung: Fassung, gap: NoUnit) -> str:
    """``has Abs. 1 to 2`` or ``is not divided into Absätze``."""
    word = WORDS[Level(gap.step.level)]
    values = [fassung.segments[unit].value for unit in gap.existing]
    if len(set(values)) < len(values) and gap.step.level == Level.SATZ:
        values = [str(number) for number in range(1, len(values) + 1)]  # through the Unterabsätze
    if not values:
        below = {part.level for part in fassung.segments if part.parent == gap.parent}
        others = ", ".join(sorted(WORDS[level] for level in below))
        return f"has no {word}" + (f" (it has {others})" if others else " and no marked parts")
    if len(values) == 1:
        return f"has only {word} {values[0]}"
    if len(values) <= _NAMES_WRITTEN_OUT:
        return f"has {word} {', '.join(values)}"
    return f"has {word} {values[0]} to {values[-1]}, {len(values)} in all"
